package gql

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	upstream "github.com/vektah/gqlparser/v2/parser"
)

// misread are documents that gqlparser reads differently from the specification
// of September 2025, which is why we have our own lexer and parser. graphql-js
// does as specified.
var misread = []struct{ name, document, specified, gqlparser string }{
	{"a number runs into a name", `{ old(a: 1b: 2) }`, "refused at 1:11", "a: 1 at 1:10, b: 2 at 1:14"},
	{"a hexadecimal number", `{ old(a: [0x1F]) }`, "refused at 1:12", "a: [0,x1F] at 1:10"},
	{"a block string that begins in its first line", "{ old(a: \"\"\"b\n  c\"\"\") }", `a: "b\nc" at 1:10`, `a: "b\n  c" at 2:-1`},
	{"a block string of several lines stands where it begins", "{ old(a: \"\"\"\n  b\n  \"\"\") }", `a: "b" at 1:10`, `a: "b" at 3:-4`},
	{"four quotation marks at the end of a block string", `{ old(a: """b"""") }`, "refused at 1:21", `a: "b\"" at 1:13`},
	{"half a surrogate pair", `{ old(a: "\ud83d") }`, "refused at 1:11", `a: "�" at 1:11`},
	{"half a surrogate pair before a whole one", `{ old(a: "\ud83d\ud83d\ude00") }`, "refused at 1:11", `a: "�😀" at 1:11`},
	{"a string stands where its quotation mark does", `{ old(a: "b") }`, `a: "b" at 1:10`, `a: "b" at 1:11`},
	{"a control character in a string", "{ old(a: \"\x01\") }", `a: "\x01" at 1:10`, "refused at 1:11"},
	{"a control character in a comment", "{ old(a: 1) } # \x01", "a: 1 at 1:10", "refused at 1:17"},
	{"columns after the line end of Windows", "{\r\nold(a: 1) }", "a: 1 at 2:8", "a: 1 at 2:9"},
	{"columns after a character of two UTF-16 units", `{ old(a: "😀", b: 1) }`, `a: "😀" at 1:10, b: 1 at 1:19`, `a: "😀" at 1:11, b: 1 at 1:18`},
	{"a variable where only constants stand", `query($v: Int @skip(if: $w)) { old }`, "refused at 1:25", "if: $w at 1:25"},
	{"variables of a fragment", `{ old(a: 1) } fragment F($v: Int) on Query { old }`, "refused at 1:25", "a: 1 at 1:10"},
	{"nothing", "", "refused at 1:1", "nothing"},
	{"a comment only", "# nothing", "refused at 1:10", "nothing"},
}

func TestReadsWhatGQLParserMisreads(t *testing.T) {
	fixed := 0
	for _, c := range misread {
		t.Run(c.name, func(t *testing.T) {
			doc, bad := parse(c.document)
			if got := retold(doc, bad); got != c.specified {
				t.Errorf("got %.200s, want %.200s", got, c.specified)
			}
			theirs := byGQLParser(c.document)
			if theirs == c.specified {
				fixed++
				t.Logf("gqlparser reads it as specified")
			} else if theirs != c.gqlparser {
				t.Errorf("gqlparser makes of it %.200s, no longer %.200s: is it right now?", theirs, c.gqlparser)
			}
		})
	}
	if fixed == len(misread) {
		t.Error("gqlparser reads every one of these as specified: its lexer and parser can take the place of ours")
	}
}

func byGQLParser(document string) string {
	doc, err := upstream.ParseQuery(&ast.Source{Input: document})
	var bad *gqlerror.Error
	if errors.As(err, &bad) {
		return retold(nil, &Error{Locations: locations(bad)})
	}
	return retold(doc, nil)
}

// retold describes the result of parsing: where the document was refused, or its
// arguments with their positions.
func retold(doc *ast.QueryDocument, bad *Error) string {
	if bad != nil {
		return fmt.Sprintf("refused at %d:%d", bad.Locations[0].Line, bad.Locations[0].Column)
	}
	found := []string{}
	note := func(list ast.ArgumentList) {
		for _, a := range list {
			value := a.Value.String()
			if a.Value.Kind == ast.StringValue || a.Value.Kind == ast.BlockValue {
				value = strconv.Quote(a.Value.Raw)
			}
			found = append(found, fmt.Sprintf("%s: %s at %d:%d", a.Name, value, a.Value.Position.Line, a.Value.Position.Column))
		}
	}
	for _, o := range doc.Operations {
		for _, v := range o.VariableDefinitions {
			for _, d := range v.Directives {
				note(d.Arguments)
			}
		}
		for _, s := range o.SelectionSet {
			note(s.(*ast.Field).Arguments)
		}
	}
	if len(found) == 0 {
		return "nothing"
	}
	return strings.Join(found, ", ")
}

// graphql-js reads the documents above as specified.
func TestMisreadDocumentsAreReadByGraphQLJS(t *testing.T) {
	o := newOracle(t)
	for _, c := range misread {
		var got answered
		o.send(asked{Query: c.document})
		o.read(&got)
		refused := ""
		if got.Refused == "syntax" {
			refused = fmt.Sprintf("refused at %d:%d", got.Errors[0].Locations[0].Line, got.Errors[0].Locations[0].Column)
		}
		if specified := strings.HasPrefix(c.specified, "refused"); specified != (refused != "") || specified && refused != c.specified {
			t.Errorf("%s: graphql-js %+v", c.name, got)
		}
	}
}

// An error is reported where its argument begins, not where it ends.
func TestPlacesOfArguments(t *testing.T) {
	for document, want := range map[string]Location{
		"{ echo(string: \"a\", string : \"b\") }":             {1, 21},
		"{ echo(filter: { search: \"a\", search : \"b\" }) }": {1, 31},
	} {
		_, bad := heroes().Parse(document)
		if len(bad) != 1 || len(bad[0].Locations) != 1 || bad[0].Locations[0] != want {
			t.Errorf("%s: got %+v, want %v", document, bad, want)
		}
	}
}
