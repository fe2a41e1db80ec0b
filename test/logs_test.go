package test

import (
	"net"
	"strings"
	"testing"
	"time"
)

// logLine is a line of the request log; unknown values are null or empty.
type logLine struct {
	Time, RequestID, KeyPrefix, UserID, TeamID, Method, Path, Client string
	Status, CreditsDebited                                           int
	DurationMs                                                       float64
}

func TestRequestLog(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary())
		other := s.addTeam(t, ada, 0)
		key := s.newKey(t, ada)
		team := s.addTeam(t, ada, 100)
		c := newClient(t, s.url, key.Key, team)
		me, _ := c.get("/public/me").is(200).object()["id"].(string)

		var want []logLine
		note := func(a answer, line logLine) answer {
			t.Helper()
			line.RequestID, line.Status = a.header.Get("Svc-Request-Id"), a.status
			want = append(want, line)
			return a
		}
		mine := func(method, path string, credits int) logLine {
			return logLine{KeyPrefix: key.Prefix, UserID: me, TeamID: team, Method: method, Path: path, CreditsDebited: credits}
		}
		const secretSearch = "confidential-project"
		steelPull := "/public/materials/" + steel + "/properties/pull"
		body := request("propertyIds", []string{density}, 3)
		note(c.get("/public/materials?search="+secretSearch), mine("GET", "/public/materials", 0))
		note(c.post(steelPull, body, idempotencyKey, "order-of-the-day").is(200), mine("POST", steelPull, 6))
		note(c.post(steelPull, body, idempotencyKey, "order-of-the-day").is(200), mine("POST", steelPull, 0))
		note(c.post(steelPull+"?quote=true", request("propertyIds", []string{carbon}, 3)).is(200), mine("POST", steelPull, 0))
		note(pullDatapoints(c, copper, steel).is(200), mine("POST", "/public/datapoints/pull", 7))
		note(pullProperties(c, steel, 1, unknown).is(404), mine("POST", steelPull, 0))
		note(c.get("/public/nothing", "X-Forwarded-For", "203.0.113.9", "Forwarded", "for=203.0.113.9").is(404), mine("GET", "/public/nothing", 0))
		note(c.get("/public/nul%00/%ff").is(404), mine("GET", "", 0))
		note(c.withTeam(other).get("/public/me").is(200), logLine{KeyPrefix: key.Prefix, UserID: me, TeamID: other, Method: "GET", Path: "/public/me"})

		const graphqlPath = "/public/graphql#"
		note(c.graphql(`query Mine { me { id } }`, nil).answer, mine("GQL", graphqlPath+"Mine", 0))
		note(c.graphql(`{ materials(input: {search: "`+secretSearch+`"}) { total } }`, nil).answer, mine("GQL", graphqlPath+"anonymous", 0))
		note(c.get(get("query A { me { id } } query B { me { id } }", "operationName", "B")), mine("GQL", graphqlPath+"B", 0))
		note(c.graphql(`mutation Buy { pullProcess(input: {processId: "`+rolling+`", referenceProductIds: ["`+coil+`"]}) { revealedCount }
			pullImpacts(input: {processId: "`+rolling+`", characterizationFactorIds: ["`+ipcc+`"], userCount: 2}) { revealedImpactCount } }`, nil).answer, mine("GQL", graphqlPath+"Buy", 5))
		note(c.graphql(`query Wrong { nothing }`, nil).is(400), mine("GQL", graphqlPath+"Wrong", 0))
		note(c.graphql(`query Wrong {`, nil).is(400), mine("GQL", graphqlPath+"anonymous", 0))
		note(c.withKey("").post("/graphql", `{"query":"query Mine { me { id } }"}`).is(401), logLine{Method: "GQL", Path: graphqlPath + "anonymous"})

		refused := "svc_live_" + strings.Repeat("z", 32)
		note(c.withKey(refused).get("/public/me").is(401), logLine{Method: "GET", Path: "/public/me"})
		note(c.withKey("").get("/public/me").is(401), logLine{Method: "GET", Path: "/public/me"})
		note(c.withTeam(unknown).get("/public/me").is(403), logLine{KeyPrefix: key.Prefix, UserID: me, Method: "GET", Path: "/public/me"})
		note(c.withTeam("").get("/public/me").is(400), logLine{KeyPrefix: key.Prefix, UserID: me, Method: "GET", Path: "/public/me"})

		command[obj](t, s.installation, "key", "revoke", key.ID)
		s.stop(t)

		t.Run("the key was used", func(t *testing.T) {
			type listed struct{ ID, Prefix, Mode, CreatedAt, RevokedAt, LastUsedAt string }
			for _, k := range command[[]listed](t, s.installation, "key", "list", "--user", ada) {
				if k.ID == key.ID && (k.Prefix != key.Prefix || k.Mode != "live" || k.CreatedAt == "" || k.RevokedAt == "" || k.LastUsedAt == "") {
					t.Errorf("got %+v", k)
				}
				if k.ID != key.ID && (k.RevokedAt != "" || k.LastUsedAt != "") {
					t.Errorf("a key that was not used: %+v", k)
				}
			}
		})
		t.Run("every request, once", func(t *testing.T) {
			got := map[string]logLine{}
			for _, line := range command[[]logLine](t, s.installation, "logs") {
				if _, again := got[line.RequestID]; again {
					t.Errorf("request %s is logged twice", line.RequestID)
				}
				got[line.RequestID] = line
			}
			for _, line := range want {
				checkLogLine(t, got[line.RequestID], line)
			}
		})
		t.Run("nothing secret", func(t *testing.T) {
			out := s.run(t, "logs", "--json").stdout
			for _, secret := range []string{key.Key, s.live, s.live[18:], refused, "zzzz", secretSearch, "order-of-the-day", "quote=true", density, "search"} {
				if strings.Contains(out, secret) {
					t.Errorf("the log holds %q", secret)
				}
			}
		})
		t.Run("of a team", func(t *testing.T) {
			for _, line := range command[[]logLine](t, s.installation, "logs", "--team", other) {
				if line.TeamID != other {
					t.Errorf("got %+v", line)
				}
			}
			if n := len(command[[]logLine](t, s.installation, "logs", "--team", other)); n != 1 {
				t.Errorf("%d lines, want 1", n)
			}
		})
		t.Run("of a key, though it is revoked", func(t *testing.T) {
			if got := command[[]logLine](t, s.installation, "logs", "--key", key.ID); len(got) != 1+len(want)-3 {
				t.Errorf("%d lines, want %d: %+v", len(got), 1+len(want)-3, got)
			}
		})
		t.Run("since a while ago", func(t *testing.T) {
			if got := command[[]logLine](t, s.installation, "logs", "--since", "1h"); len(got) != 1+len(want) {
				t.Errorf("%d lines, want %d", len(got), 1+len(want))
			}
		})
	})
}

func checkLogLine(t *testing.T, got, want logLine) {
	t.Helper()
	if _, err := time.Parse(time.RFC3339, got.Time); err != nil {
		t.Errorf("%s %s: %v", want.Method, want.Path, err)
	}
	if ip := net.ParseIP(got.Client); ip == nil || !ip.IsLoopback() {
		t.Errorf("%s %s came from %q, which is not the peer", want.Method, want.Path, got.Client)
	}
	if got.DurationMs < 0 {
		t.Errorf("%s %s took %v ms", want.Method, want.Path, got.DurationMs)
	}
	got.Time, got.Client, got.DurationMs = "", "", 0
	if want.Path == "" { // how it writes what is no text is its own affair
		got.Path = ""
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
