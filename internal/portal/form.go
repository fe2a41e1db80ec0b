package portal

import (
	"slices"
	"strings"

	"cradle/internal/gateway"
)

// form is a form as filled in, with its errors.
type form struct {
	Value map[string]string
	Error map[string]string // by field; "" for errors of no single field
}

func newForm(fields ...string) form {
	f := form{Value: map[string]string{}, Error: map[string]string{}}
	for _, name := range fields {
		f.Value[name] = ""
	}
	return f
}

// read keeps what was filled in, so that it is shown again with an error.
func (f *form) read(v *visit) {
	for name := range f.Value {
		f.Value[name] = v.field(name)
	}
}

// fail puts a fault beside its field, and returns the status to show the form
// with; 0 if a form cannot show err.
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

// fields are those that a fault may name, including passwords, which are never
// filled in again and so have no value.
func (f *form) fields() []string {
	names := []string{"password", "current"}
	for name := range f.Value {
		names = append(names, name)
	}
	return names
}

// sentence capitalises a message that begins with a field's name.
func sentence(message string) string {
	return strings.ToUpper(message[:1]) + message[1:]
}
