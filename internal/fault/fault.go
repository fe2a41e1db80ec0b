// Package fault is the error that a user may read: what kind of refusal it is,
// a stable code for machines and a message that says what to do. Any other
// error is an internal one and is never shown.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Kind classes a refusal; every face maps it in one place.
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

// Error is a refusal with a message safe for the one who asked: what was wrong and
// what to do, without a period at the end. It begins with a capital, or with the
// name of the field that is wrong, spelled as the field is.
type Error struct {
	Kind    Kind
	Code    string
	Field   string // "" where no field alone is wrong
	Message string
}

func (e *Error) Error() string { return e.Message }

// New makes a refusal.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// In says which field is wrong.
func (e *Error) In(field string) *Error {
	e.Field = field
	return e
}

// Fieldf refuses a field's value; the message is the field's name and what follows.
func Fieldf(field, format string, args ...any) *Error {
	return Invalidf("%s "+format, append([]any{field}, args...)...).In(field)
}

// Invalidf refuses input that is wrong otherwise than in one field.
func Invalidf(format string, args ...any) *Error {
	return New(Invalid, "invalid_request", format, args...)
}

// NotFoundf refuses what does not exist for the one who asked.
func NotFoundf(format string, args ...any) *Error {
	return New(NotFound, "not_found", format, args...)
}

// As returns the refusal in err's chain, or nil.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// KindOf returns the kind of refusal err is; Internal when it is none.
func KindOf(err error) Kind {
	if e := As(err); e != nil {
		return e.Kind
	}
	return Internal
}

// Quoted repeats what a client sent in a message, shortened.
func Quoted(text string) string {
	const most = 80
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
