package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

var errFull = errors.New("too many files")

func (l Limits) openFolder(name string, folder fs.FS) (*Source, error) {
	s := newSurvey(l, 0)
	seen := 0
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		switch seen++; {
		case err != nil:
			return fmt.Errorf("look into %s: %w", Printable(name), err)
		case s.full(seen - 1):
			return errFull
		case name == ".":
			return nil
		case d.IsDir():
			return s.enter(name)
		}
		s.addFile(folder, name)
		return nil
	})
	if err != nil && err != errFull {
		return nil, err
	}
	return s.source(name)
}

// enter skips folders that are not part of a library.
func (s *survey) enter(name string) error {
	if !s.admits(path.Join(name, "_")) {
		return fs.SkipDir
	}
	return nil
}

// addFile adds a file, or the target of a link within the folder.
func (s *survey) addFile(folder fs.FS, name string) {
	if !s.admits(name) {
		return
	}
	info, err := fs.Stat(folder, name)
	switch {
	case err != nil:
		s.refuse(name, "cannot be read: %v; a link must lead to a file within the folder", err)
	case !info.Mode().IsRegular():
		s.refuse(name, "is not a regular file")
	default:
		s.add(name, info.Size(), func() (io.ReadCloser, error) { return folder.Open(name) })
	}
}
