package lca

import "context"

// Markowitz: eliminate the node that makes the fewest new entries, rows times
// columns, and keep track of the new entries.

const (
	// denseShare is how full the rest must be to be kept as a dense matrix.
	denseShare = 0.7
	// denseRest is the size up to which the rest is always dense.
	denseRest = 16
	// bitShare is how full the rest must be for bit sets to be faster than
	// lists.
	bitShare = 1.0 / 100
	// bitRest bounds the memory of bit sets.
	bitRest = 1 << 14
)

// graph has the entries of a block without its diagonal: the rows in each node's
// column and the columns in its row.
type graph struct{ col, row [][]int32 }

// elimination is the graph of a block while its nodes are eliminated. The lists
// of an eliminated node are the pattern of its column of L and its row of U.
type elimination struct {
	graph
	order   []int32
	sparse  int // nodes before the dense tail
	left    int // nodes not eliminated yet
	entries int // of those, including the diagonal
	fill    int // entries of the factors so far
	stamp   []int32
	tag     int32
	queue   queue
}

// eliminate finds an order, or returns false if the factors would have more than
// maxFill entries.
func eliminate(ctx context.Context, g graph, maxFill int) (e *elimination, ok bool, err error) {
	n := len(g.col)
	e = &elimination{graph: g, left: n, entries: n, stamp: make([]int32, n), queue: newQueue(n)}
	for node := range n {
		e.entries += len(g.row[node])
		e.queue.update(int32(node), e.cost(int32(node)))
	}
	for !e.fuller(denseShare) && !(e.fuller(bitShare) && e.left <= bitRest) {
		if err := e.proceed(ctx, e.takeOut); err != nil || e.fill+e.entries > maxFill {
			return nil, false, err
		}
	}
	if !e.fuller(denseShare) {
		bits := newBitGraph(e)
		for !e.fuller(denseShare) {
			if err := e.proceed(ctx, bits.takeOut); err != nil || e.fill+e.entries > maxFill {
				return nil, false, err
			}
		}
	}
	e.sparse = len(e.order)
	e.order = append(e.order, e.rest()...)
	e.fill += e.left * e.left
	return e, e.fill <= maxFill, nil
}

// fuller reports whether the rest is at least this full, or small enough anyway.
func (e *elimination) fuller(share float64) bool {
	return e.left <= denseRest || float64(e.entries) >= share*float64(e.left)*float64(e.left)
}

// rest lists the nodes that are not eliminated yet.
func (e *elimination) rest() []int32 {
	rest := make([]int32, 0, e.left)
	for node, cost := range e.queue.cost {
		if cost != gone {
			rest = append(rest, int32(node))
		}
	}
	return rest
}

// proceed eliminates the next node with takeOut, which returns the number of new
// entries.
func (e *elimination) proceed(ctx context.Context, takeOut func(int32) int) error {
	node := e.queue.next()
	made := takeOut(node)
	removed := len(e.col[node]) + len(e.row[node])
	e.order = append(e.order, node)
	e.fill += removed
	e.entries += made - removed - 1
	e.left--
	if e.left%untilAsked == 0 {
		return ctx.Err()
	}
	return nil
}

func (e *elimination) cost(node int32) int64 {
	return int64(len(e.col[node])) * int64(len(e.row[node]))
}

// takeOut connects a node's rows with its columns. It iterates over the shorter
// of the two: a hub has thousands in its row.
func (e *elimination) takeOut(node int32) int {
	rows, cols := e.col[node], e.row[node]
	made := 0
	if total(e.row, rows) <= total(e.col, cols) {
		made = e.connect(e.row, e.col, rows, cols, node)
	} else {
		made = e.connect(e.col, e.row, cols, rows, node)
	}
	for _, i := range rows {
		e.queue.update(i, e.cost(i))
	}
	for _, j := range cols {
		e.queue.update(j, e.cost(j))
	}
	return made
}

func total(lists [][]int32, of []int32) int {
	sum := 0
	for _, i := range of {
		sum += len(lists[i])
	}
	return sum
}

// connect adds all of to, except itself, to the list of each of from, and vice
// versa in the opposite lists. It removes the node from all of them.
func (e *elimination) connect(lists, opposite [][]int32, from, to []int32, node int32) int {
	made := 0
	for _, i := range from {
		list := e.mark(lists[i], i, node)
		before := len(list)
		for _, j := range to {
			if e.stamp[j] != e.tag {
				list = append(list, j)
				opposite[j] = append(opposite[j], i)
			}
		}
		lists[i] = list
		made += len(list) - before
	}
	for _, j := range to {
		opposite[j] = without(opposite[j], node)
	}
	return made
}

// mark stamps the members of a list and its owner, and removes the node.
func (e *elimination) mark(list []int32, owner, node int32) []int32 {
	e.tag++
	e.stamp[owner] = e.tag
	gap := 0
	for k, j := range list {
		e.stamp[j] = e.tag
		if j == node {
			gap = k
		}
	}
	list[gap] = list[len(list)-1]
	return list[:len(list)-1]
}

func without(list []int32, node int32) []int32 {
	for k, x := range list {
		if x == node {
			list[k] = list[len(list)-1]
			return list[:len(list)-1]
		}
	}
	return list
}
