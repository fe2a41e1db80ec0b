package bundle

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/ingest/source"
)

// Write writes a bundle as a zip: with a network so that it is calculated the
// same again, else as stored. The same rows give the same bytes. Files without
// rows have only their header; those of flows and allocations, and columns that
// few libraries use, are written only if they have values.
func Write(ctx context.Context, w io.Writer, from export.Source, as *calculation.Network) (export.Counts, error) {
	z := source.NewZipWriter(w)
	put := func(name string, fill func(io.Writer) error) error { return putZip(z, name, fill) }
	counts, err := writeTables(ctx, put, oneNomenclature(from, as))
	if err != nil {
		return export.Counts{}, err
	}
	return counts, z.Close()
}

// WritePath is like Write, to a zip if path ends in ".zip", else to a folder. It
// appears at path only when it is complete; it replaces only a bundle or an
// empty folder.
func WritePath(ctx context.Context, path string, from export.Source, as *calculation.Network) (export.Counts, error) {
	to, err := newDestination(path)
	if err != nil {
		return export.Counts{}, err
	}
	defer to.discard()
	counts, err := writeTables(ctx, to.put, oneNomenclature(from, as))
	if err != nil {
		return export.Counts{}, err
	}
	return counts, to.publish()
}

// putter writes a file of a bundle.
type putter func(name string, fill func(io.Writer) error) error

func writeTables(ctx context.Context, put putter, from export.Source) (counts export.Counts, err error) {
	for _, t := range tables {
		if err := t.export(ctx, from, put, &counts); err != nil {
			return counts, fmt.Errorf("write %s: %w", t.name(), err)
		}
	}
	return counts, nil
}

// export writes the table's file.
func (t *table[R]) export(ctx context.Context, from export.Source, put putter, counts *export.Counts) error {
	columns, rows, err := t.used(ctx, from)
	if err != nil || t.extra && !rows {
		return err
	}
	return put(t.file, func(w io.Writer) error {
		out := csv.NewWriter(w)
		out.Write(names(columns))
		record := make([]string, len(columns))
		for row, err := range t.rows(from, ctx) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return err
			}
			for i, col := range columns {
				record[i] = col.format(&row)
			}
			if err := out.Write(record); err != nil {
				return err
			}
			*t.count(counts)++
		}
		out.Flush()
		return out.Error()
	})
}

// used returns the columns to write, and whether there are rows. It reads the
// rows only if it has to.
func (t *table[R]) used(ctx context.Context, from export.Source) (columns []column[R], rows bool, err error) {
	unused := map[string]string{} // extra columns of a blank row
	for _, col := range t.columns {
		if col.extra {
			unused[col.name] = col.format(&t.blank)
		}
	}
	if t.extra || len(unused) > 0 {
		for row, err := range t.rows(from, ctx) {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return nil, false, err
			}
			rows = true
			for _, col := range t.columns {
				if blank, still := unused[col.name]; still && col.format(&row) != blank {
					delete(unused, col.name)
				}
			}
			if len(unused) == 0 {
				break
			}
		}
	}
	for _, col := range t.columns {
		if _, without := unused[col.name]; !without {
			columns = append(columns, col)
		}
	}
	return columns, rows, nil
}

func names[R any](columns []column[R]) []string {
	names := make([]string, len(columns))
	for i, col := range columns {
		names[i] = col.name
	}
	return names
}

// A destination takes a bundle's files and publishes them when all are written.
type destination interface {
	put(name string, fill func(io.Writer) error) error
	publish() error
	discard() // removes what is not published
}

func newDestination(path string) (destination, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	there, err := replaceable(path)
	if err != nil {
		return nil, err
	}
	if isZipName(path) {
		return newZipDestination(path)
	}
	return newFolderDestination(path, there)
}

func isZipName(path string) bool { return strings.HasSuffix(path, ".zip") }

// replaceable reports whether there is something at path, and returns an error
// unless it is something that WritePath would write.
func replaceable(path string) (there bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if info.IsDir() == isZipName(path) {
		return true, fmt.Errorf("%s already exists and is not replaced: a path that ends in .zip is written as a zip, any other as a folder", path)
	}
	if info.IsDir() {
		if empty, err := isEmptyFolder(path); empty || err != nil {
			return true, err
		}
	}
	if b, err := OpenPath(path); err == nil {
		b.Close()
	} else {
		return true, fmt.Errorf("%s already exists and is not a bundle, so it is not replaced", path)
	}
	return true, nil
}

func isEmptyFolder(path string) (bool, error) {
	folder, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	_, err = folder.Readdirnames(1)
	if err == io.EOF {
		return true, nil
	}
	return false, err
}

// temporaryName is an unused name in the folder.
func temporaryName(folder string) string {
	return filepath.Join(folder, ".bundle-"+strconv.FormatUint(rand.Uint64(), 36))
}

// writeFile writes a file and syncs it to disk.
func writeFile(path string, fill func(io.Writer) error) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := fill(f); err != nil {
		return err
	}
	return f.Sync()
}

// folderDestination fills a temporary folder. It becomes the folder at path or,
// if there is one, its files move into that: it may be a mount point or in use,
// and may have other files.
type folderDestination struct {
	path, staging string
	there         bool
}

func newFolderDestination(path string, there bool) (*folderDestination, error) {
	d := &folderDestination{path: path, there: there, staging: temporaryName(filepath.Dir(path))}
	if there {
		d.staging = temporaryName(path)
	}
	return d, os.Mkdir(d.staging, 0o777)
}

func (d *folderDestination) put(name string, fill func(io.Writer) error) error {
	return writeFile(filepath.Join(d.staging, name), fill)
}

func (d *folderDestination) publish() error {
	if !d.there {
		return os.Rename(d.staging, d.path)
	}
	for _, t := range tables {
		err := os.Rename(filepath.Join(d.staging, t.name()), filepath.Join(d.path, t.name()))
		if errors.Is(err, fs.ErrNotExist) {
			err = os.Remove(filepath.Join(d.path, t.name())) // from the previous bundle
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (d *folderDestination) discard() { os.RemoveAll(d.staging) }

// zipDestination fills a zip beside the path.
type zipDestination struct {
	path, staging string
	file          *os.File
	zip           *source.ZipWriter
}

func newZipDestination(path string) (*zipDestination, error) {
	staging := temporaryName(filepath.Dir(path))
	f, err := os.OpenFile(staging, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &zipDestination{path: path, staging: staging, file: f, zip: source.NewZipWriter(f)}, nil
}

func (d *zipDestination) put(name string, fill func(io.Writer) error) error {
	return putZip(d.zip, name, fill)
}

func putZip(z *source.ZipWriter, name string, fill func(io.Writer) error) error {
	w, err := z.Create(name)
	if err != nil {
		return err
	}
	return fill(w)
}

func (d *zipDestination) publish() error {
	if err := errors.Join(d.zip.Close(), d.file.Sync(), d.file.Close()); err != nil {
		return err
	}
	return os.Rename(d.staging, d.path)
}

func (d *zipDestination) discard() {
	d.file.Close()
	os.Remove(d.staging)
}
