package store

import (
	"database/sql"
	"encoding/json"
	"strings"

	"cradle/internal/lci"
)

// dialect holds what differs between the engines; everything else is one SQL.
type dialect struct {
	postgres   bool
	schema     *strings.Replacer
	lockRow    string // appended to a SELECT that must keep others from the row
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
	skipLocked: " FOR UPDATE SKIP LOCKED",
	snapshot:   &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
	batchRows:  func(columns int) int { return 10_000 / columns },
}

// among is the condition that column is in the list parameter, made by list.
func (d dialect) among(column, parameter string) string {
	if d.postgres {
		return column + " = ANY(" + parameter + ")"
	}
	return column + " IN (SELECT value FROM json_each(" + parameter + "))"
}

func (d dialect) list(texts []string) any {
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
	if d.postgres {
		return ns
	}
	b, _ := json.Marshal(ns)
	return string(b)
}
