package gql

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Variables are an operation's coerced variables. It holds those that were given
// or have a default.
type Variables map[string]any

// literal returns the value of a literal with its variables filled in, or false
// if it is not of the type.
func (s *Schema) literal(v *ast.Value, t *ast.Type, variables Variables) (any, bool) {
	if v.Kind == ast.Variable {
		value, there := variables[v.Raw]
		if !there || value == nil && t.NonNull {
			return nil, false
		}
		return value, true
	}
	if v.Kind == ast.NullValue {
		return nil, !t.NonNull
	}
	if t.Elem != nil {
		return s.literalList(v, t.Elem, variables)
	}
	def := s.ast.Types[t.NamedType]
	switch def.Kind {
	case ast.InputObject:
		return s.literalObject(v, def, variables)
	case ast.Enum:
		return v.Raw, v.Kind == ast.EnumValue && def.EnumValues.ForName(v.Raw) != nil
	}
	return scalarLiteral(v, def.Name)
}

func (s *Schema) literalList(v *ast.Value, element *ast.Type, variables Variables) (any, bool) {
	if v.Kind != ast.ListValue {
		one, ok := s.literal(v, element, variables)
		return []any{one}, ok
	}
	values := make([]any, 0, len(v.Children))
	for _, child := range v.Children {
		if absent(child.Value, variables) {
			if element.NonNull {
				return nil, false
			}
			values = append(values, nil)
			continue
		}
		one, ok := s.literal(child.Value, element, variables)
		if !ok {
			return nil, false
		}
		values = append(values, one)
	}
	return values, true
}

// absent reports whether a value is a variable that was not given.
func absent(v *ast.Value, variables Variables) bool {
	if v.Kind != ast.Variable {
		return false
	}
	_, there := variables[v.Raw]
	return !there
}

func (s *Schema) literalObject(v *ast.Value, def *ast.Definition, variables Variables) (any, bool) {
	if v.Kind != ast.ObjectValue {
		return nil, false
	}
	object := Args{}
	for _, f := range def.Fields {
		given := v.Children.ForName(f.Name)
		if given == nil || absent(given, variables) {
			if f.DefaultValue != nil {
				object[f.Name] = s.defaultOf(f.DefaultValue, f.Type)
			} else if f.Type.NonNull {
				return nil, false
			}
			continue
		}
		value, ok := s.literal(given, f.Type, variables)
		if !ok {
			return nil, false
		}
		object[f.Name] = value
	}
	for _, child := range v.Children {
		if def.Fields.ForName(child.Name) == nil {
			return nil, false
		}
	}
	return object, true
}

// defaultOf is the value of a default, which Load has checked.
func (s *Schema) defaultOf(v *ast.Value, t *ast.Type) any {
	value, _ := s.literal(v, t, nil)
	return value
}

func scalarLiteral(v *ast.Value, scalar string) (any, bool) {
	switch scalar {
	case "Int":
		if v.Kind != ast.IntValue {
			return nil, false
		}
		n, err := strconv.ParseInt(v.Raw, 10, 32)
		return int(n), err == nil
	case "Float":
		if v.Kind != ast.IntValue && v.Kind != ast.FloatValue {
			return nil, false
		}
		n, err := strconv.ParseFloat(v.Raw, 64)
		return n, err == nil
	case "String":
		return v.Raw, v.Kind == ast.StringValue || v.Kind == ast.BlockValue
	case "ID":
		return v.Raw, v.Kind == ast.StringValue || v.Kind == ast.BlockValue || v.Kind == ast.IntValue
	}
	return v.Raw == "true", v.Kind == ast.BooleanValue
}

// Variables coerces a client's variables for the operation. Their numbers must
// be decoded as json.Number.
func (o *Operation) Variables(sent map[string]any) (Variables, []*Error) {
	values := Variables{}
	var bad []*Error
	for _, def := range o.def.VariableDefinitions {
		value, given := sent[def.Variable]
		if !given {
			if def.DefaultValue != nil {
				values[def.Variable] = o.schema.defaultOf(def.DefaultValue, def.Type)
			} else if def.Type.NonNull {
				bad = append(bad, variableError(def, "of required type %q was not provided.", def.Type))
			}
			continue
		}
		if value == nil && def.Type.NonNull {
			bad = append(bad, variableError(def, "of non-null type %q must not be null.", def.Type))
			continue
		}
		c := coercion{schema: o.schema}
		values[def.Variable] = c.value(value, def.Type)
		for _, problem := range c.problems {
			bad = append(bad, variableError(def, "got invalid value%s", problem))
		}
	}
	return values, bad
}

func variableError(def *ast.VariableDefinition, format string, args ...any) *Error {
	return &Error{Kind: Request, Locations: at(def.Position), Message: fmt.Sprintf(`Variable "$%s" `, def.Variable) + fmt.Sprintf(format, args...)}
}

// coercion is CoerceVariableValues for one value. It continues after a problem
// to report them all.
type coercion struct {
	schema   *Schema
	path     []string
	problems []string
}

func (c *coercion) problem(format string, args ...any) any {
	where := ""
	if len(c.path) > 0 {
		where = " at " + strconv.Quote(strings.TrimPrefix(strings.Join(c.path, ""), "."))
	}
	c.problems = append(c.problems, where+"; "+fmt.Sprintf(format, args...))
	return nil
}

func (c *coercion) below(step string, value any, t *ast.Type) any {
	c.path = append(c.path, step)
	coerced := c.value(value, t)
	c.path = c.path[:len(c.path)-1]
	return coerced
}

func (c *coercion) value(value any, t *ast.Type) any {
	switch {
	case value == nil && t.NonNull:
		return c.problem("Expected non-nullable type %q not to be null.", t)
	case value == nil:
		return nil
	case t.Elem != nil:
		return c.list(value, t.Elem)
	}
	def := c.schema.ast.Types[t.NamedType]
	switch def.Kind {
	case ast.InputObject:
		return c.object(value, def)
	case ast.Enum:
		text, ok := value.(string)
		if !ok || def.EnumValues.ForName(text) == nil {
			return c.problem("Value does not exist in %q enum.", def.Name)
		}
		return text
	}
	return c.scalar(value, def.Name)
}

func (c *coercion) list(value any, element *ast.Type) any {
	sent, isList := value.([]any)
	if !isList {
		return []any{c.value(value, element)}
	}
	values := make([]any, len(sent))
	for i, v := range sent {
		values[i] = c.below("["+strconv.Itoa(i)+"]", v, element)
	}
	return values
}

func (c *coercion) object(value any, def *ast.Definition) any {
	sent, isObject := value.(map[string]any)
	if !isObject {
		return c.problem("Expected type %q to be an object.", def.Name)
	}
	object := Args{}
	for _, f := range def.Fields {
		v, given := sent[f.Name]
		switch {
		case given:
			object[f.Name] = c.below("."+f.Name, v, f.Type)
		case f.DefaultValue != nil:
			object[f.Name] = c.schema.defaultOf(f.DefaultValue, f.Type)
		case f.Type.NonNull:
			c.problem("Field %q of required type %q was not provided.", f.Name, f.Type)
		}
	}
	for name := range sent {
		if def.Fields.ForName(name) == nil {
			c.problem("Field %q is not defined by type %q.", name, def.Name)
		}
	}
	return object
}

func (c *coercion) scalar(value any, scalar string) any {
	number, isNumber := value.(json.Number)
	switch text, isText := value.(string); {
	case (scalar == "String" || scalar == "ID") && isText:
		return text
	case scalar == "Int" && isNumber:
		if n, ok := integer(number); ok && n >= math.MinInt32 && n <= math.MaxInt32 {
			return int(n)
		}
	case scalar == "ID" && isNumber:
		if n, ok := integer(number); ok {
			return strconv.FormatFloat(n, 'f', -1, 64)
		}
	case scalar == "Float" && isNumber:
		if n, err := number.Float64(); err == nil {
			return n
		}
	case scalar == "Boolean":
		if yes, isBool := value.(bool); isBool {
			return yes
		}
	}
	return c.problem("%s cannot represent this value.", scalar)
}

// integer reads a number without a fraction, however it is written: JSON has
// only one kind of number.
func integer(number json.Number) (float64, bool) {
	n, err := number.Float64()
	return n, err == nil && n == math.Trunc(n)
}
