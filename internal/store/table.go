package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strings"

	"cradle/internal/importing"
	"cradle/internal/lci"
)

// table describes how rows of one kind are stored.
type table struct {
	name       string
	key        []string
	id         func(key []string) lci.ID // the row's id, if its key is more than an id
	owner      string                    // the column with the owner's id
	first      string                    // the column that keeps its first value
	restricted bool                      // rows have a column for restricted visibility
	mark       string                    // marks a row as deleted
}

// upsert is the clause that makes an insert replace an existing row.
func (t table) upsert(columns []string) string {
	var sets []string
	for _, c := range columns {
		if !slices.Contains(t.key, c) && c != t.first {
			sets = append(sets, c+" = excluded."+c)
		}
	}
	return "ON CONFLICT (" + strings.Join(t.key, ", ") + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

func (t table) idOf(key []string) lci.ID {
	if t.id != nil {
		return t.id(key)
	}
	id, _ := lci.ParseID(key[0])
	return id
}

// tableTx is a table inside a transaction. It implements importing.Table,
// importing.OwnedTable and importing.MarkedTable.
type tableTx[T any] struct {
	records[T]
	tx      *tx
	dialect dialect
	a, b    bound[T]
}

func newTableTx[T any](t *tx, d dialect, of records[T]) *tableTx[T] {
	return &tableTx[T]{records: of, tx: t, dialect: d, a: of.bound(), b: of.bound()}
}

// Find implements importing.Table.
func (t *tableTx[T]) Find(ctx context.Context, rows []T) ([]*importing.Stored[T], error) {
	at := make(map[string]int, len(rows))
	lists := make([][]string, len(t.key))
	for i := range rows {
		key := t.a.key(&rows[i], len(t.key))
		for k, text := range key {
			lists[k] = append(lists[k], text)
		}
		at[strings.Join(key, " ")] = i
	}
	conditions, args := make([]string, len(t.key)), make([]any, len(t.key))
	for k, column := range t.key {
		conditions[k] = t.dialect.among(column, fmt.Sprintf("$%d", k+1))
		args[k] = t.dialect.list(slices.Compact(lists[k]))
	}
	columns, scan := t.stored()
	found := make([]*importing.Stored[T], len(rows))
	result, err := t.tx.query(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+t.name+" WHERE "+strings.Join(conditions, " AND "), args...)
	err = each(result, err, func(result *sql.Rows) error {
		row, err := scan(result)
		if i, asked := at[strings.Join(t.a.key(&row.Row, len(t.key)), " ")]; asked {
			found[i] = &row
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", t.name, err)
	}
	return found, nil
}

// stored returns every column, and a function to scan them.
func (t *tableTx[T]) stored() (columns []string, scan func(*sql.Rows) (importing.Stored[T], error)) {
	var s importing.Stored[T]
	var into []any
	var stale []func() bool
	columns = t.columns
	for i, c := range t.bind(&s.Row) {
		if d, follows := c.at.(derived); follows {
			text := new(string)
			into = append(into, text)
			if i >= len(t.key) {
				stale = append(stale, func() bool { return d() != *text })
			}
		} else {
			into = append(into, c.at)
		}
	}
	if t.restricted {
		columns, into = append(slices.Clone(columns), "restricted"), append(into, &s.Restricted)
	}
	return columns, func(rows *sql.Rows) (importing.Stored[T], error) {
		err := rows.Scan(into...)
		s.Stale = slices.ContainsFunc(stale, func(is func() bool) bool { return is() })
		return s, err
	}
}

// Same implements importing.Table.
func (t *tableTx[T]) Same(a, b *T) bool {
	*t.a.record, *t.b.record = *a, *b
	for i, c := range t.a.columns {
		if _, follows := c.at.(derived); !follows && c.name != t.first && valueAt(c.at) != valueAt(t.b.columns[i].at) {
			return false
		}
	}
	return true
}

// Write implements importing.Table. New rows are written with a plain insert
// because upserts are slower.
func (t *tableTx[T]) Write(ctx context.Context, added, changed []importing.Stored[T]) error {
	columns := t.columns
	if t.restricted {
		columns = append(slices.Clone(columns), "restricted")
	}
	err := t.tx.insert(ctx, t.dialect, t.name, columns, "", t.rows(added))
	if err == nil {
		err = t.tx.insert(ctx, t.dialect, t.name, columns, t.upsert(columns), t.rows(changed))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", t.name, err)
	}
	return nil
}

func (t *tableTx[T]) rows(of []importing.Stored[T]) [][]any {
	rows := make([][]any, len(of))
	for i := range of {
		rows[i] = t.a.values(&of[i].Row)
		if t.restricted {
			rows[i] = append(rows[i], of[i].Restricted)
		}
	}
	return rows
}

// DeleteOf implements importing.OwnedTable.
func (t *tableTx[T]) DeleteOf(ctx context.Context, owners []lci.ID, keep func(lci.ID) bool) (int, error) {
	gone, err := t.keysOf(ctx, owners, keep)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.name, err)
	}
	conditions := make([]string, len(t.key))
	for i, c := range t.key {
		conditions[i] = fmt.Sprintf("%s = $%d", c, i+1)
	}
	for _, key := range gone {
		args := make([]any, len(key))
		for i := range key {
			args[i] = key[i]
		}
		if _, err := t.tx.exec(ctx, "DELETE FROM "+t.name+" WHERE "+strings.Join(conditions, " AND "), args...); err != nil {
			return 0, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return len(gone), nil
}

func (t *tableTx[T]) keysOf(ctx context.Context, owners []lci.ID, keep func(lci.ID) bool) (keys [][]string, err error) {
	rows, err := t.tx.query(ctx, "SELECT "+strings.Join(t.key, ", ")+" FROM "+t.name+" WHERE "+t.dialect.among(t.owner, "$1"), t.dialect.ids(owners))
	key, into := make([]string, len(t.key)), make([]any, len(t.key))
	for i := range key {
		into[i] = &key[i]
	}
	err = each(rows, err, func(rows *sql.Rows) error {
		err := rows.Scan(into...)
		if err == nil && !keep(t.idOf(key)) {
			keys = append(keys, slices.Clone(key))
		}
		return err
	})
	return keys, err
}

// Live implements importing.MarkedTable.
func (t *tableTx[T]) Live(ctx context.Context) iter.Seq2[lci.ID, error] {
	return t.live(ctx, "TRUE")
}

func (t *tableTx[T]) live(ctx context.Context, condition string, args ...any) iter.Seq2[lci.ID, error] {
	return read(ctx, &Snapshot{t.tx}, "SELECT id FROM "+t.name+" WHERE NOT deleted AND "+condition, scanID, args...)
}

func scanID(rows *sql.Rows) (id lci.ID, err error) {
	err = rows.Scan(&id)
	return id, err
}

// MarkDeleted implements importing.MarkedTable.
func (t *tableTx[T]) MarkDeleted(ctx context.Context, ids []lci.ID) error {
	_, err := t.tx.exec(ctx, "UPDATE "+t.name+" SET "+t.mark+" WHERE "+t.dialect.among("id", "$1"), t.dialect.ids(ids))
	return err
}
