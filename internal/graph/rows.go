package graph

import (
	"unique"

	"github.com/maypok86/otter/v2"

	"cradle/internal/gql"
	"cradle/internal/library"
)

// rowCache remembers rendered records. Rows are kept under the record's ref, so
// that a row is only ever seen by those who see the same of the record.
type rowCache struct {
	rows *otter.Cache[rowKey, gql.Row]
}

// rowKey names one rendering of one record for all who see the same of it.
type rowKey struct {
	ref    library.Ref
	shape  unique.Handle[string]
	single bool   // as the single read shows it
	child  string // the property or impact row
}

func newRowCache(memory int) *rowCache {
	return &rowCache{otter.Must(&otter.Options[rowKey, gql.Row]{
		MaximumWeight: uint64(max(1, memory)),
		Weigher:       func(_ rowKey, r gql.Row) uint32 { return uint32(r.Size()) + 200 },
	})}
}

// source is where the records of a list come from.
type source[V any] struct {
	of      gql.Object[V]
	written func(library.Page, library.Ref) []byte // as REST lists it
	load    func(library.Page, []library.Ref) ([]V, error)
}

// row returns a rendered record that is at hand: remembered here, or taken out of
// what REST remembers.
func (s source[V]) row(f *API, page library.Page, ref library.Ref, selection *gql.Selection) (gql.Row, bool) {
	key := rowKey{ref: ref, shape: selection.Shape}
	if row, known := f.rows.rows.GetIfPresent(key); known {
		return row, true
	}
	text := s.written(page, ref)
	if text == nil {
		return gql.Row{}, false
	}
	row, ok := gql.Project(selection, s.of, text)
	if ok {
		f.rows.rows.Set(key, row)
	}
	return row, ok
}

// listed renders the records of a page for each selection, loading at once those
// that are not at hand.
func listed[V any](f *API, page library.Page, selections []*gql.Selection, from source[V]) (map[*gql.Selection][]gql.Row, error) {
	rows := make(map[*gql.Selection][]gql.Row, len(selections))
	var missing []library.Ref
	for i, ref := range page.Refs {
		complete := true
		for _, s := range selections {
			if rows[s] == nil {
				rows[s] = make([]gql.Row, len(page.Refs))
			}
			row, known := from.row(f, page, ref, s)
			rows[s][i], complete = row, complete && known
		}
		if !complete {
			missing = append(missing, ref)
		}
	}
	if len(missing) == 0 {
		return rows, nil
	}
	views, err := from.load(page, missing)
	if err != nil {
		return nil, err
	}
	at := 0
	for i, ref := range page.Refs {
		if at == len(missing) || ref != missing[at] {
			continue
		}
		for _, s := range selections {
			rows[s][i] = gql.Render(s, from.of, &views[at])
			f.rows.rows.Set(rowKey{ref: ref, shape: s.Shape}, rows[s][i])
		}
		at++
	}
	return rows, nil
}

// single renders one record, or a row of it, as the single read shows it.
func single[V any](f *API, ref library.Ref, child string, s *gql.Selection, of gql.Object[V], load func() (V, error)) (gql.Row, error) {
	key := rowKey{ref: ref, shape: s.Shape, single: true, child: child}
	if row, known := f.rows.rows.GetIfPresent(key); known {
		return row, nil
	}
	view, err := load()
	if err != nil {
		return gql.Row{}, err
	}
	row := gql.Render(s, of, &view)
	f.rows.rows.Set(key, row)
	return row, nil
}
