package byhand

import (
	"errors"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	gqlparser "github.com/vektah/gqlparser/v2"

	"cradle/internal/gql"
)

// A superfluous closing brace ends both ways after the parser, before
// validation.
const tooMany = "}"

var queryPart = Part{
	Name: "GraphQL, read", Library: "gqlparser 2.5.64", Once: "a document of 239 tokens",
	ours: func(string) (func() any, error) {
		schema, err := ourSchema()
		return func() any { return readByOurs(schema, query+tooMany) }, err
	},
	theirs: func(string) (func() any, error) {
		return func() any {
			_, err := parser.ParseQuery(&ast.Source{Input: query + tooMany})
			return refused(err)
		}, nil
	},
}

var checkedPart = Part{
	Name: "GraphQL, read and checked", Library: "gqlparser 2.5.64", Once: "the same document",
	ours: func(string) (func() any, error) {
		schema, err := ourSchema()
		return func() any { return readByOurs(schema, query) }, err
	},
	theirs: func(string) (func() any, error) {
		schema, err := gqlparser.LoadSchema(&ast.Source{Input: schemaText})
		every := rules.NewDefaultRules()
		return func() any {
			doc, err := parser.ParseQuery(&ast.Source{Input: query})
			if err == nil {
				if wrong := validator.ValidateWithRules(schema, doc, every); len(wrong) > 0 {
					err = wrong
				}
			}
			return refused(err)
		}, err
	},
}

// query asks for a page as a client does that shows it.
var query = `query Page($limit: Int!, $offset: Int!, $search: String = "rolled steel", $unit: Boolean = true) {
  materials(input: {limit: $limit, offset: $offset, search: $search}) { items { ...Material } total hasMore }
  more: materials(input: {limit: 5, offset: 0, search: "a \"quoted\" \u00e9"}) { items { ...Material } total }
}
fragment Material on Material { id name properties { id value unit @include(if: $unit) } ` +
	strings.Repeat("\n  # what the table shows\n  name properties { id name value unit revealed }", 15) + "\n}\n"

const schemaText = `
type Query { materials(input: Page): Materials! }
type Mutation { nothing: Int! }
input Page { limit: Int, offset: Int, search: String }
type Materials { items: [Material!]! total: Int! hasMore: Boolean! }
type Material { id: ID! name: String! properties: [Property!]! }
type Property { id: ID! name: String! value: Float! unit: String! revealed: Boolean! }`

type nothing struct{}

func ourSchema() (*gql.Schema, error) {
	property := gql.Bind("Property", gql.Fields[nothing]{"id": id, "name": text, "value": number, "unit": text, "revealed": yes})
	material := gql.Bind("Material", gql.Fields[nothing]{"id": id, "name": text, "properties": many(property)})
	page := gql.Bind("Materials", gql.Fields[nothing]{"items": many(material), "total": whole, "hasMore": yes})
	return gql.Load(schemaText,
		gql.Bind("Query", gql.Fields[gql.Root]{"materials": gql.Asked(func(*gql.Root, gql.Ask) *nothing { return nil }, gql.Type[*nothing](page))}),
		gql.Bind("Mutation", gql.Fields[gql.Root]{"nothing": gql.Get(func(*gql.Root) int { return 0 }, gql.Int)}))
}

var (
	id     = gql.Get(func(*nothing) string { return "" }, gql.ID)
	text   = gql.Get(func(*nothing) string { return "" }, gql.String)
	number = gql.Get(func(*nothing) float64 { return 0 }, gql.Float)
	whole  = gql.Get(func(*nothing) int { return 0 }, gql.Int)
	yes    = gql.Get(func(*nothing) bool { return true }, gql.Boolean)
)

func many(of gql.Object[nothing]) gql.Field[nothing] {
	return gql.Get(func(*nothing) []nothing { return nil }, gql.Objects(of))
}

// Both ways return the line at which the document is refused, 0 if it is not.
func readByOurs(schema *gql.Schema, document string) any {
	if _, bad := schema.Parse(document); bad != nil {
		return bad[0].Locations[0].Line
	}
	return 0
}

func refused(err error) any {
	var bad *gqlerror.Error
	if errors.As(err, &bad) {
		return bad.Locations[0].Line
	}
	return 0
}
