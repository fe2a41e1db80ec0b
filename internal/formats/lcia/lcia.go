// Package lcia reads characterization factors from tables: files and workbooks
// whose columns are recognised by their headings, and openLCA's reference data.
package lcia

import (
	"context"
	"fmt"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/ingest/source"
)

// DetectRefdata reports whether a source is openLCA's reference data.
func DetectRefdata(src *source.Source) bool { return isRefdata(src.Entries) }

// Detect reports whether a source holds factor tables.
func Detect(src *source.Source) bool {
	if isRefdata(src.Entries) {
		return true
	}
	for _, e := range src.Entries {
		if holdsFactors(e, (*columns).isFactorTable) {
			return true
		}
	}
	return false
}

func holdsFactors(e *source.Entry, takes func(*columns) bool) bool {
	if !sheet.Holds(e) {
		return false
	}
	tables, err := sheet.Open(e)
	if err != nil {
		return false
	}
	for _, t := range tables {
		if h, err := findHeader(t, takes); err == nil && h != nil {
			return true
		}
	}
	return false
}

// Open opens a source of factor tables. If none certainly is one, it trusts the
// caller.
func Open(src *source.Source) (ingest.Package, error) {
	r := &reader{src: src, takes: (*columns).isFactorTable}
	if !Detect(src) {
		r.takes = (*columns).isReadable
		if !slices.ContainsFunc(src.Entries, func(e *source.Entry) bool { return holdsFactors(e, r.takes) }) {
			return nil, fmt.Errorf("%s contains no table of characterization factors: no column with flow names next to columns of factors", src.Path)
		}
	}
	return inventory.New(r), nil
}

type reader struct {
	src   *source.Source
	takes func(*columns) bool // which tables are read
}

func (r *reader) Close() error { return r.src.Close() }

// Read implements inventory.Reader.
func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
	entries := r.src.Entries
	if isRefdata(entries) {
		rest, err := readRefdata(entries, to)
		if err != nil {
			return err
		}
		entries = rest
	}
	gathered := newMethods()
	done := int64(0)
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.entry(e, to, gathered)
		done += e.Size
		to.Progress(done, r.src.Size)
	}
	for _, key := range gathered.order {
		to.Indicator(*gathered.indicators[key])
	}
	return nil
}

func (r *reader) entry(e *source.Entry, to *inventory.Builder, gathered *methods) {
	where := inventory.Where{File: source.Printable(e.Name)}
	if !sheet.Holds(e) {
		to.Skip("files", where, "it contains no table", "")
		return
	}
	tables, err := sheet.Open(e)
	if err != nil {
		to.Unreadable("files", where, "%v", err)
		return
	}
	for _, from := range tables {
		h, err := findHeader(from, r.takes)
		if err == nil {
			err = sound(from)
		}
		if err == nil && h == nil {
			where.Record = from.Name
			to.Skip("tables", where, "it has no column with flow names next to columns of factors", "")
			continue
		}
		if err == nil {
			t := &table{to: to, file: where.File, sheet: from.Name, methods: gathered}
			err = t.read(from, h)
		}
		if err != nil {
			line, why := sheet.Flaw(err)
			to.Unreadable("tables", inventory.Where{File: where.File, Line: line, Record: from.Name}, "%s", why)
		}
	}
}

// sound reads a table once. No factors are taken from an incomplete one, because
// an indicator without the others is wrong.
func sound(t sheet.Table) error {
	for _, err := range t.Rows() {
		if err != nil {
			return err
		}
	}
	return nil
}

// readRefdata reads openLCA's reference data and returns the other entries.
func readRefdata(entries []*source.Entry, to *inventory.Builder) (rest []*source.Entry, err error) {
	files := map[string]*source.Entry{}
	for _, e := range entries {
		if refdataFiles[e.Base()] || isFactorFile(e) {
			files[e.Base()] = e
		} else {
			rest = append(rest, e)
		}
	}
	ref := &refdata{to: to, files: files, methods: map[string]string{}, names: map[string]string{}, categories: map[string]record{},
		ofMethod: map[string][]string{}, properties: map[string]string{}, groups: map[string]string{}, factors: map[string][]inventory.Factor{}, flows: map[string]bool{}}
	return rest, ref.read()
}
