package lca

import "context"

// Markowitz: eliminate next whatever makes the fewest new entries, rows times
// columns, and keep track of the entries that arise.

const (
	// denseShare is how full the rest must be to be kept as a dense matrix.
	denseShare = 0.35
	// denseRest is a rest so small that it is kept dense in any case.
	denseRest = 16
)

// graph has the entries of a block but for its diagonal: the rows in each node's
// column and the columns in its row.
type graph struct{ col, row [][]int32 }

// elimination is the graph of a block while its nodes are taken out. When a node
// has been, its lists are the pattern of its column of L and of its row of U.
type elimination struct {
	graph
	order  []int32
	sparse int // how many of the order are not in the dense tail
	fill   int // entries of the factors
	stamp  []int32
	tag    int32
	queue  queue
}

// eliminate finds an order, or gives up where the factors would have more than
// maxFill entries.
func eliminate(ctx context.Context, g graph, maxFill int) (e *elimination, ok bool, err error) {
	n := len(g.col)
	e = &elimination{graph: g, stamp: make([]int32, n), queue: newQueue(n)}
	entries := n
	for node := range n {
		entries += len(g.row[node])
		e.queue.update(int32(node), e.cost(int32(node)))
	}
	for left := n; left > denseRest && float64(entries) < denseShare*float64(left)*float64(left); left-- {
		if left%untilAsked == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		node := e.queue.next()
		gone := len(g.col[node]) + len(g.row[node])
		e.fill += gone
		entries += e.takeOut(node) - gone - 1
		if e.fill+entries > maxFill {
			return nil, false, nil
		}
	}
	e.sparse = len(e.order)
	for node := range n {
		if e.queue.cost[node] != gone {
			e.order = append(e.order, int32(node))
		}
	}
	tail := n - e.sparse
	e.fill += tail * tail
	return e, e.fill <= maxFill, nil
}

func (e *elimination) cost(node int32) int64 {
	return int64(len(e.col[node])) * int64(len(e.row[node]))
}

// takeOut connects a node's rows with its columns and returns how many entries
// that made.
func (e *elimination) takeOut(node int32) int {
	made := 0
	for _, i := range e.col[node] {
		made += e.join(i, node)
	}
	for _, j := range e.row[node] {
		e.col[j] = without(e.col[j], node)
	}
	e.order = append(e.order, node)
	for _, i := range e.col[node] {
		e.queue.update(i, e.cost(i))
	}
	for _, j := range e.row[node] {
		e.queue.update(j, e.cost(j))
	}
	return made
}

// join adds the columns of a node's row to another row, which loses the node.
func (e *elimination) join(i, node int32) int {
	row := e.row[i]
	gap := 0
	e.tag++
	e.stamp[i] = e.tag
	for k, j := range row {
		e.stamp[j] = e.tag
		if j == node {
			gap = k
		}
	}
	row[gap] = row[len(row)-1]
	row = row[:len(row)-1]
	before := len(row)
	for _, j := range e.row[node] {
		if e.stamp[j] != e.tag {
			row = append(row, j)
			e.col[j] = append(e.col[j], i)
		}
	}
	e.row[i] = row
	return len(row) - before
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
