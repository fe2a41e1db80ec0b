package byhand

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"cradle/docs"
	"cradle/internal/markdown"
)

var markdownPart = Part{
	Name: "Markdown", Library: "goldmark 1.8.7", Once: "how to verify a webhook, from docs/webhooks.md",
	ours: func(string) (func() any, error) {
		text := markdown.Section(docs.Webhooks, "Verify")
		return func() any { return blocks(string(markdown.HTML(text))) }, nil
	},
	theirs: func(string) (func() any, error) {
		text := []byte(markdown.Section(docs.Webhooks, "Verify"))
		md := goldmark.New(goldmark.WithExtensions(extension.Table))
		return func() any {
			var page bytes.Buffer
			if err := md.Convert(text, &page); err != nil {
				return err
			}
			return blocks(page.String())
		}, nil
	},
}

// blocks counts what both ways must find.
func blocks(page string) [3]int {
	return [3]int{strings.Count(page, "<h3"), strings.Count(page, "<pre"), strings.Count(page, "<li>")}
}
