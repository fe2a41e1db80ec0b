// Package gql answers GraphQL requests over a closed schema of objects, lists
// and leaves: a document is checked once and compiled once into a plan, which
// appends its answer as JSON to a buffer. The package knows nothing of what is
// served; the schema's fields are bound to Go functions with Bind.
package gql

// Error is an error of a request or of a field. Cause is the error that a
// field's function returned, nil for an error of the request itself; the caller
// decides how much of it to show.
type Error struct {
	Message   string
	Locations []Location
	Path      []any // names and positions, from the root on
	Kind      Kind
	Cause     error
}

func (e *Error) Error() string { return e.Message }

// Location is a place in a document, counted from 1.
type Location struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Kind says at which step of a request an error was found.
type Kind int

const (
	Syntax     Kind = iota // the document cannot be read
	Validation             // it does not fit the schema
	Bounds                 // it asks for too much
	Request                // the operation or its variables are wrong
	Execution              // a field failed; there is still an answer
)
