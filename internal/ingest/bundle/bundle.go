// Package bundle reads and writes the plain format of a library that somebody
// keeps in spreadsheets: a folder or a zip of CSV files.
//
// One table per file describes its columns, and drives checking, reading and
// writing alike. Files are streamed; what is held of them in memory is the ids
// of their rows.
package bundle

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"cradle/internal/ingest"
)

// A Bundle is an opened bundle, an ingest.Library.
type Bundle struct {
	files    map[string]file // by name
	warnings []ingest.Warning
	closer   io.Closer // nil where nothing is held open
}

// Detect says whether path is a bundle: a folder or a zip that holds one of
// the bundle's files, or one such file by itself.
func Detect(path string) bool {
	b, err := find(path, defaultLimits)
	if err != nil {
		return false
	}
	defer b.Close()
	return len(b.files) > 0
}

// Open finds the files of the bundle at path. What makes them unfit to be read
// at all, such as their size, is returned as *ingest.Errors.
func Open(path string) (ingest.Library, error) {
	b, err := open(path, defaultLimits)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// OpenFS finds the files of a bundle that stands in the top folder of a file
// system, as Open does.
func OpenFS(folder fs.FS) (ingest.Library, error) {
	b, err := findInFolder(folder, defaultLimits)
	if err != nil {
		return nil, err
	}
	return b, nil
}

func open(path string, limits limits) (*Bundle, error) {
	b, err := find(path, limits)
	if err != nil {
		return nil, err
	}
	if len(b.files) == 0 {
		b.Close()
		return nil, fmt.Errorf("%s is no bundle: it holds none of %s%s", path, nameList(), b.caseHint())
	}
	return b, nil
}

// caseHint tells of a file whose name is a bundle's but for its case.
func (b *Bundle) caseHint() string {
	for _, w := range b.warnings {
		base := path.Base(w.File)
		if name := strings.ToLower(base); name != base && isBundleFile(name) {
			return fmt.Sprintf("; rename %s to %s", base, name)
		}
	}
	return ""
}

// Close releases the bundle's files.
func (b *Bundle) Close() error {
	if b.closer == nil {
		return nil
	}
	return b.closer.Close()
}

// Check implements ingest.Library. Errors are ordered as the files depend on
// each other, so that a mistake stands before its consequences.
func (b *Bundle) Check(ctx context.Context, known ingest.Catalogue, progress ingest.Progress) ([]ingest.Warning, error) {
	c := newChecker(&pass{ctx: ctx, bundle: b, gauge: b.newGauge(progress)}, known)
	for _, t := range tables {
		if err := t.check(c); err != nil {
			return nil, err
		}
	}
	if err := c.checkReferenceProducts(); err != nil {
		return nil, err
	}
	c.pass.gauge.finish()
	return append(b.warnings[:len(b.warnings):len(b.warnings)], c.warnings...), c.findings.err()
}

// Read implements ingest.Library.
func (b *Bundle) Read(ctx context.Context, to ingest.Writer, progress ingest.Progress) error {
	p := &pass{ctx: ctx, bundle: b, gauge: b.newGauge(progress)}
	for _, t := range tables {
		if err := t.read(p, to); err != nil {
			return err
		}
	}
	p.gauge.finish()
	return nil
}

// A pass is one reading of the whole bundle.
type pass struct {
	ctx    context.Context
	bundle *Bundle
	gauge  *gauge
}
