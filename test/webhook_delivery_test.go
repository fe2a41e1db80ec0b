package test

import (
	"bytes"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestWebhooks(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary(), allowLocal)
		for _, test := range []struct {
			name string
			run  func(t *testing.T, s *service)
		}{
			{"events of every pull in both modes", testEventsOfPulls},
			{"what emits no event", testWhatEmitsNone},
			{"a choice of events", testChoiceOfEvents},
			{"answers", testWebhookAnswers},
			{"retries", testRetries},
			{"changes midway", testChangesMidway},
			{"tests", testTests},
			{"rotation", testRotation},
			{"a dead endpoint", testDeadEndpoint},
			{"addresses", testWebhookAddresses},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				test.run(t, s)
			})
		}
	})
}

func testEventsOfPulls(t *testing.T, s *service) {
	r := newReceiver(t)
	c := s.buyer(t, 100)
	e := s.addEndpoint(t, c.team, r.url)
	me := c.get("/public/me").is(200).object()["id"].(string)
	seen := map[string]bool{}
	for livemode, key := range map[bool]string{true: s.live, false: s.test} {
		for _, p := range pulls {
			before := time.Now().Unix()
			c.withKey(key).post(p.path, p.body([]string{p.id})).is(200)
			envelope := checkHook(t, r.next(t), e, e.Secret)
			id, created := envelope["id"].(string), envelope["created"].(float64)
			if !strings.HasPrefix(id, "evt_") || len(id) != 40 || seen[id] {
				t.Errorf("the event's id is %q", id)
			}
			seen[id] = true
			if int64(created) < before || int64(created) > time.Now().Unix() {
				t.Errorf("created %v", created)
			}
			want := obj{"id": id, "type": "datapoint.pulled", "created": created, "livemode": livemode, "teamId": c.team, "data": p.event(me)}
			if !reflect.DeepEqual(envelope, want) {
				t.Errorf("%s:\n%s", p.name, strings.Join(difference("", envelope, want), "\n"))
			}
		}
	}
	r.nothing(t)
	for _, d := range s.settled(t, e.ID, "delivered", len(seen)) {
		if !seen[d.EventID] || len(d.Attempts) != 1 || d.Attempts[0].Status != 200 || d.Type != "datapoint.pulled" {
			t.Errorf("%+v", d)
		}
	}
}

// An endpoint without selected types gets all, shown as the existing ones; an
// endpoint with a selection gets those.
func testChoiceOfEvents(t *testing.T, s *service) {
	types := []string{"datapoint.pulled", "webhook.test"}
	v, team := s.owner(t, "hooks@example.org", 5)
	expect := func(id string, want []string, shown string) {
		t.Helper()
		if e := s.theEndpoint(t, team, id); !reflect.DeepEqual(e.Events, want) {
			t.Errorf("the list shows %q, want %q", e.Events, want)
		}
		v.get("/portal/webhooks/" + id).is(200).says("Events " + shown + " Consecutive failures")
	}
	add := func(fields ...string) string {
		t.Helper()
		page := v.post("/portal/webhooks", append([]string{"url", "https://example.org/hooks"}, fields...)...)
		return page.is(200).find(`(wh_[0-9a-f-]{36})`)
	}
	const all = "all types, including those added later"
	expect(s.addEndpoint(t, team, "https://example.org/hooks").ID, types, all)
	expect(s.addEndpoint(t, team, "https://example.org/hooks", "--event", types[0], "--event", types[1]).ID, types, "datapoint.pulled, webhook.test")
	expect(add("events", "all", "event", types[0]), types, all)
	expect(add("events", "some", "event", types[0]), types[:1], types[0])
	v.post("/portal/webhooks", "url", "https://example.org/hooks", "events", "some").is(400).says("Select at least one event type")
	v.post("/portal/webhooks", "url", "https://example.org/hooks", "events", "some", "event", "thing.happened").is(400).says(`"thing.happened"`)
}

// event is the data of the event that the pull of its one item emits.
func (p pull) event(user string) obj {
	data := obj{"userId": user, "creditsDebited": float64(p.cost), p.field: list{p.id}}
	switch p.name {
	case "properties":
		data["unit"], data["materialId"] = "property", steel
	case "process":
		data["unit"], data["processId"] = "process", rolling
	case "impacts":
		data["unit"], data["processId"], data[p.field] = "impact", rolling, list{pair(p.id, rolling)}
	case "datapoints":
		data["creditsDebited"] = float64(p.cost - 2) // density was pulled before
	}
	return data
}

func testWhatEmitsNone(t *testing.T, s *service) {
	r := newReceiver(t)
	c := s.buyer(t, 2)
	e := s.addEndpoint(t, c.team, r.url)
	other := s.addEndpoint(t, c.team, newReceiver(t).url, "--event", "webhook.test")
	pullProperties(c, steel, 1, strength).refuses(403)
	pullProperties(c, steel, 1, unknown).refuses(404)
	pullDatapoints(c, steel).refuses(409)
	path, body := "/public/materials/"+steel+"/properties/pull", request("propertyIds", []string{density}, 1)
	c.post(path+"?quote=true", body).is(200)
	c.post(path, body, idempotencyKey, "once").is(200)
	first := r.next(t).event()
	if got := c.post(path, body, idempotencyKey, "once").is(200); !isReplay(got) {
		t.Error("it was carried out again")
	}
	pullProperties(c, steel, 1, density).is(200) // costs nothing, and is a pull
	envelope := checkHook(t, r.next(t), e, e.Secret)
	if data := envelope["data"].(obj); envelope["id"] == first || data["creditsDebited"] != 0.0 {
		t.Errorf("%v", envelope)
	}
	if all := s.settled(t, e.ID, "delivered", 2); len(all) != 2 {
		t.Errorf("%+v", all)
	}
	if all := s.deliveries(t, other.ID); len(all) != 0 {
		t.Errorf("what an endpoint did not ask for: %+v", all)
	}
}

func testWebhookAnswers(t *testing.T, s *service) {
	c := s.buyer(t, 10)
	elsewhere := newReceiver(t)
	cases := []struct {
		name   string
		answer http.HandlerFunc
		state  string
		status int
		says   string // the whole of a response, or a part of an error
	}{
		{"200", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("thanks\n")) }, "delivered", 200, "thanks\n"},
		{"204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, "delivered", 204, ""},
		{"500", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "a\x00b\x1b[31m\xff", 500) }, "waiting", 500, "ab[31m\uFFFD\n"},
		{"302", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", elsewhere.url)
			w.WriteHeader(302)
		}, "waiting", 302, ""},
		{"307", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", elsewhere.url)
			w.WriteHeader(307)
		}, "waiting", 307, ""},
		{"410", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) }, "waiting", 410, ""},
		{"closes early", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "waiting", 0, "EOF"},
		{"sends megabytes", func(w http.ResponseWriter, _ *http.Request) {
			for chunk := bytes.Repeat([]byte("x"), 64<<10); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}, "delivered", 200, strings.Repeat("x", 4096)},
	}
	endpoints := make([]endpoint, len(cases))
	for i, k := range cases {
		r := newReceiver(t)
		r.answers(k.answer)
		endpoints[i] = s.addEndpoint(t, c.team, r.url, "--description", k.name)
	}
	pullProperties(c, steel, 1, density).is(200)
	for i, k := range cases {
		d := s.attempted(t, endpoints[i].ID, 1)[0]
		a := d.Attempts[0]
		if d.State != k.state || a.Number != 1 || a.Status != k.status {
			t.Errorf("%s: %+v", k.name, d)
		}
		if k.status > 0 && (a.Response != k.says || a.Error != "") || k.status == 0 && !strings.Contains(a.Error, k.says) {
			t.Errorf("%s: response %q, error %q", k.name, a.Response, a.Error)
		}
		if failures := s.theEndpoint(t, c.team, endpoints[i].ID).ConsecutiveFailures; (failures == 0) != (k.state == "delivered") {
			t.Errorf("%s: %d failures", k.name, failures)
		}
	}
	elsewhere.nothing(t)
}

// A retry is the same event, byte for byte, signed at its own time. For the
// sandbox the operator advances the schedule.
func testRetries(t *testing.T, s *service) {
	r := newReceiver(t)
	r.answersStatus(503)
	c := s.buyer(t, 0).withKey(s.test)
	e := s.addEndpoint(t, c.team, r.url)
	pullProperties(c, steel, 1, density).is(200)
	first := r.next(t)
	for n := 2; n <= 7; n++ {
		s.attempted(t, e.ID, n-1)
		s.deliveries(t, e.ID, "--advance")
		again := r.next(t)
		checkHook(t, again, e, e.Secret)
		if again.body != first.body || again.event() != first.event() {
			t.Errorf("attempt %d sent %q as %s", n, again.body, again.event())
		}
	}
	d := s.settled(t, e.ID, "dropped", 1)[0]
	if len(d.Attempts) != 7 || s.theEndpoint(t, c.team, e.ID).ConsecutiveFailures != 7 {
		t.Errorf("%+v", d)
	}
	r.answersStatus(200)
	command[obj](t, s.installation, "webhook", "resend", d.ID)
	if again := r.next(t); again.body != first.body || again.event() != first.event() {
		t.Errorf("sent again: %+v", again)
	}
	s.settled(t, e.ID, "delivered", 1)
	if got := s.theEndpoint(t, c.team, e.ID).ConsecutiveFailures; got != 0 {
		t.Errorf("%d failures after a success", got)
	}
	r.nothing(t)
}

func testChangesMidway(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	for _, k := range []struct {
		name  string
		verb  string
		state string
	}{{"removed", "remove", "cancelled"}, {"disabled", "disable", "held"}} {
		r := newReceiver(t)
		gate := make(chan struct{})
		r.answers(func(w http.ResponseWriter, _ *http.Request) { <-gate; w.WriteHeader(500) })
		e := s.addEndpoint(t, c.team, r.url)
		pullProperties(c, steel, 1, carbon).is(200)
		under := r.next(t)
		command[obj](t, s.installation, "webhook", k.verb, e.ID)
		close(gate)
		s.attempted(t, e.ID, 1)
		pullProperties(c, steel, 1, carbon).is(200)
		if k.verb == "remove" {
			if all := s.settled(t, e.ID, "cancelled", 1); len(all) != 1 {
				t.Errorf("queued for a removed endpoint: %+v", all)
			}
			s.refused(t, "webhook", "resend", s.deliveries(t, e.ID)[0].ID)
			s.refused(t, "webhook", "enable", e.ID)
			continue
		}
		s.settled(t, e.ID, "held", 2)
		r.nothing(t)
		r.answersStatus(200)
		command[obj](t, s.installation, "webhook", "enable", e.ID)
		if got := []string{r.next(t).event(), r.next(t).event()}; got[0] != under.event() && got[1] != under.event() {
			t.Errorf("%q arrived, not %q", got, under.event())
		}
		s.settled(t, e.ID, "delivered", 2)
		command[obj](t, s.installation, "webhook", "remove", e.ID)
	}
}

func testTests(t *testing.T, s *service) {
	r := newReceiver(t)
	c := s.buyer(t, 0)
	e := s.addEndpoint(t, c.team, r.url, "--event", "datapoint.pulled")
	command[obj](t, s.installation, "webhook", "disable", e.ID)
	command[obj](t, s.installation, "webhook", "test", e.ID)
	envelope := checkHook(t, r.next(t), e, e.Secret)
	message, _ := envelope["data"].(obj)["message"].(string)
	want := obj{"id": envelope["id"], "type": "webhook.test", "created": envelope["created"], "livemode": false, "teamId": c.team, "data": obj{"message": message}}
	if !reflect.DeepEqual(envelope, want) || message == "" {
		t.Errorf("%v", envelope)
	}
	r.answersStatus(500)
	if got := s.run(t, "webhook", "test", e.ID, "--json"); got.status != 1 || got.stderr == "" {
		t.Errorf("a test that fails: %+v", got)
	}
	if got := s.theEndpoint(t, c.team, e.ID); got.ConsecutiveFailures != 0 || got.Status != "disabled" {
		t.Errorf("%+v", got)
	}
	for i, state := range []string{"dropped", "delivered"} {
		if d := s.deliveries(t, e.ID)[i]; d.State != state || len(d.Attempts) != 1 {
			t.Errorf("%+v", d)
		}
	}
}

func testRotation(t *testing.T, s *service) {
	r := newReceiver(t)
	c := s.buyer(t, 10)
	e := s.addEndpoint(t, c.team, r.url)
	secrets := []string{e.Secret}
	for _, grace := range []string{"1h", "0s"} {
		rotated := command[endpoint](t, s.installation, "webhook", "rotate", e.ID, "--grace", grace)
		if secrets = []string{rotated.Secret, secrets[0]}; grace == "0s" {
			secrets = secrets[:1]
		}
		pullProperties(c, steel, 1, carbon).is(200)
		checkHook(t, r.next(t), e, secrets...)
	}
	s.settled(t, e.ID, "delivered", 2)
}

// An endpoint that never answers has a bounded number of deliveries in flight,
// and the others' events still arrive.
func testDeadEndpoint(t *testing.T, s *service) {
	const events = 60
	dead, well := newReceiver(t), newReceiver(t)
	letGo := dead.hangs(t)
	c := s.buyer(t, 10)
	d, w := s.addEndpoint(t, c.team, dead.url), s.addEndpoint(t, c.team, well.url)
	seen := map[string]bool{}
	for range events {
		pullProperties(c, steel, 1, carbon).is(200)
	}
	for range events {
		seen[well.next(t).event()] = true
	}
	if len(seen) != events {
		t.Errorf("%d of %d events arrived", len(seen), events)
	}
	if n := len(dead.arrived); n > 32 {
		t.Errorf("%d requests are under way to the endpoint that does not answer", n)
	}
	letGo()
	s.settled(t, d.ID, "delivered", events)
	s.settled(t, w.ID, "delivered", events)
	well.nothing(t)
}

func testWebhookAddresses(t *testing.T, s *service) {
	for _, url := range []string{
		"http://example.org/", "https://localhost/", "https://10.0.0.1/", "http://127.0.0.2/", "https://[::ffff:10.0.0.1]/", "https://2130706433/",
		"https://169.254.169.254/latest/meta-data", "https://user:password@example.org/", "ftp://127.0.0.1/", "no address",
	} {
		s.refused(t, "webhook", "add", "--team", s.home, "--url", url)
	}
	if all := command[[]endpoint](t, s.installation, "webhook", "list", "--team", s.home); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	// An address that is no longer allowed is not sent to.
	r := newReceiver(t)
	c := s.buyer(t, 10)
	e := s.addEndpoint(t, c.team, strings.Replace(r.url, "127.0.0.1", "localhost", 1), "--webhook-allow", "localhost")
	pullProperties(c, steel, 1, carbon).is(200)
	if a := s.attempted(t, e.ID, 1)[0].Attempts[0]; a.Status != 0 || a.Error == "" {
		t.Errorf("%+v", a)
	}
	r.nothing(t)
}

// slow are the tests that wait as long as receivers and schedules do.
func slow(t *testing.T) {
	t.Helper()
	if os.Getenv("CRADLE_TEST_SLOW") == "" {
		t.Skip("takes a minute; set CRADLE_TEST_SLOW=1 to run it")
	}
	t.Parallel()
}

// The first retry comes 30 seconds after the end of the first attempt, which
// times out after 15.
func TestWebhookInRealTime(t *testing.T) {
	slow(t)
	s := newService(t, engines[0], publicLibrary(), allowLocal)
	fails, hangs := newReceiver(t), newReceiver(t)
	fails.answersStatus(500)
	hangs.hangs(t)
	c := s.buyer(t, 10)
	e, h := s.addEndpoint(t, c.team, fails.url), s.addEndpoint(t, c.team, hangs.url)
	pullProperties(c, steel, 1, carbon).is(200)
	fails.next(t)
	hangs.next(t)
	began := time.Now()
	if a := s.attempted(t, h.ID, 1)[0].Attempts[0]; a.Status != 0 || a.Error != "no response within 15 s" {
		t.Errorf("%+v", a)
	}
	if took := time.Since(began); took < 14*time.Second || took > 18*time.Second {
		t.Errorf("given up after %s", took)
	}
	fails.next(t)
	if took := time.Since(began); took < 29*time.Second || took > 31*time.Second {
		t.Errorf("retried after %s", took)
	}
	s.attempted(t, e.ID, 2)
}
