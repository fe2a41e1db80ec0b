package lca

// components groups processes that supply one another, directly or indirectly,
// into blocks, and sorts suppliers before their consumers.
func components(a *Matrix, pairs matching) (order []int32, blocks []block) {
	t := tarjan{
		a: a, pairs: pairs, next: make([]int, a.cols),
		index: make([]int32, a.cols), low: make([]int32, a.cols),
		order: make([]int32, 0, a.cols),
	}
	for process := range a.cols {
		if t.index[process] == 0 {
			t.visit(int32(process))
		}
	}
	return t.order, t.blocks
}

// tarjan is Tarjan's algorithm with an explicit stack, because supply chains are
// as deep as libraries are large.
type tarjan struct {
	a       *Matrix
	pairs   matching
	next    []int   // entry of each process to look at next
	index   []int32 // when a process was first seen, from 1
	low     []int32 // the earliest process it leads back to
	clock   int32
	path    []int32
	pending []int32 // seen, and not yet in a block
	order   []int32
	blocks  []block
}

// grouped is the index of a process whose block is known.
const grouped = 1<<31 - 1

func (t *tarjan) visit(root int32) {
	t.enter(root)
	for len(t.path) > 0 {
		at := t.path[len(t.path)-1]
		if supplier := t.unseen(at); supplier != unmatched {
			t.enter(supplier)
			continue
		}
		t.path = t.path[:len(t.path)-1]
		if len(t.path) > 0 {
			above := t.path[len(t.path)-1]
			t.low[above] = min(t.low[above], t.low[at])
		}
		if t.low[at] == t.index[at] {
			t.group(at)
		}
	}
}

func (t *tarjan) enter(process int32) {
	t.clock++
	t.index[process], t.low[process], t.next[process] = t.clock, t.clock, t.a.start[process]
	t.path, t.pending = append(t.path, process), append(t.pending, process)
}

func (t *tarjan) unseen(process int32) int32 {
	for t.next[process] < t.a.start[process+1] {
		supplier := t.pairs.process[t.a.row[t.next[process]]]
		t.next[process]++
		if t.index[supplier] == 0 {
			return supplier
		}
		if t.index[supplier] != grouped {
			t.low[process] = min(t.low[process], t.index[supplier])
		}
	}
	return unmatched
}

func (t *tarjan) group(first int32) {
	begin := len(t.order)
	for {
		last := t.pending[len(t.pending)-1]
		t.pending = t.pending[:len(t.pending)-1]
		t.index[last], t.low[last] = grouped, grouped
		t.order = append(t.order, last)
		if last == first {
			break
		}
	}
	t.blocks = append(t.blocks, block{first: begin, end: len(t.order), tail: len(t.order)})
}
