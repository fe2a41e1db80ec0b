// Package store keeps everything in one SQL database, SQLite or PostgreSQL. It
// implements the interfaces that the packages above declare.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the embedded engine
)

// Store is an open database with the current schema.
type Store struct {
	dialect dialect
	path    string // of the embedded database, "" for PostgreSQL
	reader  *conn
	writer  *conn

	walIndex   *walIndex // nil for PostgreSQL
	remembered versionMemory

	wakes wakes
}

// connections bounds how many PostgreSQL connections a process uses.
const connections = 16

// embeddedReaders is the number of connections that read an embedded database:
// enough for the processors, few enough for each to have a decent cache.
func embeddedReaders() int { return max(4, 2*runtime.GOMAXPROCS(0)) }

// Open opens the database at dsn, a file or a PostgreSQL URL, and brings its
// schema up to date.
func Open(ctx context.Context, dsn string) (*Store, error) {
	s, err := connect(dsn)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return s, nil
}

func connect(dsn string) (*Store, error) {
	if strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://") {
		return connectPostgres(dsn)
	}
	path := strings.TrimPrefix(dsn, "sqlite:")
	if path == "" {
		return nil, errors.New("the database's path is empty")
	}
	return connectSQLite(path)
}

func connectPostgres(dsn string) (*Store, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	if config.RuntimeParams["statement_timeout"] == "" {
		config.RuntimeParams["statement_timeout"] = "600000"
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	c := newConn(db, false)
	return &Store{dialect: served, reader: c, writer: c}, nil
}

func connectSQLite(path string) (*Store, error) {
	if err := makeFile(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	pragmas := url.Values{"_pragma": {
		"busy_timeout(20000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
		"temp_store(MEMORY)",
	}}
	open := func(extra url.Values, most int) (*conn, error) {
		values := url.Values{"_pragma": append(append([]string{}, pragmas["_pragma"]...), extra["_pragma"]...)}
		for name, v := range extra {
			if name != "_pragma" {
				values[name] = v
			}
		}
		db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+values.Encode())
		if err != nil {
			return nil, err
		}
		db.SetMaxOpenConns(most)
		db.SetMaxIdleConns(most)
		return newConn(db, true), nil
	}
	writer, err := open(url.Values{"_txlock": {"immediate"}, "_pragma": {"cache_size(-16384)"}}, 1)
	if err != nil {
		return nil, err
	}
	reader, err := open(url.Values{"_pragma": {"query_only(ON)", "cache_size(-8192)"}}, embeddedReaders())
	if err != nil {
		return nil, err
	}
	return &Store{dialect: embedded, path: path, reader: reader, writer: writer, walIndex: &walIndex{db: reader.db, path: path + "-shm"}}, nil
}

// makeFile creates an embedded database's file if there is none, readable only
// by its owner; SQLite gives the files beside it the same permissions. It must
// not open an existing file: closing it would drop the locks of this process.
func makeFile(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder of %s does not exist", path)
	case err != nil:
		return err
	}
	return f.Close()
}

// Close closes the database. Calling it again does nothing.
func (s *Store) Close() error {
	if s.walIndex != nil {
		s.walIndex.close()
		s.reader.close()
	}
	return s.writer.close()
}

// Ping returns an error unless the database answers.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	return s.reader.row(ctx, "SELECT 1").Scan(&one)
}

// Statements returns how many statements have been sent to the database.
func (s *Store) Statements() int64 {
	sent := s.reader.sent.Load()
	if s.writer != s.reader {
		sent += s.writer.sent.Load()
	}
	return sent
}

// Embedded reports whether the database is a local file.
func (s *Store) Embedded() bool { return !s.dialect.postgres }

// Engine returns the name of the database engine.
func (s *Store) Engine() string {
	if s.dialect.postgres {
		return "postgres"
	}
	return "sqlite"
}

// Path returns the embedded database's file.
func (s *Store) Path() string { return s.path }

func nowMillis() int64 { return time.Now().UnixMilli() }

func timeOf(millis int64) time.Time { return time.UnixMilli(millis).UTC() }

// each scans every row with scan and closes rows.
func each(rows *sql.Rows, err error, scan func(*sql.Rows) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return classify(err)
		}
	}
	return classify(rows.Err())
}
