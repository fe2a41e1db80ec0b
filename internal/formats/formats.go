// Package formats knows every format that a library can be imported from.
package formats

import (
	"fmt"
	"strings"

	"cradle/internal/formats/brightway"
	"cradle/internal/formats/bundle"
	"cradle/internal/formats/ecospold1"
	"cradle/internal/formats/ecospold2"
	"cradle/internal/formats/ilcd"
	"cradle/internal/formats/jsonld"
	"cradle/internal/formats/lcia"
	"cradle/internal/formats/materials"
	"cradle/internal/formats/simapro"
	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
)

// A format can say whether a source holds it, by what is in it, and open it.
// Closing the library closes the source.
type format struct {
	name   string
	detect func(*source.Source) bool
	open   func(*source.Source) (ingest.Package, error)
}

// all are asked in this order.
var all = []format{
	{"bundle", isBundle, bundle.Open},
	{"jsonld", jsonld.Detect, jsonld.Open},
	{"ecospold1", ecospold1.Detect, ecospold1.Open},
	{"ecospold2", ecospold2.Detect, ecospold2.Open},
	{"ilcd", ilcd.Detect, ilcd.Open},
	{"simapro", simapro.Detect, simapro.Open},
	{"brightway", brightway.Detect, brightway.Open},
	{"lcia", lcia.Detect, lcia.Open},
	{"materials", materials.Detect, materials.Open}, // any table with names and numbers
}

// isBundle leaves out openLCA's reference data, which has a flows.csv as well.
func isBundle(src *source.Source) bool { return bundle.Detect(src) && !lcia.DetectRefdata(src) }

// Names lists the formats.
func Names() []string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.name
	}
	return names
}

// Open opens the library at path: in the named format, or with "" in the one
// that is recognised.
func Open(path, name string) (ingest.Package, error) {
	src, err := source.Open(path)
	if err != nil {
		return nil, err
	}
	lib, err := open(src, name)
	if err != nil {
		src.Close()
		return nil, err
	}
	return lib, nil
}

func open(src *source.Source, name string) (ingest.Package, error) {
	for _, f := range all {
		if f.name != name && (name != "" || !f.detect(src)) {
			continue
		}
		lib, err := f.open(src)
		if err != nil {
			return nil, err
		}
		return &opened{Package: lib, format: f.name, src: src}, nil
	}
	return nil, unrecognised(src)
}

// unrecognised says what the source holds instead of what was looked for.
func unrecognised(src *source.Source) error {
	if materials.Resembles(src) {
		return fmt.Errorf("%s has names beside numbers, but nothing says what the numbers are: for properties of materials give the unit in each heading, as in \"Density (kg/m3)\", "+
			"or use --format materials; for characterization factors add a column Compartment, or use --format lcia", src.Path)
	}
	return fmt.Errorf("%s is in no format that is known here: it holds %s; the formats are %s%s",
		src.Path, src.Seen(), strings.Join(Names(), ", "), bundle.CaseHint(src))
}
