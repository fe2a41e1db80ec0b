package lca

import "math"

// Hidden prices make products of all units comparable: each price covers what the
// process takes, at their prices, and a bit more. Where such prices exist, the
// technosphere with its rows multiplied by them is dominated by its diagonal, which
// makes every order of elimination safe, so that the sparsest can be chosen.

const (
	priceSweeps = 15
	// maxShift bounds powers of two, with room left for products of them.
	maxShift = 500
)

// price sets the scales of a layout and returns what is unproductive.
func (l *layout) price(a *Matrix) []Warning {
	n := len(l.process)
	p := prices{l: l, values: a.value, v: make([]float64, n), reference: make([]float64, n)}
	for at := range n {
		p.reference[at] = math.Abs(a.At(int(l.product[at]), int(l.process[at])))
		p.v[at] = 1 / p.reference[at]
	}
	var warnings []Warning
	for _, b := range l.blocks {
		if !p.settle(b) {
			if radius, involved := p.radius(b, a); radius >= 1 {
				warnings = append(warnings, Warning{Kind: Unproductive, Processes: involved, Radius: radius})
			}
		}
	}
	l.r, l.s = make([]float64, n), make([]float64, n)
	for at := range n {
		shift := clamp(exponent(p.v[at]))
		l.r[at] = math.Ldexp(1, shift)
		l.s[at] = math.Ldexp(1, clamp(-exponent(p.reference[at])-shift))
	}
	return warnings
}

func clamp(shift int) int { return min(max(shift, -maxShift), maxShift) }

func exponent(x float64) int {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return maxShift
	}
	_, e := math.Frexp(x)
	return e
}

type prices struct {
	l         *layout
	values    []float64
	v         []float64
	reference []float64
}

// settle sweeps until the prices cover what a block takes from itself, or for long
// enough, and tells whether they do.
func (p *prices) settle(b block) bool {
	for range priceSweeps {
		for at := b.first; at < b.end; at++ {
			p.v[at] = (1 + p.taken(at, p.l.start[at])) / p.reference[at]
		}
		if b.single() || p.covered(b) {
			return true
		}
	}
	return false
}

// taken is the value of what a position takes of others, from an entry on.
func (p *prices) taken(at, from int) float64 {
	sum := 0.0
	for k := from; k < p.l.start[at+1]; k++ {
		if row := p.l.row[k]; int(row) != at {
			sum += math.Abs(p.values[p.l.from[k]]) * p.v[row]
		}
	}
	return sum
}

func (p *prices) covered(b block) bool {
	for at := b.first; at < b.end; at++ {
		if !(p.taken(at, p.l.inside[at]) < p.reference[at]*p.v[at]) {
			return false
		}
	}
	return true
}

const radiusSteps = 100

// radius estimates the spectral radius of a block: by what factor its demands on
// itself grow from one round of supply to the next. It names who takes part.
func (p *prices) radius(b block, a *Matrix) (float64, []int) {
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
	return math.Exp(growth), involved
}

func (p *prices) round(at, first int, z []float64) float64 {
	sum, own := 0.0, 1.0
	for k := p.l.inside[at]; k < p.l.start[at+1]; k++ {
		value := p.values[p.l.from[k]]
		if row := int(p.l.row[k]); row != at {
			sum -= value * z[row-first]
		} else {
			own = value
		}
	}
	return sum / own
}

// processes lists those of a block.
func (l *layout) processes(b block) []int {
	var list []int
	for _, process := range l.process[b.first:b.end] {
		list = append(list, int(process))
	}
	return list
}
