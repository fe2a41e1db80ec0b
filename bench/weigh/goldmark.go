//go:build goldmark

package main

import (
	"os"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

func init() {
	use = append(use, func() any {
		return goldmark.New(goldmark.WithExtensions(extension.Table)).Convert(nil, os.Stderr)
	})
}
