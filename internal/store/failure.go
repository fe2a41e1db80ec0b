package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"cradle/internal/fault"
)

var errNoRow = sql.ErrNoRows

// unavailable is a fault that keeps the cause for the log.
type unavailable struct {
	refusal *fault.Error
	cause   error
}

func (u *unavailable) Error() string { return u.cause.Error() }

func (u *unavailable) Unwrap() []error { return []error{u.refusal, u.cause} }

// classify turns a failure of the database itself, recognised by its code, into
// a temporary fault: nothing was changed and the request can be sent again.
func classify(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || !passing(err) {
		return err
	}
	var already *unavailable
	if errors.As(err, &already) {
		return err
	}
	return &unavailable{
		refusal: fault.New(fault.Unavailable, "unavailable",
			"The service's database is not available at the moment; nothing was changed, try again shortly"),
		cause: fmt.Errorf("database: %w", err),
	}
}

// uncertain is like classify, for a commit: if its answer was lost, it may or
// may not have happened.
func uncertain(err error) error {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	if err == nil || !passing(err) || errors.As(err, &pg) || errors.As(err, &lite) {
		return classify(err)
	}
	return &unavailable{
		refusal: fault.New(fault.Unavailable, "outcome_unknown",
			"The service's database was lost at the last moment: the request may have been carried out. "+
				"Send it again; nothing is charged twice"),
		cause: fmt.Errorf("database: commit: %w", err),
	}
}

func passing(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
			sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY:
			return true
		}
		return false
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code[:2] {
		case "08", "25", "53", "57", "58": // connection, read-only, resources, operator, system
			return true
		}
		return strings.HasPrefix(pg.Code, "40") // serialization failure or deadlock
	}
	var network net.Error
	var connecting *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connecting) || pgconn.SafeToRetry(err) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// Damaged reports whether err means that the embedded database's file is damaged
// or not a database.
func Damaged(err error) bool {
	var lite *sqlite.Error
	if !errors.As(err, &lite) {
		return false
	}
	code := lite.Code() & 0xff
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// violates reports whether err is a unique violation.
func violates(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || lite.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505"
}
