// Package ilcd reads the International Reference Life Cycle Data System: zips and
// folders of datasets and single ones, with the methods of the Environmental
// Footprint, and its extension for environmental product declarations (EPD).
//
// Datasets refer to each other by UUID, and an input to its supplier only by the
// flow. They are read in the order of their kinds, so that what others refer to
// is read first.
package ilcd

import (
	"context"
	"io"
	"regexp"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/document"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/source"
)

// roots are the kinds of datasets, in the order in which they are read.
var roots = []struct {
	name string
	read func(*adapter, io.Reader) error
}{
	{"unitGroupDataSet", func(a *adapter, in io.Reader) error { return take(parseUnitGroup, in, a.unitGroup) }},
	{"flowPropertyDataSet", func(a *adapter, in io.Reader) error { return take(parseFlowProperty, in, a.flowProperty) }},
	{"sourceDataSet", func(a *adapter, in io.Reader) error { return take(cards("sourceDataSet"), in, a.card) }},
	{"contactDataSet", func(a *adapter, in io.Reader) error { return take(cards("contactDataSet"), in, a.card) }},
	{"flowDataSet", func(a *adapter, in io.Reader) error { return take(parseFlow, in, a.flow) }},
	{"LCIAMethodDataSet", func(a *adapter, in io.Reader) error { return take(parseMethod, in, a.method) }},
	{"processDataSet", func(a *adapter, in io.Reader) error { return take(parseProcess, in, a.process) }},
}

// take reads a dataset and hands it over.
func take[T any](parse func(io.Reader) (*T, error), in io.Reader, to func(*T)) error {
	d, err := parse(in)
	if err == nil {
		to(d)
	}
	return err
}

func cards(root string) func(io.Reader) (*card, error) {
	return func(in io.Reader) (*card, error) { return parseCard(in, root) }
}

// rootOf is the index of a file's kind in roots, -1 if it is not a dataset.
func rootOf(e *source.Entry) int {
	c, err := e.Sniff()
	if err != nil || c.Kind != source.XML || !strings.HasPrefix(c.Namespace, spaces) {
		return -1
	}
	for i, r := range roots {
		if r.name == c.Root {
			return i
		}
	}
	return -1
}

// Detect reports whether the source holds datasets of ILCD.
func Detect(src *source.Source) bool {
	return document.Any(src, func(e *source.Entry) bool { return rootOf(e) >= 0 })
}

// Open opens the library in a source.
func Open(src *source.Source) (ingest.Package, error) {
	if !Detect(src) {
		return document.Refused(src, "ILCD", spaces+"…")
	}
	return inventory.New(&reader{src: src}), nil
}

type reader struct{ src *source.Source }

func (r *reader) Close() error { return r.src.Close() }

// Read implements inventory.Reader.
func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
	a := newAdapter(to)
	gauge := source.NewGauge(r.src.Size, to.Progress)
	files := make([][]*source.Entry, len(roots))
	newest := newestOf(r.src.Entries)
	var others []*source.Entry
	for _, e := range r.src.Entries {
		a.file = source.Printable(e.Name)
		switch kind := rootOf(e); {
		case kind < 0 && document.IsBroken(e):
			if err := r.file(ctx, e, gauge, a, func(a *adapter, in io.Reader) error { _, _, err := open(in, "dataset"); return err }); err != nil {
				return err
			}
		case kind < 0:
			gauge.Add(e.Size)
			if !a.isPartOfTheFormat(e) {
				others = append(others, e)
			}
		case !newest[e]:
			gauge.Add(e.Size)
			to.Older(kindOf(e), a.where(0), "is an older version of another dataset in the library")
		default:
			files[kind] = append(files[kind], e)
		}
	}
	document.Skip(to, others, "ILCD")
	for kind := range roots {
		for _, e := range files[kind] {
			if err := r.file(ctx, e, gauge, a, roots[kind].read); err != nil {
				return err
			}
		}
	}
	gauge.Finish()
	return nil
}

// file reads a dataset.
func (r *reader) file(ctx context.Context, e *source.Entry, gauge *source.Gauge, a *adapter, read func(*adapter, io.Reader) error) error {
	a.file = source.Printable(e.Name)
	return document.Read(ctx, e, gauge, func(in io.Reader) error { return read(a, in) },
		func(at inventory.Where, wrong string) { a.to.Unreadable(kindOf(e), at, "%s", wrong) })
}

// kindOf is the kind of an unreadable file.
func kindOf(e *source.Entry) ingest.Kind {
	c, _ := e.Sniff()
	switch c.Root {
	case "processDataSet":
		return ingest.Processes
	case "flowDataSet":
		return ingest.Flows
	case "LCIAMethodDataSet":
		return ingest.Indicators
	}
	return "files"
}

// isPartOfTheFormat reports whether a file that is not a dataset belongs to the
// format and has no data; else it notes the file.
func (a *adapter) isPartOfTheFormat(e *source.Entry) bool {
	switch e.Ext() {
	case ".xsd", ".xsl", ".css", ".dtd":
		return true
	}
	c, _ := e.Sniff()
	switch c.Root {
	case "ILCDLocations", "CategorySystem", "ILCDClassification":
		return true
	case "lifeCycleModelDataSet":
		a.to.Skip("life cycle models", a.where(0), "the catalogue does not store models of connected processes", "")
		return true
	}
	return false
}

var versioned = regexp.MustCompile(`(?i)^([0-9a-f-]{36})_(\d{2}\.\d{2}\.\d{3})\.xml$`)

// newestOf are the files without those that are older versions of others
// according to their names.
func newestOf(entries []*source.Entry) map[*source.Entry]bool {
	type version struct {
		number string
		entry  *source.Entry
	}
	best := map[string]version{}
	newest := make(map[*source.Entry]bool, len(entries))
	for _, e := range entries {
		parts := versioned.FindStringSubmatch(e.Base())
		if parts == nil {
			newest[e] = true
			continue
		}
		key := e.Folder() + "/" + strings.ToLower(parts[1])
		if old, there := best[key]; !there || parts[2] > old.number {
			best[key] = version{parts[2], e}
		}
	}
	for _, v := range best {
		newest[v.entry] = true
	}
	return newest
}
