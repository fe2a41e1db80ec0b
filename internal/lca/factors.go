package lca

import (
	"context"
	"runtime"
	"slices"
)

// Options say how to calculate; the zero Options are good ones.
type Options struct {
	// Threads is how many goroutines calculate at once; 0 is GOMAXPROCS. Results do
	// not depend on it.
	Threads int
	// MaxFill is how many entries the factors may have before a network is iterated
	// instead; 0 is 40 million, some 500 MB.
	MaxFill int
}

// usualFill bounds the factors where the options do not.
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

// Factors are a technosphere made ready for solving. They do not change and may
// be used by several goroutines at once.
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

// Refactorise does the same as Factorise for a technosphere with entries at the
// same places, and takes over what does not depend on their values.
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

// again factorises a block in the order it has, and tells whether that will do.
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

// Iterated returns the networks whose factors would have taken too much memory,
// so that they are solved by Gauss–Seidel iteration each time.
func (f *Factors) Iterated() [][]int { return f.tooLarge }

// Processes is how many processes, and products, there are.
func (f *Factors) Processes() int { return f.a.cols }

// Product is the reference product of a process.
func (f *Factors) Product(process int) int { return int(f.pairs.product[process]) }

// Producer is the process whose reference product this is.
func (f *Factors) Producer(product int) int { return int(f.pairs.process[product]) }

// reference is what the process makes of its reference product, self-consumption
// taken off, and 1, or -1 where it is a waste that it treats.
func (f *Factors) reference(process int) (amount, sign float64) {
	amount = f.a.At(f.Product(process), process)
	if amount < 0 {
		return -amount, -1
	}
	return amount, 1
}
