package rest

import (
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

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

func render(body any) (*row, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return &row{text: text, sum: gateway.SumOf(text)}, nil
}

// size is about what a row takes of memory.
func (r *row) size() int64 { return int64(len(r.text)) + 80 }

// rowCache remembers rendered records. A row that is the same for all stands on
// a shelf, at the record's own place; any other, and every single read, is kept
// under its ref. So nothing that a team has revealed is ever on a shelf.
type rowCache struct {
	most int64 // bytes on tables
	used atomic.Int64

	mu     sync.RWMutex
	tables map[tableKey]*rowTable

	others *otter.Cache[rowKey, *row]
}

// rowKey names one rendering of one record for all who see the same of it.
type rowKey struct {
	ref     library.Ref
	shape   shape
	version gateway.Version // of a list's item
	child   string          // the property or impact row
}

type tableKey struct {
	shape   shape
	version gateway.Version
}

// otherShare is the part of the memory that is not for tables.
const otherShare = 8

func newRowCache(memory int) *rowCache {
	c := &rowCache{most: int64(memory - memory/otherShare), tables: map[tableKey]*rowTable{}}
	c.others = otter.Must(&otter.Options[rowKey, *row]{
		MaximumWeight: uint64(max(1, memory/otherShare)),
		Weigher:       func(_ rowKey, r *row) uint32 { return uint32(r.size()) + 160 },
	})
	return c
}

func (c *rowCache) get(key rowKey) *row {
	r, _ := c.others.GetIfPresent(key)
	return r
}

func (c *rowCache) put(key rowKey, r *row) { c.others.Set(key, r) }

// rowTable is the rows of one list in one edition and version.
type rowTable struct {
	key     tableKey
	cache   *rowCache
	edition int64
	rows    []atomic.Pointer[row]
	hand    atomic.Uint32 // where the next row to be forgotten is looked for
	retired atomic.Bool   // a newer edition's shelf stands in its place
}

// shelf returns the shelf that a page's rows stand on. A page of an edition that
// is no longer the newest gets one of its own, for this once.
func (c *rowCache) table(s shape, v gateway.Version, page library.Page) *rowTable {
	key := tableKey{s, v}
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

// full says whether there is no room for more on any shelf.
func (c *rowCache) full() bool { return c.used.Load() >= c.most }

func (s *rowTable) get(ref library.Ref) *row {
	if ref.Shared() {
		return s.rows[ref.Place].Load()
	}
	return s.cache.get(rowKey{ref: ref, shape: s.key.shape, version: s.key.version})
}

func (s *rowTable) put(ref library.Ref, r *row) {
	if !ref.Shared() {
		s.cache.put(rowKey{ref: ref, shape: s.key.shape, version: s.key.version}, r)
		return
	}
	before := s.rows[ref.Place].Swap(r)
	grown := r.size()
	if before != nil {
		grown -= before.size()
	}
	if s.cache.used.Add(grown) > s.cache.most {
		s.makeRoom(grown)
	}
	if s.retired.Load() {
		s.retire()
	}
}

// makeRoom forgets rows, one after the other around the shelf, until as much is
// free again.
func (s *rowTable) makeRoom(needed int64) {
	for tries := 0; needed > 0 && tries < len(s.rows); tries++ {
		at := int(s.hand.Add(1)) % len(s.rows)
		if gone := s.rows[at].Swap(nil); gone != nil {
			s.cache.used.Add(-gone.size())
			needed -= gone.size()
		}
	}
}

// retire forgets every row. A reader that still has the shelf may put some back
// and then retires it once more.
func (s *rowTable) retire() {
	s.retired.Store(true)
	for i := range s.rows {
		if gone := s.rows[i].Swap(nil); gone != nil {
			s.cache.used.Add(-gone.size())
		}
	}
}
