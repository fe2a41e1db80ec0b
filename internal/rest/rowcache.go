package rest

import (
	"encoding/json"
	"sync"
	"sync/atomic"

	"cradle/internal/cache"
	"cradle/internal/gateway"
	"cradle/internal/library"
)

// row is a rendered record.
type row struct {
	text []byte
	sum  gateway.Sum
}

func render(body any) (*row, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return &row{text: text, sum: gateway.SumOf(text)}, nil
}

// size is the approximate size of a row in bytes.
func (r *row) size() int64 { return int64(len(r.text)) + 80 }

// rowCache caches rendered records. A row that all viewers see alike is kept in
// a table at the record's place; any other row, and every single read, is kept
// under its ref. Tables therefore never hold anything that a team has revealed.
type rowCache struct {
	most int64 // bytes in tables
	used atomic.Int64

	mu     sync.RWMutex
	tables map[tableKey]*rowTable

	others *cache.Cache[rowKey, *row]
}

// rowKey identifies one rendering of one record, for all viewers who see it
// alike.
type rowKey struct {
	tableKey
	ref    library.Ref
	single bool   // as the single read shows it
	child  string // the property or impact row
}

type tableKey struct {
	kind    library.Kind
	version gateway.Version
}

// otherShare is the fraction of the memory, 1/otherShare, that is not for
// tables.
const otherShare = 8

func newRowCache(memory int) *rowCache {
	return &rowCache{
		most:   int64(memory - memory/otherShare),
		tables: map[tableKey]*rowTable{},
		others: cache.New(memory/otherShare, func(_ rowKey, r *row) int { return int(r.size()) + 100 }),
	}
}

func (c *rowCache) get(key rowKey) *row {
	r, _ := c.others.Get(key)
	return r
}

func (c *rowCache) put(key rowKey, r *row) { c.others.Put(key, r) }

// rowTable holds the rows of one list in one edition and version.
type rowTable struct {
	key     tableKey
	cache   *rowCache
	edition int64
	rows    []atomic.Pointer[row]
	hand    atomic.Uint32 // where the search for the next row to evict starts
	retired atomic.Bool   // replaced by a newer edition's table
}

// table returns the table for a page's rows. A page of an outdated edition gets
// a temporary table.
func (c *rowCache) table(v gateway.Version, page library.Page) *rowTable {
	key := tableKey{page.Kind, v}
	c.mu.RLock()
	known := c.tables[key]
	c.mu.RUnlock()
	if known != nil && known.edition == page.Edition {
		return known
	}
	made := &rowTable{key: key, cache: c, edition: page.Edition, rows: make([]atomic.Pointer[row], page.Size)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known = c.tables[key]; known != nil && known.edition == page.Edition {
		return known
	}
	if known != nil && known.edition > page.Edition {
		made.retired.Store(true)
		return made
	}
	if known != nil {
		known.retire()
	}
	c.tables[key] = made
	return made
}

// full reports whether the tables have used up their memory.
func (c *rowCache) full() bool { return c.used.Load() >= c.most }

func (t *rowTable) get(ref library.Ref) *row {
	if ref.Shared() {
		return t.rows[ref.Place].Load()
	}
	return t.cache.get(rowKey{tableKey: t.key, ref: ref})
}

func (t *rowTable) put(ref library.Ref, r *row) {
	if !ref.Shared() {
		t.cache.put(rowKey{tableKey: t.key, ref: ref}, r)
		return
	}
	before := t.rows[ref.Place].Swap(r)
	grown := r.size()
	if before != nil {
		grown -= before.size()
	}
	if t.cache.used.Add(grown) > t.cache.most {
		t.makeRoom(grown)
	}
	if t.retired.Load() {
		t.retire()
	}
}

// makeRoom evicts rows, going round the table, until the needed bytes are free.
func (t *rowTable) makeRoom(needed int64) {
	for tries := 0; needed > 0 && tries < len(t.rows); tries++ {
		at := int(t.hand.Add(1)) % len(t.rows)
		if gone := t.rows[at].Swap(nil); gone != nil {
			t.cache.used.Add(-gone.size())
			needed -= gone.size()
		}
	}
}

// retire drops every row. A reader that still has the table may add rows; it
// must then retire the table again.
func (t *rowTable) retire() {
	t.retired.Store(true)
	for i := range t.rows {
		if gone := t.rows[i].Swap(nil); gone != nil {
			t.cache.used.Add(-gone.size())
		}
	}
}
