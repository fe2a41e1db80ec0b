package store

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"cradle/internal/lci"
)

// A column of a table, and where a record has its value.
type column struct {
	name string
	at   any // a pointer to the field, or a type that converts the value
}

// records is a table with one list of its columns, the key first, from which
// select, scan, write and compare follow.
type records[T any] struct {
	table
	columns []string
	bind    func(*T) []column
}

func tableOf[T any](t table, bind func(*T) []column) records[T] {
	var names []string
	for _, c := range bind(new(T)) {
		names = append(names, c.name)
	}
	if t.key == nil {
		t.key = names[:1]
	}
	return records[T]{t, names, bind}
}

// bound is a record and its columns, for reading the values of other records.
type bound[T any] struct {
	record  *T
	columns []column
}

func (t records[T]) bound() bound[T] {
	record := new(T)
	return bound[T]{record, t.bind(record)}
}

// values returns a record's stored values in the order of the columns, with
// capacity for one more.
func (b bound[T]) values(of *T) []any {
	*b.record = *of
	values := make([]any, len(b.columns), len(b.columns)+1)
	for i, c := range b.columns {
		values[i] = valueAt(c.at)
	}
	return values
}

// key returns the values of the first columns, which are strings.
func (b bound[T]) key(of *T, columns int) []string {
	*b.record = *of
	key := make([]string, columns)
	for i := range key {
		key[i] = valueAt(b.columns[i].at).(string)
	}
	return key
}

// A selection is some columns of a table, in its order.
type selection[T any] struct {
	bind  func(*T) []column
	names []string
	list  string
}

// only selects the named columns.
func (t records[T]) only(names ...string) selection[T] {
	return t.selected(func(c column) bool { return slices.Contains(names, c.name) })
}

// without selects all columns that a record is read from, except the named ones.
func (t records[T]) without(names ...string) selection[T] {
	return t.selected(func(c column) bool {
		_, follows := c.at.(derived)
		return !follows && !slices.Contains(names, c.name)
	})
}

func (t records[T]) selected(wanted func(column) bool) selection[T] {
	s := selection[T]{bind: t.bind}
	for _, c := range t.bind(new(T)) {
		if wanted(c) {
			s.names = append(s.names, c.name)
		}
	}
	s.list = strings.Join(s.names, ", ")
	return s
}

// of lists a selection's columns for a table alias.
func (s selection[T]) of(alias string) string {
	return alias + "." + strings.Join(s.names, ", "+alias+".")
}

// scan returns a function that scans rows of the selection. Columns selected
// after it are scanned into more.
func (s selection[T]) scan(more ...any) func(*sql.Rows) (T, error) {
	record := new(T)
	var into []any
	for _, c := range s.bind(record) {
		if slices.Contains(s.names, c.name) {
			into = append(into, c.at)
		}
	}
	into = append(into, more...)
	return func(rows *sql.Rows) (T, error) {
		err := rows.Scan(into...)
		return *record, err
	}
}

// valueAt is the stored form of a field: a string, an int64, a float64, a bool
// or nil.
func valueAt(field any) any {
	switch at := field.(type) {
	case *string:
		return *at
	case *lci.ID:
		return at.String()
	case *float64:
		return *at
	case **float64:
		if *at == nil {
			return nil
		}
		return **at
	case *int:
		return int64(*at)
	case *int64:
		return *at
	case *bool:
		return *at
	case *lci.Boundary:
		return string(*at)
	case *lci.Direction:
		return string(*at)
	case *lci.Distribution:
		return string(*at)
	case *lci.FlowType:
		return string(*at)
	case interface{ value() any }:
		return at.value()
	}
	panic(fmt.Sprintf("no column holds a %T", field))
}

// derived is a value computed from others of its record: it is written, and read
// only for comparison.
type derived func() any

func (d derived) value() any { return d() }

// optionalID is an id that is stored as NULL if it is zero.
type optionalID lci.ID

func (id *optionalID) Scan(src any) error { return (*lci.ID)(id).Scan(src) }

func (id *optionalID) value() any {
	if lci.ID(*id).IsZero() {
		return nil
	}
	return lci.ID(*id).String()
}

// texts are several values in one column.
type texts []string

func (t *texts) Scan(src any) error {
	var joined sql.NullString
	err := joined.Scan(src)
	*t = split(joined.String)
	return err
}

func (t *texts) value() any { return join(*t) }

// calculated stores whether an impact has a Completeness. It must be scanned
// before the columns of the Completeness.
type calculated struct{ of **lci.Completeness }

func (c calculated) Scan(src any) error {
	var is sql.NullBool
	err := is.Scan(src)
	*c.of = nil
	if is.Bool {
		*c.of = new(lci.Completeness)
	}
	return err
}

func (c calculated) value() any { return *c.of != nil }

// measure is a number in an impact's Completeness, zero if it has none.
type measure[N float64 | int] struct {
	of     **lci.Completeness
	number func(*lci.Completeness) *N
}

func (m measure[N]) Scan(src any) error {
	var n sql.Null[N]
	err := n.Scan(src)
	if *m.of != nil {
		*m.number(*m.of) = n.V
	}
	return err
}

func (m measure[N]) value() any {
	var n N
	if *m.of != nil {
		n = *m.number(*m.of)
	}
	return valueAt(&n)
}

// Several values in one column are separated as in a cell of a bundle.
const separator = ";"

func split(joined string) []string {
	if joined == "" {
		return nil
	}
	return strings.Split(joined, separator)
}

func join(values []string) string { return strings.Join(values, separator) }
