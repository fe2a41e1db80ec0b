package gql

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
)

// Bounds of one document.
const (
	mostTokens  = 2000
	mostDepth   = 15
	mostFields  = 1000 // with fragments expanded
	mostAliases = 50
	mostRoots   = 10
	mostCost    = 25_000
)

// size is the size of a selection with its fragments expanded.
type size struct{ fields, aliases, depth, roots int }

// sizer measures each fragment once, so that its time is linear in the document.
type sizer struct {
	doc       *ast.QueryDocument
	fragments map[string]*size
}

// checkBounds refuses a document that could take more than linear time, before
// any other work is done on it.
func checkBounds(doc *ast.QueryDocument) *Error {
	m := sizer{doc, map[string]*size{}}
	for _, o := range doc.Operations {
		n := m.measure(o.SelectionSet)
		for _, bound := range []struct {
			has, most int
			what      string
		}{
			{n.depth, mostDepth, "levels of fields"}, {n.roots, mostRoots, "fields at its root"},
			{n.aliases, mostAliases, "aliases"}, {n.fields, mostFields, "fields"},
		} {
			if bound.has > bound.most {
				return &Error{Kind: Bounds, Message: fmt.Sprintf("The operation asks for more than %d %s.", bound.most, bound.what), Locations: at(o.Position)}
			}
		}
	}
	return nil
}

func (m *sizer) measure(set ast.SelectionSet) size {
	var all size
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			below := m.measure(s.SelectionSet)
			all.add(size{fields: 1 + below.fields, aliases: below.aliases, depth: 1 + below.depth, roots: 1})
			if s.Alias != s.Name {
				all.aliases++
			}
		case *ast.InlineFragment:
			all.add(m.measure(s.SelectionSet))
		case *ast.FragmentSpread:
			all.add(m.fragment(s.Name))
		}
	}
	return all
}

// add saturates far above every bound, so that nothing overflows.
func (s *size) add(o size) {
	const enough = 1 << 20
	s.fields = min(enough, s.fields+o.fields)
	s.aliases = min(enough, s.aliases+o.aliases)
	s.roots = min(enough, s.roots+o.roots)
	s.depth = max(s.depth, min(enough, o.depth))
}

// fragment measures a fragment. A fragment that is unknown or contains itself
// counts as nothing: validation refuses it.
func (m *sizer) fragment(name string) size {
	if known := m.fragments[name]; known != nil {
		return *known
	}
	m.fragments[name] = &size{}
	if def := m.doc.Fragments.ForName(name); def != nil {
		found := m.measure(def.SelectionSet)
		m.fragments[name] = &found
	}
	return *m.fragments[name]
}

// CheckCost refuses an operation whose answer could be too large: the number of
// its fields times the requested records.
func (p *Plan) CheckCost(variables Variables) *Error {
	cost := 0
	for i := range p.root.nodes {
		n := &p.root.nodes[i]
		weight := 1
		if n.binding.weight != nil {
			if args, bad := n.args.values(variables); bad == nil {
				weight = n.binding.weight(args)
			}
		}
		fields := 1
		if n.sub != nil {
			fields += n.sub.fields
		}
		cost += weight * fields
	}
	if cost > mostCost {
		return &Error{Kind: Bounds, Message: fmt.Sprintf(
			"The operation costs %d, which is more than %d: ask for fewer fields, or for fewer records with limit.", cost, mostCost)}
	}
	return nil
}
