package store

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// batchSize is how many rows are compared and written at a time.
const batchSize = 500

// table describes how rows of one kind are stored.
type table struct {
	name    string
	key     []string
	columns []string
	parent  string   // the column that names the record a row belongs to
	owned   bool     // rows come and go with what was read of their parent
	ignored []string // columns that do not make a row a changed one
	granted bool     // rows can be restricted to teams
	deleted bool     // rows are deleted by a mark

	edition []string // the columns that decide between two rows of one key

	gathered bool   // several libraries tell of the same row: what one leaves open stays as another said it
	united   string // the column of a gathered row that lists what all of them say
}

// A row keeps the place it was first given among its siblings, unless its
// siblings are replaced with it.
var placed = []string{"position"}

// upsert is the clause that makes an insert replace the row that is there.
func (t table) upsert() string {
	var sets []string
	for _, c := range t.columns {
		if !slices.Contains(t.key, c) && !slices.Contains(t.ignored, c) {
			sets = append(sets, c+" = excluded."+c)
		}
	}
	return "ON CONFLICT (" + strings.Join(t.key, ", ") + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

// load is what an import has read of one table.
type load struct {
	table
	tally   *ingest.Tally
	rows    []incoming
	seen    map[lci.ID]struct{}
	parents map[lci.ID]struct{}

	of       *load               // that of the rows that these belong to
	lasting  bool                // rows of an older record are kept beside those of a newer one
	outdated map[lci.ID]struct{} // of which the catalogue has a later edition
}

// incoming is a row as it was read, in the order of its table's columns.
type incoming struct {
	key      lci.ID
	row      []any
	gathered bool
	older    bool // it belongs to an older record than the one that is there
}

// factorKey stands for the two ids that make a factor's key.
func factorKey(indicator, flow string) lci.ID { return lci.DerivedID("factor", indicator, flow) }

// stored is a row as it is there.
type stored struct {
	row        []any
	restricted bool
}

// flush compares the rows at hand with what is stored and writes those that
// differ.
func (w *importer) flush() error {
	l := w.current
	if l == nil || len(l.rows) == 0 {
		return nil
	}
	there, err := w.stored(l)
	if err != nil {
		return fmt.Errorf("read %s: %w", l.name, err)
	}
	grants, err := w.grantsOf(l)
	if err != nil {
		return fmt.Errorf("read grants of %s: %w", l.name, err)
	}
	var added, changed [][]any
	for _, in := range l.rows {
		old, exists := there[in.key]
		if outdated := exists && l.editionOf(old.row).Compare(l.editionOf(in.row)) > 0; exists && (outdated || in.older) {
			if outdated {
				w.leaveOut(l, in, old)
			}
			if !in.gathered {
				l.tally.Unchanged++
				continue
			}
			// What the older edition knows beside stays known, whichever came first.
			known := slices.Clone(old.row)
			l.keepKnown(known, in.row)
			in.row = known
		} else if exists && in.gathered {
			l.keepKnown(in.row, old.row)
		}
		moved := w.moves(l, old, exists, grants[in.key])
		differs := exists && !l.same(old.row, in.row)
		l.count(old, exists, differs || moved, in.row)
		switch {
		case !exists:
			added = append(added, w.withVisibility(l, in.row, old))
		case differs || moved:
			if _, grouped := w.ungrouped[l]; grouped && differs {
				w.replaced = append(w.replaced, in.key)
			}
			changed = append(changed, w.withVisibility(l, in.row, old))
		}
	}
	if err := w.write(l, added, changed); err != nil {
		return fmt.Errorf("write %s: %w", l.name, err)
	}
	l.rows = l.rows[:0]
	return nil
}

// keepKnown fills what a row leaves open with what is known.
func (l *load) keepKnown(row, known []any) {
	for i := range row {
		switch {
		case row[i] == "":
			row[i] = known[i]
		case l.columns[i] == l.united:
			all := append(split(known[i].(string)), split(row[i].(string))...)
			slices.Sort(all)
			row[i] = join(slices.Compact(all))
		}
	}
}

// write writes new rows by a plain insert: an insert that may update is prepared
// for the worst, and slow.
func (w *importer) write(l *load, added, changed [][]any) error {
	columns, clause := l.columns, l.upsert()
	if l.granted {
		columns, clause = append(slices.Clone(columns), "restricted"), clause+", restricted = excluded.restricted"
	}
	if err := w.tx.insert(w.ctx, w.dialect, l.name, columns, "", added); err != nil {
		return err
	}
	if err := w.tx.insert(w.ctx, w.dialect, l.name, columns, clause, changed); err != nil {
		return err
	}
	return w.regrant(l, append(added, changed...))
}

func (l *load) count(old stored, exists, changes bool, row []any) {
	switch {
	case !exists:
		l.tally.Added++
	case !changes:
		l.tally.Unchanged++
	case l.deleted && row[len(row)-1] == true && equal(old.row[len(row)-1], false):
		l.tally.Deleted++
	default:
		l.tally.Changed++
	}
}

func (l *load) same(old, new []any) bool {
	for i, column := range l.columns {
		if !equal(old[i], new[i]) && !slices.Contains(l.ignored, column) {
			return false
		}
	}
	return true
}

// equal compares a stored value with one to be stored. SQLite gives a boolean
// back as a number.
func equal(stored, value any) bool {
	if n, isNumber := stored.(int64); isNumber {
		if truth, isTruth := value.(bool); isTruth {
			return (n == 1) == truth
		}
	}
	return stored == value
}

// stored returns those of the rows at hand that are there.
func (w *importer) stored(l *load) (map[lci.ID]stored, error) {
	there := make(map[lci.ID]stored, len(l.rows))
	firsts := make([]string, 0, len(l.rows))
	for _, in := range l.rows {
		firsts = append(firsts, in.row[0].(string))
	}
	condition, args := w.dialect.among(l.key[0], "$1"), []any{w.dialect.list(slices.Compact(firsts))}
	if len(l.key) == 2 {
		seconds := make([]string, 0, len(l.rows))
		for _, in := range l.rows {
			seconds = append(seconds, in.row[1].(string))
		}
		condition, args = condition+" AND "+w.dialect.among(l.key[1], "$2"), append(args, w.dialect.list(seconds))
	}
	columns := strings.Join(l.columns, ", ")
	if l.granted {
		columns += ", restricted"
	}
	rows, err := w.tx.query(w.ctx, "SELECT "+columns+" FROM "+l.name+" WHERE "+condition, args...)
	err = each(rows, err, func(rows *sql.Rows) error {
		values, err := scanValues(rows)
		if err != nil {
			return err
		}
		s := stored{row: values[:len(l.columns)]}
		if l.granted {
			s.restricted = equal(values[len(l.columns)], true)
		}
		there[l.keyOf(values)] = s
		return nil
	})
	return there, err
}

func (l *load) keyOf(row []any) lci.ID {
	if len(l.key) == 2 {
		return factorKey(row[0].(string), row[1].(string))
	}
	id, _ := lci.ParseID(row[0].(string))
	return id
}

// scanValues reads a row as strings, int64s, float64s, bools and nils.
func scanValues(rows *sql.Rows) ([]any, error) {
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	if err := rows.Scan(into...); err != nil {
		return nil, err
	}
	for i, v := range values {
		switch v := v.(type) {
		case []byte:
			values[i] = string(v)
		case int32:
			values[i] = int64(v)
		}
	}
	return values, nil
}

// removeLeftOut deletes the rows that are there and were not read again,
// although their parent's were.
func (w *importer) removeLeftOut(l *load) error {
	if !l.owned {
		return nil
	}
	parents := make([]lci.ID, 0, len(l.parents))
	for id := range l.parents {
		parents = append(parents, id)
	}
	slices.SortFunc(parents, lci.ID.Compare)
	for batch := range slices.Chunk(parents, batchSize) {
		gone, err := w.leftOut(l, batch)
		if err != nil {
			return err
		}
		for _, key := range gone {
			conditions := make([]string, len(l.key))
			for i, c := range l.key {
				conditions[i] = fmt.Sprintf("%s = $%d", c, i+1)
			}
			if _, err := w.tx.exec(w.ctx, "DELETE FROM "+l.name+" WHERE "+strings.Join(conditions, " AND "), key...); err != nil {
				return err
			}
			l.tally.Deleted++
		}
	}
	return nil
}

func (w *importer) leftOut(l *load, parents []lci.ID) ([][]any, error) {
	var gone [][]any
	rows, err := w.tx.query(w.ctx, "SELECT "+strings.Join(l.key, ", ")+" FROM "+l.name+" WHERE "+w.dialect.among(l.parent, "$1"), w.dialect.ids(parents))
	err = each(rows, err, func(rows *sql.Rows) error {
		key, err := scanValues(rows)
		if err != nil {
			return err
		}
		if _, read := l.seen[l.keyOf(key)]; !read {
			gone = append(gone, key)
		}
		return nil
	})
	return gone, err
}

// prune marks as deleted what is there and was not read. A method stays while
// impacts that stay, of processes or of properties, are calculated by it.
func (w *importer) prune(l *load) error {
	switch {
	case l == w.methods:
		return w.retire(l, `NOT EXISTS (SELECT 1 FROM impacts i WHERE i.method_id = methods.id AND NOT i.deleted AND NOT i.calculated)
			AND NOT EXISTS (SELECT 1 FROM material_impacts mi JOIN properties p ON p.id = mi.property_id
				WHERE mi.method_id = methods.id AND NOT p.deleted)`)
	case l == w.impacts:
		return w.retire(l, "NOT calculated")
	case l.deleted && l != w.calculated:
		return w.retire(l, "TRUE")
	}
	return nil
}

// retire marks as deleted those of the rows under a condition that were not read.
func (w *importer) retire(l *load, condition string, args ...any) error {
	gone, err := w.unread(l, condition, args...)
	if err != nil {
		return err
	}
	l.tally.Deleted += len(gone)
	mark := "deleted = TRUE"
	if l == w.impacts {
		mark += ", calculated = TRUE" // what the provider states no more may be calculated
	}
	for batch := range slices.Chunk(gone, batchSize) {
		if _, err := w.tx.exec(w.ctx, "UPDATE "+l.name+" SET "+mark+" WHERE "+w.dialect.among("id", "$1"), w.dialect.ids(batch)); err != nil {
			return err
		}
	}
	return nil
}

func (w *importer) unread(l *load, condition string, args ...any) ([]lci.ID, error) {
	var gone []lci.ID
	rows, err := w.tx.query(w.ctx, "SELECT id FROM "+l.name+" WHERE NOT deleted AND "+condition, args...)
	err = each(rows, err, func(rows *sql.Rows) error {
		var id lci.ID
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if _, read := l.seen[id]; !read {
			gone = append(gone, id)
		}
		return nil
	})
	return gone, err
}
