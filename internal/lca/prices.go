package lca

import "math"

// Shadow prices make products of all units comparable: each price covers the
// inputs of the process, at their prices, and a bit more. If such prices exist,
// the technosphere with its rows multiplied by them is diagonally dominant, so
// that every order of elimination is safe and the sparsest can be chosen.

const (
	priceSweeps = 50
	// sweepsAtOnce is the number of sweeps between checks for convergence.
	sweepsAtOnce = 5
	// maxShift bounds powers of two so that products of them do not overflow.
	maxShift = 500
	maxPrice = 1 << maxShift
)

// prices are those of the products at the positions of a layout.
type prices struct {
	l         *layout
	a         *Matrix
	v         []float64
	reference []float64 // what each position makes of its product
	unsettled []int     // blocks whose prices do not cover their own inputs
}

func newPrices(l *layout, a *Matrix) *prices {
	n := len(l.process)
	p := &prices{l: l, a: a, v: make([]float64, n), reference: make([]float64, n)}
	for at := range n {
		p.reference[at] = math.Abs(a.At(int(l.product[at]), int(l.process[at])))
		p.v[at] = min(1/p.reference[at], maxPrice)
	}
	for i, b := range l.blocks {
		if !p.settle(b) {
			p.unsettled = append(p.unsettled, i)
		}
	}
	return p
}

// scale sets the scales of a layout that may have another order.
func (p *prices) scale(l *layout) {
	l.r, l.s = make([]float64, len(p.v)), make([]float64, len(p.v))
	for at, product := range l.product {
		before := p.l.position[product]
		shift := clamp(exponent(p.v[before]))
		l.r[at] = math.Ldexp(1, shift)
		l.s[at] = math.Ldexp(1, clamp(-exponent(p.reference[before])-shift))
	}
}

func clamp(shift int) int { return min(max(shift, -maxShift), maxShift) }

func exponent(x float64) int {
	_, e := math.Frexp(x)
	return e
}

// settle sweeps until the prices cover what a block takes from itself, or gives
// up, and reports which.
func (p *prices) settle(b block) bool {
	for sweep := range priceSweeps {
		for at := b.first; at < b.end; at++ {
			p.v[at] = min((1+p.taken(at, p.l.start[at]))/p.reference[at], maxPrice)
		}
		if b.single() || sweep%sweepsAtOnce == sweepsAtOnce-1 && p.covered(b) {
			return true
		}
	}
	return false
}

// taken is the value of a position's inputs, starting at an entry.
func (p *prices) taken(at, from int) float64 {
	sum := 0.0
	for k := from; k < p.l.start[at+1]; k++ {
		if row := p.l.row[k]; int(row) != at {
			sum += math.Abs(p.a.value[p.l.from[k]]) * p.v[row]
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
