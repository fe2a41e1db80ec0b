package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the advisory lock that lets one process at a time migrate a
// PostgreSQL database. The number only has to be the same everywhere.
const migrationLock = 0x637261646c65

// migrate applies what is missing, in order, in one transaction. Several
// processes may do it at once; one works, the others find nothing to do.
func (s *Store) migrate(ctx context.Context) error {
	if n, err := s.applied(ctx, s.reader); err == nil && n == len(migrationFiles()) {
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
		applied, err := s.applied(ctx, t)
		if err != nil {
			return err
		}
		return s.applyFrom(ctx, t, applied)
	})
}

func (s *Store) applied(ctx context.Context, q querier) (int, error) {
	var n int
	err := q.row(ctx, "SELECT COALESCE(MAX(number), 0) FROM migrations").Scan(&n)
	return n, err
}

func (s *Store) applyFrom(ctx context.Context, t *tx, applied int) error {
	files := migrationFiles()
	if applied > len(files) {
		return fmt.Errorf("the database was written by a newer version of cradle (schema %d, this one knows %d)", applied, len(files))
	}
	for i, name := range files[applied:] {
		text, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if err := s.run(ctx, t, string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := t.tx.ExecContext(ctx, "INSERT INTO migrations (number) VALUES ("+strconv.Itoa(applied+i+1)+")"); err != nil {
			return classify(err)
		}
	}
	return nil
}

// run executes a file's statements; each ends with a semicolon at a line's end.
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

func migrationFiles() []string {
	files, _ := fs.Glob(migrations, "migrations/*.sql")
	return files
}
