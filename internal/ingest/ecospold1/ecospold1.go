// Package ecospold1 reads EcoSpold 1: datasets of processes and of impact
// categories, many to a file or one, as ecoinvent 1 and 2, SimaPro and openLCA
// write them.
//
// The format has no ids. What a dataset makes and what an input wants is told by
// name, location, unit and whether it is infrastructure, so a library is read
// twice: first for what its datasets make, then whole.
package ecospold1

import (
	"context"
	"errors"
	"fmt"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/source"
	"cradle/internal/ingest/xmlstream"
)

// Detect says whether the source holds EcoSpold 1, whatever its files are called.
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
	r := &reader{src: src}
	for _, e := range src.Entries {
		if holds(e) || isBroken(e) {
			r.files = append(r.files, e)
		} else {
			r.others = append(r.others, e)
		}
	}
	if !Detect(src) {
		return nil, fmt.Errorf("%s holds no EcoSpold 1: no file has a root element of the namespace %s", src.Path, processSpace)
	}
	return inventory.New(r), nil
}

// holds says whether a file is EcoSpold 1. Some have no namespace, which leaves
// their first element to tell them from EcoSpold 2.
func holds(e *source.Entry) bool {
	c, err := e.Sniff()
	if err != nil || c.Kind != source.XML {
		return false
	}
	return isEcoSpold1(c.Namespace) || c.Namespace == "" && c.Root == "ecoSpold" && xmlstream.FirstChild(e.Open) == "dataset"
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
		to.Skip("files", inventory.Where{File: source.Printable(f.Name)}, "holds no dataset of EcoSpold 1", "")
	}
	index := newIndex()
	for _, f := range r.files {
		if err := r.pass(ctx, f, gauge, to, func(d *dataset) { index.add(d) }); err != nil {
			return err
		}
	}
	index.settle()
	a := &adapter{to: to, index: index, methods: map[string]bool{}, results: map[string]bool{}}
	for _, f := range r.files {
		a.file = source.Printable(f.Name)
		if err := r.pass(ctx, f, gauge, nil, a.dataset); err != nil {
			return err
		}
	}
	gauge.Finish()
	return nil
}

// pass reads a file. What is wrong with it is told once, in the first pass, to
// which a builder is given.
func (r *reader) pass(ctx context.Context, f *source.Entry, gauge *source.Gauge, to *inventory.Builder, visit func(*dataset)) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	root, err := parse(gauge.Reader(ctx, in), visit)
	at := inventory.Where{File: source.Printable(f.Name)}
	var wrong *xmlstream.Error
	switch {
	case errors.As(err, &wrong):
		if to != nil {
			at.Line = wrong.Line
			to.Fail(at, "%s", wrong.Message)
		}
		return nil
	case err != nil:
		return fmt.Errorf("read %s: %w", at.File, err)
	case root != "ecoSpold" && to != nil:
		to.Note(ingest.Doubtful, at, fmt.Sprintf("the root element is called %s, not ecoSpold", root), "")
	}
	return nil
}
