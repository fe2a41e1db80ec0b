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

// Error is a refusal with a message safe for the one who asked.
type Error struct {
	Kind    Kind
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Message }

// New makes a refusal.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalidf refuses bad input; the message names the field.
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
