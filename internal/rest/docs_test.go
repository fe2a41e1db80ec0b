package rest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"cradle/internal/event"
	"cradle/internal/rest"
)

const baseURL = "https://cradle.example.org"

func TestDocumentIsValidOpenAPI31(t *testing.T) {
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = false
	doc, err := loader.LoadFromData(rest.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") {
		t.Errorf("openapi is %q", doc.OpenAPI)
	}
	err = doc.Validate(context.Background(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaFormatValidation(), openapi3.EnableMultiError())
	if err != nil {
		t.Error(err)
	}
}

func TestEveryReferenceResolves(t *testing.T) {
	var document any
	if err := json.Unmarshal(rest.OpenAPI(), &document); err != nil {
		t.Fatal(err)
	}
	visit(document, func(node map[string]any) {
		if ref, ok := node["$ref"].(string); ok && !resolves(document, ref) {
			t.Errorf("%s leads nowhere", ref)
		}
	})
}

func TestEveryTypeOfEventIsDescribed(t *testing.T) {
	var document struct{ Webhooks map[string]any }
	if err := json.Unmarshal(rest.OpenAPI(), &document); err != nil {
		t.Fatal(err)
	}
	described, types := slices.Sorted(maps.Keys(document.Webhooks)), slices.Sorted(slices.Values(event.Types))
	if !slices.Equal(described, types) {
		t.Errorf("%q are described, there are %q", described, types)
	}
}

func TestEveryObjectIsClosed(t *testing.T) {
	var document struct {
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(rest.OpenAPI(), &document); err != nil {
		t.Fatal(err)
	}
	for name, schema := range document.Components.Schemas {
		visit(schema, func(node map[string]any) {
			if node["type"] == "object" && node["additionalProperties"] != false {
				t.Errorf("%s lets in fields that it does not name", name)
			}
		})
	}
}

func TestDocumentNamesEveryPath(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(rest.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"GET /public/me", "GET /public/teams", "GET /public/credits",
		"GET /public/materials", "GET /public/materials/pulled", "GET /public/materials/{id}",
		"GET /public/materials/{id}/properties/{propertyId}", "POST /public/materials/{id}/properties/pull",
		"GET /public/processes", "GET /public/processes/pulled", "GET /public/processes/{id}",
		"GET /public/processes/{id}/impacts/{impactId}", "POST /public/processes/{id}/pull", "POST /public/processes/{id}/impacts/pull",
		"GET /public/impact-methods", "GET /public/export", "POST /public/datapoints/pull",
		"GET /healthz", "GET /readyz",
	}
	operations := 0
	for _, item := range doc.Paths.Map() {
		operations += len(item.Operations())
	}
	if operations != len(want) {
		t.Errorf("%d operations, want %d", operations, len(want))
	}
	for _, route := range want {
		method, path, _ := strings.Cut(route, " ")
		if item := doc.Paths.Value(path); item == nil || item.GetOperation(method) == nil {
			t.Errorf("%s is missing", route)
		}
	}
}

func TestDocumentIsServedWithTheBaseURL(t *testing.T) {
	answer := get(t, baseURL+"/", "/openapi.json", nil)
	if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s", answer.Code, answer.Header().Get("Content-Type"))
	}
	want := bytes.Replace(rest.OpenAPI(), []byte(`"url": "/"`), []byte(`"url": "`+baseURL+`"`), 1)
	if bytes.Equal(want, rest.OpenAPI()) {
		t.Fatal("the document has no server to replace")
	}
	if !bytes.Equal(answer.Body.Bytes(), want) {
		t.Error("more than the server's address was changed")
	}
}

func TestReferenceIsOnePageFromThisServer(t *testing.T) {
	for _, path := range []string{"/docs", "/docs/"} {
		answer := get(t, baseURL, path, nil)
		if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Fatalf("%s: %d %s", path, answer.Code, answer.Header().Get("Content-Type"))
		}
		page := answer.Body.String()
		for _, loading := range []string{"<script", "<iframe", "<img", "<link", " src=", "@import", "url("} {
			if strings.Contains(page, loading) {
				t.Errorf("%s has %s", path, loading)
			}
		}
		for _, link := range regexp.MustCompile(`(?:href|action)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if !strings.HasPrefix(link[1], "#") && link[1] != "/openapi.json" {
				t.Errorf("%s links to %s", path, link[1])
			}
		}
	}
	if answer := get(t, baseURL, "/docs/other", nil); answer.Code != http.StatusNotFound {
		t.Errorf("/docs/other: %d", answer.Code)
	}
}

func TestReferencePolicyAllowsItsStyleOnly(t *testing.T) {
	answer := get(t, baseURL, "/docs", nil)
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(answer.Body.String())
	if style == nil {
		t.Fatal("the page has no style")
	}
	policy := answer.Header().Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "style-src '" + hashSource(style[1]) + "'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("policy %q lacks %q", policy, part)
		}
	}
}

func TestReferenceShowsEveryOperationAndSchema(t *testing.T) {
	page := get(t, baseURL, "/docs", nil).Body.String()
	doc, err := openapi3.NewLoader().LoadFromData(rest.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		for _, operation := range item.Operations() {
			if !strings.Contains(page, `<article id="`+operation.OperationID+`">`) {
				t.Errorf("%s is not shown", path)
			}
		}
	}
	for name := range doc.Components.Schemas {
		if !strings.Contains(page, `<article id="schema-`+name+`">`) {
			t.Errorf("schema %s is not shown", name)
		}
	}
	for _, anchor := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, `id="`+anchor[1]+`"`) {
			t.Errorf("#%s leads nowhere", anchor[1])
		}
	}
}

func TestDocsAreRevalidated(t *testing.T) {
	for _, path := range []string{"/openapi.json", "/docs"} {
		etag := get(t, baseURL, path, nil).Header().Get("ETag")
		again := get(t, baseURL, path, http.Header{"If-None-Match": {etag}})
		if again.Code != http.StatusNotModified {
			t.Errorf("%s with its ETag: %d", path, again.Code)
		}
	}
}

// hashSource is how a policy names an inline style.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func visit(node any, see func(map[string]any)) {
	switch node := node.(type) {
	case map[string]any:
		see(node)
		for _, child := range node {
			visit(child, see)
		}
	case []any:
		for _, child := range node {
			visit(child, see)
		}
	}
}

func resolves(document any, ref string) bool {
	pointer, local := strings.CutPrefix(ref, "#/")
	node := document
	for _, key := range strings.Split(pointer, "/") {
		object, _ := node.(map[string]any)
		node = object[key]
	}
	return local && node != nil
}

func get(t *testing.T, base, path string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequest(http.MethodGet, path, nil)
	if header != nil {
		req.Header = header
	}
	answer := httptest.NewRecorder()
	rest.Docs(base).ServeHTTP(answer, req)
	return answer
}
