package store

import (
	"context"
	"database/sql"
	"sync"
)

// querier is what a connection and a transaction have in common.
type querier interface {
	query(ctx context.Context, text string, args ...any) (*sql.Rows, error)
	row(ctx context.Context, text string, args ...any) row
}

// conn runs statements. PostgreSQL's driver keeps them prepared by itself; for
// SQLite each text is prepared once and kept here.
type conn struct {
	db       *sql.DB
	prepares bool

	mu       sync.RWMutex
	prepared map[string]*sql.Stmt
	wanted   []string // met inside a transaction, to be prepared before the next
}

func newConn(db *sql.DB, prepares bool) *conn {
	return &conn{db: db, prepares: prepares, prepared: map[string]*sql.Stmt{}}
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

// prepareWanted prepares what the last transactions had to prepare for
// themselves: inside one the only writing connection is taken.
func (c *conn) prepareWanted(ctx context.Context) error {
	c.mu.Lock()
	wanted := c.wanted
	c.wanted = nil
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
	c.wanted = append(c.wanted, text)
}

func (c *conn) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if !c.prepares {
		rows, err := c.db.QueryContext(ctx, text, args...)
		return rows, classify(err)
	}
	st, err := c.prepare(ctx, text)
	if err != nil {
		return nil, classify(err)
	}
	rows, err := st.QueryContext(ctx, args...)
	return rows, classify(err)
}

func (c *conn) row(ctx context.Context, text string, args ...any) row {
	if !c.prepares {
		return row{row: c.db.QueryRowContext(ctx, text, args...)}
	}
	st, err := c.prepare(ctx, text)
	if err != nil {
		return row{err: classify(err)}
	}
	return row{row: st.QueryRowContext(ctx, args...)}
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
}

// write runs do in one transaction: all of it happens or nothing.
func (s *Store) write(ctx context.Context, do func(*tx) error) error {
	if err := s.writer.prepareWanted(ctx); err != nil {
		return classify(err)
	}
	return s.writer.inside(ctx, nil, func(t *tx) error {
		if err := do(t); err != nil {
			return err
		}
		return classify(t.tx.Commit())
	})
}

// snapshot runs do on one unchanging state of the database.
func (s *Store) snapshot(ctx context.Context, do func(*tx) error) error {
	return s.reader.inside(ctx, s.dialect.snapshot, do)
}

func (c *conn) inside(ctx context.Context, options *sql.TxOptions, do func(*tx) error) error {
	sqlTx, err := c.db.BeginTx(ctx, options)
	if err != nil {
		return classify(err)
	}
	defer sqlTx.Rollback()
	return do(&tx{c, sqlTx})
}

func (t *tx) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if st := t.conn.kept(text); st != nil {
		return t.tx.StmtContext(ctx, st), nil
	}
	t.conn.want(text)
	return t.tx.PrepareContext(ctx, text)
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
	if !t.conn.prepares {
		return t.tx.ExecContext(ctx, text, args...)
	}
	st, err := t.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return st.ExecContext(ctx, args...)
}

func (t *tx) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if !t.conn.prepares {
		rows, err := t.tx.QueryContext(ctx, text, args...)
		return rows, classify(err)
	}
	st, err := t.statement(ctx, text)
	if err != nil {
		return nil, classify(err)
	}
	rows, err := st.QueryContext(ctx, args...)
	return rows, classify(err)
}

func (t *tx) row(ctx context.Context, text string, args ...any) row {
	if !t.conn.prepares {
		return row{row: t.tx.QueryRowContext(ctx, text, args...)}
	}
	st, err := t.statement(ctx, text)
	if err != nil {
		return row{err: classify(err)}
	}
	return row{row: st.QueryRowContext(ctx, args...)}
}
