// Package export holds what the writers of formats share: the source of rows,
// what is kept of them in memory, and processes as most programs have them. The
// same rows give the same bytes.
package export

import (
	"context"
	"iter"

	"cradle/internal/lci"
)

// A Source returns the rows of a library in the order in which they are written.
// Rows of one parent come in the order of their positions.
type Source interface {
	Flows(context.Context) iter.Seq2[lci.Flow, error]
	Methods(context.Context) iter.Seq2[lci.Method, error]
	Indicators(context.Context) iter.Seq2[lci.Indicator, error]
	Factors(context.Context) iter.Seq2[lci.Factor, error]
	Materials(context.Context) iter.Seq2[lci.Material, error]
	Properties(context.Context) iter.Seq2[lci.Property, error]
	MaterialImpacts(context.Context) iter.Seq2[lci.MaterialImpact, error]
	Processes(context.Context) iter.Seq2[lci.Process, error]
	Exchanges(context.Context) iter.Seq2[lci.Exchange, error]
	Allocations(context.Context) iter.Seq2[lci.Allocation, error]
	Impacts(context.Context) iter.Seq2[lci.Impact, error]
}

// Counts are how many rows of each kind were written.
type Counts struct {
	Materials       int `json:"materials"`
	Properties      int `json:"properties"`
	MaterialImpacts int `json:"materialImpacts"`
	Processes       int `json:"processes"`
	Exchanges       int `json:"exchanges"`
	Methods         int `json:"methods"`
	Indicators      int `json:"indicators"`
	Factors         int `json:"factors"`
	Impacts         int `json:"impacts"`
	Flows           int `json:"flows"`
	Allocations     int `json:"allocations"`
}
