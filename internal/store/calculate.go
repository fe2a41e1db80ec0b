package store

import (
	"context"
	"errors"
	"fmt"

	"cradle/internal/fault"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// Calculate makes the calculated impact rows follow from what is stored, in one
// transaction and one new generation: of all methods, or of those given. It
// returns fault.NotFound for a method that is not there. Of the options the
// calculator, the mappings and whether it is a dry run count.
func (s *Store) Calculate(ctx context.Context, options ingest.Options, methods []lci.ID, progress ingest.Progress) (ingest.Report, error) {
	known, err := s.Parents(ctx, ingest.Methods, methods)
	if err != nil {
		return ingest.Report{}, err
	}
	for _, id := range methods {
		if known[id].IsZero() {
			return ingest.Report{}, fault.NotFoundf("No method has the id %s", id)
		}
	}
	var report ingest.Report
	err = s.write(ctx, func(t *tx) error {
		if err := s.prepareImport(ctx, t); err != nil {
			return err
		}
		w := newImporter(ctx, s.dialect, t, options)
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

// follow calculates, if the import changed anything that scores depend on.
func (w *importer) follow(progress ingest.Progress) error {
	if w.options.Calculator == nil {
		return nil
	}
	if w.scoresDiffer() {
		return w.calculate(nil, progress)
	}
	return w.tx.row(w.ctx, "SELECT COUNT(*) FROM impacts WHERE calculated AND NOT deleted").Scan(&w.report.Calculated.Unchanged)
}

func (w *importer) scoresDiffer() bool {
	if w.regrouped {
		return true
	}
	for _, l := range []*load{w.flows, w.mappings, w.methods, w.indicators, w.factors, w.processes, w.exchanges, w.allocations, w.impacts} {
		if l.tally.Touched() {
			return true
		}
	}
	return false
}

// calculate writes the calculated rows that differ from those that are there,
// and marks as deleted those that do not come of it any more.
func (w *importer) calculate(methods []lci.ID, progress ingest.Progress) error {
	if err := w.flush(); err != nil {
		return err
	}
	row := func(i lci.Impact) error { return w.addImpact(w.calculated, i) }
	found, err := w.options.Calculator.Calculate(w.ctx, inventory{&Snapshot{tx: w.tx}}, methods, row, progress)
	if err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	found.Notes = append(found.Notes, w.lost()...)
	w.report.Calculation = &found
	if len(methods) == 0 {
		return w.retire(w.calculated, "calculated")
	}
	return w.retire(w.calculated, "calculated AND "+w.dialect.among("method_id", "$1"), w.dialect.ids(methods))
}

// lost tells of calculated rows that the library held and that are not made of
// what is here.
func (w *importer) lost() []ingest.Warning {
	lost := 0
	for id := range w.handedOver {
		if _, made := w.calculated.seen[id]; !made {
			lost++
		}
	}
	if lost == 0 {
		return nil
	}
	return []ingest.Warning{{Class: ingest.Uncalculated,
		Message:    fmt.Sprintf("%d impacts that the library calls calculated do not follow from what is here and are left out", lost),
		Suggestion: "import the exchanges and factors they were calculated from, or leave out the column calculated"}}
}
