package gql

// Row is an object that was written before it was asked for. Of equal objects the
// rows for selections of one shape are equal.
type Row struct {
	text   []byte
	errors []*Error // their paths start at the object
	failed bool
}

// Size is about what a row takes of memory.
func (r Row) Size() int { return len(r.text) + 64 }

// Render writes what is asked of an object whose fields depend on it alone.
func Render[T any](s *Selection, of Object[T], v *T) Row {
	x := run{out: make([]byte, 0, 512)}
	ok := of.write(&x, v, &node{sub: s})
	return Row{text: x.out[:len(x.out):len(x.out)], errors: x.errors, failed: !ok}
}

// Rendered is an object type of which rows are at hand.
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
