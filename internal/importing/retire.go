package importing

import (
	"fmt"
	"iter"
	"slices"

	"cradle/internal/lci"
)

// prune marks as deleted the stored rows that were not read. Children go before
// their parents, so that a method is deleted with its last impacts.
func (w *importer) prune() error {
	to, ctx := w.to, w.ctx
	for _, step := range []func() error{
		func() error { return prune(w.impacts, to.Impacts, to.Impacts.LiveStated(ctx)) },
		func() error { return prune(w.processes, to.Processes, to.Processes.Live(ctx)) },
		func() error { return prune(w.properties, to.Properties, to.Properties.Live(ctx)) },
		func() error { return prune(w.materials, to.Materials, to.Materials.Live(ctx)) },
		func() error { return prune(w.indicators, to.Indicators, to.Indicators.Live(ctx)) },
		w.pruneMethods,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// pruneMethods keeps methods with remaining impacts of processes or properties.
func (w *importer) pruneMethods() error {
	used, err := w.to.Methods.InUse(w.ctx)
	if err != nil {
		return err
	}
	return prune(w.methods, w.to.Methods, w.to.Methods.Live(w.ctx), used...)
}

func prune[T any](l *load[T], in MarkedTable[T], live iter.Seq2[lci.ID, error], but ...lci.ID) error {
	if err := retire(l, in, live, but...); err != nil {
		return fmt.Errorf("prune %s: %w", l.name, err)
	}
	return nil
}

// retire marks as deleted the rows that were not read, with some exceptions.
func retire[T any](l *load[T], in MarkedTable[T], live iter.Seq2[lci.ID, error], but ...lci.ID) error {
	var gone []lci.ID
	for id, err := range live {
		if err != nil {
			return err
		}
		if !l.seen.has(id) && !slices.Contains(but, id) {
			gone = append(gone, id)
		}
	}
	l.tally.Deleted += len(gone)
	for batch := range slices.Chunk(gone, batchSize) {
		if err := in.MarkDeleted(l.w.ctx, batch); err != nil {
			return err
		}
	}
	return nil
}
