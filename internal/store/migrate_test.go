package store

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cradle/internal/event"
	"cradle/internal/pgtest"
)

// newDatabases return the addresses of databases that were never opened.
var newDatabases = map[string]func(*testing.T) string{
	"SQLite":     func(t *testing.T) string { return filepath.Join(t.TempDir(), "a.db") },
	"PostgreSQL": func(t *testing.T) string { return pgtest.Database(t) },
}

func TestMigrationsRunOnce(t *testing.T) {
	for name, dsn := range newDatabases {
		t.Run(name, func(t *testing.T) {
			at := dsn(t)
			p := addPeople(t, openAt(t, at))
			again := openAt(t, at)
			if p.holder(t, again) == nil {
				t.Error("what was there is gone")
			}
			if n := mustScan[int](t, again, "SELECT COUNT(*) FROM migrations"); n != len(allMigrations()) {
				t.Errorf("%d migrations are noted", n)
			}
		})
	}
}

// A database of every earlier schema is migrated with its content.
func TestEarlierSchemasAreCarriedOver(t *testing.T) {
	all := allMigrations()
	for name, dsn := range newDatabases {
		for last := range len(all) - 1 {
			t.Run(fmt.Sprintf("%s, schema %d", name, all[last].number), func(t *testing.T) {
				at := dsn(t)
				fillEarlier(t, at, all[:last+1])
				s := openAt(t, at)
				if got := mustScan[string](t, s, "SELECT provider_id FROM exchanges WHERE id = 'x2'"); got != "p2" {
					t.Errorf("the provider is %q", got)
				}
				if n := mustScan[int](t, s, "SELECT COUNT(*) FROM exchanges e JOIN processes p ON p.id = e.process_id WHERE p.version = '' AND e.value = 2.5"); n != 1 {
					t.Errorf("%d exchanges are as they were", n)
				}
				if n := mustScan[int](t, s, "SELECT COUNT(*) FROM migrations"); n != len(all) {
					t.Errorf("%d migrations are noted", n)
				}
				mustExec(t, s, "UPDATE exchanges SET provider_id = 'somebody who is not there' WHERE id = 'x2'")
				if all[last].number >= firstWithEndpoints {
					expectEndpoints(t, s)
				}
			})
		}
	}
}

// firstWithEndpoints is the first schema that has webhook endpoints.
const firstWithEndpoints = 2

// expectEndpoints expects that endpoints for all types still get all types,
// including later ones, and that selected types are unchanged.
func expectEndpoints(t *testing.T, s *Store) {
	t.Helper()
	for id, want := range map[string][]string{"wh_all": nil, "wh_pulls": {event.DatapointPulled}, "wh_tests": {event.WebhookTest}} {
		if e, err := s.Endpoint(t.Context(), id); err != nil || e == nil || !slices.Equal(e.Events, want) {
			t.Errorf("%s: %+v, %v", id, e, err)
		}
	}
}

// fillEarlier creates a database with the first migrations and two processes, of
// which one supplies the other.
func fillEarlier(t *testing.T, dsn string, first []migration) {
	t.Helper()
	s, err := connect(dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.write(t.Context(), func(tx *tx) error {
		if _, err := tx.tx.ExecContext(t.Context(), "CREATE TABLE migrations (number INTEGER PRIMARY KEY)"); err != nil {
			return err
		}
		if err := s.apply(t.Context(), tx, first); err != nil {
			return err
		}
		statements := []string{
			`INSERT INTO processes (id, name, fold, description, sources, source_organization, region, boundary, functional_unit, date_published, price, deleted, restricted)
				VALUES ('p1', 'P', 'p', '', '', '', '', 'Disaggregated', '', '', 1, FALSE, FALSE), ('p2', 'Q', 'q', '', '', '', '', 'Disaggregated', '', '', 1, FALSE, FALSE)`,
			`INSERT INTO exchanges (id, process_id, position, direction, flow_id, name, value, unit, type, reference, provider_id)
				VALUES ('x1', 'p1', 0, 'output', 'f1', 'F', 1, 'kg', 'intermediate', TRUE, NULL), ('x2', 'p1', 1, 'input', 'f2', 'G', 2.5, 'kg', 'intermediate', FALSE, 'p2')`,
		}
		if first[len(first)-1].number >= firstWithEndpoints {
			statements = append(statements, `INSERT INTO teams (id, label, created_at) VALUES ('7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11', 'T', 1)`,
				`INSERT INTO endpoints (id, team_id, url, description, status, failures, secret, created_at)
				SELECT 'wh_' || name, id, 'https://example.org/', '', 'enabled', 0, 'sealed', 1 FROM teams, (SELECT 'all' AS name UNION SELECT 'pulls' UNION SELECT 'tests') AS names`,
				`INSERT INTO subscriptions (endpoint_id, type) VALUES ('wh_all', 'datapoint.pulled'), ('wh_all', 'webhook.test'), ('wh_pulls', 'datapoint.pulled'), ('wh_tests', 'webhook.test')`)
		}
		for _, statement := range statements {
			if _, err := tx.tx.ExecContext(t.Context(), statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestManyMayOpenANewDatabaseAtOnce(t *testing.T) {
	for name, dsn := range newDatabases {
		t.Run(name, func(t *testing.T) {
			at := dsn(t)
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					s, err := Open(t.Context(), at)
					if err != nil {
						t.Error(err)
						return
					}
					if err := s.Ping(t.Context()); err != nil {
						t.Error(err)
					}
					s.Close()
				})
			}
			wg.Wait()
			if n := mustScan[int](t, openAt(t, at), "SELECT COUNT(*) FROM state"); n != 1 {
				t.Errorf("%d rows of counters", n)
			}
		})
	}
}

// openEnv makes this test binary open the named database and exit.
const openEnv = "CRADLE_STORE_TEST_OPEN"

func TestMain(m *testing.M) {
	if dsn := os.Getenv(openEnv); dsn != "" {
		os.Exit(openAndEnd(dsn))
	}
	os.Exit(m.Run())
}

func openAndEnd(dsn string) int {
	s, err := Open(context.Background(), dsn)
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	return 0
}

func TestManyProcessesMayOpenANewDatabaseAtOnce(t *testing.T) {
	for name, dsn := range newDatabases {
		t.Run(name, func(t *testing.T) {
			at := dsn(t)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
					cmd.Env = append(os.Environ(), openEnv+"="+at)
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			wg.Wait()
			if n := mustScan[int](t, openAt(t, at), "SELECT COUNT(*) FROM state"); n != 1 {
				t.Errorf("%d rows of counters", n)
			}
		})
	}
}

func TestDatabaseOfANewerVersionIsRefused(t *testing.T) {
	for name, dsn := range newDatabases {
		t.Run(name, func(t *testing.T) {
			at := dsn(t)
			s := openAt(t, at)
			mustExec(t, s, "INSERT INTO migrations (number) VALUES (9999)")
			s.Close()
			newer, err := Open(t.Context(), at)
			if err == nil {
				newer.Close()
				t.Fatal("it was opened")
			}
			if !strings.Contains(err.Error(), "newer version of cradle (schema 9999") {
				t.Error(err)
			}
		})
	}
}

func TestBadAddressesAreRefused(t *testing.T) {
	for name, dsn := range map[string]string{
		"empty": "", "an empty path": "sqlite:", "a folder": t.TempDir(), "a folder that is not there": filepath.Join(t.TempDir(), "no", "a.db"),
		"a malformed address": "postgres://%zz",
	} {
		if s, err := Open(t.Context(), dsn); err == nil {
			s.Close()
			t.Errorf("%s was opened", name)
		}
	}
}

func TestPathMayHoldAnyCharacter(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "50%.db", "what?.db", "hash#.db", "ünïcode.db", "a&b=c.db"} {
		s := openAt(t, filepath.Join(dir, name))
		s.Close()
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 6 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}
