package test

import (
	"strconv"
	"strings"
	"testing"
)

// enough requests use up any burst that a limit of 5 a second may allow, though
// it fills again meanwhile.
const enough = 3000

// untilLimited asks until the answer is 429.
func untilLimited(t *testing.T, ask func() answer) answer {
	t.Helper()
	for range enough {
		if got := ask(); got.status == 429 {
			return got
		}
	}
	t.Fatal("no limit was reached")
	return answer{}
}

func TestRateLimit(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary(), "CRADLE_RATE_LIMIT=5")
		c := s.as(t, s.home)
		t.Run("told on every answer from the limit on", func(t *testing.T) {
			c := c.in(t)
			for _, got := range []answer{c.get("/public/me").is(200), c.get("/public/nothing").is(404), c.do("PUT", "/public/me", "").is(405),
				c.get("/public/materials/" + unknown).is(404), pullProperties(c, steel, 1, density).is(403),
				c.post("/graphql", "{").is(400), c.graphql("{ me { id } }", nil).is(200)} {
				checkRateHeaders(t, got)
			}
		})
		t.Run("not told before", func(t *testing.T) {
			c := c.in(t)
			for _, got := range []answer{c.withVersion("x").get("/public/me").is(400), c.withTeam("").get("/public/me").is(400), c.withTeam(unknown).get("/public/me").is(403)} {
				if value := got.header.Get("X-RateLimit-Limit"); value != "" {
					t.Errorf("%s answered %d with X-RateLimit-Limit %s", got.what, got.status, value)
				}
			}
		})
		t.Run("the answer beyond it", func(t *testing.T) {
			c := c.in(t)
			got := untilLimited(t, func() answer { return c.get("/public/me") })
			checkRateHeaders(t, got)
			if remaining := got.header.Get("X-RateLimit-Remaining"); remaining != "0" {
				t.Errorf("X-RateLimit-Remaining %s", remaining)
			}
			if wait, err := strconv.Atoi(got.header.Get("Retry-After")); err != nil || wait < 1 {
				t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
			}
		})
		t.Run("comes before the route and after the team", func(t *testing.T) {
			c := c.in(t)
			untilLimited(t, func() answer { return c.get("/public/nothing") })
			untilLimited(t, func() answer { return c.do("PUT", "/public/me", "") })
			untilLimited(t, func() answer { return c.post("/public/datapoints/pull", "{") })
			untilLimited(t, func() answer { return c.get("/public/me", "If-None-Match", "*") })
			c.withTeam("").get("/public/me").refuses(400)
			c.withTeam(unknown).get("/public/me").refuses(403)
		})
		t.Run("each key has its own", func(t *testing.T) {
			c := c.in(t)
			other := c.withKey(s.addKey(t, ada))
			untilLimited(t, func() answer { return c.get("/public/me") })
			other.get("/public/me").is(200)
		})
		t.Run("refused keys are limited too, good ones from the same address are not", func(t *testing.T) {
			c := c.in(t)
			good := c.withKey(s.addKey(t, ada))
			n := 0
			got := untilLimited(t, func() answer {
				n++
				return c.withKey("svc_live_"+strings.Repeat("A", 28)+pad(n)).get("/public/me", "X-Forwarded-For", "203.0.113."+itoa(n%256))
			})
			if wait, err := strconv.Atoi(got.header.Get("Retry-After")); err != nil || wait < 1 {
				t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
			}
			good.get("/public/me").is(200)
		})
	})
}

func pad(n int) string {
	digits := "000" + itoa(n)
	return digits[len(digits)-4:]
}

func checkRateHeaders(t *testing.T, a answer) {
	t.Helper()
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		value, err := strconv.ParseInt(a.header.Get(name), 10, 64)
		if err != nil || value < 0 || name == "X-RateLimit-Reset" && value < 1_700_000_000 {
			t.Errorf("%s answered %d with %s %q", a.what, a.status, name, a.header.Get(name))
		}
	}
}
