package contract

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

const (
	arrakis  = "2026-05-11.arrakis"
	obsidian = "2026-05-11.obsidian"
	id       = "/3f1d0c74-52f0-4c9e-8a51-7f0f6c2b9e11"
)

// The document's own examples pass.
func TestDocumentedExamplesPass(t *testing.T) {
	c := New(t)
	for path, item := range c.doc.Paths.Map() {
		if !strings.HasPrefix(path, "/public/") {
			continue
		}
		for method, op := range item.Operations() {
			media := op.Responses.Status(200).Value.Content["application/json"]
			if media == nil {
				continue // a file
			}
			if media.Example != nil {
				c.Response(t, request(method, path), answer(200, arrakis), encode(t, media.Example))
			}
			for name, example := range media.Examples {
				req, res := request(method, path), answer(200, arrakis)
				switch name {
				case "obsidian":
					req.Header.Set("Svc-Version", obsidian)
					res.Header.Set("Svc-Version", obsidian)
				case "quote":
					req.URL.RawQuery = "quote=true"
				}
				c.Response(t, req, res, encode(t, example.Value.Value))
			}
		}
	}
}

// For every field of every documented answer it is an error if it is missing,
// new or of another type.
func TestEveryFieldIsChecked(t *testing.T) {
	c := New(t)
	for path, item := range c.doc.Paths.Map() {
		op := item.Get
		if !strings.HasPrefix(path, "/public/") || op == nil {
			continue
		}
		media := op.Responses.Status(200).Value.Content["application/json"]
		if media == nil {
			continue // a file
		}
		original := currentExample(media)
		for _, change := range []struct {
			name  string
			apply func(object map[string]any, field string)
		}{
			{"missing", func(o map[string]any, f string) { delete(o, f) }},
			{"extra", func(o map[string]any, f string) { o[f+"Extra"] = o[f] }},
			{"wrong type", func(o map[string]any, f string) { o[f] = map[string]any{"not": "this"} }},
		} {
			for _, field := range fieldPaths(original) {
				body := clone(t, original)
				change.apply(at(body, field[:len(field)-1]), field[len(field)-1].(string))
				if c.check(request("GET", path), answer(200, arrakis), encode(t, body)) == nil {
					t.Errorf("%s: %s %v passes", path, change.name, field)
				}
			}
		}
	}
}

func TestAnswersAgainstTheContract(t *testing.T) {
	user := `{"id":"u1","email":"ada@example.org","firstname":"Ada","lastname":"Byron","recentTeam":"5b1f9a52-8f0e-4a53-9b6e-1c1f0a9e7d21"}`
	refusal := `{"statusCode":404,"message":"There is no such path."}`
	masked := `{"id":"e6f7a8b9-c0d1-4e2f-8a3b-4c5d6e7f8a65","method":"TRACI","methodId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","methodVersion":"2.1","impactCategory":"","indicator":"GWP100","value":%s,` +
		`"mean":null,"standardDeviation":null,"unit":"kg","revealed":false,"deleted":false}`
	quote := `{"credits":1,"newItems":1,"ownedItems":0,"balance":5,"balanceAfter":4}`
	pulled := `{"pulledMaterialIds":["3f1d0c74-52f0-4c9e-8a51-7f0f6c2b9e11"],"creditsDebited":1}`

	for _, test := range []struct {
		name   string
		target string
		status int
		body   string
		change func(*http.Request, *http.Response)
		caught bool
	}{
		{name: "a user", target: "GET /public/me", status: 200, body: user},
		{name: "undocumented status", target: "GET /public/me", status: 201, body: user, caught: true},
		{name: "undocumented refusal", target: "GET /public/me", status: 409, body: `{"statusCode":409,"message":"No."}`, caught: true},
		{name: "trailing data", target: "GET /public/me", status: 200, body: user + "{}", caught: true},
		{name: "other content type", target: "GET /public/me", status: 200, body: user, change: set("Content-Type", "text/plain"), caught: true},
		{name: "no request id", target: "GET /public/me", status: 200, body: user, change: set("Svc-Request-Id", ""), caught: true},
		{name: "weak ETag", target: "GET /public/me", status: 200, body: user, change: set("ETag", `W/"a"`), caught: true},
		{name: "rate header that is no number", target: "GET /public/me", status: 200, body: user, change: set("X-RateLimit-Limit", "many"), caught: true},
		{name: "other version than asked", target: "GET /public/me", status: 200, body: user, change: set("Svc-Version", obsidian), caught: true},

		{name: "unknown path", target: "GET /public/other", status: 404, body: refusal},
		{name: "unknown path without key", target: "GET /public/other", status: 401, body: `{"statusCode":401,"message":"Invalid API key"}`},
		{name: "success on an unknown path", target: "GET /public/other", status: 200, body: user, caught: true},
		{name: "refusal in other words", target: "GET /public/other", status: 404, body: `{"error":"not found"}`, caught: true},
		{name: "refusal with more fields", target: "GET /public/other", status: 404, body: `{"statusCode":404,"message":"No.","code":"x"}`, caught: true},
		{name: "refusal with another status", target: "GET /public/materials" + id, status: 404, body: `{"statusCode":400,"message":"No."}`, caught: true},
		{name: "refusal without a code", target: "GET /public/materials" + id, status: 404, body: refusal, change: set("Svc-Error-Code", ""), caught: true},
		{name: "other method", target: "DELETE /public/me", status: 405, body: `{"statusCode":405,"message":"This path takes GET."}`, change: set("Allow", "GET")},
		{name: "other method without Allow", target: "DELETE /public/me", status: 405, body: `{"statusCode":405,"message":"This path takes GET."}`, caught: true},
		{name: "too many without Retry-After", target: "GET /public/me", status: 429, body: `{"statusCode":429,"message":"Wait."}`, caught: true},
		{name: "pull as a property id", target: "GET /public/materials" + id + "/properties/pull", status: 404, body: refusal},

		{name: "masked row", target: "GET /public/processes" + id + "/impacts" + id, status: 200, body: fmt.Sprintf(masked, "null")},
		{name: "leaked value", target: "GET /public/processes" + id + "/impacts" + id, status: 200, body: fmt.Sprintf(masked, "2.31"), caught: true},

		{name: "older page", target: "GET /public/processes", status: 200, body: `{"items":[],"hasMore":false}`, change: older},
		{name: "older page under the current version", target: "GET /public/processes", status: 200, body: `{"items":[],"hasMore":false}`, caught: true},
		{name: "current page under the older version", target: "GET /public/processes", status: 200, body: `{"items":[],"total":0,"hasMore":false}`, change: older, caught: true},

		{name: "pull", target: "POST /public/datapoints/pull", status: 200, body: pulled},
		{name: "quote", target: "POST /public/datapoints/pull?quote=true", status: 200, body: quote},
		{name: "quote that was not asked for", target: "POST /public/datapoints/pull", status: 200, body: quote, caught: true},
		{name: "pull where a quote was asked for", target: "POST /public/datapoints/pull?quote=true", status: 200, body: pulled, caught: true},
		{name: "replay", target: "POST /public/datapoints/pull", status: 200, body: pulled, change: set("Idempotent-Replayed", "true")},
		{name: "replay that says no", target: "POST /public/datapoints/pull", status: 200, body: pulled, change: set("Idempotent-Replayed", "false"), caught: true},

		{name: "not modified", target: "GET /public/me", status: 304, change: conditional},
		{name: "not modified without being asked", target: "GET /public/me", status: 304, caught: true},
		{name: "not modified with a body", target: "GET /public/me", status: 304, body: user, change: conditional, caught: true},
		{name: "head", target: "HEAD /public/me", status: 200},
		{name: "head with a body", target: "HEAD /public/me", status: 200, body: user, caught: true},

		{name: "unknown encoding", target: "GET /public/me", status: 200, body: user, change: set("Content-Encoding", "br"), caught: true},
		{name: "outside of the API", target: "GET /docs", status: 200, body: "<!doctype html>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			method, target, _ := strings.Cut(test.target, " ")
			req, res := request(method, target), answer(test.status, arrakis)
			if test.change != nil {
				test.change(req, res)
			}
			err := New(t).check(req, res, []byte(test.body))
			if caught := err != nil; caught != test.caught {
				t.Errorf("caught %v, want %v: %v", caught, test.caught, err)
			}
		})
	}
}

func TestCompressedAnswersAreRead(t *testing.T) {
	var body bytes.Buffer
	w := gzip.NewWriter(&body)
	io.WriteString(w, `{"items":[],"total":0,"more":false}`)
	w.Close()
	req, res := request("GET", "/public/materials"), answer(200, arrakis)
	res.Header.Set("Content-Encoding", "gzip")
	err := New(t).check(req, res, body.Bytes())
	if err == nil || !strings.Contains(err.Error(), "hasMore") {
		t.Errorf("the missing field is not named: %v", err)
	}
}

func TestResponseFailsTheTest(t *testing.T) {
	recorder := &recordingTB{TB: t}
	New(t).Response(recorder, request("GET", "/public/me"), answer(200, arrakis), []byte(`{}`))
	if !strings.Contains(recorder.failure, "GET /public/me answered 200 against the contract") {
		t.Errorf("failure is %q", recorder.failure)
	}
}

func TestTransportChecksAndPassesOn(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"items":[]}`)
	}))
	defer server.Close()
	recorder := &recordingTB{TB: t}
	client := &http.Client{Transport: New(recorder).Transport(nil)}
	res, err := client.Get(server.URL + "/public/teams")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, _ := io.ReadAll(res.Body); string(body) != `{"items":[]}` {
		t.Errorf("body is %q", body)
	}
	if recorder.failure == "" {
		t.Error("the answer passed")
	}
}

type recordingTB struct {
	testing.TB
	failure string
}

func (r *recordingTB) Errorf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }

func request(method, target string) *http.Request {
	return httptest.NewRequest(method, strings.NewReplacer("{", "", "}", "").Replace(target), nil)
}

func answer(status int, version string) *http.Response {
	header := http.Header{}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Svc-Version": version, "Svc-Request-Id": "r1", "ETag": `"a"`,
		"Cache-Control": "private, no-cache", "Vary": "x-api-key, x-team-id, Svc-Version, Accept-Encoding",
	} {
		header.Set(name, value)
	}
	if status >= 400 {
		header.Set("Svc-Error-Code", "some_code")
	}
	return &http.Response{StatusCode: status, Header: header}
}

func set(name, value string) func(*http.Request, *http.Response) {
	return func(_ *http.Request, res *http.Response) {
		if value == "" {
			res.Header.Del(name)
			return
		}
		res.Header.Set(name, value)
	}
}

func older(req *http.Request, res *http.Response) {
	req.Header.Set("Svc-Version", obsidian)
	res.Header.Set("Svc-Version", obsidian)
}

func conditional(req *http.Request, _ *http.Response) { req.Header.Set("If-None-Match", `"a"`) }

func currentExample(media *openapi3.MediaType) any {
	if media.Example != nil {
		return media.Example
	}
	return media.Examples["arrakis"].Value.Value
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func clone(t *testing.T, value any) any {
	t.Helper()
	var copied any
	if err := json.Unmarshal(encode(t, value), &copied); err != nil {
		t.Fatal(err)
	}
	return copied
}

// fieldPaths lists the path of every field of every object in value.
func fieldPaths(value any) [][]any {
	var paths [][]any
	add := func(key, child any) {
		for _, rest := range fieldPaths(child) {
			paths = append(paths, append([]any{key}, rest...))
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for key, child := range value {
			paths = append(paths, []any{key})
			add(key, child)
		}
	case []any:
		for i, child := range value {
			add(i, child)
		}
	}
	return paths
}

func at(value any, path []any) map[string]any {
	for _, key := range path {
		switch key := key.(type) {
		case string:
			value = value.(map[string]any)[key]
		case int:
			value = value.([]any)[key]
		}
	}
	return value.(map[string]any)
}

func TestFilesAreOfADocumentedKind(t *testing.T) {
	c := New(t)
	for name, want := range map[string]bool{"application/zip": true, "text/html": false, "application/json": false} {
		res := answer(200, arrakis)
		res.Header.Set("Content-Type", name)
		res.Header.Set("ETag", `"x"`)
		if err := c.check(request("GET", "/public/export"), res, []byte("PK")); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
