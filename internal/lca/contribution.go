package lca

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// SupplierShare is what one supplier contributes to a score.
type SupplierShare struct {
	Process int     // the supplier
	Amount  float64 // taken of its reference product, or given to it for treatment
	Score   float64 // of that amount
}

// FlowShare is what one elementary flow contributes to a score.
type FlowShare struct {
	Flow   int
	Amount float64
	Score  float64
}

// Suppliers splits a score among the direct suppliers of a unit of the process's
// reference product, largest first. With the score of DirectFlows they add up to
// the process's score. Consumption of its own product is included in all of
// them.
func (f *Factors) Suppliers(t *Table, process, indicator int) []SupplierShare {
	amount, _ := f.reference(process)
	own := int32(f.Product(process))
	var shares []SupplierShare
	rows, values := f.a.Col(process)
	for k, row := range rows {
		if row == own {
			continue
		}
		supplier := f.Producer(int(row))
		_, sign := f.reference(supplier)
		taken := -values[k] * sign / amount
		shares = append(shares, SupplierShare{supplier, taken, taken * t.At(supplier, indicator)})
	}
	slices.SortStableFunc(shares, func(x, y SupplierShare) int { return larger(x.Score, y.Score) })
	return shares
}

func larger(x, y float64) int { return cmp.Compare(math.Abs(y), math.Abs(x)) }

// DirectFlows splits what the process itself contributes to its score among its
// elementary flows, largest first. Flows without a factor are left out.
func (f *Factors) DirectFlows(b, c *Matrix, process, indicator int) []FlowShare {
	f.mustFit(b, c)
	amount, _ := f.reference(process)
	flows := make([]float64, b.rows)
	rows, values := b.Col(process)
	for k, row := range rows {
		flows[row] = values[k] / amount
	}
	return weigh(flows, c, indicator)
}

// TotalFlows splits a whole score among the elementary flows of the supply chain
// of a unit, largest first.
func (f *Factors) TotalFlows(ctx context.Context, b, c *Matrix, process, indicator int) ([]FlowShare, error) {
	f.mustFit(b, c)
	supply, err := f.Supply(ctx, process, 1)
	if err != nil {
		return nil, err
	}
	return weigh(supply.Inventory(b), c, indicator), nil
}

func weigh(flows []float64, c *Matrix, indicator int) []FlowShare {
	var shares []FlowShare
	for flow, amount := range flows {
		if factor := c.At(indicator, flow); amount != 0 && factor != 0 {
			shares = append(shares, FlowShare{flow, amount, amount * factor})
		}
	}
	slices.SortStableFunc(shares, func(x, y FlowShare) int { return larger(x.Score, y.Score) })
	return shares
}
