//go:build unix

// Package pgtest gives tests a real PostgreSQL: a fresh database, or a server of
// their own to stop and start. A test that cannot get one fails; it is never
// skipped.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Env is the variable with the URL of a PostgreSQL server where tests may create
// databases. scripts/with-postgres sets it, so that a whole test run shares one
// server; without it each test binary starts its own.
const Env = "CRADLE_TEST_POSTGRES"

// Database creates an empty database and returns its URL. When t ends the
// database is dropped, along with any open connections.
func Database(t testing.TB) string {
	t.Helper()
	server, err := sharedServer()
	if err != nil {
		t.Fatalf("a test needs PostgreSQL: %v", err)
	}
	name := "cradle_test_" + strings.ToLower(rand.Text())
	if err := execute(server, "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
		t.Fatalf("create a test database: %v", err)
	}
	t.Cleanup(func() {
		if err := execute(server, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop a test database: %v", err)
		}
	})
	return withDatabase(server, name)
}

// Server starts a cluster for t alone, which is removed when t ends.
func Server(t testing.TB, options ...Option) *Cluster {
	t.Helper()
	c, err := StartCluster(options...)
	if err != nil {
		t.Fatalf("a test needs PostgreSQL: %v", err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("remove the test's PostgreSQL cluster: %v", err)
		}
	})
	return c
}

// sharedServer returns the server shared by all tests of this process. It is
// never closed, but ends with the process.
var sharedServer = sync.OnceValues(func() (string, error) {
	given := os.Getenv(Env)
	if given == "" {
		c, err := StartCluster()
		if err != nil {
			return "", err
		}
		return c.DSN(), nil
	}
	u, err := url.Parse(given)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return "", errors.New(Env + " is not a postgres:// URL")
	}
	return given, nil
})

func withDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		panic(err) // already parsed by sharedServer
	}
	u.Path = "/" + name
	return u.String()
}

func execute(dsn, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
