package calculation

// graph has edges from consumers to suppliers.
type graph struct {
	start []int32
	to    []int32
}

// newGraph makes a graph of n nodes; edges is called twice and must add the same
// edges each time.
func newGraph(n int, edges func(add func(from, to int32))) *graph {
	g := &graph{start: make([]int32, n+1)}
	edges(func(from, _ int32) { g.start[from+1]++ })
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	g.to = make([]int32, g.start[n])
	next := append([]int32{}, g.start[:n]...)
	edges(func(from, to int32) {
		g.to[next[from]] = to
		next[from]++
	})
	return g
}

func (g *graph) nodes() int { return len(g.start) - 1 }

func (g *graph) suppliers(node int32) []int32 { return g.to[g.start[node]:g.start[node+1]] }

func (g *graph) reversed() *graph {
	return newGraph(g.nodes(), func(add func(from, to int32)) {
		for from := range int32(g.nodes()) {
			for _, to := range g.suppliers(from) {
				add(to, from)
			}
		}
	})
}

// reachable marks everything that can be reached from the nodes, including the
// nodes.
func (g *graph) reachable(from []int32) []bool {
	seen := make([]bool, g.nodes())
	stack := append([]int32{}, from...)
	for len(stack) > 0 {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !seen[node] {
			seen[node] = true
			stack = append(stack, g.suppliers(node)...)
		}
	}
	return seen
}

// components numbers the strongly connected components, suppliers before their
// consumers (Tarjan's algorithm, without recursion).
func (g *graph) components() (of []int32, n int) {
	const unseen = -1
	nodes := g.nodes()
	of = make([]int32, nodes)
	index, low, edge := make([]int32, nodes), make([]int32, nodes), make([]int32, nodes)
	for i := range of {
		of[i], index[i] = unseen, unseen
	}
	var path, open []int32 // the way down, and the nodes whose component is not known yet
	count := int32(0)
	for root := range int32(nodes) {
		if index[root] != unseen {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			node := path[len(path)-1]
			if index[node] == unseen {
				index[node], low[node], edge[node] = count, count, g.start[node]
				count++
				open = append(open, node)
			}
			if edge[node] < g.start[node+1] {
				to := g.to[edge[node]]
				edge[node]++
				switch {
				case index[to] == unseen:
					path = append(path, to)
				case of[to] == unseen:
					low[node] = min(low[node], index[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				parent := path[len(path)-1]
				low[parent] = min(low[parent], low[node])
			}
			if low[node] == index[node] {
				for {
					member := open[len(open)-1]
					open = open[:len(open)-1]
					of[member] = int32(n)
					if member == node {
						break
					}
				}
				n++
			}
		}
	}
	return of, n
}
