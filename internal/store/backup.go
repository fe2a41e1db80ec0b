package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"cradle/internal/fault"
)

// Backup writes a consistent copy of an embedded database, even while it is in
// use, and returns its size. It refuses an existing file and leaves nothing
// behind when it fails.
func (s *Store) Backup(ctx context.Context, path string) (int64, error) {
	if s.dialect.postgres {
		return 0, fault.Invalidf("A backup copies an embedded database; use pg_dump for PostgreSQL")
	}
	if _, err := os.Lstat(path); err == nil {
		return 0, fileExists(path)
	}
	draft := path + "." + rand.Text()
	defer os.Remove(draft)
	if err := s.copyInto(ctx, draft); err != nil {
		return 0, fmt.Errorf("copy database: %w", err)
	}
	info, err := os.Stat(draft)
	if err != nil {
		return 0, fmt.Errorf("copy database: %w", err)
	}
	err = publish(draft, path)
	if errors.Is(err, fs.ErrExist) {
		return 0, fileExists(path)
	}
	return info.Size(), err
}

func fileExists(path string) error {
	return fault.New(fault.Conflict, "file_exists", "The file %s already exists; choose another path", path)
}

// copyInto makes the copy in a file that only its owner can read, like the
// database.
func (s *Store) copyInto(ctx context.Context, path string) error {
	if err := makeFile(path); err != nil {
		return err
	}
	_, err := s.writer.db.ExecContext(ctx, "VACUUM INTO $1", path)
	return err
}
