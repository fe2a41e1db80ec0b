package rest

import (
	"strings"
	"testing"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

func TestTablesForgetWhatDoesNotFit(t *testing.T) {
	const each, fit, all = 1000, 40, 100
	c := newRowCache((each + 80) * fit * otherShare / (otherShare - 1))
	s := c.table(gateway.Arrakis, library.Page{Edition: 1, Size: all})
	for place := range uint32(all) {
		s.put(library.Ref{Place: place}, &row{text: []byte(strings.Repeat("x", each))})
	}
	kept := 0
	for place := range uint32(all) {
		if s.get(library.Ref{Place: place}) != nil {
			kept++
		}
	}
	if kept == 0 || kept > fit+1 {
		t.Errorf("%d rows are kept where %d fit", kept, fit)
	}
	if used := c.used.Load(); used != int64(kept*(each+80)) {
		t.Errorf("%d rows count as %d bytes", kept, used)
	}
}

func TestANewEditionStartsWithEmptyTables(t *testing.T) {
	c := newRowCache(1 << 20)
	page := func(edition int64) library.Page { return library.Page{Edition: edition, Size: 1} }
	first := c.table(gateway.Arrakis, page(1))
	first.put(library.Ref{}, &row{text: []byte("old")})
	if again := c.table(gateway.Arrakis, page(1)); again.get(library.Ref{}) == nil {
		t.Error("a row is forgotten within an edition")
	}
	if next := c.table(gateway.Arrakis, page(2)); next.get(library.Ref{}) != nil {
		t.Error("a row of an older edition is kept")
	}
	if used := c.used.Load(); used != 0 {
		t.Errorf("forgotten rows count as %d bytes", used)
	}
	late := c.table(gateway.Arrakis, page(1))
	late.put(library.Ref{}, &row{text: []byte("late")})
	if now := c.table(gateway.Arrakis, page(2)); now.get(library.Ref{}) != nil {
		t.Error("a late reader of an older edition leaves a row in the newer one")
	}
	first.put(library.Ref{}, &row{text: []byte("later")})
	if used := c.used.Load(); used != 0 {
		t.Errorf("late readers leave %d bytes", used)
	}
}

func TestTablesOfVersionsAndListsAreApart(t *testing.T) {
	c := newRowCache(1 << 20)
	page := library.Page{Edition: 1, Size: 1}
	c.table(gateway.Arrakis, page).put(library.Ref{}, &row{text: []byte("x")})
	processes := library.Page{Kind: library.Processes, Edition: 1, Size: 1}
	if c.table(gateway.Obsidian, page).get(library.Ref{}) != nil || c.table(gateway.Arrakis, processes).get(library.Ref{}) != nil {
		t.Error("a row shows in another table")
	}
}
