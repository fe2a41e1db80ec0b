package lca

import "math"

// Dense matrices are kept by columns.

// panel is how many columns are eliminated before the others are brought up to
// date with them.
const panel = 32

// denseFactor replaces a square matrix of n columns by its factors, whose rows may
// be in another order. It prefers the diagonal, returns the row that each row now is,
// and the first column without a pivot, or -1. sizes tell how large each column
// was to begin with.
func denseFactor(a []float64, n int, sizes []float64) (rows []int32, singular int) {
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
				return rows, j
			}
			divide(column[j+1:], column[j])
			for k := j + 1; k < end; k++ {
				subtract(a[k*n+j+1:k*n+n], column[j+1:], a[k*n+j])
			}
		}
		update(a, n, first, end)
	}
	return rows, -1
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

// update applies the columns of a panel to all that follow, two at a time.
func update(a []float64, n, first, end int) {
	for k := end; k < n; k += 2 {
		x := a[k*n : k*n+n]
		solveUnit(a, n, first, end, x)
		if k+1 == n {
			updateOne(a, n, first, end, x)
			break
		}
		y := a[(k+1)*n : (k+1)*n+n]
		solveUnit(a, n, first, end, y)
		updateTwo(a, n, first, end, x, y)
	}
}

// solveUnit applies the panel's own triangle to the rows of the panel.
func solveUnit(a []float64, n, first, end int, x []float64) {
	for j := first; j < end; j++ {
		subtract(x[j+1:end], a[j*n+j+1:j*n+end], x[j])
	}
}

func updateOne(a []float64, n, first, end int, x []float64) {
	for j := first; j < end; j++ {
		subtract(x[end:], a[j*n+end:j*n+n], x[j])
	}
}

// updateTwo takes four columns of the panel at once, to load and store less.
func updateTwo(a []float64, n, first, end int, x, y []float64) {
	j := first
	for ; j+4 <= end; j += 4 {
		p, q := x[end:], y[end:]
		q = q[:len(p)]
		a0, a1, a2, a3 := a[j*n+end:j*n+n], a[(j+1)*n+end:(j+1)*n+n], a[(j+2)*n+end:(j+2)*n+n], a[(j+3)*n+end:(j+3)*n+n]
		a0, a1, a2, a3 = a0[:len(p)], a1[:len(p)], a2[:len(p)], a3[:len(p)]
		x0, x1, x2, x3 := x[j], x[j+1], x[j+2], x[j+3]
		y0, y1, y2, y3 := y[j], y[j+1], y[j+2], y[j+3]
		for i := range p {
			p[i] -= (a0[i]*x0 + a1[i]*x1) + (a2[i]*x2 + a3[i]*x3)
			q[i] -= (a0[i]*y0 + a1[i]*y1) + (a2[i]*y2 + a3[i]*y3)
		}
	}
	updateOne(a, n, j, end, x)
	updateOne(a, n, j, end, y)
}
