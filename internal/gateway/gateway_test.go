package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/requestlog"
)

// bench is a gateway over fakes, with one key that owns one seat.
type bench struct {
	t       *testing.T
	secret  string
	team    lci.ID
	holder  *account.Holder
	fresh   func(account.Wallet) (account.Versions, error)
	keyErr  error
	now     time.Time
	gateway *Gateway

	mu   sync.Mutex
	rows []requestlog.Row
}

func newBench(t *testing.T, rate float64) *bench {
	b := &bench{t: t, secret: account.NewSecret(account.Live), team: lci.NewID(), now: noon}
	b.holder = &account.Holder{
		Key:   account.Key{ID: lci.NewID(), Mode: account.Live, Prefix: account.ShownPrefix(b.secret)},
		User:  account.User{ID: lci.NewID()},
		Seats: []account.Seat{{Team: account.Team{ID: b.team}}},
	}
	b.fresh = func(account.Wallet) (account.Versions, error) { return account.Versions{Accounts: 7, Reveals: 3}, nil }
	b.gateway = New(Config{
		Freshness: b, Directory: b, Recorder: b, Observe: func(string, string, int, time.Duration) {},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return b.now },
		RateLimit: rate, Timeout: time.Minute, Memory: 1 << 20,
	})
	return b
}

func (b *bench) Now(_ context.Context, w account.Wallet) (account.Versions, error) { return b.fresh(w) }

func (b *bench) Holder(_ context.Context, version int64, secret string) (*account.Holder, error) {
	if version != 7 {
		b.t.Errorf("asked at version %d", version)
	}
	if b.keyErr != nil || secret != b.secret {
		return nil, errors.Join(b.keyErr, account.ErrKey)
	}
	return b.holder, nil
}

func (b *bench) Record(r requestlog.Row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, r)
}

// do sends a request with key and team, modified by set.
func (b *bench) do(handle Handler, set func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/public/me", nil)
	r.Header.Set("x-api-key", b.secret)
	r.Header.Set("x-team-id", b.team.String())
	if set != nil {
		set(r)
	}
	w := httptest.NewRecorder()
	b.gateway.Serve(handle).ServeHTTP(w, r)
	return w
}

func hello(c *Call) error { return c.Read(ContentOf([]byte(`{"hello":1}`))) }

func with(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func without(names ...string) func(*http.Request) {
	return func(r *http.Request) {
		for _, name := range names {
			r.Header.Del(name)
		}
	}
}

func TestChecksComeInOrder(t *testing.T) {
	other := lci.NewID().String()
	for _, c := range []struct {
		name    string
		set     func(*http.Request)
		status  int
		code    string
		message string
	}{
		{"all is well", nil, 200, "", ""},
		{"no key", without("x-api-key"), 401, "invalid_api_key", "Invalid API key"},
		{"a malformed key", with("x-api-key", "svc_live_short"), 401, "invalid_api_key", "Invalid API key"},
		{"an unknown key", with("x-api-key", account.NewSecret(account.Live)), 401, "invalid_api_key", "Invalid API key"},
		{"the key comes first", func(r *http.Request) {
			without("x-api-key", "x-team-id")(r)
			r.Header.Set("Svc-Version", "none")
		}, 401, "invalid_api_key", "Invalid API key"},
		{"then the version", func(r *http.Request) {
			without("x-team-id")(r)
			r.Header.Set("Svc-Version", "none")
		}, 400, "unknown_version", "2026-05-11.obsidian, 2026-05-11.arrakis"},
		{"then whether a team is named", without("x-team-id"), 400, "missing_team", "x-team-id is missing"},
		{"then whether it is the owner's", with("x-team-id", other), 403, "not_a_member", "not a member of team " + other},
		{"a malformed team is nobody's", with("x-team-id", "my team"), 403, "not_a_member", "not a member of team my team"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newBench(t, 0).do(hello, c.set)
			if w.Code != c.status || w.Header().Get("Svc-Error-Code") != c.code {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			if c.status != 200 {
				expectEnvelope(t, w, c.message)
			}
		})
	}
}

// expectEnvelope expects exactly statusCode and message.
func expectEnvelope(t *testing.T, w *httptest.ResponseRecorder, message string) {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	text, _ := body["message"].(string)
	if len(body) != 2 || body["statusCode"] != float64(w.Code) || !strings.Contains(text, message) {
		t.Errorf("body %s, want %q in it", w.Body, message)
	}
}

func TestViewerIsWhoTheKeyAndTheTeamName(t *testing.T) {
	b := newBench(t, 0)
	b.fresh = func(w account.Wallet) (account.Versions, error) {
		if w != (account.Wallet{Team: b.team, Mode: account.Live}) {
			t.Errorf("asked for %v", w)
		}
		return account.Versions{Accounts: 7, Reveals: 3}, nil
	}
	var seen account.Viewer
	w := b.do(func(c *Call) error {
		seen = c.Viewer
		return hello(c)
	}, with("x-team-id", strings.ToUpper(b.team.String())))
	want := account.Viewer{User: b.holder.User.ID, Team: b.team, Mode: account.Live, Key: b.holder.Key.ID, At: account.Versions{Accounts: 7, Reveals: 3}}
	if w.Code != 200 || seen != want {
		t.Errorf("%d, viewer %+v, want %+v", w.Code, seen, want)
	}
}

var requestID = regexp.MustCompile(`^[0-9a-f-]{36}$`)

func TestEveryAnswerHasTheCommonHeaders(t *testing.T) {
	for _, c := range []struct {
		name   string
		handle Handler
		set    func(b *bench, r *http.Request)
		status int
	}{
		{"a read", hello, nil, 200},
		{"a write", func(c *Call) error { return c.JSON(200, map[string]int{"a": 1}) }, nil, 200},
		{"an older version", hello, func(_ *bench, r *http.Request) { r.Header.Set("Svc-Version", string(Obsidian)) }, 200},
		{"not modified", hello, func(_ *bench, r *http.Request) { r.Header.Set("If-None-Match", "*") }, 304},
		{"no key", hello, func(_ *bench, r *http.Request) { r.Header.Del("x-api-key") }, 401},
		{"an unknown version", hello, func(_ *bench, r *http.Request) { r.Header.Set("Svc-Version", "x") }, 400},
		{"not a member", hello, func(_ *bench, r *http.Request) { r.Header.Set("x-team-id", "x") }, 403},
		{"too many", hello, func(b *bench, _ *http.Request) {
			for range 1000 {
				b.gateway.keys.take(b.holder.Key.ID, b.now)
			}
		}, 429},
		{"not found", func(*Call) error { return fault.NotFoundf("no") }, nil, 404},
		{"an internal error", func(*Call) error { return errors.New("SELECT secret") }, nil, 500},
		{"a panic", func(*Call) error { panic("SELECT secret") }, nil, 500},
		{"a panic before admission", hello, func(b *bench, _ *http.Request) {
			b.fresh = func(account.Wallet) (account.Versions, error) { panic("SELECT secret") }
		}, 500},
		{"the database is away", hello, func(b *bench, _ *http.Request) {
			b.fresh = func(account.Wallet) (account.Versions, error) {
				return account.Versions{}, fault.New(fault.Unavailable, "unavailable", "away")
			}
		}, 503},
	} {
		for _, encoding := range []string{"", "gzip", "zstd"} {
			t.Run(c.name+" "+encoding, func(t *testing.T) {
				b := newBench(t, 50)
				w := b.do(c.handle, func(r *http.Request) {
					r.Header.Set("Accept-Encoding", encoding)
					if c.set != nil {
						c.set(b, r)
					}
				})
				h := w.Header()
				if w.Code != c.status {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				if h.Get("Cache-Control") != "private, no-cache" || h.Get("Vary") != "x-api-key, x-team-id, Svc-Version, Accept-Encoding" ||
					!requestID.MatchString(h.Get("Svc-Request-Id")) || h.Get("Svc-Version") == "" {
					t.Errorf("headers %v", h)
				}
				if c.status == 304 {
					if w.Body.Len() != 0 || h.Get("Etag") == "" {
						t.Errorf("%v %s", h, w.Body)
					}
				} else if h.Get("Content-Type") != "application/json" || h.Get("Content-Encoding") != encoding || h.Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
					t.Errorf("headers %v", h)
				}
				if (h.Get("Etag") != "") != (c.status == 304 || c.name == "a read" || c.name == "an older version") {
					t.Errorf("ETag %q", h.Get("Etag"))
				}
				if len(b.rows) != 1 || b.rows[0].Status != c.status || b.rows[0].RequestID != h.Get("Svc-Request-Id") {
					t.Errorf("logged %+v", b.rows)
				}
				if strings.Contains(w.Body.String(), "secret") {
					t.Errorf("the cause leaks: %s", w.Body)
				}
			})
		}
	}
}

func TestErrorsHaveTheirStatuses(t *testing.T) {
	for kind := fault.Internal; kind <= fault.Unavailable; kind++ {
		if statuses[kind] < 400 {
			t.Errorf("kind %d has status %d", kind, statuses[kind])
		}
	}
	for _, c := range []struct {
		name   string
		err    error
		status int
		code   string
	}{
		{"a fault", fault.New(fault.Conflict, "already_revealed", "x"), 409, "already_revealed"},
		{"a fault inside another error", fmt.Errorf("pull: %w", fault.New(fault.TooLarge, "body_too_large", "x")), 413, "body_too_large"},
		{"any other error", errors.New("x"), 500, "internal"},
		{"a deadline", fmt.Errorf("x: %w", context.DeadlineExceeded), 503, "unavailable"},
		{"a cancellation that is not the client's", context.Canceled, 500, "internal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newBench(t, 0).do(func(*Call) error { return c.err }, nil)
			if w.Code != c.status || w.Header().Get("Svc-Error-Code") != c.code || (w.Header().Get("Retry-After") != "") != (c.status == 503) {
				t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
			}
			expectEnvelope(t, w, "")
		})
	}
}

func TestInternalErrorNamesOnlyTheRequest(t *testing.T) {
	w := newBench(t, 0).do(func(*Call) error { return errors.New("no such table: wallets") }, nil)
	expectEnvelope(t, w, w.Header().Get("Svc-Request-Id"))
	if strings.Contains(w.Body.String(), "wallets") {
		t.Errorf("%s", w.Body)
	}
}

func TestClientThatWentAwayIsLoggedAsSuch(t *testing.T) {
	b := newBench(t, 0)
	ctx, cancel := context.WithCancel(t.Context())
	b.do(func(c *Call) error {
		cancel()
		return c.Request.Context().Err()
	}, func(r *http.Request) { *r = *r.WithContext(ctx) })
	if b.rows[0].Status != 499 {
		t.Errorf("logged %+v", b.rows[0])
	}
}

func TestPanicAfterTheAnswerLeavesItAlone(t *testing.T) {
	w := newBench(t, 0).do(func(c *Call) error {
		hello(c)
		panic("late")
	}, nil)
	if w.Code != 200 || w.Body.String() != `{"hello":1}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestETagIsMadeOfContentVersionTeamModeAndEncoding(t *testing.T) {
	b := newBench(t, 0)
	second := lci.NewID()
	b.holder.Seats = append(b.holder.Seats, account.Seat{Team: account.Team{ID: second}})
	sandbox := newBench(t, 0)
	sandbox.team, sandbox.holder.Seats = b.team, b.holder.Seats
	sandbox.holder.Key.Mode = account.Sandbox
	other := func(c *Call) error { return c.Read(ContentOf([]byte(`{"hello":2}`))) }
	tags := map[string]string{}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"plain":          b.do(hello, nil),
		"content":        b.do(other, nil),
		"version":        b.do(hello, with("Svc-Version", string(Obsidian))),
		"team":           b.do(hello, with("x-team-id", second.String())),
		"mode":           sandbox.do(hello, nil),
		"gzip":           b.do(hello, with("Accept-Encoding", "gzip")),
		"zstd":           b.do(hello, with("Accept-Encoding", "zstd")),
		"another":        b.do(hello, nil),
		"the header set": b.do(hello, with("Svc-Version", string(Arrakis))),
	} {
		tag := w.Header().Get("Etag")
		if !regexp.MustCompile(`^"[0-9a-f]{32}"$`).MatchString(tag) {
			t.Errorf("%s: %q is no strong tag", name, tag)
		}
		tags[name] = tag
	}
	if tags["plain"] != tags["another"] || tags["plain"] != tags["the header set"] {
		t.Error("the same answer has two tags")
	}
	seen := map[string]string{}
	for _, name := range []string{"plain", "content", "version", "team", "mode", "gzip", "zstd"} {
		if twin, again := seen[tags[name]]; again {
			t.Errorf("%s and %s have one tag", name, twin)
		}
		seen[tags[name]] = name
	}
	w := b.do(hello, with("If-None-Match", tags["plain"]))
	if w.Code != 304 || w.Body.Len() != 0 || w.Header().Get("Etag") != tags["plain"] {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if w := b.do(hello, with("If-None-Match", tags["team"])); w.Code != 200 {
		t.Errorf("another team's tag: %d", w.Code)
	}
}

func TestRateLimitIsPerKey(t *testing.T) {
	b := newBench(t, 1)
	for i, want := range []struct {
		status    int
		remaining string
	}{{200, "1"}, {200, "0"}, {429, "0"}} {
		w := b.do(hello, nil)
		h := w.Header()
		if w.Code != want.status || h.Get("X-RateLimit-Limit") != "2" || h.Get("X-RateLimit-Remaining") != want.remaining || h.Get("X-RateLimit-Reset") == "" {
			t.Errorf("request %d: %d %v", i, w.Code, h)
		}
		if (h.Get("Retry-After") == "1") != (want.status == 429) {
			t.Errorf("request %d: Retry-After %q", i, h.Get("Retry-After"))
		}
	}
	if w := b.do(hello, without("x-team-id")); w.Code != 400 || w.Header().Get("X-RateLimit-Limit") != "" {
		t.Errorf("an answer from before the limit: %d %v", w.Code, w.Header())
	}
	b.now = b.now.Add(time.Second)
	if w := b.do(hello, nil); w.Code != 200 {
		t.Errorf("a second later: %d", w.Code)
	}
	if w := newBench(t, 0).do(hello, nil); w.Header().Get("X-RateLimit-Limit") != "" {
		t.Errorf("headers of a limit that is off: %v", w.Header())
	}
}

func TestRefusedKeysAreLimitedPerAddress(t *testing.T) {
	b := newBench(t, 1)
	bad := with("x-api-key", "nonsense")
	for i, want := range []int{401, 401, 429} {
		if w := b.do(hello, bad); w.Code != want {
			t.Errorf("request %d: %d", i, w.Code)
		}
	}
	if w := b.do(hello, nil); w.Code != 200 {
		t.Errorf("a good key from that address: %d", w.Code)
	}
	w := b.do(hello, func(r *http.Request) {
		bad(r)
		r.RemoteAddr = "198.51.100.7:1"
	})
	if w.Code != 401 {
		t.Errorf("another address: %d", w.Code)
	}
}

func TestLogHoldsNothingUnverified(t *testing.T) {
	b := newBench(t, 0)
	b.do(hello, with("x-api-key", account.NewSecret(account.Live)))
	b.do(hello, with("x-team-id", lci.NewID().String()))
	b.do(func(c *Call) error {
		c.Credits = 5
		return hello(c)
	}, func(r *http.Request) { r.URL.Path, r.URL.RawQuery = "/public/\x00\x1b[31mx", "search=private" })
	stranger, outsider, member := b.rows[0], b.rows[1], b.rows[2]
	if !stranger.KeyID.IsZero() || stranger.KeyPrefix != "" || !stranger.UserID.IsZero() || !stranger.TeamID.IsZero() {
		t.Errorf("an unknown key: %+v", stranger)
	}
	if outsider.KeyID != b.holder.Key.ID || outsider.UserID != b.holder.User.ID || !outsider.TeamID.IsZero() {
		t.Errorf("an outsider: %+v", outsider)
	}
	if member.TeamID != b.team || member.KeyPrefix != b.holder.Key.Prefix || member.Credits != 5 || member.Client != "192.0.2.1" {
		t.Errorf("a member: %+v", member)
	}
	if member.Path != "/public/[31mx" {
		t.Errorf("path %q", member.Path)
	}
	if all := fmt.Sprintf("%+v", b.rows); strings.Contains(all, b.secret) || strings.Contains(all, "private") {
		t.Errorf("a secret is logged: %s", all)
	}
}

func TestParseVersion(t *testing.T) {
	for header, want := range map[string]Version{"": Arrakis, "2026-05-11.obsidian": Obsidian, "2026-05-11.arrakis": Arrakis} {
		if v, err := parseVersion(header); v != want || err != nil {
			t.Errorf("%q: %v, %v", header, v, err)
		}
	}
	for _, header := range []string{"2026-05-11", "obsidian", "2026-05-11.Arrakis", "2026-05-11.arrakis "} {
		if v, err := parseVersion(header); v != Current || fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v, %v", header, v, err)
		}
	}
}
