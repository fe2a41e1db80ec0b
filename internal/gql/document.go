package gql

import (
	"fmt"
	"slices"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Document is a parsed text with operations that can be executed.
type Document struct{ operations []*Operation }

// Operation is one operation of a document.
type Operation struct {
	// Name is "" for an anonymous operation.
	Name string
	// Mutation reports whether the operation is a mutation.
	Mutation bool

	schema   *Schema
	document *ast.QueryDocument
	def      *ast.OperationDefinition
	root     *objectType
	switches []string // variables of @skip and @include, in order

	mu    sync.RWMutex
	plans map[string]*Plan
}

// Parse parses a document and checks it against the bounds and the schema. It
// may return a document along with errors, of which only the names are usable.
func (s *Schema) Parse(text string) (*Document, []*Error) {
	doc, bad := parse(text)
	if bad != nil {
		return nil, []*Error{bad}
	}
	d := &Document{}
	all := s.check(doc)
	for _, def := range doc.Operations {
		o := &Operation{Name: def.Name}
		if all == nil {
			o = s.operation(doc, def)
		}
		d.operations = append(d.operations, o)
	}
	return d, all
}

func (s *Schema) check(doc *ast.QueryDocument) []*Error {
	if bad := checkBounds(doc); bad != nil {
		return []*Error{bad}
	}
	return s.validate(doc)
}

func locations(e *gqlerror.Error) []Location {
	var all []Location
	for _, l := range e.Locations {
		all = append(all, Location{l.Line, l.Column})
	}
	return all
}

func (s *Schema) operation(doc *ast.QueryDocument, def *ast.OperationDefinition) *Operation {
	o := &Operation{Name: def.Name, Mutation: def.Operation == ast.Mutation, schema: s, document: doc, def: def, root: s.query, plans: map[string]*Plan{}}
	if o.Mutation {
		o.root = s.mutation
	}
	found := map[string]bool{}
	switches(doc, def.SelectionSet, found, map[string]bool{})
	for _, v := range def.VariableDefinitions {
		if found[v.Variable] {
			o.switches = append(o.switches, v.Variable)
		}
	}
	return o
}

// switches finds the variables used by @skip and @include.
func switches(doc *ast.QueryDocument, set ast.SelectionSet, found, seen map[string]bool) {
	note := func(directives ast.DirectiveList) {
		for _, d := range directives {
			if a := d.Arguments.ForName("if"); a != nil && a.Value.Kind == ast.Variable {
				found[a.Value.Raw] = true
			}
		}
	}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			note(s.Directives)
			switches(doc, s.SelectionSet, found, seen)
		case *ast.InlineFragment:
			note(s.Directives)
			switches(doc, s.SelectionSet, found, seen)
		case *ast.FragmentSpread:
			note(s.Directives)
			if !seen[s.Name] {
				seen[s.Name] = true
				switches(doc, doc.Fragments.ForName(s.Name).SelectionSet, found, seen)
			}
		}
	}
}

// Operation returns the operation with the name or, for "", the only one.
func (d *Document) Operation(name string) (*Operation, *Error) {
	if name == "" {
		switch len(d.operations) {
		case 0:
			return nil, &Error{Kind: Request, Message: "Must provide an operation."}
		case 1:
			return d.operations[0], nil
		}
		return nil, &Error{Kind: Request, Message: "Must provide operation name if query contains multiple operations."}
	}
	at := slices.IndexFunc(d.operations, func(o *Operation) bool { return o.Name == name })
	if at < 0 {
		return nil, &Error{Kind: Request, Message: fmt.Sprintf("Unknown operation named %q.", name)}
	}
	return d.operations[at], nil
}

// mostPlans bounds how many plans of an operation are cached.
const mostPlans = 16

// Plan returns the plan for what the variables leave of the operation after
// @skip and @include.
func (o *Operation) Plan(variables Variables) *Plan {
	choice := o.choice(variables)
	o.mu.RLock()
	known := o.plans[choice]
	o.mu.RUnlock()
	if known != nil {
		return known
	}
	p := planner{schema: o.schema, document: o.document, switches: variables}
	made := &Plan{root: p.selection(o.root, o.def.SelectionSet)}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.plans) >= mostPlans {
		clear(o.plans)
	}
	o.plans[choice] = made
	return made
}

// choice encodes the values of the switches: true, false or neither.
func (o *Operation) choice(variables Variables) string {
	if len(o.switches) == 0 {
		return ""
	}
	marks := make([]byte, len(o.switches))
	for i, name := range o.switches {
		marks[i] = '-'
		if value, isBool := variables[name].(bool); isBool && value {
			marks[i] = '1'
		} else if isBool {
			marks[i] = '0'
		}
	}
	return string(marks)
}

// Fields returns the names of the plan's root fields, repeated ones included.
func (p *Plan) Fields() []string {
	names := make([]string, len(p.root.nodes))
	for i := range p.root.nodes {
		names[i] = p.root.nodes[i].name
	}
	return names
}
