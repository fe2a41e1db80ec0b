package lca

import "context"

// Supply is what a demand sets going.
type Supply struct {
	Scaling       []float64 // how much of each process's column runs
	BackwardError float64   // as in Report
}

// Solve calculates the supply for amounts of products. It returns an
// *OverflowError, a *NotSolvedError, or the context's error.
func (f *Factors) Solve(ctx context.Context, demand []float64) (*Supply, error) {
	return &Supply{Scaling: f.dense.solve(demand)}, ctx.Err()
}

// Supply calculates the supply for an amount of a process's reference product
// made, or treated where that is a waste.
func (f *Factors) Supply(ctx context.Context, process int, amount float64) (*Supply, error) {
	_, sign := f.reference(process)
	demand := make([]float64, f.Processes())
	demand[f.Product(process)] = amount * sign
	return f.Solve(ctx, demand)
}

// Inventory is what elementary flows B sum up to over the supply.
func (s *Supply) Inventory(b *Matrix) []float64 { return b.times(s.Scaling) }

// Made is how much of its reference product each process makes, or treats.
func (f *Factors) Made(s *Supply) []float64 {
	made := make([]float64, len(s.Scaling))
	for process, scaling := range s.Scaling {
		amount, _ := f.reference(process)
		made[process] = amount * scaling
	}
	return made
}
