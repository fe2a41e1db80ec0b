package importing

import (
	"fmt"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// batchSize is how many rows are compared and written at a time.
const batchSize = 500

type idSet map[lci.ID]struct{}

func (s idSet) add(id lci.ID) { s[id] = struct{}{} }

func (s idSet) has(id lci.ID) bool { _, ok := s[id]; return ok }

// load imports rows of one kind.
type load[T any] struct {
	kind[T]
	w      *importer
	table  Table[T]
	owned  OwnedTable[T] // the same, if rows are replaced along with their owner
	tally  *ingest.Tally
	rows   []T // pending
	keys   []lci.ID
	seen   idSet
	owners idSet

	outdated idSet // rows of which the catalogue has a newer edition
	of       idSet // the same for the parents of the rows
}

func newLoad[T any](w *importer, k kind[T], table Table[T], tally *ingest.Tally, of idSet) *load[T] {
	l := &load[T]{kind: k, w: w, table: table, tally: tally, seen: idSet{}, owners: idSet{}, outdated: idSet{}, of: of}
	w.loads = append(w.loads, l)
	return l
}

func (l *load[T]) touched() bool { return l.tally.Touched() }

// add adds a row. Rows come kind by kind, parents first, so each kind is written
// before the next begins. If two libraries imported together both have a row,
// the later one wins.
func (l *load[T]) add(row T) error {
	if l.w.current != l {
		if err := l.w.flush(); err != nil {
			return err
		}
		l.w.current = l
	}
	key := l.id(&row)
	if l.grouped {
		l.w.ungrouped = append(l.w.ungrouped, key)
	}
	if l.isOlder(&row) {
		l.outdated.add(key)
		if !l.lasting {
			l.seen.add(key)
			return nil
		}
	}
	if l.seen.has(key) {
		if err := l.flush(); err != nil {
			return err
		}
	}
	l.seen.add(key)
	if l.owned != nil {
		l.owners.add(l.parent(&row))
	}
	l.rows, l.keys = append(l.rows, row), append(l.keys, key)
	if len(l.rows) < batchSize {
		return nil
	}
	return l.flush()
}

// flush compares the pending rows with the stored ones and writes those that
// differ.
func (l *load[T]) flush() error {
	if len(l.rows) == 0 {
		return nil
	}
	found, err := l.table.Find(l.w.ctx, l.rows)
	if err != nil {
		return err
	}
	grants, err := l.grants()
	if err != nil {
		return fmt.Errorf("read grants of %s: %w", l.name, err)
	}
	var added, changed []Stored[T]
	for i, old := range found {
		row := l.rows[i]
		if old == nil {
			l.tally.Added++
			added = append(added, Stored[T]{Row: row, Restricted: l.restricted(false)})
			continue
		}
		if !l.settle(&row, l.keys[i], &old.Row) {
			l.tally.Unchanged++
			continue
		}
		differs := old.Stale || !l.table.Same(&old.Row, &row)
		if !differs && !l.moves(old.Restricted, grants[l.keys[i]]) {
			l.tally.Unchanged++
			continue
		}
		l.count(&old.Row, &row)
		if l.grouped && differs {
			l.w.replaced = append(l.w.replaced, l.keys[i])
		}
		changed = append(changed, Stored[T]{Row: row, Restricted: l.restricted(old.Restricted)})
	}
	if err := l.write(added, changed); err != nil {
		return err
	}
	l.rows, l.keys = l.rows[:0], l.keys[:0]
	return nil
}

// count counts a changed row.
func (l *load[T]) count(old, row *T) {
	if l.deleted != nil && l.deleted(row) && !l.deleted(old) {
		l.tally.Deleted++
	} else {
		l.tally.Changed++
	}
}

func (l *load[T]) write(added, changed []Stored[T]) error {
	if err := l.table.Write(l.w.ctx, added, changed); err != nil {
		return err
	}
	return l.regrant(slices.Concat(added, changed))
}

// removeLeftOut deletes the stored rows that were not read again although other
// rows of their owner were.
func (l *load[T]) removeLeftOut() error {
	if l.owned == nil {
		return nil
	}
	owners := make([]lci.ID, 0, len(l.owners))
	for id := range l.owners {
		owners = append(owners, id)
	}
	slices.SortFunc(owners, lci.ID.Compare)
	for batch := range slices.Chunk(owners, batchSize) {
		gone, err := l.owned.DeleteOf(l.w.ctx, batch, l.seen.has)
		if err != nil {
			return err
		}
		l.tally.Deleted += gone
	}
	return nil
}
