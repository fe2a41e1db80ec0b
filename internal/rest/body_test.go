package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

func TestReadBody(t *testing.T) {
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
		{"as large as allowed", "", strings.NewReader(strings.Repeat(" ", mostBody)), fault.Internal},
		{"too large", "", strings.NewReader(strings.Repeat(" ", mostBody+1)), fault.TooLarge},
		{"broken off", "", iotest.ErrReader(errors.New("reset")), fault.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", c.body)
			r.Header.Set("Content-Type", c.contentType)
			if c.contentType == "" {
				r.Header.Del("Content-Type")
			}
			if _, err := readBody(httptest.NewRecorder(), r); fault.KindOf(err) != c.kind || (err == nil) != (c.kind == fault.Internal) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestParseObject(t *testing.T) {
	for _, c := range []struct{ name, body, refused string }{
		{"empty", `{}`, ""},
		{"known fields", `{"a":1,"b":[2]}`, ""},
		{"space around everything", " \n{ \"a\" : 1 , \"b\" : 2 }\t\r\n", ""},
		{"an escaped name", `{"\u0061":1}`, ""},
		{"null is a value", `{"a":null}`, ""},
		{"nothing", ``, "one JSON object"},
		{"a list", `[]`, "one JSON object"},
		{"a string", `"a"`, "one JSON object"},
		{"null", `null`, "one JSON object"},
		{"a byte order mark", "\ufeff{}", "one JSON object"},
		{"an unknown field", `{"c":1}`, `"c" is not a field`},
		{"another case", `{"A":1}`, `"A" is not a field`},
		{"an empty name", `{"":1}`, `"" is not a field`},
		{"a repeated field", `{"a":1,"a":1}`, "a is given more than once"},
		{"a repeated field, escaped", `{"a":1,"\u0061":1}`, "a is given more than once"},
		{"something after", `{"a":1}{}`, "something after"},
		{"a word after", `{} true`, "something after"},
		{"a brace after", `{}}`, "something after"},
		{"not closed", `{"a":1`, "not valid JSON"},
		{"closed otherwise", `{"a":1]`, "not valid JSON"},
		{"no comma", `{"a":1 "b":2}`, "not valid JSON"},
		{"two commas", `{"a":1,,"b":2}`, "not valid JSON"},
		{"a comma at the end", `{"a":1,}`, "not valid JSON"},
		{"a comma at the start", `{,"a":1}`, "not valid JSON"},
		{"no colon", `{"a" 1}`, "not valid JSON"},
		{"no value", `{"a":}`, "not valid JSON"},
		{"no name", `{1:1}`, "not valid JSON"},
		{"a name without quotes", `{a:1}`, "not valid JSON"},
		{"a comment", `{"a":1/**/}`, "not valid JSON"},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "UTF-8"},
		{"too deep", `{"a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, "not valid JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parseObject([]byte(c.body), "a", "b")
			if c.refused == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if f := fault.As(err); f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, c.refused) {
				t.Errorf("got %v, want %q", err, c.refused)
			}
		})
	}
}

func TestIntegerField(t *testing.T) {
	for text, want := range map[string]int64{
		`1`: 1, `42`: 42, ` 3 `: 3, `9223372036854775807`: math.MaxInt64, `9223372036854775808`: math.MaxInt64,
		`1` + strings.Repeat("0", 400): math.MaxInt64,
	} {
		found, err := parseObject([]byte(`{"n":`+text+`}`), "n")
		if err != nil {
			t.Fatal(err)
		}
		if n, err := found.integer("n", 1); err != nil || n != want {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	for _, text := range []string{
		`0`, `-0`, `-1`, `-9223372036854775809`, `1.0`, `1.5`, `1e2`, `1E0`, `"3"`, `true`, `null`, `[]`, `{}`, `[1]`, `""`,
	} {
		found, err := parseObject([]byte(`{"n":`+text+`}`), "n")
		if err != nil {
			t.Fatal(err)
		}
		if n, err := found.integer("n", 1); fault.KindOf(err) != fault.Invalid || !strings.HasPrefix(err.Error(), "n must be an integer of at least 1") {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	if n, err := (fields{"n": json.RawMessage("0")}).integer("n", 0); n != 0 || err != nil {
		t.Errorf("0 of at least 0: %d, %v", n, err)
	}
}

func TestListOfIDs(t *testing.T) {
	a, b := lci.NewID(), lci.NewID()
	list := func(n int) string {
		return `["` + strings.Join(slices.Repeat([]string{a.String()}, n), `","`) + `"]`
	}
	for _, c := range []struct {
		name, list string
		want       []lci.ID
		refused    string
	}{
		{"one", `["` + a.String() + `"]`, []lci.ID{a}, ""},
		{"in order, in capitals, repeated", `["` + strings.ToUpper(b.String()) + `","` + a.String() + `","` + b.String() + `"]`, []lci.ID{b, a, b}, ""},
		{"as many as allowed", list(5), slices.Repeat([]lci.ID{a}, 5), ""},
		{"too many, repeated ones counted", list(6), nil, "1 to 5 entries, it has 6"},
		{"none", `[]`, nil, "1 to 5 entries"},
		{"null", `null`, nil, "list of strings"},
		{"a string", `"` + a.String() + `"`, nil, "list of strings"},
		{"numbers", `[1]`, nil, "list of strings"},
		{"null among them", `["` + a.String() + `",null]`, nil, "list of strings"},
		{"no UUID", `["` + a.String() + `","x"]`, nil, `ids[1] is not a UUID: "x"`},
		{"a very long one", `["` + strings.Repeat("ä", 5000) + `"]`, nil, "ids[0] is not a UUID"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := parseObject([]byte(`{"ids":`+c.list+`}`), "ids")
			if err != nil {
				t.Fatal(err)
			}
			got, err := found.ids("ids", 5)
			if c.refused == "" {
				if err != nil || !slices.Equal(got, c.want) {
					t.Errorf("%v, %v", got, err)
				}
				return
			}
			if f := fault.As(err); f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, c.refused) || len(f.Message) > 300 {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := (fields{}).ids("ids", 5); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "ids is required") {
		t.Errorf("left out: %v", err)
	}
}

func TestMethodOf(t *testing.T) {
	method, process, other := lci.NewID(), lci.NewID(), lci.NewID()
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"bare", method.String(), true},
		{"composite", method.String() + "," + process.String(), true},
		{"in capitals", strings.ToUpper(method.String() + "," + process.String()), true},
		{"another process", method.String() + "," + other.String(), false},
		{"a comma only", method.String() + ",", false},
		{"a comma in front", "," + process.String(), false},
		{"three parts", method.String() + "," + process.String() + "," + process.String(), false},
		{"with space", method.String() + ", " + process.String(), false},
		{"no UUID", "x", false},
		{"no process", method.String() + ",x", false},
		{"empty", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := methodOf(c.text, process)
			if (err == nil) != c.ok || c.ok && got != method {
				t.Errorf("%q: %v, %v", c.text, got, err)
			}
		})
	}
}

func FuzzMethodOf(f *testing.F) {
	process, _ := lci.ParseID("0f8fad5b-d9cb-469f-a165-70867728950e")
	const method = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
	for _, seed := range []string{"", ",", method, method + "," + process.String(), method + "," + method, method + ",", strings.ToUpper(method)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := methodOf(text, process)
		if err != nil {
			return
		}
		lower := strings.ToLower(text)
		if lower != string(id.Append(nil)) && lower != string(id.Append(nil))+","+process.String() {
			t.Errorf("%q is read as %s", text, id)
		}
	})
}

// A body that is accepted is one that encoding/json reads too, and to the same.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"propertyIds":["0f8fad5b-d9cb-469f-a165-70867728950e"],"userCount":1}`,
		`{"propertyIds":["0f8fad5b-d9cb-469f-a165-70867728950e"],"userCount":1,"maxCredits":0}`,
		`{"userCount":1,"userCount":2}`, `{"userCount":1.0}`, `{"userCount":99999999999999999999}`, `{"propertyIds":null}`,
		`{"propertyIds":[null]}`, `{"propertyIds":["x"]} `, `{"propertyids":[]}`, `{"userCount":1}{}`, "{\"a\":\"\xff\"}", `{"userCount":-0}`,
	} {
		f.Add([]byte(seed))
	}
	p := pull{kind: purchase.Properties, path: "7c9e6679-7425-40de-944b-e07fc1f90ae7", record: "material", field: "propertyIds", most: mostItems, users: true}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, v := range versions {
			o, err := p.order(body, v)
			if err != nil {
				if fault.KindOf(err) != fault.Invalid {
					t.Errorf("%q: %v", body, err)
				}
				continue
			}
			var read struct {
				PropertyIDs []lci.ID     `json:"propertyIds"`
				UserCount   *json.Number `json:"userCount"`
				MaxCredits  *json.Number `json:"maxCredits"`
			}
			decoder := json.NewDecoder(bytes.NewReader(body))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&read); err != nil {
				t.Fatalf("%q was accepted: %v", body, err)
			}
			if !slices.Equal(read.PropertyIDs, o.Items) || len(o.Items) < 1 || len(o.Items) > mostItems || o.UserCount < 1 {
				t.Errorf("%q: %+v", body, o)
			}
			if (read.MaxCredits != nil) != (o.MaxCredits != nil) || read.UserCount == nil && (o.UserCount != 1 || !v.userCountOptional) {
				t.Errorf("%q: %+v", body, o)
			}
		}
	})
}

func TestOrderOfAPull(t *testing.T) {
	material, property := lci.NewID(), lci.NewID()
	properties := pull{kind: purchase.Properties, path: material.String(), record: "material", field: "propertyIds", most: mostItems, users: true}
	datapoints := pull{kind: purchase.Datapoints, field: "materialIds", most: mostMaterials}
	badPath := properties
	badPath.path = "x"
	five := int64(5)
	items := `"propertyIds":["` + property.String() + `"]`
	for _, c := range []struct {
		name    string
		pull    pull
		body    string
		older   bool
		want    purchase.Order
		refused string
	}{
		{"current form", properties, `{` + items + `,"userCount":2}`, false, purchase.Order{UserCount: 2}, ""},
		{"with maxCredits", properties, `{"maxCredits":5,` + items + `,"userCount":2}`, false, purchase.Order{UserCount: 2, MaxCredits: &five}, ""},
		{"no userCount", properties, `{` + items + `}`, false, purchase.Order{}, "userCount is required"},
		{"no userCount in the older version", properties, `{` + items + `}`, true, purchase.Order{UserCount: 1}, ""},
		{"a bad userCount in the older version", properties, `{` + items + `,"userCount":0}`, true, purchase.Order{}, "userCount must be"},
		{"null userCount in the older version", properties, `{` + items + `,"userCount":null}`, true, purchase.Order{}, "userCount must be"},
		{"a negative maxCredits", properties, `{` + items + `,"userCount":1,"maxCredits":-1}`, false, purchase.Order{}, "maxCredits must be"},
		{"a bad id in the path", badPath, `{` + items + `,"userCount":1}`, false, purchase.Order{}, "the material id in the path"},
		{"datapoints", datapoints, `{"materialIds":["` + property.String() + `"]}`, false, purchase.Order{UserCount: 1}, ""},
		{"datapoints have no userCount", datapoints, `{"materialIds":["` + property.String() + `"],"userCount":1}`, false, purchase.Order{}, `"userCount" is not a field`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := versions["2026-05-11.arrakis"]
			if c.older {
				v = versions["2026-05-11.obsidian"]
			}
			o, err := c.pull.order([]byte(c.body), v)
			if c.refused != "" {
				if f := fault.As(err); f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, c.refused) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil || !slices.Equal(o.Items, []lci.ID{property}) || o.UserCount != c.want.UserCount || (o.MaxCredits == nil) != (c.want.MaxCredits == nil) {
				t.Errorf("%+v, %v", o, err)
			}
			if o.MaxCredits != nil && *o.MaxCredits != *c.want.MaxCredits {
				t.Errorf("maxCredits %d", *o.MaxCredits)
			}
		})
	}
}
