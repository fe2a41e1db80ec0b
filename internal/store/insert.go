package store

import (
	"context"
	"strings"
)

// insert inserts rows, as many per statement as suits the engine. conflict is
// the ON CONFLICT clause, or "".
func (t *tx) insert(ctx context.Context, d dialect, table string, columns []string, conflict string, rows [][]any) error {
	most := d.batchRows(len(columns))
	text, size := "", 0
	for len(rows) > 0 {
		n := min(most, len(rows))
		if n != size {
			text, size = insertText(d, table, columns, conflict, n), n
		}
		args := make([]any, 0, n*len(columns))
		for _, row := range rows[:n] {
			args = append(args, row...)
		}
		if _, err := t.exec(ctx, text, args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func insertText(d dialect, table string, columns []string, conflict string, rows int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES ")
	for n := range rows * len(columns) {
		switch {
		case n == 0:
			b.WriteString("(")
		case n%len(columns) == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString(d.parameter(n + 1))
	}
	b.WriteString(") " + conflict)
	return b.String()
}
