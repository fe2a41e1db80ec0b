package store

import (
	"cmp"
	"crypto/sha256"
	"database/sql"
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
// they are of one library. Its id follows from which they are. What a library
// brings as it is there already is of both; what it changes is of that one alone.
func (w *importer) group() error {
	var own []lci.ID
	for l, ids := range w.ungrouped {
		ids = slices.DeleteFunc(ids, func(id lci.ID) bool { _, outdated := l.outdated[id]; return outdated })
		own, w.ungrouped[l] = append(own, ids...), nil
	}
	slices.SortFunc(own, lci.ID.Compare)
	own = slices.Compact(own)
	sum := sha256.New()
	for _, id := range own {
		sum.Write(id[:])
	}
	library := lci.DerivedID("library", hex.EncodeToString(sum.Sum(nil)))
	for batch := range slices.Chunk(w.replaced, batchSize) {
		if _, err := w.tx.exec(w.ctx, "DELETE FROM library_records WHERE "+w.dialect.among("record_id", "$1"), w.dialect.ids(batch)); err != nil {
			return err
		}
	}
	w.replaced = nil
	return w.join(library, own)
}

// join adds records to a library.
func (w *importer) join(library lci.ID, records []lci.ID) error {
	for batch := range slices.Chunk(records, batchSize) {
		there := map[lci.ID]bool{}
		rows, err := w.tx.query(w.ctx, "SELECT record_id FROM library_records WHERE library_id = $1 AND "+w.dialect.among("record_id", "$2"), library.String(), w.dialect.ids(batch))
		err = each(rows, err, func(rows *sql.Rows) error {
			var id lci.ID
			err := rows.Scan(&id)
			there[id] = true
			return err
		})
		if err != nil {
			return err
		}
		var added [][]any
		for _, id := range batch {
			if !there[id] {
				added = append(added, []any{id.String(), library.String()})
			}
		}
		w.regrouped = w.regrouped || len(added) > 0
		if err := w.tx.insert(w.ctx, w.dialect, "library_records", []string{"record_id", "library_id"}, "", added); err != nil {
			return err
		}
	}
	return nil
}
