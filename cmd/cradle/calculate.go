package main

import (
	"fmt"

	"cradle/internal/calculation"
	"cradle/internal/ingest"
)

type calculateCommand struct {
	Method  []idValue `placeholder:"METHOD" help:"Only the rows of these methods."`
	Mapping []string  `placeholder:"FILE" help:"Which flows are which in another nomenclature: a CSV of source, compartment, target, factor, or a Federal LCA Commons flow mapping. It is remembered."`
	DryRun  bool      `help:"Find out what would happen and change nothing."`
}

func (calculateCommand) Help() string {
	return `Impact rows follow from exchanges and factors. An import calculates them; this does it again, as after an
upgrade. Rows that the provider states stay as they are.

Examples:

    cradle calculate
    cradle calculate --method 5b0c0a3e-3f0e-4f4e-9a44-0d8e4a0f3f10 --dry-run`
}

// calculator is what calculates impact rows.
func calculator() *calculation.Calculator { return &calculation.Calculator{} }

type calculateDocument struct {
	ingest.Tally
	*ingest.Calculation
}

func (c *calculateCommand) Run(a *app) error {
	mappings, err := readMappings(c.Mapping)
	if err != nil {
		return err
	}
	o, err := a.open()
	if err != nil {
		return err
	}
	defer o.Close()
	progress, finish := progressOn(a.err, "calculating")
	report, err := o.Calculate(a.ctx, ingest.Options{Calculator: calculator(), Mappings: mappings, DryRun: c.DryRun}, idsOf(c.Method), progress)
	finish()
	if err != nil {
		return err
	}
	if a.global.JSON {
		return a.printJSON(calculateDocument{report.Calculated, brief(report).Calculation})
	}
	a.warn("note", report.Calculation.Notes, "--json")
	return a.showCalculation(report, c.DryRun)
}

func (a *app) showCalculation(r ingest.Report, dryRun bool) error {
	t, of := r.Calculated, r.Calculation
	fmt.Fprintf(a.out, "Calculated %d impact rows of %d processes under %d indicators: added %d, changed %d, unchanged %d, deleted %d.\n",
		of.Rows, of.Processes, of.Indicators, t.Added, t.Changed, t.Unchanged, t.Deleted)
	if of.CutOffs+of.Uncalculated+of.Uncharacterised > 0 {
		fmt.Fprintf(a.out, "Inputs cut off %d, processes without a solution %d, elementary flows without a factor %d.\n", of.CutOffs, of.Uncalculated, of.Uncharacterised)
	}
	a.showCoverage(of.Coverage, "--json")
	if dryRun {
		fmt.Fprintln(a.out, "Nothing was changed: this was a dry run.")
	}
	return nil
}
