package main

import (
	"fmt"

	"cradle/internal/calculation"
	"cradle/internal/importing"
	"cradle/internal/ingest"
	reports "cradle/internal/ingest/report"
)

type calculateCommand struct {
	Method  []idValue `placeholder:"METHOD" help:"Calculate only the rows of these methods."`
	Mapping []string  `placeholder:"FILE" help:"A flow mapping: a CSV with source, compartment, target and factor, or a Federal LCA Commons flow mapping. It is stored for later calculations."`
	DryRun  bool      `help:"Show what would happen, but change nothing."`
}

func (calculateCommand) Help() string {
	return `Impact rows are calculated from exchanges and factors as part of an import. This command calculates them again, for example after an
upgrade. Rows stated by the provider stay as they are.

Examples:

    cradle calculate
    cradle calculate --method 5b0c0a3e-3f0e-4f4e-9a44-0d8e4a0f3f10 --dry-run`
}

func calculator() *calculation.Calculator { return &calculation.Calculator{} }

type calculateDocument struct {
	Causes []reports.Cause `json:"causes"`
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
	report, err := importing.Calculate(a.ctx, o, ingest.Options{Calculator: calculator(), Mappings: mappings, DryRun: c.DryRun}, idsOf(c.Method), progress)
	finish()
	if err != nil {
		return err
	}
	causes := reports.Causes(report)
	if a.global.JSON {
		return a.printJSON(calculateDocument{causes, report.Calculated, report.Calculation})
	}
	a.showCauses(causes, "--json")
	return a.showCalculation(report, c.DryRun)
}

func (a *app) showCalculation(r ingest.Report, dryRun bool) error {
	t, of := r.Calculated, r.Calculation
	fmt.Fprintf(a.out, "%s: added %d, changed %d, unchanged %d, deleted %d.\n", calculated(of), t.Added, t.Changed, t.Unchanged, t.Deleted)
	a.showGaps(of)
	a.showCoverage(of.Coverage, "--json")
	if dryRun {
		fmt.Fprintln(a.out, "Nothing was changed: this was a dry run.")
	}
	return nil
}
