package test

import (
	"encoding/json"
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

// data fails the test unless the operation went well.
func (a graphqlAnswer) data() obj {
	a.t.Helper()
	if a.status != 200 || len(a.Errors) > 0 {
		a.t.Fatalf("%s answered %d: %s", a.what, a.status, a.body)
	}
	return a.Data
}

// fails fails the test unless the one field failed that is named, as REST would
// have with the status.
func (a graphqlAnswer) fails(field string, status int, words ...string) {
	a.t.Helper()
	if a.status != 200 || len(a.Errors) != 1 || a.Errors[0].Extensions.StatusCode != status || len(a.Errors[0].Path) < 1 || a.Errors[0].Path[0] != field {
		a.t.Errorf("%s answered %d, want 200 and %d at %s: %s", a.what, a.status, status, field, a.body)
		return
	}
	a.names(words...)
}

// refused fails the test unless the operation was not carried out at all.
func (a graphqlAnswer) refused(words ...string) {
	a.t.Helper()
	if a.status != 400 || len(a.Errors) < 1 || a.Errors[0].Extensions.StatusCode != 400 || strings.Contains(string(a.body), `"data"`) {
		a.t.Errorf("%s answered %d, want 400 with errors: %s", a.what, a.status, a.body)
		return
	}
	a.names(words...)
}

func (a graphqlAnswer) names(words ...string) {
	a.t.Helper()
	for _, word := range words {
		if !strings.Contains(a.Errors[0].Message, word) {
			a.t.Errorf("%s: the message %q does not name %q", a.what, a.Errors[0].Message, word)
		}
	}
}

const wholeMaterials = `query($input: PublicListInput) { materials(input: $input) { items {
	id name source sourceOrganization functionalUnit compartment regionalScopes datePublished revealed deleted isFavorite inputTo outputOf
	properties { id name value unit revealed deleted revealType }
} total hasMore } }`

func TestGraphQLListsMaterials(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newStandardService(t, e)
		c := s.buyer(t, 100)
		check := func(v view) {
			t.Helper()
			want := obj{"materials": page(each(v.materialsInOrder(false), v.materialItem))}
			if got := c.graphql(wholeMaterials, nil).data(); !reflect.DeepEqual(got, want) {
				t.Errorf("got\n%s\nwant\n%s", text(got), text(want))
			}
		}
		check(s.contents)
		pullProperties(c, steel, 1, density).is(200)
		check(s.contents.with(density))
	})
}

func TestGraphQLRefusals(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		c := newStandardService(t, e).buyer(t, 0)
		c.graphql("{ material(id: \""+unknown+"\") { name } }", nil).fails("material", 404, unknown)
		c.graphql("{ materials(input: {limit: 101}) { total } }", nil).fails("materials", 400, "limit")
		c.graphql("{ nothing }", nil).refused("nothing")
		c.graphql("{", nil).refused("Syntax Error")
	})
}
