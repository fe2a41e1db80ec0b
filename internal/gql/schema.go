package gql

import (
	"errors"
	"fmt"
	"maps"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
)

// Schema is a schema with all its fields bound.
type Schema struct {
	ast      *ast.Schema
	query    *objectType
	mutation *objectType
}

// Load parses a schema and checks it against its bindings: every field must be
// bound to its type, and nothing else may be bound. A schema has no interfaces,
// unions or subscriptions.
func Load(source string, query, mutation Object[Root]) (*Schema, error) {
	parsed, err := validator.LoadSchema(validator.Prelude, &ast.Source{Name: "schema.graphql", Input: source})
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	delete(parsed.Directives, "defer") // in gqlparser's prelude, but not in the specification
	s := &Schema{ast: parsed, query: query.typ, mutation: mutation.typ}
	s.query = s.introspectable(query.typ)
	c := checker{schema: s, checked: map[string]bool{}}
	c.root(parsed.Query, s.query)
	c.root(parsed.Mutation, s.mutation)
	c.rest()
	return s, errors.Join(c.problems...)
}

// introspectable adds the introspection fields.
func (s *Schema) introspectable(query *objectType) *objectType {
	fields := maps.Clone(query.fields)
	for name, f := range introspection(s.ast) {
		fields[name] = &f.binding
	}
	return &objectType{name: query.name, fields: fields}
}

// checker compares a schema with its bindings.
type checker struct {
	schema   *Schema
	checked  map[string]bool
	problems []error
}

func (c *checker) problem(format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf(format, args...))
}

func (c *checker) root(def *ast.Definition, bound *objectType) {
	if def == nil {
		c.problem("the schema has no type %s", bound.name)
		return
	}
	c.object(def, bound)
}

func (c *checker) object(def *ast.Definition, bound *objectType) {
	if c.checked[def.Name] {
		return
	}
	c.checked[def.Name] = true
	if bound.name != def.Name {
		c.problem("%s is bound as %s", def.Name, bound.name)
	}
	for _, f := range def.Fields {
		c.field(def, f, bound.fields[f.Name])
	}
	for name := range bound.fields {
		if def.Fields.ForName(name) == nil && name != "__typename" {
			c.problem("%s.%s is bound but not in the schema", def.Name, name)
		}
	}
}

func (c *checker) field(def *ast.Definition, f *ast.FieldDefinition, bound *binding) {
	if bound == nil {
		c.problem("%s.%s is not bound", def.Name, f.Name)
		return
	}
	if bound.typ != f.Type.String() {
		c.problem("%s.%s is %s in the schema and bound as %s", def.Name, f.Name, f.Type, bound.typ)
	}
	for _, a := range f.Arguments {
		c.fallback(a.DefaultValue, a.Type, def.Name+"."+f.Name+"."+a.Name)
	}
	if bound.of != nil {
		c.object(c.schema.ast.Types[f.Type.Name()], bound.of)
	}
}

// fallback checks a default value.
func (c *checker) fallback(v *ast.Value, t *ast.Type, of string) {
	if v == nil {
		return
	}
	if _, ok := c.schema.literal(v, t, nil); !ok {
		c.problem("the default of %s is no %s", of, t)
	}
}

// rest checks the types that no root leads to.
func (c *checker) rest() {
	if c.schema.ast.Subscription != nil {
		c.problem("the schema has subscriptions")
	}
	for _, def := range c.schema.ast.Types {
		switch {
		case def.Kind == ast.Interface, def.Kind == ast.Union:
			c.problem("%s is an interface or union", def.Name)
		case def.Kind == ast.Scalar && !def.BuiltIn:
			c.problem("%s is a scalar of its own", def.Name)
		case def.Kind == ast.Object && !c.checked[def.Name]:
			c.problem("%s is in the schema but no field leads to it", def.Name)
		case def.Kind == ast.InputObject:
			for _, f := range def.Fields {
				c.fallback(f.DefaultValue, f.Type, def.Name+"."+f.Name)
			}
		}
	}
}
