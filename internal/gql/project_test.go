package gql

import (
	"encoding/json"
	"testing"
)

// part is an object with every form of field that a projection meets.
type part struct {
	Text  string   `json:"text"`
	Maybe *string  `json:"maybe"`
	Num   *float64 `json:"num"`
	Yes   bool     `json:"yes"`
	Texts []string `json:"texts"`
	Parts []part   `json:"parts"`
}

// A projection of an object's JSON equals what the object itself writes.
func TestProjectionsAreWhatObjectsAre(t *testing.T) {
	typ := NewObject[part]("Part")
	typ.Bind(Fields[part]{
		"text":    Get(func(p *part) string { return p.Text }, String),
		"maybe":   Get(func(p *part) *string { return p.Maybe }, Optional(String)),
		"num":     Get(func(p *part) *float64 { return p.Num }, Optional(Float)),
		"yes":     Get(func(p *part) bool { return p.Yes }, Boolean),
		"texts":   Get(func(p *part) []string { return p.Texts }, List(String)),
		"parts":   Get(func(p *part) []part { return p.Parts }, Objects(typ)),
		"another": Get(func(*part) bool { return true }, Boolean),
	})
	s, err := Load("type Query { part: Part! } type Part { text: String! maybe: String num: Float yes: Boolean! texts: [String!]! parts: [Part!]! another: Boolean! } type Mutation { a: Int! }",
		Bind("Query", Fields[Root]{"part": Get(func(*Root) *part { return nil }, Type[*part](typ))}), Bind("Mutation", Fields[Root]{"a": Get(func(*Root) int { return 1 }, Int)}))
	if err != nil {
		t.Fatal(err)
	}
	odd := `"\" {[,]}: \\" é😀` + "\n\\"
	leaf := part{Text: odd, Maybe: &odd, Num: when(true, -1.5e-9), Texts: []string{odd, "", `\`}, Parts: []part{}}
	whole := part{Text: "", Yes: true, Texts: []string{}, Parts: []part{leaf, {Texts: []string{}, Parts: []part{leaf}}, leaf}}
	text, _ := json.Marshal(whole)
	for query, there := range map[string]bool{
		"{ part { text } }": true,
		"{ part { yes num maybe text texts parts { text maybe num yes texts parts { text texts } } } }": true,
		"{ part { parts { parts { n: num num t: __typename } x: texts } again: parts { yes } } }":       true,
		"{ part { __typename } }":             true,
		"{ part { another } }":                false,
		"{ part { text parts { another } } }": false,
		"query($v: Boolean = true) { part { parts { text @skip(if: $v) } } }": false,
	} {
		doc, bad := s.Parse(query)
		if bad != nil {
			t.Fatal(bad[0])
		}
		o, _ := doc.Operation("")
		selection := o.Plan(Variables{"v": nil}).root.Of("part")[0]
		got, ok := Project(selection, typ, text)
		if ok != there {
			t.Errorf("%s: %v", query, ok)
		}
		if !ok {
			continue
		}
		var a, b any
		if err := json.Unmarshal(got.text, &a); err != nil {
			t.Fatalf("%s: %v: %s", query, err, got.text)
		}
		want := Render(selection, typ, &whole)
		if err := json.Unmarshal(want.text, &b); err != nil {
			t.Fatal(err)
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if string(x) != string(y) {
			t.Errorf("%s:\ngot  %s\nwant %s", query, got.text, want.text)
		}
	}
}
