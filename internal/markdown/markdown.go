// Package markdown renders the Markdown used in our own documentation for the
// portal's pages: headings, paragraphs, lists, tables and code. It is not meant
// for other texts.
package markdown

import (
	"html"
	"html/template"
	"regexp"
	"strings"
)

// Section returns a section of a Markdown page, without its heading.
func Section(page, heading string) string {
	_, rest, _ := strings.Cut(page, "\n## "+heading+"\n")
	found, _, _ := strings.Cut(rest, "\n## ")
	return found
}

var (
	codeSpan  = regexp.MustCompile("`([^`]+)`")
	linkSpan  = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
	listStart = regexp.MustCompile(`^(- |[0-9]+\. )`)
)

// inline renders the inline Markdown of our documentation. Links lead to places
// that are not on the page, so only their text stays.
func inline(text string) string {
	text = linkSpan.ReplaceAllString(html.EscapeString(text), "$1")
	return codeSpan.ReplaceAllString(text, "<code>$1</code>")
}

// HTML renders a text.
func HTML(text string) template.HTML {
	var out strings.Builder
	for len(text) > 0 {
		var block string
		block, text = cutBlock(strings.TrimLeft(text, "\n"))
		out.WriteString(renderBlock(block))
	}
	return template.HTML(out.String())
}

func cutBlock(text string) (block, rest string) {
	if strings.HasPrefix(text, "```") {
		if end := strings.Index(text[3:], "\n```"); end >= 0 {
			return text[:3+end], text[3+end+4:]
		}
	}
	block, rest, _ = strings.Cut(text, "\n\n")
	return block, rest
}

func renderBlock(block string) string {
	switch {
	case block == "":
		return ""
	case strings.HasPrefix(block, "```"):
		_, code, _ := strings.Cut(block, "\n")
		return `<pre class="code" tabindex="0"><code>` + html.EscapeString(code) + "</code></pre>"
	case strings.HasPrefix(block, "### "):
		return "<h3>" + inline(block[4:]) + "</h3>"
	case strings.HasPrefix(block, "|"):
		return renderTable(block)
	case listStart.MatchString(block):
		return renderList(block)
	}
	return "<p>" + inline(strings.ReplaceAll(block, "\n", " ")) + "</p>"
}

func renderList(block string) string {
	var items []string
	for line := range strings.SplitSeq(block, "\n") {
		if start := listStart.FindString(line); start != "" {
			items = append(items, line[len(start):])
		} else if len(items) > 0 {
			items[len(items)-1] += " " + strings.TrimSpace(line)
		}
	}
	out := "<ul>"
	for _, item := range items {
		out += "<li>" + inline(item) + "</li>"
	}
	return out + "</ul>"
}

func renderTable(block string) string {
	out := `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>`
	for i, line := range strings.Split(block, "\n") {
		if i == 1 {
			continue // the line between head and body
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if i == 0 && strings.Trim(line, "| ") == "" {
			continue
		}
		out += "<tr>"
		for n, cell := range cells {
			tag := "td"
			if i == 0 || n == 0 {
				tag = "th"
			}
			if text := inline(strings.TrimSpace(cell)); text == "" {
				out += "<td></td>"
			} else {
				out += "<" + tag + ">" + text + "</" + tag + ">"
			}
		}
		out += "</tr>"
	}
	return out + "</table></div>"
}
