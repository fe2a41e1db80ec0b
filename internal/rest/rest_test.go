package rest

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/gateway"
	"cradle/internal/lci"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
)

// edge admits every request as one viewer.
type edge struct{}

var (
	secret = account.NewSecret(account.Live)
	holder = &account.Holder{
		Key:   account.Key{ID: lci.NewID(), Mode: account.Live, Prefix: account.ShownPrefix(secret)},
		User:  account.User{ID: lci.NewID(), Email: "ada@example.org", Firstname: "Ada", Lastname: "L"},
		Seats: []account.Seat{{Team: account.Team{ID: lci.DerivedID("team")}, Role: account.Owner, Recent: true}},
	}
)

func (edge) Now(context.Context, account.Wallet) (account.Versions, error) {
	return account.Versions{}, nil
}
func (edge) Holder(context.Context, int64, string) (*account.Holder, error) { return holder, nil }
func (edge) Record(requestlog.Row)                                          {}

// counter is a Purchases that records its calls.
type counter struct {
	Purchases
	requests []purchase.Request
	orders   []purchase.Order
	quotes   int
	answer   purchase.Answer
	replayed bool
}

func (c *counter) Pull(_ context.Context, r purchase.Request, o purchase.Order) (purchase.Answer, bool, error) {
	c.requests, c.orders = append(c.requests, r), append(c.orders, o)
	return c.answer, c.replayed, nil
}

func (c *counter) Balance(context.Context, account.Viewer) (int64, error) { return 7, nil }

func (c *counter) Quote(context.Context, account.Viewer, purchase.Order) (purchase.Quote, error) {
	c.quotes++
	return purchase.Quote{Credits: 3, NewItems: 2, OwnedItems: 1, Balance: 1, BalanceAfter: -2}, nil
}

func serve(api *API, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	g := gateway.New(gateway.Config{
		Freshness: edge{}, Directory: edge{}, Recorder: edge{}, Observe: func(string, string, int, time.Duration) {},
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: time.Now, Timeout: time.Minute, Memory: 1,
	})
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("x-api-key", secret)
	r.Header.Set("x-team-id", lci.DerivedID("team").String())
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	g.Serve(api.Serve).ServeHTTP(w, r)
	return w
}

func TestWrongMethodsAreToldTheRightOnes(t *testing.T) {
	api := New(nil, nil, nil, 1)
	for _, c := range []struct{ method, path, allow string }{
		{"POST", "/public/materials/pulled", "GET, HEAD"},
		{"DELETE", "/public/me", "GET, HEAD"},
		{"GET", "/public/datapoints/pull", "POST"},
		{"HEAD", "/public/datapoints/pull", "POST"},
		{"PUT", "/public/materials/x/properties/pull", "POST"},
		{"GET", "/public/materials/x/properties/pull", "POST"},
		{"GET", "/public/processes/x/impacts/pull", "POST"},
		{"POST", "/public/processes/x/impacts/y", "GET, HEAD"},
	} {
		w := serve(api, c.method, c.path, "")
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: %d, Allow %q", c.method, c.path, w.Code, w.Header().Get("Allow"))
		}
	}
	for _, path := range []string{"/public", "/public/", "/public/me/", "/public/materials/x/properties", "/public/%00"} {
		if w := serve(api, "GET", path, ""); w.Code != http.StatusNotFound || w.Header().Get("Svc-Error-Code") != "unknown_path" {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestMeAndTeams(t *testing.T) {
	api := New(nil, nil, nil, 1)
	id, team := holder.User.ID.String(), lci.DerivedID("team").String()
	for path, want := range map[string]string{
		"/public/me":    `{"id":"` + id + `","email":"ada@example.org","firstname":"Ada","lastname":"L","recentTeam":"` + team + `"}`,
		"/public/teams": `{"items":[{"id":"` + team + `","label":"","description":null,"role":"owner","isRecent":true}],"total":1}`,
	} {
		if w := serve(api, "GET", path, ""); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestPullsAnswerInTheirForms(t *testing.T) {
	record, a, b := lci.NewID(), lci.NewID(), lci.NewID()
	answer := purchase.Answer{Record: record, Items: []lci.ID{a, b}, Credits: 6, Revealed: 2}
	list := `["` + a.String() + `","` + b.String() + `"]`
	for _, c := range []struct {
		path, field, want string
		users             string
	}{
		{"/public/materials/" + record.String() + "/properties/pull", "propertyIds",
			`{"materialId":"` + record.String() + `","pulledPropertyIds":` + list + `,"creditsDebited":6}`, `,"userCount":3`},
		{"/public/processes/" + record.String() + "/pull", "referenceProductIds",
			`{"processId":"` + record.String() + `","pulledReferenceProductIds":` + list + `,"revealedCount":2}`, `,"userCount":3`},
		{"/public/processes/" + record.String() + "/impacts/pull", "characterizationFactorIds",
			`{"processId":"` + record.String() + `","pulledCharacterizationFactorIds":["` + a.String() + `,` + record.String() + `","` + b.String() + `,` + record.String() + `"],"revealedImpactCount":2}`, `,"userCount":3`},
		{"/public/datapoints/pull", "materialIds", `{"pulledMaterialIds":` + list + `,"creditsDebited":6}`, ""},
	} {
		t.Run(c.field, func(t *testing.T) {
			purchases := &counter{answer: answer}
			api := New(nil, purchases, nil, 1)
			body := `{"` + c.field + `":` + list + c.users + `}`
			if w := serve(api, "POST", c.path, body); w.Code != 200 || w.Body.String() != c.want || w.Header().Get("Etag") != "" {
				t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
			}
			const quote = `{"credits":3,"newItems":2,"ownedItems":1,"balance":1,"balanceAfter":-2}`
			if w := serve(api, "POST", c.path+"?quote=true", body, "Idempotency-Key", "not visible: \x01"); w.Code != 200 || w.Body.String() != quote {
				t.Errorf("quote: %d %s", w.Code, w.Body)
			}
			if len(purchases.orders) != 1 || purchases.quotes != 1 {
				t.Errorf("%d pulls, %d quotes", len(purchases.orders), purchases.quotes)
			}
			for _, bad := range []string{"?quote=1", "?quote=true&quote=true", "?%zz", "?qoute=true", "?quote=true&x"} {
				if w := serve(api, "POST", c.path+bad, body); w.Code != 400 {
					t.Errorf("%s: %d", bad, w.Code)
				}
			}
		})
	}
}

func TestIdempotencyKey(t *testing.T) {
	path := "/public/datapoints/pull"
	body := `{"materialIds":["` + lci.NewID().String() + `"]}`
	purchases := &counter{replayed: true}
	api := New(nil, purchases, nil, 1)
	ask := func(path, body string, headers ...string) *purchase.Idempotency {
		t.Helper()
		w := serve(api, "POST", path, body, headers...)
		if w.Code != 200 || w.Header().Get("Idempotent-Replayed") != "true" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return purchases.requests[len(purchases.requests)-1].Idempotency
	}
	if key := ask(path, body); key != nil {
		t.Errorf("without the header: %+v", key)
	}
	key := ask(path, body, "Idempotency-Key", "k")
	if key.Value != "k" || key.Key != holder.Key.ID || key.Team != lci.DerivedID("team") || len(key.Digest) != 64 {
		t.Errorf("%+v", key)
	}
	if again := ask(path, body, "Idempotency-Key", "k"); *again != *key {
		t.Errorf("the same request: %+v", again)
	}
	for name, other := range map[string]*purchase.Idempotency{
		"query":   ask(path+"?quote=false", body, "Idempotency-Key", "k"),
		"body":    ask(path, body+" ", "Idempotency-Key", "k"),
		"version": ask(path, body, "Idempotency-Key", "k", "Svc-Version", "2026-05-11.obsidian"),
	} {
		if other.Digest == key.Digest {
			t.Errorf("the digest does not depend on the %s", name)
		}
	}
	for name, headers := range map[string][]string{
		"empty": {"Idempotency-Key", ""}, "with space": {"Idempotency-Key", "a b"}, "not ASCII": {"Idempotency-Key", "ä"},
		"too long": {"Idempotency-Key", strings.Repeat("k", 256)}, "twice": {"Idempotency-Key", "a", "Idempotency-Key", "a"},
	} {
		if w := serve(api, "POST", path, body, headers...); w.Code != 400 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	ask(path, body, "Idempotency-Key", strings.Repeat("k", 255))
}
