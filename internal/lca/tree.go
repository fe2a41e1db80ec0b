package lca

import "math"

// Node is a supplier in the tree of a score.
type Node struct {
	Process  int
	Amount   float64 // of its reference product that the root's unit takes along this path
	Score    float64 // of that amount, including everything upstream
	Direct   float64 // the part of the score from the process's own elementary flows
	Rest     float64 // the part from suppliers that are not among the children
	Children []*Node // largest first
}

// Cutoff is how far a tree goes.
type Cutoff struct {
	Share float64 // suppliers with less than this share of the root's score are left out
	Depth int     // levels below the root
	Nodes int     // in all; 0 is 10,000
}

const usualNodes = 10_000

// Tree expands the score of a unit of the process's reference product into its
// suppliers, their suppliers, and so on, breadth first.
func (f *Factors) Tree(t *Table, process, indicator int, cut Cutoff) *Node {
	if cut.Nodes == 0 {
		cut.Nodes = usualNodes
	}
	root := &Node{Process: process, Amount: 1, Score: t.At(process, indicator)}
	least := cut.Share * math.Abs(root.Score)
	count, level := 1, []*Node{root}
	for depth := 0; len(level) > 0; depth++ {
		var below []*Node
		for _, node := range level {
			room := cut.Nodes - count
			if depth == cut.Depth {
				room = 0
			}
			f.expand(t, node, indicator, least, room)
			count += len(node.Children)
			below = append(below, node.Children...)
		}
		level = below
	}
	return root
}

func (f *Factors) expand(t *Table, node *Node, indicator int, least float64, room int) {
	suppliers := 0.0
	for _, s := range f.Suppliers(t, node.Process, indicator) {
		score := node.Amount * s.Score
		suppliers += score
		if math.Abs(score) < least || score == 0 || len(node.Children) >= room {
			node.Rest += score
			continue
		}
		node.Children = append(node.Children, &Node{Process: s.Process, Amount: node.Amount * s.Amount, Score: score})
	}
	node.Direct = node.Score - suppliers
}
