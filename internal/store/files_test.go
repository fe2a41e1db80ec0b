package store

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cradle/internal/fault"
	"cradle/internal/pgtest"
)

func TestSecretIsMadeOnceByWhoeverComesFirst(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		secrets := make([]string, 8)
		var wg sync.WaitGroup
		for i := range secrets {
			wg.Go(func() {
				secret, _, err := s.Secret(t.Context())
				if err != nil {
					t.Error(err)
				}
				secrets[i] = secret
			})
		}
		wg.Wait()
		for _, secret := range secrets {
			if len(secret) != 64 || secret != secrets[0] {
				t.Fatalf("secrets %q", secrets)
			}
		}
	})
}

func TestSecretFileIsForItsOwnerOnly(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, filepath.Join(dir, "a.db"))
	_, kept, err := s.Secret(t.Context())
	if err != nil || kept != filepath.Join(dir, "a.db.secret") {
		t.Fatal(kept, err)
	}
	info, err := os.Stat(kept)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(kept + ".*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSecretFileThatHoldsNoneIsRefused(t *testing.T) {
	for name, content := range map[string]string{"empty": "", "short": "abcd", "not hexadecimal": strings.Repeat("x", 64)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			s := openAt(t, path)
			if err := os.WriteFile(path+".secret", []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if secret, _, err := s.Secret(t.Context()); err == nil {
				t.Errorf("got %q", secret)
			}
		})
	}
}

func TestDatabaseAndBackupAreForTheirOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	s := openAt(t, path)
	addPeople(t, s)
	if _, err := s.Backup(t.Context(), path+".copy"); err != nil {
		t.Fatal(err)
	}
	for _, beside := range []string{"", "-wal", "-shm", ".copy"} {
		info, err := os.Stat(path + beside)
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", path+beside, info.Mode(), err)
		}
	}
}

func TestDatabaseThatIsThereKeepsItsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	openAt(t, path).Close()
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	openAt(t, path)
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Waiting for the writer ends before a request's timeout of 30 s, but not long
// before: an import may take a while.
func TestWriterIsWaitedFor(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "a.db"))
	for _, c := range []*conn{s.reader, s.writer} {
		var millis int
		if err := c.db.QueryRowContext(t.Context(), "PRAGMA busy_timeout").Scan(&millis); err != nil || millis != 20_000 {
			t.Errorf("%d, %v", millis, err)
		}
	}
}

func TestDatabaseInAFolderThatIsNotThere(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "missing", "a.db"))
	if err == nil {
		s.Close()
		t.Fatal("opened")
	}
	if !strings.Contains(err.Error(), "missing/a.db does not exist") {
		t.Error(err)
	}
}

func openAt(t *testing.T, dsn string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestBackupIsTheWholeDatabase(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, filepath.Join(dir, "a.db"))
	p := addPeople(t, s)
	path := filepath.Join(dir, "copy of a.db")
	size, err := s.Backup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != size {
		t.Errorf("%v, %v", info, err)
	}
	copied := openAt(t, path)
	if h := p.holder(t, copied); h == nil || len(h.Seats) != 2 {
		t.Errorf("holder %+v", h)
	}
	expectSound(t, copied)
	if left, _ := filepath.Glob(path + ".*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestBackupRefusesAnExistingFileAndPostgreSQL(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, filepath.Join(dir, "a.db"))
	path := filepath.Join(dir, "there")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Backup(t.Context(), path); fault.As(err) == nil {
		t.Errorf("over a file: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "precious" {
		t.Errorf("the file holds %q", b)
	}
	if _, err := s.Backup(t.Context(), filepath.Join(dir, "missing", "copy")); err == nil {
		t.Error("into a folder that is not there")
	}
	_, err := openAt(t, pgtest.Database(t)).Backup(t.Context(), filepath.Join(dir, "copy"))
	if fault.As(err) == nil || !strings.Contains(err.Error(), "pg_dump") {
		t.Errorf("of PostgreSQL: %v", err)
	}
}
