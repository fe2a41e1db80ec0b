package lca

import (
	"context"
	"errors"
	"math"
)

// If the diagonal is too small, rows are chosen as pivots while the columns are
// calculated (Gilbert and Peierls). The order of the columns stays.

// errRunaway means that a block's factors exceed the allowed number of entries.
var errRunaway = errors.New("runaway fill")

// pivoting factorises a block again. It returns for each row of the block the
// position it was chosen for, or the position of a column without a pivot, or
// errRunaway.
func (e *eliminator) pivoting(ctx context.Context, i int, b block) (taken []int32, singular int, err error) {
	p := &pivotSearch{eliminator: e, b: b, taken: filled(b.end-b.first, unmatched), chosen: make([]int32, b.end-b.first), seen: filled(b.end-b.first, unmatched)}
	for at := b.first; at < b.tail; at++ {
		if at%untilAsked == 0 && ctx.Err() != nil {
			return nil, -1, ctx.Err()
		}
		if size := p.column(at); !p.choose(at, size) {
			return nil, at, nil
		}
		if len(p.lrow)+len(p.urow) > e.maxFill {
			return nil, -1, errRunaway
		}
	}
	singular, err = p.rest(ctx, i)
	return p.taken, singular, err
}

// pivotSearch names rows by their original positions.
type pivotSearch struct {
	*eliminator
	b      block
	taken  []int32 // position that each row of the block is the pivot of
	chosen []int32 // the row of each position
	seen   []int32 // the column that a row was last touched by
	queue  least   // positions to apply
	open   []int32 // rows touched that are no pivots yet
}

// column reduces a column and finds out which earlier columns affect it.
func (p *pivotSearch) column(at int) float64 {
	size := 0.0
	p.open = p.open[:0]
	for k := p.inside[at]; k < p.start[at+1]; k++ {
		p.touch(p.row[k], at)
		p.x[p.row[k]] = p.w[k]
		size += math.Abs(p.w[k])
	}
	for len(p.queue) > 0 {
		above := int32(p.queue.pop())
		row := p.chosen[int(above)-p.b.first]
		factor := p.x[row]
		p.x[row] = 0
		p.urow, p.u = append(p.urow, above), append(p.u, factor)
		for k := p.lstart[above]; k < p.lstart[above+1]; k++ {
			p.touch(p.lrow[k], at)
			p.x[p.lrow[k]] -= factor * p.l[k]
		}
	}
	p.ustart = append(p.ustart, len(p.urow))
	return size
}

func (p *pivotSearch) touch(row int32, at int) {
	i := int(row) - p.b.first
	if p.seen[i] == int32(at) {
		return
	}
	p.seen[i] = int32(at)
	if p.taken[i] == unmatched {
		p.open = append(p.open, row)
	} else {
		p.queue.push(uint64(p.taken[i]))
	}
}

// choose chooses the diagonal if it is large enough, else the largest row.
func (p *pivotSearch) choose(at int, size float64) bool {
	best, largest := int32(unmatched), lostShare*size
	for _, row := range p.open {
		if math.Abs(p.x[row]) > largest {
			best, largest = row, math.Abs(p.x[row])
		}
	}
	if best == unmatched {
		return false
	}
	if p.taken[at-p.b.first] == unmatched && p.seen[at-p.b.first] == int32(at) && math.Abs(p.x[at]) >= pivotShare*largest {
		best = int32(at)
	}
	pivot := p.x[best]
	p.taken[int(best)-p.b.first], p.chosen[at-p.b.first] = int32(at), best
	p.pivot[at] = pivot
	for _, row := range p.open {
		if row != best {
			p.lrow, p.l = append(p.lrow, row), append(p.l, p.x[row]/pivot)
		}
		p.x[row] = 0
	}
	p.lstart = append(p.lstart, len(p.lrow))
	return true
}

// rest assigns the positions of the tail to the remaining rows and computes
// their dense matrix.
func (p *pivotSearch) rest(ctx context.Context, i int) (singular int, err error) {
	free := p.b.tail
	for row := range p.taken {
		if p.taken[row] == unmatched {
			p.taken[row] = int32(free)
			p.chosen[free-p.b.first] = int32(p.b.first + row)
			free++
		}
	}
	n := p.b.end - p.b.tail
	dense, sizes := make([]float64, n*n), make([]float64, n)
	for at := p.b.tail; at < p.b.end; at++ {
		sizes[at-p.b.tail] = p.tailColumn(at, dense[(at-p.b.tail)*n:(at-p.b.tail+1)*n])
	}
	return p.factorTail(ctx, i, p.b, dense, sizes, p.taken)
}

// tailColumn is like column, but does not apply the rows of the tail although
// they have positions.
func (p *pivotSearch) tailColumn(at int, dense []float64) float64 {
	for i := range p.taken {
		if int(p.taken[i]) >= p.b.tail {
			p.seen[i] = int32(at)
		}
	}
	size := p.column(at)
	for i := range dense {
		row := p.chosen[p.b.tail-p.b.first+i]
		dense[i], p.x[row] = p.x[row], 0
	}
	p.lstart = append(p.lstart, len(p.lrow))
	return size
}
