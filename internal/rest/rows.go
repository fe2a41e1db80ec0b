package rest

import (
	"context"
	"crypto/sha256"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

// list describes how a version lists one kind of record.
type list[V any] struct {
	item func(*V) any
	tail func(library.Page) []byte // what follows the items
}

// load reads the records of a page named by refs.
type load[V any] func(page library.Page, ctx context.Context, refs []library.Ref) ([]V, error)

// answerList answers with the page for a query.
func answerList[V any](a *API, c *gateway.Call, kind library.Kind, q library.Query, records load[V], l list[V]) error {
	var page library.Page
	var rows []*row
	err := library.UntilStill(func() (err error) {
		if page, err = a.library.List(c.Request.Context(), c.Viewer, kind, q); err != nil {
			return err
		}
		rows, err = rowsOf(c.Request.Context(), a.rows.table(c.Version, page), page, records, l.item)
		return err
	})
	if err != nil {
		return err
	}
	return c.Read(pageContent(page, rows, l.tail(page)))
}

// rowsOf returns the page's rows and loads only those not in the cache.
func rowsOf[V any](ctx context.Context, kept *rowTable, page library.Page, records load[V], item func(*V) any) ([]*row, error) {
	rows := make([]*row, len(page.Refs))
	var missing []library.Ref
	var at []int
	for i, ref := range page.Refs {
		if rows[i] = kept.get(ref); rows[i] == nil {
			missing, at = append(missing, ref), append(at, i)
		}
	}
	if len(missing) == 0 {
		return rows, nil
	}
	views, err := records(page, ctx, missing)
	if err != nil {
		return nil, err
	}
	for i := range views {
		made, err := render(item(&views[i]))
		if err != nil {
			return nil, err
		}
		kept.put(missing[i], made)
		rows[at[i]] = made
	}
	return rows, nil
}

// pageContent is the content of a list. Its sum is made of the rows' sums, so
// that the rows need not be hashed again.
func pageContent(page library.Page, rows []*row, tail []byte) gateway.Content {
	sums := make([]byte, 0, 512)
	shared := true
	for i := range rows {
		sums = append(sums, rows[i].sum[:]...)
		shared = shared && page.Refs[i].Shared()
	}
	full := sha256.Sum256(append(sums, tail...))
	return gateway.Content{Sum: gateway.Sum(full[:16]), Shared: shared, Append: func(to []byte) []byte {
		to = append(to, `{"items":[`...)
		for i := range rows {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(to, rows[i].text...)
		}
		return append(to, tail...)
	}}
}

// answerRecord answers with one record, or with its row named by child.
func answerRecord[V any](a *API, c *gateway.Call, kind library.Kind, id, child string, view func(library.Page) (V, error), shape func(*V) any) error {
	var known *row
	var shared bool
	err := library.UntilStill(func() error {
		page, err := a.library.Find(c.Request.Context(), c.Viewer, kind, id)
		if err != nil {
			return err
		}
		shared = page.Refs[0].Shared()
		key := rowKey{tableKey: tableKey{kind, c.Version}, ref: page.Refs[0], single: true, child: child}
		if known = a.rows.get(key); known != nil {
			return nil
		}
		found, err := view(page)
		if err != nil {
			return err
		}
		if known, err = render(shape(&found)); err == nil {
			a.rows.put(key, known)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.Read(gateway.Content{Sum: known.sum, Shared: shared, Append: func(to []byte) []byte { return append(to, known.text...) }})
}
