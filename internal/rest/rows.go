package rest

import (
	"crypto/sha256"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

// list is how one kind of record is listed in one version.
type list[V any] struct {
	shape shape
	find  func(library.Query) (library.Page, error)
	load  func(library.Page, []library.Ref) ([]V, error)
	item  func(*V) any
	tail  func(library.Page) []byte
}

// answerList answers with the page that a query asks for.
func answerList[V any](f *API, c *gateway.Call, q library.Query, l list[V]) error {
	var page library.Page
	var rows []*row
	err := library.UntilStill(func() (err error) {
		if page, err = l.find(q); err != nil {
			return err
		}
		rows, err = rowsOf(f, c, page, l)
		return err
	})
	if err != nil {
		return err
	}
	return c.Read(pageContent(page, rows, l.tail(page)))
}

// rowsOf returns the page's rows, loading only those not remembered.
func rowsOf[V any](f *API, c *gateway.Call, page library.Page, l list[V]) ([]*row, error) {
	kept := f.rows.table(l.shape, c.Version, page)
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
	views, err := l.load(page, missing)
	if err != nil {
		return nil, err
	}
	for i := range views {
		made, err := render(l.item(&views[i]))
		if err != nil {
			return nil, err
		}
		kept.put(missing[i], made)
		rows[at[i]] = made
	}
	return rows, nil
}

// pageContent is the content of a list. Its sum is made of the rows' sums, so that
// nothing has to be read again to know it.
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

// answerRecord answers with one record, or a row of it.
func answerRecord(f *API, c *gateway.Call, s shape, child string, find func() (library.Page, error), view func(library.Page) (any, error)) error {
	var known *row
	var shared bool
	err := library.UntilStill(func() error {
		page, err := find()
		if err != nil {
			return err
		}
		shared = page.Refs[0].Shared()
		key := rowKey{ref: page.Refs[0], shape: s, child: child}
		if known = f.rows.get(key); known != nil {
			return nil
		}
		body, err := view(page)
		if err != nil {
			return err
		}
		if known, err = render(body); err == nil {
			f.rows.put(key, known)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.Read(gateway.Content{Sum: known.sum, Shared: shared, Append: func(to []byte) []byte { return append(to, known.text...) }})
}
