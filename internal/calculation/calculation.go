// Package calculation calculates the impact rows of an inventory: it decides
// which process supplies which input, how exchanges are allocated to several
// products and which factor a flow has, fills the matrices that package lca
// solves, and records how far each row can be trusted. It stores nothing.
package calculation

import (
	"context"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// A Calculator is an ingest.Calculator.
type Calculator struct{}

// Calculate implements ingest.Calculator.
func (c *Calculator) Calculate(ctx context.Context, from ingest.Inventory, methods []lci.ID, to func(lci.Impact) error, progress ingest.Progress) (ingest.Calculation, error) {
	m, err := c.model(ctx, from, methods, false)
	if err != nil {
		return ingest.Calculation{}, err
	}
	if len(m.indicators) == 0 { // nothing to calculate, but gaps are still reported
		return ingest.Calculation{CutOffs: m.cutOffs(), Coverage: []flowmatch.Coverage{}, Notes: m.notes.warnings()}, nil
	}
	s, err := solve(ctx, m, none)
	if err != nil {
		return ingest.Calculation{}, err
	}
	if err := s.rows(ctx, to, progress); err != nil {
		return ingest.Calculation{}, err
	}
	return s.report(), nil
}

// model reads an inventory, with uncertainty only if needed, and links its
// processes.
func (c *Calculator) model(ctx context.Context, from ingest.Inventory, methods []lci.ID, scatter bool) (*model, error) {
	m, err := read(ctx, from, methods, scatter)
	if err != nil {
		return nil, err
	}
	m.allocate()
	m.link()
	m.characterise()
	return m, nil
}
