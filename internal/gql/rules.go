package gql

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// validate checks a document against the schema. It replaces two of gqlparser's
// rules: its comparison of arguments does not look into objects, and its check
// of literals differs from that of variables.
func (s *Schema) validate(doc *ast.QueryDocument) []*Error {
	all := rules.NewDefaultRules()
	all.RemoveRule(rules.OverlappingFieldsCanBeMergedRule.Name)
	all.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, s.valuesFit)
	var bad []*Error
	for _, e := range validator.ValidateWithRules(s.ast, doc, all) {
		bad = append(bad, &Error{Kind: Validation, Message: e.Message, Locations: locations(e)})
	}
	if bad != nil {
		return bad
	}
	for _, o := range doc.Operations {
		if e := conflict(doc, o.SelectionSet); e != nil {
			return []*Error{e}
		}
	}
	return nil
}

// conflict finds two different fields with the same name in an answer. Without
// interfaces and unions these are fields with different names or arguments. The
// bounds keep this fast.
func conflict(doc *ast.QueryDocument, sets ...ast.SelectionSet) *Error {
	var order []string
	groups := map[string][]*ast.Field{}
	seen := map[string]bool{}
	var gather func(ast.SelectionSet)
	gather = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				if groups[s.Alias] == nil {
					order = append(order, s.Alias)
				}
				groups[s.Alias] = append(groups[s.Alias], s)
			case *ast.InlineFragment:
				gather(s.SelectionSet)
			case *ast.FragmentSpread:
				if !seen[s.Name] {
					seen[s.Name] = true
					gather(doc.Fragments.ForName(s.Name).SelectionSet)
				}
			}
		}
	}
	for _, set := range sets {
		gather(set)
	}
	for _, key := range order {
		if e := unlike(groups[key]); e != nil {
			return e
		}
		var below []ast.SelectionSet
		for _, f := range groups[key] {
			below = append(below, f.SelectionSet)
		}
		if e := conflict(doc, below...); e != nil {
			return e
		}
	}
	return nil
}

func unlike(fields []*ast.Field) *Error {
	first := fields[0]
	for _, f := range fields[1:] {
		reason := ""
		switch {
		case f.Name != first.Name:
			reason = fmt.Sprintf("%q and %q are different fields", first.Name, f.Name)
		case !sameArguments(first.Arguments, f.Arguments):
			reason = "they have differing arguments"
		default:
			continue
		}
		return &Error{Kind: Validation, Locations: append(at(first.Position), at(f.Position)...), Message: fmt.Sprintf(
			"Fields %q conflict because %s. Use different aliases on the fields to fetch both if this was intentional.", first.Alias, reason)}
	}
	return nil
}

func sameArguments(a, b ast.ArgumentList) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		y := b.ForName(x.Name)
		if y == nil || !sameValue(x.Value, y.Value) {
			return false
		}
	}
	return true
}

// sameValue compares literals; an object's fields may stand in any order.
func sameValue(a, b *ast.Value) bool {
	if a.Kind != b.Kind || a.Raw != b.Raw || len(a.Children) != len(b.Children) {
		return false
	}
	for i, x := range a.Children {
		y := b.Children[i].Value
		if a.Kind == ast.ObjectValue {
			y = b.Children.ForName(x.Name)
		}
		if y == nil || !sameValue(x.Value, y) {
			return false
		}
	}
	return true
}

// valuesFit is the rule that literals have the type expected at their place.
func (s *Schema) valuesFit(observers *core.Events, addError core.AddErrFunc) {
	check := func(v *ast.Value, t *ast.Type) {
		if where, problem := s.misfit(v, t); problem != "" {
			addError(core.Message("%s", problem), core.At(where.Position))
		}
	}
	observers.OnField(func(_ *core.Walker, f *ast.Field) {
		if f.Definition != nil {
			eachArgument(f.Arguments, f.Definition.Arguments, check)
		}
	})
	observers.OnDirective(func(_ *core.Walker, d *ast.Directive) {
		if d.Definition != nil {
			eachArgument(d.Arguments, d.Definition.Arguments, check)
		}
	})
	observers.OnVariable(func(_ *core.Walker, v *ast.VariableDefinition) {
		if v.DefaultValue != nil && v.Definition != nil && v.Definition.IsInputType() {
			check(v.DefaultValue, v.Type)
		}
	})
}

func eachArgument(given ast.ArgumentList, defs ast.ArgumentDefinitionList, check func(*ast.Value, *ast.Type)) {
	for _, a := range given {
		if def := defs.ForName(a.Name); def != nil {
			check(a.Value, def.Type)
		}
	}
}

// misfit finds the part of a literal that is not of its type. Variables always
// fit here: another rule checks them.
func (s *Schema) misfit(v *ast.Value, t *ast.Type) (*ast.Value, string) {
	switch {
	case v.Kind == ast.Variable:
		return nil, ""
	case v.Kind == ast.NullValue && t.NonNull:
		return v, fmt.Sprintf("Expected value of type %q, found null.", t)
	case v.Kind == ast.NullValue:
		return nil, ""
	case t.Elem != nil && v.Kind == ast.ListValue:
		for _, child := range v.Children {
			if where, problem := s.misfit(child.Value, t.Elem); problem != "" {
				return where, problem
			}
		}
		return nil, ""
	case t.Elem != nil:
		return s.misfit(v, t.Elem)
	}
	if def := s.ast.Types[t.NamedType]; def.Kind == ast.InputObject {
		return s.objectMisfit(v, def)
	}
	if _, ok := s.literal(v, t, nil); !ok {
		return v, fmt.Sprintf("Expected value of type %q, found %s.", t, printed(v))
	}
	return nil, ""
}

func (s *Schema) objectMisfit(v *ast.Value, def *ast.Definition) (*ast.Value, string) {
	if v.Kind != ast.ObjectValue {
		return v, fmt.Sprintf("Expected value of type %q, found %s.", def.Name, printed(v))
	}
	for _, f := range def.Fields {
		if f.Type.NonNull && f.DefaultValue == nil && v.Children.ForName(f.Name) == nil {
			return v, fmt.Sprintf("Field %q of required type %q was not provided.", def.Name+"."+f.Name, f.Type)
		}
	}
	for _, child := range v.Children {
		f := def.Fields.ForName(child.Name)
		if f == nil {
			return child.Value, fmt.Sprintf("Field %q is not defined by type %q.", child.Name, def.Name)
		}
		if where, problem := s.misfit(child.Value, f.Type); problem != "" {
			return where, problem
		}
	}
	return nil, ""
}

// printed formats a literal for a message.
func printed(v *ast.Value) string {
	const most = 80
	text := v.String()
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
