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
func (f *Face) MakeReady(ctx context.Context) error {
	current := versions[gateway.Current]
	if err := makeReady(ctx, f.rows, listedMaterial, f.library.SweepMaterials(ctx), f.library.MaterialsOf, current.material); err != nil {
		return err
	}
	return makeReady(ctx, f.rows, listedProcess, f.library.SweepProcesses(ctx), f.library.ProcessesOf, current.process)
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
		shelf := rows.shelf(s, gateway.Current, page)
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
