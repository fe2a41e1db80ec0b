package store

import (
	"cmp"
	"fmt"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// editionOf is what decides between a row and another of the same key.
func (l *load) editionOf(row []any) lci.Edition {
	if l.edition == nil {
		return lci.Edition{}
	}
	column := func(name string) string { return row[slices.Index(l.columns, name)].(string) }
	e := lci.Edition{Version: column(l.edition[0]), Changed: column(l.edition[1])}
	if e.Version == lci.Unspecified {
		e.Version = ""
	}
	return e
}

// leaveOut remembers that a row, and with it what belongs to it, is older than
// what is there.
func (w *importer) leaveOut(l *load, in incoming, old stored) {
	l.outdated[in.key] = struct{}{}
	have, read := l.editionOf(old.row), l.editionOf(in.row)
	w.older = append(w.older, ingest.Warning{Class: ingest.Outdated, Record: cmp.Or(in.row[slices.Index(l.columns, "name")].(string), in.key.String()),
		Message: fmt.Sprintf("older (%s) than what the catalogue has (%s); left out", read, have)})
}
