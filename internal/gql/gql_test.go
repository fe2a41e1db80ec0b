package gql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Where graphql-js differs from the specification, or the specification leaves
// it open.
func TestOnPurposeOtherThanGraphQLJS(t *testing.T) {
	s := heroes()
	for name, c := range map[string]struct {
		asked
		refused string
	}{
		"a literal beyond every Float is refused":    {asked{Query: "{ echo(float: 1e400) }"}, "validation"},
		"zeros may stand in front of an escape":      {asked{Query: `{ echo(string: "\u{0000000041}") }`}, ""},
		"subscriptions are not in the schema":        {asked{Query: "subscription { old }"}, "validation"},
		"an empty operation name is as good as none": {asked{Query: "query A { old }", OperationName: ""}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := s.answer(t, c.asked); got.Refused != c.refused {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestBounds(t *testing.T) {
	s := heroes()
	nested := func(levels int) string {
		return strings.Repeat("{ mentor ", levels) + "{ id }" + strings.Repeat(" }", levels)
	}
	// Each fragment spreads the previous one twice: a short document with a huge
	// answer.
	doubling := "{ hero { ...F30 } } fragment F0 on Hero { id }"
	for i := 1; i <= 30; i++ {
		doubling += fmt.Sprintf(" fragment F%d on Hero { a%d: mentor { ...F%d } b%d: mentor { ...F%d } }", i, i, i-1, i, i-1)
	}
	for _, c := range []struct {
		name, query, refused string
	}{
		{"as deep as may be", "{ hero " + nested(13) + " }", ""},
		{"too deep", "{ hero " + nested(14) + " }", "15 levels"},
		{"too deep by fragments", "{ hero { ...F } } fragment F on Hero " + nested(14), "15 levels"},
		{"as many roots as may be", "{" + strings.Repeat(" old", 10) + " }", ""},
		{"too many roots", "{" + strings.Repeat(" old", 11) + " }", "10 fields at its root"},
		{"too many roots by fragments", "{ ...F ...F } fragment F on Query {" + strings.Repeat(" old", 6) + " }", "10 fields at its root"},
		{"as many aliases as may be", "{ hero {" + strings.Repeat(" a: id", 50) + " } }", ""},
		{"too many aliases", "{ hero {" + strings.Repeat(" a: id", 51) + " } }", "50 aliases"},
		{"as many fields as may be", "{ hero {" + strings.Repeat(" id", 999) + " } }", ""},
		{"too many fields", "{ hero {" + strings.Repeat(" id", 1000) + " } }", "1000 fields"},
		{"too many fields by fragments", doubling, "fields"},
		{"too many tokens", "{ hero {" + strings.Repeat(" id", 1995) + " } }", "2000 tokens"},
		{"a fragment within itself", "{ hero { ...F } } fragment F on Hero { mentor { ...F } }", "within itself"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := s.answer(t, asked{Query: c.query})
			if c.refused == "" && got.Refused != "" || c.refused != "" && (got.Refused == "" || !strings.Contains(got.Errors[0].Message, c.refused)) {
				t.Errorf("got %+v, want %q", got, c.refused)
			}
		})
	}
}

func TestCost(t *testing.T) {
	row := Bind("Row", Fields[Root]{"id": Get(func(*Root) string { return "1" }, ID)})
	s, err := Load("type Query { rows(limit: Int = 10): [Row!]! } type Row { id: ID! } type Mutation { a: Int! }",
		Bind("Query", Fields[Root]{"rows": Asked(func(*Root, Ask) []Root { return nil }, Objects(row)).Weighing(func(a Args) int {
			limit, _ := a.Int("limit")
			return limit
		})}), Bind("Mutation", Fields[Root]{"a": Get(func(*Root) int { return 1 }, Int)}))
	if err != nil {
		t.Fatal(err)
	}
	for query, refused := range map[string]bool{
		"query($n: Int) { rows(limit: $n) { id } }":                                                                    false,
		"query($n: Int) { rows(limit: $n) { id a: id } }":                                                              true,
		"query($n: Int) { rows(limit: $n) { id } b: rows(limit: 1) { id } }":                                           true,
		"query($n: Int, $no: Boolean = false) { rows(limit: $n) { id a: id @skip(if: $no) b: id @include(if: $no) } }": true,
		"query($n: Int, $no: Boolean = false) { rows(limit: $n) { id a: id @include(if: $no) } }":                      false,
	} {
		doc, bad := s.Parse(query)
		if bad != nil {
			t.Fatal(bad[0])
		}
		o, _ := doc.Operation("")
		variables, _ := o.Variables(map[string]any{"n": json.Number("12500")})
		if bad := o.Plan(variables).CheckCost(variables); (bad != nil) != refused || bad != nil && bad.Kind != Bounds {
			t.Errorf("%s: %v", query, bad)
		}
	}
}

func TestPanicsAndGivingUp(t *testing.T) {
	var cancel func()
	s, err := Load("type Query { panics: Int, fine: Int!, cancels: Int, getter: Int! } type Mutation { a: Int! }",
		Bind("Query", Fields[Root]{
			"panics": Resolve(func(context.Context, any, *Root, Ask) (*int, error) { panic("secret") }, Optional(Int)),
			"fine":   Asked(func(*Root, Ask) int { return 1 }, Int),
			"cancels": Resolve(func(context.Context, any, *Root, Ask) (*int, error) {
				cancel()
				return nil, nil
			}, Optional(Int)),
			"getter": Get(func(*Root) int { panic("secret") }, Int),
		}), Bind("Mutation", Fields[Root]{"a": Get(func(*Root) int { return 1 }, Int)}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, data, cause string }{
		{"{ fine panics }", `{"fine":1,"panics":null}`, "panic: secret"},
		{"{ fine getter }", `null`, "panic: secret"},
		{"{ cancels fine }", `null`, "context canceled"},
	} {
		doc, _ := s.Parse(c.query)
		o, _ := doc.Operation("")
		var ctx context.Context
		ctx, cancel = context.WithCancel(t.Context())
		got := o.Plan(nil).Execute(ctx, nil, nil, nil)
		if string(got.Data) != c.data || len(got.Errors) != 1 || got.Errors[0].Cause == nil || !strings.HasPrefix(got.Errors[0].Cause.Error(), c.cause) {
			t.Errorf("%s: %s, %+v", c.query, got.Data, got.Errors)
		}
		cancel()
	}
}

// A prerendered row equals the object, errors included.
func TestRowsAreWhatObjectsAre(t *testing.T) {
	item := Bind("Item", Fields[heroNumber]{
		"id":   Get(func(n *heroNumber) int { return int(*n) }, Int),
		"big":  Get(func(n *heroNumber) *int { return when(true, int(*n)<<40) }, Optional(Int)),
		"self": Get(func(n *heroNumber) *heroNumber { return n }, Maybe(Bind("Self", Fields[heroNumber]{"id": Get(func(n *heroNumber) int { return int(*n) }, Int)}))),
	})
	all := []heroNumber{0, 1, 2}
	s, err := Load("type Query { items: [Item!]! rows: [Item!]! } type Item { id: Int! big: Int self: Self } type Self { id: Int! } type Mutation { a: Int! }",
		Bind("Query", Fields[Root]{
			"items": Asked(func(*Root, Ask) []heroNumber { return all }, Objects(item)),
			"rows": Asked(func(_ *Root, ask Ask) []Row {
				rows := make([]Row, len(all))
				for i := range all {
					rows[i] = Render(ask.Selection, item, &all[i])
				}
				return rows
			}, List(Rendered(item))),
		}), Bind("Mutation", Fields[Root]{"a": Get(func(*Root) int { return 1 }, Int)}))
	if err != nil {
		t.Fatal(err)
	}
	for _, selection := range []string{"{ id }", "{ big id b: big }", "{ self { id @skip(if: $v) } id }", "{ id @skip(if: $v) }"} {
		for _, v := range []string{`{}`, `{"v":true}`, `{"v":null}`} {
			ask := func(field string) string {
				query := "query($v: Boolean = false) { rows: " + field + selection + " __typename @skip(if: $v) }"
				if !strings.Contains(selection, "$v") {
					query = "{ rows: " + field + selection + " }"
				}
				got, _ := json.Marshal(s.answer(t, asked{Query: query, Variables: json.RawMessage(v)}))
				return string(got)
			}
			if a, b := ask("items"), ask(" rows"); strings.ReplaceAll(a, "rows", "items") != strings.ReplaceAll(b, "rows", "items") {
				t.Errorf("%s %s:\n%s\n%s", selection, v, a, b)
			}
		}
	}
}

// A row cached under a selection's shape is never used for another type.
func TestShapesAreOfATypeAndASelection(t *testing.T) {
	doc, bad := heroes().Parse(`{ hero { name } strict(id: 2) { name } __type(name: "Hero") { name } other: hero { n: name } }`)
	if bad != nil {
		t.Fatal(bad[0])
	}
	o, _ := doc.Operation("")
	root := o.Plan(nil).root
	shape := func(field string, i int) string { return root.Of(field)[i].Shape.Value() }
	if shape("hero", 0) != shape("strict", 0) || shape("hero", 0) == shape("__type", 0) || shape("hero", 0) == shape("hero", 1) {
		t.Errorf("%q, %q, %q, %q", shape("hero", 0), shape("strict", 0), shape("__type", 0), shape("hero", 1))
	}
}

func TestLoadFindsWhatDoesNotFit(t *testing.T) {
	query := func(f Fields[Root]) Object[Root] { return Bind("Query", f) }
	mutation := Bind("Mutation", Fields[Root]{"a": Get(func(*Root) int { return 1 }, Int)})
	text := Get(func(*Root) string { return "" }, String)
	for problem, c := range map[string]struct {
		source string
		query  Object[Root]
	}{
		"Query.b is not bound":            {"type Query { a: String! b: Int } type Mutation { a: Int! }", query(Fields[Root]{"a": text})},
		"Query.b is bound but not in":     {"type Query { a: String! } type Mutation { a: Int! }", query(Fields[Root]{"a": text, "b": text})},
		"and bound as String!":            {"type Query { a: String } type Mutation { a: Int! }", query(Fields[Root]{"a": text})},
		"no field leads to it":            {"type Query { a: String! } type Mutation { a: Int! } type T { a: Int }", query(Fields[Root]{"a": text})},
		"is an interface or union":        {"type Query { a: String! } type Mutation { a: Int! } interface T { a: Int }", query(Fields[Root]{"a": text})},
		"a scalar of its own":             {"type Query { a: String! } type Mutation { a: Int! } scalar T", query(Fields[Root]{"a": text})},
		"the default of Query.a.b is no":  {`type Query { a(b: Int = "x"): String! } type Mutation { a: Int! }`, query(Fields[Root]{"a": text})},
		"the schema has no type Mutation": {"type Query { a: String! }", query(Fields[Root]{"a": text})},
		"the schema has subscriptions":    {"type Query { a: String! } type Mutation { a: Int! } type Subscription { a: Int! }", query(Fields[Root]{"a": text})},
		"read schema":                     {"type Query {", query(nil)},
	} {
		if _, err := Load(c.source, c.query, mutation); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("got %v, want %q", err, problem)
		}
	}
}

// Every request gets JSON or a refusal.
func FuzzRequest(f *testing.F) {
	for _, c := range readGolden(f) {
		f.Add(c.Query, string(c.Variables))
	}
	s := heroes()
	f.Fuzz(func(t *testing.T, query, variables string) {
		if len(query) > 64<<10 {
			return
		}
		doc, bad := s.Parse(query)
		if bad != nil {
			return
		}
		decoder := json.NewDecoder(strings.NewReader(variables))
		decoder.UseNumber()
		var sent map[string]any
		_ = decoder.Decode(&sent)
		for _, o := range doc.operations {
			values, bad := o.Variables(sent)
			if bad != nil {
				continue
			}
			result := o.Plan(values).Execute(t.Context(), &counter{}, values, nil)
			if !json.Valid(result.Data) {
				t.Errorf("%s\n%s", query, result.Data)
			}
			for _, e := range result.Errors {
				if errors.Is(e.Cause, context.Canceled) || e.Cause != nil && strings.HasPrefix(e.Cause.Error(), "panic") {
					t.Errorf("%s\n%v", query, e.Cause)
				}
			}
		}
	})
}
