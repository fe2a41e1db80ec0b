package graph_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"cradle/internal/rest"
)

// mirrors lists the schemas in REST's document whose fields a type has.
var mirrors = map[string][]string{
	"PublicUser":              {"User"},
	"PublicTeam":              {"Team"},
	"PublicTeamsPage":         {"TeamsPage"},
	"PublicMaterial":          {"MaterialItem", "Material"},
	"PublicMaterialsPage":     {"MaterialsPage"},
	"PublicMaterialProperty":  {"Property", "PropertyDetail"},
	"PublicMaterialImpact":    {"MaterialImpact"},
	"PublicProcess":           {"ProcessItem", "Process"},
	"PublicProcessesPage":     {"ProcessesPage"},
	"PublicSource":            {"Source"},
	"PublicExchange":          {"Exchange"},
	"PublicProcessImpact":     {"ImpactItem", "Impact", "ImpactDetail"},
	"PublicImpactMethod":      {"ImpactMethod"},
	"PublicImpactMethodsPage": {"ImpactMethodsPage"},
	"PullPropertiesInput":     {"PropertyPull"},
	"PullPropertiesResult":    {"PropertyPullResult"},
	"PullProcessInput":        {"ProcessPull"},
	"PullProcessResult":       {"ProcessPullResult"},
	"PullImpactsInput":        {"ImpactPull"},
	"PullImpactsResult":       {"ImpactPullResult"},
	"PullDatapointsInput":     {"DatapointPull"},
	"PullDatapointsResult":    {"DatapointPullResult"},
	"PullQuote":               {"Quote"},
}

// notMirrored are types without a schema in REST's document.
var notMirrored = []string{"Query", "Mutation", "PublicApiVersion", "PublicListInput"}

// inThePath are fields that are path parameters in REST.
var inThePath = []string{"PullPropertiesInput.materialId", "PullProcessInput.processId", "PullImpactsInput.processId"}

func readSchema(t *testing.T) *ast.Schema {
	t.Helper()
	text, err := os.ReadFile("schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	return gqlparser.MustLoadSchema(&ast.Source{Input: string(text)})
}

// The schema has the names and types of REST's document.
func TestSchemaMirrorsREST(t *testing.T) {
	schema := readSchema(t)
	doc, err := openapi3.NewLoader().LoadFromData(rest.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	typeOf := map[string]string{}
	for name, of := range mirrors {
		for _, s := range of {
			typeOf["#/components/schemas/"+s] = name
		}
	}
	for name, def := range schema.Types {
		if def.BuiltIn || slices.Contains(notMirrored, name) {
			continue
		}
		if mirrors[name] == nil {
			t.Errorf("%s mirrors nothing", name)
			continue
		}
		properties := map[string]*openapi3.SchemaRef{}
		for _, s := range mirrors[name] {
			maps.Copy(properties, doc.Components.Schemas[s].Value.Properties)
		}
		if name == "PublicProcess" { // a list in both reads; REST's single read joins it
			properties["source"] = doc.Components.Schemas["ProcessItem"].Value.Properties["source"]
		}
		for _, f := range def.Fields {
			if slices.Contains(inThePath, name+"."+f.Name) {
				continue
			}
			p := properties[f.Name]
			if p == nil {
				t.Errorf("REST has no field for %s.%s", name, f.Name)
				continue
			}
			delete(properties, f.Name)
			if want := written(p, typeOf, required(doc, mirrors[name], f.Name)); !slices.Contains(want, f.Type.String()) {
				t.Errorf("%s.%s is %s, REST has %v", name, f.Name, f.Type, want)
			}
		}
		for field := range properties {
			t.Errorf("%s has no field for REST's %s", name, field)
		}
	}
}

func required(doc *openapi3.T, schemas []string, field string) bool {
	return slices.ContainsFunc(schemas, func(s string) bool { return slices.Contains(doc.Components.Schemas[s].Value.Required, field) })
}

// written returns how a schema of REST's document may be written in GraphQL.
func written(p *openapi3.SchemaRef, typeOf map[string]string, required bool) []string {
	var bare []string
	switch kinds := p.Value.Type; {
	case typeOf[p.Ref] != "":
		bare = []string{typeOf[p.Ref]}
	case kinds.Includes("string"):
		bare = []string{"String", "ID"}
	case kinds.Includes("number"):
		bare = []string{"Float"}
	case kinds.Includes("integer"):
		bare = []string{"Int"}
	case kinds.Includes("boolean"):
		bare = []string{"Boolean"}
	case kinds.Includes("array"):
		for _, element := range written(p.Value.Items, typeOf, true) {
			bare = append(bare, "["+element+"]")
		}
	}
	if !required || p.Value.Type.Includes("null") {
		return bare
	}
	for i := range bare {
		bare[i] += "!"
	}
	return bare
}

func TestEverythingIsDescribed(t *testing.T) {
	for name, def := range readSchema(t).Types {
		if def.BuiltIn {
			continue
		}
		if def.Description == "" {
			t.Errorf("%s is not described", name)
		}
		for _, f := range def.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			if f.Description == "" {
				t.Errorf("%s.%s is not described", name, f.Name)
			}
			for _, a := range f.Arguments {
				if a.Description == "" {
					t.Errorf("%s.%s.%s is not described", name, f.Name, a.Name)
				}
			}
		}
	}
}

// graphql-js builds the same schema from an introspection as from the text.
func TestClientsCanIntrospect(t *testing.T) {
	const folder = "../gql/testdata/oracle"
	if _, err := os.Stat(filepath.Join(folder, "node_modules/graphql")); err != nil {
		if os.Getenv("CRADLE_GRAPHQL_ORACLE") == "required" {
			t.Fatalf("graphql-js is missing; scripts/setup installs it: %v", err)
		}
		t.Skip("NOT COMPARED WITH graphql-js, which is missing: scripts/setup installs it")
	}
	v := serve(t, engines["sqlite"](t))
	var asked struct{ Query string }
	oracle(t, folder, map[string]any{"ask": "introspection"}, &asked)
	var answer struct{ Data json.RawMessage }
	if err := json.Unmarshal(v.ask(t, asked.Query), &answer); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	var printed struct{ Text, Introspected string }
	oracle(t, folder, map[string]any{"ask": "schemas", "sdl": string(text), "introspection": answer.Data}, &printed)
	if printed.Text == "" || printed.Text != printed.Introspected {
		t.Errorf("the schema's text says\n%s\nits introspection\n%s", printed.Text, printed.Introspected)
	}
}

func oracle(t *testing.T, folder string, request, into any) {
	t.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join(folder, "oracle.mjs"))
	cmd.Stdin = bytes.NewReader(append(line, '\n'))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(fmt.Errorf("graphql-js: %w", err))
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatal(err)
	}
}
