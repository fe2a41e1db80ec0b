package lca

import (
	"context"
	"runtime"
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
	warnings []Warning
	dense    *denseLU
}

// Factorise makes a technosphere ready. It returns a *NotSquareError, a
// *SingularError, or the context's error.
func Factorise(ctx context.Context, a *Matrix, o Options) (*Factors, error) {
	pairs := match(a)
	if err := pairs.check(a); err != nil {
		return nil, err
	}
	dense, err := newDenseLU(a)
	if err != nil {
		return nil, err
	}
	return &Factors{options: o, a: a, pairs: pairs, dense: dense}, ctx.Err()
}

// Refactorise does the same for a technosphere with entries at the same places,
// or some of them, and takes over what does not depend on the values. Warnings
// are those of the first.
func (f *Factors) Refactorise(ctx context.Context, a *Matrix) (*Factors, error) {
	return Factorise(ctx, a, f.options)
}

// Warnings tells what is odd about the technosphere or how it is solved.
func (f *Factors) Warnings() []Warning { return f.warnings }

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
