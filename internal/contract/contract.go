// Package contract checks the server's answers against its OpenAPI document.
// Only tests import it.
package contract

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/klauspost/compress/zstd"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"cradle/internal/rest"
)

// refusals are the statuses possible before a route is known.
var refusals = []int{400, 401, 403, 404, 405, 429, 500, 503}

// Checker compares answers with the document.
type Checker struct {
	t testing.TB
	*contract
}

type contract struct {
	doc    *openapi3.T
	router routers.Router
	forms  map[string]*jsonschema.Schema // by reference, such as #/components/schemas/Material
}

var load = sync.OnceValues(func() (*contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(rest.OpenAPI())
	if err != nil {
		return nil, fmt.Errorf("load document: %w", err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("validate document: %w", err)
	}
	// Tests listen on any address; the router would only match the documented one.
	doc.Servers = nil
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("route document: %w", err)
	}
	forms, err := compile(doc)
	if err != nil {
		return nil, fmt.Errorf("compile schemas: %w", err)
	}
	return &contract{doc, router, forms}, nil
})

// compile compiles each schema once: openapi3filter would do so for every
// answer.
func compile(doc *openapi3.T) (map[string]*jsonschema.Schema, error) {
	const name = "openapi.json"
	value, err := decode(rest.OpenAPI())
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource(name, value); err != nil {
		return nil, err
	}
	forms := map[string]*jsonschema.Schema{}
	for schema := range doc.Components.Schemas {
		ref := "#/components/schemas/" + schema
		if forms[ref], err = compiler.Compile(name + ref); err != nil {
			return nil, err
		}
	}
	return forms, nil
}

// New loads the document. The test fails at once if it is invalid.
func New(t testing.TB) *Checker {
	t.Helper()
	loaded, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return &Checker{t, loaded}
}

// Response fails the test if an answer under /public is not as documented. body
// is the whole body as received.
func (c *Checker) Response(t testing.TB, req *http.Request, res *http.Response, body []byte) {
	t.Helper()
	if err := c.check(req, res, body); err != nil {
		t.Errorf("%s %s answered %d against the contract: %v\n%s", req.Method, req.URL.RequestURI(), res.StatusCode, err, excerpt(body))
	}
}

// Transport checks every answer that passes through it, for the test that made
// the checker. A nil next is the default transport.
func (c *Checker) Transport(next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		res, err := next.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("read answer: %w", err)
		}
		res.Body = io.NopCloser(bytes.NewReader(body))
		c.Response(c.t, req, res, body)
		return res, nil
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func (c *Checker) check(req *http.Request, res *http.Response, body []byte) error {
	if !strings.HasPrefix(req.URL.Path, "/public/") {
		return nil
	}
	route, params, err := c.router.FindRoute(asGet(req))
	switch {
	case err != nil || req.Method != http.MethodPost && strings.HasSuffix(req.URL.Path, "/pull"): // the router takes "pull" for a row's id
		return c.checkUnrouted(req, res, body)
	case res.StatusCode == http.StatusNotModified:
		return checkNotModified(req, res, body, route.Operation)
	case req.Method == http.MethodHead:
		return c.checkHead(req, res, body, route)
	}
	if err := c.checkVersion(req, res); err != nil {
		return err
	}
	if files := filesOf(route.Operation, res.StatusCode); files != nil {
		return checkFile(res, files)
	}
	return c.checkAnswer(req, res, body, route, params)
}

// filesOf returns the media types of files that an answer may have, nil if it is
// JSON.
func filesOf(op *openapi3.Operation, status int) openapi3.Content {
	promised := op.Responses.Status(status)
	if promised == nil || promised.Value == nil || promised.Value.Content == nil || promised.Value.Content["application/json"] != nil {
		return nil
	}
	return promised.Value.Content
}

func checkFile(res *http.Response, files openapi3.Content) error {
	if kind := res.Header.Get("Content-Type"); files[kind] == nil {
		return fmt.Errorf("the media type %q is not documented", kind)
	}
	if res.Header.Get("ETag") == "" {
		return errors.New("the header ETag is missing")
	}
	return nil
}

// asGet lets a HEAD request find the route of its GET.
func asGet(req *http.Request) *http.Request {
	if req.Method != http.MethodHead {
		return req
	}
	get := req.Clone(req.Context())
	get.Method = http.MethodGet
	return get
}

func (c *Checker) checkHead(req *http.Request, res *http.Response, body []byte, route *routers.Route) error {
	if len(body) != 0 {
		return errors.New("an answer to HEAD has a body")
	}
	if route.Operation.Responses.Status(res.StatusCode) == nil {
		return errors.New("the status is not documented")
	}
	return c.checkVersion(req, res)
}

func checkNotModified(req *http.Request, res *http.Response, body []byte, op *openapi3.Operation) error {
	switch {
	case op.Responses.Status(http.StatusNotModified) == nil:
		return errors.New("the status is not documented")
	case req.Header.Get("If-None-Match") == "":
		return errors.New("not modified, and no If-None-Match was sent")
	case res.Header.Get("ETag") == "":
		return errors.New("the header ETag is missing")
	case len(body) != 0:
		return errors.New("a 304 has a body")
	}
	return nil
}

// checkVersion applies only to successes: a refusal may come before the version
// is read.
func (c *Checker) checkVersion(req *http.Request, res *http.Response) error {
	if res.StatusCode >= 300 {
		return nil
	}
	want := strings.TrimSpace(strings.Join(req.Header.Values("Svc-Version"), "")) // one sent empty is none
	if want == "" {
		want = c.doc.Info.Version
	}
	if got := res.Header.Get("Svc-Version"); got != want {
		return fmt.Errorf("version %q was asked for and %q answered", want, got)
	}
	return nil
}

// checkUnrouted checks the answer to an undocumented path or method.
func (c *Checker) checkUnrouted(req *http.Request, res *http.Response, body []byte) error {
	if !slices.Contains(refusals, res.StatusCode) {
		return errors.New("the path, method or status is not documented")
	}
	if req.Method == http.MethodHead {
		return nil
	}
	response := c.doc.Components.Responses["NotFound"]
	if res.StatusCode == http.StatusMethodNotAllowed {
		response = c.doc.Components.Responses["MethodNotAllowed"]
	}
	op := &openapi3.Operation{Responses: openapi3.NewResponses(openapi3.WithStatus(res.StatusCode, response))}
	return c.checkAnswer(req, res, body, &routers.Route{Spec: c.doc, Operation: op}, nil)
}

func (c *Checker) checkAnswer(req *http.Request, res *http.Response, body []byte, route *routers.Route, params map[string]string) error {
	if err := checkHeaders(req, res, route, params); err != nil {
		return err
	}
	content := route.Operation.Responses.Status(res.StatusCode).Value.Content
	media := content.Get(res.Header.Get("Content-Type"))
	if media == nil {
		return fmt.Errorf("content type %q is not documented", res.Header.Get("Content-Type"))
	}
	plain, err := decompress(res.Header.Get("Content-Encoding"), body)
	if err != nil {
		return err
	}
	value, err := decode(plain)
	if err != nil {
		return err
	}
	form := formFor(req, res, media.Schema)
	schema, ok := c.forms[form]
	if !ok {
		return fmt.Errorf("the document has no form for this request (%q)", form)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("the body is no %s: %w", form, err)
	}
	return checkStatusCode(res, value)
}

// checkHeaders checks the status, too: an undocumented one has no headers.
func checkHeaders(req *http.Request, res *http.Response, route *routers.Route, params map[string]string) error {
	options := &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: true}
	return openapi3filter.ValidateResponse(req.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 res.StatusCode,
		Header:                 res.Header,
		Options:                options,
	})
}

// formFor names the schema of an answer. If the document offers several, the
// version and the quote parameter decide.
func formFor(req *http.Request, res *http.Response, schema *openapi3.SchemaRef) string {
	quote := req.URL.Query().Get("quote") == "true"
	for _, form := range schema.Value.OneOf {
		marks := form.Value.Extensions
		if version, ok := marks["x-svc-version"]; ok && version == res.Header.Get("Svc-Version") {
			return form.Ref
		}
		if quoted, ok := marks["x-quote"]; ok && quoted == quote {
			return form.Ref
		}
	}
	return schema.Ref
}

func checkStatusCode(res *http.Response, body any) error {
	if res.StatusCode < 400 {
		return nil
	}
	said := body.(map[string]any)["statusCode"]
	if fmt.Sprint(said) != fmt.Sprint(res.StatusCode) {
		return fmt.Errorf("the body says statusCode %v", said)
	}
	return nil
}

func decode(body []byte) (any, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("the body is not JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("the body goes on after its JSON value")
	}
	return value, nil
}

func decompress(encoding string, body []byte) ([]byte, error) {
	switch encoding {
	case "", "identity":
		return body, nil
	case "gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("the body is not gzip: %w", err)
		}
		return io.ReadAll(r)
	case "zstd":
		r, err := zstd.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, fmt.Errorf("the body is not zstd: %w", err)
		}
		defer r.Close()
		return io.ReadAll(r)
	default:
		return nil, fmt.Errorf("content encoding %q is not documented", encoding)
	}
}

func excerpt(body []byte) []byte {
	const most = 2000
	if len(body) <= most {
		return body
	}
	return append(bytes.Clone(body[:most]), "…"...)
}
