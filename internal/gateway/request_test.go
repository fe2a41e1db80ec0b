package gateway

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"cradle/internal/fault"
)

func TestBody(t *testing.T) {
	const largest = 1000
	for _, c := range []struct {
		name, contentType string
		body              io.Reader
		kind              fault.Kind // Internal: accepted
	}{
		{"JSON", "application/json", strings.NewReader("{}"), fault.Internal},
		{"with a character set", "application/json; charset=utf-8", strings.NewReader("{}"), fault.Internal},
		{"in capitals", "Application/JSON", strings.NewReader("{}"), fault.Internal},
		{"no type", "", strings.NewReader("{}"), fault.Internal},
		{"a form", "application/x-www-form-urlencoded", strings.NewReader("{}"), fault.UnsupportedMedia},
		{"nearly JSON", "application/jsonp", strings.NewReader("{}"), fault.UnsupportedMedia},
		{"a malformed type", ";;", strings.NewReader("{}"), fault.UnsupportedMedia},
		{"as large as allowed", "", strings.NewReader(strings.Repeat(" ", largest)), fault.Internal},
		{"too large", "", strings.NewReader(strings.Repeat(" ", largest+1)), fault.TooLarge},
		{"broken off", "", iotest.ErrReader(errors.New("reset")), fault.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", c.body)
			r.Header.Set("Content-Type", c.contentType)
			if c.contentType == "" {
				r.Header.Del("Content-Type")
			}
			if _, err := (&Call{Request: r, writer: httptest.NewRecorder()}).Body(largest); fault.KindOf(err) != c.kind || (err == nil) != (c.kind == fault.Internal) {
				t.Errorf("got %v", err)
			}
		})
	}
}
