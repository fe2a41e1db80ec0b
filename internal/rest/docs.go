package rest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed openapi.json
var openAPI []byte

// OpenAPI returns a copy of the document that describes the REST interface.
func OpenAPI() []byte { return bytes.Clone(openAPI) }

// Docs serves the OpenAPI document at /openapi.json and, at /docs, a
// self-contained reference page made from it. baseURL is the server's public
// address.
func Docs(baseURL string) http.Handler {
	baseURL = strings.TrimRight(baseURL, "/")
	document := staticFile("application/json", documentAt(baseURL), nil)
	page := staticFile("text/html; charset=utf-8", referencePage(baseURL), map[string]string{
		"Content-Security-Policy": referencePolicy(),
		"X-Frame-Options":         "DENY",
	})
	mux := http.NewServeMux()
	mux.Handle("GET /openapi.json", document)
	mux.Handle("GET /docs", page)
	mux.Handle("GET /docs/{$}", page)
	return mux
}

// documentAt replaces the document's only server with the base URL and leaves
// every other byte unchanged.
func documentAt(baseURL string) []byte {
	if baseURL == "" {
		return openAPI
	}
	url, err := json.Marshal(baseURL)
	if err != nil {
		panic(fmt.Errorf("encode base URL: %w", err))
	}
	return bytes.Replace(openAPI, []byte(`"url": "/"`), append([]byte(`"url": `), url...), 1)
}

func staticFile(contentType string, content []byte, headers map[string]string) http.Handler {
	sum := sha256.Sum256(content)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range headers {
			h.Set(name, value)
		}
		h.Set("Content-Type", contentType)
		h.Set("ETag", etag)
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	})
}

// referencePolicy allows the page's own style sheet and nothing else: the page
// has no script.
func referencePolicy() string {
	sum := sha256.Sum256([]byte(referenceStyle))
	return "default-src 'none'; img-src 'self'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func referencePage(baseURL string) []byte {
	var spec apiDocument
	if err := json.Unmarshal(openAPI, &spec); err != nil {
		panic(fmt.Errorf("read openapi.json: %w", err))
	}
	var page bytes.Buffer
	if err := referenceTemplate.Execute(&page, newReference(&spec, baseURL)); err != nil {
		panic(fmt.Errorf("render API reference: %w", err))
	}
	return page.Bytes()
}

// The api… types hold the parts of an OpenAPI document that the reference shows.
type apiDocument struct {
	Info            struct{ Title, Version, Summary, Description string }
	Tags            []struct{ Name, Description string }
	Paths, Webhooks map[string]apiPath
	Components      struct {
		Parameters map[string]apiParameter
		Headers    map[string]apiParameter
		Responses  map[string]apiResponse
		Schemas    map[string]apiSchema
	}
}

type apiPath struct{ Get, Post *apiOperation }

type apiOperation struct {
	OperationID          string
	Tags                 []string
	Summary, Description string
	Security             *[]any
	Parameters           []apiParameter
	RequestBody          struct{ Content map[string]apiMedia }
	Responses            map[string]apiResponse
}

type apiParameter struct {
	Ref         string `json:"$ref"`
	Name, In    string
	Required    bool
	Description string
	Schema      apiSchema
	Example     string
}

type apiResponse struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]apiMedia
}

type apiMedia struct {
	Schema   apiSchema
	Example  json.RawMessage
	Examples map[string]struct {
		Summary string
		Value   json.RawMessage
	}
}

type apiSchema struct {
	Ref                string `json:"$ref"`
	Type               any
	Format             string
	Description        string
	Enum               []any
	Const, Default     any
	Minimum, Maximum   *json.Number
	MinItems, MaxItems *int
	MaxLength          *int
	Items              *apiSchema
	OneOf              []apiSchema
	Properties         map[string]apiSchema
	Required           []string
}

// The reference… types are the page: sections of operations, then schemas.
type reference struct {
	Title, Version, Summary string
	Description             template.HTML
	Style                   template.CSS
	BaseURL                 string
	Sections                []referenceSection
	Headers                 []referenceField
	Schemas                 []referenceSchema
}

type referenceSection struct {
	Name, Description string
	Operations        []referenceOperation
}

type referenceOperation struct {
	ID, Method, Path, Summary string
	Description               template.HTML
	Parameters                []referenceField
	Body, Answer              []referencePart
	Statuses                  []referenceStatus
	Examples                  []referenceExample
}

type referenceStatus struct {
	Status      string
	Description template.HTML
}

type referenceExample struct{ Title, Text string }

type referenceSchema struct {
	Name        string
	Description template.HTML
	Type        []referencePart
	Fields      []referenceField
}

type referenceField struct {
	Name, In, Rule string
	Required       bool
	Type           []referencePart
	Description    template.HTML
}

// referencePart is a piece of a type's name; Schema is the schema it links to.
type referencePart struct{ Text, Schema string }

func newReference(spec *apiDocument, baseURL string) reference {
	page := reference{
		Title: spec.Info.Title, Version: spec.Info.Version, Summary: spec.Info.Summary,
		Description: prose(spec.Info.Description),
		Style:       template.CSS(referenceStyle),
		BaseURL:     baseURL,
	}
	for _, tag := range spec.Tags {
		page.Sections = append(page.Sections, referenceSection{tag.Name, tag.Description, spec.operations(tag.Name, baseURL)})
	}
	for _, name := range slices.Sorted(maps.Keys(spec.Components.Headers)) {
		header := spec.Components.Headers[name]
		header.Name = name
		page.Headers = append(page.Headers, spec.parameterField(header))
	}
	for _, name := range slices.Sorted(maps.Keys(spec.Components.Schemas)) {
		schema := spec.Components.Schemas[name]
		page.Schemas = append(page.Schemas, referenceSchema{name, prose(schema.Description), typeOf(schema), fieldsOf(schema)})
	}
	return page
}

func (d *apiDocument) operations(tag, baseURL string) []referenceOperation {
	var found []referenceOperation
	for path, item := range d.Paths {
		for method, op := range map[string]*apiOperation{"GET": item.Get, "POST": item.Post} {
			if op != nil && slices.Contains(op.Tags, tag) {
				shown := d.operation(method, path, op)
				call := referenceExample{"Request", d.curl(method, baseURL+path, op)}
				shown.Examples = append([]referenceExample{call}, shown.Examples...)
				found = append(found, shown)
			}
		}
	}
	for name, item := range d.Webhooks {
		if item.Post != nil && slices.Contains(item.Post.Tags, tag) {
			shown := d.operation("EVENT", name, item.Post)
			shown.Examples = examplesOf("Event", item.Post.RequestBody.Content["application/json"])
			found = append(found, shown)
		}
	}
	slices.SortFunc(found, func(a, b referenceOperation) int { return cmp.Compare(a.Path, b.Path) })
	return found
}

func (d *apiDocument) operation(method, path string, op *apiOperation) referenceOperation {
	shown := referenceOperation{
		ID: op.OperationID, Method: method, Path: path, Summary: op.Summary,
		Description: prose(op.Description),
		Body:        typeOf(op.RequestBody.Content["application/json"].Schema),
	}
	for _, parameter := range op.Parameters {
		shown.Parameters = append(shown.Parameters, d.parameterField(d.parameter(parameter)))
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		response := d.response(op.Responses[status])
		shown.Statuses = append(shown.Statuses, referenceStatus{status, prose(response.Description)})
		if status == "200" {
			shown.Answer = typeOf(response.Content["application/json"].Schema)
			shown.Examples = examplesOf("Response", response.Content["application/json"])
		}
	}
	return shown
}

func (d *apiDocument) parameter(p apiParameter) apiParameter {
	if p.Ref == "" {
		return p
	}
	return d.Components.Parameters[refName(p.Ref)]
}

func (d *apiDocument) response(r apiResponse) apiResponse {
	if r.Ref == "" {
		return r
	}
	return d.Components.Responses[refName(r.Ref)]
}

func (d *apiDocument) parameterField(p apiParameter) referenceField {
	return referenceField{
		Name: p.Name, In: p.In, Required: p.Required,
		Type: typeOf(p.Schema), Rule: ruleOf(p.Schema),
		Description: prose(p.Description),
	}
}

// curl writes the request as a command that runs when the two variables are set.
func (d *apiDocument) curl(method, url string, op *apiOperation) string {
	for _, p := range op.Parameters {
		if p = d.parameter(p); p.In == "path" {
			url = strings.ReplaceAll(url, "{"+p.Name+"}", p.Example)
		}
	}
	lines := []string{"curl '" + url + "'"}
	if op.Security == nil {
		lines = append(lines, `  -H "x-api-key: $CRADLE_KEY"`, `  -H "x-team-id: $CRADLE_TEAM"`)
	}
	if method == http.MethodPost {
		body := op.RequestBody.Content["application/json"].Example
		lines = append(lines, `  -H 'Content-Type: application/json'`, "  -d '"+indent(body)+"'")
	}
	return strings.Join(lines, " \\\n")
}

func examplesOf(title string, media apiMedia) []referenceExample {
	if media.Example != nil {
		return []referenceExample{{title, indent(media.Example)}}
	}
	var examples []referenceExample
	for _, name := range slices.Sorted(maps.Keys(media.Examples)) {
		example := media.Examples[name]
		examples = append(examples, referenceExample{title + ": " + example.Summary, indent(example.Value)})
	}
	return examples
}

func indent(raw json.RawMessage) string {
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		panic(fmt.Errorf("indent example: %w", err))
	}
	return out.String()
}

// fieldsOf lists the required fields in the document's order, then the optional
// ones.
func fieldsOf(schema apiSchema) []referenceField {
	names := slices.Clone(schema.Required)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var fields []referenceField
	for _, name := range names {
		field := schema.Properties[name]
		fields = append(fields, referenceField{
			Name: name, Required: slices.Contains(schema.Required, name),
			Type: typeOf(field), Rule: ruleOf(field),
			Description: prose(field.Description),
		})
	}
	return fields
}

func typeOf(schema apiSchema) []referencePart {
	switch {
	case schema.Ref != "":
		return []referencePart{{refName(schema.Ref), refName(schema.Ref)}}
	case len(schema.OneOf) > 0:
		return eitherOf(schema.OneOf)
	case schema.Items != nil:
		return append([]referencePart{{Text: "array of "}}, typeOf(*schema.Items)...)
	case schema.Type == nil:
		return nil
	}
	name := fmt.Sprint(schema.Type)
	if several, ok := schema.Type.([]any); ok {
		name = joined(several, " or ")
	}
	if schema.Format != "" {
		name += " (" + schema.Format + ")"
	}
	return []referencePart{{Text: name}}
}

func eitherOf(schemas []apiSchema) []referencePart {
	var parts []referencePart
	for i, schema := range schemas {
		if i > 0 {
			parts = append(parts, referencePart{Text: " or "})
		}
		parts = append(parts, typeOf(schema)...)
	}
	return parts
}

func ruleOf(schema apiSchema) string {
	var rules []string
	switch {
	case schema.Const != nil:
		rules = append(rules, fmt.Sprint("always ", schema.Const))
	case len(schema.Enum) > 0:
		rules = append(rules, "one of "+joined(schema.Enum, ", "))
	case schema.MinItems != nil && schema.MaxItems != nil:
		rules = append(rules, fmt.Sprintf("%d to %d entries", *schema.MinItems, *schema.MaxItems))
	case schema.Minimum != nil && schema.Maximum != nil:
		rules = append(rules, fmt.Sprintf("%s to %s", *schema.Minimum, *schema.Maximum))
	case schema.Minimum != nil:
		rules = append(rules, "at least "+schema.Minimum.String())
	case schema.MaxLength != nil:
		rules = append(rules, fmt.Sprintf("at most %d characters", *schema.MaxLength))
	}
	if schema.Default != nil {
		rules = append(rules, fmt.Sprint("default ", schema.Default))
	}
	return strings.Join(rules, "; ")
}

func joined(values []any, separator string) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
		if value == nil {
			texts[i] = "null"
		}
	}
	return strings.Join(texts, separator)
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

var codeSpan = regexp.MustCompile("`([^`]+)`")

// prose renders the Markdown used in the document's descriptions: paragraphs and
// code.
func prose(text string) template.HTML {
	if text == "" {
		return ""
	}
	escaped := codeSpan.ReplaceAllString(html.EscapeString(text), "<code>$1</code>")
	return template.HTML("<p>" + strings.ReplaceAll(escaped, "\n\n", "</p><p>") + "</p>")
}

var referenceTemplate = template.Must(template.New("reference").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}} reference</title>
<style>{{.Style}}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav aria-label="Operations">
<p class="brand"><a href="#content">{{.Title}}</a></p>
{{range .Sections}}<h2>{{.Name}}</h2>
<ul>{{range .Operations}}<li><a href="#{{.ID}}"><span class="method {{.Method}}">{{.Method}}</span> {{.Summary}}</a></li>{{end}}</ul>
{{end}}<h2>More</h2>
<ul><li><a href="#headers">Response headers</a></li><li><a href="#schemas">Schemas</a></li><li><a href="/openapi.json">OpenAPI document</a></li></ul>
</nav>
<main id="content">
<header>
<h1>{{.Title}}</h1>
<p class="lead">{{.Summary}}</p>
{{.Description}}
<dl><dt>Address</dt><dd><code>{{.BaseURL}}</code></dd><dt>Current version</dt><dd><code>{{.Version}}</code></dd></dl>
</header>
{{range .Sections}}<section>
<h2>{{.Name}}</h2>
<p>{{.Description}}</p>
{{range .Operations}}<article id="{{.ID}}">
<h3><a href="#{{.ID}}">{{.Summary}}</a></h3>
<p class="route"><span class="method {{.Method}}">{{.Method}}</span> <code>{{.Path}}</code></p>
{{.Description}}
{{if .Parameters}}<h4>Parameters</h4>{{template "fields" .Parameters}}{{end}}
{{if .Body}}<p><b>Body:</b> {{template "type" .Body}}</p>{{end}}
{{if .Answer}}<p><b>Response:</b> {{template "type" .Answer}}</p>{{end}}
{{range .Examples}}<details><summary>{{.Title}}</summary><pre tabindex="0">{{.Text}}</pre></details>
{{end}}<details><summary>Statuses</summary><dl>{{range .Statuses}}<dt>{{.Status}}</dt><dd>{{.Description}}</dd>{{end}}</dl></details>
</article>
{{end}}</section>
{{end}}<section id="headers"><h2>Response headers</h2>
{{template "fields" .Headers}}</section>
<section id="schemas"><h2>Schemas</h2>
<p>Objects have exactly the fields listed.</p>
{{range .Schemas}}<article id="schema-{{.Name}}">
<h3><a href="#schema-{{.Name}}">{{.Name}}</a></h3>
{{.Description}}
{{if .Fields}}{{template "fields" .Fields}}{{else}}<p>{{template "type" .Type}}</p>{{end}}
</article>
{{end}}</section>
</main>
</body>
</html>
{{define "type"}}{{range .}}{{if .Schema}}<a href="#schema-{{.Schema}}">{{.Text}}</a>{{else}}{{.Text}}{{end}}{{end}}{{end}}
{{define "fields"}}<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>{{range .}}<tr><th scope="row"><code>{{.Name}}</code><small>{{.In}}{{if and .In .Required}}, {{end}}{{if .Required}}required{{end}}</small></th>
<td>{{template "type" .Type}}{{with .Rule}}<small>{{.}}</small>{{end}}</td><td>{{.Description}}</td></tr>
{{end}}</tbody></table></div>{{end}}`))

const referenceStyle = `
:root { color-scheme: light dark; --ink: #1d2522; --quiet: #55625c; --paper: #fbfcfa; --panel: #f1f4f0; --line: #dbe1dc; --link: #17633f; --get: #17633f; --post: #8a4b08; --event: #4a4a9c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4eae6; --quiet: #a2afa8; --paper: #141a17; --panel: #1c2420; --line: #303b35; --link: #7fd0a5; --get: #7fd0a5; --post: #e8b06a; --event: #b3b4f5; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 1; }
nav { padding: 1.25rem; border-bottom: 1px solid var(--line); background: var(--panel); font-size: .875rem; max-height: 40vh; overflow: auto; }
nav h2 { margin: 1.1rem 0 .25rem; font-size: .8125rem; color: var(--quiet); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .2rem 0; color: inherit; text-decoration: none; }
nav li a:hover { text-decoration: underline; }
.brand { margin: 0; font-size: 1.05rem; font-weight: 650; }
.brand a, h3 a { color: inherit; text-decoration: none; }
main { max-width: 56rem; padding: 1.25rem; }
h1 { margin: .5rem 0 0; font-size: 1.9rem; }
.lead { margin-top: .25rem; font-size: 1.15rem; color: var(--quiet); }
section > h2 { margin: 3rem 0 0; font-size: 1.4rem; }
article { padding: 1.5rem 0; border-bottom: 1px solid var(--line); }
h3 { margin: 0 0 .25rem; font-size: 1.1rem; }
h4 { margin: 1rem 0 .25rem; font-size: 1rem; }
article:target h3 { text-decoration: underline; text-decoration-color: var(--link); text-underline-offset: .3em; }
.route { margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
.method { font: 650 .75rem/1 ui-monospace, monospace; color: var(--get); }
.POST { color: var(--post); }
.EVENT { color: var(--event); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .9rem; overflow: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
details { margin: .5rem 0; }
summary { cursor: pointer; color: var(--link); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { color: var(--quiet); }
dd { margin: 0; }
dd p, td p { margin: 0; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400; }
thead th { border: 0; color: var(--quiet); font-size: .8125rem; }
small { display: block; color: var(--quiet); font-size: .8125rem; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 18rem 1fr; }
  nav { position: sticky; top: 0; height: 100vh; max-height: none; border: 0; border-right: 1px solid var(--line); }
  main { padding: 2rem 3rem; }
}
`
