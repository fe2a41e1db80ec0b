package importing

import (
	"context"
	"errors"
	"fmt"

	"cradle/internal/fault"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// Calculate brings the calculated impact rows up to date with what is stored,
// for all methods or the given ones, in one transaction and one new generation.
// It returns a NotFound fault for an unknown method. It uses only the
// calculator, the mappings and DryRun of the options.
func Calculate(ctx context.Context, store Store, options ingest.Options, methods []lci.ID, progress ingest.Progress) (ingest.Report, error) {
	known, err := store.Parents(ctx, ingest.Methods, methods)
	if err != nil {
		return ingest.Report{}, err
	}
	for _, id := range methods {
		if known[id].IsZero() {
			return ingest.Report{}, fault.NotFoundf("No method has the id %s", id)
		}
	}
	var report ingest.Report
	err = store.WriteCatalogue(ctx, func(to Catalogue) error {
		w := newImporter(ctx, to, options)
		if err := w.replaceMappings(); err != nil {
			return err
		}
		if err := w.calculate(methods, progress); err != nil {
			return err
		}
		report = w.report
		if options.DryRun {
			return errDryRun
		}
		return w.publish()
	})
	if err != nil && !errors.Is(err, errDryRun) {
		return ingest.Report{}, fmt.Errorf("calculate: %w", err)
	}
	return report, nil
}

// replaceMappings stores mappings that came without a library.
func (w *importer) replaceMappings() error {
	if err := w.addMappings(); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	return w.mappings.removeLeftOut()
}

// follow calculates if the import changed anything that scores depend on.
func (w *importer) follow(progress ingest.Progress) (err error) {
	if w.options.Calculator == nil {
		return nil
	}
	if w.scoresDiffer() {
		return w.calculate(nil, progress)
	}
	w.report.Calculated.Unchanged, err = w.to.Impacts.CountCalculated(w.ctx)
	return err
}

func (w *importer) scoresDiffer() bool {
	if w.regrouped {
		return true
	}
	for _, l := range []batch{w.flows, w.mappings, w.methods, w.indicators, w.factors, w.processes, w.exchanges, w.allocations, w.impacts} {
		if l.touched() {
			return true
		}
	}
	return false
}

// calculate writes the calculated rows that changed, and marks as deleted those
// that no longer result.
func (w *importer) calculate(methods []lci.ID, progress ingest.Progress) error {
	if err := w.flush(); err != nil {
		return err
	}
	found, err := w.options.Calculator.Calculate(w.ctx, w.to.Inventory, methods, w.calculated.add, progress)
	if err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	found.Notes = append(found.Notes, w.lost()...)
	w.report.Calculation = &found
	return retire(w.calculated, w.to.Impacts, w.to.Impacts.LiveCalculated(w.ctx, methods))
}

// lost warns of calculated rows in the library that the calculation here does
// not produce.
func (w *importer) lost() []ingest.Warning {
	lost := 0
	for id := range w.handedOver {
		if !w.calculated.seen.has(id) {
			lost++
		}
	}
	if lost == 0 {
		return nil
	}
	return []ingest.Warning{{Class: ingest.Uncalculated,
		Message:    fmt.Sprintf("%d impacts are marked as calculated, but cannot be calculated from the catalogue; left out", lost),
		Suggestion: "import their exchanges and factors, or remove the column calculated"}}
}
