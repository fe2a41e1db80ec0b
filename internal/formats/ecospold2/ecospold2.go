// Package ecospold2 reads EcoSpold 2: activities as ecoinvent 3 and openLCA
// write them, one or many per file, as entered or as linked by a system model;
// stated results; impact methods; and the flows of master data.
//
// A library is read twice: first for what its activities make, then completely.
// An activity that was split into a dataset for each product has one id for all
// of them, and a flow is a waste if some treatment has a negative amount of it.
package ecospold2

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

// Detect reports whether the source holds EcoSpold 2, whatever its file names.
func Detect(src *source.Source) bool { return document.Any(src, holds) }

// Open opens the library in a source.
func Open(src *source.Source) (ingest.Package, error) {
	if !Detect(src) {
		return document.Refused(src, "EcoSpold 2", space)
	}
	r := &reader{src: src}
	r.files, r.others = document.Split(src, holds)
	return inventory.New(r), nil
}

func holds(e *source.Entry) bool {
	return document.IsEcoSpold(e, func(namespace string) bool { return namespace == space }, "activityDataset", "childActivityDataset", "impactMethod")
}

type reader struct {
	src           *source.Source
	files, others []*source.Entry
}

func (r *reader) Close() error { return r.src.Close() }

// Read implements inventory.Reader.
func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
	gauge := source.NewGauge(2*document.Size(r.files), to.Progress)
	document.Skip(to, r.others, "EcoSpold 2")
	index := newIndex()
	for _, f := range r.files {
		read := func(in io.Reader) error { return skim(in, index.add) }
		if err := document.Read(ctx, f, gauge, read, func(inventory.Where, string) {}); err != nil { // reported below
			return err
		}
	}
	a := &adapter{to: to, index: index, flows: map[string]bool{}, methods: map[string]bool{}, indicators: map[string]string{}}
	for _, f := range r.files {
		a.file = source.Printable(f.Name)
		if err := document.Read(ctx, f, gauge, a.read, func(at inventory.Where, wrong string) { to.Unreadable("files", at, "%s", wrong) }); err != nil {
			return err
		}
	}
	a.finish()
	gauge.Finish()
	return nil
}

func (a *adapter) read(in io.Reader) error {
	return parse(in, visitor{
		dataset: a.dataset, method: a.method, flow: a.master,
		unreadable: func(name string, wrong *xmlstream.Error) {
			a.to.Unreadable(ingest.Processes, a.where(wrong.Line, name), "%s", wrong.Message)
		},
		other: func(name string, line int) { a.to.Drop(name+" elements", a.where(line)) },
	})
}

func (a *adapter) finish() {
	if a.homeless > 0 {
		a.to.Note(ingest.Doubtful, inventory.Where{}, fmt.Sprintf("%d elementary exchanges have no compartment", a.homeless),
			"export the library with compartments: factors that depend on them do not apply")
	}
}
