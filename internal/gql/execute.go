package gql

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Result is the outcome of a plan. Data is JSON: an object or null.
type Result struct {
	Data   []byte
	Errors []*Error
}

// run is one execution of a plan.
type run struct {
	ctx       context.Context
	caller    any
	variables Variables
	out       []byte
	path      []step
	errors    []*Error
}

// step is one step of a path: a name, or a place in a list.
type step struct {
	name string
	at   int
}

// Execute executes a plan on behalf of a caller and appends the data to out. It
// runs the fields of both queries and mutations one after the other.
func (p *Plan) Execute(ctx context.Context, caller any, variables Variables, out []byte) (result Result) {
	x := &run{ctx: ctx, caller: caller, variables: variables, out: out}
	start := len(out)
	defer func() {
		if cause := recover(); cause != nil {
			x.errors = append(x.errors, &Error{Kind: Execution, Cause: panicked(cause)})
			result = Result{append(x.out[:start], "null"...), x.errors}
		}
	}()
	if !x.object(root, p.root) {
		x.out = append(x.out[:start], "null"...)
	}
	return Result{x.out, x.errors}
}

// Root is the object whose fields are those of Query and Mutation.
type Root struct{}

var root = &Root{}

// object writes an object's fields, or returns false if the object must be null.
func (x *run) object(v any, s *Selection) bool {
	if s.broken != nil {
		x.report(nil, s.broken)
		return false
	}
	x.out = append(x.out, '{')
	for i := range s.nodes {
		n := &s.nodes[i]
		x.out = append(x.out, n.head...)
		x.path = append(x.path, step{name: n.key, at: -1})
		if !n.binding.write(x, v, n) {
			return false
		}
		x.path = x.path[:len(x.path)-1]
	}
	x.out = append(x.out, '}')
	return true
}

// mark is a position in the answer and the path.
type mark struct{ out, path int }

func (x *run) mark() mark { return mark{len(x.out), len(x.path)} }

// nullAt discards what was written since the mark and writes null instead.
func (x *run) nullAt(before mark) bool {
	x.out, x.path = x.out[:before.out], x.path[:before.path]
	return x.null()
}

func (x *run) null() bool {
	x.out = append(x.out, "null"...)
	return true
}

// resolve calls a field's function. If that or reading the arguments fails, it
// records the error and returns false.
func (x *run) resolve(n *node, call func(Args) error) bool {
	args, bad := n.args.values(x.variables)
	if bad != nil {
		x.report(n, bad)
		return false
	}
	if err := x.guarded(func() error { return call(args) }); err != nil {
		x.report(n, &Error{Message: err.Error(), Cause: err})
		return false
	}
	return true
}

// guarded turns a panic into an error, and calls nothing once the context is
// done.
func (x *run) guarded(call func() error) (err error) {
	if err := x.ctx.Err(); err != nil {
		return err
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked(cause)
		}
	}()
	return call()
}

func panicked(cause any) error { return fmt.Errorf("panic: %v\n%s", cause, debug.Stack()) }

// missing reports null for a non-null field.
func (x *run) missing(n *node) {
	x.report(n, &Error{Message: fmt.Sprintf("Cannot return null for non-nullable field %s.%s.", n.parent, n.name)})
}

// report records an error at the current path.
func (x *run) report(n *node, e *Error) {
	located := *e
	if located.Kind != Request {
		located.Kind = Execution
	}
	if located.Locations == nil && n != nil {
		located.Locations = n.locations
	}
	located.Path = x.where()
	x.errors = append(x.errors, &located)
}

// reportBelow records an error whose path is relative to the current one.
func (x *run) reportBelow(e *Error) {
	located := *e
	located.Path = append(x.where(), e.Path...)
	x.errors = append(x.errors, &located)
}

// where is the current path.
func (x *run) where() []any {
	path := make([]any, len(x.path))
	for i, s := range x.path {
		if s.at < 0 {
			path[i] = s.name
		} else {
			path[i] = s.at
		}
	}
	return path
}
