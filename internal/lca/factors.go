package lca

import (
	"context"
	"runtime"
	"slices"
)

// Options configure a calculation; the zero value is a good default.
type Options struct {
	// Threads is how many goroutines calculate at once; 0 is GOMAXPROCS. Results do
	// not depend on it.
	Threads int
	// MaxFill is how many entries the factors may have before a network is iterated
	// instead; 0 is 40 million, some 500 MB.
	MaxFill int
}

// usualFill is the default of MaxFill.
const usualFill = 40_000_000

func (o Options) maxFill() int {
	if o.MaxFill > 0 {
		return o.MaxFill
	}
	return usualFill
}

func (o Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// Factors are a factorised technosphere. They are immutable and safe for
// concurrent use.
type Factors struct {
	options  Options
	a        *Matrix
	pairs    matching
	tooLarge [][]int
	*layout
	*pattern
	*triangles
	w        []float64 // entries of the layout
	diagonal []float64
}

// Refactorise is like Factorise for a technosphere with entries at the same
// places, and reuses what does not depend on their values.
func (f *Factors) Refactorise(ctx context.Context, a *Matrix) (*Factors, error) {
	if !slices.Equal(a.start, f.a.start) || !slices.Equal(a.row, f.a.row) {
		return Factorise(ctx, a, f.options)
	}
	again := *f
	again.a, again.w = a, f.scaled(a)
	again.triangles = &triangles{l: make([]float64, len(f.l)), u: make([]float64, len(f.u)), pivot: make([]float64, len(f.pivot)), lu: make([][]float64, len(f.lu))}
	e := again.eliminator()
	for i, b := range f.blocks {
		kept, err := e.again(ctx, i, b)
		if err != nil {
			return nil, err
		}
		if !kept {
			return Factorise(ctx, a, f.options)
		}
	}
	again.diagonal = f.onDiagonal(again.w)
	return &again, nil
}

// again factorises a block in its present order, and reports whether the pivots
// are good enough.
func (e *eliminator) again(ctx context.Context, i int, b block) (bool, error) {
	switch {
	case b.iterated:
		return true, nil
	case b.single():
		e.pivot[b.first] = e.w[e.inside[b.first]]
		return e.pivot[b.first] != 0, nil
	}
	taken := ownRows(b)
	singular, stable, err := e.static(ctx, i, b, taken)
	return stable && singular < 0 && slices.Equal(taken, ownRows(b)), err
}

// Iterated returns the networks that are solved by Gauss–Seidel iteration
// because their factors would take too much memory.
func (f *Factors) Iterated() [][]int { return f.tooLarge }

// Processes is the number of processes, and of products.
func (f *Factors) Processes() int { return f.a.cols }

// Product is the reference product of a process.
func (f *Factors) Product(process int) int { return int(f.pairs.product[process]) }

// Producer is the process with this reference product.
func (f *Factors) Producer(product int) int { return int(f.pairs.process[product]) }

// reference is the net amount that the process makes of its reference product,
// and 1, or -1 if it treats that as waste.
func (f *Factors) reference(process int) (amount, sign float64) {
	amount = f.a.At(f.Product(process), process)
	if amount < 0 {
		return -amount, -1
	}
	return amount, 1
}
