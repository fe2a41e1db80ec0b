package gql

import (
	"fmt"
	"strings"
	"unique"

	"github.com/vektah/gqlparser/v2/ast"
)

// Plan is an operation ready to execute, for one combination of values of its
// @skip and @include.
type Plan struct{ root *Selection }

// Selection is the merged fields selected from an object, in the order of the
// answer.
type Selection struct {
	// Shape is equal for selections of one type that write the same of an
	// object.
	Shape  unique.Handle[string]
	nodes  []node
	fields int    // including nested ones
	broken *Error // why it cannot be answered
}

// node is one field of a selection.
type node struct {
	head      []byte // what precedes the value
	key       string // the name in the answer
	name      string
	parent    string
	binding   *binding
	args      arguments
	locations []Location
	sub       *Selection
}

// Of returns the selections on a field, one for each of its names in the answer.
func (s *Selection) Of(field string) []*Selection {
	var all []*Selection
	for i := range s.nodes {
		if s.nodes[i].name == field && s.nodes[i].sub != nil {
			all = append(all, s.nodes[i].sub)
		}
	}
	return all
}

// Has reports whether a field is selected.
func (s *Selection) Has(field string) bool {
	for i := range s.nodes {
		if s.nodes[i].name == field {
			return true
		}
	}
	return false
}

// planner compiles an operation.
type planner struct {
	schema   *Schema
	document *ast.QueryDocument
	switches map[string]any // variables of @skip and @include
}

func (p *planner) selection(of *objectType, sets ...ast.SelectionSet) *Selection {
	c := collector{planner: p, at: map[string]int{}, seen: map[string]bool{}}
	for _, set := range sets {
		if bad := c.collect(set); bad != nil {
			return &Selection{broken: bad, Shape: unique.Make(fmt.Sprint(of.name, "!", bad.Locations))}
		}
	}
	s := &Selection{nodes: make([]node, len(c.groups))}
	var shape strings.Builder
	shape.WriteString(of.name + " ")
	for i, fields := range c.groups {
		s.nodes[i] = p.node(of, fields, i > 0)
		n := &s.nodes[i]
		s.fields++
		shape.WriteString(n.key + ":" + n.name)
		n.args.describe(&shape)
		if n.sub != nil {
			s.fields += n.sub.fields
			shape.WriteString("{" + n.sub.Shape.Value() + "}")
		}
		shape.WriteByte(' ')
	}
	s.Shape = unique.Make(shape.String())
	return s
}

func (p *planner) node(of *objectType, fields []*ast.Field, comma bool) node {
	first := fields[0]
	n := node{key: first.Alias, name: first.Name, parent: of.name, binding: of.fields[first.Name]}
	if comma {
		n.head = append(n.head, ',')
	}
	n.head = append(appendString(n.head, n.key), ':')
	n.args = p.schema.arguments(first)
	var sets []ast.SelectionSet
	for _, f := range fields {
		n.locations = append(n.locations, Location{f.Position.Line, f.Position.Column})
		sets = append(sets, f.SelectionSet)
	}
	if n.binding.of != nil {
		n.sub = p.selection(n.binding.of, sets...)
	}
	return n
}

// collector gathers the fields of selection sets by their name in the answer.
type collector struct {
	*planner
	groups [][]*ast.Field
	at     map[string]int
	seen   map[string]bool // fragments
}

func (c *collector) collect(set ast.SelectionSet) *Error {
	for _, s := range set {
		var bad *Error
		switch s := s.(type) {
		case *ast.Field:
			bad = c.when(s.Directives, func() *Error { c.add(s); return nil })
		case *ast.InlineFragment:
			bad = c.when(s.Directives, func() *Error { return c.collect(s.SelectionSet) })
		case *ast.FragmentSpread:
			bad = c.spread(s)
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

func (c *collector) spread(s *ast.FragmentSpread) *Error {
	if c.seen[s.Name] {
		return nil
	}
	return c.when(s.Directives, func() *Error {
		c.seen[s.Name] = true
		return c.collect(c.document.Fragments.ForName(s.Name).SelectionSet)
	})
}

func (c *collector) add(f *ast.Field) {
	at, known := c.at[f.Alias]
	if !known {
		at = len(c.groups)
		c.at[f.Alias] = at
		c.groups = append(c.groups, nil)
	}
	c.groups[at] = append(c.groups[at], f)
}

// when calls then unless @skip or @include leaves the selection out.
func (c *collector) when(directives ast.DirectiveList, then func() *Error) *Error {
	for _, rule := range []struct {
		name string
		keep bool
	}{{"skip", false}, {"include", true}} {
		d := directives.ForName(rule.name)
		if d == nil {
			continue
		}
		value, bad := c.condition(d)
		if bad != nil || value != rule.keep {
			return bad
		}
	}
	return then()
}

func (c *collector) condition(d *ast.Directive) (bool, *Error) {
	v := d.Arguments.ForName("if").Value
	if v.Kind != ast.Variable {
		return v.Raw == "true", nil
	}
	switch value := c.switches[v.Raw].(type) {
	case bool:
		return value, nil
	default:
		return false, &Error{Kind: Request, Message: `Argument "if" of non-null type "Boolean!" must not be null.`, Locations: at(v.Position)}
	}
}

func at(p *ast.Position) []Location { return []Location{{p.Line, p.Column}} }
