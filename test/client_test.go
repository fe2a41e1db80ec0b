package test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"cradle/internal/contract"
)

const (
	arrakis  = "2026-05-11.arrakis"
	obsidian = "2026-05-11.obsidian"
)

// A client uses one key and one team; a zero field leaves out that header. Every
// answer is checked against the contract.
type client struct {
	t       testing.TB
	url     string
	key     string
	team    string
	version string
	base    *http.Transport
	http    *http.Client
}

func newClient(t testing.TB, url, key, team string) *client {
	base := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}
	t.Cleanup(base.CloseIdleConnections)
	return client{url: url, key: key, team: team, base: base}.in(t)
}

// in is the client for a subtest, which then gets the failures.
func (c client) in(t testing.TB) *client {
	c.t = t
	c.http = &http.Client{
		Transport:     contract.New(t).Transport(c.base),
		Timeout:       patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &c
}

func (c client) withKey(key string) *client         { c.key = key; return &c }
func (c client) withTeam(team string) *client       { c.team = team; return &c }
func (c client) withVersion(version string) *client { c.version = version; return &c }
func (c client) at(url string) *client              { c.url = url; return &c }

// An answer is a whole response.
type answer struct {
	t      testing.TB
	what   string
	status int
	header http.Header
	body   []byte
}

func (c *client) get(path string, headers ...string) answer {
	c.t.Helper()
	return c.do(http.MethodGet, path, "", headers...)
}

func (c *client) post(path, body string, headers ...string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, body, append([]string{"Content-Type", "application/json"}, headers...)...)
}

// do sends a request; headers are names and values in turn and replace those of
// the client.
func (c *client) do(method, path, body string, headers ...string) answer {
	c.t.Helper()
	got, err := c.try(method, path, body, headers...)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return got
}

// try is like do, for when the server may be down.
func (c *client) try(method, path, body string, headers ...string) (answer, error) {
	c.t.Helper()
	req, err := http.NewRequest(method, c.url+path, reader(body))
	if err != nil {
		return answer{}, err
	}
	c.identify(req)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return c.send(req)
}

func reader(body string) io.Reader {
	if body == "" {
		return nil
	}
	return strings.NewReader(body)
}

func (c *client) identify(req *http.Request) {
	for name, value := range map[string]string{"x-api-key": c.key, "x-team-id": c.team, "Svc-Version": c.version} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
}

func (c *client) send(req *http.Request) (answer, error) {
	c.t.Helper()
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return answer{}, err
	}
	got := answer{c.t, req.Method + " " + req.URL.RequestURI(), res.StatusCode, res.Header, body}
	if strings.HasPrefix(req.URL.Path, "/public/") || req.URL.Path == "/graphql" {
		got.checkCommon(c.t)
	}
	return got, nil
}

var seenRequestIDs sync.Map

// checkCommon checks what every answer under /public has.
func (a answer) checkCommon(t testing.TB) {
	t.Helper()
	id := a.header.Get("Svc-Request-Id")
	if _, again := seenRequestIDs.LoadOrStore(id, true); again || id == "" {
		t.Errorf("%s: Svc-Request-Id %q is not its own", a.what, id)
	}
	want := map[string]string{
		"Cache-Control": "private, no-cache",
		"Vary":          "x-api-key, x-team-id, Svc-Version, Accept-Encoding",
	}
	if strings.Contains(a.what, " /graphql") {
		want["Vary"] += ", Accept"
	}
	if a.status != http.StatusNotModified {
		want["Content-Type"] = "application/json"
		if kind := a.header.Get("Content-Type"); kind == graphqlMedia && strings.Contains(a.what, " /graphql") {
			want["Content-Type"] = kind // asked for
		}
		if a.status == http.StatusOK && strings.HasPrefix(a.what, "GET /public/export") {
			delete(want, "Content-Type") // a file
		}
		if v := a.header.Get("Svc-Version"); v != arrakis && v != obsidian {
			t.Errorf("%s answered %d with Svc-Version %q", a.what, a.status, v)
		}
	}
	for name, value := range want {
		if got := strings.Join(a.header.Values(name), ", "); got != value {
			t.Errorf("%s answered %d with %s %q, want %q", a.what, a.status, name, got, value)
		}
	}
	if a.status >= 400 && a.header.Get("Content-Encoding") == "" && !strings.HasPrefix(a.what, "HEAD ") {
		a.checkRefusal(t)
	}
}

// checkRefusal checks the body of an error: the envelope or, once GraphQL has
// read the request, a list of errors.
func (a answer) checkRefusal(t testing.TB) {
	t.Helper()
	if a.header.Get("Svc-Error-Code") == "" {
		t.Errorf("%s answered %d without Svc-Error-Code", a.what, a.status)
	}
	if a.status == 400 && bytes.HasPrefix(a.body, []byte(`{"errors":`)) && strings.Contains(a.what, " /graphql") {
		return // the GraphQL tests check them
	}
	a.checkEnvelope(t)
}

func (a answer) checkEnvelope(t testing.TB) {
	t.Helper()
	var envelope obj
	if err := json.Unmarshal(a.body, &envelope); err != nil {
		t.Errorf("%s answered %d, which is no JSON object: %s", a.what, a.status, a.body)
		return
	}
	message, _ := envelope["message"].(string)
	if len(envelope) != 2 || envelope["statusCode"] != float64(a.status) || message == "" {
		t.Errorf("%s answered %d with the envelope %s", a.what, a.status, a.body)
	}
}

// is fails the test at once if the status is another: what follows would only
// confuse.
func (a answer) is(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s answered %d, want %d: %s", a.what, a.status, status, a.body)
	}
	return a
}

// refuses is like is, for an error whose message contains all of the words.
func (a answer) refuses(status int, words ...string) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Errorf("%s answered %d, want %d: %s", a.what, a.status, status, a.body)
		return a
	}
	for _, word := range words {
		if !strings.Contains(a.message(), word) {
			a.t.Errorf("%s: the message %q does not name %q", a.what, a.message(), word)
		}
	}
	return a
}

func (a answer) code(want string) answer {
	a.t.Helper()
	if got := a.header.Get("Svc-Error-Code"); got != want {
		a.t.Errorf("%s: Svc-Error-Code %q, want %q", a.what, got, want)
	}
	return a
}

func (a answer) message() string {
	var envelope struct{ Message string }
	_ = json.Unmarshal(a.body, &envelope)
	return envelope.Message
}

// An obj is a JSON object, a list a JSON array, as encoding/json decodes them.
type (
	obj  = map[string]any
	list = []any
)

func (a answer) json() any {
	a.t.Helper()
	var value any
	if err := json.Unmarshal(a.body, &value); err != nil {
		a.t.Fatalf("%s: %v: %s", a.what, err, a.body)
	}
	return value
}

// says fails the test unless the answer is a 200 with exactly this content.
func (a answer) says(want any) {
	a.t.Helper()
	a.is(http.StatusOK)
	if got := a.json(); !reflect.DeepEqual(got, want) {
		a.t.Errorf("%s answered otherwise than it should at\n%s", a.what, strings.Join(difference("", got, want), "\n"))
	}
}

// difference names the places where two JSON values differ.
func difference(path string, got, want any) []string {
	switch want := want.(type) {
	case obj:
		if got, ok := got.(obj); ok {
			return objectDifference(path, got, want)
		}
	case list:
		if got, ok := got.(list); ok && len(got) == len(want) {
			var all []string
			for i := range want {
				all = append(all, difference(path+"["+itoa(i)+"]", got[i], want[i])...)
			}
			return all
		}
	}
	if reflect.DeepEqual(got, want) {
		return nil
	}
	return []string{path + ": got " + text(got) + "\n\twant " + text(want)}
}

func objectDifference(path string, got, want obj) []string {
	var all []string
	for name, value := range want {
		if other, ok := got[name]; ok {
			all = append(all, difference(path+"."+name, other, value)...)
		} else {
			all = append(all, path+"."+name+" is missing")
		}
	}
	for name, value := range got {
		if _, ok := want[name]; !ok {
			all = append(all, path+"."+name+" should not be there: "+text(value))
		}
	}
	return all
}

func text(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return strings.TrimSpace(b.String())
}

func (a answer) object() obj {
	a.t.Helper()
	o, ok := a.json().(obj)
	if !ok {
		a.t.Fatalf("%s did not answer an object: %s", a.what, a.body)
	}
	return o
}

// items are the records of a list's page.
func (a answer) items() []obj {
	a.t.Helper()
	a.is(http.StatusOK)
	var page struct{ Items []obj }
	if err := json.Unmarshal(a.body, &page); err != nil {
		a.t.Fatalf("%s: %v: %s", a.what, err, a.body)
	}
	return page.Items
}

// column gives one field of every record.
func column(records []obj, field string) []string {
	values := make([]string, 0, len(records))
	for _, r := range records {
		value, _ := r[field].(string)
		values = append(values, value)
	}
	return values
}

// eventually repeats yes until it returns true, however long it takes.
func eventually(t testing.TB, what string, yes func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if yes() {
			return
		}
	}
	t.Fatalf("it did not come to this: %s", what)
}

// together runs n calls at once and waits for all.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			f(i)
		})
	}
	close(start)
	wg.Wait()
}
