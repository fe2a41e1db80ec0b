package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the advisory lock that lets one process at a time migrate a
// PostgreSQL database. Its value is arbitrary but must not change.
const migrationLock = 0x637261646c65

// A migration is a file with its number.
type migration struct {
	number int
	file   string
}

// migrate applies missing migrations, in order, in one transaction. Several
// processes may call it at once; one does the work.
func (s *Store) migrate(ctx context.Context) error {
	if missing, err := s.missing(ctx, s.reader); err == nil && len(missing) == 0 {
		return nil
	}
	return s.write(ctx, func(t *tx) error {
		if s.dialect.postgres {
			if _, err := t.tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrationLock)); err != nil {
				return classify(err)
			}
		}
		if _, err := t.tx.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)"); err != nil {
			return classify(err)
		}
		missing, err := s.missing(ctx, t)
		if err != nil {
			return err
		}
		return s.apply(ctx, t, missing)
	})
}

// missing returns the migrations not yet applied to a database. It refuses a
// database with unknown migrations.
func (s *Store) missing(ctx context.Context, q querier) ([]migration, error) {
	applied := map[int]bool{}
	rows, err := q.query(ctx, "SELECT number FROM migrations")
	err = each(rows, err, func(rows *sql.Rows) error {
		var n int
		err := rows.Scan(&n)
		applied[n] = true
		return err
	})
	if err != nil {
		return nil, err
	}
	var missing []migration
	last := 0
	for _, m := range allMigrations() {
		last = m.number
		if !applied[m.number] {
			missing = append(missing, m)
		}
	}
	for n := range applied {
		if n > last {
			return nil, fmt.Errorf("the database was written by a newer version of cradle (schema %d, this one knows %d)", n, last)
		}
	}
	return missing, nil
}

func (s *Store) apply(ctx context.Context, t *tx, missing []migration) error {
	for _, m := range missing {
		text, err := migrations.ReadFile(m.file)
		if err != nil {
			return err
		}
		if err := s.run(ctx, t, string(text)); err != nil {
			return fmt.Errorf("%s: %w", m.file, err)
		}
		if _, err := t.tx.ExecContext(ctx, "INSERT INTO migrations (number) VALUES ("+strconv.Itoa(m.number)+")"); err != nil {
			return classify(err)
		}
	}
	return nil
}

// run executes a file's statements; each ends with a semicolon at the end of a
// line.
func (s *Store) run(ctx context.Context, t *tx, text string) error {
	for statement := range strings.SplitSeq(s.dialect.schema.Replace(text), ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := t.tx.ExecContext(ctx, statement); err != nil {
			return classify(err)
		}
	}
	return nil
}

// allMigrations lists the migrations by the numbers that their file names begin
// with.
func allMigrations() []migration {
	files, _ := fs.Glob(migrations, "migrations/*.sql")
	all := make([]migration, len(files))
	for i, file := range files {
		number, _, _ := strings.Cut(path.Base(file), "_")
		n, err := strconv.Atoi(number)
		if err != nil {
			panic("the name of a migration begins with its number: " + file)
		}
		all[i] = migration{n, file}
	}
	return all
}
