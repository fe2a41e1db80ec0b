package importing

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"cradle/internal/lci"
)

// group assigns the processes and methods read since the last call to one
// library, whose id is derived from theirs. A record that is unchanged belongs
// to its earlier libraries as well; one that is changed belongs to this one
// alone.
func (w *importer) group() error {
	own := slices.DeleteFunc(w.ungrouped, func(id lci.ID) bool { return w.processes.outdated.has(id) || w.methods.outdated.has(id) })
	slices.SortFunc(own, lci.ID.Compare)
	own = slices.Compact(own)
	sum := sha256.New()
	for _, id := range own {
		sum.Write(id[:])
	}
	library := lci.DerivedID("library", hex.EncodeToString(sum.Sum(nil)))
	for batch := range slices.Chunk(w.replaced, batchSize) {
		if err := w.to.Libraries.Remove(w.ctx, batch); err != nil {
			return err
		}
	}
	w.ungrouped, w.replaced = nil, nil
	return w.join(library, own)
}

// join adds records to a library.
func (w *importer) join(library lci.ID, records []lci.ID) error {
	for batch := range slices.Chunk(records, batchSize) {
		there, err := w.to.Libraries.Members(w.ctx, library, batch)
		if err != nil {
			return err
		}
		added := slices.DeleteFunc(slices.Clone(batch), func(id lci.ID) bool { return there[id] })
		w.regrouped = w.regrouped || len(added) > 0
		if err := w.to.Libraries.Add(w.ctx, library, added); err != nil {
			return err
		}
	}
	return nil
}
