package lca

import (
	"context"
	"math"
	"sync"
)

// Dense matrices are stored by columns.

// panel is how many columns are eliminated before the others are updated.
const panel = 32

// denseFactor replaces a square matrix of n columns with its factors, whose rows
// may be permuted. It prefers the diagonal and returns the original row of each
// row, and the first column without a pivot, or -1. sizes are the original sizes
// of the columns.
func denseFactor(ctx context.Context, a []float64, n int, sizes []float64, threads int) (rows []int32, singular int, err error) {
	rows = make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	for first := 0; first < n; first += panel {
		end := min(first+panel, n)
		for j := first; j < end; j++ {
			at := densePivot(a[j*n:j*n+n], j)
			if at != j {
				rows[at], rows[j] = rows[j], rows[at]
				swapRows(a, n, at, j)
			}
			column := a[j*n : j*n+n]
			if !(math.Abs(column[j]) > lostShare*sizes[j]) {
				return rows, j, nil
			}
			divide(column[j+1:], column[j])
			for k := j + 1; k < end; k++ {
				subtract(a[k*n+j+1:k*n+n], column[j+1:], a[k*n+j])
			}
		}
		updateAll(a, n, first, end, threads)
		if ctx.Err() != nil {
			return nil, -1, ctx.Err()
		}
	}
	return rows, -1, nil
}

// densePivot chooses the row of a column's pivot.
func densePivot(column []float64, j int) int {
	best := j
	for i := j + 1; i < len(column); i++ {
		if math.Abs(column[i]) > math.Abs(column[best]) {
			best = i
		}
	}
	if math.Abs(column[j]) >= pivotShare*math.Abs(column[best]) {
		return j
	}
	return best
}

func swapRows(a []float64, n, i, j int) {
	for at := 0; at < len(a); at += n {
		a[at+i], a[at+j] = a[at+j], a[at+i]
	}
}

func divide(x []float64, by float64) {
	for i := range x {
		x[i] /= by
	}
}

func subtract(y, x []float64, factor float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] -= factor * x[i]
	}
}

// strip is how many rows of a panel are processed at once, so that they stay in
// the L1 cache for all columns.
const strip = 128

// share is the fewest columns worth a goroutine.
const share = 64

// updateAll applies the columns of a panel to all later columns.
func updateAll(a []float64, n, first, end, threads int) {
	threads = max(1, min(threads, (n-end)/share))
	var workers sync.WaitGroup
	for i := range threads {
		workers.Go(func() {
			update(a, n, first, end, end+(n-end)*i/threads, end+(n-end)*(i+1)/threads)
		})
	}
	workers.Wait()
}

// update does so for the columns from..to, two at a time.
func update(a []float64, n, first, end, from, to int) {
	for k := from; k < to; k++ {
		solveUnit(a, n, first, end, a[k*n:k*n+n])
	}
	for top := end; top < n; top += strip {
		rows := rowStrip{a: a, n: n, from: top, to: min(top+strip, n)}
		k := from
		for ; k+1 < to; k += 2 {
			rows.updateTwo(first, end, a[k*n:k*n+n], a[(k+1)*n:(k+1)*n+n])
		}
		if k < to {
			rows.updateOne(first, end, a[k*n:k*n+n])
		}
	}
}

// solveUnit applies the panel's own triangle to the rows of the panel.
func solveUnit(a []float64, n, first, end int, x []float64) {
	for j := first; j < end; j++ {
		subtract(x[j+1:end], a[j*n+j+1:j*n+end], x[j])
	}
}

// rowStrip is some rows of a matrix.
type rowStrip struct {
	a        []float64
	n        int
	from, to int
}

func (s rowStrip) column(j int) []float64 { return s.a[j*s.n+s.from : j*s.n+s.to] }

func (s rowStrip) updateOne(first, end int, x []float64) {
	for j := first; j < end; j++ {
		subtract(x[s.from:s.to], s.column(j), x[j])
	}
}

// updateTwo takes four columns of the panel at once, to load and store less.
func (s rowStrip) updateTwo(first, end int, x, y []float64) {
	j := first
	p := x[s.from:s.to]
	q := y[s.from:s.to][:len(p)]
	for ; j+4 <= end; j += 4 {
		a0, a1, a2, a3 := s.column(j)[:len(p)], s.column(j + 1)[:len(p)], s.column(j + 2)[:len(p)], s.column(j + 3)[:len(p)]
		x0, x1, x2, x3 := x[j], x[j+1], x[j+2], x[j+3]
		y0, y1, y2, y3 := y[j], y[j+1], y[j+2], y[j+3]
		for i := range p {
			p[i] -= (a0[i]*x0 + a1[i]*x1) + (a2[i]*x2 + a3[i]*x3)
			q[i] -= (a0[i]*y0 + a1[i]*y1) + (a2[i]*y2 + a3[i]*y3)
		}
	}
	s.updateOne(j, end, x)
	s.updateOne(j, end, y)
}
