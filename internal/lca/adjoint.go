package lca

import "context"

// width is how many right-hand sides are solved together: as many as there are
// registers for.
const width = 8

// lanes are the values of one position, one for each right-hand side.
type lanes = [width]float64

// adjoint solves Wᵀ·y = g.
func (f *Factors) adjoint(ctx context.Context, g, y []lanes) error {
	for i, b := range f.blocks {
		for at := b.first; at < b.end; at++ {
			sum := g[at]
			gather(&sum, f.row[f.start[at]:f.inside[at]], f.w[f.start[at]:f.inside[at]], y)
			if b.iterated {
				y[at] = sum
				continue
			}
			gather(&sum, f.urow[f.ustart[at]:f.ustart[at+1]], f.u[f.ustart[at]:f.ustart[at+1]], y)
			if at < b.tail {
				pivot := f.pivot[at]
				for k := range sum {
					sum[k] /= pivot
				}
			}
			y[at] = sum
		}
		if b.iterated {
			if err := f.iterate(ctx, b, y); err != nil {
				return err
			}
			continue
		}
		if b.tail < b.end {
			denseAdjoint(f.lu[i], y[b.tail:b.end])
		}
		for at := b.tail - 1; at >= b.first; at-- {
			gather(&y[at], f.lrow[f.lstart[at]:f.lstart[at+1]], f.l[f.lstart[at]:f.lstart[at+1]], y)
		}
	}
	return ctx.Err()
}

// gather subtracts from the sums the entries of a column times their rows' values.
func gather(sum *lanes, rows []int32, values []float64, y []lanes) {
	values = values[:len(rows)]
	s0, s1, s2, s3, s4, s5, s6, s7 := sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7]
	for k, row := range rows {
		v, x := values[k], &y[row]
		s0 -= v * x[0]
		s1 -= v * x[1]
		s2 -= v * x[2]
		s3 -= v * x[3]
		s4 -= v * x[4]
		s5 -= v * x[5]
		s6 -= v * x[6]
		s7 -= v * x[7]
	}
	sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7] = s0, s1, s2, s3, s4, s5, s6, s7
}

// gatherDense does the same for rows that follow one another.
func gatherDense(sum *lanes, values []float64, y []lanes) {
	y = y[:len(values)]
	s0, s1, s2, s3, s4, s5, s6, s7 := sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7]
	for k, v := range values {
		x := &y[k]
		s0 -= v * x[0]
		s1 -= v * x[1]
		s2 -= v * x[2]
		s3 -= v * x[3]
		s4 -= v * x[4]
		s5 -= v * x[5]
		s6 -= v * x[6]
		s7 -= v * x[7]
	}
	sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7] = s0, s1, s2, s3, s4, s5, s6, s7
}

// denseAdjoint solves with the transposed factors of a tail.
func denseAdjoint(lu []float64, y []lanes) {
	n := len(y)
	for j := range n {
		sum := y[j]
		gatherDense(&sum, lu[j*n:j*n+j], y)
		pivot := lu[j*n+j]
		for k := range sum {
			sum[k] /= pivot
		}
		y[j] = sum
	}
	for j := n - 1; j >= 0; j-- {
		gatherDense(&y[j], lu[j*n+j+1:j*n+n], y[j+1:])
	}
}
