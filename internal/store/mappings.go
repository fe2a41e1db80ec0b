package store

import (
	"context"
	"iter"

	"cradle/internal/flowmatch"
	"cradle/internal/lci"
)

// addMappings takes the mappings that came with an import.
func (w *importer) addMappings() error {
	for _, m := range w.options.Mappings {
		if err := w.add(w.mappings, mappingID(&m), mappingSource(m.Source), mappingTable.values(&m)); err != nil {
			return err
		}
	}
	return nil
}

func mappingID(m *flowmatch.Mapping) lci.ID {
	return lci.DerivedID("mapping", mappingSource(m.Source).String(), m.Target.ID.String())
}

// mappingSource stands for the flow that is mapped: its mappings replace what it
// was mapped to before.
func mappingSource(f lci.Flow) lci.ID {
	if !f.ID.IsZero() {
		return lci.DerivedID("mapping source", f.ID.String())
	}
	return lci.DerivedID("mapping source", f.Name, f.Compartment)
}

// replaceMappings takes mappings that came without a library.
func (w *importer) replaceMappings() error {
	if err := w.addMappings(); err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	return w.removeLeftOut(w.mappings)
}

// Mappings returns every mapping.
func (s *Snapshot) Mappings(ctx context.Context) iter.Seq2[flowmatch.Mapping, error] {
	whole := mappingTable.without()
	return read(ctx, s, "SELECT "+whole.list+" FROM mappings ORDER BY source_key, id", whole.scan())
}
