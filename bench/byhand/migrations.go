package byhand

import (
	"context"
	"errors"
	"fmt"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"cradle/internal/store"
)

// Opening is the cost of opening a PostgreSQL database with a current schema, as
// every command does.
type Opening struct {
	Statements int64
	Took       time.Duration
}

// OpenByCradle opens a database as Cradle does. It migrates the schema if
// necessary.
func OpenByCradle(ctx context.Context, dsn string) (o Opening, err error) {
	began := time.Now()
	s, err := store.Open(ctx, dsn)
	if err != nil {
		return o, err
	}
	s.Close()
	return Opening{s.Statements(), time.Since(began)}, nil
}

// OpenByGoose opens a database as Cradle does, but with goose.
func OpenByGoose(ctx context.Context, dsn string) (o Opening, err error) {
	began := time.Now()
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return o, err
	}
	config.Tracer = &o
	db := stdlib.OpenDB(*config)
	defer func() {
		err = errors.Join(err, db.Close())
		o.Took = time.Since(began)
	}()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrations())
	if err != nil {
		return o, err
	}
	_, err = provider.Up(ctx)
	return o, err
}

// TraceQueryStart counts a statement.
func (o *Opening) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	o.Statements++
	return ctx
}

// TraceQueryEnd does nothing.
func (o *Opening) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// migrations are as many as Cradle has.
func migrations() fstest.MapFS {
	all := fstest.MapFS{}
	for n := range 6 {
		all[fmt.Sprintf("%04d_part.sql", n+1)] = &fstest.MapFile{Data: fmt.Appendf(nil, "-- +goose Up\nCREATE TABLE part%d (id INTEGER PRIMARY KEY);\n", n)}
	}
	return all
}
