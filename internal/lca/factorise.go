package lca

import (
	"context"
	"errors"
	"math"
	"slices"
)

// Factorise makes a technosphere ready. It returns a *NotSquareError, a
// *SingularError, or the context's error.
func Factorise(ctx context.Context, a *Matrix, o Options) (*Factors, error) {
	pairs := match(a)
	if err := pairs.check(a); err != nil {
		return nil, err
	}
	f := &Factors{options: o, a: a, pairs: pairs}
	order, blocks := components(a, pairs)
	priced := newPrices(arrange(a, pairs, order, blocks), a)
	graphs, err := f.lay(ctx, priced)
	if err != nil {
		return nil, err
	}
	if err := f.factorAll(ctx, graphs); err != nil {
		return nil, err
	}
	warnings, err := f.unproductive(ctx, priced)
	f.warnings = append(f.warnings, warnings...)
	return f, err
}

// lay finds the order of elimination within each block and lays everything out
// in it.
func (f *Factors) lay(ctx context.Context, priced *prices) ([]*elimination, error) {
	first := priced.l
	blocks, order := slices.Clone(first.blocks), slices.Clone(first.process)
	graphs := make([]*elimination, len(blocks))
	for i := range blocks {
		b := &blocks[i]
		if b.single() {
			continue
		}
		graph, ok, err := eliminate(ctx, first.graph(*b), f.options.maxFill())
		if err != nil {
			return nil, err
		}
		if !ok {
			b.iterated = true
			f.warnings = append(f.warnings, Warning{Kind: Iterated, Processes: first.processes(*b)})
			continue
		}
		graphs[i] = graph
		b.tail = b.first + graph.sparse
		for k, node := range graph.order {
			order[b.first+k] = first.process[b.first+int(node)]
		}
	}
	f.layout = arrange(f.a, f.pairs, order, blocks)
	priced.scale(f.layout)
	return graphs, nil
}

func (f *Factors) factorAll(ctx context.Context, graphs []*elimination) error {
	f.w = f.scaled(f.a)
	f.pattern = &pattern{lstart: []int{0}, ustart: []int{0}}
	f.triangles = &triangles{pivot: make([]float64, len(f.process)), lu: make([][]float64, len(f.blocks))}
	e := f.eliminator()
	for i, b := range f.blocks {
		err := e.factorBlock(ctx, i, b, graphs[i])
		if errors.Is(err, errRunaway) {
			f.giveUp(i)
			e.forget(b)
			err = e.factorBlock(ctx, i, f.blocks[i], nil)
		}
		if err != nil {
			return err
		}
	}
	f.diagonal = f.onDiagonal(f.w)
	return nil
}

// giveUp leaves a block to be iterated.
func (f *Factors) giveUp(i int) {
	b := &f.blocks[i]
	b.iterated, b.tail = true, b.end
	f.warnings = append(f.warnings, Warning{Kind: Iterated, Processes: f.processes(*b)})
}

func (f *Factors) eliminator() *eliminator {
	return &eliminator{layout: f.layout, pattern: f.pattern, triangles: f.triangles, w: f.w, x: make([]float64, len(f.process)), threads: f.options.threads(), maxFill: f.options.maxFill()}
}

// graph gives the entries of a block without its diagonal, by nodes counted from
// the block's first.
func (l *layout) graph(b block) (g graph) {
	n := b.end - b.first
	g.col, g.row = make([][]int32, n), make([][]int32, n)
	count := make([]int, n)
	for j := range n {
		at := b.first + j
		for k := l.inside[at]; k < l.start[at+1]; k++ {
			if int(l.row[k]) != at {
				g.col[j] = append(g.col[j], l.row[k]-int32(b.first))
				count[int(l.row[k])-b.first]++
			}
		}
	}
	for i := range n {
		g.row[i] = make([]int32, 0, count[i])
	}
	for j := range n {
		for _, i := range g.col[j] {
			g.row[i] = append(g.row[i], int32(j))
		}
	}
	return g
}

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

// pad says that positions up to an end have no entries.
func pad(start []int, end int) []int {
	for len(start) <= end {
		start = append(start, start[len(start)-1])
	}
	return start
}

// ownRows says that each row of a block is taken for its own position.
func ownRows(b block) []int32 {
	taken := make([]int32, b.end-b.first)
	for i := range taken {
		taken[i] = int32(b.first + i)
	}
	return taken
}

// foresee appends the pattern that pivots on the diagonal make.
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

// relabel gives rows the positions that they were taken for, so that all that comes
// later need not know of pivoting.
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

// dependent lists the processes of which the column of one, with nothing left of
// it, is a combination.
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

// above calls for each entry of U above the diagonal.
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
