package test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
)

// A misspelt quote must not spend credits.
func testParametersOfPulls(t *testing.T, s *service) {
	c := s.buyer(t, 1000)
	forEachPull(t, func(t *testing.T, p pull) {
		for query, name := range map[string]string{
			"qoute=true": "qoute", "Quote=true": "Quote", "quote=true&dryRun=1": "dryRun", "dry_run=1&quote=false": "dry_run", "quote%20=true": "quote ",
			"quote=true;": "quote", "quote;": "quote;", "search=": "search", "x": "x", "=true": `""`,
		} {
			t.Run(query, func(t *testing.T) {
				for _, version := range []string{arrakis, obsidian} {
					c.in(t).withVersion(version).post(p.path+"?"+query, p.body([]string{p.id})).refuses(400, name).code("invalid_request")
				}
			})
		}
		t.Run("none of its own", func(t *testing.T) {
			for _, query := range []string{"?quote=true", "?&quote=true&"} {
				c.in(t).post(p.path+query, p.body([]string{p.id})).is(200)
			}
		})
	})
	s.contents.checkReads(t, c)
	if got := s.balance(t, c); got != 1000 {
		t.Errorf("it cost %d credits", 1000-got)
	}
	forEachPull(t, func(t *testing.T, p pull) {
		s.buyer(t, p.cost).post(p.path+"?", p.body([]string{p.id})).is(200)
	})
}

// sends sends a request with each of the values in a line of its own.
func (c *client) sends(method, path, body, header string, values ...string) answer {
	c.t.Helper()
	req, err := http.NewRequest(method, c.url+path, reader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	c.identify(req)
	req.Header.Del(header)
	for _, value := range values {
		req.Header.Add(header, value)
	}
	got, err := c.send(req)
	if err != nil {
		c.t.Fatal(err)
	}
	return got
}

// Repeated headers are refused, so that key, team and version are never a guess.
func testRepeatedHeaders(t *testing.T, s *service) {
	c := s.buyer(t, 1000)
	other := s.buyer(t, 1000)
	buys := pulls[0].body([]string{pulls[0].id})
	for _, ask := range []struct{ method, path, body string }{
		{"GET", "/public/me", ""}, {"GET", "/public/nothing", ""}, {"POST", pulls[0].path, buys}, {"POST", "/graphql", `{"query":"{ me { id } }"}`},
	} {
		t.Run(ask.method+" "+ask.path, func(t *testing.T) {
			c := c.in(t)
			for _, teams := range [][]string{{c.team, c.team}, {c.team, other.team}, {other.team, c.team}, {c.team, "x"}, {c.team, "", c.team}} {
				c.sends(ask.method, ask.path, ask.body, "x-team-id", teams...).refuses(400, "x-team-id").code("invalid_request")
			}
			for _, versions := range [][]string{{arrakis, arrakis}, {arrakis, obsidian}, {obsidian, "", "x"}} {
				c.sends(ask.method, ask.path, ask.body, "Svc-Version", versions...).refuses(400, "Svc-Version").code("invalid_request")
				c.withTeam("").sends(ask.method, ask.path, ask.body, "Svc-Version", versions...).refuses(400, "Svc-Version")
				c.withKey("x").sends(ask.method, ask.path, ask.body, "Svc-Version", versions...).refuses(401)
			}
			for _, keys := range [][]string{{c.key, c.key}, {c.key, s.test}, {c.key, "x"}, {"x", c.key}} {
				c.sends(ask.method, ask.path, ask.body, "x-api-key", keys...).refuses(401, "Invalid API key").code("invalid_api_key")
			}
		})
	}
	t.Run("empty is omitted", func(t *testing.T) {
		c := c.in(t)
		const path = "/public/me"
		c.sends("GET", path, "", "x-api-key", "").refuses(401, "Invalid API key")
		c.sends("GET", path, "", "x-team-id", "").refuses(400, "x-team-id").code("missing_team")
		c.sends("GET", path, "", "x-team-id", "", "").refuses(400, "x-team-id").code("missing_team")
		for header, value := range map[string]string{"x-api-key": c.key, "x-team-id": c.team, "Svc-Version": obsidian} {
			c := c.withVersion(obsidian)
			c.sends("GET", path, "", header, "", value).is(200)
			c.sends("GET", path, "", header, value, " ").is(200)
		}
		if got := c.sends("GET", path, "", "Svc-Version", "").is(200).header.Get("Svc-Version"); got != arrakis {
			t.Errorf("served by %s", got)
		}
	})
	for _, c := range []*client{c, other} {
		s.contents.checkReads(t, c)
		if got := s.balance(t, c); got != 1000 {
			t.Errorf("it cost %d credits", 1000-got)
		}
	}
}

func testCompressedBodies(t *testing.T, s *service) {
	c := s.buyer(t, 1000)
	refused := func(t *testing.T, path, body string) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write([]byte(body))
		w.Close()
		c := c.in(t)
		for _, encoding := range []string{"gzip", "x-gzip", "zstd", "br", "deflate", "GZIP", "identity, gzip", "aws-chunked"} {
			got := c.post(path, packed.String(), "Content-Encoding", encoding).refuses(415, "Content-Encoding", "uncompressed")
			if accept := got.code("unsupported_media_type").header.Get("Accept-Encoding"); accept != "identity" {
				t.Errorf("Accept-Encoding: %q", accept)
			}
		}
		c.post(path, body, "Content-Encoding", "gzip").refuses(415, "Content-Encoding")
		c.sends("POST", path, body, "Content-Encoding", "identity", "gzip").refuses(415, "Content-Encoding")
	}
	forEachPull(t, func(t *testing.T, p pull) {
		refused(t, p.path, p.body([]string{p.id}))
		for _, encoding := range []string{"identity", "Identity", ""} {
			c.in(t).post(p.path+"?quote=true", p.body([]string{p.id}), "Content-Encoding", encoding).is(200)
		}
	})
	t.Run("GraphQL", func(t *testing.T) {
		refused(t, "/graphql", `{"query":"{ me { id } }"}`)
		c.in(t).post("/graphql", `{"query":"{ me { id } }"}`, "Content-Encoding", "identity").is(200)
	})
	if got := s.balance(t, c); got != 1000 {
		t.Errorf("it cost %d credits", 1000-got)
	}
}

// Allow lists every method of a path, and a pull's path is never a row of a
// record.
func testAllowedMethods(t *testing.T, s *service) {
	c := s.as(t, s.home)
	allows := func(method, path, want string) {
		t.Helper()
		got := c.do(method, path, "")
		if got.status != 405 || got.header.Get("Allow") != want {
			t.Errorf("%s answered %d, Allow %q, want 405, %q", got.what, got.status, got.header.Get("Allow"), want)
		}
	}
	for _, path := range []string{
		"/public/me", "/public/teams", "/public/materials", "/public/materials/pulled", "/public/materials/" + steel, "/public/materials/x",
		"/public/materials/" + steel + "/properties/" + density, "/public/processes/" + rolling, "/public/impact-methods", "/public/export",
	} {
		for _, method := range []string{"POST", "PUT", "DELETE"} {
			allows(method, path, "GET, HEAD")
		}
	}
	for _, p := range pulls {
		for _, path := range []string{p.path, strings.NewReplacer(steel, "x", rolling, "x").Replace(p.path), strings.NewReplacer(steel, unknown, rolling, unknown).Replace(p.path)} {
			for _, method := range []string{"GET", "HEAD", "PUT", "DELETE"} {
				allows(method, path, "POST")
				allows(method, path+"?quote=true", "POST")
			}
		}
	}
}
