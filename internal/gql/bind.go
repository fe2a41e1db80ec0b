package gql

import (
	"context"
	"strings"
)

// Type writes values of a Go type as a type of the schema.
type Type[V any] interface {
	// String is the type as the schema writes it.
	String() string
	// write appends a value. It returns false if a non-null type would be null;
	// the caller then discards what was appended.
	write(x *run, v V, n *node) bool
	// of returns the object type to select fields from, nil for a leaf.
	of() *objectType
}

// Field is a field of objects over T.
type Field[T any] struct{ binding }

// Fields are an object's fields by name.
type Fields[T any] map[string]Field[T]

// binding is a field without its Go types.
type binding struct {
	typ   string
	of    *objectType
	write func(x *run, parent any, n *node) bool
	// weight says how many times the field's selection may be answered.
	weight func(Args) int
}

// objectType is an object type without its Go type.
type objectType struct {
	name   string
	fields map[string]*binding
}

// Object is an object type of the schema; its values are *T, never nil.
type Object[T any] struct{ typ *objectType }

// NewObject names an object type. Its fields are bound later.
func NewObject[T any](name string) Object[T] {
	o := Object[T]{&objectType{name: name, fields: map[string]*binding{}}}
	return o.Bind(Fields[T]{"__typename": Get(func(*T) string { return name }, String)})
}

// Bind binds an object type.
func Bind[T any](name string, fields Fields[T]) Object[T] {
	return NewObject[T](name).Bind(fields)
}

// Bind adds fields.
func (o Object[T]) Bind(fields Fields[T]) Object[T] {
	for name, f := range fields {
		o.typ.fields[name] = &f.binding
	}
	return o
}

func (o Object[T]) String() string  { return o.typ.name + "!" }
func (o Object[T]) of() *objectType { return o.typ }

func (o Object[T]) write(x *run, v *T, n *node) bool {
	if v == nil {
		x.missing(n)
		return false
	}
	return x.object(v, n.sub)
}

// Get binds a field that is read from its object and cannot fail.
func Get[T, V any](get func(*T) V, as Type[V]) Field[T] {
	return Field[T]{binding{typ: as.String(), of: as.of(), write: func(x *run, parent any, n *node) bool {
		return as.write(x, get(parent.(*T)), n)
	}}}
}

// Ask is what a request asks of a field.
type Ask struct {
	Args      Args
	Selection *Selection // nil for a leaf
}

// Resolve binds a field computed by find, which gets the caller that was passed
// to Execute.
func Resolve[T, C, V any](find func(ctx context.Context, caller C, parent *T, ask Ask) (V, error), as Type[V]) Field[T] {
	nullable := !strings.HasSuffix(as.String(), "!")
	return Field[T]{binding{typ: as.String(), of: as.of(), write: func(x *run, parent any, n *node) bool {
		var v V
		caller, _ := x.caller.(C)
		if !x.resolve(n, func(args Args) (err error) {
			v, err = find(x.ctx, caller, parent.(*T), Ask{args, n.sub})
			return err
		}) {
			return nullable && x.null()
		}
		return as.write(x, v, n)
	}}}
}

// Asked binds a field that depends only on its object and its arguments and
// selection.
func Asked[T, V any](get func(*T, Ask) V, as Type[V]) Field[T] {
	return Resolve(func(_ context.Context, _ any, parent *T, ask Ask) (V, error) { return get(parent, ask), nil }, as)
}

// Weighing sets how many times a field's selection may be answered. It counts
// towards the cost of a request.
func (f Field[T]) Weighing(weight func(Args) int) Field[T] {
	f.weight = weight
	return f
}
