package jsonld

import (
	"cradle/internal/calculation"
	"cradle/internal/lci"
	"cradle/internal/units"
)

// A good is how a process's product is written: a flow that no other product of
// the process has, in one unit.
type good struct {
	flow  lci.ID
	times float64 // converts the product's unit to the flow's
	// sides is the sign from the network's amounts to written ones: a waste is
	// an output, everything else an input.
	sides float64
	waste bool
}

// goods finds how products are written, by their exchanges, and describes their
// flows and the elementary flows as in the network.
func (j *writer) goods(of *calculation.Network) map[lci.ID]good {
	for _, f := range of.Flows {
		flow := j.Flows[f.Flow]
		flow.ID, flow.Type, flow.Unit, flow.Classification = f.ID, lci.Elementary, f.Unit, ""
		j.Flows[f.ID] = flow
	}
	isWaste := j.wastes(of)
	all := map[lci.ID]good{}
	for _, p := range j.Processes {
		a, _ := of.Activity(p.ID)
		seen := map[lci.ID]bool{}
		for i := range a.Products {
			product := &a.Products[i]
			all[product.Exchange] = j.good(product, isWaste[product.Flow], seen)
		}
	}
	return all
}

// wastes are the flows that are treated wherever they are a product: others are
// written as products, with a sign if needed.
func (j *writer) wastes(of *calculation.Network) map[lci.ID]bool {
	wastes := map[lci.ID]bool{}
	for _, p := range j.Processes {
		a, _ := of.Activity(p.ID)
		for _, product := range a.Products {
			treated, met := wastes[product.Flow]
			wastes[product.Flow] = product.Treats && (treated || !met)
		}
	}
	return wastes
}

func (j *writer) good(p *calculation.Product, waste bool, seen map[lci.ID]bool) good {
	g := good{flow: p.Flow, times: 1, sides: -1, waste: waste}
	if waste && p.Amount < 0 {
		g.sides = 1
	}
	flow, known := j.Flows[p.Flow]
	if flow.Unit == "" {
		flow.Unit = p.Unit
	}
	times, same := units.Factor(p.Unit, flow.Unit)
	switch {
	case flow.Unit == p.Unit:
	case same:
		g.times = times
	default:
		flow.Unit, seen[p.Flow] = p.Unit, true
	}
	if seen[p.Flow] {
		g.flow = lci.DerivedID("product", p.Exchange.String())
	}
	seen[p.Flow] = true
	flow.ID, flow.Type = g.flow, lci.Intermediate
	if waste {
		flow.Type = lci.Waste
	}
	if !known {
		flow.Name = p.Name
	}
	j.Flows[g.flow] = flow
	return g
}
