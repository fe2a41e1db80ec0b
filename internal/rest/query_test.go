package rest

import (
	"math"
	"strings"
	"testing"

	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/library"
)

func TestParseQuery(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      library.Query
		refused   string // named in the message
	}{
		{"nothing", "", library.Query{Limit: 25}, ""},
		{"everything", "search=a&limit=3&offset=4&pulled=true", library.Query{Search: "a", Limit: 3, Offset: 4, Pulled: true}, ""},
		{"unknown parameters", "color=red&color=blue&limit=3", library.Query{Limit: 3}, ""},
		{"the least limit", "limit=1", library.Query{Limit: 1}, ""},
		{"the most limit", "limit=100", library.Query{Limit: 100}, ""},
		{"limit 0", "limit=0", library.Query{}, "limit"},
		{"limit 101", "limit=101", library.Query{}, "limit"},
		{"a negative limit", "limit=-1", library.Query{}, "limit"},
		{"an empty limit", "limit=", library.Query{}, "limit"},
		{"a limit with a sign", "limit=%2B5", library.Query{}, "limit"},
		{"a limit with a point", "limit=5.0", library.Query{}, "limit"},
		{"a limit with an exponent", "limit=1e1", library.Query{}, "limit"},
		{"a limit with space", "limit=+5", library.Query{}, "limit"},
		{"a hexadecimal limit", "limit=0x5", library.Query{}, "limit"},
		{"a limit with an underscore", "limit=1_0", library.Query{}, "limit"},
		{"digits of another script", "limit=%D9%A5", library.Query{}, "limit"},
		{"a limit beyond any number", "limit=99999999999999999999", library.Query{}, "limit"},
		{"a limit given twice", "limit=5&limit=5", library.Query{}, "limit"},
		{"offset 0", "offset=0", library.Query{Limit: 25}, ""},
		{"a negative offset", "offset=-1", library.Query{}, "offset"},
		{"an offset beyond any number", "offset=99999999999999999999", library.Query{Limit: 25, Offset: math.MaxInt}, ""},
		{"a negative one beyond any number", "offset=-99999999999999999999", library.Query{}, "offset"},
		{"an offset that is none", "offset=x", library.Query{}, "offset"},
		{"pulled false", "pulled=false", library.Query{Limit: 25}, ""},
		{"pulled in capitals", "pulled=TRUE", library.Query{}, "pulled"},
		{"pulled 1", "pulled=1", library.Query{}, "pulled"},
		{"pulled empty", "pulled=", library.Query{}, "pulled"},
		{"pulled given twice", "pulled=true&pulled=false", library.Query{}, "pulled"},
		{"search is trimmed", "search=+%20a+b%09", library.Query{Search: "a b", Limit: 25}, ""},
		{"search of space", "search=++", library.Query{Limit: 25}, ""},
		{"search keeps wild cards", "search=%25_", library.Query{Search: "%_", Limit: 25}, ""},
		{"search that is not UTF-8", "search=%ff", library.Query{}, "search"},
		{"search given twice", "search=a&search=b", library.Query{}, "search"},
		{"a bad escape", "search=%zz", library.Query{}, "query string"},
		{"a semicolon", "a;b", library.Query{Limit: 25}, ""},
		{"a semicolon in a search", "search=a;b&limit=3", library.Query{Search: "a;b", Limit: 3}, ""},
		{"a semicolon for an ampersand", "limit=3;offset=4", library.Query{}, "limit"},
		{"a bad escape before a semicolon", "search=%3;", library.Query{}, "query string"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseQuery(c.raw)
			if c.refused != "" {
				if f := fault.As(err); f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, c.refused) {
					t.Errorf("%q: %v", c.raw, err)
				}
				return
			}
			if err != nil || got != c.want {
				t.Errorf("%q: %+v, %v", c.raw, got, err)
			}
		})
	}
}

func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "search=a&limit=3&offset=4&pulled=true", "limit=0", "limit=-1", "offset=99999999999999999999", "search=%ff",
		"search=%C3%84THYLEN", "limit=5&limit=6", "pulled=TRUE", "a;b", "limit=%2B5", "search=+%20%09&offset=007", "%zz",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := parseQuery(raw)
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Errorf("%q: %v", raw, err)
			}
			return
		}
		if q.Limit < 1 || q.Limit > 100 || q.Offset < 0 || strings.TrimSpace(q.Search) != q.Search {
			t.Errorf("%q: %+v", raw, q)
		}
		values, err := gateway.ParseQuery(raw)
		if err != nil {
			t.Errorf("%q was accepted: %v", raw, err)
		}
		if q.Pulled != (values.Get("pulled") == "true") {
			t.Errorf("%q: pulled %v", raw, q.Pulled)
		}
	})
}
