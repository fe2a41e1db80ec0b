package rest

import (
	"crypto/sha256"
	"encoding/json"
	"errors"

	"github.com/maypok86/otter/v2"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

// rowKey names one rendering of one record for all who see the same of it.
type rowKey struct {
	ref     library.Ref
	shape   shape
	version gateway.Version // of a list's item
	child   string          // the property or impact row
}

type shape uint8

const (
	listedMaterial shape = iota
	listedProcess
	readMaterial
	readProcess
	readProperty
	readImpact
)

// row is a rendered record.
type row struct {
	text []byte
	sum  gateway.Sum
}

// rowCache remembers rendered records. An entry is shared between viewers only
// where the library says that they see the same.
type rowCache struct {
	cache *otter.Cache[rowKey, row]
}

// rowOverhead is about what an entry takes beside its text.
const rowOverhead = 240

func newRowCache(memory int) *rowCache {
	return &rowCache{otter.Must(&otter.Options[rowKey, row]{
		MaximumWeight: uint64(max(1, memory)),
		Weigher:       func(_ rowKey, r row) uint32 { return uint32(len(r.text) + rowOverhead) },
	})}
}

// keep renders and remembers.
func (c *rowCache) keep(key rowKey, body any) (row, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return row{}, err
	}
	r := row{text: text, sum: gateway.SumOf(text)}
	c.cache.Set(key, r)
	return r, nil
}

// list is how one kind of record is listed in one version.
type list[V any] struct {
	shape shape
	find  func(library.Query) (library.Page, error)
	load  func(library.Page, []library.Ref) ([]V, error)
	item  func(*V) any
	tail  func(library.Page) []byte
}

// answerList answers with the page that a query asks for.
func answerList[V any](f *Face, c *gateway.Call, q library.Query, l list[V]) error {
	var page library.Page
	var rows []row
	err := untilStill(func() (err error) {
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

// mostTries bounds how often a read follows a catalogue that keeps moving.
const mostTries = 5

// untilStill reads again when an import finished in between.
func untilStill(read func() error) error {
	for try := 1; ; try++ {
		err := read()
		if !errors.Is(err, library.ErrMoved) || try == mostTries {
			return err
		}
	}
}

// rowsOf returns the page's rows, loading only those not remembered.
func rowsOf[V any](f *Face, c *gateway.Call, page library.Page, l list[V]) ([]row, error) {
	rows := make([]row, len(page.Refs))
	var missing []library.Ref
	var at []int
	for i, ref := range page.Refs {
		known, ok := f.rows.cache.GetIfPresent(rowKey{ref: ref, shape: l.shape, version: c.Version})
		if !ok {
			missing, at = append(missing, ref), append(at, i)
		}
		rows[i] = known
	}
	if len(missing) == 0 {
		return rows, nil
	}
	views, err := l.load(page, missing)
	if err != nil {
		return nil, err
	}
	for i := range views {
		made, err := f.rows.keep(rowKey{ref: missing[i], shape: l.shape, version: c.Version}, l.item(&views[i]))
		if err != nil {
			return nil, err
		}
		rows[at[i]] = made
	}
	return rows, nil
}

// pageContent is the content of a list. Its sum is made of the rows' sums, so that
// nothing has to be read again to know it.
func pageContent(page library.Page, rows []row, tail []byte) gateway.Content {
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
func answerRecord(f *Face, c *gateway.Call, s shape, child string, find func() (library.Page, error), view func(library.Page) (any, error)) error {
	var known row
	var shared bool
	err := untilStill(func() error {
		page, err := find()
		if err != nil {
			return err
		}
		shared = page.Refs[0].Shared()
		key := rowKey{ref: page.Refs[0], shape: s, child: child}
		var ok bool
		if known, ok = f.rows.cache.GetIfPresent(key); ok {
			return nil
		}
		body, err := view(page)
		if err != nil {
			return err
		}
		known, err = f.rows.keep(key, body)
		return err
	})
	if err != nil {
		return err
	}
	return c.Read(gateway.Content{Sum: known.sum, Shared: shared, Append: func(to []byte) []byte { return append(to, known.text...) }})
}
