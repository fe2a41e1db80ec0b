package library

import (
	"context"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// Materials returns the page's materials named by refs, in their order. It returns
// ErrMoved when the page has to be requested again.
func (p Page) Materials(ctx context.Context, refs []Ref) ([]Material, error) {
	return views(ctx, p, refs, p.library.store.MaterialRecords, func(r *MaterialRecord) (lci.ID, Material) { return r.ID, p.mask.material(r) })
}

// Processes returns the page's processes named by refs, like Materials.
func (p Page) Processes(ctx context.Context, refs []Ref) ([]Process, error) {
	return views(ctx, p, refs, p.library.store.ProcessRecords, func(r *ProcessRecord) (lci.ID, Process) { return r.ID, p.mask.process(r) })
}

// views makes views of records, in the order of refs.
func views[R, V any](ctx context.Context, p Page, refs []Ref, read func(context.Context, []lci.ID) ([]R, error), view func(*R) (lci.ID, V)) ([]V, error) {
	records, err := read(ctx, idsOf(refs))
	if err != nil {
		return nil, err
	}
	if err := p.library.stillAt(ctx, p.mask.edition); err != nil {
		return nil, err
	}
	if len(records) != len(refs) {
		return nil, ErrMoved
	}
	byID := make(map[lci.ID]V, len(records))
	for i := range records {
		id, v := view(&records[i])
		byID[id] = v
	}
	inOrder := make([]V, len(refs))
	for i, r := range refs {
		inOrder[i] = byID[r.ID]
	}
	return inOrder, nil
}

func idsOf(refs []Ref) []lci.ID {
	ids := make([]lci.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	return ids
}

// WholeMaterials is like Materials, with the materials' impacts.
func (p Page) WholeMaterials(ctx context.Context, refs []Ref) ([]Material, error) {
	impacts, err := p.library.store.MaterialImpacts(ctx, idsOf(refs))
	if err != nil {
		return nil, err
	}
	found, err := p.Materials(ctx, refs)
	if err != nil {
		return nil, err
	}
	for i := range found {
		m := &found[i]
		rows := impacts[m.ID]
		m.Impacts = make([]PropertyImpact, 0, len(rows))
		for j := range rows {
			m.Impacts = append(m.Impacts, p.mask.propertyImpact(m.ID, &rows[j]))
		}
	}
	return found, nil
}

// Material returns the single read of the material found by Find.
func (p Page) Material(ctx context.Context) (Material, error) {
	found, err := p.WholeMaterials(ctx, p.Refs)
	if err != nil {
		return Material{}, err
	}
	return found[0], nil
}

// Process returns the single read of the process found by Find.
func (p Page) Process(ctx context.Context) (Process, error) {
	found, err := p.Processes(ctx, p.Refs)
	if err != nil {
		return Process{}, err
	}
	found[0].hideFlowBased()
	return found[0], nil
}

// Property returns a property of the material found by Find, or a NotFound fault.
func (p Page) Property(ctx context.Context, id string) (Property, error) {
	found, err := p.Materials(ctx, p.Refs)
	if err != nil {
		return Property{}, err
	}
	return rowWith(id, p, found[0].Properties, "property", func(row *Property) lci.ID { return row.ID })
}

// Impact returns an impact row of the process found by Find, or a NotFound fault.
func (p Page) Impact(ctx context.Context, id string) (Impact, error) {
	found, err := p.Process(ctx)
	if err != nil {
		return Impact{}, err
	}
	return rowWith(id, p, found.Impacts, "impact", func(row *Impact) lci.ID { return row.ID })
}

func rowWith[V any](text string, p Page, rows []V, what string, idOf func(*V) lci.ID) (V, error) {
	if id, ok := lci.ParseID(text); ok {
		for i := range rows {
			if idOf(&rows[i]) == id {
				return rows[i], nil
			}
		}
	}
	var none V
	kind := []string{"Material", "Process"}[p.Kind]
	return none, fault.NotFoundf("%s %s has no %s %s", kind, p.Refs[0].ID, what, shortened(text))
}
