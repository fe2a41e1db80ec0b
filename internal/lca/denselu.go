package lca

import "math"

type denseLU struct {
	n   int
	lu  []float64
	row []int
}

func newDenseLU(a *Matrix) (*denseLU, error) {
	n := a.cols
	d := &denseLU{n: n, lu: make([]float64, n*n), row: make([]int, n)}
	for col := range n {
		rows, values := a.Col(col)
		for k, row := range rows {
			d.lu[int(row)*n+col] = values[k]
		}
		d.row[col] = col
	}
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if math.Abs(d.lu[d.row[i]*n+k]) > math.Abs(d.lu[d.row[best]*n+k]) {
				best = i
			}
		}
		d.row[k], d.row[best] = d.row[best], d.row[k]
		pivot := d.lu[d.row[k]*n : d.row[k]*n+n]
		if pivot[k] == 0 {
			return nil, &SingularError{Processes: []int{k}}
		}
		for _, r := range d.row[k+1:] {
			line := d.lu[r*n : r*n+n]
			line[k] /= pivot[k]
			for j := k + 1; j < n; j++ {
				line[j] -= line[k] * pivot[j]
			}
		}
	}
	return d, nil
}

func (d *denseLU) solve(f []float64) []float64 {
	x := make([]float64, d.n)
	for i, r := range d.row {
		x[i] = f[r]
		for j := range i {
			x[i] -= d.lu[r*d.n+j] * x[j]
		}
	}
	for i := d.n - 1; i >= 0; i-- {
		r := d.row[i]
		for j := i + 1; j < d.n; j++ {
			x[i] -= d.lu[r*d.n+j] * x[j]
		}
		x[i] /= d.lu[r*d.n+i]
	}
	return x
}

func (d *denseLU) adjoint(g []float64) []float64 {
	y := make([]float64, d.n)
	for i := range d.n {
		y[i] = g[i]
		for j := range i {
			y[i] -= d.lu[d.row[j]*d.n+i] * y[j]
		}
		y[i] /= d.lu[d.row[i]*d.n+i]
	}
	for i := d.n - 1; i >= 0; i-- {
		for j := i + 1; j < d.n; j++ {
			y[i] -= d.lu[d.row[j]*d.n+i] * y[j]
		}
	}
	x := make([]float64, d.n)
	for i, r := range d.row {
		x[r] = y[i]
	}
	return x
}
