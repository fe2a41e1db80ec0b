// Package ecospold2 reads EcoSpold 2: activities as ecoinvent 3 and openLCA write
// them, one to a file or many, as they were entered or as a system model linked
// them; results that are stated; impact methods; and the flows of master data.
//
// A library is read twice: first for what its activities make, then whole. An
// activity that has been cut into a dataset for each product has one id for all
// of them, and a flow is a waste if some treatment gives less of it.
package ecospold2

import (
	"context"
	"errors"
	"fmt"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/source"
	"cradle/internal/ingest/xmlstream"
)

// Detect says whether the source holds EcoSpold 2, whatever its files are called.
func Detect(src *source.Source) bool {
	for _, e := range src.Entries {
		if holds(e) {
			return true
		}
	}
	return false
}

// Open makes a library of the source.
func Open(src *source.Source) (ingest.Library, error) {
	if !Detect(src) {
		return nil, fmt.Errorf("%s holds no EcoSpold 2: no file has a root element of the namespace %s", src.Path, space)
	}
	r := &reader{src: src}
	for _, e := range src.Entries {
		if holds(e) || isBroken(e) {
			r.files = append(r.files, e)
		} else {
			r.others = append(r.others, e)
		}
	}
	return inventory.New(r), nil
}

// holds says whether a file is EcoSpold 2. Some have no namespace, which leaves
// their first element to tell them from EcoSpold 1.
func holds(e *source.Entry) bool {
	c, err := e.Sniff()
	if err != nil || c.Kind != source.XML {
		return false
	}
	if c.Namespace != "" || c.Root != "ecoSpold" {
		return c.Namespace == space
	}
	switch xmlstream.FirstChild(e.Open) {
	case "activityDataset", "childActivityDataset", "impactMethod":
		return true
	}
	return false
}

// isBroken says whether a file is XML of which nothing can be told: it is read
// to say why.
func isBroken(e *source.Entry) bool {
	c, err := e.Sniff()
	return err == nil && c.Kind == source.XML && c.Root == ""
}

type reader struct {
	src    *source.Source
	files  []*source.Entry
	others []*source.Entry
}

func (r *reader) Close() error { return r.src.Close() }

// Read implements inventory.Reader.
func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
	var size int64
	for _, f := range r.files {
		size += f.Size
	}
	gauge := source.NewGauge(2*size, to.Progress)
	for _, f := range r.others {
		to.Skip("files", inventory.Where{File: source.Printable(f.Name)}, "holds nothing of EcoSpold 2", "")
	}
	index, err := r.skim(ctx, gauge)
	if err != nil {
		return err
	}
	a := &adapter{to: to, index: index, flows: map[string]bool{}, methods: map[string]bool{}, indicators: map[string]string{}}
	for _, f := range r.files {
		if err := r.file(ctx, f, gauge, a); err != nil {
			return err
		}
	}
	if a.homeless > 0 {
		to.Note(ingest.Doubtful, inventory.Where{}, fmt.Sprintf("%d elementary exchanges have no compartment", a.homeless),
			"export the library with compartments: factors that depend on them do not apply")
	}
	gauge.Finish()
	return nil
}

// skim finds out what the activities make. What is wrong with a file is told
// when it is read whole.
func (r *reader) skim(ctx context.Context, gauge *source.Gauge) (*index, error) {
	ix := newIndex()
	for _, f := range r.files {
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		err = skim(gauge.Reader(ctx, in), ix.add)
		in.Close()
		var wrong *xmlstream.Error
		if err != nil && !errors.As(err, &wrong) {
			return nil, fmt.Errorf("read %s: %w", source.Printable(f.Name), err)
		}
	}
	return ix, nil
}

func (r *reader) file(ctx context.Context, f *source.Entry, gauge *source.Gauge, a *adapter) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	a.file = source.Printable(f.Name)
	err = parse(gauge.Reader(ctx, in), visitor{
		dataset: a.dataset, method: a.method, flow: a.master,
		other: func(name string, line int) { a.to.Drop(name+" elements", a.where(line)) },
	})
	var wrong *xmlstream.Error
	switch {
	case errors.As(err, &wrong):
		a.to.Fail(a.where(wrong.Line), "%s", wrong.Message)
	case err != nil:
		return fmt.Errorf("read %s: %w", a.file, err)
	}
	return nil
}
