// Package bundle reads and writes the plain format for libraries kept in
// spreadsheets: a folder or a zip of CSV files.
//
// One table per file describes its columns, for checking, reading and writing.
// Files are streamed; only the ids of their rows are kept in memory.
package bundle

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
)

// A Bundle is an opened bundle, an ingest.Package.
type Bundle struct {
	files    map[string]file // by name
	warnings []ingest.Warning
	account  ingest.Outcome // of the last check
	closer   io.Closer      // nil if nothing is open
}

// Detect reports whether a source is a bundle: it has one of the bundle's files,
// at the top or in a single folder.
func Detect(src *source.Source) bool {
	b, err := find(src)
	return err == nil && len(b.files) > 0
}

// Open finds the files of a bundle. Closing the library closes the source.
func Open(src *source.Source) (ingest.Package, error) {
	b, err := find(src)
	if err != nil {
		return nil, fmt.Errorf("%s is not a bundle: %w", src.Path, err)
	}
	if len(b.files) == 0 {
		return nil, fmt.Errorf("%s is not a bundle: it contains none of %s%s", src.Path, nameList(), CaseHint(src))
	}
	return b, nil
}

// OpenFS finds the files of a bundle in a file system.
func OpenFS(folder fs.FS) (ingest.Package, error) { return opened(source.OpenFS(folder)) }

// OpenPath finds the files of the bundle at path.
func OpenPath(path string) (ingest.Package, error) { return opened(source.Open(path)) }

func opened(src *source.Source, err error) (ingest.Package, error) {
	if err != nil {
		return nil, err
	}
	lib, err := Open(src)
	if err != nil {
		src.Close()
		return nil, err
	}
	return lib, nil
}

// CaseHint names a file that differs from one of a bundle's only in case.
func CaseHint(src *source.Source) string {
	for _, e := range src.Entries {
		if name := strings.ToLower(e.Base()); name != e.Base() && isBundleFile(name) {
			return fmt.Sprintf("; rename %s to %s", e.Base(), name)
		}
	}
	return ""
}

// Close closes the bundle's files.
func (b *Bundle) Close() error {
	if b.closer == nil {
		return nil
	}
	return b.closer.Close()
}

// Check implements ingest.Package. Errors are in the order in which the files
// depend on each other, so that an error comes before its consequences.
func (b *Bundle) Check(ctx context.Context, known ingest.Existing, progress ingest.Progress) ([]ingest.Warning, error) {
	c := newChecker(&pass{ctx: ctx, bundle: b, gauge: b.newGauge(progress)}, known)
	for _, t := range tables {
		if err := t.check(c); err != nil {
			return nil, err
		}
	}
	if err := c.checkReferenceProducts(); err != nil {
		return nil, err
	}
	c.pass.gauge.Finish()
	b.account = c.account
	return append(b.warnings[:len(b.warnings):len(b.warnings)], c.warnings...), c.findings.err()
}

// Outcome implements ingest.OutcomeReporter: a bundle is stored completely.
func (b *Bundle) Outcome() ingest.Outcome { return b.account }

// Read implements ingest.Package.
func (b *Bundle) Read(ctx context.Context, to ingest.Writer, progress ingest.Progress) error {
	p := &pass{ctx: ctx, bundle: b, gauge: b.newGauge(progress)}
	for _, t := range tables {
		if err := t.read(p, to); err != nil {
			return err
		}
	}
	p.gauge.Finish()
	return nil
}

// A pass is one reading of the whole bundle.
type pass struct {
	ctx    context.Context
	bundle *Bundle
	gauge  *source.Gauge
}
