package graph

import (
	"context"
	"unique"

	"cradle/internal/cache"
	"cradle/internal/gql"
	"cradle/internal/library"
)

// rowCache caches rendered records.
type rowCache = cache.Cache[rowKey, gql.Row]

// rowKey identifies one rendering of one record, for all viewers with the same
// ref.
type rowKey struct {
	kind   library.Kind
	ref    library.Ref
	shape  unique.Handle[string]
	single bool   // as the single read shows it
	child  string // the property or impact row
}

func newRowCache(memory int) *rowCache {
	return cache.New(memory, func(_ rowKey, r gql.Row) int { return r.Size() + 100 })
}

// load reads the records of a page named by refs.
type load[V any] func(page library.Page, ctx context.Context, refs []library.Ref) ([]V, error)

// atHand returns a rendered record without loading it: from the cache, or from
// the item that REST has cached. Only here does the code rely on GraphQL's
// fields having the names and values of REST's. A record whose item lacks a
// requested field is loaded.
func atHand[V any](a *API, page library.Page, ref library.Ref, selection *gql.Selection, of gql.Object[V]) (gql.Row, bool) {
	key := rowKey{kind: page.Kind, ref: ref, shape: selection.Shape}
	if row, known := a.rows.Get(key); known {
		return row, true
	}
	item := a.written.Written(page, ref)
	if item == nil {
		return gql.Row{}, false
	}
	row, ok := gql.Project(selection, of, item)
	if ok {
		a.rows.Put(key, row)
	}
	return row, ok
}

// listed renders the records of a page for each selection. It loads all that are
// not at hand in one go.
func listed[V any](ctx context.Context, a *API, page library.Page, selections []*gql.Selection, of gql.Object[V], records load[V]) (map[*gql.Selection][]gql.Row, error) {
	rows := make(map[*gql.Selection][]gql.Row, len(selections))
	var missing []library.Ref
	for i, ref := range page.Refs {
		complete := true
		for _, s := range selections {
			if rows[s] == nil {
				rows[s] = make([]gql.Row, len(page.Refs))
			}
			row, known := atHand(a, page, ref, s, of)
			rows[s][i], complete = row, complete && known
		}
		if !complete {
			missing = append(missing, ref)
		}
	}
	if len(missing) == 0 {
		return rows, nil
	}
	views, err := records(page, ctx, missing)
	if err != nil {
		return nil, err
	}
	at := 0
	for i, ref := range page.Refs {
		if at == len(missing) || ref != missing[at] {
			continue
		}
		for _, s := range selections {
			rows[s][i] = gql.Render(s, of, &views[at])
			a.rows.Put(rowKey{kind: page.Kind, ref: ref, shape: s.Shape}, rows[s][i])
		}
		at++
	}
	return rows, nil
}

// single renders one record, or a row of it, as the single read shows it.
func single[V any](a *API, page library.Page, child string, s *gql.Selection, of gql.Object[V], view func(library.Page) (V, error)) (gql.Row, error) {
	key := rowKey{kind: page.Kind, ref: page.Refs[0], shape: s.Shape, single: true, child: child}
	if row, known := a.rows.Get(key); known {
		return row, nil
	}
	found, err := view(page)
	if err != nil {
		return gql.Row{}, err
	}
	row := gql.Render(s, of, &found)
	a.rows.Put(key, row)
	return row, nil
}
