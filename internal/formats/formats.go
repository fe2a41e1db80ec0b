// Package formats lists every format that a library can be read from and written
// in.
package formats

import (
	"fmt"
	"strings"

	"cradle/internal/formats/brightway"
	"cradle/internal/formats/bundle"
	"cradle/internal/formats/ecospold1"
	"cradle/internal/formats/ecospold2"
	"cradle/internal/formats/flat"
	"cradle/internal/formats/ilcd"
	"cradle/internal/formats/jsonld"
	"cradle/internal/formats/lcia"
	"cradle/internal/formats/materials"
	"cradle/internal/formats/simapro"
	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
)

// A format is a file format of libraries. Its package reads it, writes it, or
// both.
type format struct {
	name   string // for reading, "" if it is only written
	detect func(*source.Source) bool
	open   func(*source.Source) (ingest.Package, error) // closing the library closes the source
	export Export                                       // zero if it is only read
}

const (
	zipType      = "application/zip"
	workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// all are tried in this order to detect a source's format.
var all = []format{
	{"bundle", isBundle, bundle.Open,
		Export{Name: "bundle", Extension: ".zip", MediaType: zipType, Calculates: true, write: bundle.Write, writePath: bundle.WritePath}},
	{"jsonld", jsonld.Detect, jsonld.Open,
		Export{Name: "jsonld", Extension: ".zip", MediaType: zipType, Calculates: true, Reduced: true, write: jsonld.Write}},
	{"ecospold1", ecospold1.Detect, ecospold1.Open, Export{}},
	{"ecospold2", ecospold2.Detect, ecospold2.Open,
		Export{Name: "ecospold2", Extension: ".zip", MediaType: zipType, Calculates: true, Reduced: true, write: ecospold2.Write}},
	{"ilcd", ilcd.Detect, ilcd.Open, Export{}},
	{"simapro", simapro.Detect, simapro.Open, Export{}},
	{"", flat.Detect, nil,
		Export{Name: "csv", Extension: ".zip", MediaType: zipType, write: flat.Write}},
	{"brightway", brightway.Detect, brightway.Open,
		Export{Name: "xlsx", Extension: ".xlsx", MediaType: workbookType, Calculates: true, Reduced: true, write: brightway.Write}},
	{"lcia", lcia.Detect, lcia.Open, Export{}},
	{"materials", materials.Detect, materials.Open, Export{}}, // any table with names and numbers
}

// isBundle excludes openLCA's reference data, which has a flows.csv as well.
func isBundle(src *source.Source) bool { return bundle.Detect(src) && !lcia.DetectRefdata(src) }

// Names lists the formats that can be read.
func Names() []string {
	var names []string
	for _, f := range all {
		if f.open != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// Open opens the library at path: in the named format or, for "", in the one
// detected.
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
		if f.open == nil || f.name != name && (name != "" || !f.detect(src)) {
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

// unrecognised describes what the source holds instead.
func unrecognised(src *source.Source) error {
	if materials.Resembles(src) {
		return fmt.Errorf("%s has names and numbers, but the meaning of the numbers is unclear. For material properties, give the unit in each heading, as in \"Density (kg/m3)\", "+
			"or use --format materials. For characterization factors, add a column Compartment, or use --format lcia", src.Path)
	}
	return fmt.Errorf("%s has an unknown format: it contains %s; the known formats are %s%s",
		src.Path, src.Seen(), strings.Join(Names(), ", "), bundle.CaseHint(src))
}
