package lca

import "math/bits"

// bitGraph is the rest of an elimination as bit sets, one for each row and one
// for each column, including the diagonal.
type bitGraph struct {
	*elimination
	nodes    []int32 // those left, in order
	index    []int32 // of each node among them
	words    int     // to a set
	col, row []uint64
	colCount []int32
	rowCount []int32
}

func newBitGraph(e *elimination) *bitGraph {
	b := &bitGraph{elimination: e, nodes: e.rest(), index: make([]int32, len(e.graph.col))}
	n := len(b.nodes)
	b.words = (n + 63) / 64
	b.col, b.row = make([]uint64, n*b.words), make([]uint64, n*b.words)
	b.colCount, b.rowCount = make([]int32, n), make([]int32, n)
	for i, node := range b.nodes {
		b.index[node] = int32(i)
	}
	for i, node := range b.nodes {
		b.colCount[i] = b.fill(b.col, i, e.graph.col[node])
		b.rowCount[i] = b.fill(b.row, i, e.graph.row[node])
	}
	return b
}

func (b *bitGraph) fill(sets []uint64, i int, members []int32) int32 {
	set := b.set(sets, int32(i))
	set[i/64] |= 1 << (i % 64)
	for _, node := range members {
		j := b.index[node]
		set[j/64] |= 1 << (j % 64)
	}
	return int32(len(members)) + 1
}

func (b *bitGraph) set(sets []uint64, i int32) []uint64 {
	return sets[int(i)*b.words : (int(i)+1)*b.words]
}

// takeOut connects a node's rows with its columns.
func (b *bitGraph) takeOut(node int32) int {
	i := b.index[node]
	rows, cols := b.members(b.set(b.col, i), i), b.members(b.set(b.row, i), i)
	made := 0
	for _, row := range rows {
		made += b.join(b.row, b.rowCount, row, i)
	}
	for _, col := range cols {
		b.join(b.col, b.colCount, col, i)
	}
	for _, touched := range [][]int32{rows, cols} {
		for k, j := range touched {
			b.queue.update(b.nodes[j], int64(b.colCount[j]-1)*int64(b.rowCount[j]-1))
			touched[k] = b.nodes[j]
		}
	}
	b.graph.col[node], b.graph.row[node] = rows, cols
	return made
}

// members lists a set without its owner.
func (b *bitGraph) members(set []uint64, owner int32) []int32 {
	var list []int32
	for word, rest := range set {
		for ; rest != 0; rest &= rest - 1 {
			if j := int32(word*64 + bits.TrailingZeros64(rest)); j != owner {
				list = append(list, j)
			}
		}
	}
	return list
}

// join adds the set of i, without i itself, to that of another, and returns the
// number of new members.
func (b *bitGraph) join(sets []uint64, counts []int32, to, i int32) int {
	into, from := b.set(sets, to), b.set(sets, i)
	from = from[:len(into)]
	count := 0
	for k := range into {
		into[k] |= from[k]
		count += bits.OnesCount64(into[k])
	}
	into[i/64] &^= 1 << (i % 64)
	count--
	made := count - int(counts[to]) + 1
	counts[to] = int32(count)
	return made
}
