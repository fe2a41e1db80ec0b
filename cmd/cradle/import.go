package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"cradle/internal/ingest"
	"cradle/internal/ingest/formats"
)

type importCommand struct {
	Paths     []string    `arg:"" name:"path" help:"The libraries to read, in order: a folder or a file each. They are imported together or not at all."`
	Format    formatValue `placeholder:"F" help:"The format, where it should not be recognised."`
	VisibleTo []idValue   `placeholder:"TEAM" help:"Restrict what is read to these teams. Without it records that are there keep their visibility, and new ones are public."`
	Public    bool        `help:"Open what is read to every team."`
	Prune     bool        `help:"Delete what the library does not hold."`
	Mapping   []string    `placeholder:"FILE" help:"Which flows are which in another nomenclature: a CSV of source, compartment, target, factor, or a Federal LCA Commons flow mapping. It is remembered."`
	DryRun    bool        `help:"Find out what would happen and change nothing."`
}

func (importCommand) Help() string {
	return `Examples:

    cradle import library/
    cradle import library.zip --dry-run
    cradle import private.zip --visible-to 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11`
}

func formatNames() []string { return formats.Names() }

func (c *importCommand) Run(a *app) error {
	if c.Public && len(c.VisibleTo) > 0 {
		return wrongValue("%s and %s exclude each other", a.named("public"), a.named("visible-to"))
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
		VisibleTo: idsOf(c.VisibleTo), Public: c.Public, Prune: c.Prune, Mappings: mappings, DryRun: c.DryRun,
	})
	if err != nil {
		return err
	}
	if a.global.JSON {
		return a.printJSON(report)
	}
	return a.showReport(report, c.DryRun)
}

func openLibraries(paths []string, format string) (ingest.Library, error) {
	var parts []ingest.Part
	for _, path := range paths {
		lib, err := formats.Open(path, format)
		if err != nil {
			ingest.Join(parts).Close()
			return nil, fmt.Errorf("PATH: %w", err)
		}
		parts = append(parts, ingest.Part{Name: path, Library: lib})
	}
	return ingest.Join(parts), nil
}

func (a *app) importLibrary(o *office, lib ingest.Library, options ingest.Options) (ingest.Report, error) {
	progress, finish := progressOn(a.err, "reading", progressbar.OptionShowBytes(true))
	defer finish()
	options.Calculator = calculator()
	return o.Import(a.ctx, lib, options, progress)
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

func (a *app) showReport(r ingest.Report, dryRun bool) error {
	a.warn("warning", r.Warnings)
	if r.Calculation != nil {
		a.warn("note", r.Calculation.Notes)
	}
	rows := [][]string{{"", "ADDED", "CHANGED", "UNCHANGED", "DELETED"}}
	touched := false
	for _, kind := range []struct {
		name  ingest.Kind
		tally ingest.Tally
	}{
		{ingest.Materials, r.Materials}, {ingest.Properties, r.Properties}, {ingest.MaterialImpacts, r.MaterialImpacts},
		{ingest.Processes, r.Processes}, {ingest.Exchanges, r.Exchanges}, {ingest.Methods, r.Methods},
		{ingest.Indicators, r.Indicators}, {ingest.Factors, r.Factors}, {ingest.Impacts, r.Impacts},
		{ingest.Calculated, r.Calculated},
	} {
		t := kind.tally
		touched = touched || t.Touched()
		rows = append(rows, []string{string(kind.name), strconv.Itoa(t.Added), strconv.Itoa(t.Changed), strconv.Itoa(t.Unchanged), strconv.Itoa(t.Deleted)})
	}
	if err := a.table(rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.out, outcome(touched, dryRun))
	return err
}

// maxWarnings is how many warnings are shown; --json has them all.
const maxWarnings = 50

func (a *app) warn(as string, all []ingest.Warning) {
	for _, w := range all[:min(len(all), maxWarnings)] {
		a.hint("%s: %s", as, w)
	}
	if more := len(all) - maxWarnings; more > 0 {
		a.hint("and %d more; --json prints them all", more)
	}
}

func outcome(touched, dryRun bool) string {
	switch {
	case !touched:
		return "Nothing changed: the catalogue held all of it already."
	case dryRun:
		return "Nothing was changed: this was a dry run."
	}
	return "Imported."
}
