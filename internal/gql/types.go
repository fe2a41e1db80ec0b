package gql

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The leaves.
var (
	String  Type[string]  = leaf[string]{name: "String", append: appendString}
	ID      Type[string]  = leaf[string]{name: "ID", append: appendString}
	Boolean Type[bool]    = leaf[bool]{name: "Boolean", append: strconv.AppendBool}
	Int     Type[int]     = leaf[int]{"Int", appendInt, checkInt}
	Float   Type[float64] = leaf[float64]{"Float", appendFloat, checkFloat}
)

// Enum is an enumeration of the schema, whose values are their names.
func Enum(name string) Type[string] { return leaf[string]{name: name, append: appendString} }

type leaf[V any] struct {
	name   string
	append func(to []byte, v V) []byte
	check  func(v V) (problem string) // nil if every value is valid
}

func (l leaf[V]) String() string  { return l.name + "!" }
func (l leaf[V]) of() *objectType { return nil }

func (l leaf[V]) write(x *run, v V, n *node) bool {
	if l.check != nil {
		if problem := l.check(v); problem != "" {
			x.report(n, &Error{Message: problem})
			return false
		}
	}
	x.out = l.append(x.out, v)
	return true
}

// Optional is a nullable type.
func Optional[V any](some Type[V]) Type[*V] { return optional[V]{some} }

type optional[V any] struct{ some Type[V] }

func (o optional[V]) String() string  { return strings.TrimSuffix(o.some.String(), "!") }
func (o optional[V]) of() *objectType { return o.some.of() }

func (o optional[V]) write(x *run, v *V, n *node) bool {
	if v == nil {
		return x.null()
	}
	before := x.mark()
	return o.some.write(x, *v, n) || x.nullAt(before)
}

// Maybe is a nullable object.
func Maybe[T any](o Object[T]) Type[*T] { return maybe[T]{o} }

type maybe[T any] struct{ Object[T] }

func (m maybe[T]) String() string { return m.typ.name }

func (m maybe[T]) write(x *run, v *T, n *node) bool {
	if v == nil {
		return x.null()
	}
	before := x.mark()
	return x.object(v, n.sub) || x.nullAt(before)
}

// List is a list of a type.
func List[V any](of Type[V]) Type[[]V] { return list[V]{of} }

type list[V any] struct{ element Type[V] }

func (l list[V]) String() string  { return "[" + l.element.String() + "]!" }
func (l list[V]) of() *objectType { return l.element.of() }

func (l list[V]) write(x *run, values []V, n *node) bool {
	return writeList(x, len(values), func(i int) bool { return l.element.write(x, values[i], n) })
}

// Objects is a list of objects held in a slice.
func Objects[T any](of Object[T]) Type[[]T] { return objects[T]{of} }

type objects[T any] struct{ Object[T] }

func (l objects[T]) String() string { return "[" + l.typ.name + "!]!" }

func (l objects[T]) write(x *run, values []T, n *node) bool {
	return writeList(x, len(values), func(i int) bool { return x.object(&values[i], n.sub) })
}

func writeList(x *run, length int, write func(i int) bool) bool {
	x.out = append(x.out, '[')
	for i := range length {
		if i > 0 {
			x.out = append(x.out, ',')
		}
		x.path = append(x.path, step{at: i})
		if !write(i) {
			return false
		}
		x.path = x.path[:len(x.path)-1]
	}
	x.out = append(x.out, ']')
	return true
}

func checkInt(v int) string {
	if v < math.MinInt32 || v > math.MaxInt32 {
		return fmt.Sprintf("Int cannot represent non 32-bit signed integer value: %d", v)
	}
	return ""
}

func checkFloat(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Sprintf("Float cannot represent non numeric value: %v", v)
	}
	return ""
}
