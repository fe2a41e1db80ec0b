package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"cradle/internal/cache"
	"cradle/internal/gql"
)

// documents caches documents by their text, and texts by the hash under which a
// client may send them again. Refused documents are not kept, so that they
// cannot evict good ones.
type documents struct {
	schema *gql.Schema
	parsed *cache.Cache[string, *gql.Document]
	hashed *cache.Cache[string, string]
}

// A parsed document takes many times the memory of its text.
const (
	parsedWeight = 64
	entryWeight  = 4096
)

func newDocuments(schema *gql.Schema, memory int) *documents {
	return &documents{
		schema: schema,
		parsed: cache.New(memory-memory/4, func(text string, _ *gql.Document) int { return parsedWeight*len(text) + entryWeight }),
		hashed: cache.New(memory/4, func(hash, text string) int { return len(hash) + len(text) }),
	}
}

func (d *documents) get(text string) (*gql.Document, []*gql.Error) {
	if known, ok := d.parsed.Get(text); ok {
		return known, nil
	}
	made, bad := d.schema.Parse(text)
	if bad == nil {
		d.parsed.Put(strings.Clone(text), made)
	}
	return made, bad
}

// named returns the text stored under a hash.
func (d *documents) named(hash string) (string, bool) { return d.hashed.Get(hash) }

// name stores a text under its hash.
func (d *documents) name(hash, text string) { d.hashed.Put(hash, text) }

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
