package test

import (
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
)

// However many requests come at once, each item is debited once and no balance
// goes below zero.
func testRacingPulls(t *testing.T, s *service) {
	t.Run("the same pull", func(t *testing.T) {
		forEachPull(t, func(t *testing.T, p pull) { raceForOneItem(t, s, p) })
	})
	t.Run("credits for some of them", func(t *testing.T) { raceForTheLastCredits(t, s, s.url, s.url) })
	t.Run("two whole materials that overlap with a property", func(t *testing.T) {
		c := s.buyer(t, 100)
		together(12, func(i int) {
			switch i % 3 {
			case 0:
				pullDatapoints(c, steel, copper).is(200)
			case 1:
				pullDatapoints(c, copper, steel).is(200)
			default:
				pullProperties(c, steel, 1, strength).is(200)
			}
		})
		s.contents.with(density, carbon, strength, conductivity, freebie).checkReads(t, c)
		if got := s.balance(t, c); got != 100-9 {
			t.Errorf("balance %d, want 91", got)
		}
	})
}

func raceForOneItem(t *testing.T, s *service, p pull) {
	c := s.buyer(t, 100)
	var won atomic.Int32
	together(32, func(int) {
		got := c.post(p.path, p.body([]string{p.id}))
		switch {
		case got.status == http.StatusOK && bought(t, got):
			won.Add(1)
		case got.status == http.StatusConflict && (p.name == "process" || p.name == "impacts"):
			got.code("already_revealed")
		case got.status != http.StatusOK:
			t.Errorf("answered %d: %s", got.status, got.body)
		}
	})
	if won.Load() != 1 {
		t.Errorf("%d pulls were charged, want 1", won.Load())
	}
	s.contents.with(p.items...).checkReads(t, c)
	if got := s.balance(t, c); got != 100-p.cost {
		t.Errorf("balance %d, want %d", got, 100-p.cost)
	}
}

// bought reports whether a pull that succeeded revealed anything new.
func bought(t testing.TB, a answer) bool {
	t.Helper()
	o := a.object()
	for _, field := range []string{"creditsDebited", "revealedCount", "revealedImpactCount"} {
		if n, ok := o[field].(float64); ok {
			return n > 0
		}
	}
	t.Errorf("%s says not what it did: %s", a.what, a.body)
	return false
}

// raceForTheLastCredits lets different pulls compete for fewer credits than they
// cost together. The pulls go to the URLs in turn.
func raceForTheLastCredits(t *testing.T, s *service, urls ...string) {
	const credits = 5
	c := s.buyer(t, credits)
	wants := []struct {
		cost int
		item string
		pull func(c *client) answer
	}{
		{2, density, func(c *client) answer { return pullProperties(c, steel, 1, density) }},
		{1, carbon, func(c *client) answer { return pullProperties(c, steel, 1, carbon) }},
		{5, strength, func(c *client) answer { return pullProperties(c, steel, 1, strength) }},
		{1, conductivity, func(c *client) answer { return pullProperties(c, copper, 1, conductivity) }},
		{3, pair(rolling, coil), func(c *client) answer { return pullProcess(c, rolling, 1, coil) }},
		{1, pair(refinery, diesel), func(c *client) answer { return pullProcess(c, refinery, 1, diesel) }},
		{1, pair(refinery, petrol), func(c *client) answer { return pullProcess(c, refinery, 1, petrol) }},
		{1, pair(ipcc, rolling), func(c *client) answer { return pullImpacts(c, rolling, 1, ipcc) }},
		{1, pair(ef31, refinery), func(c *client) answer { return pullImpacts(c, refinery, 1, ef31) }},
	}
	won := make([]atomic.Int32, len(wants))
	together(4*len(wants), func(i int) {
		n := i % len(wants)
		got := wants[n].pull(c.at(urls[i%len(urls)]))
		switch got.status {
		case http.StatusOK:
			if bought(t, got) {
				won[n].Add(1)
			}
		case http.StatusForbidden:
			got.code("insufficient_credits")
		case http.StatusConflict:
			got.code("already_revealed")
		default:
			t.Errorf("answered %d: %s", got.status, got.body)
		}
	})
	v, spent := s.contents, 0
	var refused []int
	for i, want := range wants {
		switch won[i].Load() {
		case 0:
			refused = append(refused, want.cost)
		case 1:
			v, spent = v.with(want.item), spent+want.cost
		default:
			t.Errorf("%s was bought %d times", want.item, won[i].Load())
		}
	}
	if spent > credits || spent == 0 {
		t.Errorf("%d of %d credits were spent", spent, credits)
	}
	if left := credits - spent; slices.ContainsFunc(refused, func(cost int) bool { return cost <= left }) {
		t.Errorf("%d credits are left and a pull was refused that they would pay", left)
	}
	for _, url := range urls {
		v.checkReads(t, c.at(url))
	}
	if got := s.balance(t, c); got != credits-spent {
		t.Errorf("balance %d, want %d", got, credits-spent)
	}
}
