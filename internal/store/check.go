package store

import (
	"context"
	"database/sql"
	"fmt"

	"cradle/internal/lci"
)

// mostProblems is how many problems a check lists; the rest are only counted.
const mostProblems = 200

// A Checkup is what a check read and the problems it found.
type Checkup struct {
	Users     int64
	Teams     int64
	Wallets   int64
	Entries   int64
	Reveals   int64
	Materials int64
	Processes int64
	Problems  []string
	More      int // problems that are not listed
}

func (c *Checkup) problem(format string, args ...any) {
	if len(c.Problems) >= mostProblems {
		c.More++
		return
	}
	c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
}

// Check checks the database's integrity on one snapshot and changes nothing. It
// reads row by row, so it needs little memory for any size.
func (s *Store) Check(ctx context.Context) (*Checkup, error) {
	c := &Checkup{Problems: []string{}}
	err := s.snapshot(ctx, func(t *tx) error { return s.check(ctx, t, c) })
	if Damaged(err) {
		c.problem("database file: %v", err)
		return c, nil
	}
	return c, err
}

// FailedCheckup is the checkup of a database that is too damaged to open.
func FailedCheckup(cause error) *Checkup {
	c := &Checkup{}
	c.problem("database file: %v", cause)
	return c
}

func (s *Store) check(ctx context.Context, t *tx, c *Checkup) error {
	if err := s.checkFile(ctx, t, c); err != nil || len(c.Problems) > 0 {
		return err // further checks of a damaged file mean nothing
	}
	return inOrder(
		func() error { return s.checkReferences(ctx, t, c) },
		func() error { return checkWallets(ctx, t, c) },
		func() error { return checkFolds(ctx, t, c) },
		func() error { return checkRules(ctx, t, c, rules) },
		func() error { return checkRules(ctx, t, c, deliveryRules) },
		func() error { return countRecords(ctx, t, c) },
	)
}

func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checkFile runs an embedded database's own check of its pages and indexes.
func (s *Store) checkFile(ctx context.Context, t *tx, c *Checkup) error {
	if s.dialect.postgres {
		return nil
	}
	rows, err := t.query(ctx, "PRAGMA integrity_check")
	return each(rows, err, func(r *sql.Rows) error {
		var line string
		err := r.Scan(&line)
		if line != "ok" {
			c.problem("database file: %s", line)
		}
		return err
	})
}

func (s *Store) checkReferences(ctx context.Context, t *tx, c *Checkup) error {
	if s.dialect.postgres {
		return checkConstraints(ctx, t, c)
	}
	rows, err := t.query(ctx, "PRAGMA foreign_key_check")
	return each(rows, err, func(r *sql.Rows) error {
		var table, parent string
		var row sql.Null[int64]
		var constraint int
		err := r.Scan(&table, &row, &parent, &constraint)
		c.problem("%s: row %d refers to a row of %s that does not exist", table, row.V, parent)
		return err
	})
}

// foreignKeys lists PostgreSQL's foreign keys with conditions that find the rows
// that break them. PostgreSQL enforces them unless told not to.
const foreignKeys = `
	SELECT c.conrelid::regclass::text, c.confrelid::regclass::text,
	  (SELECT string_agg(format('p.%I = c.%I', pa.attname, ca.attname), ' AND ')
	     FROM unnest(c.conkey, c.confkey) AS k (child, parent)
	     JOIN pg_attribute ca ON ca.attrelid = c.conrelid AND ca.attnum = k.child
	     JOIN pg_attribute pa ON pa.attrelid = c.confrelid AND pa.attnum = k.parent),
	  (SELECT string_agg(format('c.%I IS NOT NULL', ca.attname), ' AND ')
	     FROM unnest(c.conkey) AS k (child)
	     JOIN pg_attribute ca ON ca.attrelid = c.conrelid AND ca.attnum = k.child)
	FROM pg_constraint c
	WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace
	ORDER BY 1, 2`

func checkConstraints(ctx context.Context, t *tx, c *Checkup) error {
	type foreignKey struct{ child, parent, same, given string }
	var keys []foreignKey
	rows, err := t.query(ctx, foreignKeys)
	err = each(rows, err, func(r *sql.Rows) error {
		var k foreignKey
		err := r.Scan(&k.child, &k.parent, &k.same, &k.given)
		keys = append(keys, k)
		return err
	})
	if err != nil {
		return err
	}
	for _, k := range keys {
		var orphans int64
		if err := t.row(ctx, "SELECT COUNT(*) FROM "+k.child+" c WHERE "+k.given+
			" AND NOT EXISTS (SELECT 1 FROM "+k.parent+" p WHERE "+k.same+")").Scan(&orphans); err != nil {
			return err
		}
		if orphans > 0 {
			c.problem("%s: rows that refer to a row of %s that does not exist: %d", k.child, k.parent, orphans)
		}
	}
	return nil
}

// A rule is an invariant and a query that finds its breaches, each as a text
// that names it.
type rule struct{ what, breaches string }

var rules = []rule{
	{"state", `SELECT 'the row of counters is missing' WHERE NOT EXISTS (SELECT 1 FROM state WHERE id = 1)`},
	{"team without a live wallet", `SELECT t.id FROM teams t WHERE NOT EXISTS (SELECT 1 FROM wallets w WHERE w.team_id = t.id AND w.mode = 'live')`},
	{"team without a sandbox wallet", `SELECT t.id FROM teams t WHERE NOT EXISTS (SELECT 1 FROM wallets w WHERE w.team_id = t.id AND w.mode = 'sandbox')`},
	{"wallet whose id is not its team and mode", `SELECT id FROM wallets WHERE id <> team_id || '/' || mode`},
	{"team without an active owner", `SELECT t.id FROM teams t WHERE NOT EXISTS
		(SELECT 1 FROM memberships m WHERE m.team_id = t.id AND m.role = 'owner' AND m.status = 'active')`},
	{"user whose recent team does not exist", `SELECT u.id FROM users u WHERE u.recent_team_id IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM teams t WHERE t.id = u.recent_team_id)`},
	{"live key whose text is kept", `SELECT id FROM api_keys WHERE mode = 'live' AND sealed IS NOT NULL`},
	{"revoked key whose text is kept", `SELECT id FROM api_keys WHERE revoked_at IS NOT NULL AND sealed IS NOT NULL`},
	{"test key whose text is lost", `SELECT id FROM api_keys WHERE mode = 'sandbox' AND revoked_at IS NULL AND sealed IS NULL`},
	{"key with a wrong prefix", `SELECT id FROM api_keys WHERE LENGTH(prefix) <> 18
		OR SUBSTR(prefix, 1, 9) <> CASE mode WHEN 'live' THEN 'svc_live_' ELSE 'svc_test_' END`},
	{"key with a wrong hash", `SELECT id FROM api_keys WHERE LENGTH(hash) <> 64`},
	{"reveal of a material that does not exist", `SELECT r.wallet_id || ' ' || r.record_id FROM reveals r WHERE r.kind = 'property'
		AND NOT EXISTS (SELECT 1 FROM materials m WHERE m.id = r.record_id)`},
	{"reveal of a process that does not exist", `SELECT r.wallet_id || ' ' || r.record_id FROM reveals r WHERE r.kind <> 'property'
		AND NOT EXISTS (SELECT 1 FROM processes p WHERE p.id = r.record_id)`},
	{"visibility of a record that does not exist", `SELECT g.record_id FROM grants g
		WHERE NOT EXISTS (SELECT 1 FROM materials m WHERE m.id = g.record_id)
		AND NOT EXISTS (SELECT 1 FROM processes p WHERE p.id = g.record_id)`},
	{"favourite that does not exist", `SELECT f.record_id FROM favourites f
		WHERE NOT EXISTS (SELECT 1 FROM materials m WHERE m.id = f.record_id)
		AND NOT EXISTS (SELECT 1 FROM processes p WHERE p.id = f.record_id)`},
}

func checkRules(ctx context.Context, t *tx, c *Checkup, rules []rule) error {
	for _, rule := range rules {
		rows, err := t.query(ctx, rule.breaches)
		err = each(rows, err, func(r *sql.Rows) error {
			var which string
			err := r.Scan(&which)
			c.problem("%s: %s", rule.what, which)
			return err
		})
		if err != nil {
			return fmt.Errorf("check for a %s: %w", rule.what, err)
		}
	}
	return nil
}

// checkFolds compares names with their folded forms, which lists are sorted by
// and users are found by.
func checkFolds(ctx context.Context, t *tx, c *Checkup) error {
	for _, of := range []struct{ record, query string }{
		{"material", `SELECT id, name, fold FROM materials`},
		{"process", `SELECT id, name, fold FROM processes`},
		{"user", `SELECT id, email, email_fold FROM users`},
	} {
		rows, err := t.query(ctx, of.query)
		err = each(rows, err, func(r *sql.Rows) error {
			var id, name, fold string
			err := r.Scan(&id, &name, &fold)
			if lci.Fold(name) != fold {
				c.problem("%s %s: %q is stored under %q", of.record, id, name, fold)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func countRecords(ctx context.Context, t *tx, c *Checkup) error {
	return t.row(ctx, `SELECT (SELECT COUNT(*) FROM users), (SELECT COUNT(*) FROM teams),
		(SELECT COUNT(*) FROM materials), (SELECT COUNT(*) FROM processes)`).
		Scan(&c.Users, &c.Teams, &c.Materials, &c.Processes)
}
