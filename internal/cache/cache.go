// Package cache keeps values that can be recomputed in a bounded amount of
// memory.
//
// Nothing in a cache is ever invalidated: a key names everything that its value
// depends on, versions and editions included. Entries that are no longer used
// are evicted.
package cache

import "github.com/maypok86/otter/v2"

// A Cache holds values by key. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	entries *otter.Cache[K, V]
}

// overhead is the cache's approximate overhead per entry, in bytes.
const overhead = 128

// New returns a cache of at most the given bytes; size returns the bytes of an
// entry.
func New[K comparable, V any](bytes int, size func(K, V) int) *Cache[K, V] {
	return &Cache[K, V]{otter.Must(&otter.Options[K, V]{
		MaximumWeight: uint64(max(1, bytes)),
		Weigher:       func(k K, v V) uint32 { return uint32(overhead + size(k, v)) },
	})}
}

func (c *Cache[K, V]) Get(key K) (V, bool) { return c.entries.GetIfPresent(key) }

// Put stores a value. Putting a value again updates its size.
func (c *Cache[K, V]) Put(key K, value V) { c.entries.Set(key, value) }
