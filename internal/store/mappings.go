package store

import (
	"context"
	"database/sql"
	"iter"

	"cradle/internal/flowmatch"
	"cradle/internal/lci"
)

const mappingColumns = "source_id, source_name, source_compartment, source_unit, target_id, target_name, target_compartment, target_unit, factor, exact"

// addMappings takes the mappings that came with an import.
func (w *importer) addMappings() error {
	for _, m := range w.options.Mappings {
		source := mappingSource(m.Source)
		id := lci.DerivedID("mapping", source.String(), m.Target.ID.String())
		var sourceID any
		if !m.Source.ID.IsZero() {
			sourceID = m.Source.ID.String()
		}
		err := w.add(w.mappings, id, source, id.String(), source.String(), sourceID, m.Source.Name, m.Source.Compartment, m.Source.Unit,
			m.Target.ID.String(), m.Target.Name, m.Target.Compartment, m.Target.Unit, m.Factor, m.Exact)
		if err != nil {
			return err
		}
	}
	return nil
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
func (s *Shelf) Mappings(ctx context.Context) iter.Seq2[flowmatch.Mapping, error] {
	return read(ctx, s, "SELECT "+mappingColumns+" FROM mappings ORDER BY source_key, id", func(rows *sql.Rows) (m flowmatch.Mapping, err error) {
		err = rows.Scan(&m.Source.ID, &m.Source.Name, &m.Source.Compartment, &m.Source.Unit,
			&m.Target.ID, &m.Target.Name, &m.Target.Compartment, &m.Target.Unit, &m.Factor, &m.Exact)
		return m, err
	})
}
