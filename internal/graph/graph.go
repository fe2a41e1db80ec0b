// Package graph is the GraphQL API: the schema, with its fields bound to the
// packages that decide.
package graph

import (
	"context"
	_ "embed"

	"cradle/internal/account"
	"cradle/internal/gateway"
	"cradle/internal/gql"
	"cradle/internal/library"
	"cradle/internal/purchase"
)

//go:embed schema.graphql
var schemaText string

// Catalogue is what can be read; library.Library implements it.
type Catalogue interface {
	List(ctx context.Context, v account.Viewer, kind library.Kind, q library.Query) (library.Page, error)
	Find(ctx context.Context, v account.Viewer, kind library.Kind, id string) (library.Page, error)
	Methods(ctx context.Context, v account.Viewer) ([]library.Method, error)
}

// Written returns records as REST lists them; rest.API implements it.
type Written interface {
	// Written returns a record's JSON, or nil if it is not in the cache.
	Written(p library.Page, ref library.Ref) []byte
}

// Purchases takes pulls; purchase.Service implements it.
type Purchases interface {
	Pull(ctx context.Context, r purchase.Request, o purchase.Order) (purchase.Answer, bool, error)
	Quote(ctx context.Context, v account.Viewer, o purchase.Order) (purchase.Quote, error)
}

// API serves /graphql.
type API struct {
	library   Catalogue
	purchases Purchases
	written   Written
	schema    *gql.Schema
	documents *documents
	rows      *rowCache
}

// documentShare is the fraction of the memory, 1/documentShare, for documents;
// the rest is for rendered records.
const documentShare = 8

// New returns an API that caches documents and rendered records in up to memory
// bytes. It fails if the schema and its bindings do not agree.
func New(lib Catalogue, purchases Purchases, written Written, memory int) (*API, error) {
	a := &API{library: lib, purchases: purchases, written: written, rows: newRowCache(memory - memory/documentShare)}
	schema, err := gql.Load(schemaText, a.query(), a.mutation())
	if err != nil {
		return nil, err
	}
	a.schema, a.documents = schema, newDocuments(schema, memory/documentShare)
	return a, nil
}

// call is a request in execution.
type call struct {
	*gateway.Call
	idempotency *purchase.Idempotency
}
