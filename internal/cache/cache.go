// Package cache remembers what can be made again, in a bounded amount of memory.
//
// There is one kind of cache, and nothing in it is ever invalidated: a key names
// everything that its value depends on, versions and editions included. What
// nobody asks for any more makes room for what is asked for.
package cache

import "github.com/maypok86/otter/v2"

// A Cache remembers values by key. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	entries *otter.Cache[K, V]
}

// overhead is about what the cache itself needs for an entry, in bytes.
const overhead = 128

// New returns a cache of at most so many bytes; size tells how many an entry takes.
func New[K comparable, V any](bytes int, size func(K, V) int) *Cache[K, V] {
	return &Cache[K, V]{otter.Must(&otter.Options[K, V]{
		MaximumWeight: uint64(max(1, bytes)),
		Weigher:       func(k K, v V) uint32 { return uint32(overhead + size(k, v)) },
	})}
}

func (c *Cache[K, V]) Get(key K) (V, bool) { return c.entries.GetIfPresent(key) }

// Put remembers a value. One that is put again because it grew takes its new size.
func (c *Cache[K, V]) Put(key K, value V) { c.entries.Set(key, value) }
