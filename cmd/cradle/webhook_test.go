package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"cradle/client/webhook"
)

// receiver receives the webhooks of scripts at the address $RECEIVER. It answers
// 200 unless told otherwise.
type receiver struct {
	mu       sync.Mutex
	statuses map[string]int
	received map[string][]received
}

type received struct {
	header http.Header
	body   []byte
}

func startReceiver(env *testscript.Env) {
	r := &receiver{statuses: map[string]int{}, received: map[string][]received{}}
	server := httptest.NewServer(r)
	env.Defer(server.Close)
	env.Setenv("RECEIVER", server.URL)
	env.Values["receiver"] = r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.received[req.URL.Path] = append(r.received[req.URL.Path], received{req.Header, body})
	status := http.StatusOK
	if told, ok := r.statuses[req.URL.Path]; ok {
		status = told
	}
	w.Header().Set("Location", "/elsewhere")
	w.WriteHeader(status)
	io.WriteString(w, "thanks")
}

func (r *receiver) at(path string) []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.received[path]
}

// answers PATH STATUS sets what the receiver answers there.
func answers(ts *testscript.TestScript, _ bool, args []string) {
	status, err := strconv.Atoi(args[1])
	ts.Check(err)
	r := ts.Value("receiver").(*receiver)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses[args[0]] = status
}

// receives COUNT PATH [SECRET…] waits until the receiver has had that many
// requests there. The last of them must be signed with exactly these secrets, as
// verified by this project's verifier and that of Standard Webhooks.
func receives(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	r := ts.Value("receiver").(*receiver)
	got := r.at(args[1])
	for deadline := time.Now().Add(20 * time.Second); len(got) < want && time.Now().Before(deadline); got = r.at(args[1]) {
		time.Sleep(20 * time.Millisecond)
	}
	if len(got) != want {
		ts.Fatalf("%s was sent %d requests, want %d", args[1], len(got), want)
	}
	if want == 0 {
		return
	}
	last := got[want-1]
	ts.Logf("%s", last.body)
	signature := last.header.Get(webhook.SignatureHeader)
	if n := strings.Count(signature, "v1="); len(args) > 2 && n != len(args)-2 {
		ts.Fatalf("%d signatures: %s", n, signature)
	}
	for _, secret := range args[2:] {
		ts.Check(webhook.Verify(last.body, signature, secret))
		standard, err := standardwebhooks.NewWebhook(secret)
		ts.Check(err)
		ts.Check(standard.Verify(last.body, last.header))
		changed := []byte(string(last.body) + " ")
		if standard.Verify(changed, last.header) == nil || webhook.Verify(changed, signature, secret) == nil {
			ts.Fatalf("a changed body is verified")
		}
	}
}

// sent PATH NUMBER HEADER VALUE compares a header of a received request; a value
// between slashes is a pattern.
func sent(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	got := ts.Value("receiver").(*receiver).at(args[0])[n-1].header.Get(args[2])
	if pattern, found := strings.CutPrefix(args[3], "/"); found {
		if !regexp.MustCompile(strings.TrimSuffix(pattern, "/")).MatchString(got) {
			ts.Fatalf("%s is %q", args[2], got)
		}
	} else if got != args[3] {
		ts.Fatalf("%s is %q", args[2], got)
	}
}

// same PATH I J expects two requests to have the same body and event id.
func same(ts *testscript.TestScript, _ bool, args []string) {
	all := ts.Value("receiver").(*receiver).at(args[0])
	i, err := strconv.Atoi(args[1])
	ts.Check(err)
	j, err := strconv.Atoi(args[2])
	ts.Check(err)
	a, b := all[i-1], all[j-1]
	if string(a.body) != string(b.body) || a.header.Get("Svc-Event-Id") != b.header.Get("Svc-Event-Id") {
		ts.Fatalf("they differ:\n%s\n%s", a.body, b.body)
	}
}

// until PATH VALUE COMMAND… repeats a command until its document has the value
// there.
func until(ts *testscript.TestScript, _ bool, args []string) {
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		ts.Check(ts.Exec(args[2], args[3:]...))
		if got := textOf(at(ts, document(ts), args[0])); got == args[1] {
			return
		} else if time.Now().After(deadline) {
			ts.Fatalf("%s stays %q", args[0], got)
		}
	}
}

// appears FILE TEXT waits until a file contains a text.
func appears(ts *testscript.TestScript, _ bool, args []string) {
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && strings.Contains(string(text), args[1]) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s has %q (%v)", args[0], text, err)
		}
	}
}

func TestGraceMayBeNone(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
	}{{"0s", 0}, {"24h", 24 * time.Hour}, {"7d", 7 * 24 * time.Hour}} {
		var v graceValue
		if err := v.UnmarshalText([]byte(c.text)); err != nil || time.Duration(v) != c.want {
			t.Errorf("%s: %v, %v", c.text, time.Duration(v), err)
		}
	}
	for _, text := range []string{"", "-1s", "soon", "-2d"} {
		var v graceValue
		if err := v.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %v", text, time.Duration(v))
		}
	}
}
