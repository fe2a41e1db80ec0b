package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/maypok86/otter/v2"

	"cradle/internal/gql"
)

// documents remembers documents by their text, and texts by the hash under which
// a client may send them again. One that is refused is never kept, so that it
// cannot push out good ones.
type documents struct {
	schema *gql.Schema
	parsed *otter.Cache[string, *gql.Document]
	hashed *otter.Cache[string, string]
}

// A parsed document takes many times the memory of its text.
const (
	parsedWeight = 64
	entryWeight  = 4096
)

func newDocuments(schema *gql.Schema, memory int) *documents {
	return &documents{
		schema: schema,
		parsed: otter.Must(&otter.Options[string, *gql.Document]{
			MaximumWeight: uint64(max(1, memory-memory/4)),
			Weigher:       func(text string, _ *gql.Document) uint32 { return uint32(parsedWeight*len(text) + entryWeight) },
		}),
		hashed: otter.Must(&otter.Options[string, string]{
			MaximumWeight: uint64(max(1, memory/4)),
			Weigher:       func(_, text string) uint32 { return uint32(len(text) + 256) },
		}),
	}
}

func (d *documents) get(text string) (*gql.Document, []*gql.Error) {
	if known, ok := d.parsed.GetIfPresent(text); ok {
		return known, nil
	}
	made, bad := d.schema.Parse(text)
	if bad == nil {
		d.parsed.Set(strings.Clone(text), made)
	}
	return made, bad
}

// named returns the text that was sent with a hash.
func (d *documents) named(hash string) (string, bool) { return d.hashed.GetIfPresent(hash) }

// name remembers a text under its hash.
func (d *documents) name(hash, text string) { d.hashed.Set(hash, text) }

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
