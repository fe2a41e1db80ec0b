package graph_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/calculation"
	"cradle/internal/formats/bundle"
	"cradle/internal/freshness"
	"cradle/internal/gateway"
	"cradle/internal/graph"
	"cradle/internal/importing"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/library"
	"cradle/internal/pgtest"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
	"cradle/internal/rest"
	"cradle/internal/store"
)

var engines = map[string]func(testing.TB) string{
	"sqlite":   func(t testing.TB) string { return filepath.Join(t.TempDir(), "cradle.db") },
	"postgres": pgtest.Database,
}

// A server is the API alone on a store with the demonstration library, without
// background work.
type server struct {
	store   *store.Store
	handler http.Handler
	key     string
	team    lci.ID
}

type nobody struct{}

func (nobody) Record(requestlog.Row) {}

func serve(t testing.TB, dsn string) *server {
	t.Helper()
	return serveWith(t, dsn, 0)
}

// serveWith gives REST's row cache the given number of bytes and fills it.
func serveWith(t testing.TB, dsn string, memory int) *server {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	demo, err := bundle.OpenPath("../demo/library")
	if err != nil {
		t.Fatal(err)
	}
	defer demo.Close()
	if _, err := importing.Import(ctx, s, demo, ingest.Options{Calculator: &calculation.Calculator{}}, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	lib := library.New(s, library.Options{Memory: 16 << 20})
	if err := lib.Warm(ctx); err != nil {
		t.Fatal(err)
	}
	purchases := purchase.NewService(s, time.Now)
	items := rest.New(lib, purchases, nil, memory)
	if err := items.MakeReady(ctx); err != nil {
		t.Fatal(err)
	}
	api, err := graph.New(lib, purchases, items, 16<<20)
	if err != nil {
		t.Fatal(err)
	}
	edge := gateway.New(gateway.Config{
		Freshness: freshness.New(s), Directory: account.NewDirectory(s, 1<<20), Recorder: nobody{},
		Observe: func(string, string, int, time.Duration) {}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Now: time.Now, Timeout: time.Minute, Memory: 1 << 20,
	})
	v := &server{store: s, handler: edge.ServeAs(graph.LoggedMethod, graph.LoggedPath, api.Serve), team: lci.NewID(), key: account.NewSecret(account.Live)}
	v.join(t)
	return v
}

func (v *server) join(t testing.TB) {
	t.Helper()
	ctx := t.Context()
	user := account.User{ID: lci.NewID(), Email: "ada@example.org", CreatedAt: time.Now()}
	if err := v.store.AddUser(ctx, user, user.Email, "-"); err != nil {
		t.Fatal(err)
	}
	if err := v.store.AddTeam(ctx, account.Team{ID: v.team, Label: "Team"}, user.ID, 1000, time.Now()); err != nil {
		t.Fatal(err)
	}
	key := account.Key{ID: lci.NewID(), UserID: user.ID, Mode: account.Live, Prefix: account.ShownPrefix(v.key), CreatedAt: time.Now()}
	if err := v.store.AddKey(ctx, account.StoredKey{Key: key, Hash: account.HashSecret(v.key)}); err != nil {
		t.Fatal(err)
	}
}

func (v *server) ask(t testing.TB, query string) []byte {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"query": query})
	r := httptest.NewRequest("POST", "/graphql", bytes.NewReader(body))
	r.Header.Set("x-api-key", v.key)
	r.Header.Set("x-team-id", v.team.String())
	w := httptest.NewRecorder()
	v.handler.ServeHTTP(w, r)
	if w.Code != 200 || strings.Contains(w.Body.String(), `"errors"`) {
		t.Fatalf("%s: %d %s", query, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

const (
	everythingOfMaterials = `materials(input: {limit: %d}) { total %s: items { id name inputTo outputOf isFavorite properties { id name value mean } impacts { id value } } }`
	everythingOfProcesses = `processes(input: {limit: %d}) { total %s: items { id name source { link } favorite inputs { id value } outputs { id value } impacts { id value } } }`
)

// The number of database queries for a page does not grow with its items or its
// aliases.
func TestQueriesForAPageDoNotGrow(t *testing.T) {
	for name, dsn := range engines {
		t.Run(name, func(t *testing.T) {
			v := serve(t, dsn(t))
			v.ask(t, "{ me { id } materials { total } }") // fills the caches
			for field, query := range map[string]string{"materials": everythingOfMaterials, "processes": everythingOfProcesses} {
				statements := func(limit int, alias string) int64 {
					before := v.store.Statements()
					// A new alias misses the cache.
					answer := v.ask(t, "{ "+fmt.Sprintf(query, limit, alias)+" }")
					if got := bytes.Count(answer, []byte(`"name":`)); got < limit {
						t.Fatalf("%s: %d names for %d records", field, got, limit)
					}
					return v.store.Statements() - before
				}
				one, many := statements(1, "one"), statements(90, "many")
				if one != many || one == 0 {
					t.Errorf("%s: %d statements for one record, %d for ninety", field, one, many)
				}
				if twice := statements(90, "twice: items { id } again"); twice != many {
					t.Errorf("%s: %d statements when asked for under two names, %d under one", field, twice, many)
				}
				// Checking that the cache is current may take one statement.
				if again := statements(90, "many"); again > 1 {
					t.Errorf("%s: %d statements for what is remembered", field, again)
				}
			}
		})
	}
}
