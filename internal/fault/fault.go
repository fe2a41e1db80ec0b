// Package fault is an error that a user may read: its kind, a stable code for
// programs and a message that tells what to do. Any other error is internal and
// never shown.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Kind is the kind of a fault; every API maps it in one place.
type Kind int

const (
	Internal Kind = iota
	Invalid
	Unauthenticated
	Forbidden
	NotFound
	MethodNotAllowed
	Conflict
	TooLarge
	UnsupportedMedia
	Unprocessable
	RateLimited
	Unavailable
)

// Error is an error with a message safe to show: what was wrong and what to do,
// without a period at the end. It begins with a capital, or with the name of the
// invalid field, spelled like the field.
type Error struct {
	Kind    Kind
	Code    string
	Field   string // "" if no single field is wrong
	Message string
}

func (e *Error) Error() string { return e.Message }

// New returns a fault.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// In sets the invalid field.
func (e *Error) In(field string) *Error {
	e.Field = field
	return e
}

// Fieldf refuses a field's value; the message is the field's name and what
// follows.
func Fieldf(field, format string, args ...any) *Error {
	return Invalidf("%s "+format, append([]any{field}, args...)...).In(field)
}

// Invalidf refuses input whose error is not in one field.
func Invalidf(format string, args ...any) *Error {
	return New(Invalid, "invalid_request", format, args...)
}

// NotFoundf refuses what does not exist for the caller.
func NotFoundf(format string, args ...any) *Error {
	return New(NotFound, "not_found", format, args...)
}

// As returns the fault in err's chain, or nil.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// KindOf returns the kind of the fault in err, or Internal.
func KindOf(err error) Kind {
	if e := As(err); e != nil {
		return e.Kind
	}
	return Internal
}

// Quoted quotes a client's text for a message, shortened.
func Quoted(text string) string {
	const most = 80
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
