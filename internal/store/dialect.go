package store

import (
	"database/sql"
	"encoding/json"
	"strconv"
	"strings"

	"cradle/internal/lci"
)

// dialect holds what differs between the engines; all other SQL is shared.
type dialect struct {
	postgres   bool
	schema     *strings.Replacer
	lockRow    string // appended to a SELECT to lock the row
	lockValues string // the same, but others may add rows that refer to it
	keepRow    string // appended to keep the row from changing; conflicts with lockRow
	skipLocked string // appended to skip rows that others have locked
	snapshot   *sql.TxOptions
	batchRows  func(columns int) int
}

var embedded = dialect{
	schema: strings.NewReplacer(
		"{{text}}", "TEXT",
		"{{bytes}}", "BLOB",
		"{{serial}}", "INTEGER PRIMARY KEY AUTOINCREMENT",
		"{{clustered}}", " WITHOUT ROWID"),
	// The driver matches numbered parameters one by one, so short statements are
	// faster.
	batchRows: func(int) int { return 1 },
}

var served = dialect{
	postgres: true,
	schema: strings.NewReplacer(
		"{{text}}", `TEXT COLLATE "C"`,
		"{{bytes}}", "BYTEA",
		"{{serial}}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
		"{{clustered}}", ""),
	lockRow:    " FOR UPDATE",
	lockValues: " FOR NO KEY UPDATE",
	keepRow:    " FOR KEY SHARE",
	skipLocked: " FOR UPDATE SKIP LOCKED",
	snapshot:   &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
	batchRows:  func(columns int) int { return 10_000 / columns },
}

// parameter returns the nth parameter of a statement that uses them in order.
// SQLite's driver finds positional parameters faster than numbered ones.
func (d dialect) parameter(n int) string {
	if d.postgres {
		return "$" + strconv.Itoa(n)
	}
	return "?"
}

// among is the condition that column is in a list parameter made by list.
func (d dialect) among(column, parameter string) string {
	if d.postgres {
		return column + " = ANY(" + parameter + ")"
	}
	return column + " IN (SELECT value FROM json_each(" + parameter + "))"
}

// keepRowOf is keepRow for one of several tables.
func (d dialect) keepRowOf(table string) string {
	if d.keepRow == "" {
		return ""
	}
	return d.keepRow + " OF " + table
}

// list is the list parameter for texts. For no texts it is empty, not NULL: a
// NOT IN with NULL would match nothing.
func (d dialect) list(texts []string) any {
	if texts == nil {
		texts = []string{}
	}
	if d.postgres {
		return texts
	}
	b, _ := json.Marshal(texts)
	return string(b)
}

func (d dialect) ids(ids []lci.ID) any {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return d.list(texts)
}

// numbers is the list parameter for integers.
func (d dialect) numbers(ns []int64) any {
	if ns == nil {
		ns = []int64{}
	}
	if d.postgres {
		return ns
	}
	b, _ := json.Marshal(ns)
	return string(b)
}
