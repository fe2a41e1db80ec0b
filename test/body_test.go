package test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Bodies that every pull refuses. FIELD stands for the pull's list, IDS for a
// valid value of it, COUNT for the user count if the pull has one.
var badBodies = []struct{ name, body, names string }{
	{"empty", ``, ""},
	{"white space", ` `, ""},
	{"no JSON", `hello`, ""},
	{"null", `null`, ""},
	{"an array", `[{"FIELD": IDS COUNT}]`, ""},
	{"a string", `"FIELD"`, ""},
	{"cut off", `{"FIELD": IDS COUNT`, ""},
	{"empty object", `{}`, "FIELD"},
	{"comment", `{"FIELD": IDS COUNT} // why not`, ""},
	{"byte order mark", "\ufeff" + `{"FIELD": IDS COUNT}`, ""},
	{"single quotes", `{'FIELD': IDS COUNT}`, ""},
	{"trailing comma", `{"FIELD": IDS COUNT,}`, ""},
	{"trailing object", `{"FIELD": IDS COUNT} {}`, ""},
	{"trailing bracket", `{"FIELD": IDS COUNT}]`, ""},
	{"trailing text", `{"FIELD": IDS COUNT}x`, ""},
	{"unknown field", `{"FIELD": IDS COUNT, "colour": "red"}`, "colour"},
	{"unknown field that is null", `{"FIELD": IDS COUNT, "colour": null}`, "colour"},
	{"unknown empty field", `{"FIELD": IDS COUNT, "": 1}`, ""},
	{"list repeated", `{"FIELD": IDS COUNT, "FIELD": IDS}`, "FIELD"},
	{"list repeated behind an escape", `{"FIELD": IDS COUNT, "ESCAPED": IDS}`, "FIELD"},
	{"maxCredits repeated", `{"FIELD": IDS COUNT, "maxCredits": 9, "maxCredits": 9}`, "maxCredits"},
	{"list in wrong case", `{"UPPER": IDS COUNT}`, "UPPER"},
	{"list in wrong case beside it", `{"FIELD": IDS COUNT, "UPPER": IDS}`, "UPPER"},
	{"maxCredits in wrong case", `{"FIELD": IDS COUNT, "maxcredits": 9}`, "maxcredits"},
	{"list missing", `{"maxCredits": 9 COUNT}`, "FIELD"},
	{"list null", `{"FIELD": null COUNT}`, "FIELD"},
	{"list empty", `{"FIELD": [] COUNT}`, "FIELD"},
	{"list a string", `{"FIELD": "ID" COUNT}`, "FIELD"},
	{"list an object", `{"FIELD": {"0": "ID"} COUNT}`, "FIELD"},
	{"list of numbers", `{"FIELD": [1] COUNT}`, "FIELD"},
	{"list of null", `{"FIELD": [null] COUNT}`, "FIELD"},
	{"list of lists", `{"FIELD": [["ID"]] COUNT}`, "FIELD"},
	{"an empty id", `{"FIELD": [""] COUNT}`, "FIELD"},
	{"no UUID", `{"FIELD": ["ID", "steel"] COUNT}`, "steel"},
	{"UUID in braces", `{"FIELD": ["{ID}"] COUNT}`, "FIELD"},
	{"UUID as URN", `{"FIELD": ["urn:uuid:ID"] COUNT}`, "FIELD"},
	{"UUID without hyphens", `{"FIELD": ["BARE"] COUNT}`, "FIELD"},
	{"UUID with a space", `{"FIELD": [" ID"] COUNT}`, "FIELD"},
	{"UUID with a line end", `{"FIELD": ["ID\n"] COUNT}`, "FIELD"},
	{"UUID with a NUL", `{"FIELD": ["ID\u0000"] COUNT}`, "FIELD"},
	{"half a surrogate", `{"FIELD": ["\ud800"] COUNT}`, ""},
	{"invalid UTF-8 in a value", `{"FIELD": ["` + "\xff" + `"] COUNT}`, ""},
	{"invalid UTF-8 in a name", `{"FIELD": IDS COUNT, "` + "\xc3\x28" + `": 1}`, ""},
	{"maxCredits a fraction", `{"FIELD": IDS COUNT, "maxCredits": 9.0}`, "maxCredits"},
	{"maxCredits with an exponent", `{"FIELD": IDS COUNT, "maxCredits": 1e2}`, "maxCredits"},
	{"maxCredits a string", `{"FIELD": IDS COUNT, "maxCredits": "9"}`, "maxCredits"},
	{"maxCredits null", `{"FIELD": IDS COUNT, "maxCredits": null}`, "maxCredits"},
	{"maxCredits true", `{"FIELD": IDS COUNT, "maxCredits": true}`, "maxCredits"},
}

var badUserCounts = []string{"0", "-1", "-0", "1.0", "1.5", "1e0", "1e2", "1E2", `"3"`, `""`, "true", "false", "null", "[]", "[1]", "{}", "0x1", "01", "+1", "NaN"}

// An invalid body is a 400 that names the error, and buys nothing.
func testBodies(t *testing.T, s *service) {
	c := s.buyer(t, 1000)
	forEachPull(t, func(t *testing.T, p pull) {
		c := c.in(t)
		for _, test := range badBodies {
			t.Run(test.name, func(t *testing.T) {
				c := c.in(t)
				c.post(p.path, p.fill(test.body)).refuses(400, p.fill(test.names))
			})
		}
		if p.userCount {
			checkUserCounts(t, c, p)
		}
		checkEntries(t, c, p)
		checkContentTypes(t, c, p)
		checkURLs(t, c, p)
	})
	s.contents.checkReads(t, c)
	if got := s.balance(t, c); got != 1000 {
		t.Errorf("bad bodies cost %d credits", 1000-got)
	}
}

func (p pull) fill(template string) string {
	count := ""
	if p.userCount {
		count = `, "userCount": 1`
	}
	escaped := fmt.Sprintf(`\u%04x%s`, p.field[0], p.field[1:])
	upper := strings.ToUpper(p.field[:1]) + p.field[1:]
	return strings.NewReplacer("FIELD", p.field, "ESCAPED", escaped, "UPPER", upper, "COUNT", count,
		"IDS", `["`+p.id+`"]`, "ID", p.id, "BARE", strings.ReplaceAll(p.id, "-", "")).Replace(template)
}

func checkUserCounts(t *testing.T, c *client, p pull) {
	for _, bad := range badUserCounts {
		t.Run("userCount "+bad, func(t *testing.T) {
			c := c.in(t)
			got := c.post(p.path, fmt.Sprintf(`{%q: [%q], "userCount": %s}`, p.field, p.id, bad)).refuses(400)
			if isJSONNumber := !slices.Contains([]string{"0x1", "01", "+1", "NaN"}, bad); isJSONNumber {
				got.refuses(400, "userCount")
			}
		})
	}
	t.Run("userCount otherwise wrong", func(t *testing.T) {
		c := c.in(t)
		list := fmt.Sprintf(`%q: [%q]`, p.field, p.id)
		c.post(p.path, `{`+list+`}`).refuses(400, "userCount")
		c.post(p.path, `{`+list+`, "usercount": 1}`).refuses(400, "usercount")
		c.post(p.path, `{`+list+`, "userCount": 1, "userCount": 1}`).refuses(400, "userCount")
	})
}

// The length of a list counts before repeats are removed. A quote shows that a
// full list is accepted.
func checkEntries(t *testing.T, c *client, p pull) {
	t.Run("number of entries", func(t *testing.T) {
		c := c.in(t)
		c.post(p.path, p.body(slices.Repeat([]string{p.id}, p.entries+1))).refuses(400, p.field)
		c.post(p.path+"?quote=true", p.body(slices.Repeat([]string{p.id}, p.entries+1))).refuses(400, p.field)
		c.post(p.path+"?quote=true", p.body(slices.Repeat([]string{p.id}, p.entries))).is(200)
	})
}

func checkContentTypes(t *testing.T, c *client, p pull) {
	for _, bad := range []string{"text/plain", "application/x-www-form-urlencoded", "application/xml", "application/jsonx", "nonsense"} {
		t.Run("sent as "+bad, func(t *testing.T) {
			c := c.in(t)
			c.do(http.MethodPost, p.path, p.body([]string{p.id}), "Content-Type", bad).refuses(415)
		})
	}
	for _, good := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON"} {
		t.Run("sent as "+good, func(t *testing.T) {
			c := c.in(t)
			c.do(http.MethodPost, p.path+"?quote=true", p.body([]string{p.id}), "Content-Type", good).is(200)
		})
	}
}

// A pull whose URL id is not a UUID is invalid, not missing.
func checkURLs(t *testing.T, c *client, p pull) {
	for _, id := range []string{steel, rolling} {
		if !strings.Contains(p.path, id) {
			continue
		}
		for _, bad := range []string{"1", "no-uuid", strings.ReplaceAll(id, "-", ""), "%7B" + id + "%7D", id + "%00", id[:35], id + "0"} {
			t.Run("at "+bad, func(t *testing.T) {
				c := c.in(t)
				c.post(strings.Replace(p.path, id, bad, 1), p.body([]string{p.id})).refuses(400)
			})
		}
	}
}

func testBodySizes(t *testing.T, s *service) {
	c := s.buyer(t, 0)
	const most = 1 << 20
	forEachPull(t, func(t *testing.T, p pull) {
		body := p.body([]string{p.id})
		fits := body + strings.Repeat(" ", most-len(body))
		c := c.in(t)
		c.post(p.path+"?quote=true", fits).is(200)
		c.post(p.path+"?quote=true", fits+" ").refuses(413)
		c.post(p.path+"?quote=true", strings.Repeat("x", most+1)).refuses(413)

		req, err := http.NewRequest(http.MethodPost, c.url+p.path, io.MultiReader(strings.NewReader(fits), strings.NewReader(" ")))
		if err != nil {
			t.Fatal(err)
		}
		c.identify(req)
		req.Header.Set("Content-Type", "application/json")
		got, err := c.send(req) // its length is not told beforehand
		if err != nil {
			t.Fatal(err)
		}
		got.refuses(413)
	})
}
