package rest

import (
	"context"
	"iter"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

// MakeReady renders what lists of the current version will be asked for, as far
// as there is memory for it. It returns library.ErrMoved when an import came in
// between; then it can be done again.
func (a *API) MakeReady(ctx context.Context) error {
	current := versions[gateway.Current]
	if err := makeReady(ctx, a.rows, listedMaterial, a.library.SweepMaterials(ctx), a.library.MaterialsOf, current.material); err != nil {
		return err
	}
	return makeReady(ctx, a.rows, listedProcess, a.library.SweepProcesses(ctx), a.library.ProcessesOf, current.process)
}

func makeReady[V any](ctx context.Context, rows *rowCache, s shape, pages iter.Seq2[library.Page, error],
	load func(context.Context, library.Page, []library.Ref) ([]V, error), item func(*V) any) error {
	for page, err := range pages {
		if err != nil || rows.full() {
			return err
		}
		views, err := load(ctx, page, page.Refs)
		if err != nil {
			return err
		}
		shelf := rows.table(s, gateway.Current, page)
		for i := range views {
			made, err := render(item(&views[i]))
			if err != nil {
				return err
			}
			shelf.put(page.Refs[i], made)
		}
	}
	return nil
}
