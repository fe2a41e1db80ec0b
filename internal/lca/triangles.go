package lca

import (
	"context"
	"math"
)

const (
	// pivotShare is how large a pivot on the diagonal must be, compared to the
	// largest entry of its column.
	pivotShare = 1e-3
	// lostShare is how much of a column must be left after elimination for it to
	// count as linearly independent.
	lostShare = 1e-12
	// untilAsked is how many columns are processed between checks of the
	// context.
	untilAsked = 256
)

// pattern is the positions of the triangles' entries.
type pattern struct {
	lstart, ustart []int   // of each position, and the end of the last
	lrow, urow     []int32 // positions below and above the diagonal, urow ascending
}

// triangles are the factors of all blocks: W within a block is L·U, L with ones
// on its diagonal. The dense tails are in lu instead.
type triangles struct {
	l, u  []float64
	pivot []float64
	lu    [][]float64 // of each block, its tail by columns; nil if there is none
}

// eliminator calculates columns of the triangles, left to right. x holds the
// current column, and zeros otherwise.
type eliminator struct {
	*layout
	*pattern
	*triangles
	w       []float64
	x       []float64
	threads int
	maxFill int
}

// static factorises a block with pivots on the diagonal and reports whether
// these are large enough; even then a column of the tail may be singular. Rows
// of the tail may be permuted.
func (e *eliminator) static(ctx context.Context, i int, b block, taken []int32) (singular int, stable bool, err error) {
	for at := b.first; at < b.tail; at++ {
		if at%untilAsked == 0 && ctx.Err() != nil {
			return -1, false, ctx.Err()
		}
		if size := e.reduce(at); !e.finish(at, size) {
			return -1, false, nil
		}
	}
	n := b.end - b.tail
	dense, sizes := make([]float64, n*n), make([]float64, n)
	for k := range n {
		if k%untilAsked == 0 && ctx.Err() != nil {
			return -1, false, ctx.Err()
		}
		sizes[k] = e.reduce(b.tail + k)
		copy(dense[k*n:], e.x[b.tail:b.end])
		clear(e.x[b.tail:b.end])
	}
	singular, err = e.factorTail(ctx, i, b, dense, sizes, taken)
	return singular, true, err
}

// reduce loads a column and subtracts the contributions of earlier ones. It
// returns the sum of the loaded entries' absolute values.
func (e *eliminator) reduce(at int) float64 {
	size := 0.0
	for k := e.inside[at]; k < e.start[at+1]; k++ {
		e.x[e.row[k]] = e.w[k]
		size += math.Abs(e.w[k])
	}
	x := e.x
	for k := e.ustart[at]; k < e.ustart[at+1]; k++ {
		above := e.urow[k]
		factor := x[above]
		e.u[k] = factor
		x[above] = 0
		if factor == 0 {
			continue
		}
		from, to := e.lstart[above], e.lstart[above+1]
		rows, values := e.lrow[from:to], e.l[from:to]
		for i, row := range rows {
			x[row] -= factor * values[i]
		}
	}
	return size
}

// finish divides a reduced column by its diagonal, and reports whether that is
// large enough.
func (e *eliminator) finish(at int, size float64) bool {
	pivot, largest := e.x[at], 0.0
	e.x[at] = 0
	e.pivot[at] = pivot
	for k := e.lstart[at]; k < e.lstart[at+1]; k++ {
		value := e.x[e.lrow[k]]
		e.x[e.lrow[k]] = 0
		largest = max(largest, math.Abs(value))
		e.l[k] = value / pivot
	}
	return math.Abs(pivot) >= pivotShare*largest && math.Abs(pivot) > lostShare*size
}

// factorTail factorises the dense rest of a block. It returns the position of a
// column without a pivot, or -1.
func (e *eliminator) factorTail(ctx context.Context, i int, b block, dense, sizes []float64, taken []int32) (singular int, err error) {
	n := b.end - b.tail
	rows, singular, err := denseFactor(ctx, dense, n, sizes, e.threads)
	if err != nil {
		return -1, err
	}
	e.lu[i] = dense
	for k := range n {
		e.pivot[b.tail+k] = dense[k*n+k]
	}
	if singular >= 0 {
		return b.tail + singular, nil
	}
	moved := make([]int32, n)
	for now, before := range rows {
		moved[before] = int32(b.tail + now)
	}
	for row, at := range taken {
		if int(at) >= b.tail {
			taken[row] = moved[int(at)-b.tail]
		}
	}
	return -1, nil
}
