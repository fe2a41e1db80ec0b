package portal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"cradle/internal/account"
	"cradle/internal/gateway"
)

type explorerPage struct {
	form
	Versions []string
	Answer   string
	Status   int
	Schema   *schemaDoc
}

const firstQuery = `query Steel {
  materials(input: {search: "steel", limit: 3}) {
    total
    items { id name revealed properties { name value unit } }
  }
}`

func (v *visit) explorer() error {
	page := v.newExplorer()
	page.Value["query"], page.Value["variables"] = firstQuery, "{}"
	return v.showExplorer(http.StatusOK, page)
}

func (v *visit) newExplorer() explorerPage {
	page := explorerPage{form: newForm("query", "variables", "version")}
	for i := len(gateway.Versions) - 1; i >= 0; i-- {
		page.Versions = append(page.Versions, string(gateway.Versions[i]))
	}
	return page
}

func (v *visit) showExplorer(status int, page explorerPage) error {
	var err error
	if page.Schema, err = v.introspected(); err != nil {
		return err
	}
	return v.show(status, "graphql", "GraphQL explorer", page)
}

// explore runs a query as the signed-in user, for the selected team and mode.
func (v *visit) explore() error {
	page := v.newExplorer()
	page.read(v)
	variables := json.RawMessage(page.Value["variables"])
	if len(variables) == 0 {
		variables = json.RawMessage("{}")
	}
	if !json.Valid(variables) {
		page.Error["variables"] = "Variables must be a JSON object"
		return v.showExplorer(http.StatusBadRequest, page)
	}
	answer, err := v.askGraphQL(v.context(), page.Value["query"], variables, page.Value["version"])
	if err != nil {
		return err
	}
	page.Status, page.Answer = answer.status, indented(answer.body.Bytes())
	return v.showExplorer(http.StatusOK, page)
}

func (v *visit) askGraphQL(ctx context.Context, query string, variables json.RawMessage, version string) (*answer, error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.RemoteAddr = v.request.RemoteAddr
	r.Header.Set("X-Forwarded-For", strings.Join(v.request.Header.Values("X-Forwarded-For"), ","))
	r.Header.Set("Content-Type", "application/json")
	if version != "" {
		r.Header.Set("Svc-Version", version)
	}
	w := &answer{header: http.Header{}, status: http.StatusOK}
	v.GraphQL(v.viewer, &account.Holder{User: v.visitor.User, Seats: v.visitor.Seats}).ServeHTTP(w, r)
	return w, nil
}

// answer records a response.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }

// schemaDoc is the schema as the explorer shows it.
type schemaDoc struct {
	Types []schemaType
}

type schemaType struct {
	Name, Kind  string
	Description string
	Fields      []schemaField
	InputFields []schemaField
	EnumValues  []struct{ Name string }
}

type schemaField struct {
	Name, Description string
	Args              []schemaField
	Type              typeRef
}

// typeRef is a type as introspection spells it.
type typeRef struct {
	Kind, Name string
	OfType     *typeRef
}

func (t typeRef) String() string {
	switch {
	case t.Kind == "NON_NULL" && t.OfType != nil:
		return t.OfType.String() + "!"
	case t.Kind == "LIST" && t.OfType != nil:
		return "[" + t.OfType.String() + "]"
	}
	return t.Name
}

const introspection = `query Schema { __schema { types { name kind description
  fields { name description args { name type { ...T } } type { ...T } }
  inputFields { name description type { ...T } } enumValues { name } } } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

// introspected introspects the service itself; the result is the same for
// everyone and is cached.
func (v *visit) introspected() (*schemaDoc, error) {
	if known := v.schema.Load(); known != nil {
		return known, nil
	}
	got, err := v.askGraphQL(v.context(), introspection, json.RawMessage("{}"), "")
	if err != nil {
		return nil, err
	}
	var said struct {
		Data struct {
			Schema schemaDoc `json:"__schema"`
		}
	}
	if err := json.Unmarshal(got.body.Bytes(), &said); err != nil || len(said.Data.Schema.Types) == 0 {
		return nil, fmt.Errorf("introspect: status %d: %.200s", got.status, got.body.Bytes())
	}
	schema := &schemaDoc{}
	for _, t := range said.Data.Schema.Types {
		if !strings.HasPrefix(t.Name, "__") && t.Kind != "SCALAR" {
			schema.Types = append(schema.Types, t)
		}
	}
	v.schema.Store(schema)
	return schema, nil
}
