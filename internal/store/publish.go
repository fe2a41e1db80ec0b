package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// publish gives a finished file its name atomically. It never replaces a file:
// it returns fs.ErrExist if the name is taken.
func publish(finished, name string) error {
	if err := syncFile(finished); err != nil {
		return err
	}
	err := os.Link(finished, name)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil {
		// Some file systems have no links.
		if _, err := os.Lstat(name); err == nil {
			return fs.ErrExist
		}
		if err := os.Rename(finished, name); err != nil {
			return err
		}
	}
	return syncFile(filepath.Dir(name))
}

func syncFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
