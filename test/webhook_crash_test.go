package test

import (
	"net/http"
	"sync"
	"testing"
)

// The receiver has the event, and the server dies before it can record that.
// After the lease another server sends the same event again, byte for byte.
func TestKilledBetweenSendAndRecord(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary(), allowLocal)
		r := newReceiver(t)
		c := s.buyer(t, 10)
		w := s.addEndpoint(t, c.team, r.url)
		crash := sync.OnceFunc(s.kill)
		r.answers(func(http.ResponseWriter, *http.Request) { crash() })
		if got, err := c.try("POST", "/public/materials/"+steel+"/properties/pull", request("propertyIds", []string{density}, 1),
			"Content-Type", "application/json"); err == nil {
			got.is(200)
		}
		first := r.next(t)
		crash()
		if d := s.deliveries(t, w.ID); len(d) != 1 || d[0].State != "waiting" || len(d[0].Attempts) != 0 {
			t.Fatalf("after the crash: %+v", d)
		}
		s.endLeases(t)
		s.server = s.serve(t)
		again := r.next(t)
		checkHook(t, again, w, w.Secret)
		if again.body != first.body || again.event() != first.event() {
			t.Errorf("%+v, then %+v", first, again)
		}
		if d := s.settled(t, w.ID, "delivered", 1)[0]; len(d.Attempts) != 1 {
			t.Errorf("%+v", d)
		}
		r.nothing(t)
	})
}

// More deliveries are committed than may be in flight to an endpoint that does
// not answer; then the server dies. Every event arrives, and only those in
// flight arrive twice.
func TestKilledBetweenCommitAndSend(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		const events, most = 45, 32
		s := newService(t, e, publicLibrary(), allowLocal)
		r := newReceiver(t)
		letGo := r.hangs(t)
		c := s.buyer(t, 10)
		w := s.addEndpoint(t, c.team, r.url)
		for range events {
			pullProperties(c, steel, 1, carbon).is(200)
		}
		bodies, times := map[string]string{}, map[string]int{}
		take := func() {
			h := r.next(t)
			times[h.event()]++
			if before, known := bodies[h.event()]; known && before != h.body {
				t.Errorf("%s was %q, now %q", h.event(), before, h.body)
			}
			bodies[h.event()] = h.body
		}
		for range 16 { // as many as are sent at once
			take()
		}
		s.kill()
		letGo()
		r.answersStatus(200)
		s.endLeases(t)
		s.server = s.serve(t)
		for _, d := range s.settled(t, w.ID, "delivered", events) {
			if len(d.Attempts) != 1 {
				t.Errorf("%+v", d)
			}
		}
		for len(r.arrived) > 0 {
			take()
		}
		twice := 0
		for event, n := range times {
			if n > 2 {
				t.Errorf("%s arrived %d times", event, n)
			}
			if n == 2 {
				twice++
			}
		}
		if len(times) != events || twice < 16 || twice > most {
			t.Errorf("%d of %d events arrived, %d of them twice", len(times), events, twice)
		}
	})
}

// Two servers share the work: each event arrives once, whichever server handled
// the pull and whichever sent it.
func TestTwoServersSendEachEventOnce(t *testing.T) {
	t.Parallel()
	const events = 120
	s := newService(t, engines[1], publicLibrary(), allowLocal)
	second := s.serve(t)
	r := newReceiver(t)
	c := s.buyer(t, 10)
	w := s.addEndpoint(t, c.team, r.url)
	urls := []string{s.url, second.url}
	together(6, func(i int) {
		for range events / 6 {
			pullProperties(c.at(urls[i%2]), steel, 1, carbon).is(200)
		}
	})
	for _, d := range s.settled(t, w.ID, "delivered", events) {
		if len(d.Attempts) != 1 {
			t.Errorf("%+v", d)
		}
	}
	seen := map[string]bool{}
	for range events {
		seen[r.next(t).event()] = true
	}
	if len(seen) != events {
		t.Errorf("%d of %d events arrived", len(seen), events)
	}
	r.nothing(t)

	// The remaining server continues alone, including with the killed one's
	// claims.
	r.hangs(t)
	pullProperties(c, steel, 1, carbon).is(200)
	pullProperties(c, steel, 1, carbon).is(200)
	first := map[string]bool{r.next(t).event(): true, r.next(t).event(): true}
	s.kill()
	second.kill()
	r.answersStatus(200)
	s.endLeases(t)
	s.server = s.serve(t)
	for range 2 {
		if event := r.next(t).event(); !first[event] {
			t.Errorf("%s was not under way", event)
		}
	}
	s.settled(t, w.ID, "delivered", events+2)
}
