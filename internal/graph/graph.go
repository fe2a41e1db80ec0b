// Package graph is the GraphQL face of the service: the schema, and its fields
// bound to the packages that decide.
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

// Catalogue is what can be read; library.Library is it.
type Catalogue interface {
	Materials(ctx context.Context, v account.Viewer, q library.Query) (library.Page, error)
	MaterialsOf(ctx context.Context, p library.Page, refs []library.Ref) ([]library.Material, error)
	WholeMaterialsOf(ctx context.Context, p library.Page, refs []library.Ref) ([]library.Material, error)
	FindMaterial(ctx context.Context, v account.Viewer, id string) (library.Page, error)
	PropertyOf(ctx context.Context, p library.Page, id string) (library.Property, error)
	Processes(ctx context.Context, v account.Viewer, q library.Query) (library.Page, error)
	ProcessesOf(ctx context.Context, p library.Page, refs []library.Ref) ([]library.Process, error)
	FindProcess(ctx context.Context, v account.Viewer, id string) (library.Page, error)
	ProcessOf(ctx context.Context, p library.Page) (library.Process, error)
	ImpactOf(ctx context.Context, p library.Page, id string) (library.Impact, error)
	Methods(ctx context.Context, v account.Viewer) ([]library.Method, error)
}

// Written are records as REST lists them, nil where they are not at hand;
// rest.API has them.
type Written interface {
	WrittenMaterial(p library.Page, ref library.Ref) []byte
	WrittenProcess(p library.Page, ref library.Ref) []byte
}

// Purchases takes pulls; purchase.Service does.
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

// documentShare is the part of the memory that documents take; the rest is for
// rendered records.
const documentShare = 8

// New returns a face that remembers documents and rendered records in up to
// memory bytes. It fails when the schema and its bindings do not agree.
func New(lib Catalogue, purchases Purchases, written Written, memory int) (*API, error) {
	f := &API{library: lib, purchases: purchases, written: written, rows: newRowCache(memory - memory/documentShare)}
	schema, err := gql.Load(schemaText, f.query(), f.mutation())
	if err != nil {
		return nil, err
	}
	f.schema, f.documents = schema, newDocuments(schema, memory/documentShare)
	return f, nil
}

// call is a request that is being carried out.
type call struct {
	*gateway.Call
	idempotency *purchase.Idempotency
}
