package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"cradle/internal/formats"
	"cradle/internal/importing"
	"cradle/internal/ingest"
	reports "cradle/internal/ingest/report"
)

type importCommand struct {
	Paths     []string    `arg:"" name:"path" help:"The libraries to read, in order: a folder or a file each. They are imported together or not at all."`
	Format    formatValue `placeholder:"F" help:"The format, where it should not be recognised."`
	VisibleTo []idValue   `placeholder:"TEAM" help:"Restrict what is read to these teams. Without it records that are there keep their visibility, and new ones are public."`
	Public    bool        `help:"Open what is read to every team."`
	Prune     bool        `help:"Delete what the library does not hold."`
	Strict    bool        `help:"Refuse a library of which a record cannot be read, instead of leaving that record out. A bundle is always refused then."`
	Report    string      `placeholder:"FILE" help:"Write the whole report there: JSON where it ends in .json, else a page of HTML."`
	Mapping   []string    `placeholder:"FILE" help:"Which flows are which in another nomenclature: a CSV of source, compartment, target, factor, or a Federal LCA Commons flow mapping. It is remembered."`
	DryRun    bool        `help:"Find out what would happen and change nothing."`
}

func (importCommand) Help() string {
	return `The format is recognised by content: a bundle of CSV files, openLCA JSON-LD, EcoSpold 1 and 2, ILCD, SimaPro CSV, Brightway
Excel and CSV, LCIA factor tables, materials tables; as a folder, a zip, a tar, gzipped or a single file.
docs/formats.md tells what becomes what.

Examples:

    cradle import library/
    cradle import library.zip --dry-run
    cradle import uslci.zip traci.csv --mapping flows.csv --report report.html
    cradle import private.zip --visible-to 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11`
}

type importDocument struct {
	Causes []reports.Cause `json:"causes"`
	ingest.Report
}

func formatNames() []string { return formats.Names() }

func (c *importCommand) Run(a *app) error {
	if c.Public && len(c.VisibleTo) > 0 {
		return wrongValue("%s and %s exclude each other", a.named("public"), a.named("visible-to"))
	}
	if c.Report != "" {
		if err := checkFolder(c.Report); err != nil {
			return fmt.Errorf("%s: %w", a.named("report"), err)
		}
	}
	mappings, err := readMappings(c.Mapping)
	if err != nil {
		return err
	}
	lib, err := openLibraries(c.Paths, string(c.Format))
	if err != nil {
		return err
	}
	defer lib.Close()
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	report, err := a.importLibrary(o, lib, ingest.Options{
		VisibleTo: idsOf(c.VisibleTo), Public: c.Public, Prune: c.Prune, Strict: c.Strict, Mappings: mappings, DryRun: c.DryRun,
	})
	if err != nil {
		return err
	}
	if c.Report != "" {
		if err := reports.Write(c.Report, reports.Document{Libraries: c.Paths, DryRun: c.DryRun, Report: report}); err != nil {
			return fmt.Errorf("the import is done, its report could not be written: %w", err)
		}
	}
	if a.global.JSON {
		return a.printJSON(importDocument{reports.Causes(report), report})
	}
	return a.showReport(report, cmp.Or(c.Report, "--report FILE"), c.DryRun)
}

func openLibraries(paths []string, format string) (ingest.Package, error) {
	var parts []ingest.Part
	for _, path := range paths {
		lib, err := formats.Open(path, format)
		if err != nil {
			ingest.Join(parts).Close()
			return nil, fmt.Errorf("PATH: %w", err)
		}
		parts = append(parts, ingest.Part{Name: path, Package: lib})
	}
	return ingest.Join(parts), nil
}

func (a *app) importLibrary(o *backend, lib ingest.Package, options ingest.Options) (ingest.Report, error) {
	progress, finish := progressOn(a.err, "reading", progressbar.OptionShowBytes(true))
	defer finish()
	options.Calculator = calculator()
	return importing.Import(a.ctx, o, lib, options, progress)
}

// progressOn shows progress where somebody watches, on a terminal.
func progressOn(w io.Writer, doing string, options ...progressbar.Option) (ingest.Progress, func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func(int64, int64) {}, func() {}
	}
	bar := progressbar.NewOptions64(1, append(options,
		progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30),
		progressbar.OptionSetDescription(doing), progressbar.OptionClearOnFinish())...)
	// A library is read more than once; the bar starts again each time.
	return func(done, total int64) {
		if done < int64(bar.State().CurrentNum) {
			bar.Reset()
		}
		bar.ChangeMax64(max(total, 1))
		bar.Set64(min(done, max(total, 1)))
	}, func() { errors.Join(bar.Clear(), bar.Exit()) }
}
