package test

import (
	"fmt"
	"strings"
	"testing"
)

// What a team cannot see is a 404, whatever the reason.
func testMissingRecords(t *testing.T, s *service) {
	c := s.buyer(t, 0)
	m, p := "/public/materials/", "/public/processes/"
	for name, path := range map[string]string{
		"unknown material":                    m + unknown,
		"material id that is no UUID":         m + "steel",
		"material id without hyphens":         m + strings.ReplaceAll(steel, "-", ""),
		"material id in braces":               m + "%7B" + steel + "%7D",
		"material id as URN":                  m + "urn:uuid:" + steel,
		"material id with a NUL":              m + steel + "%00",
		"material id with a space":            m + "%20" + steel,
		"material id that is not UTF-8":       m + "%ff",
		"deleted material":                    m + scrap,
		"restricted material":                 m + alloy,
		"process id as a material":            m + rolling,
		"unknown property":                    m + steel + "/properties/" + unknown,
		"property id that is no UUID":         m + steel + "/properties/density",
		"property of another material":        m + copper + "/properties/" + density,
		"property of an unknown material":     m + unknown + "/properties/" + density,
		"deleted property":                    m + steel + "/properties/" + ghost,
		"property of a deleted material":      m + scrap + "/properties/" + scrapShare,
		"property of a restricted material":   m + alloy + "/properties/" + hardness,
		"restricted property elsewhere":       m + steel + "/properties/" + hardness,
		"unknown process":                     p + unknown,
		"process id that is no UUID":          p + "rolling",
		"deleted process":                     p + oldMill,
		"restricted process":                  p + newMill,
		"material id as a process":            p + steel,
		"unknown impact":                      p + rolling + "/impacts/" + unknown,
		"impact id that is no UUID":           p + rolling + "/impacts/gwp",
		"impact of another process":           p + refinery + "/impacts/" + gwpRolling,
		"deleted impact":                      p + rolling + "/impacts/" + deletedImpact,
		"impact of a restricted process":      p + newMill + "/impacts/" + gwpNewMill,
		"impact of an unknown process":        p + unknown + "/impacts/" + gwpRolling,
		"impact of a process that is no UUID": p + "rolling/impacts/" + gwpRolling,
	} {
		t.Run(name, func(t *testing.T) {
			got := c.in(t).get(path).refuses(404)
			if strings.Contains(got.message(), "Alloy") || strings.Contains(got.message(), "New mill") {
				t.Errorf("the message tells what is hidden: %s", got.message())
			}
		})
	}
	t.Run("hidden reads as unknown does", func(t *testing.T) {
		c := c.in(t)
		for _, path := range []string{m, p} {
			for _, hidden := range []string{alloy, newMill, scrap, oldMill} {
				want := strings.ReplaceAll(c.get(path+unknown).refuses(404).message(), unknown, hidden)
				if got := c.get(path + hidden).refuses(404).message(); got != want {
					t.Errorf("%s says %q, unknown says %q", hidden, got, want)
				}
			}
		}
	})
}

func testIDsInAnyCase(t *testing.T, s *service) {
	c := s.buyer(t, 0)
	for _, path := range []string{
		"/public/materials/" + steel, "/public/processes/" + refinery,
		"/public/materials/" + steel + "/properties/" + density, "/public/processes/" + rolling + "/impacts/" + gwpRolling,
	} {
		upper := path
		for _, id := range []string{steel, refinery, density, rolling, gwpRolling} {
			upper = strings.ReplaceAll(upper, id, strings.ToUpper(id))
		}
		c.get(upper).says(c.get(path).is(200).json())
	}
}

// Methods are sorted by folded name, then version.
func testMethods(t *testing.T, s *service) {
	want := obj{"items": list{
		obj{"id": ef30, "name": "ef", "version": "3.0"},
		obj{"id": ef31, "name": "EF", "version": "3.1"},
		obj{"id": ipcc, "name": "IPCC", "version": "2021"},
		obj{"id": recipe, "name": "ReCiPe", "version": "2016"},
	}, "total": 4.0}
	c := s.buyer(t, 0)
	c.get("/public/impact-methods").says(want)
	c.withVersion(obsidian).get("/public/impact-methods").says(want)
}

// A team sees what is restricted to it; for others it does not exist.
func testVisibility(t *testing.T, s *service) {
	t.Run("a team that it is restricted to", func(t *testing.T) { insider().checkReads(t, s.as(t, s.home)) })
	t.Run("the same team's sandbox", func(t *testing.T) { insider().checkReads(t, s.as(t, s.home).withKey(s.test)) })
	t.Run("another team", func(t *testing.T) { outsider().checkReads(t, s.buyer(t, 0)) })
	t.Run("a restricted material in a public process", func(t *testing.T) {
		in, out := s.as(t, s.home), s.buyer(t, 0)
		for _, c := range []*client{in, out} {
			pullProcess(c, mixing, 1, mixture).is(200) // it is free
		}
		insider().with(pair(mixing, mixture)).checkReads(t, in)
		outsider().with(pair(mixing, mixture)).checkReads(t, out)
	})
	t.Run("search and totals leave it out", func(t *testing.T) {
		for path, search := range map[string]string{"/public/materials": "secret", "/public/processes": "new+mill"} {
			if got := s.as(t, s.home).get(path + "?search=" + search).items(); len(got) != 1 {
				t.Errorf("its own team finds %d", len(got))
			}
			if got := s.buyer(t, 0).get(path + "?search=" + search).is(200).object(); got["total"] != 0.0 {
				t.Errorf("another team finds %v", got)
			}
		}
	})
}

// Every step of a team's purchases, with all reads after each.
func testMasks(t *testing.T, s *service) {
	c, bystander := s.buyer(t, 100), s.buyer(t, 100)
	v := s.contents
	v.checkReads(t, c)
	for i, step := range []struct {
		name  string
		pull  func(c *client) answer
		items []string
	}{
		{"one property", func(c *client) answer { return pullProperties(c, steel, 1, density) }, []string{density}},
		{"another material's property", func(c *client) answer { return pullProperties(c, copper, 1, conductivity) }, []string{conductivity}},
		{"a further reference product", func(c *client) answer { return pullProcess(c, refinery, 1, diesel) }, []string{pair(refinery, diesel)}},
		{"the quantitative reference", func(c *client) answer { return pullProcess(c, refinery, 1, petrol) }, []string{pair(refinery, petrol)}},
		{"the only product", func(c *client) answer { return pullProcess(c, rolling, 1, coil) }, []string{pair(rolling, coil)}},
		{"a method", func(c *client) answer { return pullImpacts(c, rolling, 1, ef31) }, []string{pair(ef31, rolling)}},
		{"a method on a flow-based process", func(c *client) answer { return pullImpacts(c, refinery, 1, ef31) }, []string{pair(ef31, refinery)}},
		{"the other method", func(c *client) answer { return pullImpacts(c, rolling, 1, ipcc) }, []string{pair(ipcc, rolling)}},
		{"a whole material", func(c *client) answer { return pullDatapoints(c, steel) }, []string{density, carbon, strength}},
	} {
		t.Run(fmt.Sprintf("step %d, %s", i+1, step.name), func(t *testing.T) {
			c := c.in(t)
			step.pull(c).is(200)
			v = v.with(step.items...)
			v.checkReads(t, c)
		})
	}
	t.Run("search and pages of what is pulled", func(t *testing.T) {
		c := c.in(t)
		for query, want := range map[string]int{"search=COPPER": 1, "search=water": 0, "search=e": 2} {
			for _, path := range []string{"/public/materials/pulled?", "/public/materials?pulled=true&"} {
				if got := c.get(path + query).is(200); len(got.items()) != want || got.object()["total"] != float64(want) {
					t.Errorf("%s%s: %s", path, query, got.body)
				}
			}
		}
		for offset, more := range []bool{true, false} {
			got := c.get(fmt.Sprintf("/public/processes/pulled?limit=1&offset=%d", offset)).is(200)
			if o := got.object(); len(got.items()) != 1 || o["total"] != 2.0 || o["hasMore"] != more {
				t.Errorf("at %d: %s", offset, got.body)
			}
		}
	})
	t.Run("another team sees none of it", func(t *testing.T) { s.contents.checkReads(t, bystander.in(t)) })
	t.Run("nor does the team's sandbox", func(t *testing.T) { s.contents.checkReads(t, c.withKey(s.test).in(t)) })
	t.Run("every key of the team's members does", func(t *testing.T) {
		c := c.in(t)
		s.addUser(t, "masks@example.org")
		command[obj](t, s.installation, "team", "member", c.team, "masks@example.org", "--role", "member")
		v.checkReads(t, c.withKey(s.addKey(t, "masks@example.org")))
	})
	t.Run("only impacts, on a flow-based process", func(t *testing.T) {
		bystander := bystander.in(t)
		pullImpacts(bystander, refinery, 1, ipcc).is(200)
		s.contents.with(pair(ipcc, refinery)).checkReads(t, bystander)
	})
}

// Live and sandbox are separate, with separate credits.
func testModes(t *testing.T, s *service) {
	live := s.buyer(t, 10)
	sandbox := live.withKey(s.test)
	if got := s.credits(t, live.team); got.Live.Balance != 10 || got.Sandbox.Balance != 1000 {
		t.Errorf("a new team with 10 credits has %+v", got)
	}
	pullProperties(sandbox, steel, 1, density).is(200)
	s.contents.checkReads(t, live)
	s.contents.with(density).checkReads(t, sandbox)

	pullProperties(live, steel, 1, carbon).is(200)
	pullProcess(live, rolling, 1, coil).is(200)
	s.contents.with(carbon, pair(rolling, coil)).checkReads(t, live)
	s.contents.with(density).checkReads(t, sandbox)

	pullProperties(live, steel, 1, density).says(obj{"materialId": steel, "pulledPropertyIds": ids(density), "creditsDebited": 2.0})
	pullDatapoints(sandbox, steel).says(obj{"pulledMaterialIds": ids(steel), "creditsDebited": 6.0})
	if got := s.credits(t, live.team); got.Live.Balance != 10-1-3-2 || got.Sandbox.Balance != 1000-2-6 {
		t.Errorf("after the pulls: %d live and %d sandbox credits", got.Live.Balance, got.Sandbox.Balance)
	}
	pullDatapoints(sandbox, copper).is(200)
	pullProperties(sandbox, steel, 1000, density).is(200) // is owned
	pullProcess(sandbox, rolling, 1000, coil).refuses(403).code("insufficient_credits")
}
