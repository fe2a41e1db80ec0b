package formats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/ingest/source"
)

// An Export is a format that a library can be written in, as one file.
type Export struct {
	Name      string
	Extension string // of the file
	MediaType string
	// Calculates means that programs calculate scores from it: a whole catalogue
	// needs its network, so that they come out the same.
	Calculates bool
	// Reduced means that it has only what counts in that network.
	Reduced bool

	write     func(context.Context, io.Writer, export.Source, *calculation.Network) (export.Counts, error)
	writePath func(context.Context, string, export.Source, *calculation.Network) (export.Counts, error) // if it may also be a folder
	detect    func(*source.Source) bool                                                                 // the format's
}

// ExportNames lists the formats that can be written.
func ExportNames() []string {
	var names []string
	for _, f := range all {
		if f.export.write != nil {
			names = append(names, f.export.Name)
		}
	}
	return names
}

// FindExport returns the export format with the name.
func FindExport(name string) (Export, bool) {
	for _, f := range all {
		if f.export.write != nil && f.export.Name == name {
			e := f.export
			e.detect = f.detect
			return e, true
		}
	}
	return Export{}, false
}

// Write writes the library to w: with a network as it is calculated there, else
// as stored.
func (e Export) Write(ctx context.Context, w io.Writer, from export.Source, as *calculation.Network) (export.Counts, error) {
	return e.write(ctx, w, from, as)
}

// WriteFile is like Write, to a file. It appears at path only when it is
// complete; it replaces only an export in the same format. A bundle may also be
// a folder.
func (e Export) WriteFile(ctx context.Context, path string, from export.Source, as *calculation.Network) (export.Counts, error) {
	if e.writePath != nil {
		return e.writePath(ctx, path, from, as)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return export.Counts{}, err
	}
	if err := e.checkReplaceable(path); err != nil {
		return export.Counts{}, err
	}
	out, err := os.CreateTemp(filepath.Dir(path), ".export-*")
	if err != nil {
		return export.Counts{}, err
	}
	defer func() {
		out.Close()
		os.Remove(out.Name()) // fails if it was renamed
	}()
	counts, err := e.write(ctx, out, from, as)
	if err := errors.Join(err, out.Chmod(0o644), out.Sync(), out.Close()); err != nil {
		return export.Counts{}, err
	}
	return counts, os.Rename(out.Name(), path)
}

func (e Export) checkReplaceable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if !strings.EqualFold(filepath.Ext(path), e.Extension) {
			return fmt.Errorf("%s must end in %s, the file type of %s", path, e.Extension, e.Name)
		}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder, but %s is written as one file", path, e.Name)
	}
	src, err := source.Open(path)
	if err == nil {
		defer src.Close()
	}
	if err != nil || !e.detect(src) {
		return fmt.Errorf("%s already exists and is not a %s export, so it is not replaced", path, e.Name)
	}
	return nil
}
