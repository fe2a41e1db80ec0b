package lca

import "context"

// Markowitz: eliminate next whatever makes the fewest new entries, rows times
// columns, and keep track of the entries that arise.

const (
	// denseShare is how full the rest must be to be kept as a dense matrix.
	denseShare = 0.7
	// denseRest is a rest so small that it is kept dense in any case.
	denseRest = 16
	// bitShare is how full the rest must be for sets of bits to be quicker than lists.
	bitShare = 1.0 / 100
	// bitRest bounds the memory for those.
	bitRest = 1 << 14
)

// graph has the entries of a block but for its diagonal: the rows in each node's
// column and the columns in its row.
type graph struct{ col, row [][]int32 }

// elimination is the graph of a block while its nodes are taken out. When a node
// has been, its lists are the pattern of its column of L and of its row of U.
type elimination struct {
	graph
	order   []int32
	sparse  int // how many of the order are not in the dense tail
	left    int // nodes that have not been taken out
	entries int // of those, with the diagonal
	fill    int // entries of the factors so far
	stamp   []int32
	tag     int32
	queue   queue
}

// eliminate finds an order, or gives up where the factors would have more than
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

// fuller tells whether the rest is at least so full, or so small that it need not be.
func (e *elimination) fuller(share float64) bool {
	return e.left <= denseRest || float64(e.entries) >= share*float64(e.left)*float64(e.left)
}

// rest lists the nodes that have not been taken out.
func (e *elimination) rest() []int32 {
	rest := make([]int32, 0, e.left)
	for node, cost := range e.queue.cost {
		if cost != gone {
			rest = append(rest, int32(node))
		}
	}
	return rest
}

// proceed takes out the next node. takeOut returns how many entries that made.
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

// takeOut connects a node's rows with its columns. Either the rows are gone
// through or the columns, whichever are shorter: a hub has thousands in its row.
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

// connect adds all of to, but for itself, to the list of each of from, and the
// other way round in the opposite lists. The node goes out of all of them.
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

// mark stamps the members of a list and its owner, and takes out the node.
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
