package lca

import (
	"context"
	"errors"
	"slices"
)

// Factorise factorises a technosphere. It returns a *NotSquareError, a
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
	return f, nil
}

// lay finds the order of elimination within each block and lays out the matrix
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
			f.tooLarge = append(f.tooLarge, first.processes(*b))
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
	f.tooLarge = append(f.tooLarge, f.processes(*b))
}

func (f *Factors) eliminator() *eliminator {
	return &eliminator{layout: f.layout, pattern: f.pattern, triangles: f.triangles, w: f.w, x: make([]float64, len(f.process)), threads: f.options.threads(), maxFill: f.options.maxFill()}
}

// graph returns the entries of a block without its diagonal, with nodes counted
// from the block's first.
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
