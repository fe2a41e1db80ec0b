package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// querier is what a connection and a transaction have in common.
type querier interface {
	query(ctx context.Context, text string, args ...any) (*sql.Rows, error)
	row(ctx context.Context, text string, args ...any) row
}

// conn runs statements. PostgreSQL's driver caches prepared statements itself;
// for SQLite conn prepares each text once.
type conn struct {
	db       *sql.DB
	prepares bool

	sent atomic.Int64 // statements, for metrics

	mu       sync.RWMutex
	prepared map[string]*sql.Stmt
	wanted   map[string]struct{} // used inside a transaction, to be prepared before the next
}

func newConn(db *sql.DB, prepares bool) *conn {
	return &conn{db: db, prepares: prepares, prepared: map[string]*sql.Stmt{}, wanted: map[string]struct{}{}}
}

func (c *conn) close() error { return c.db.Close() }

func (c *conn) kept(text string) *sql.Stmt {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.prepared[text]
}

func (c *conn) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if st := c.kept(text); st != nil {
		return st, nil
	}
	st, err := c.db.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.prepared[text]; other != nil {
		st.Close()
		return other, nil
	}
	c.prepared[text] = st
	return st, nil
}

// prepareWanted prepares the statements that earlier transactions had to prepare
// for themselves: inside a transaction the only writing connection is in use.
func (c *conn) prepareWanted(ctx context.Context) error {
	c.mu.Lock()
	wanted := slices.Collect(maps.Keys(c.wanted))
	clear(c.wanted)
	c.mu.Unlock()
	for _, text := range wanted {
		if _, err := c.prepare(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) want(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted[text] = struct{}{}
}

func (c *conn) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	c.sent.Add(1)
	if !c.prepares {
		rows, err := c.db.QueryContext(ctx, text, args...)
		return rows, classify(err)
	}
	st, err := c.prepare(ctx, text)
	if err != nil {
		return nil, classify(err)
	}
	rows, err := st.QueryContext(unwatched(ctx), args...)
	return rows, classify(err)
}

// unwatched is for statements of the embedded engine. They take microseconds,
// and a goroutine that watches each for cancellation would take as long; the
// work of a cancelled request is rolled back with its transaction.
func unwatched(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

func (c *conn) row(ctx context.Context, text string, args ...any) row {
	c.sent.Add(1)
	if !c.prepares {
		return row{row: c.db.QueryRowContext(ctx, text, args...)}
	}
	st, err := c.prepare(ctx, text)
	if err != nil {
		return row{err: classify(err)}
	}
	return row{row: st.QueryRowContext(unwatched(ctx), args...)}
}

// row is a *sql.Row whose errors are classified.
type row struct {
	row *sql.Row
	err error
}

func (r row) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	return classify(r.row.Scan(into...))
}

// tx is a transaction.
type tx struct {
	conn *conn
	tx   *sql.Tx
	used map[string]*sql.Stmt
}

func newTx(c *conn, t *sql.Tx) *tx { return &tx{conn: c, tx: t, used: map[string]*sql.Stmt{}} }

// write runs do in one transaction.
func (s *Store) write(ctx context.Context, do func(*tx) error) error {
	if err := s.writer.prepareWanted(ctx); err != nil {
		return classify(err)
	}
	return s.writer.inside(ctx, nil, func(t *tx) error {
		if err := do(t); err != nil {
			return err
		}
		return uncertain(t.tx.Commit())
	})
}

// snapshot runs do on one snapshot of the database.
func (s *Store) snapshot(ctx context.Context, do func(*tx) error) error {
	return s.reader.inside(ctx, s.dialect.snapshot, do)
}

func (c *conn) inside(ctx context.Context, options *sql.TxOptions, do func(*tx) error) error {
	sqlTx, err := c.db.BeginTx(ctx, options)
	if err != nil {
		return classify(err)
	}
	defer sqlTx.Rollback()
	return do(newTx(c, sqlTx))
}

func (t *tx) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if st := t.used[text]; st != nil {
		return st, nil
	}
	if st := t.conn.kept(text); st != nil {
		t.used[text] = t.tx.StmtContext(ctx, st)
		return t.used[text], nil
	}
	st, err := t.tx.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	t.conn.want(text)
	t.used[text] = st
	return st, nil
}

func (t *tx) exec(ctx context.Context, text string, args ...any) (int64, error) {
	res, err := t.result(ctx, text, args)
	if err != nil {
		return 0, classify(err)
	}
	n, err := res.RowsAffected()
	return n, classify(err)
}

func (t *tx) result(ctx context.Context, text string, args []any) (sql.Result, error) {
	t.conn.sent.Add(1)
	if !t.conn.prepares {
		return t.tx.ExecContext(ctx, text, args...)
	}
	st, err := t.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(unwatched(ctx), args...)
}

func (t *tx) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	t.conn.sent.Add(1)
	if !t.conn.prepares {
		rows, err := t.tx.QueryContext(ctx, text, args...)
		return rows, classify(err)
	}
	st, err := t.statement(ctx, text)
	if err != nil {
		return nil, classify(err)
	}
	rows, err := st.QueryContext(unwatched(ctx), args...)
	return rows, classify(err)
}

func (t *tx) row(ctx context.Context, text string, args ...any) row {
	t.conn.sent.Add(1)
	if !t.conn.prepares {
		return row{row: t.tx.QueryRowContext(ctx, text, args...)}
	}
	st, err := t.statement(ctx, text)
	if err != nil {
		return row{err: classify(err)}
	}
	return row{row: st.QueryRowContext(unwatched(ctx), args...)}
}
