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
	Paths     []string    `arg:"" name:"path" help:"The libraries to read, in this order. Each is a folder or a file. They are imported together or not at all."`
	Format    formatValue `placeholder:"F" help:"The format, if it should not be detected."`
	VisibleTo []idValue   `placeholder:"TEAM" help:"Make the imported records visible only to these teams. Without this flag existing records keep their visibility, and new ones are public."`
	Public    bool        `help:"Make the imported records visible to every team."`
	Prune     bool        `help:"Delete records that are not in the library."`
	Strict    bool        `help:"Refuse the whole library if a record cannot be read. Without this flag such records are left out. A bundle with errors is always refused."`
	Report    string      `placeholder:"FILE" help:"Write the full report to this file: JSON if the name ends in .json, otherwise HTML."`
	Mapping   []string    `placeholder:"FILE" help:"A flow mapping: a CSV with source, compartment, target and factor, or a Federal LCA Commons flow mapping. It is stored for later calculations."`
	DryRun    bool        `help:"Show what would happen, but change nothing."`
}

func (importCommand) Help() string {
	return `The format is detected from the content: a bundle of CSV files, openLCA JSON-LD, EcoSpold 1 and 2, ILCD, SimaPro CSV, Brightway
Excel and CSV, LCIA factor tables or materials tables, in a folder, a zip, a tar, a gzipped file or a single file.
See docs/formats.md for details.

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
		return wrongValue("%s and %s cannot be used together", a.named("public"), a.named("visible-to"))
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
			return fmt.Errorf("the import succeeded, but its report could not be written: %w", err)
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

// progressOn shows progress if w is a terminal.
func progressOn(w io.Writer, doing string, options ...progressbar.Option) (ingest.Progress, func()) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func(int64, int64) {}, func() {}
	}
	bar := progressbar.NewOptions64(1, append(options,
		progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30),
		progressbar.OptionSetDescription(doing), progressbar.OptionClearOnFinish())...)
	// A library is read more than once; the bar restarts each time.
	return func(done, total int64) {
		if done < int64(bar.State().CurrentNum) {
			bar.Reset()
		}
		bar.ChangeMax64(max(total, 1))
		bar.Set64(min(done, max(total, 1)))
	}, func() { errors.Join(bar.Clear(), bar.Exit()) }
}
