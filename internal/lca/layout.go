package lca

import (
	"math"
	"slices"
)

// layout is the technosphere renumbered and scaled: suppliers before their
// consumers, each position a process and the product it is eliminated with, all
// values of about the same size. The system solved is W = R·A·S, with R and S
// powers of two, so that scaling costs no accuracy.
type layout struct {
	process  []int32   // of each position
	product  []int32   // of each position
	position []int32   // of each product
	r, s     []float64 // scale of each position's row and column
	blocks   []block
	start    []int   // of each position's entries, and the end of the last
	inside   []int   // where the entries within the own block begin
	row      []int32 // position of the product
	from     []int32 // entry of A
}

// block is a group of processes that supply one another, or a single process.
type block struct {
	first, end int // positions
	tail       int // from here on the block is dense
	iterated   bool
}

func (b block) single() bool { return b.end-b.first == 1 }

// arrange lays A out in a given order of its processes.
func arrange(a *Matrix, pairs matching, order []int32, blocks []block) *layout {
	n := a.cols
	l := &layout{
		process: order, product: make([]int32, n), position: make([]int32, n), blocks: blocks,
		start: make([]int, n+1), inside: make([]int, n), row: make([]int32, len(a.row)), from: make([]int32, len(a.row)),
	}
	for at, process := range order {
		l.product[at] = pairs.product[process]
		l.position[l.product[at]] = int32(at)
	}
	for _, b := range blocks {
		for at := b.first; at < b.end; at++ {
			l.place(a, at, int32(b.first))
		}
	}
	return l
}

// place writes the entries of a position: those of earlier blocks, then the others.
func (l *layout) place(a *Matrix, at int, first int32) {
	process := l.process[at]
	from, to := a.start[process], a.start[process+1]
	next, last := l.start[at], l.start[at]+to-from
	l.start[at+1] = last
	for k := from; k < to; k++ {
		row := l.position[a.row[k]]
		if row < first {
			l.row[next], l.from[next] = row, int32(k)
			next++
		} else {
			last--
			l.row[last], l.from[last] = row, int32(k)
		}
	}
	l.inside[at] = next
}

// scaled returns the entries of W for the values of A.
func (l *layout) scaled(a *Matrix) []float64 {
	w := make([]float64, len(l.row))
	for at := range l.process {
		s := l.s[at]
		for k := l.start[at]; k < l.start[at+1]; k++ {
			w[k] = scale(a.value[l.from[k]], l.r[l.row[k]], s)
		}
	}
	return w
}

// scale multiplies by two powers of two without an overflow in between.
func scale(x, p, q float64) float64 {
	if y := x * p * q; y != 0 && !math.IsInf(y, 0) {
		return y
	}
	return x * q * p
}

// onDiagonal picks the entries of W on its diagonal.
func (l *layout) onDiagonal(w []float64) []float64 {
	diagonal := make([]float64, len(l.process))
	for at := range diagonal {
		for k := l.inside[at]; k < l.start[at+1]; k++ {
			if int(l.row[k]) == at {
				diagonal[at] = w[k]
			}
		}
	}
	return diagonal
}

// processes lists those of a block, in order.
func (l *layout) processes(b block) []int {
	var list []int
	for _, process := range l.process[b.first:b.end] {
		list = append(list, int(process))
	}
	slices.Sort(list)
	return list
}
