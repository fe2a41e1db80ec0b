package ingesttest

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// Source provides rows like a store, for exports and calculations.
type Source struct{ rows *Rows }

// Source returns the rows as a Source.
func (r *Rows) Source() Source { return Source{r} }

func each[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, row := range list {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Flows returns the flows.
func (s Source) Flows(context.Context) iter.Seq2[lci.Flow, error] { return each(s.rows.Flows) }

// Methods returns the methods.
func (s Source) Methods(context.Context) iter.Seq2[lci.Method, error] { return each(s.rows.Methods) }

// Indicators returns the indicators.
func (s Source) Indicators(context.Context) iter.Seq2[lci.Indicator, error] {
	return each(s.rows.Indicators)
}

// Factors returns the factors.
func (s Source) Factors(context.Context) iter.Seq2[lci.Factor, error] { return each(s.rows.Factors) }

// Materials returns the materials.
func (s Source) Materials(context.Context) iter.Seq2[lci.Material, error] {
	return each(s.rows.Materials)
}

// Properties returns the properties.
func (s Source) Properties(context.Context) iter.Seq2[lci.Property, error] {
	return each(s.rows.Properties)
}

// MaterialImpacts returns the impacts of properties.
func (s Source) MaterialImpacts(context.Context) iter.Seq2[lci.MaterialImpact, error] {
	return each(s.rows.MaterialImpacts)
}

// Processes returns the processes by id.
func (s Source) Processes(context.Context) iter.Seq2[lci.Process, error] {
	return each(slices.SortedFunc(slices.Values(s.rows.Processes), func(a, b lci.Process) int { return a.ID.Compare(b.ID) }))
}

// Exchanges returns the exchanges by process and position.
func (s Source) Exchanges(context.Context) iter.Seq2[lci.Exchange, error] {
	return each(slices.SortedStableFunc(slices.Values(s.rows.Exchanges), func(a, b lci.Exchange) int {
		return cmp.Or(a.ProcessID.Compare(b.ProcessID), a.Position-b.Position)
	}))
}

// Allocations returns the allocations.
func (s Source) Allocations(context.Context) iter.Seq2[lci.Allocation, error] {
	return each(s.rows.Allocations)
}

// Impacts returns the impacts of processes.
func (s Source) Impacts(context.Context) iter.Seq2[lci.Impact, error] { return each(s.rows.Impacts) }

// Stated returns the impacts of processes, none of which is calculated.
func (s Source) Stated(ctx context.Context) iter.Seq2[lci.Impact, error] { return s.Impacts(ctx) }

// Mappings returns none.
func (Source) Mappings(context.Context) iter.Seq2[flowmatch.Mapping, error] {
	return each[flowmatch.Mapping](nil)
}

// Origins returns none.
func (Source) Origins(context.Context) iter.Seq2[ingest.Origin, error] {
	return each[ingest.Origin](nil)
}

// Audiences returns none.
func (Source) Audiences(context.Context) iter.Seq2[ingest.Audience, error] {
	return each[ingest.Audience](nil)
}
