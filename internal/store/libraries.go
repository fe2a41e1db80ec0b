package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"slices"

	"cradle/internal/lci"
)

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
