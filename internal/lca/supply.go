package lca

import (
	"context"
	"math"
)

// Supply is what meets a demand.
type Supply struct {
	Scaling       []float64 // how often each process runs
	BackwardError float64   // as in Report
}

// Solve calculates the supply for amounts of products. It returns a
// *NotFiniteError, an *OverflowError, a *NotSolvedError, or the context's error.
func (f *Factors) Solve(ctx context.Context, demand []float64) (*Supply, error) {
	for product, amount := range demand {
		if !finite(amount) {
			return nil, &NotFiniteError{Row: product, Value: amount}
		}
	}
	n := f.Processes()
	wanted := make([]float64, n)
	for at, product := range f.product {
		wanted[at] = demand[product] * f.r[at]
	}
	z := make([]float64, n)
	missing := wanted
	var worst float64
	for range 2 { // the first solution is accurate to about seven digits
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		change, err := f.forward(ctx, missing)
		if err != nil {
			return nil, err
		}
		for at := range z {
			z[at] += change[at]
		}
		missing, worst = f.missing(wanted, z)
	}
	supply := &Supply{Scaling: make([]float64, n), BackwardError: worst}
	var overflown []int
	for at, process := range f.process {
		supply.Scaling[process] = z[at] * f.s[at]
		if !finite(supply.Scaling[process]) {
			overflown = append(overflown, int(process))
		}
	}
	if overflown != nil {
		return nil, &OverflowError{overflown}
	}
	return supply, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// forward solves W·z = wanted.
func (f *Factors) forward(ctx context.Context, wanted []float64) ([]float64, error) {
	z := append([]float64(nil), wanted...)
	for i := len(f.blocks) - 1; i >= 0; i-- {
		b := f.blocks[i]
		if b.iterated {
			if err := f.iterateForward(ctx, b, z); err != nil {
				return nil, err
			}
		} else {
			f.forwardBlock(i, b, z)
		}
		for at := b.first; at < b.end; at++ {
			scatter(z[at], f.row[f.start[at]:f.inside[at]], f.w[f.start[at]:f.inside[at]], z)
		}
	}
	return z, nil
}

func (f *Factors) forwardBlock(i int, b block, z []float64) {
	for at := b.first; at < b.tail; at++ {
		scatter(z[at], f.lrow[f.lstart[at]:f.lstart[at+1]], f.l[f.lstart[at]:f.lstart[at+1]], z)
	}
	if b.tail < b.end {
		denseForward(f.lu[i], z[b.tail:b.end])
	}
	for at := b.end - 1; at >= b.first; at-- {
		if at < b.tail {
			z[at] /= f.pivot[at]
		}
		scatter(z[at], f.urow[f.ustart[at]:f.ustart[at+1]], f.u[f.ustart[at]:f.ustart[at+1]], z)
	}
}

// scatter subtracts a column times a factor.
func scatter(factor float64, rows []int32, values []float64, z []float64) {
	if factor == 0 {
		return
	}
	values = values[:len(rows)]
	for k, row := range rows {
		z[row] -= factor * values[k]
	}
}

func denseForward(lu []float64, z []float64) {
	n := len(z)
	for j := range n {
		subtract(z[j+1:], lu[j*n+j+1:j*n+n], z[j])
	}
	for j := n - 1; j >= 0; j-- {
		z[j] /= lu[j*n+j]
		subtract(z[:j], lu[j*n:j*n+j], z[j])
	}
}

// missing returns the residual of a solution, and its backward error.
func (f *Factors) missing(wanted, z []float64) ([]float64, float64) {
	left, sizes := append([]float64(nil), wanted...), make([]float64, len(z))
	for at, factor := range z {
		for k := f.start[at]; k < f.start[at+1]; k++ {
			left[f.row[k]] -= f.w[k] * factor
			sizes[f.row[k]] += math.Abs(f.w[k] * factor)
		}
	}
	worst := 0.0
	for at := range left {
		if left[at] != 0 {
			worst = max(worst, math.Abs(left[at])/(sizes[at]+math.Abs(wanted[at])))
		}
	}
	return left, worst
}

// Supply calculates the supply for an amount of a process's reference product
// made, or treated if that is a waste.
func (f *Factors) Supply(ctx context.Context, process int, amount float64) (*Supply, error) {
	return f.Solve(ctx, f.demand(process, amount))
}

func (f *Factors) demand(process int, amount float64) []float64 {
	_, sign := f.reference(process)
	demand := make([]float64, f.Processes())
	demand[f.Product(process)] = amount * sign
	return demand
}

// Inventory returns the sums of elementary flows B over the supply.
func (s *Supply) Inventory(b *Matrix) []float64 { return b.times(s.Scaling) }

// Made returns how much of its reference product each process makes, or treats.
func (f *Factors) Made(s *Supply) []float64 {
	made := make([]float64, len(s.Scaling))
	for process, scaling := range s.Scaling {
		amount, _ := f.reference(process)
		made[process] = amount * scaling
	}
	return made
}
