// Package export writes a catalogue, or the part of it that a team owns, in the
// formats that tools of the field read. The same rows give the same bytes.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/formats/bundle"
	"cradle/internal/ingest/source"
)

// A Source gives the rows to be written.
type Source = bundle.Source

// Counts says how many rows of each kind were written.
type Counts = bundle.Counts

// A Format is a way to write a library as one file.
type Format struct {
	Name      string
	Extension string // of the file
	MediaType string
	// Calculates says that scores are calculated from it: a whole catalogue needs its
	// network, so that they come out the same.
	Calculates bool
	// Reduced says that it holds only what counts in that network.
	Reduced bool
	write   func(context.Context, io.Writer, Source, *calculation.Network) (Counts, error)
	isMine  func(*source.Source) bool // whether a file is what write would make
}

const (
	zipType      = "application/zip"
	workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

var all = []Format{
	{"bundle", ".zip", zipType, true, false, writeBundle, bundle.Detect},
	{"jsonld", ".zip", zipType, true, true, writeJSONLD, holds("openlca.json")},
	{"ecospold2", ".zip", zipType, true, true, writeEcoSpold2, holdsSpold},
	{"csv", ".zip", zipType, false, false, asStored(writeFlat), holds("process_exchanges.csv")},
	{"xlsx", ".xlsx", workbookType, true, true, writeWorkbook, isWorkbook},
}

func asStored(write func(context.Context, io.Writer, Source) (Counts, error)) func(context.Context, io.Writer, Source, *calculation.Network) (Counts, error) {
	return func(ctx context.Context, w io.Writer, from Source, _ *calculation.Network) (Counts, error) {
		return write(ctx, w, from)
	}
}

// Names lists the formats.
func Names() []string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Name
	}
	return names
}

// Find returns the format of that name.
func Find(name string) (Format, bool) {
	for _, f := range all {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Write writes the library to w: with a network as it is calculated there, else
// as it is stored.
func (f Format) Write(ctx context.Context, w io.Writer, from Source, as *calculation.Network) (Counts, error) {
	return f.write(ctx, w, from, as)
}

// WriteFile is like Write, to a file. Nothing appears at path before all is
// written; what is there is replaced only if it is such an export. A bundle may
// be a folder, too.
func (f Format) WriteFile(ctx context.Context, path string, from Source, as *calculation.Network) (Counts, error) {
	if f.Name == "bundle" {
		return bundle.Write(ctx, path, oneNomenclature(from, as))
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return Counts{}, err
	}
	if err := f.checkReplaceable(path); err != nil {
		return Counts{}, err
	}
	out, err := os.CreateTemp(filepath.Dir(path), ".export-*")
	if err != nil {
		return Counts{}, err
	}
	defer func() {
		out.Close()
		os.Remove(out.Name()) // gone where it was renamed
	}()
	counts, err := f.write(ctx, out, from, as)
	if err := errors.Join(err, out.Chmod(0o644), out.Sync(), out.Close()); err != nil {
		return Counts{}, err
	}
	return counts, os.Rename(out.Name(), path)
}

func (f Format) checkReplaceable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if !strings.EqualFold(filepath.Ext(path), f.Extension) {
			return fmt.Errorf("%s must end in %s: that is what %s is written as", path, f.Extension, f.Name)
		}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder; %s is written as one file", path, f.Name)
	}
	src, err := source.Open(path)
	if err == nil {
		defer src.Close()
	}
	if err != nil || !f.isMine(src) {
		return fmt.Errorf("%s is there and is no %s export: it is not replaced", path, f.Name)
	}
	return nil
}

func holds(name string) func(*source.Source) bool {
	return func(src *source.Source) bool {
		for _, e := range src.Entries {
			if e.Name == name {
				return true
			}
		}
		return false
	}
}

func holdsSpold(src *source.Source) bool {
	return slices.ContainsFunc(src.Entries, func(e *source.Entry) bool { return e.Ext() == ".spold" })
}

func isWorkbook(src *source.Source) bool {
	return len(src.Entries) == 1 && src.Entries[0].Is(source.Workbook)
}
