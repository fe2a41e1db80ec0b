package rest

import (
	"context"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

// MakeReady renders the rows that lists of the current version need, as far as
// memory allows. It returns library.ErrMoved when an import finishes in between;
// it can then be called again.
func (a *API) MakeReady(ctx context.Context) error {
	current := versions[gateway.Current]
	if err := makeReady(ctx, a, library.Materials, library.Page.Materials, current.materials.item); err != nil {
		return err
	}
	return makeReady(ctx, a, library.Processes, library.Page.Processes, current.processes.item)
}

func makeReady[V any](ctx context.Context, a *API, kind library.Kind, records load[V], item func(*V) any) error {
	for page, err := range a.library.Sweep(ctx, kind) {
		if err != nil || a.rows.full() {
			return err
		}
		if _, err := rowsOf(ctx, a.rows.table(gateway.Current, page), page, records, item); err != nil {
			return err
		}
	}
	return nil
}
