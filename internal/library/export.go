package library

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// Export calls write with what the viewer's team has pulled. All rows are of one
// edition: when an import finishes in between, they end with ErrMoved and write is
// called again.
func (l *Library) Export(ctx context.Context, v account.Viewer, write func(*Pulled) error) error {
	return UntilStill(func() error {
		p, err := l.pulled(ctx, v)
		if err != nil {
			return err
		}
		return write(p)
	})
}

// Pulled is what a team has pulled, as the rows of a library: every number that
// the viewer is shown and no other. Exchanges are most of it, so they are read
// only on demand.
type Pulled struct {
	mask            *mask
	has             map[record]bool
	methods         []lci.Method
	materials       []lci.Material
	properties      []lci.Property
	materialImpacts []lci.MaterialImpact
	processes       []lci.Process
	impacts         []lci.Impact
	inventory       Page // the processes that show exchanges, in the order of ids
}

func (l *Library) pulled(ctx context.Context, v account.Viewer) (*Pulled, error) {
	mask, err := l.maskFor(ctx, v)
	if err != nil {
		return nil, err
	}
	p := &Pulled{mask: mask, has: map[record]bool{}, inventory: l.page(mask, Processes)}
	for r, err := range inChunks(ctx, l.pulledPage(mask, Materials), l.wholeMaterials, func(r *wholeMaterial) (lci.ID, *wholeMaterial) { return r.ID, r }) {
		if err != nil {
			return nil, err
		}
		p.addMaterial(r)
	}
	for r, err := range inChunks(ctx, l.pulledPage(mask, Processes), l.store.ProcessRecords, func(r *ProcessRecord) (lci.ID, *ProcessRecord) { return r.ID, r }) {
		if err != nil {
			return nil, err
		}
		p.addProcess(r)
	}
	p.finish()
	return p, nil
}

// pulledPage returns all records of a kind with at least one pulled item.
func (l *Library) pulledPage(by *mask, kind Kind) Page {
	page := l.page(by, kind)
	for _, at := range by.pulled(kind, nil) {
		page.Refs = append(page.Refs, by.ref(kind, at))
	}
	return page
}

// exportChunk is how many records an export reads at a time; a process may have
// thousands of exchanges.
const exportChunk = 50

// inChunks makes views of a page's records, a chunk at a time. It checks ctx
// itself because SQLite statements do not.
func inChunks[R, V any](ctx context.Context, p Page, read func(context.Context, []lci.ID) ([]R, error), view func(*R) (lci.ID, V)) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		for refs := range slices.Chunk(p.Refs, exportChunk) {
			var found []V
			err := ctx.Err()
			if err == nil {
				found, err = views(ctx, p, refs, read, view)
			}
			if err != nil {
				var none V
				yield(none, err)
				return
			}
			for _, v := range found {
				if !yield(v, nil) {
					return
				}
			}
		}
	}
}

// wholeMaterial is a material with the impacts of its properties.
type wholeMaterial struct {
	MaterialRecord
	impacts []lci.MaterialImpact
}

func (l *Library) wholeMaterials(ctx context.Context, ids []lci.ID) ([]wholeMaterial, error) {
	impacts, err := l.store.MaterialImpacts(ctx, ids)
	if err != nil {
		return nil, err
	}
	records, err := l.store.MaterialRecords(ctx, ids)
	whole := make([]wholeMaterial, len(records))
	for i, r := range records {
		whole[i] = wholeMaterial{r, impacts[r.ID]}
	}
	return whole, err
}

// finish sorts the rows and adds the methods they were calculated with.
func (p *Pulled) finish() {
	slices.SortFunc(p.inventory.Refs, func(a, b Ref) int { return a.ID.Compare(b.ID) })
	slices.SortFunc(p.properties, func(a, b lci.Property) int {
		return cmp.Or(a.MaterialID.Compare(b.MaterialID), cmp.Compare(a.Position, b.Position), a.ID.Compare(b.ID))
	})
	used := map[lci.ID]bool{}
	for _, i := range p.materialImpacts {
		used[i.MethodID] = true
	}
	slices.SortFunc(p.materialImpacts, func(a, b lci.MaterialImpact) int {
		return cmp.Or(a.PropertyID.Compare(b.PropertyID), cmp.Compare(a.Position, b.Position), a.ID.Compare(b.ID))
	})
	for _, i := range p.impacts {
		used[i.MethodID] = true
	}
	slices.SortFunc(p.impacts, func(a, b lci.Impact) int {
		return cmp.Or(a.ProcessID.Compare(b.ProcessID), cmp.Compare(a.Position, b.Position), a.ID.Compare(b.ID))
	})
	for _, m := range p.mask.edition.methods {
		if used[m.ID] {
			p.methods = append(p.methods, lci.Method{ID: m.ID, Name: m.Name, Version: m.Version})
		}
	}
	slices.SortFunc(p.methods, func(a, b lci.Method) int { return a.ID.Compare(b.ID) })
}

// Methods returns the methods that the rows were calculated with.
func (p *Pulled) Methods(context.Context) iter.Seq2[lci.Method, error] { return sequence(p.methods) }

// Materials returns materials in list order.
func (p *Pulled) Materials(context.Context) iter.Seq2[lci.Material, error] {
	return sequence(p.materials)
}

// Properties returns properties in the order of their materials' ids.
func (p *Pulled) Properties(context.Context) iter.Seq2[lci.Property, error] {
	return sequence(p.properties)
}

// MaterialImpacts returns impacts in the order of their properties' ids.
func (p *Pulled) MaterialImpacts(context.Context) iter.Seq2[lci.MaterialImpact, error] {
	return sequence(p.materialImpacts)
}

// Processes returns processes in list order.
func (p *Pulled) Processes(context.Context) iter.Seq2[lci.Process, error] {
	return sequence(p.processes)
}

// Exchanges returns exchanges in the order of their processes' ids.
func (p *Pulled) Exchanges(ctx context.Context) iter.Seq2[lci.Exchange, error] {
	return func(yield func(lci.Exchange, error) bool) {
		read := p.inventory.library.store.ProcessRecords
		for rows, err := range inChunks(ctx, p.inventory, read, func(r *ProcessRecord) (lci.ID, []lci.Exchange) { return r.ID, p.exchanges(r) }) {
			if err != nil {
				yield(lci.Exchange{}, err)
				return
			}
			for _, x := range rows {
				if !yield(x, nil) {
					return
				}
			}
		}
	}
}

// Impacts returns impacts in the order of their processes' ids.
func (p *Pulled) Impacts(context.Context) iter.Seq2[lci.Impact, error] { return sequence(p.impacts) }

// No viewer sees the rest of a library, so a team's export leaves it out.

func (*Pulled) Indicators(context.Context) iter.Seq2[lci.Indicator, error] {
	return sequence[lci.Indicator](nil)
}

func (*Pulled) Factors(context.Context) iter.Seq2[lci.Factor, error] {
	return sequence[lci.Factor](nil)
}

func (*Pulled) Flows(context.Context) iter.Seq2[lci.Flow, error] { return sequence[lci.Flow](nil) }

func (*Pulled) Allocations(context.Context) iter.Seq2[lci.Allocation, error] {
	return sequence[lci.Allocation](nil)
}

func sequence[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}
