package test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const graphqlMedia = "application/graphql-response+json"

// A graphqlAnswer is an answer of GraphQL, read.
type graphqlAnswer struct {
	answer
	Data   obj
	Errors []graphqlError
}

type graphqlError struct {
	Message    string
	Locations  []struct{ Line, Column int }
	Path       list
	Extensions struct {
		StatusCode int
		Code       string
		Field      string
	}
}

// graphql sends an operation with POST; variables may be nil.
func (c *client) graphql(query string, variables obj, headers ...string) graphqlAnswer {
	c.t.Helper()
	body := obj{"query": query}
	if variables != nil {
		body["variables"] = variables
	}
	return readGraphQL(c.post("/graphql", text(body), headers...))
}

func readGraphQL(a answer) graphqlAnswer {
	a.t.Helper()
	read := graphqlAnswer{answer: a}
	if err := json.Unmarshal(a.body, &read); err != nil {
		a.t.Fatalf("%s: %v: %s", a.what, err, a.body)
	}
	for _, e := range read.Errors {
		if e.Message == "" || e.Extensions.StatusCode == 0 || e.Extensions.Code == "" {
			a.t.Errorf("%s answered an error without its extensions: %s", a.what, a.body)
		}
	}
	return read
}

// data fails the test unless the operation succeeded.
func (a graphqlAnswer) data() obj {
	a.t.Helper()
	if a.status != 200 || len(a.Errors) > 0 {
		a.t.Fatalf("%s answered %d: %s", a.what, a.status, a.body)
	}
	return a.Data
}

// fails fails the test unless exactly the named field failed, as REST would have
// with the status.
func (a graphqlAnswer) fails(field string, status int, words ...string) graphqlAnswer {
	a.t.Helper()
	if a.status != 200 || len(a.Errors) != 1 || a.Errors[0].Extensions.StatusCode != status || len(a.Errors[0].Path) < 1 || a.Errors[0].Path[0] != field {
		a.t.Errorf("%s answered %d, want 200 and %d at %s: %s", a.what, a.status, status, field, a.body)
		return a
	}
	a.names(words...)
	return a
}

// blames fails the test unless the error says which field of the input is wrong,
// "" for none.
func (a graphqlAnswer) blames(field string) {
	a.t.Helper()
	if len(a.Errors) != 1 || a.Errors[0].Extensions.Field != field || strings.Contains(string(a.body), `"field":`) != (field != "") {
		a.t.Errorf("%s does not blame %q: %s", a.what, field, a.body)
	}
}

// refused fails the test unless the operation was not executed at all.
func (a graphqlAnswer) refused(words ...string) {
	a.t.Helper()
	if a.status != 400 || len(a.Errors) < 1 || a.Errors[0].Extensions.StatusCode != 400 || strings.Contains(string(a.body), `"data"`) {
		a.t.Errorf("%s answered %d, want 400 with errors: %s", a.what, a.status, a.body)
		return
	}
	a.names(words...)
	if code := a.header.Get("Svc-Error-Code"); code != a.Errors[0].Extensions.Code {
		a.t.Errorf("%s: Svc-Error-Code %q beside %s", a.what, code, a.body)
	}
}

func (a graphqlAnswer) names(words ...string) {
	a.t.Helper()
	for _, word := range words {
		if !strings.Contains(a.Errors[0].Message, word) {
			a.t.Errorf("%s: the message %q does not name %q", a.what, a.Errors[0].Message, word)
		}
	}
}

func testGraphQLOperations(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	t.Run("several fields and aliases at once", func(t *testing.T) {
		c := c.in(t)
		got := c.graphql(`query Both($n: Int) { a: materials(input: {limit: $n}) { items { id } again: items { name } total } b: materials(input: {offset: 1, limit: $n}) { items { id } hasMore } me { email } }`, obj{"n": 1}).data()
		v := s.contents.materialsInOrder(false)
		want := obj{
			"a":  obj{"items": list{obj{"id": v[0].ID}}, "again": list{obj{"name": v[0].Name}}, "total": float64(len(v))},
			"b":  obj{"items": list{obj{"id": v[1].ID}}, "hasMore": true},
			"me": obj{"email": ada},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %s\nwant %s", text(got), text(want))
		}
	})
	t.Run("fields of the single read in a list, and of the list in a single read", func(t *testing.T) {
		c := c.in(t)
		one := c.graphql(`query($id: ID!) { material(id: $id) { regionalScopes isFavorite inputTo outputOf impacts { id value } properties { description mean } } }`, obj{"id": steel}).data()["material"].(obj)
		all := c.graphql(`{ materials(input: {search: "Steel, hot"}) { items { regionalScopes isFavorite inputTo outputOf impacts { id value } properties { description mean } } } }`, nil).data()
		if item := all["materials"].(obj)["items"].(list)[0]; !reflect.DeepEqual(one, item) || len(one["impacts"].(list)) != 3 {
			t.Errorf("single %s\nlist %s", text(one), text(item))
		}
	})
	t.Run("null in PublicListInput is as good as nothing", func(t *testing.T) {
		c := c.in(t)
		with := c.graphql(`{ materials(input: {search: null, limit: null, offset: null, pulled: null}) { items { id } total } }`, nil)
		without := c.graphql(`{ materials(input: null) { items { id } total } }`, nil)
		if !reflect.DeepEqual(with.data(), without.data()) {
			t.Errorf("%s\n%s", with.body, without.body)
		}
	})
	t.Run("errors of one field leave the others", func(t *testing.T) {
		// Root fields are non-null, so one error makes all data null.
		got := c.in(t).graphql(`query Q { me { id } material(id: "`+unknown+`") { id } }`, nil)
		got.fails("material", 404, unknown)
		if got.Data != nil || !strings.Contains(string(got.body), `"data":null`) || got.Errors[0].Extensions.Code != "not_found" || got.Errors[0].Locations[0].Column != 21 {
			t.Errorf("got %s", got.body)
		}
	})
	t.Run("apiVersion", func(t *testing.T) {
		for sent, want := range map[string]string{"": arrakis, arrakis: arrakis, obsidian: obsidian} {
			got := c.in(t).withVersion(sent).graphql("{ apiVersion { version date name latest supported } }", nil)
			date, name, _ := strings.Cut(want, ".")
			expected := obj{"apiVersion": obj{"version": want, "date": date, "name": name, "latest": arrakis, "supported": list{obsidian, arrakis}}}
			if !reflect.DeepEqual(got.data(), expected) || got.header.Get("Svc-Version") != want {
				t.Errorf("with %q: %s, Svc-Version %s", sent, got.body, got.header.Get("Svc-Version"))
			}
		}
	})
	t.Run("the older version has the same types", func(t *testing.T) {
		c := c.in(t)
		for _, path := range []string{"/public/materials", "/public/processes", "/public/processes/" + rolling} {
			m := mirror(path)
			if a, b := c.graphql(m.query, m.variables), c.withVersion(obsidian).graphql(m.query, m.variables); string(a.body) != string(b.body) {
				t.Errorf("%s: %s\n%s", path, a.body, b.body)
			}
		}
	})
	t.Run("@skip and @include", func(t *testing.T) {
		c := c.in(t)
		for _, yes := range []bool{true, false} {
			got := c.graphql(`query($yes: Boolean!) { me { id @include(if: $yes) email @skip(if: $yes) } }`, obj{"yes": yes}).data()["me"].(obj)
			if _, id := got["id"]; len(got) != 1 || id != yes {
				t.Errorf("%v: %v", yes, got)
			}
		}
	})
	t.Run("introspection", func(t *testing.T) {
		got := c.in(t).graphql(`{ __schema { queryType { name } types { name description fields { name description } } } }`, nil).data()
		for _, each := range got["__schema"].(obj)["types"].(list) {
			typ := each.(obj)
			if strings.HasPrefix(typ["name"].(string), "__") {
				continue
			}
			if typ["description"] == nil {
				t.Errorf("%s is not described", typ["name"])
			}
			fields, _ := typ["fields"].(list)
			for _, f := range fields {
				if f.(obj)["description"] == nil {
					t.Errorf("%s.%s is not described", typ["name"], f.(obj)["name"])
				}
			}
		}
	})
}

func testGraphQLRefusals(t *testing.T, s *service) {
	c := s.buyer(t, 0)
	many := func(n int, each string) string { return strings.Repeat(each, n) }
	for name, test := range map[string]struct {
		query     string
		variables obj
		word      string
	}{
		"syntax":                     {"{", nil, "Syntax Error"},
		"nothing":                    {" ", nil, "Syntax Error"},
		"unknown field":              {"{ nothing }", nil, "nothing"},
		"unknown argument":           {"{ me(id: 1) { id } }", nil, "id"},
		"no selection":               {"{ me }", nil, "me"},
		"a string for an Int":        {`{ materials(input: {limit: "5"}) { total } }`, nil, "Int"},
		"a fraction for an Int":      {`query($n: Int) { materials(input: {limit: $n}) { total } }`, obj{"n": 1.5}, "$n"},
		"beyond 32 bits":             {`query($n: Int) { materials(input: {limit: $n}) { total } }`, obj{"n": 2147483648}, "$n"},
		"an unknown input field":     {`query($i: PublicListInput) { materials(input: $i) { total } }`, obj{"i": obj{"page": 1}}, "page"},
		"a missing variable":         {`query($id: ID!) { material(id: $id) { id } }`, nil, "$id"},
		"userCount null":             {`mutation($i: PullPropertiesInput!) { pullProperties(input: $i) { creditsDebited } }`, obj{"i": obj{"materialId": steel, "propertyIds": list{density}, "userCount": nil}}, "userCount"},
		"differing arguments":        {`{ materials(input: {limit: 1}) { total } materials(input: {limit: 2}) { total } }`, nil, "conflict"},
		"defer":                      {`{ me { ... @defer { id } } }`, nil, "@defer"},
		"subscription":               {`subscription { me { id } }`, nil, "subscription"},
		"too deep":                   {"{ __schema { types " + many(14, "{ ofType ") + "{ name }" + many(14, " }") + " } }", nil, "levels"},
		"too many roots":             {"{" + many(11, " me { id }") + " }", nil, "root"},
		"too many aliases":           {"{ me {" + many(51, " a: id") + " } }", nil, "aliases"},
		"too many fields":            {"{ me {" + many(1000, " id") + " } }", nil, "fields"},
		"too many tokens":            {"{ me {" + many(1999, " id") + " } }", nil, "tokens"},
		"fields multiply":            {"{ ...A } fragment A on Query { a: me { ...B } b: me { ...B } } fragment B on PublicUser {" + many(600, " id") + " }", nil, "fields"},
		"too many records":           {"query($n: Int) {" + costly(8) + " }", obj{"n": 100}, "costs"},
		"two operations, none named": {"query A { me { id } } query B { me { id } }", nil, "operation name"},
	} {
		t.Run(name, func(t *testing.T) {
			c.in(t).graphql(test.query, test.variables).refused(test.word)
		})
	}
	t.Run("what stays below the bounds", func(t *testing.T) {
		c.in(t).graphql("query($n: Int) {"+costly(8)+" }", obj{"n": 1}).data()
		c.in(t).graphql("query($n: Int) {"+costly(4)+" }", obj{"n": 100}).data()
	})
}

// costly asks for several pages of processes with everything on them.
func costly(pages int) string {
	text := ""
	for i := range pages {
		text += fmt.Sprintf(" p%d: processes(input: {limit: $n}) { items { %s impacts { %s } } }", i, processFields, impactFields)
	}
	return text
}
