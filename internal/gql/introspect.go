package gql

import (
	"cmp"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// introspection binds the introspection fields.
func introspection(schema *ast.Schema) Fields[Root] {
	kind, location := Enum("__TypeKind"), Enum("__DirectiveLocation")
	text := Optional(String)

	typ := NewObject[typeOf]("__Type")
	inputValue := Bind("__InputValue", Fields[inputOf]{
		"name":              Get(func(v *inputOf) string { return v.name }, String),
		"description":       Get(func(v *inputOf) *string { return some(v.description) }, text),
		"type":              Get(func(v *inputOf) *typeOf { return &typeOf{schema, v.typ} }, typ),
		"defaultValue":      Get(func(v *inputOf) *string { return v.fallback() }, text),
		"isDeprecated":      Get(func(v *inputOf) bool { return deprecated(v.directives) != nil }, Boolean),
		"deprecationReason": Get(func(v *inputOf) *string { return deprecated(v.directives) }, text),
	})
	inputs := func(defs ast.ArgumentDefinitionList, ask Ask) []inputOf {
		var all []inputOf
		for _, d := range defs {
			all = append(all, inputOf{d.Name, d.Description, d.Type, d.DefaultValue, d.Directives})
		}
		return shown(all, ask, func(v *inputOf) ast.DirectiveList { return v.directives })
	}
	field := Bind("__Field", Fields[ast.FieldDefinition]{
		"name":              Get(func(f *ast.FieldDefinition) string { return f.Name }, String),
		"description":       Get(func(f *ast.FieldDefinition) *string { return some(f.Description) }, text),
		"args":              Asked(func(f *ast.FieldDefinition, ask Ask) []inputOf { return inputs(f.Arguments, ask) }, Objects(inputValue)),
		"type":              Get(func(f *ast.FieldDefinition) *typeOf { return &typeOf{schema, f.Type} }, typ),
		"isDeprecated":      Get(func(f *ast.FieldDefinition) bool { return deprecated(f.Directives) != nil }, Boolean),
		"deprecationReason": Get(func(f *ast.FieldDefinition) *string { return deprecated(f.Directives) }, text),
	})
	enumValue := Bind("__EnumValue", Fields[ast.EnumValueDefinition]{
		"name":              Get(func(v *ast.EnumValueDefinition) string { return v.Name }, String),
		"description":       Get(func(v *ast.EnumValueDefinition) *string { return some(v.Description) }, text),
		"isDeprecated":      Get(func(v *ast.EnumValueDefinition) bool { return deprecated(v.Directives) != nil }, Boolean),
		"deprecationReason": Get(func(v *ast.EnumValueDefinition) *string { return deprecated(v.Directives) }, text),
	})
	typ.Bind(Fields[typeOf]{
		"kind":           Get((*typeOf).kind, kind),
		"name":           Get((*typeOf).name, text),
		"description":    Get((*typeOf).description, text),
		"specifiedByURL": Get(func(*typeOf) *string { return nil }, text),
		"fields":         Asked((*typeOf).fields, Optional(List[*ast.FieldDefinition](field))),
		"interfaces":     Get((*typeOf).interfaces, Optional(Objects(typ))),
		"possibleTypes":  Get(func(*typeOf) *[]typeOf { return nil }, Optional(Objects(typ))),
		"enumValues":     Asked((*typeOf).enumValues, Optional(List[*ast.EnumValueDefinition](enumValue))),
		"inputFields":    Asked((*typeOf).inputFields, Optional(Objects(inputValue))),
		"ofType":         Get((*typeOf).ofType, Maybe(typ)),
		"isOneOf":        Get((*typeOf).isOneOf, Optional(Boolean)),
	})
	directive := Bind("__Directive", Fields[ast.DirectiveDefinition]{
		"name":         Get(func(d *ast.DirectiveDefinition) string { return d.Name }, String),
		"description":  Get(func(d *ast.DirectiveDefinition) *string { return some(d.Description) }, text),
		"isRepeatable": Get(func(d *ast.DirectiveDefinition) bool { return d.IsRepeatable }, Boolean),
		"locations":    Get(locationsOf, List(location)),
		"args":         Asked(func(d *ast.DirectiveDefinition, ask Ask) []inputOf { return inputs(d.Arguments, ask) }, Objects(inputValue)),
	})
	root := func(def *ast.Definition) *typeOf {
		if def == nil {
			return nil
		}
		return &typeOf{schema, ast.NamedType(def.Name, nil)}
	}
	about := Bind("__Schema", Fields[ast.Schema]{
		"description":      Get(func(s *ast.Schema) *string { return some(s.Description) }, text),
		"types":            Get(allTypes, Objects(typ)),
		"queryType":        Get(func(s *ast.Schema) *typeOf { return root(s.Query) }, typ),
		"mutationType":     Get(func(s *ast.Schema) *typeOf { return root(s.Mutation) }, Maybe(typ)),
		"subscriptionType": Get(func(s *ast.Schema) *typeOf { return root(s.Subscription) }, Maybe(typ)),
		"directives":       Get(allDirectives, List[*ast.DirectiveDefinition](directive)),
	})
	return Fields[Root]{
		"__schema": Get(func(*Root) *ast.Schema { return schema }, about),
		"__type": Asked(func(_ *Root, ask Ask) *typeOf {
			return root(schema.Types[ask.Args.Text("name")])
		}, Maybe(typ)),
	}
}

// typeOf is a type as introspection shows it: a named type, or a list or
// non-null wrapper.
type typeOf struct {
	schema *ast.Schema
	typ    *ast.Type
}

// def is the definition of a named type, nil for a wrapper.
func (t *typeOf) def() *ast.Definition {
	if t.typ.NonNull || t.typ.Elem != nil {
		return nil
	}
	return t.schema.Types[t.typ.NamedType]
}

func (t *typeOf) kind() string {
	switch {
	case t.typ.NonNull:
		return "NON_NULL"
	case t.typ.Elem != nil:
		return "LIST"
	}
	return string(t.def().Kind)
}

func (t *typeOf) ofType() *typeOf {
	switch {
	case t.typ.NonNull:
		return &typeOf{t.schema, &ast.Type{NamedType: t.typ.NamedType, Elem: t.typ.Elem}}
	case t.typ.Elem != nil:
		return &typeOf{t.schema, t.typ.Elem}
	}
	return nil
}

func (t *typeOf) name() *string {
	if def := t.def(); def != nil {
		return &def.Name
	}
	return nil
}

func (t *typeOf) description() *string {
	if def := t.def(); def != nil {
		return some(def.Description)
	}
	return nil
}

func (t *typeOf) fields(ask Ask) *[]*ast.FieldDefinition {
	def := t.def()
	if def == nil || def.Kind != ast.Object {
		return nil
	}
	all := shown(def.Fields, ask, func(f **ast.FieldDefinition) ast.DirectiveList { return (*f).Directives })
	all = slices.DeleteFunc(all, func(f *ast.FieldDefinition) bool { return len(f.Name) > 1 && f.Name[:2] == "__" })
	return &all
}

func (t *typeOf) interfaces() *[]typeOf {
	if def := t.def(); def == nil || def.Kind != ast.Object {
		return nil
	}
	return &[]typeOf{}
}

func (t *typeOf) enumValues(ask Ask) *[]*ast.EnumValueDefinition {
	def := t.def()
	if def == nil || def.Kind != ast.Enum {
		return nil
	}
	all := shown(def.EnumValues, ask, func(v **ast.EnumValueDefinition) ast.DirectiveList { return (*v).Directives })
	return &all
}

func (t *typeOf) inputFields(ask Ask) *[]inputOf {
	def := t.def()
	if def == nil || def.Kind != ast.InputObject {
		return nil
	}
	var all []inputOf
	for _, f := range def.Fields {
		all = append(all, inputOf{f.Name, f.Description, f.Type, f.DefaultValue, f.Directives})
	}
	all = shown(all, ask, func(v *inputOf) ast.DirectiveList { return v.directives })
	return &all
}

func (t *typeOf) isOneOf() *bool {
	if def := t.def(); def == nil || def.Kind != ast.InputObject {
		return nil
	}
	no := false
	return &no
}

// inputOf is an argument, or a field of an input object.
type inputOf struct {
	name, description string
	typ               *ast.Type
	value             *ast.Value
	directives        ast.DirectiveList
}

func (v *inputOf) fallback() *string {
	if v.value == nil {
		return nil
	}
	text := v.value.String()
	return &text
}

// shown omits deprecated elements unless they are requested.
func shown[E any, S ~[]E](all S, ask Ask, directives func(*E) ast.DirectiveList) []E {
	kept := make([]E, 0, len(all))
	for i := range all {
		if ask.Args.Flag("includeDeprecated") || deprecated(directives(&all[i])) == nil {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// deprecated returns why something is deprecated, nil when it is not.
func deprecated(directives ast.DirectiveList) *string {
	d := directives.ForName("deprecated")
	if d == nil {
		return nil
	}
	reason := "No longer supported"
	if given := d.Arguments.ForName("reason"); given != nil {
		reason = given.Value.Raw
	}
	return &reason
}

func allTypes(s *ast.Schema) []typeOf {
	var all []typeOf
	for _, name := range slices.Sorted(maps.Keys(s.Types)) {
		all = append(all, typeOf{s, ast.NamedType(name, nil)})
	}
	return all
}

func allDirectives(s *ast.Schema) []*ast.DirectiveDefinition {
	return slices.SortedFunc(maps.Values(s.Directives), func(a, b *ast.DirectiveDefinition) int { return cmp.Compare(a.Name, b.Name) })
}

func locationsOf(d *ast.DirectiveDefinition) []string {
	var all []string
	for _, l := range d.Locations {
		all = append(all, string(l))
	}
	return all
}

func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
