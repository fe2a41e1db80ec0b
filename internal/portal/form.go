package portal

import (
	"slices"
	"strings"

	"cradle/internal/gateway"
)

// form is a form as it was filled in, with what is wrong about it.
type form struct {
	Value map[string]string
	Error map[string]string // by field; "" for what concerns no field alone
}

func newForm(fields ...string) form {
	f := form{Value: map[string]string{}, Error: map[string]string{}}
	for _, name := range fields {
		f.Value[name] = ""
	}
	return f
}

// read takes what was filled in, so that it is there again beside an error.
func (f *form) read(v *visit) {
	for name := range f.Value {
		f.Value[name] = v.field(name)
	}
}

// fail puts a refusal beside the field that it concerns, and returns
// the status to show the form with; 0 when there is nothing to show.
func (f *form) fail(err error) int {
	refusal := errored(err)
	if refusal == nil {
		return 0
	}
	field := refusal.Field
	if !slices.Contains(f.fields(), field) {
		field = ""
	}
	f.Error[field] = sentence(refusal.Message)
	return gateway.StatusOf(refusal)
}

// fields are those that a refusal may concern: passwords are never filled in again
// and so have no value.
func (f *form) fields() []string {
	names := []string{"password", "current"}
	for name := range f.Value {
		names = append(names, name)
	}
	return names
}

// sentence gives a message a capital where it begins with a field's name.
func sentence(message string) string {
	return strings.ToUpper(message[:1]) + message[1:]
}
