package lca

import (
	"context"
	"math"
	"slices"
)

// unproductive warns of blocks that take more of their own products than they
// make. Prices that settled prove the contrary. For the other blocks it is asked
// whether some product is worth nothing, or less, when every process adds value; as
// avoided products can have that effect too, the last word has the spectral radius.
func (f *Factors) unproductive(ctx context.Context, p *prices) ([]Warning, error) {
	if len(p.unsettled) == 0 {
		return nil, nil
	}
	ones, worth := make([]lanes, f.Processes()), make([]lanes, f.Processes())
	for at := range ones {
		ones[at][0] = 1
	}
	if err := f.adjoint(ctx, ones, worth); ctx.Err() != nil {
		return nil, err
	}
	var warnings []Warning
	for _, i := range p.unsettled {
		b := p.l.blocks[i]
		if f.allWorthy(b, worth) {
			continue
		}
		if radius, involved := p.radius(b); !(radius < 1) {
			warnings = append(warnings, Warning{Kind: Unproductive, Processes: involved, Radius: radius})
		}
	}
	return warnings, nil
}

func (f *Factors) allWorthy(b block, worth []lanes) bool {
	for at := b.first; at < b.end; at++ {
		_, sign := f.reference(f.Producer(int(f.product[at])))
		if w := sign * worth[at][0]; !(w > 0) || math.IsInf(w, 0) {
			return false
		}
	}
	return true
}

const radiusSteps = 100

// radius estimates the spectral radius of a block: by what factor its demands on
// itself grow from one round of supply to the next. It names who takes part.
func (p *prices) radius(b block) (float64, []int) {
	z, next := make([]float64, b.end-b.first), make([]float64, b.end-b.first)
	for i := range z {
		z[i] = p.v[b.first+i]
	}
	growth := 0.0
	for step := range radiusSteps {
		norm := 0.0
		for i := range next {
			next[i] = p.round(b.first+i, b.first, z)
			norm = max(norm, math.Abs(next[i])/p.v[b.first+i])
		}
		if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
			return norm, p.l.processes(b)
		}
		for i := range next {
			next[i] /= norm
		}
		z, next = next, z
		if step >= radiusSteps/2 {
			growth += math.Log(norm) / (radiusSteps - radiusSteps/2)
		}
	}
	var involved []int
	for i := range z {
		if math.Abs(z[i])/p.v[b.first+i] > 0.1 {
			involved = append(involved, int(p.l.process[b.first+i]))
		}
	}
	slices.Sort(involved)
	return math.Exp(growth), involved
}

func (p *prices) round(at, first int, z []float64) float64 {
	sum, own := 0.0, 1.0
	for k := p.l.inside[at]; k < p.l.start[at+1]; k++ {
		value := p.a.value[p.l.from[k]]
		if row := int(p.l.row[k]); row != at {
			sum -= value * z[row-first]
		} else {
			own = value
		}
	}
	return sum / own
}
