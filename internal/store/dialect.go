package store

import (
	"database/sql"
	"encoding/json"
	"strconv"
	"strings"

	"cradle/internal/lci"
)

// dialect holds what differs between the engines; everything else is one SQL.
type dialect struct {
	postgres   bool
	schema     *strings.Replacer
	lockRow    string // appended to a SELECT that must keep others from the row
	lockValues string // the same, but others may go on to add rows that refer to it
	keepRow    string // appended where lockRow must wait: the row is to stay as it was read
	skipLocked string // appended where rows that others hold are left to them
	snapshot   *sql.TxOptions
	batchRows  func(columns int) int
}

var embedded = dialect{
	schema: strings.NewReplacer(
		"{{text}}", "TEXT",
		"{{bytes}}", "BLOB",
		"{{serial}}", "INTEGER PRIMARY KEY AUTOINCREMENT",
		"{{clustered}}", " WITHOUT ROWID"),
	// The driver matches numbered parameters one by one, so short statements are the fast ones.
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

// parameter writes the nth parameter of a statement that has them in order.
// SQLite's driver finds one by its place faster than by its number.
func (d dialect) parameter(n int) string {
	if d.postgres {
		return "$" + strconv.Itoa(n)
	}
	return "?"
}

// among is the condition that column is in the list parameter, made by list.
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

// list is the list parameter of texts. Without any it is empty, not null: what is
// not in null is neither in it nor not.
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

// numbers is the list parameter of whole numbers.
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
