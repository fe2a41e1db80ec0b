//go:build swgui

package main

import (
	"github.com/swaggest/swgui/v5emb"
)

func init() {
	use = append(use, func() any {
		return v5emb.New("", "", "")
	})
}
