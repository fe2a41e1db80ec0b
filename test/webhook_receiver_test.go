package test

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the drivers of both engines
	_ "modernc.org/sqlite"
)

const allowLocal = "CRADLE_WEBHOOK_ALLOW=127.0.0.1,::1"

// A hook is a request that arrived at a receiver.
type hook struct {
	header http.Header
	body   string
}

func (h hook) event() string { return h.header.Get("Svc-Event-Id") }

// A receiver takes hooks. It answers 200 unless it is told otherwise.
type receiver struct {
	url     string
	arrived chan hook

	mu     sync.Mutex
	answer http.HandlerFunc
}

func newReceiver(t testing.TB) *receiver {
	t.Helper()
	r := &receiver{arrived: make(chan hook, 10_000), answer: func(http.ResponseWriter, *http.Request) {}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return // the sender is gone
		}
		if req.Method != http.MethodPost || req.URL.RequestURI() != "/hooks?a=b" {
			t.Errorf("%s %s arrived", req.Method, req.URL)
		}
		r.mu.Lock()
		answer := r.answer
		r.mu.Unlock()
		r.arrived <- hook{req.Header, string(body)}
		answer(w, req)
	}))
	t.Cleanup(s.Close)
	r.url = s.URL + "/hooks?a=b"
	return r
}

func (r *receiver) answers(f http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = f
}

func (r *receiver) answersStatus(status int) {
	r.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

// hangs answers nothing until it is let go, at the latest when t ends.
func (r *receiver) hangs(t testing.TB) (letGo func()) {
	gate := make(chan struct{})
	letGo = sync.OnceFunc(func() { close(gate) })
	t.Cleanup(letGo)
	r.answers(func(_ http.ResponseWriter, req *http.Request) {
		select {
		case <-gate:
		case <-req.Context().Done():
		}
	})
	return letGo
}

// next waits for a hook.
func (r *receiver) next(t testing.TB) hook {
	t.Helper()
	select {
	case h := <-r.arrived:
		return h
	case <-time.After(patience):
		t.Fatal("nothing arrived")
		return hook{}
	}
}

// nothing expects that no more hooks have arrived.
func (r *receiver) nothing(t testing.TB) {
	t.Helper()
	select {
	case h := <-r.arrived:
		t.Errorf("this arrived too: %+v", h)
	default:
	}
}

type endpoint struct {
	ID, Secret, URL, Status string
	Events                  []string
	ConsecutiveFailures     int
}

func (in *installation) addEndpoint(t testing.TB, team, url string, flags ...string) endpoint {
	t.Helper()
	return command[endpoint](t, in, append([]string{"webhook", "add", "--team", team, "--url", url}, flags...)...)
}

// theEndpoint is one of a team's as the list shows it.
func (in *installation) theEndpoint(t testing.TB, team, id string) endpoint {
	t.Helper()
	for _, e := range command[[]endpoint](t, in, "webhook", "list", "--team", team) {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("%s is not listed", id)
	return endpoint{}
}

type hookAttempt struct {
	Number   int
	Status   int
	Error    string
	Response string
}

type delivery struct {
	ID, EndpointID, EventID, Type, State string
	Livemode                             bool
	Attempts                             []hookAttempt
}

func (in *installation) deliveries(t testing.TB, endpoint string, flags ...string) []delivery {
	t.Helper()
	return command[[]delivery](t, in, append([]string{"webhook", "deliveries", "--endpoint", endpoint, "--limit", "1000"}, flags...)...)
}

// settled waits until an endpoint has n deliveries in a state, and returns all
// of its deliveries.
func (in *installation) settled(t testing.TB, endpoint, state string, n int) (all []delivery) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d deliveries are %s", n, state), func() bool {
		all = in.deliveries(t, endpoint)
		found := 0
		for _, d := range all {
			if d.State == state {
				found++
			}
		}
		return found == n
	})
	return all
}

// attempted waits until each of an endpoint's deliveries was tried this often.
func (in *installation) attempted(t testing.TB, endpoint string, times int) (all []delivery) {
	t.Helper()
	eventually(t, fmt.Sprintf("every delivery is tried %d times", times), func() bool {
		all = in.deliveries(t, endpoint)
		return len(all) > 0 && !slices.ContainsFunc(all, func(d delivery) bool { return len(d.Attempts) != times })
	})
	return all
}

// checkHook verifies a hook as a receiver would, from the specification alone,
// and returns its envelope.
func checkHook(t testing.TB, h hook, e endpoint, secrets ...string) obj {
	t.Helper()
	var envelope obj
	if err := json.Unmarshal([]byte(h.body), &envelope); err != nil {
		t.Fatalf("%v in %s", err, h.body)
	}
	stamp := h.header.Get("Webhook-Timestamp")
	if seconds, err := strconv.ParseInt(stamp, 10, 64); err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		t.Errorf("the timestamp is %q", stamp)
	}
	own, standard := []string{"t=" + stamp}, []string{}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) != 32 {
			t.Errorf("the secret %q: %v", secret, err)
		}
		own = append(own, "v1="+hex.EncodeToString(macOf([]byte(secret), stamp+"."+h.body)))
		standard = append(standard, "v1,"+base64.StdEncoding.EncodeToString(macOf(key, h.event()+"."+stamp+"."+h.body)))
	}
	want := map[string]string{
		"Content-Type": "application/json", "Content-Length": itoa(len(h.body)), "User-Agent": "Svc-Webhooks/1.0",
		"Svc-Event": envelope["type"].(string), "Svc-Event-Id": envelope["id"].(string), "Svc-Webhook-Id": e.ID, "Svc-Signature": strings.Join(own, ","),
		"Webhook-Id": envelope["id"].(string), "Webhook-Timestamp": stamp, "Webhook-Signature": strings.Join(standard, " "),
	}
	for name, value := range want {
		if got := h.header.Values(name); len(got) != 1 || got[0] != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	for name := range h.header {
		if _, known := want[name]; !known {
			t.Errorf("the header %s was sent too", name)
		}
	}
	return envelope
}

func macOf(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// endLeases expires the leases of a killed server.
func (in *installation) endLeases(t testing.TB) {
	t.Helper()
	driver, dsn := "sqlite", "file:"+in.db+"?_pragma=busy_timeout(20000)"
	if strings.HasPrefix(in.db, "postgres") {
		driver, dsn = "pgx", in.db
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE deliveries SET lease = 1 WHERE lease > 0"); err != nil {
		t.Fatal(err)
	}
}
