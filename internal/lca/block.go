package lca

import (
	"context"
	"math"
	"slices"
)

// factorBlock appends the triangles of a block.
func (e *eliminator) factorBlock(ctx context.Context, i int, b block, graph *elimination) error {
	if graph == nil {
		e.lstart, e.ustart = pad(e.lstart, b.end), pad(e.ustart, b.end)
		if b.single() {
			e.pivot[b.first] = e.w[e.inside[b.first]]
		}
		return ctx.Err()
	}
	e.foresee(b, graph)
	taken := ownRows(b)
	singular, stable, err := e.static(ctx, i, b, taken)
	if err == nil && !stable {
		e.forget(b)
		taken, singular, err = e.pivoting(ctx, i, b)
	}
	if err != nil {
		return err
	}
	if singular >= 0 {
		return &SingularError{Processes: e.dependent(i, b, singular)}
	}
	e.relabel(b, taken)
	return nil
}

// pad adds empty positions up to an end.
func pad(start []int, end int) []int {
	for len(start) <= end {
		start = append(start, start[len(start)-1])
	}
	return start
}

// ownRows pairs each row of a block with its own position.
func ownRows(b block) []int32 {
	taken := make([]int32, b.end-b.first)
	for i := range taken {
		taken[i] = int32(b.first + i)
	}
	return taken
}

// foresee appends the pattern that results from pivots on the diagonal.
func (e *eliminator) foresee(b block, g *elimination) {
	n := b.end - b.first
	position := make([]int32, n)
	for k, node := range g.order {
		position[node] = int32(b.first + k)
	}
	above := make([]int, n)
	entries := 0
	for _, node := range g.order[:g.sparse] {
		for _, i := range g.col[node] {
			e.lrow = append(e.lrow, position[i])
		}
		e.lstart = append(e.lstart, len(e.lrow))
		for _, j := range g.row[node] {
			above[int(position[j])-b.first]++
			entries++
		}
	}
	e.lstart = pad(e.lstart, b.end)
	for i := range above {
		e.ustart = append(e.ustart, e.ustart[len(e.ustart)-1]+above[i])
	}
	e.urow = append(e.urow, make([]int32, entries)...)
	next := slices.Clone(e.ustart[b.first:b.end])
	for k, node := range g.order[:g.sparse] {
		for _, j := range g.row[node] {
			at := int(position[j]) - b.first
			e.urow[next[at]] = int32(b.first + k)
			next[at]++
		}
	}
	e.l, e.u = resized(e.l, len(e.lrow)), resized(e.u, len(e.urow))
}

func resized(s []float64, n int) []float64 {
	return slices.Grow(s, max(0, n-len(s)))[:n]
}

// forget removes what was appended for a block.
func (e *eliminator) forget(b block) {
	e.lstart, e.ustart = e.lstart[:b.first+1], e.ustart[:b.first+1]
	l, u := e.lstart[b.first], e.ustart[b.first]
	e.lrow, e.l, e.urow, e.u = e.lrow[:l], e.l[:l], e.urow[:u], e.u[:u]
}

// relabel gives rows the positions they were chosen for, so that later steps
// need not know of pivoting.
func (e *eliminator) relabel(b block, taken []int32) {
	if slices.Equal(taken, ownRows(b)) {
		return
	}
	now := func(rows []int32) {
		for k, row := range rows {
			if int(row) >= b.first && int(row) < b.end {
				rows[k] = taken[int(row)-b.first]
			}
		}
	}
	now(e.lrow[e.lstart[b.first]:])
	now(e.row[e.start[b.first]:])
	product, r := slices.Clone(e.product[b.first:b.end]), slices.Clone(e.r[b.first:b.end])
	for i, at := range taken {
		e.product[at], e.r[at] = product[i], r[i]
		e.position[product[i]] = at
	}
}

// dependent lists the processes that the singular column is a combination of.
func (e *eliminator) dependent(i int, b block, singular int) []int {
	z := make([]float64, b.end-b.first)
	z[singular-b.first] = -1
	largest := 1.0
	for at := singular; at >= b.first; at-- {
		if at < singular {
			z[at-b.first] /= e.pivot[at]
			largest = max(largest, math.Abs(z[at-b.first]))
		}
		e.above(i, b, at, func(row int, value float64) { z[row-b.first] -= value * z[at-b.first] })
	}
	var processes []int
	for k := range z {
		if math.Abs(z[k]) > 1e-8*largest {
			processes = append(processes, int(e.process[b.first+k]))
		}
	}
	slices.Sort(processes)
	return processes
}

// above calls each for every entry of U above the diagonal.
func (e *eliminator) above(i int, b block, at int, each func(row int, value float64)) {
	for k := e.ustart[at]; k < e.ustart[at+1]; k++ {
		each(int(e.urow[k]), e.u[k])
	}
	if at >= b.tail {
		n := b.end - b.tail
		for row, value := range e.lu[i][(at-b.tail)*n : (at-b.tail)*n+at-b.tail] {
			each(b.tail+row, value)
		}
	}
}
