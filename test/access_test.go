package test

import (
	"net/http"
	"strings"
	"testing"
)

// A flaw is one error in a request, and the answer to it alone.
type flaw struct {
	name   string
	step   int // of the order of checks; two of one step exclude each other
	apply  func(*attempt)
	status int
	words  []string
}

// An attempt is a request being built.
type attempt struct {
	client     client
	method     string
	path, body string
}

var flaws = []flaw{
	{"no key", 1, func(a *attempt) { a.client.key = "" }, 401, []string{"Invalid API key"}},
	{"unknown key", 1, func(a *attempt) { a.client.key = "svc_live_" + strings.Repeat("x", 32) }, 401, []string{"Invalid API key"}},
	{"unknown version", 2, func(a *attempt) { a.client.version = "2026-05-11.caladan" }, 400, []string{arrakis, obsidian}},
	{"no team", 3, func(a *attempt) { a.client.team = "" }, 400, []string{"x-team-id"}},
	{"foreign team", 3, func(a *attempt) { a.client.team = unknown }, 403, []string{unknown}},
	{"malformed team", 3, func(a *attempt) { a.client.team = "no-team" }, 403, []string{"no-team"}},
	{"unknown path", 6, func(a *attempt) { a.path = "/public/nothing" }, 404, nil},
	{"wrong method", 6, func(a *attempt) { a.method = http.MethodPut }, 405, nil},
	{"bad body", 7, func(a *attempt) { a.body = `{"propertyIds": 1}` }, 400, []string{"propertyIds"}},
	{"unknown property", 8, func(a *attempt) { a.body = `{"propertyIds": ["` + unknown + `"], "userCount": 1}` }, 404, []string{unknown}},
	{"too few credits", 9, func(*attempt) {}, 403, nil},
}

// The answer is that of the first error in the order of checks.
func testOrderOfChecks(t *testing.T, s *service) {
	c := s.buyer(t, 0)
	for i, first := range flaws {
		for _, second := range flaws[i:] {
			if first.step == second.step && first.name != second.name || first.step == 7 && second.step == 8 {
				continue
			}
			t.Run(first.name+" before "+second.name, func(t *testing.T) {
				a := attempt{*c.in(t), http.MethodPost, "/public/materials/" + steel + "/properties/pull", `{"propertyIds": ["` + density + `"], "userCount": 1}`}
				second.apply(&a)
				first.apply(&a)
				a.client.do(a.method, a.path, a.body, "Content-Type", "application/json").refuses(first.status, first.words...)
			})
		}
	}
}

func testKeys(t *testing.T, s *service) {
	s.addUser(t, "keys@example.org")
	team := s.addTeam(t, "keys@example.org", 0)
	good := s.newKey(t, "keys@example.org", "--label", "first")
	c := newClient(t, s.url, good.Key, team)
	c.get("/public/me").is(200)

	if !strings.HasPrefix(good.Key, "svc_live_") || len(good.Key) != len("svc_live_")+32 || good.Mode != "live" {
		t.Errorf("a live key: %+v", good)
	}
	if good.Prefix != good.Key[:18] {
		t.Errorf("the prefix %q is not the first 18 characters of the key", good.Prefix)
	}
	for name, key := range map[string]string{
		"missing":               "",
		"too short":             good.Key[:len(good.Key)-1],
		"too long":              good.Key + "a",
		"only the prefix":       "svc_live_",
		"another prefix":        "svc_prod_" + good.Key[9:],
		"of the other mode":     "svc_test_" + good.Key[9:],
		"another case":          strings.ToUpper(good.Key),
		"not of the characters": good.Key[:len(good.Key)-1] + "-",
		"the stored prefix":     good.Prefix,
	} {
		t.Run("a key that is "+name, func(t *testing.T) {
			got := newClient(t, s.url, key, team).get("/public/me").refuses(401)
			if body := got.json().(obj); body["message"] != "Invalid API key" {
				t.Errorf("got %v", body)
			}
		})
	}
	t.Run("a revoked key opens nothing from the next request on", func(t *testing.T) {
		c := c.in(t)
		type revoked struct{ ID, RevokedAt string }
		got := command[revoked](t, s.installation, "key", "revoke", good.ID)
		if got.ID != good.ID || got.RevokedAt == "" {
			t.Errorf("key revoke: %+v", got)
		}
		c.get("/public/me").refuses(401, "Invalid API key")
		other := s.addKey(t, "keys@example.org")
		c.withKey(other).get("/public/me").is(200)
	})
	t.Run("a disabled user's keys open nothing", func(t *testing.T) {
		c := c.in(t)
		live, sandbox := s.addKey(t, "keys@example.org"), s.addKey(t, "keys@example.org", "--test")
		c.withKey(live).get("/public/me").is(200)
		c.withKey(sandbox).get("/public/me").is(200)
		command[obj](t, s.installation, "user", "disable", "keys@example.org")
		c.withKey(live).get("/public/me").refuses(401, "Invalid API key")
		c.withKey(sandbox).get("/public/me").refuses(401, "Invalid API key")
	})
}

func testTeams(t *testing.T, s *service) {
	const email = "teams@example.org"
	userID := s.addUser(t, email)
	key := s.addKey(t, email)
	foreign := s.addTeam(t, ada, 0)
	pending := s.addTeam(t, ada, 0)
	member := func(team string, flags ...string) {
		t.Helper()
		command[obj](t, s.installation, append([]string{"team", "member", team, email}, flags...)...)
	}
	member(pending, "--pending")
	type team struct{ ID, Label string }
	oldest := command[team](t, s.installation, "team", "add", "--label", "Oldest", "--description", "What we do", "--owner", email).ID
	joined := command[team](t, s.installation, "team", "add", "--label", "Joined", "--owner", ada).ID
	member(joined, "--role", "member")
	c := newClient(t, s.url, key, oldest)

	t.Run("the user", func(t *testing.T) {
		c := c.in(t)
		c.get("/public/me").says(obj{"id": userID, "email": email, "firstname": "First of " + email,
			"lastname": "Last of " + email, "recentTeam": oldest})
	})
	t.Run("active memberships, exactly one of them recent", func(t *testing.T) {
		c := c.in(t)
		checkTeams(c,
			obj{"id": oldest, "label": "Oldest", "description": "What we do", "role": "owner", "isRecent": true},
			obj{"id": joined, "label": "Joined", "description": nil, "role": "member", "isRecent": false})
	})
	t.Run("a pending invitation is no membership", func(t *testing.T) {
		c := c.in(t)
		c.withTeam(pending).get("/public/me").refuses(403, pending)
	})
	t.Run("nor is a team of others", func(t *testing.T) {
		c := c.in(t)
		c.withTeam(foreign).get("/public/me").refuses(403, foreign)
	})
	t.Run("the team is named as it was sent", func(t *testing.T) {
		c := c.in(t)
		c.withTeam(strings.ToUpper(foreign)).get("/public/me").refuses(403, strings.ToUpper(foreign))
	})
	t.Run("a team's id is good in any case", func(t *testing.T) {
		c := c.in(t)
		c.withTeam(strings.ToUpper(oldest)).get("/public/me").is(200)
	})
	t.Run("every path needs the team", func(t *testing.T) {
		c := c.in(t)
		for _, path := range []string{"/public/me", "/public/teams", "/public/materials", "/public/impact-methods", "/public/nothing"} {
			c.withTeam("").get(path).refuses(400, "x-team-id")
		}
	})
	t.Run("when the recent membership ends the oldest left is recent", func(t *testing.T) {
		c := c.in(t)
		command[obj](t, s.installation, "team", "member", oldest, ada, "--role", "owner") // a team is not left without one
		member(oldest, "--remove")
		c.get("/public/me").refuses(403, oldest)
		d := c.withTeam(joined)
		if got := d.get("/public/me").is(200).object()["recentTeam"]; got != joined {
			t.Errorf("recentTeam is %v, want %s", got, joined)
		}
		checkTeams(d, obj{"id": joined, "label": "Joined", "description": nil, "role": "member", "isRecent": true})
	})
	t.Run("an accepted invitation counts at once", func(t *testing.T) {
		c := c.in(t)
		member(pending, "--role", "owner")
		c.withTeam(pending).get("/public/me").is(200)
	})
}

// checkTeams compares the teams whatever their order, which nothing promises.
func checkTeams(c *client, want ...obj) {
	c.t.Helper()
	got := c.get("/public/teams").is(200).object()
	if got["total"] != float64(len(want)) || len(got) != 2 {
		c.t.Errorf("teams: %s", text(got))
	}
	items, _ := got["items"].(list)
	if len(items) != len(want) {
		c.t.Fatalf("%d teams, want %d: %s", len(items), len(want), text(got))
	}
	for _, w := range want {
		for _, g := range items {
			if g.(obj)["id"] == w["id"] {
				for _, d := range difference("team", g, w) {
					c.t.Error(d)
				}
			}
		}
	}
}

func testVersions(t *testing.T, s *service) {
	c := s.as(t, s.home)
	for name, test := range map[string]struct{ sent, served string }{
		"omitted is the current one": {"", arrakis},
		"the current one":            {arrakis, arrakis},
		"the older one":              {obsidian, obsidian},
	} {
		t.Run(name, func(t *testing.T) {
			c := c.in(t)
			for _, path := range []string{"/public/me", "/public/teams", "/public/materials", "/public/materials/pulled", "/public/processes",
				"/public/materials/" + steel, "/public/processes/" + rolling, "/public/impact-methods"} {
				got := c.withVersion(test.sent).get(path).is(200)
				if v := got.header.Get("Svc-Version"); v != test.served {
					t.Errorf("%s was served by %q, want %q", path, v, test.served)
				}
			}
			if v := c.withVersion(test.sent).get("/public/materials/" + unknown).is(404).header.Get("Svc-Version"); v != test.served {
				t.Errorf("a 404 was served by %q, want %q", v, test.served)
			}
		})
	}
	for _, bad := range []string{"arrakis", "2026-05-11", "2026-05-12.arrakis", strings.ToUpper(arrakis), "latest"} {
		t.Run("unknown: "+bad, func(t *testing.T) {
			c := c.in(t)
			c.withVersion(bad).get("/public/me").refuses(400, arrakis, obsidian)
		})
	}
}

func testRoutes(t *testing.T, s *service) {
	c := s.as(t, s.home)
	for _, path := range []string{
		"/public/", "/public/nothing", "/public/materials/" + steel + "/nothing", "/public/materials/", "/public//me", "/public/../public/me",
		"/public/me/", "/public/Me", "/public/materials/" + steel + "/properties", "/public/processes/" + rolling + "/impacts",
		"/public/processes/" + rolling + "/inputs", "/public/%2e%2e/me",
	} {
		t.Run("no such path: "+path, func(t *testing.T) {
			c := c.in(t)
			c.get(path).refuses(404)
			c.withKey("").get(path).refuses(401)
			c.withTeam("").get(path).refuses(400, "x-team-id")
		})
	}
	for _, test := range []struct{ method, path string }{
		{"POST", "/public/me"}, {"DELETE", "/public/teams"}, {"PUT", "/public/materials"}, {"POST", "/public/materials/pulled"},
		{"PATCH", "/public/materials/" + steel}, {"POST", "/public/processes"}, {"DELETE", "/public/processes/" + rolling},
		{"POST", "/public/impact-methods"}, {"GET", "/public/processes/" + rolling + "/pull"}, {"GET", "/public/datapoints/pull"},
		{"PUT", "/public/datapoints/pull"}, {"DELETE", "/public/materials/" + steel + "/properties/pull"},
	} {
		t.Run("not this method: "+test.method+" "+test.path, func(t *testing.T) {
			c := c.in(t)
			if got := c.do(test.method, test.path, "").refuses(405); got.header.Get("Allow") == "" {
				t.Error("no Allow header")
			}
			c.withKey("").do(test.method, test.path, "").refuses(401)
		})
	}
}

func testOpenPaths(t *testing.T, s *service) {
	c := newClient(t, s.url, "", "")
	c.get("/healthz").is(200)
	c.get("/readyz").is(200)
	if doc := c.get("/openapi.json").is(200).object(); doc["openapi"] == nil {
		t.Error("/openapi.json is no OpenAPI document")
	} else if about := text(doc["info"]); !strings.Contains(about, "keys in the portal") {
		t.Errorf("it does not tell where keys are made: %s", about)
	}
	c.get("/docs").is(200)
	t.Run("metrics stay inside", func(t *testing.T) {
		c := c.in(t)
		for _, path := range []string{"/metrics", "/debug/pprof/"} {
			if got := c.get(path); got.status == 200 {
				t.Errorf("%s answers on the public address", path)
			}
		}
	})
	t.Run("the request id is the server's own", func(t *testing.T) {
		if got := s.as(t, s.home).get("/public/me", "Svc-Request-Id", "mine").header.Get("Svc-Request-Id"); got == "mine" {
			t.Error("it took over the client's")
		}
	})
	t.Run("no rate is told when there is no limit", func(t *testing.T) {
		for name := range s.as(t, s.home).get("/public/me").is(200).header {
			if strings.HasPrefix(strings.ToLower(name), "x-ratelimit-") {
				t.Errorf("got header %s", name)
			}
		}
	})
}
