package rest

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

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
		{"something after", `{"a":1}{}`, "extra data after"},
		{"a word after", `{} true`, "extra data after"},
		{"a brace after", `{}}`, "extra data after"},
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

func TestListOfTexts(t *testing.T) {
	for _, c := range []struct {
		name, list string
		want       []string
	}{
		{"some", `["b","a","b"]`, []string{"b", "a", "b"}},
		{"none", `[]`, []string{}},
		{"null", `null`, nil},
		{"a string", `"a"`, nil},
		{"numbers", `[1]`, nil},
		{"null among them", `["a",null]`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := parseObject([]byte(`{"ids":`+c.list+`}`), "ids")
			if err != nil {
				t.Fatal(err)
			}
			got, err := found.texts("ids")
			if c.want == nil {
				if f := fault.As(err); f == nil || f.Kind != fault.Invalid || !strings.Contains(f.Message, "ids must be a list of strings") {
					t.Errorf("got %v", err)
				}
			} else if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	if _, err := (fields{}).texts("ids"); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), "ids is required") {
		t.Errorf("left out: %v", err)
	}
}

// encoding/json accepts every body that is accepted here, and reads the same
// from it.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"propertyIds":["0f8fad5b-d9cb-469f-a165-70867728950e"],"userCount":1}`,
		`{"propertyIds":["0f8fad5b-d9cb-469f-a165-70867728950e"],"userCount":1,"maxCredits":0}`,
		`{"userCount":1,"userCount":2}`, `{"userCount":1.0}`, `{"userCount":99999999999999999999}`, `{"propertyIds":null}`,
		`{"propertyIds":[null]}`, `{"propertyIds":["x"]} `, `{"propertyids":[]}`, `{"userCount":1}{}`, "{\"a\":\"\xff\"}", `{"userCount":-0}`,
	} {
		f.Add([]byte(seed))
	}
	p := pull{kind: purchase.Properties, path: "7c9e6679-7425-40de-944b-e07fc1f90ae7", record: "material", users: true}
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
			if !slices.Equal(read.PropertyIDs, o.Items) || len(o.Items) < 1 || len(o.Items) > 500 || o.UserCount < 1 {
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
	properties := pull{kind: purchase.Properties, path: material.String(), record: "material", users: true}
	datapoints := pull{kind: purchase.Datapoints}
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
		{"a bad id in the path", badPath, `{` + items + `,"userCount":1}`, false, purchase.Order{}, "The material id in the path"},
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
