package test

import (
	"strings"
	"sync"
	"testing"
)

const idempotencyKey = "Idempotency-Key"

func testIdempotency(t *testing.T, s *service) {
	t.Run("a retry gets the same answer and costs nothing", func(t *testing.T) {
		forEachPull(t, func(t *testing.T, p pull) { checkReplay(t, s, p) })
	})
	t.Run("scope", func(t *testing.T) { checkIdempotencyScope(t, s) })
	t.Run("the same key with another request", func(t *testing.T) { checkReuse(t, s) })
	t.Run("refusals are not stored", func(t *testing.T) { checkRefusalsAreRetried(t, s) })
	t.Run("quotes ignore it", func(t *testing.T) { checkQuotesIgnoreKeys(t, s) })
	t.Run("values", func(t *testing.T) { checkIdempotencyValues(t, s) })
	t.Run("many at once", func(t *testing.T) { checkConcurrentRetries(t, s) })
	t.Run("different requests at once", func(t *testing.T) { checkConcurrentReuse(t, s) })
}

func isReplay(a answer) bool { return a.header.Get("Idempotent-Replayed") == "true" }

// The first pull takes the last credits, so that the retry could not pay again.
func checkReplay(t *testing.T, s *service, p pull) {
	c := s.buyer(t, p.cost)
	body := p.body([]string{p.id})
	first := c.post(p.path, body, idempotencyKey, "order-1").is(200)
	if first.header.Get("Idempotent-Replayed") != "" {
		t.Error("the first answer says it is replayed")
	}
	for range 2 {
		again := c.post(p.path, body, idempotencyKey, "order-1").is(200)
		if !isReplay(again) || string(again.body) != string(first.body) {
			t.Errorf("the retry answered %s (replayed: %v), the first %s", again.body, isReplay(again), first.body)
		}
	}
	if got := s.balance(t, c); got != 0 {
		t.Errorf("balance %d, want 0", got)
	}
	if entries := s.credits(t, c.team).Live.Entries; len(entries) != 2 {
		t.Errorf("ledger: %+v", entries)
	}
}

// The same key value is independent for another API key and for another team.
func checkIdempotencyScope(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	path, body := "/public/materials/"+steel+"/properties/pull", request("propertyIds", []string{density}, 1)
	c.post(path, body, idempotencyKey, "scope").is(200)
	for name, other := range map[string]*client{
		"another team":            s.buyer(t, 100),
		"another key of the user": c.withKey(s.addKey(t, ada)),
		"the sandbox":             c.withKey(s.test),
	} {
		if got := other.post(path, body, idempotencyKey, "scope").is(200); isReplay(got) {
			t.Errorf("%s gets the answer of the first", name)
		}
	}
	if got := c.post(path, body, idempotencyKey, "Scope").is(200); isReplay(got) {
		t.Error("another value gets the answer of the first")
	}
	if got := s.balance(t, c); got != 98 {
		t.Errorf("balance %d, want 98", got)
	}
}

func checkReuse(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	path, body := "/public/materials/"+steel+"/properties/pull", request("propertyIds", []string{density}, 1)
	c.post(path, body, idempotencyKey, "reuse").is(200)
	for name, got := range map[string]answer{
		"another body":    c.post(path, request("propertyIds", []string{carbon}, 1), idempotencyKey, "reuse"),
		"another count":   c.post(path, request("propertyIds", []string{density}, 2), idempotencyKey, "reuse"),
		"another path":    c.post("/public/materials/"+copper+"/properties/pull", body, idempotencyKey, "reuse"),
		"another kind":    c.post("/public/datapoints/pull", request("materialIds", []string{copper}, 0), idempotencyKey, "reuse"),
		"another version": c.withVersion(obsidian).post(path, body, idempotencyKey, "reuse"),
		"another query":   c.post(path+"?quote=false", body, idempotencyKey, "reuse"),
	} {
		if got.status != 422 {
			t.Errorf("%s answered %d, want 422: %s", name, got.status, got.body)
		}
	}
	if got := c.post(path, body, idempotencyKey, "reuse").is(200); !isReplay(got) {
		t.Error("after the refusals the first answer is gone")
	}
	s.contents.with(density).checkReads(t, c)
	if got := s.balance(t, c); got != 98 {
		t.Errorf("balance %d, want 98", got)
	}
}

func checkRefusalsAreRetried(t *testing.T, s *service) {
	forEachPull(t, func(t *testing.T, p pull) {
		c := s.buyer(t, 0)
		body := p.body([]string{p.id})
		c.post(p.path, body, idempotencyKey, "retry").refuses(p.poor)
		c.post(p.path, p.body([]string{unknown}), idempotencyKey, "retry").refuses(404)
		s.grant(t, c.team, p.cost)
		if got := c.post(p.path, body, idempotencyKey, "retry").is(200); isReplay(got) {
			t.Error("the retry says it is replayed")
		}
		if got := s.balance(t, c); got != 0 {
			t.Errorf("balance %d, want 0", got)
		}
	})
}

func checkQuotesIgnoreKeys(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	path, body := "/public/processes/"+rolling+"/pull", request("referenceProductIds", []string{coil}, 1)
	first := c.post(path+"?quote=true", body, idempotencyKey, "quote").is(200).object()
	if got := c.post(path, body, idempotencyKey, "quote").is(200); isReplay(got) {
		t.Error("a pull replays a quote")
	}
	second := c.post(path+"?quote=true", body, idempotencyKey, "quote").is(200)
	if isReplay(second) || second.object()["credits"] == first["credits"] {
		t.Errorf("a quote after the pull answers %s", second.body)
	}
}

func checkIdempotencyValues(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	path, body := "/public/materials/"+steel+"/properties/pull", request("propertyIds", []string{carbon}, 1)
	for name, value := range map[string]string{
		"empty": "", "too long": strings.Repeat("k", 256), "with a tab": "a\tb", "with a space": "a b", "beyond ASCII": "schlüssel",
	} {
		t.Run(name, func(t *testing.T) {
			c.in(t).post(path, body, idempotencyKey, value).refuses(400, idempotencyKey)
		})
	}
	s.contents.checkReads(t, c)
	for name, value := range map[string]string{"one character": "!", "the longest": strings.Repeat("~", 255)} {
		t.Run(name, func(t *testing.T) {
			c := c.in(t)
			c.post(path, body, idempotencyKey, value).is(200)
			if got := c.post(path, body, idempotencyKey, value).is(200); !isReplay(got) {
				t.Error("it is not kept")
			}
		})
	}
}

func checkConcurrentRetries(t *testing.T, s *service) {
	forEachPull(t, func(t *testing.T, p pull) { raceOneKey(t, s, p, s.url) })
}

// raceOneKey sends one request many times at once, to the urls in turn.
func raceOneKey(t *testing.T, s *service, p pull, urls ...string) {
	c := s.buyer(t, 100)
	var mu sync.Mutex
	originals := 0
	together(16, func(i int) {
		got := c.at(urls[i%len(urls)]).post(p.path, p.body([]string{p.id}), idempotencyKey, "once")
		mu.Lock()
		defer mu.Unlock()
		switch {
		case got.status == 200 && !isReplay(got):
			originals++
		case got.status == 409:
			got.code("idempotency_in_flight")
		case got.status != 200:
			t.Errorf("answered %d: %s", got.status, got.body)
		}
	})
	if originals != 1 {
		t.Errorf("%d answers were made anew, want 1", originals)
	}
	if got := s.balance(t, c); got != 100-p.cost {
		t.Errorf("balance %d, want %d", got, 100-p.cost)
	}
}

func checkConcurrentReuse(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	var mu sync.Mutex
	made := 0
	together(12, func(i int) {
		body := request("propertyIds", []string{[]string{density, carbon, strength}[i%3]}, 1+i/3)
		got := c.post("/public/materials/"+steel+"/properties/pull", body, idempotencyKey, "one-of-many")
		mu.Lock()
		defer mu.Unlock()
		switch got.status {
		case 200:
			if !isReplay(got) {
				made++
			}
		case 409, 422:
		default:
			t.Errorf("answered %d: %s", got.status, got.body)
		}
	})
	if made != 1 {
		t.Errorf("%d pulls were made, want 1", made)
	}
	if entries := s.credits(t, c.team).Live.Entries; len(entries) != 2 {
		t.Errorf("ledger: %+v", entries)
	}
}
