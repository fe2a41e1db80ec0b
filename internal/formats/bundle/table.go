package bundle

import (
	"context"
	"iter"
	"strings"

	"cradle/internal/export"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// A table describes one file of a bundle.
type table[R any] struct {
	file     string
	kind     ingest.Kind
	named    bool // whether rows of other tables refer to its rows
	extra    bool // whether the file is written only if it has rows
	blank    R    // a row of empty cells
	columns  []column[R]
	complete func(*R)                   // fills in what can be derived from the cells, may be nil
	id       func(*R) *lci.ID           // nil if rows have no id of their own
	key      func(*R) lci.ID            // the id derived from the row's natural key
	repeats  bool                       // whether rows may share a natural key
	parent   func(*R) lci.ID            // the record the row belongs to, nil if to none
	position func(*R) *int              // the row's position among its parent's rows, nil if it has none
	inspect  func(*checker, *cursor[R]) // checks specific to this table, may be nil

	write func(ingest.Writer, R) error
	rows  func(export.Source, context.Context) iter.Seq2[R, error]
	count func(*export.Counts) *int
}

// anyTable is a table whatever its rows.
type anyTable interface {
	name() string
	check(*checker) error
	read(*pass, ingest.Writer) error
	export(context.Context, export.Source, putter, *export.Counts) error
}

// tables are in the order in which their rows depend on each other.
var tables = []anyTable{
	&flows, &methods, &indicators, &factors,
	&materials, &properties, &materialImpacts,
	&processes, &exchanges, &allocations, &impacts,
}

func (t *table[R]) name() string { return t.file }

// column returns the column with the name, or nil.
func (t *table[R]) column(name string) *column[R] {
	for i := range t.columns {
		if t.columns[i].name == name {
			return &t.columns[i]
		}
	}
	return nil
}

func isBundleFile(name string) bool { return rank(name) < len(tables) }

// rank is the file's position in the order of tables, past the end for an
// unknown file.
func rank(name string) int {
	for i, t := range tables {
		if t.name() == name {
			return i
		}
	}
	return len(tables)
}

func nameList() string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.name()
	}
	return strings.Join(names, ", ")
}

// read passes on the rows of the table's file, each with its position among its
// parent's rows.
func (t *table[R]) read(p *pass, to ingest.Writer) error {
	var refused error
	refuse := func(e ingest.Error) {
		if refused == nil {
			refused = e
		}
	}
	rows := t.open(p, refuse)
	defer rows.close()

	positions := make(map[lci.ID]int)
	for rows.next() && refused == nil {
		if t.position != nil {
			parent := t.parent(&rows.row)
			*t.position(&rows.row) = positions[parent]
			positions[parent]++
		}
		if err := t.write(to, rows.row); err != nil {
			return err
		}
	}
	if refused != nil {
		return refused
	}
	return rows.err
}
