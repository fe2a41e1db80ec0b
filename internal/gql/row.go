package gql

// Row is a prerendered object. Rows of equal objects are equal for selections of
// one shape.
type Row struct {
	text   []byte
	errors []*Error // their paths start at the object
	failed bool
}

// Size is the approximate size of a row in bytes.
func (r Row) Size() int { return len(r.text) + 64 }

// Render renders a selection of an object whose fields depend on nothing else.
func Render[T any](s *Selection, of Object[T], v *T) Row {
	x := run{out: make([]byte, 0, 512)}
	ok := of.write(&x, v, &node{sub: s})
	return Row{text: x.out[:len(x.out):len(x.out)], errors: x.errors, failed: !ok}
}

// Rendered is an object type whose values are prerendered rows.
func Rendered[T any](of Object[T]) Type[Row] { return rendered[T]{of} }

type rendered[T any] struct{ object Object[T] }

func (r rendered[T]) String() string  { return r.object.String() }
func (r rendered[T]) of() *objectType { return r.object.typ }

func (r rendered[T]) write(x *run, row Row, _ *node) bool {
	for _, e := range row.errors {
		x.reportBelow(e)
	}
	x.out = append(x.out, row.text...)
	return !row.failed
}
