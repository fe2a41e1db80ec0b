package lca

import (
	"context"
	"errors"
)

// Unproductive returns the networks of processes that, through one another, use
// as much of their own products as they make, or more, so that no supply meets a
// demand. The technosphere must have the output of each process as a positive
// entry on the diagonal, and otherwise only inputs; credits must be left out.
// For such a matrix the answer is exact: a network is productive if and only if
// supplying one unit of each product requires a positive amount of every
// process.
func Unproductive(ctx context.Context, a *Matrix) ([][]int, error) {
	pairs := match(a)
	if err := pairs.check(a); err != nil {
		return nil, err
	}
	order, blocks := components(a, pairs)
	l := arrange(a, pairs, order, blocks)
	var found [][]int
	for _, i := range newPrices(l, a).unsettled { // prices that converge prove a network productive
		processes := l.processes(l.blocks[i])
		ok, err := productive(ctx, within(a, processes))
		if err != nil {
			return nil, err
		}
		if !ok {
			found = append(found, processes)
		}
	}
	return found, nil
}

// within is the technosphere of only some processes.
func within(a *Matrix, processes []int) *Builder {
	at := make(map[int32]int, len(processes))
	for i, process := range processes {
		at[int32(process)] = i
	}
	b := NewBuilder(len(processes), len(processes))
	for j, process := range processes {
		rows, values := a.Col(process)
		for k, row := range rows {
			if i, among := at[row]; among {
				b.Add(i, j, values[k])
			}
		}
	}
	return b
}

func productive(ctx context.Context, network *Builder) (bool, error) {
	a, err := network.Matrix()
	if err != nil {
		return false, err
	}
	ones := make([]float64, a.cols)
	for i := range ones {
		ones[i] = a.At(i, i)
	}
	f, err := Factorise(ctx, a, Options{})
	if err == nil {
		var supply *Supply
		if supply, err = f.Solve(ctx, ones); err == nil {
			return allPositive(supply.Scaling), nil
		}
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	var singular *SingularError
	var unsolved *NotSolvedError
	var overflow *OverflowError
	if errors.As(err, &singular) || errors.As(err, &unsolved) || errors.As(err, &overflow) {
		return false, nil
	}
	return false, err
}

func allPositive(numbers []float64) bool {
	for _, n := range numbers {
		if !(n > 0) {
			return false
		}
	}
	return true
}
