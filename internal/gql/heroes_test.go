package gql

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The schema that testdata/oracle/oracle.mjs serves with graphql-js: a hero is a
// number, and everything else about it follows from that.

//go:embed testdata/oracle/schema.graphql
var heroSchema string

// counter is the caller of a request.
type counter struct{ count int }

type heroNumber int

func when[V any](there bool, v V) *V {
	if !there {
		return nil
	}
	return &v
}

func heroes() *Schema {
	color := Enum("Color")
	hero := NewObject[heroNumber]("Hero")
	hero.Bind(Fields[heroNumber]{
		"id":     Get(func(n *heroNumber) string { return strconv.Itoa(int(*n)) }, ID),
		"name":   Get(func(n *heroNumber) string { return fmt.Sprintf("hero \"%d\" \u00e9\U0001F600\n\b", *n) }, String),
		"nick":   Get(func(n *heroNumber) *string { return when(*n%3 != 0, fmt.Sprintf("nick %d", *n)) }, Optional(String)),
		"age":    Get(func(n *heroNumber) *int { return when(*n%5 != 0, int(*n)*10) }, Optional(Int)),
		"height": Get(func(n *heroNumber) *float64 { return when(*n%4 != 0, float64(*n)/8+1e-7) }, Optional(Float)),
		"alive":  Get(func(n *heroNumber) bool { return *n%2 == 0 }, Boolean),
		"color":  Get(func(n *heroNumber) string { return []string{"RED", "GREEN", "BLUE"}[max(*n%3, -*n%3)] }, color),
		"tags":   Get(heroTags, Optional(List(String))),
		"matrix": Get(heroMatrix, Optional(List(List(Optional(Int))))),
		"friends": Asked(func(n *heroNumber, ask Ask) []heroNumber {
			first, _ := ask.Args.Int("first")
			friends := make([]heroNumber, min(5, max(0, first)))
			for i := range friends {
				friends[i] = *n + heroNumber(i) + 1
			}
			return friends
		}, Objects(hero)),
		"maybeFriends": Get(func(n *heroNumber) *[]*heroNumber {
			a, b := *n+2, *n+3
			return when(*n%2 != 0, []*heroNumber{&a, nil, &b})
		}, Optional(List(Maybe(hero)))),
		"mentor": Get(func(n *heroNumber) *heroNumber { return when(*n%4 != 0, *n+1) }, Maybe(hero)),
		"rival":  Get(func(n *heroNumber) *heroNumber { return when(*n%7 != 0, *n+5) }, Type[*heroNumber](hero)),
		"big":    Get(func(n *heroNumber) *int { return when(true, 2147483647+int(*n&1)) }, Optional(Int)),
		"boom": Resolve(func(_ context.Context, _ any, n *heroNumber, _ Ask) (*string, error) {
			return nil, fmt.Errorf("boom %d", *n)
		}, Optional(String)),
		"bang": Resolve(func(_ context.Context, _ any, n *heroNumber, _ Ask) (string, error) {
			if *n%2 != 0 {
				return "", fmt.Errorf("bang %d", *n)
			}
			return "quiet", nil
		}, String),
	})
	boom := Resolve(func(context.Context, *counter, *Root, Ask) (*string, error) { return nil, errors.New("boom") }, Optional(String))
	bang := Resolve(func(context.Context, *counter, *Root, Ask) (string, error) { return "", errors.New("bang") }, String)
	echo := func(_ *Root, ask Ask) string { return shownArgs(map[string]any(ask.Args)) }
	s, err := Load(heroSchema, Bind("Query", Fields[Root]{
		"hero":   Asked(func(_ *Root, ask Ask) *heroNumber { return findHero(ask.Args.Text("id")) }, Maybe(hero)),
		"heroes": Asked(listHeroes, List(Maybe(hero))),
		"strict": Asked(func(_ *Root, ask Ask) *heroNumber { return findHero(ask.Args.Text("id")) }, Type[*heroNumber](hero)),
		"echo":   Asked(echo, String),
		"need":   Asked(func(r *Root, ask Ask) *string { return when(true, echo(r, ask)) }, Optional(String)),
		"boom":   boom,
		"bang":   bang,
		"old":    Get(func(*Root) *int { return when(true, 7) }, Optional(Int)),
	}), Bind("Mutation", Fields[Root]{
		"next": Resolve(func(_ context.Context, c *counter, _ *Root, ask Ask) (int, error) {
			by, _ := ask.Args.Int("by")
			c.count += by
			return c.count, nil
		}, Int),
		"boom": Resolve(func(context.Context, *counter, *Root, Ask) (*int, error) { return nil, errors.New("boom") }, Optional(Int)),
		"bang": Resolve(func(context.Context, *counter, *Root, Ask) (int, error) { return 0, errors.New("bang") }, Int),
	}))
	if err != nil {
		panic(err)
	}
	return s
}

func heroTags(n *heroNumber) *[]string {
	tags := []string{}
	for i := range *n % 4 {
		tags = append(tags, fmt.Sprintf("t%d", i))
	}
	return when(*n%4 != 0, tags)
}

func heroMatrix(n *heroNumber) *[][]*int {
	return when(*n%3 != 0, [][]*int{{when(true, int(*n)), nil}, {}})
}

var heroID = regexp.MustCompile(`^[1-9][0-9]{0,3}$`)

func findHero(id string) *heroNumber {
	if !heroID.MatchString(id) {
		return nil
	}
	n, _ := strconv.Atoi(id)
	return when(true, heroNumber(n))
}

func listHeroes(_ *Root, ask Ask) []*heroNumber {
	first, _ := ask.Args.Int("first")
	from, _ := ask.Args.Int("from")
	all := make([]*heroNumber, min(5, max(0, first)))
	for i := range all {
		all[i] = when((from+i)%4 != 0, heroNumber(from+i))
	}
	return all
}

// shownArgs writes arguments as the oracle does.
func shownArgs(value any) string {
	switch v := value.(type) {
	case Args:
		return shownArgs(map[string]any(v))
	case map[string]any:
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, key+":"+shownArgs(v[key]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, shownArgs(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case float64:
		return string(appendFloat(nil, v+0)) // JSON.stringify has no -0
	case string:
		return string(appendString(nil, v))
	}
	text, _ := json.Marshal(value)
	return string(text)
}

// asked is a request as the oracle reads it.
type asked struct {
	Query         string          `json:"query"`
	Variables     json.RawMessage `json:"variables,omitempty"`
	OperationName string          `json:"operationName,omitempty"`
}

// answered is an answer as the oracle writes it.
type answered struct {
	Refused string          `json:"refused,omitempty"`
	Errors  []answeredError `json:"errors,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}

type answeredError struct {
	Message   string     `json:"message"`
	Locations []Location `json:"locations,omitempty"`
	Path      []any      `json:"path,omitempty"`
}

var refusals = map[Kind]string{Syntax: "syntax", Validation: "validation", Bounds: "bounds", Request: "request"}

func (s *Schema) answer(t testing.TB, a asked) answered {
	t.Helper()
	refused := func(bad ...*Error) answered {
		return answered{Refused: refusals[bad[0].Kind], Errors: shownErrors(bad)}
	}
	doc, bad := s.Parse(a.Query)
	if bad != nil {
		return refused(bad...)
	}
	o, wrong := doc.Operation(a.OperationName)
	if wrong != nil {
		return refused(wrong)
	}
	sent := map[string]any{}
	if a.Variables != nil {
		decoder := json.NewDecoder(strings.NewReader(string(a.Variables)))
		decoder.UseNumber()
		if err := decoder.Decode(&sent); err != nil {
			t.Fatal(err)
		}
	}
	variables, bad := o.Variables(sent)
	if bad != nil {
		return refused(bad...)
	}
	plan := o.Plan(variables)
	result := plan.Execute(t.Context(), &counter{}, variables, nil)
	if again := plan.Execute(t.Context(), &counter{}, variables, nil); string(again.Data) != string(result.Data) {
		t.Errorf("%s: executed again it answers %s", a.Query, again.Data)
	}
	if !json.Valid(result.Data) {
		t.Errorf("%s: answered what is no JSON: %s", a.Query, result.Data)
	}
	return answered{Data: result.Data, Errors: shownErrors(result.Errors)}
}

func shownErrors(all []*Error) []answeredError {
	var shown []answeredError
	for _, e := range all {
		shown = append(shown, answeredError{e.Message, e.Locations, e.Path})
	}
	return shown
}

// differs describes how two answers differ, "" if they agree: both executed with
// the same data and errors, or both refused. The reasons may differ, but syntax
// errors must be at the same place.
func differs(got, want answered) string {
	if got.Refused == "bounds" {
		return "" // graphql-js has none
	}
	if (got.Refused == "") != (want.Refused == "") {
		return fmt.Sprintf("got refused %q %+v, want refused %q %+v", got.Refused, got.Errors, want.Refused, want.Errors)
	}
	if got.Refused == "syntax" && want.Refused == "syntax" && !slices.Equal(got.Errors[0].Locations, want.Errors[0].Locations) {
		return fmt.Sprintf("got  %+v\nwant %+v", got.Errors[0], want.Errors[0])
	}
	if got.Refused != "" {
		return ""
	}
	if string(got.Data) != string(want.Data) {
		return fmt.Sprintf("got  %s\nwant %s", got.Data, want.Data)
	}
	a, _ := json.Marshal(got.Errors)
	b, _ := json.Marshal(want.Errors)
	if string(a) != string(b) {
		return fmt.Sprintf("got errors  %s\nwant errors %s", a, b)
	}
	return ""
}
