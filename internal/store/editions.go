package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	return lci.Edition{Version: column(l.edition[0]), Changed: column(l.edition[1])}
}

// leaveOut remembers that a row, and with it what belongs to it, is older than
// what is there.
func (w *importer) leaveOut(l *load, in incoming, old stored) {
	l.outdated[in.key] = struct{}{}
	if !in.gathered {
		l.tally.Unchanged++
	}
	have, read := l.editionOf(old.row), l.editionOf(in.row)
	w.older = append(w.older, ingest.Warning{Class: ingest.Outdated, Record: cmp.Or(in.row[slices.Index(l.columns, "name")].(string), in.key.String()),
		Message:    fmt.Sprintf("it is older (%s) than what the catalogue has of it (%s); left out", read, have),
		Suggestion: "nothing needs to be done where the newer one is meant"})
}

// group says of the processes and methods that were read since the last time that
// they are of one library. Its id follows from which they are.
func (w *importer) group() error {
	sum := sha256.New()
	for l, ids := range w.ungrouped {
		w.ungrouped[l] = slices.DeleteFunc(ids, func(id lci.ID) bool { _, outdated := l.outdated[id]; return outdated })
		slices.SortFunc(w.ungrouped[l], lci.ID.Compare)
	}
	fmt.Fprintln(sum, w.ungrouped[w.processes], w.ungrouped[w.methods])
	library := lci.DerivedID("library", hex.EncodeToString(sum.Sum(nil)))
	for l, ids := range w.ungrouped {
		for batch := range slices.Chunk(ids, batchSize) {
			n, err := w.tx.exec(w.ctx, "UPDATE "+l.name+" SET library = $1 WHERE (library IS NULL OR library <> $1) AND "+w.dialect.among("id", "$2"), library.String(), w.dialect.ids(batch))
			if err != nil {
				return err
			}
			w.regrouped = w.regrouped || n > 0
		}
		w.ungrouped[l] = nil
	}
	return nil
}
