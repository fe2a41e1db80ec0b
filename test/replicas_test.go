package test

import (
	"testing"
)

// Two servers on one PostgreSQL are one service: each sees what the other, or a
// command, did before its next request.
func TestTwoServersOnOnePostgres(t *testing.T) {
	t.Parallel()
	s := newStandardService(t, engines[1])
	first := s.server
	second := s.serve(t)
	const email = "replicas@example.org"
	s.addUser(t, email)
	team := s.addTeam(t, email, 100)
	key := s.newKey(t, email)
	c := newClient(t, first.url, key.Key, team)
	both := []*client{c, c.at(second.url)}
	everywhere := func(t *testing.T, f func(c *client)) {
		for _, c := range both {
			f(c.in(t))
		}
	}

	t.Run("a pull at one is seen at the other", func(t *testing.T) {
		v := s.contents
		for i, step := range []struct {
			item string
			pull func(c *client) answer
		}{
			{density, func(c *client) answer { return pullProperties(c, steel, 1, density) }},
			{pair(rolling, coil), func(c *client) answer { return pullProcess(c, rolling, 1, coil) }},
			{pair(ipcc, refinery), func(c *client) answer { return pullImpacts(c, refinery, 1, ipcc) }},
		} {
			everywhere(t, func(c *client) { v.checkReads(t, c) })
			step.pull(both[i%2].in(t)).is(200)
			v = v.with(step.item)
			everywhere(t, func(c *client) { v.checkReads(t, c) })
		}
	})
	t.Run("an idempotency key is one", func(t *testing.T) {
		path, body := "/public/materials/"+copper+"/properties/pull", request("propertyIds", []string{conductivity}, 1)
		both[0].in(t).post(path, body, idempotencyKey, "once").is(200)
		if got := both[1].in(t).post(path, body, idempotencyKey, "once").is(200); !isReplay(got) {
			t.Error("the other server pulled again")
		}
	})
	t.Run("also when both are asked at once", func(t *testing.T) {
		forEachPull(t, func(t *testing.T, p pull) { raceOneKey(t, s, p, first.url, second.url) })
	})
	t.Run("a new import", func(t *testing.T) {
		fresh := uid("a0a0a0a0", 77)
		everywhere(t, func(c *client) { c.get("/public/materials/" + fresh).is(404) })
		s.load(t, library{materials: []material{{ID: fresh, Name: "Fresh"}}})
		everywhere(t, func(c *client) {
			c.get("/public/materials/" + fresh).is(200)
			if got := c.get("/public/materials?search=fresh").items(); len(got) != 1 {
				t.Errorf("%d found", len(got))
			}
		})
		s.load(t, library{materials: []material{{ID: fresh, Name: "Fresher"}}})
		everywhere(t, func(c *client) {
			if got := c.get("/public/materials/" + fresh).is(200).object()["name"]; got != "Fresher" {
				t.Errorf("the name is %v", got)
			}
		})
		s.load(t, library{materials: []material{{ID: fresh, Name: "Fresher", Deleted: "true"}}})
		everywhere(t, func(c *client) { c.get("/public/materials/" + fresh).is(404) })
	})
	t.Run("a race for the last credits", func(t *testing.T) {
		raceForTheLastCredits(t, s, first.url, second.url)
	})
	t.Run("the end of a membership", func(t *testing.T) {
		guest := s.addTeam(t, ada, 0)
		everywhere(t, func(c *client) { c.withTeam(guest).get("/public/me").is(403) })
		command[obj](t, s.installation, "team", "member", guest, email, "--role", "member")
		everywhere(t, func(c *client) { c.withTeam(guest).get("/public/me").is(200) })
		command[obj](t, s.installation, "team", "member", guest, email, "--remove")
		everywhere(t, func(c *client) { c.withTeam(guest).get("/public/me").is(403) })
	})
	t.Run("a revoked key", func(t *testing.T) {
		everywhere(t, func(c *client) { c.get("/public/me").is(200) })
		command[obj](t, s.installation, "key", "revoke", key.ID)
		everywhere(t, func(c *client) { c.get("/public/me").refuses(401, "Invalid API key") })
	})
	t.Run("a disabled user", func(t *testing.T) {
		other := s.addKey(t, email)
		everywhere(t, func(c *client) { c.withKey(other).get("/public/me").is(200) })
		command[obj](t, s.installation, "user", "disable", email)
		everywhere(t, func(c *client) { c.withKey(other).get("/public/me").refuses(401, "Invalid API key") })
	})
}
