package store_test

import (
	"path/filepath"
	"testing"

	"cradle/internal/pgtest"
	"cradle/internal/store"
	"cradle/internal/store/storetest"
)

func opened(t testing.TB, dsn string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestContractOnSQLite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t testing.TB) *store.Store { return opened(t, filepath.Join(t.TempDir(), "test.db")) })
}

func TestContractOnPostgreSQL(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t testing.TB) *store.Store { return opened(t, pgtest.Database(t)) })
}

// On PostgreSQL a commit by one server wakes the workers of all.
func TestCommitWakesOtherServers(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	here, there := opened(t, dsn), opened(t, dsn)
	storetest.CommitWakes(t, here, there)
}
