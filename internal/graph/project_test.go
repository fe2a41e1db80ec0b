package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// A list takes the requested fields of a record from the item that REST has
// cached, if the item has them: GraphQL's fields must have the names and values
// of REST's. Each field, alone, is the same from a server where REST has
// everything cached and from one where it has nothing.
func TestFieldsAreTheSameOutOfRESTsItems(t *testing.T) {
	schema := readSchema(t)
	cold := serve(t, engines["sqlite"](t))
	warm := serveWith(t, engines["sqlite"](t), 64<<20)
	for list, typeName := range map[string]string{"materials": "PublicMaterial", "processes": "PublicProcess"} {
		fromItems := 0
		for _, field := range selections(schema, schema.Types[typeName]) {
			query := fmt.Sprintf("{ %s(input: {limit: 100}) { items { %s } } }", list, field)
			before := warm.store.Statements()
			got := warm.ask(t, query)
			if warm.store.Statements() == before {
				fromItems++
			}
			if want := cold.ask(t, query); string(got) != string(want) {
				t.Errorf("%s: REST's items say\n%.500s\nthe records\n%.500s", query, got, want)
			}
		}
		if fromItems < 10 {
			t.Errorf("only %d fields of %s came out of REST's items: nothing was compared", fromItems, typeName)
		}
	}
}

// selections selects each field of a type, and of the types within it, alone.
func selections(schema *ast.Schema, of *ast.Definition) []string {
	var all []string
	for _, f := range of.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		within := schema.Types[f.Type.Name()]
		if within.Kind != ast.Object {
			all = append(all, f.Name)
			continue
		}
		for _, inner := range selections(schema, within) {
			all = append(all, f.Name+" { "+inner+" }")
		}
	}
	return all
}
