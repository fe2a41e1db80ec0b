package server_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/formats/bundle"
	"cradle/internal/importing"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/pgtest"
	"cradle/internal/server"
	"cradle/internal/store"
	"cradle/internal/webhook"
)

// engines are the databases that tests run on.
var engines = map[string]func(testing.TB) string{
	"sqlite":   func(t testing.TB) string { return filepath.Join(t.TempDir(), "cradle.db") },
	"postgres": pgtest.Database,
}

func TestServesALibrary(t *testing.T) {
	for name, dsn := range engines {
		t.Run(name, func(t *testing.T) {
			s := open(t, dsn(t))
			load(t, s, "../demo/library")
			key, team := member(t, s)
			serve := start(t, s)
			get := func(path string) map[string]any { return request(t, serve, "GET", path, key, team, "", 200) }

			page := get("/public/materials?limit=2")
			items := page["items"].([]any)
			if len(items) != 2 || page["hasMore"] != true {
				t.Fatalf("page: %v", page)
			}
			first := items[0].(map[string]any)
			property := first["properties"].([]any)[0].(map[string]any)
			if property["value"] != nil || property["revealed"] != false {
				t.Fatalf("a value is shown before it is pulled: %v", property)
			}
			path := "/public/materials/" + first["id"].(string)
			body := `{"propertyIds":["` + property["id"].(string) + `"],"userCount":1}`
			answer := request(t, serve, "POST", path+"/properties/pull", key, team, body, 200)
			if answer["creditsDebited"] == nil {
				t.Fatalf("pull: %v", answer)
			}
			read := get(path + "/properties/" + property["id"].(string))
			if read["value"] == nil || read["revealType"] != "pulled" {
				t.Fatalf("a pulled value is hidden: %v", read)
			}
			if pulled := get("/public/materials/pulled"); pulled["total"] != 1.0 {
				t.Fatalf("pulled: %v", pulled)
			}
			get("/public/processes?limit=100")
			get("/public/impact-methods")
			get("/public/me")
			get("/public/teams")
			get(path)
		})
	}
}

func open(t testing.TB, dsn string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func load(t testing.TB, s *store.Store, path string) {
	t.Helper()
	lib, err := bundle.OpenPath(path)
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	if _, err := importing.Import(t.Context(), s, lib, ingest.Options{}, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
}

func member(t testing.TB, s *store.Store) (key string, team lci.ID) {
	t.Helper()
	ctx := t.Context()
	user := account.User{ID: lci.NewID(), Email: "ada@example.org", Firstname: "Ada", Lastname: "L", CreatedAt: time.Now()}
	if err := s.AddUser(ctx, user, "ada@example.org", "-"); err != nil {
		t.Fatal(err)
	}
	team = lci.NewID()
	if err := s.AddTeam(ctx, account.Team{ID: team, Label: "Team"}, user.ID, 1000, time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Grant(ctx, account.Wallet{Team: team, Mode: account.Live}, 100, "test"); err != nil {
		t.Fatal(err)
	}
	key = account.NewSecret(account.Live)
	stored := account.StoredKey{Key: account.Key{ID: lci.NewID(), UserID: user.ID, Mode: account.Live, Prefix: account.ShownPrefix(key), CreatedAt: time.Now()}, Hash: account.HashSecret(key)}
	if err := s.AddKey(ctx, stored); err != nil {
		t.Fatal(err)
	}
	return key, team
}

func start(t testing.TB, s *store.Store) http.Handler {
	t.Helper()
	guard, err := webhook.NewGuard(nil)
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := account.NewSealer([]byte("a secret of sixteen bytes and more"), "webhooks")
	if err != nil {
		t.Fatal(err)
	}
	svc, err := server.New(context.Background(), s, server.Options{
		BaseURL: "http://localhost", LogRetention: time.Hour, EventRetention: time.Hour, WebhookGuard: guard, WebhookSecrets: sealer, CacheBytes: 16 << 20, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(svc.Close)
	return svc.Handler()
}

func request(t testing.TB, h http.Handler, method, path, key string, team lci.ID, body string, want int) map[string]any {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("x-api-key", key)
	r.Header.Set("x-team-id", team.String())
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != want {
		t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer
}
