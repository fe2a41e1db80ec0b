// Package ecospold1 reads EcoSpold 1: datasets of processes and of impact
// categories, many to a file or one, as ecoinvent 1 and 2, SimaPro and openLCA
// write them.
//
// The format has no ids. Products and inputs are identified by name, location,
// unit and whether they are infrastructure, so a library is read twice: first
// for what its datasets make, then completely.
package ecospold1

import (
	"context"
	"fmt"
	"io"

	"cradle/internal/ingest"
	"cradle/internal/ingest/document"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/source"
	"cradle/internal/ingest/xmlstream"
)

// Detect reports whether the source holds EcoSpold 1, whatever its file names.
func Detect(src *source.Source) bool { return document.Any(src, holds) }

// Open opens the library in a source.
func Open(src *source.Source) (ingest.Package, error) {
	if !Detect(src) {
		return document.Refused(src, "EcoSpold 1", processSpace)
	}
	r := &reader{src: src}
	r.files, r.others = document.Split(src, holds)
	return inventory.New(r), nil
}

func holds(e *source.Entry) bool { return document.IsEcoSpold(e, isEcoSpold1, "dataset") }

type reader struct {
	src           *source.Source
	files, others []*source.Entry
}

func (r *reader) Close() error { return r.src.Close() }

// Read implements inventory.Reader.
func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
	gauge := source.NewGauge(2*document.Size(r.files), to.Progress)
	document.Skip(to, r.others, "EcoSpold 1")
	index := newIndex()
	for _, f := range r.files {
		read := func(in io.Reader) error { return r.skim(in, f, index, to) }
		if err := document.Read(ctx, f, gauge, read, func(at inventory.Where, wrong string) { to.Unreadable("files", at, "%s", wrong) }); err != nil {
			return err
		}
	}
	index.settle()
	a := &adapter{to: to, index: index, processes: map[string]int{}, flows: map[string]bool{}, methods: map[string]bool{}, results: map[string]bool{}}
	for _, f := range r.files {
		a.file = source.Printable(f.Name)
		read := func(in io.Reader) error {
			_, err := parse(in, a.dataset, func(*dataset, *xmlstream.Error) {})
			return err
		}
		if err := document.Read(ctx, f, gauge, read, func(inventory.Where, string) {}); err != nil { // already reported
			return err
		}
	}
	gauge.Finish()
	return nil
}

// skim reads what a file's datasets make.
func (r *reader) skim(in io.Reader, f *source.Entry, index *index, to *inventory.Builder) error {
	file := source.Printable(f.Name)
	root, err := parse(in, index.add, func(d *dataset, wrong *xmlstream.Error) {
		to.Unreadable(ingest.Processes, inventory.Where{File: file, Line: wrong.Line, Record: d.reference.name}, "%s", wrong.Message)
	})
	if err == nil && root != "ecoSpold" {
		to.Note(ingest.Doubtful, inventory.Where{File: file}, fmt.Sprintf("the root element is called %s, not ecoSpold", root), "")
	}
	return err
}
