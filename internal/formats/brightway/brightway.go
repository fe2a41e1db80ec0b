// Package brightway reads inventories for Brightway: workbooks and CSV files in
// the layout of its Excel importer, with free-form blocks that begin with
// Database, Activity, Exchanges and Parameters, and flat tables of exchanges.
package brightway

import (
	"context"
	"fmt"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/ingest/source"
)

// Detect reports whether a source holds such an inventory.
func Detect(src *source.Source) bool {
	for _, e := range src.Entries {
		if holdsActivities(e) {
			return true
		}
	}
	return false
}

// holdsActivities looks for rows that no other table has, near the beginning of
// one of the sheets.
func holdsActivities(e *source.Entry) bool {
	if !sheet.Holds(e) {
		return false
	}
	tables, err := sheet.Open(e)
	if err != nil {
		return false
	}
	for _, t := range tables {
		if showsActivities(t) {
			return true
		}
	}
	return false
}

func showsActivities(t sheet.Table) bool {
	database, activity := false, false
	n := 0
	for row, err := range t.Rows() {
		if n++; err != nil || n > 2000 {
			return false
		}
		if n == 1 && newFlatTable(row) != nil {
			return true
		}
		switch label(tidy(row.Cell(0))) {
		case "database":
			database = database || row.Cell(1) != ""
		case "activity":
			activity = activity || row.Cell(1) != ""
		case "exchanges":
			if activity {
				return true
			}
		}
		if database && activity {
			return true
		}
	}
	return database && n == 1 && t.Name != "" // a sheet of a database without any
}

// Open opens a source of inventories.
func Open(src *source.Source) (ingest.Package, error) {
	if !Detect(src) {
		return nil, fmt.Errorf("%s contains no inventory for Brightway: no rows begin with Database, Activity and Exchanges", src.Path)
	}
	return inventory.New(&opened{src}), nil
}

type opened struct{ src *source.Source }

func (o *opened) Close() error { return o.src.Close() }

// Read implements inventory.Reader. The files of a source are one library whose
// activities may supply each other.
func (o *opened) Read(ctx context.Context, to *inventory.Builder) error {
	a := newAdapter(to)
	done := int64(0)
	for _, e := range o.src.Entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		file := source.Printable(e.Name)
		if holdsActivities(e) {
			lib, err := readLibrary(e)
			if err != nil {
				line, why := sheet.Flaw(err)
				to.Unreadable("files", inventory.Where{File: file, Line: line}, "%s", why)
				continue
			}
			a.add(file, lib)
		} else {
			to.Skip("files", inventory.Where{File: file}, "it contains no activities", "")
		}
		done += e.Size
		to.Progress(done, o.src.Size)
	}
	a.handOver()
	return nil
}

func readLibrary(e *source.Entry) (*Database, error) {
	tables, err := sheet.Open(e)
	if err != nil {
		return nil, err
	}
	lib := &Database{}
	r := &reader{lib: lib}
	for _, t := range tables {
		r.beginSheet(t.Name)
		for row, err := range t.Rows() {
			if err != nil {
				return nil, err
			}
			r.row(row)
		}
	}
	return lib, nil
}
