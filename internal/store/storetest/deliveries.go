package storetest

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
	"cradle/internal/lci"
	"cradle/internal/purchase"
	"cradle/internal/store"
	"cradle/internal/webhook"
)

// addEndpoint adds an endpoint that subscribes to some types of events.
func addEndpoint(t testing.TB, s *store.Store, team lci.ID, name string, change ...func(*webhook.Endpoint)) webhook.Endpoint {
	t.Helper()
	e := webhook.Endpoint{ID: "wh_" + id("endpoint "+name).String(), Team: team, URL: "https://" + name + ".example/",
		Status: webhook.Enabled, CreatedAt: epoch}
	for _, f := range change {
		f(&e)
	}
	must(t, s.AddEndpoint(t.Context(), e, []byte("sealed "+name)))
	return e
}

// emit writes n events of a team in one transaction and returns their ids.
func emit(t testing.TB, s *store.Store, team lci.ID, n int) []string {
	t.Helper()
	ids, err := tryEmit(s, team, n)
	must(t, err)
	return ids
}

func tryEmit(s *store.Store, team lci.ID, n int) ([]string, error) {
	ids := make([]string, n)
	return ids, s.Trade(context.Background(), account.Wallet{Team: team, Mode: account.Live}, "", func(c purchase.Transaction) error {
		for i := range ids {
			ids[i] = "evt_" + lci.NewID().String()
			e := event.Event{ID: ids[i], Type: event.DatapointPulled, Time: epoch, Livemode: true, Team: team, Body: []byte(`{"id":"` + ids[i] + `"}`)}
			if err := c.Settle(context.Background(), purchase.Settlement{Event: e, Time: epoch}); err != nil {
				return err
			}
		}
		return nil
	})
}

func claimAt(now time.Time) webhook.Claim {
	return webhook.Claim{Now: now, Lease: now.Add(time.Minute), Most: 1000, PerEndpoint: 1000}
}

func claimed(t testing.TB, s *store.Store, c webhook.Claim) []webhook.Job {
	t.Helper()
	jobs, err := s.Claim(t.Context(), c)
	must(t, err)
	return jobs
}

// perEndpoint counts jobs by their endpoint.
func perEndpoint(jobs []webhook.Job) map[string]int {
	n := map[string]int{}
	for _, j := range jobs {
		n[j.Endpoint]++
	}
	return n
}

// result is an attempt at a time that got the status.
func result(j webhook.Job, at time.Time, status int) webhook.Result {
	a := webhook.Attempt{Number: j.Number, Time: at, Duration: 1500 * time.Millisecond, Status: status, Response: "r"}
	return webhook.Result{Job: j, Attempt: a, Verdict: webhook.Judge(a, j.Try, j.IsTest())}
}

func results(jobs []webhook.Job, at time.Time, status int) []webhook.Result {
	var all []webhook.Result
	for _, j := range jobs {
		all = append(all, result(j, at, status))
	}
	return all
}

func deliveriesOf(t testing.TB, s *store.Store, endpoint string) []webhook.Delivery {
	t.Helper()
	found, err := s.Deliveries(t.Context(), webhook.Filter{Endpoint: endpoint})
	must(t, err)
	return found
}

func statesOf(t testing.TB, s *store.Store, endpoint string) map[webhook.State]int {
	t.Helper()
	n := map[webhook.State]int{}
	for _, d := range deliveriesOf(t, s, endpoint) {
		n[d.State]++
	}
	return n
}

func expectStates(t testing.TB, s *store.Store, endpoint string, want map[webhook.State]int) {
	t.Helper()
	if got := statesOf(t, s, endpoint); !reflect.DeepEqual(got, want) {
		t.Errorf("deliveries are %v, want %v", got, want)
	}
}

func queueing(t *testing.T, open Open) {
	s := open(t)
	a, b := addBuyer(t, s, "a", 0), addBuyer(t, s, "b", 0)
	mine, other := addEndpoint(t, s, a.viewer.Team, "mine"), addEndpoint(t, s, b.viewer.Team, "other")
	tests := addEndpoint(t, s, a.viewer.Team, "tests", func(e *webhook.Endpoint) { e.Events = []string{event.WebhookTest} })
	off := addEndpoint(t, s, a.viewer.Team, "off", func(e *webhook.Endpoint) { e.Status = webhook.Disabled })
	gone := addEndpoint(t, s, a.viewer.Team, "gone")
	must(t, s.RemoveEndpoint(t.Context(), gone.ID, epoch))
	until := epoch.Add(time.Second)
	heard := addEndpoint(t, s, a.viewer.Team, "heard", func(e *webhook.Endpoint) { e.ListenUntil = &until })
	unheard := addEndpoint(t, s, a.viewer.Team, "unheard", func(e *webhook.Endpoint) { e.ListenUntil = &epoch })

	first := emit(t, s, a.viewer.Team, 1)[0]
	for endpoint, want := range map[string]map[webhook.State]int{
		mine.ID: {webhook.Waiting: 1}, off.ID: {webhook.Held: 1}, heard.ID: {webhook.Waiting: 1},
		other.ID: {}, tests.ID: {}, gone.ID: {}, unheard.ID: {},
	} {
		expectStates(t, s, endpoint, want)
	}
	want := webhook.Delivery{Endpoint: mine.ID, EventID: first, EventType: event.DatapointPulled, Livemode: true, State: webhook.Waiting, Due: &epoch, CreatedAt: epoch}
	got := deliveriesOf(t, s, mine.ID)[0]
	if want.ID = got.ID; !reflect.DeepEqual(got, want) || !strings.HasPrefix(got.ID, "dlv_") {
		t.Errorf("%+v\nwant %+v", got, want)
	}

	refusal := errors.New("changed my mind")
	err := s.Trade(t.Context(), a.viewer.Wallet(), "", func(c purchase.Transaction) error {
		e := event.Event{ID: "evt_refused", Type: event.DatapointPulled, Time: epoch, Team: a.viewer.Team, Body: []byte("{}")}
		must(t, c.Settle(t.Context(), purchase.Settlement{Event: e, Time: epoch}))
		return refusal
	})
	if !errors.Is(err, refusal) {
		t.Error(err)
	}
	expectStates(t, s, mine.ID, map[webhook.State]int{webhook.Waiting: 1})
	expectSound(t, s)
}

func laterTypes(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 0)
	all := addEndpoint(t, s, b.viewer.Team, "all")
	chosen := addEndpoint(t, s, b.viewer.Team, "chosen", func(e *webhook.Endpoint) { e.Events = event.Types })
	for _, want := range []webhook.Endpoint{all, chosen} {
		if got, err := s.Endpoint(t.Context(), want.ID); err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%+v, %v\nwant %+v", got, err, want)
		}
	}
	must(t, s.Trade(t.Context(), b.viewer.Wallet(), "", func(c purchase.Transaction) error {
		for _, eventType := range append(event.Types, "thing.happened") {
			if err := c.Settle(t.Context(), purchase.Settlement{Event: event.New(eventType, b.viewer.Team, true, epoch, nil), Time: epoch}); err != nil {
				return err
			}
		}
		return nil
	}))
	expectStates(t, s, all.ID, map[webhook.State]int{webhook.Waiting: len(event.Types) + 1})
	expectStates(t, s, chosen.ID, map[webhook.State]int{webhook.Waiting: len(event.Types)})
	expectSound(t, s)
}

func commitWakes(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 0)
	wakes := s.Wakes(t.Context(), slog.New(slog.DiscardHandler))
	emit(t, s, b.viewer.Team, 1)
	if len(wakes) != 0 {
		t.Error("woken for nothing")
	}
	e := addEndpoint(t, s, b.viewer.Team, "e")
	emit(t, s, b.viewer.Team, 1)
	<-wakes
	must(t, s.SetEndpointStatus(t.Context(), e.ID, webhook.Disabled, epoch))
	must(t, s.SetEndpointStatus(t.Context(), e.ID, webhook.Enabled, epoch))
	<-wakes
}

// CommitWakes expects that a purchase in one store wakes the other, on the same
// database.
func CommitWakes(t *testing.T, here, there *store.Store) {
	b := addBuyer(t, here, "a", 0)
	addEndpoint(t, here, b.viewer.Team, "e")
	wakes := there.Wakes(t.Context(), slog.New(slog.DiscardHandler))
	for { // until it listens
		emit(t, here, b.viewer.Team, 1)
		select {
		case <-wakes:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func claimJob(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 0)
	e := addEndpoint(t, s, b.viewer.Team, "e")
	first := emit(t, s, b.viewer.Team, 1)[0]
	if jobs := claimed(t, s, claimAt(epoch.Add(-time.Millisecond))); len(jobs) != 0 {
		t.Errorf("claimed before it is due: %+v", jobs)
	}
	want := webhook.Job{Delivery: deliveriesOf(t, s, e.ID)[0].ID, Endpoint: e.ID, URL: e.URL, EventID: first, EventType: event.DatapointPulled,
		Body: []byte(`{"id":"` + first + `"}`), Sealed: [][]byte{[]byte("sealed e")}, Number: 1, Try: 1}
	if jobs := claimed(t, s, claimAt(epoch)); !reflect.DeepEqual(jobs, []webhook.Job{want}) {
		t.Errorf("%+v\nwant %+v", jobs, want)
	}
	must(t, s.RotateSecret(t.Context(), e.ID, []byte("new"), epoch.Add(2*time.Minute)))
	if jobs := claimed(t, s, claimAt(epoch.Add(time.Minute-time.Millisecond))); len(jobs) != 0 {
		t.Errorf("claimed within its lease: %+v", jobs)
	}
	want.Sealed = [][]byte{[]byte("new"), []byte("sealed e")}
	if jobs := claimed(t, s, claimAt(epoch.Add(time.Minute))); !reflect.DeepEqual(jobs, []webhook.Job{want}) {
		t.Errorf("after the lease: %+v\nwant %+v", jobs, want)
	}
	want.Sealed = want.Sealed[:1]
	if jobs := claimed(t, s, claimAt(epoch.Add(2*time.Minute))); !reflect.DeepEqual(jobs, []webhook.Job{want}) {
		t.Errorf("after the grace: %+v\nwant %+v", jobs, want)
	}
}

func claimsAtOnce(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 0)
	addEndpoint(t, s, b.viewer.Team, "e")
	addEndpoint(t, s, b.viewer.Team, "f")
	const events = 80
	emit(t, s, b.viewer.Team, events)
	c := claimAt(epoch)
	c.Most = 7
	var mu sync.Mutex
	times := map[string]int{}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for misses := 0; misses < 3; {
				jobs, err := s.Claim(context.Background(), c)
				if err != nil {
					t.Error(err)
					return
				}
				if len(jobs) == 0 {
					misses++
				}
				mu.Lock()
				for _, j := range jobs {
					times[j.Delivery]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for _, j := range claimed(t, s, claimAt(epoch)) { // what the claims skipped
		times[j.Delivery]++
	}
	if len(times) != 2*events {
		t.Errorf("%d of %d were claimed", len(times), 2*events)
	}
	for delivery, n := range times {
		if n != 1 {
			t.Errorf("%s was claimed %d times", delivery, n)
		}
	}
}

func claimLimits(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 0)
	e, f := addEndpoint(t, s, b.viewer.Team, "e"), addEndpoint(t, s, b.viewer.Team, "f")
	until := epoch.Add(time.Hour)
	listener := addEndpoint(t, s, b.viewer.Team, "listener", func(e *webhook.Endpoint) { e.ListenUntil = &until })
	emit(t, s, b.viewer.Team, 50)
	for _, step := range []struct {
		name   string
		change func(*webhook.Claim)
		want   map[string]int
	}{
		{"so many of each", func(c *webhook.Claim) { c.PerEndpoint = 10 }, map[string]int{e.ID: 10, f.ID: 10}},
		{"so many in all", func(c *webhook.Claim) { c.Most = 4; c.PerEndpoint = 2 }, map[string]int{e.ID: 2, f.ID: 2}},
		{"not those", func(c *webhook.Claim) { c.Except = []string{e.ID, listener.ID}; c.PerEndpoint = 8 }, map[string]int{f.ID: 8}},
		{"none", func(c *webhook.Claim) { c.Except = []string{e.ID, f.ID} }, map[string]int{}},
		{"a listener's", func(c *webhook.Claim) { c.Only = listener.ID; c.Most = 20 }, map[string]int{listener.ID: 20}},
		{"the rest", func(*webhook.Claim) {}, map[string]int{e.ID: 38, f.ID: 30}},
		{"the listener's rest", func(c *webhook.Claim) { c.Only = listener.ID }, map[string]int{listener.ID: 30}},
	} {
		c := claimAt(epoch)
		step.change(&c)
		if got := perEndpoint(claimed(t, s, c)); !reflect.DeepEqual(got, step.want) {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
}

// A worker excludes endpoints with enough in flight: however much is due at one,
// the deliveries to others are found.
func backlogHidesNobody(t *testing.T, open Open) {
	s := open(t)
	busy, quiet := addBuyer(t, s, "a", 0), addBuyer(t, s, "b", 0)
	crowded := addEndpoint(t, s, busy.viewer.Team, "crowded")
	emit(t, s, busy.viewer.Team, 2100) // more than a claim looks at
	other := addEndpoint(t, s, quiet.viewer.Team, "other")
	emit(t, s, quiet.viewer.Team, 1)
	under := map[string]int{}
	for range 3 {
		c := claimAt(epoch)
		c.PerEndpoint = 16
		for endpoint, n := range under {
			if n > 16 {
				c.Except = append(c.Except, endpoint)
			}
		}
		for endpoint, n := range perEndpoint(claimed(t, s, c)) {
			under[endpoint] += n
		}
	}
	if want := map[string]int{crowded.ID: 32, other.ID: 1}; !reflect.DeepEqual(under, want) {
		t.Errorf("under way are %v, want %v", under, want)
	}
}

func recordOnce(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 0)
	e := addEndpoint(t, s, b.viewer.Team, "e")
	emit(t, s, b.viewer.Team, 1)
	first := claimed(t, s, claimAt(epoch))
	second := claimed(t, s, claimAt(epoch.Add(time.Minute)))
	if !reflect.DeepEqual(first, second) {
		t.Fatalf("%+v, then %+v", first, second)
	}
	must(t, s.Record(t.Context(), results(second, epoch.Add(time.Minute), 500)))
	after := deliveriesOf(t, s, e.ID)
	must(t, s.Record(t.Context(), results(first, epoch, 500)))
	must(t, s.Record(t.Context(), append(results(first, epoch, 200), results(second, epoch, 500)...)))
	if got := deliveriesOf(t, s, e.ID); !reflect.DeepEqual(got, after) {
		t.Errorf("%+v\nbefore it was recorded again %+v", got, after)
	}
	ended := epoch.Add(time.Minute + 1500*time.Millisecond)
	if d := after[0]; d.Attempts != 1 || len(d.Log) != 1 || !d.Due.Equal(ended.Add(30*time.Second)) || d.Log[0].Duration != 1500*time.Millisecond || d.Log[0].Response != "r" {
		t.Errorf("%+v", d)
	}
	if got, err := s.Endpoint(t.Context(), e.ID); err != nil || got.Failures != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	expectSound(t, s)
}

func midway(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 0)
	for name, c := range map[string]struct {
		meanwhile     func(id string) error
		failed, taken webhook.State
	}{
		"removed": {func(id string) error { return s.RemoveEndpoint(t.Context(), id, epoch) }, webhook.Cancelled, webhook.Delivered},
		"disabled": {func(id string) error { return s.SetEndpointStatus(t.Context(), id, webhook.Disabled, epoch) },
			webhook.Held, webhook.Delivered},
		"disabled and enabled": {func(id string) error {
			return errors.Join(s.SetEndpointStatus(t.Context(), id, webhook.Disabled, epoch), s.SetEndpointStatus(t.Context(), id, webhook.Enabled, epoch))
		}, webhook.Waiting, webhook.Delivered},
	} {
		e := addEndpoint(t, s, b.viewer.Team, name)
		emit(t, s, b.viewer.Team, 2)
		only := claimAt(epoch)
		only.Only = e.ID
		jobs := claimed(t, s, only)
		must(t, c.meanwhile(e.ID))
		if again := claimed(t, s, only); len(again) != 0 {
			t.Errorf("%s: claimed again while it is under way: %+v", name, again)
		}
		must(t, s.Record(t.Context(), []webhook.Result{result(jobs[0], epoch, 500), result(jobs[1], epoch, 200)}))
		byID := map[string]webhook.Delivery{}
		for _, d := range deliveriesOf(t, s, e.ID) {
			byID[d.ID] = d
		}
		failed, taken := byID[jobs[0].Delivery], byID[jobs[1].Delivery]
		if failed.State != c.failed || taken.State != c.taken || len(failed.Log) != 1 || len(taken.Log) != 1 {
			t.Errorf("%s: %+v\n%+v", name, failed, taken)
		}
		expectSound(t, s)
		if got, err := s.Endpoint(t.Context(), e.ID); err == nil && got != nil {
			must(t, s.RemoveEndpoint(t.Context(), e.ID, epoch))
		}
	}
}

// While an endpoint is enabled and disabled, and attempts are recorded, pulls
// queue deliveries to it: nothing may get stuck or deadlock.
func switchedDuringPulls(t *testing.T, open Open) {
	s := open(t)
	const teams, pulls = 3, 20
	var endpoints []webhook.Endpoint
	var buyers []buyer
	for i := range teams {
		b := addBuyer(t, s, strconv.Itoa(i), 0)
		buyers = append(buyers, b)
		for j := range 3 {
			endpoints = append(endpoints, addEndpoint(t, s, b.viewer.Team, strconv.Itoa(i)+"-"+strconv.Itoa(j)))
		}
	}
	var busy, workers sync.WaitGroup
	for _, b := range buyers {
		busy.Go(func() {
			for range pulls {
				if _, err := tryEmit(s, b.viewer.Team, 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	var failing atomic.Int64
	for range 2 {
		workers.Go(func() { work(t, s, done, func() int { return []int{500, 500, 500, 200}[failing.Add(1)%4] }) })
	}
	for _, e := range endpoints {
		busy.Go(func() {
			for i := range 10 {
				if err := s.SetEndpointStatus(context.Background(), e.ID, []webhook.Status{webhook.Disabled, webhook.Enabled}[i%2], epoch); err != nil {
					t.Error(err)
				}
			}
		})
	}
	busy.Wait()
	close(done)
	workers.Wait()
	expectSound(t, s)
	for _, e := range endpoints {
		must(t, s.SetEndpointStatus(t.Context(), e.ID, webhook.Enabled, epoch))
		if n := statesOf(t, s, e.ID); n[webhook.Waiting]+n[webhook.Delivered] != pulls {
			t.Errorf("%s: %v", e.ID, n)
		}
	}
	expectSound(t, s)
}

// work claims and records until done.
func work(t testing.TB, s *store.Store, done <-chan struct{}, status func() int) {
	for {
		select {
		case <-done:
			return
		default:
		}
		c := claimAt(epoch)
		c.Most = 20
		jobs, err := s.Claim(context.Background(), c)
		if err != nil {
			t.Error(err)
		}
		slices.Reverse(jobs)
		if err := s.Record(context.Background(), results(jobs, epoch, status())); err != nil {
			t.Error(err)
		}
	}
}

// A listener's receiver may be down for long because it is a developer's.
func listenersStayEnabled(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 0)
	until := epoch.Add(time.Hour)
	e := addEndpoint(t, s, b.viewer.Team, "e", func(e *webhook.Endpoint) { e.ListenUntil = &until })
	emit(t, s, b.viewer.Team, 30)
	c := claimAt(epoch)
	c.Only = e.ID
	must(t, s.Record(t.Context(), results(claimed(t, s, c), epoch, 500)))
	if got, err := s.Endpoint(t.Context(), e.ID); err != nil || got.Status != webhook.Enabled || got.Failures != 30 {
		t.Errorf("%+v, %v", got, err)
	}
	if list, err := s.Endpoints(t.Context(), b.viewer.Team); err != nil || len(list) != 0 {
		t.Errorf("it is listed: %+v, %v", list, err)
	}
	must(t, s.KeepListening(t.Context(), e.ID, until.Add(time.Hour)))
	if got, err := s.Endpoint(t.Context(), e.ID); err != nil || !got.ListenUntil.Equal(until.Add(time.Hour)) {
		t.Errorf("%+v, %v", got, err)
	}
	expectSound(t, s)
}

func pruneDeliveries(t *testing.T, open Open) {
	s := open(t)
	b, nobody, developer := addBuyer(t, s, "a", 0), addBuyer(t, s, "b", 0), addBuyer(t, s, "c", 0)
	gone := addEndpoint(t, s, b.viewer.Team, "gone")
	emit(t, s, b.viewer.Team, 150)
	ended := epoch.Add(1500 * time.Millisecond)
	must(t, s.RemoveEndpoint(t.Context(), gone.ID, ended))
	e := addEndpoint(t, s, b.viewer.Team, "e")
	emit(t, s, b.viewer.Team, 50)
	jobs := claimed(t, s, claimAt(epoch))
	must(t, s.Record(t.Context(), append(results(jobs[:30], epoch, 200), results(jobs[30:], epoch, 500)...)))
	listener := addEndpoint(t, s, developer.viewer.Team, "listener", func(e *webhook.Endpoint) { u := epoch.Add(time.Second); e.ListenUntil = &u })
	emit(t, s, developer.viewer.Team, 5)
	emit(t, s, nobody.viewer.Team, 5)

	must(t, s.PruneDeliveries(t.Context(), ended))
	expectStates(t, s, gone.ID, map[webhook.State]int{webhook.Cancelled: 150})
	expectStates(t, s, e.ID, map[webhook.State]int{webhook.Delivered: 30, webhook.Held: 20})
	expectSound(t, s)
	var wg sync.WaitGroup // one for each server
	for range 3 {
		wg.Go(func() {
			if err := s.PruneDeliveries(context.Background(), ended.Add(time.Millisecond)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	must(t, s.PruneDeliveries(t.Context(), ended.Add(time.Millisecond)))
	expectStates(t, s, gone.ID, map[webhook.State]int{})
	expectStates(t, s, e.ID, map[webhook.State]int{webhook.Held: 20})
	expectStates(t, s, listener.ID, map[webhook.State]int{})
	if got, err := s.Endpoint(t.Context(), listener.ID); err != nil || got != nil {
		t.Errorf("a listener that is gone: %+v, %v", got, err)
	}
	must(t, s.SetEndpointStatus(t.Context(), e.ID, webhook.Enabled, ended))
	if jobs := claimed(t, s, claimAt(ended)); len(jobs) != 20 {
		t.Errorf("%d of those that wait are left", len(jobs))
	}
	expectSound(t, s)
}

func deliveryFilters(t *testing.T, open Open) {
	s := open(t)
	a, b := addBuyer(t, s, "a", 0), addBuyer(t, s, "b", 0)
	e, f, g := addEndpoint(t, s, a.viewer.Team, "e"), addEndpoint(t, s, a.viewer.Team, "f"), addEndpoint(t, s, b.viewer.Team, "g")
	emit(t, s, a.viewer.Team, 3)
	emit(t, s, b.viewer.Team, 2)
	only := claimAt(epoch)
	only.Only, only.Most = e.ID, 1
	must(t, s.Record(t.Context(), results(claimed(t, s, only), epoch, 204)))
	newest := deliveriesOf(t, s, g.ID)[0]
	for _, c := range []struct {
		name   string
		filter webhook.Filter
		want   int
	}{
		{"all", webhook.Filter{}, 8},
		{"a team's", webhook.Filter{Team: a.viewer.Team}, 6},
		{"an endpoint's", webhook.Filter{Endpoint: f.ID}, 3},
		{"of a state", webhook.Filter{Team: a.viewer.Team, State: webhook.Delivered}, 1},
		{"another team's endpoint", webhook.Filter{Team: b.viewer.Team, Endpoint: e.ID}, 0},
		{"one", webhook.Filter{ID: newest.ID}, 1},
		{"since then", webhook.Filter{Since: epoch}, 8},
		{"since later", webhook.Filter{Since: epoch.Add(time.Millisecond)}, 0},
		{"so many", webhook.Filter{Limit: 2}, 2},
	} {
		found, err := s.Deliveries(t.Context(), c.filter)
		must(t, err)
		if len(found) != c.want || c.name == "so many" && !reflect.DeepEqual(found[0], newest) {
			t.Errorf("%s: %d, want %d", c.name, len(found), c.want)
		}
	}
}
