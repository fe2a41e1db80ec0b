package store

import (
	"path/filepath"
	"testing"

	"cradle/internal/pgtest"
)

// onEachEngine runs a test on a fresh database of each engine.
func onEachEngine(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Helper()
	engines := []struct {
		name string
		dsn  func(t *testing.T) string
	}{
		{"SQLite", func(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") }},
		{"PostgreSQL", func(t *testing.T) string { return pgtest.Database(t) }},
	}
	for _, engine := range engines {
		t.Run(engine.name, func(t *testing.T) {
			s, err := Open(t.Context(), engine.dsn(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			test(t, s)
		})
	}
}

// mustExec executes a statement that the store has no method for.
func mustExec(t *testing.T, s *Store, text string, args ...any) {
	t.Helper()
	if _, err := s.writer.db.ExecContext(t.Context(), text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func mustScan[T any](t *testing.T, s *Store, text string, args ...any) T {
	t.Helper()
	var v T
	if err := s.reader.row(t.Context(), text, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
