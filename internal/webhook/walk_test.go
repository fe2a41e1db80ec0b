package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/pgtest"
	"cradle/internal/purchase"
	"cradle/internal/store"
	"cradle/internal/webhook"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// onBothEngines runs a test with a world on each engine.
func onBothEngines(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	for name, dsn := range map[string]func(testing.TB) string{
		"SQLite":     func(t testing.TB) string { return filepath.Join(t.TempDir(), "test.db") },
		"PostgreSQL": pgtest.Database,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newWorld(t, dsn(t)))
		})
	}
}

// A world is a store, a receiver and a clock that only the test moves.
type world struct {
	t       *testing.T
	store   *store.Store
	service *webhook.Service
	sender  *webhook.Sender
	sealer  *account.Sealer
	team    lci.ID
	url     string // of the receiver

	mu       sync.Mutex
	now      time.Time
	status   int           // what the receiver answers
	takes    time.Duration // and how long it takes
	requests []request
}

type request struct {
	at     time.Time
	header http.Header
	body   string
}

func newWorld(t *testing.T, dsn string) *world {
	t.Helper()
	w := &world{t: t, now: noon, status: 500}
	var err error
	w.store, err = store.Open(t.Context(), dsn)
	w.must(err)
	t.Cleanup(func() { w.store.Close() })
	w.sealer, err = account.NewSealer([]byte("secret"), "webhooks")
	w.must(err)
	guard, err := webhook.NewGuard([]string{"127.0.0.1"})
	w.must(err)
	w.sender = webhook.NewSender(guard, w.clock)
	w.service = webhook.NewService(w.store, guard, w.sealer, w.clock)
	receiver := httptest.NewServer(http.HandlerFunc(w.receive))
	t.Cleanup(receiver.Close)
	w.url = receiver.URL
	w.team = w.addTeam("a")
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) answer(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status = status
}

func (w *world) receive(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests = append(w.requests, request{w.now, r.Header, string(body)})
	w.now = w.now.Add(w.takes)
	rw.WriteHeader(w.status)
}

// received returns what the receiver got since the last call.
func (w *world) received() []request {
	w.mu.Lock()
	defer w.mu.Unlock()
	got := w.requests
	w.requests = nil
	return got
}

func (w *world) addTeam(name string) lci.ID {
	w.t.Helper()
	user := account.User{ID: lci.NewID(), Email: name + "@example.org", Firstname: name, Lastname: name, CreatedAt: noon}
	team := account.Team{ID: lci.NewID(), Label: name}
	w.must(w.store.AddUser(w.t.Context(), user, user.Email, ""))
	w.must(w.store.AddTeam(w.t.Context(), team, user.ID, 1000, noon))
	return team.ID
}

func (w *world) addEndpoint() (webhook.Endpoint, string) {
	w.t.Helper()
	e, secret, err := w.service.Add(w.t.Context(), webhook.New{Team: w.team, URL: w.url})
	w.must(err)
	return e, secret
}

// emit writes an event like a purchase, and returns it.
func (w *world) emit() event.Event {
	w.t.Helper()
	id := "evt_" + lci.NewID().String()
	body, _ := json.Marshal(map[string]any{"id": id, "umlaut": "ü", "html": "<&>"})
	e := event.Event{ID: id, Type: event.DatapointPulled, Time: w.clock(), Livemode: true, Team: w.team, Body: body}
	wallet := account.Wallet{Team: w.team, Mode: account.Live}
	w.must(w.store.Trade(w.t.Context(), wallet, "", func(c purchase.Transaction) error {
		return c.Settle(w.t.Context(), purchase.Settlement{Event: e, Time: e.Time})
	}))
	return e
}

// round does what a worker does, once, at the clock's time.
func (w *world) round() int {
	w.t.Helper()
	now := w.clock()
	jobs, err := w.store.Claim(w.t.Context(), webhook.Claim{Now: now, Lease: now.Add(time.Minute), Most: 1000, PerEndpoint: 1000})
	w.must(err)
	var results []webhook.Result
	for _, job := range jobs {
		results = append(results, webhook.Deliver(context.Background(), w.sender, w.sealer, job))
	}
	w.must(w.store.Record(w.t.Context(), results))
	return len(jobs)
}

// idle expects that nothing is due.
func (w *world) idle() {
	w.t.Helper()
	if n := w.round(); n > 0 {
		w.t.Fatalf("%d deliveries are due at %s", n, w.clock())
	}
}

// deliveries returns an endpoint's deliveries, newest first.
func (w *world) deliveries(endpoint string) []webhook.Delivery {
	w.t.Helper()
	found, err := w.service.Deliveries(w.t.Context(), webhook.Filter{Endpoint: endpoint})
	w.must(err)
	return found
}

func (w *world) endpoint(id string) webhook.Endpoint {
	w.t.Helper()
	e, err := w.service.Endpoint(w.t.Context(), id)
	w.must(err)
	return e
}

func (w *world) sound() {
	w.t.Helper()
	c, err := w.store.Check(w.t.Context())
	w.must(err)
	if len(c.Problems) > 0 {
		w.t.Errorf("problems:\n%s", strings.Join(c.Problems, "\n"))
	}
}

func TestWholeScheduleOfRetries(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		e, _ := w.addEndpoint()
		event := w.emit()
		w.takes = 1250 * time.Millisecond
		var ends time.Time
		for i, delay := range []time.Duration{0, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour} {
			if i > 0 {
				d := w.deliveries(e.ID)[0]
				if d.State != webhook.Waiting || d.Attempts != i || !d.Due.Equal(ends.Add(delay)) {
					t.Fatalf("after attempt %d: %+v, due %s, want %s", i, d, d.Due, ends.Add(delay))
				}
				w.advance(delay - time.Millisecond)
				w.idle()
				w.advance(time.Millisecond)
			}
			if n := w.round(); n != 1 {
				t.Fatalf("%d deliveries at attempt %d", n, i+1)
			}
			ends = w.clock()
			w.idle()
		}
		if total := ends.Sub(noon); total != 31*time.Hour+12*time.Minute+30*time.Second+7*w.takes {
			t.Errorf("the schedule took %s", total)
		}
		w.advance(1000 * time.Hour)
		w.idle()
		got := w.deliveries(e.ID)[0]
		if got.State != webhook.Dropped || got.Attempts != 7 || got.Due != nil || !got.FinishedAt.Equal(ends) {
			t.Errorf("in the end: %+v", got)
		}
		checkLog(t, got, w.received(), event)
		if failures := w.endpoint(e.ID).Failures; failures != 7 {
			t.Errorf("%d failures are counted", failures)
		}
		w.sound()
	})
}

// checkLog compares the attempts of a delivery with what arrived.
func checkLog(t *testing.T, d webhook.Delivery, arrived []request, event event.Event) {
	t.Helper()
	if len(arrived) != len(d.Log) {
		t.Fatalf("%d requests arrived, %d attempts are kept", len(arrived), len(d.Log))
	}
	for i, a := range d.Log {
		r := arrived[i]
		if a.Number != i+1 || !a.Time.Equal(r.at) || a.Duration != 1250*time.Millisecond || a.Status != 500 || a.Error != "" {
			t.Errorf("attempt %d: %+v", i+1, a)
		}
		if r.body != string(event.Body) || r.header.Get("Svc-Event-Id") != event.ID || r.header.Get("Webhook-Id") != event.ID {
			t.Errorf("attempt %d sent %q, %v", i+1, r.body, r.header)
		}
		if t1, _, _ := strings.Cut(strings.TrimPrefix(r.header.Get("Svc-Signature"), "t="), ","); t1 != r.header.Get("Webhook-Timestamp") || t1 != unix(r.at) {
			t.Errorf("attempt %d is signed for %q", i+1, t1)
		}
	}
}

func unix(at time.Time) string { return string(must(json.Marshal(at.Unix()))) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestTwentyFailuresDisable(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		e, _ := w.addEndpoint()
		expect := func(status webhook.Status, failures int) {
			t.Helper()
			if got := w.endpoint(e.ID); got.Status != status || got.Failures != failures {
				t.Fatalf("the endpoint is %s after %d failures, want %s after %d", got.Status, got.Failures, status, failures)
			}
		}
		send := func(n, status int) {
			t.Helper()
			w.answer(status)
			for range n {
				w.emit()
				if got := w.round(); got != 1 {
					t.Fatalf("%d deliveries at once", got)
				}
			}
		}
		send(19, 500)
		expect(webhook.Enabled, 19)
		send(1, 200)
		expect(webhook.Enabled, 0)
		send(19, 302)
		for _, status := range []int{500, 200} {
			w.answer(status)
			if d, err := w.service.Test(t.Context(), e.ID); err != nil || d.Log[0].Status != status {
				t.Fatalf("%+v, %v", d, err)
			}
			expect(webhook.Enabled, 19)
		}
		send(1, 410)
		expect(webhook.Disabled, 20)

		later := w.emit()
		w.advance(48 * time.Hour)
		w.idle()
		states := map[webhook.State]int{}
		for _, d := range w.deliveries(e.ID) {
			states[d.State]++
		}
		if want := map[webhook.State]int{webhook.Held: 40, webhook.Delivered: 2, webhook.Dropped: 1}; !reflect.DeepEqual(states, want) {
			t.Errorf("while it is disabled: %v, want %v", states, want)
		}
		w.sound()
		w.received()

		w.answer(200)
		d, err := w.service.Test(t.Context(), e.ID)
		if w.must(err); d.State != webhook.Delivered || d.EventType != event.WebhookTest || d.Livemode || len(w.received()) != 1 {
			t.Errorf("a test of a disabled endpoint: %+v", d)
		}
		expect(webhook.Disabled, 20)
		if _, err := w.service.SetStatus(t.Context(), e.ID, webhook.Enabled); err != nil {
			t.Fatal(err)
		}
		expect(webhook.Enabled, 0)
		if n := w.round(); n != 40 {
			t.Errorf("%d deliveries waited", n)
		}
		if got := w.received(); len(got) != 40 || !containsBody(got, later) {
			t.Errorf("%d arrived", len(got))
		}
		w.idle()
		w.sound()
	})
}

func containsBody(all []request, e event.Event) bool {
	for _, r := range all {
		if r.body == string(e.Body) {
			return true
		}
	}
	return false
}

func TestResend(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		e, _ := w.addEndpoint()
		w.answer(200)
		done := w.emit()
		w.round()
		w.answer(500)
		old := w.emit()
		w.drop()
		since := w.clock()
		recent := w.emit()
		w.drop()
		w.received()
		w.answer(200)

		byEvent := map[string]webhook.Delivery{}
		for _, d := range w.deliveries(e.ID) {
			byEvent[d.EventID] = d
		}
		t.Run("one that was delivered", func(t *testing.T) {
			d, err := w.service.Resend(t.Context(), byEvent[done.ID].ID)
			if err != nil || d.State != webhook.Waiting || d.FinishedAt != nil {
				t.Fatalf("%+v, %v", d, err)
			}
			w.expectAgain(t, done)
		})
		t.Run("all that failed since a time", func(t *testing.T) {
			if n, err := w.service.ResendFailed(t.Context(), e.ID, since); err != nil || n != 1 {
				t.Fatalf("%d, %v", n, err)
			}
			w.expectAgain(t, recent)
			if n, err := w.service.ResendFailed(t.Context(), e.ID, noon); err != nil || n != 1 {
				t.Fatalf("%d, %v", n, err)
			}
			w.expectAgain(t, old)
			if n, err := w.service.ResendFailed(t.Context(), e.ID, noon); err != nil || n != 0 {
				t.Errorf("%d, %v", n, err)
			}
		})
		t.Run("has the whole schedule", func(t *testing.T) {
			w.answer(500)
			d, err := w.service.Resend(t.Context(), byEvent[old.ID].ID)
			if err != nil {
				t.Fatal(err)
			}
			if n := w.drop(); n != 7 {
				t.Errorf("%d attempts", n)
			}
			got, err := w.service.Delivery(t.Context(), d.ID)
			if err != nil || got.State != webhook.Dropped || len(got.Log) != 15 || got.Log[14].Number != 15 {
				t.Errorf("%+v, %v", got, err)
			}
		})
		t.Run("waits for a disabled endpoint", func(t *testing.T) {
			w.must(w.store.SetEndpointStatus(t.Context(), e.ID, webhook.Disabled, w.clock()))
			d, err := w.service.Resend(t.Context(), byEvent[old.ID].ID)
			if err != nil || d.State != webhook.Held {
				t.Errorf("%+v, %v", d, err)
			}
			w.idle()
		})
		t.Run("not to a removed endpoint", func(t *testing.T) {
			if _, err := w.service.Remove(t.Context(), e.ID); err != nil {
				t.Fatal(err)
			}
			for _, sent := range []event.Event{done, old} {
				if _, err := w.service.Resend(t.Context(), byEvent[sent.ID].ID); fault.KindOf(err) != fault.Conflict {
					t.Errorf("%v", err)
				}
			}
			if _, err := w.service.ResendFailed(t.Context(), e.ID, noon); fault.KindOf(err) != fault.NotFound {
				t.Errorf("%v", err)
			}
			w.idle()
		})
		if _, err := w.service.Resend(t.Context(), webhook.NewDeliveryID(w.clock())); fault.KindOf(err) != fault.NotFound {
			t.Errorf("one that is none: %v", err)
		}
		w.sound()
	})
}

// drop lets every attempt of the schedule fail and returns how many there were.
func (w *world) drop() int {
	w.t.Helper()
	attempts := w.round()
	for range 6 {
		w.advance(25 * time.Hour)
		attempts += w.round()
	}
	w.advance(25 * time.Hour)
	w.idle()
	return attempts
}

// expectAgain expects that an event is sent once more, byte for byte.
func (w *world) expectAgain(t *testing.T, e event.Event) {
	t.Helper()
	w.round()
	got := w.received()
	if len(got) != 1 || got[0].body != string(e.Body) || got[0].header.Get("Svc-Event-Id") != e.ID {
		t.Errorf("%+v, want %s", got, e.ID)
	}
	w.idle()
}

// A resend leaves a running attempt to the worker that makes it.
func TestResendOfWhatIsUnderWay(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		e, _ := w.addEndpoint()
		w.emit()
		now := w.clock()
		jobs, err := w.store.Claim(t.Context(), webhook.Claim{Now: now, Lease: now.Add(time.Minute), Most: 1, PerEndpoint: 1})
		w.must(err)
		if _, err := w.service.Resend(t.Context(), w.deliveries(e.ID)[0].ID); err != nil {
			t.Fatal(err)
		}
		w.idle()
		w.answer(200)
		w.must(w.store.Record(t.Context(), []webhook.Result{webhook.Deliver(t.Context(), w.sender, w.sealer, jobs[0])}))
		w.advance(time.Hour)
		w.idle()
		w.sound()
	})
}

func TestRotationSignsWithBothSecretsForItsGrace(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		w.answer(200)
		e, first := w.addEndpoint()
		expect := func(secrets ...string) {
			t.Helper()
			w.emit()
			w.round()
			r := w.received()[0]
			want := "t=" + unix(r.at)
			for _, s := range secrets {
				want += ",v1=" + webhook.Sign(s, r.at, []byte(r.body))
			}
			if got := r.header.Get("Svc-Signature"); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
			if n := strings.Count(r.header.Get("Webhook-Signature"), "v1,"); n != len(secrets) {
				t.Errorf("%d standard signatures", n)
			}
		}
		expect(first)
		_, second, err := w.service.Rotate(t.Context(), e.ID, 24*time.Hour)
		w.must(err)
		expect(second, first)
		w.advance(24*time.Hour - time.Millisecond)
		expect(second, first)
		w.advance(time.Millisecond)
		expect(second)
		_, third, err := w.service.Rotate(t.Context(), e.ID, 0)
		w.must(err)
		expect(third)
		w.sound()
	})
}

func TestAdvancePlaysTheScheduleOfTheSandbox(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		e, _ := w.addEndpoint()
		w.emit() // live
		sandbox := event.Event{ID: "evt_" + lci.NewID().String(), Type: event.DatapointPulled, Time: w.clock(), Team: w.team, Body: []byte("{}")}
		w.must(w.store.Trade(t.Context(), account.Wallet{Team: w.team, Mode: account.Sandbox}, "", func(c purchase.Transaction) error {
			return c.Settle(t.Context(), purchase.Settlement{Event: sandbox, Time: sandbox.Time})
		}))
		if n := w.round(); n != 2 {
			t.Fatalf("%d deliveries", n)
		}
		for range 6 {
			if n, err := w.service.Advance(t.Context(), e.ID); n != 1 || err != nil {
				t.Fatalf("%d, %v", n, err)
			}
			if n := w.round(); n != 1 {
				t.Fatalf("%d are due", n)
			}
		}
		if n, err := w.service.Advance(t.Context(), e.ID); n != 0 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		for _, d := range w.deliveries(e.ID) {
			if want := map[bool]webhook.State{true: webhook.Waiting, false: webhook.Dropped}[d.Livemode]; d.State != want {
				t.Errorf("%+v", d)
			}
		}
		w.sound()
	})
}

// A test that was not finished because its command was killed is sent once its
// lease has ended, even to a disabled endpoint, and only once.
func TestTestThatWasLeftBehind(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		e, _ := w.addEndpoint()
		w.must(w.store.SetEndpointStatus(t.Context(), e.ID, webhook.Disabled, w.clock()))
		left := event.New(event.WebhookTest, w.team, false, w.clock(), nil)
		_, err := w.store.AddTest(t.Context(), e.ID, webhook.NewDeliveryID(w.clock()), left, w.clock().Add(time.Minute))
		w.must(err)
		w.must(w.store.SetEndpointStatus(t.Context(), e.ID, webhook.Disabled, w.clock()))
		w.idle()
		w.advance(time.Minute)
		if n := w.round(); n != 1 {
			t.Errorf("%d deliveries", n)
		}
		if d := w.deliveries(e.ID)[0]; d.State != webhook.Dropped || d.Attempts != 1 {
			t.Errorf("%+v", d)
		}
		if got := w.endpoint(e.ID); got.Failures != 0 {
			t.Errorf("%+v", got)
		}
		if d, err := w.service.Resend(t.Context(), w.deliveries(e.ID)[0].ID); err != nil || d.State != webhook.Waiting {
			t.Errorf("sent again: %+v, %v", d, err)
		}
		w.sound()
	})
}

func TestEndpointsAreManaged(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		e, secret, err := w.service.Add(ctx, webhook.New{Team: w.team, URL: w.url, Description: " d ", Events: []string{"webhook.test", "datapoint.pulled", "webhook.test"}})
		w.must(err)
		want := webhook.Endpoint{ID: e.ID, Team: w.team, URL: w.url, Description: "d", Events: []string{"datapoint.pulled", "webhook.test"}, Status: webhook.Enabled, CreatedAt: noon}
		if !reflect.DeepEqual(e, want) || !strings.HasPrefix(secret, "whsec_") {
			t.Errorf("%+v", e)
		}
		if got := w.endpoint(e.ID); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v", got)
		}
		list, err := w.service.List(ctx, w.team)
		if err != nil || !reflect.DeepEqual(list, []webhook.Endpoint{want}) {
			t.Errorf("%+v, %v", list, err)
		}
		if list, err := w.service.List(ctx, w.addTeam("other")); err != nil || len(list) != 0 {
			t.Errorf("of another team: %+v, %v", list, err)
		}
		for name, n := range map[string]webhook.New{
			"a local address":   {Team: w.team, URL: "https://10.0.0.1/"},
			"an unknown event":  {Team: w.team, URL: w.url, Events: []string{"other"}},
			"a long text":       {Team: w.team, URL: w.url, Description: strings.Repeat("a", 501)},
			"control in a text": {Team: w.team, URL: w.url, Description: "a\x00b"},
			"broken text":       {Team: w.team, URL: w.url, Description: "a\xffb"},
		} {
			if _, _, err := w.service.Add(ctx, n); fault.KindOf(err) != fault.Invalid {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, _, err := w.service.Add(ctx, webhook.New{Team: lci.NewID(), URL: w.url}); fault.KindOf(err) != fault.NotFound {
			t.Errorf("nobody's: %v", err)
		}
		if _, err := w.service.Remove(ctx, e.ID); err != nil {
			t.Error(err)
		}
		for name, err := range map[string]error{
			"endpoint": second(w.service.Endpoint(ctx, e.ID)),
			"status":   second(w.service.SetStatus(ctx, e.ID, webhook.Enabled)),
			"remove":   second(w.service.Remove(ctx, e.ID)),
			"test":     second(w.service.Test(ctx, e.ID)),
			"advance":  second(w.service.Advance(ctx, e.ID)),
		} {
			if fault.KindOf(err) != fault.NotFound {
				t.Errorf("%s of a removed endpoint: %v", name, err)
			}
		}
		w.sound()
	})
}

func second[T any](_ T, err error) error { return err }

// Secrets are sealed for their endpoint: the database does not reveal them.
func TestSecretsAreSealed(t *testing.T) {
	w := newWorld(t, filepath.Join(t.TempDir(), "test.db"))
	_, secret := w.addEndpoint()
	e := w.emit()
	now := w.clock()
	jobs, err := w.store.Claim(t.Context(), webhook.Claim{Now: now, Lease: now, Most: 1, PerEndpoint: 1})
	w.must(err)
	if len(jobs) != 1 || jobs[0].EventID != e.ID || bytes.Contains(jobs[0].Sealed[0], []byte(secret)) || len(jobs[0].Secrets) > 0 {
		t.Errorf("%+v", jobs)
	}
	if _, err := w.sealer.Open(lci.NewID(), jobs[0].Sealed[0]); err == nil {
		t.Error("it opens for another endpoint")
	}
	jobs[0].Sealed[0] = []byte("other")
	if r := webhook.Deliver(t.Context(), w.sender, w.sealer, jobs[0]); r.Attempt.Status != 0 || len(w.received()) > 0 {
		t.Errorf("%+v", r)
	}
}
