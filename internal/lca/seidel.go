package lca

import (
	"context"
	"math"
)

// Networks whose factors would be too large are solved by Gauss–Seidel sweeps,
// which converge if a network is productive.

const (
	maxSweeps = 5000
	// stillChange is the relative change below which a sweep is the last.
	stillChange = 1e-15
)

// iterate solves a block of Wᵀ·y = y, in place.
func (f *Factors) iterate(ctx context.Context, b block, y []lanes) error {
	wanted := append([]lanes(nil), y[b.first:b.end]...)
	for sweep := range maxSweeps {
		if sweep%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		change := 0.0
		for at := b.first; at < b.end; at++ {
			from, to := f.inside[at], f.start[at+1]
			sum, before, own := wanted[at-b.first], y[at], f.diagonal[at]
			y[at] = lanes{}
			gather(&sum, f.row[from:to], f.w[from:to], y)
			for k := range sum {
				sum[k] /= own
				change = max(change, relative(sum[k], before[k]))
			}
			y[at] = sum
		}
		if change <= stillChange {
			return nil
		}
		if math.IsNaN(change) {
			break
		}
	}
	return &NotSolvedError{Processes: f.processes(b)}
}

func relative(now, before float64) float64 {
	if now == before {
		return 0
	}
	return math.Abs(now-before) / max(math.Abs(now), math.Abs(before))
}

// iterateForward solves a block of W·z = z, in place.
func (f *Factors) iterateForward(ctx context.Context, b block, z []float64) error {
	start, consumer, value := f.byRows(b)
	wanted := append([]float64(nil), z[b.first:b.end]...)
	for sweep := range maxSweeps {
		if sweep%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		change := 0.0
		for i := len(wanted) - 1; i >= 0; i-- {
			sum := wanted[i]
			for k := start[i]; k < start[i+1]; k++ {
				sum -= value[k] * z[consumer[k]]
			}
			sum /= f.diagonal[b.first+i]
			change = max(change, relative(sum, z[b.first+i]))
			z[b.first+i] = sum
		}
		if change <= stillChange {
			return nil
		}
		if math.IsNaN(change) {
			break
		}
	}
	return &NotSolvedError{Processes: f.processes(b)}
}

// byRows returns the entries of a block by rows, without the diagonal.
func (f *Factors) byRows(b block) (start []int, consumer []int32, value []float64) {
	start = make([]int, b.end-b.first+1)
	each := func(do func(row int32, at, k int)) {
		for at := b.first; at < b.end; at++ {
			for k := f.inside[at]; k < f.start[at+1]; k++ {
				if int(f.row[k]) != at {
					do(f.row[k]-int32(b.first), at, k)
				}
			}
		}
	}
	each(func(row int32, at, k int) { start[row+1]++ })
	for i := range start[1:] {
		start[i+1] += start[i]
	}
	next := append([]int(nil), start...)
	consumer, value = make([]int32, start[len(start)-1]), make([]float64, start[len(start)-1])
	each(func(row int32, at, k int) {
		consumer[next[row]], value[next[row]] = int32(at), f.w[k]
		next[row]++
	})
	return start, consumer, value
}
