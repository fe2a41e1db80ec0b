package gql

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Args are a field's arguments, or an input object's fields, by name. It holds
// those that were given or have a default.
type Args map[string]any

// Text returns a String or ID, "" if it is null or not given.
func (a Args) Text(name string) string {
	text, _ := a[name].(string)
	return text
}

// Object returns an input object, nil if it is null or not given.
func (a Args) Object(name string) Args {
	object, _ := a[name].(Args)
	return object
}

// Texts returns a list of String! or ID!.
func (a Args) Texts(name string) []string {
	values, _ := a[name].([]any)
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i], _ = v.(string)
	}
	return texts
}

// Int returns an Int, and whether there is one.
func (a Args) Int(name string) (int, bool) {
	n, given := a[name].(int)
	return n, given
}

// Flag returns a Boolean, false if it is null or not given.
func (a Args) Flag(name string) bool {
	yes, _ := a[name].(bool)
	return yes
}

// arguments are a field's arguments in the document.
type arguments struct {
	schema   *Schema
	defs     ast.ArgumentDefinitionList
	given    ast.ArgumentList
	position *ast.Position
	fixed    Args // the values, if there are no variables among them
}

func (s *Schema) arguments(f *ast.Field) arguments {
	if len(f.Definition.Arguments) == 0 {
		return arguments{}
	}
	a := arguments{schema: s, defs: f.Definition.Arguments, given: f.Arguments, position: f.Position}
	for _, g := range f.Arguments {
		if hasVariable(g.Value) {
			return a
		}
	}
	a.fixed, _ = a.evaluate(nil)
	return a
}

func hasVariable(v *ast.Value) bool {
	if v.Kind == ast.Variable {
		return true
	}
	for _, child := range v.Children {
		if hasVariable(child.Value) {
			return true
		}
	}
	return false
}

func (a arguments) values(variables Variables) (Args, *Error) {
	if a.fixed != nil || a.schema == nil {
		return a.fixed, nil
	}
	return a.evaluate(variables)
}

// evaluate is CoerceArgumentValues of the specification.
func (a arguments) evaluate(variables Variables) (Args, *Error) {
	values := Args{}
	for _, def := range a.defs {
		given := a.given.ForName(def.Name)
		if given == nil {
			if def.DefaultValue != nil {
				values[def.Name] = a.schema.defaultOf(def.DefaultValue, def.Type)
			} else if def.Type.NonNull {
				return nil, &Error{Kind: Request, Message: fmt.Sprintf("Argument %q of required type %q was not provided.", def.Name, def.Type), Locations: at(a.position)}
			}
			continue
		}
		if bad := a.evaluateGiven(def, given.Value, variables, values); bad != nil {
			return nil, bad
		}
	}
	return values, nil
}

func (a arguments) evaluateGiven(def *ast.ArgumentDefinition, given *ast.Value, variables Variables, into Args) *Error {
	isNull := given.Kind == ast.NullValue
	if given.Kind == ast.Variable {
		value, there := variables[given.Raw]
		if !there {
			if def.DefaultValue != nil {
				into[def.Name] = a.schema.defaultOf(def.DefaultValue, def.Type)
				return nil
			}
			if def.Type.NonNull {
				return &Error{Kind: Request, Message: fmt.Sprintf("Argument %q of required type %q was provided the variable \"$%s\" which was not provided a runtime value.",
					def.Name, def.Type, given.Raw), Locations: at(given.Position)}
			}
			return nil
		}
		isNull = value == nil
	}
	if isNull && def.Type.NonNull {
		return &Error{Kind: Request, Message: fmt.Sprintf("Argument %q of non-null type %q must not be null.", def.Name, def.Type), Locations: at(given.Position)}
	}
	value, ok := a.schema.literal(given, def.Type, variables)
	if !ok {
		return &Error{Kind: Request, Message: fmt.Sprintf("Argument %q has invalid value %s.", def.Name, printed(given)), Locations: at(given.Position)}
	}
	into[def.Name] = value
	return nil
}

// describe writes the arguments to a selection's shape.
func (a arguments) describe(to *strings.Builder) {
	for _, g := range a.given {
		to.WriteString("(" + g.Name + ":" + g.Value.String() + ")")
	}
}
