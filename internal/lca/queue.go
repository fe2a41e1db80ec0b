package lca

import "math"

// queue returns the node of least cost. An increased cost is noticed when the
// node's turn comes; a node with a reduced cost is queued again.
type queue struct {
	heap least   // cost and node
	cost []int64 // current cost of each node
}

const (
	nodeBits = 28 // of a heap's entry
	gone     = -1 // the cost of an eliminated node
)

func newQueue(n int) queue {
	q := queue{cost: make([]int64, n)}
	for node := range q.cost {
		q.cost[node] = math.MaxInt64
	}
	return q
}

func (q *queue) update(node int32, cost int64) {
	if cost < q.cost[node] {
		q.push(node, cost)
	}
	q.cost[node] = cost
}

func (q *queue) next() int32 {
	for {
		first := q.heap.pop()
		node, cost := int32(first&(1<<nodeBits-1)), int64(first>>nodeBits)
		switch now := q.cost[node]; {
		case now == cost:
			q.cost[node] = gone
			return node
		case now > cost:
			q.push(node, now)
		}
	}
}

func (q *queue) push(node int32, cost int64) {
	q.heap.push(uint64(cost)<<nodeBits | uint64(node))
}

// least is a min-heap.
type least []uint64

func (h *least) push(x uint64) {
	*h = append(*h, x)
	s, at := *h, len(*h)-1
	for at > 0 && x < s[(at-1)/2] {
		s[at] = s[(at-1)/2]
		at = (at - 1) / 2
	}
	s[at] = x
}

func (h *least) pop() uint64 {
	s := *h
	first, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	at := 0
	for below := 1; below < len(s); below = 2*at + 1 {
		if below+1 < len(s) && s[below+1] < s[below] {
			below++
		}
		if last <= s[below] {
			break
		}
		s[at] = s[below]
		at = below
	}
	if len(s) > 0 {
		s[at] = last
	}
	return first
}
