package calculation

import "math/bits"

// upstream sums, for every node of a graph, the numbers of all nodes upstream of
// it and its own, each once. have holds width numbers for each node. memory
// bounds the bytes used for the sets of nodes.
func upstream(g *graph, have []int32, width, memory int) []int32 {
	of, n := g.components()
	own := make([]int32, n*width)
	for node, c := range of {
		addTo(own[int(c)*width:], have[node*width:(node+1)*width])
	}
	links := between(g, of, n)
	sums := make([]int32, n*width)
	words := max(1, memory/8/max(1, n))
	for from := 0; from < n; from += words * 64 {
		addBlock(links, own, sums, width, from, min(words, (n-from+63)/64))
	}
	all := make([]int32, g.nodes()*width)
	for node, c := range of {
		copy(all[node*width:(node+1)*width], sums[int(c)*width:(int(c)+1)*width])
	}
	return all
}

// between is the graph of the components, whose suppliers have lower numbers.
func between(g *graph, of []int32, n int) *graph {
	last := make([]int32, n)
	return newGraph(n, func(add func(from, to int32)) {
		for i := range last {
			last[i] = none
		}
		for node := range int32(g.nodes()) {
			from := of[node]
			for _, supplier := range g.suppliers(node) {
				if to := of[supplier]; to != from && last[from] != to {
					last[from] = to
					add(from, to)
				}
			}
		}
	})
}

// addBlock adds the numbers of components from..from+64*words to everything
// downstream. A component starts with the sum of one of its suppliers; only what
// that one does not reach is added one by one.
func addBlock(links *graph, own, sums []int32, width, from, words int) {
	n := links.nodes()
	reached := make([]uint64, n*words)
	block := make([]int32, n*width)
	for c := range n {
		mine := reached[c*words : (c+1)*words]
		base := none
		for _, s := range links.suppliers(int32(c)) {
			theirs := reached[int(s)*words : (int(s)+1)*words]
			if base == none || count(theirs) > count(reached[int(base)*words:(int(base)+1)*words]) {
				base = s
			}
			for w := range mine {
				mine[w] |= theirs[w]
			}
		}
		if c >= from && c < from+64*words {
			mine[(c-from)/64] |= 1 << ((c - from) % 64)
		}
		sum := block[c*width : (c+1)*width]
		if base != none {
			copy(sum, block[int(base)*width:(int(base)+1)*width])
		}
		for w, word := range mine {
			if base != none {
				word &^= reached[int(base)*words+w]
			}
			for ; word != 0; word &= word - 1 {
				addTo(sum, own[(from+w*64+bits.TrailingZeros64(word))*width:][:width])
			}
		}
		addTo(sums[c*width:], sum)
	}
}

func addTo(sum, numbers []int32) {
	for i, n := range numbers {
		sum[i] += n
	}
}

func count(words []uint64) int {
	n := 0
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}
