package library

import (
	"context"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// MaterialsOf returns the page's materials that refs names, in their order. It
// returns ErrMoved when the page must be asked for again.
func (l *Library) MaterialsOf(ctx context.Context, p Page, refs []Ref) ([]Material, error) {
	records, err := l.store.MaterialRecords(ctx, idsOf(refs))
	if err != nil {
		return nil, err
	}
	if err := l.stillAt(ctx, p.mask.edition); err != nil {
		return nil, err
	}
	return inOrder(refs, records, func(r *MaterialRecord) (lci.ID, Material) { return r.ID, p.mask.material(r) })
}

// ProcessesOf returns the page's processes that refs names, as MaterialsOf does.
func (l *Library) ProcessesOf(ctx context.Context, p Page, refs []Ref) ([]Process, error) {
	records, err := l.store.ProcessRecords(ctx, idsOf(refs))
	if err != nil {
		return nil, err
	}
	if err := l.stillAt(ctx, p.mask.edition); err != nil {
		return nil, err
	}
	return inOrder(refs, records, func(r *ProcessRecord) (lci.ID, Process) { return r.ID, p.mask.process(r) })
}

func idsOf(refs []Ref) []lci.ID {
	ids := make([]lci.ID, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	return ids
}

func inOrder[R, V any](refs []Ref, records []R, view func(*R) (lci.ID, V)) ([]V, error) {
	if len(records) != len(refs) {
		return nil, ErrMoved
	}
	byID := make(map[lci.ID]V, len(records))
	for i := range records {
		id, v := view(&records[i])
		byID[id] = v
	}
	views := make([]V, len(refs))
	for i, r := range refs {
		views[i] = byID[r.ID]
	}
	return views, nil
}

// FindMaterial returns the page that holds the one material with the id, or a
// NotFound fault.
func (l *Library) FindMaterial(ctx context.Context, v account.Viewer, id string) (Page, error) {
	return l.find(ctx, v, id, func(e *edition) *nameIndex { return &e.materials }, noMaterial)
}

// FindProcess returns the page that holds the one process with the id, or a
// NotFound fault.
func (l *Library) FindProcess(ctx context.Context, v account.Viewer, id string) (Page, error) {
	return l.find(ctx, v, id, func(e *edition) *nameIndex { return &e.processes }, noProcess)
}

func (l *Library) find(ctx context.Context, v account.Viewer, text string, of func(*edition) *nameIndex, missing func(string) error) (Page, error) {
	id, ok := lci.ParseID(text)
	if !ok {
		return Page{}, missing(shortened(text))
	}
	mask, err := l.maskFor(ctx, v)
	if err != nil {
		return Page{}, err
	}
	s := of(mask.edition)
	place, there := s.position(id)
	if !there || !mask.edition.visible(id, v.Team) {
		return Page{}, missing(id.String())
	}
	return Page{Refs: []Ref{mask.ref(s, place)}, Total: 1, Edition: mask.edition.generation, Size: len(s.ids), mask: mask}, nil
}

// MaterialOf returns the single read of the material that FindMaterial found.
func (l *Library) MaterialOf(ctx context.Context, p Page) (Material, error) {
	found, err := l.WholeMaterialsOf(ctx, p, p.Refs)
	if err != nil {
		return Material{}, err
	}
	return found[0], nil
}

// WholeMaterialsOf is MaterialsOf with the materials' impacts.
func (l *Library) WholeMaterialsOf(ctx context.Context, p Page, refs []Ref) ([]Material, error) {
	impacts, err := l.store.MaterialImpacts(ctx, idsOf(refs))
	if err != nil {
		return nil, err
	}
	found, err := l.MaterialsOf(ctx, p, refs)
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

// ProcessOf returns the single read of the process that FindProcess found.
func (l *Library) ProcessOf(ctx context.Context, p Page) (Process, error) {
	found, err := l.ProcessesOf(ctx, p, p.Refs)
	if err != nil {
		return Process{}, err
	}
	found[0].hideFlowBased()
	return found[0], nil
}

// PropertyOf returns a property of the material that FindMaterial found, or a
// NotFound fault.
func (l *Library) PropertyOf(ctx context.Context, p Page, id string) (Property, error) {
	found, err := l.MaterialsOf(ctx, p, p.Refs)
	if err != nil {
		return Property{}, err
	}
	if wanted, ok := lci.ParseID(id); ok {
		for _, row := range found[0].Properties {
			if row.ID == wanted {
				return row, nil
			}
		}
	}
	return Property{}, fault.NotFoundf("Material %s has no property %s", p.Refs[0].ID, shortened(id))
}

// ImpactOf returns an impact row of the process that FindProcess found, or a
// NotFound fault.
func (l *Library) ImpactOf(ctx context.Context, p Page, id string) (Impact, error) {
	found, err := l.ProcessOf(ctx, p)
	if err != nil {
		return Impact{}, err
	}
	if wanted, ok := lci.ParseID(id); ok {
		for _, row := range found.Impacts {
			if row.ID == wanted {
				return row, nil
			}
		}
	}
	return Impact{}, fault.NotFoundf("Process %s has no impact %s", p.Refs[0].ID, shortened(id))
}
