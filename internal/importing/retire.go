package importing

import (
	"fmt"
	"iter"
	"slices"

	"cradle/internal/lci"
)

// prune marks as deleted what is there and was not read. What belongs to
// something goes before it, so that a method whose last impacts go now goes
// with them.
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

// pruneMethods leaves a method while impacts that stay, of processes or of
// properties, are stated by it.
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

// retire marks as deleted those of the rows that were not read, but some.
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
