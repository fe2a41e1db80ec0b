package storetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/purchase"
	"cradle/internal/store"
)

// many is a material with n properties of one credit each.
func many(n int) *library {
	l := &library{materials: []lci.Material{{ID: id("m"), Name: "M"}}}
	for i := range n {
		l.properties = append(l.properties, lci.Property{ID: property(i), MaterialID: id("m"), Position: i, Name: "P", Unit: "u", Price: 1})
	}
	return l
}

func property(i int) lci.ID { return id("property " + strconv.Itoa(i)) }

func propertiesOf(items ...lci.ID) purchase.Order {
	return purchase.Order{Kind: purchase.Properties, Record: id("m"), Items: items, UserCount: 1}
}

func balance(t testing.TB, s *store.Store, w account.Wallet) int64 {
	t.Helper()
	n, _, err := s.Ledger(t.Context(), w)
	must(t, err)
	return n
}

const crowd = 32

func racingForTheSame(t *testing.T, open Open) {
	s := open(t)
	const items = 20
	b := addBuyer(t, s, "a", 1000)
	load(t, s, many(items), ingest.Options{})
	d := desk(s)
	var spent, revealed atomic.Int64
	var wg sync.WaitGroup
	for range crowd {
		wg.Go(func() {
			order := rand.Perm(items)
			for len(order) > 0 {
				n := min(7, len(order))
				var chosen []lci.ID
				for _, i := range order[:n] {
					chosen = append(chosen, property(i))
				}
				order = order[n:]
				a, _, err := d.Pull(context.Background(), purchase.Request{Viewer: b.viewer}, propertiesOf(chosen...))
				if err != nil {
					t.Error(err)
					return
				}
				spent.Add(a.Credits)
				revealed.Add(int64(a.Revealed))
			}
		})
	}
	wg.Wait()
	if spent.Load() != items || revealed.Load() != items {
		t.Errorf("%d items cost %d credits, %d were revealed", items, spent.Load(), revealed.Load())
	}
	if n := balance(t, s, b.viewer.Wallet()); n != 1000-items {
		t.Errorf("the balance is %d", n)
	}
	expectSound(t, s)
}

func racingForTheLast(t *testing.T, open Open) {
	s := open(t)
	const credits = 10
	b := addBuyer(t, s, "a", credits)
	load(t, s, many(crowd), ingest.Options{})
	d := desk(s)
	var got, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			_, _, err := d.Pull(context.Background(), purchase.Request{Viewer: b.viewer}, propertiesOf(property(i)))
			switch f := fault.As(err); {
			case err == nil:
				got.Add(1)
			case f != nil && f.Code == "insufficient_credits":
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got.Load() != credits || refused.Load() != crowd-credits {
		t.Errorf("%d pulls, %d refusals", got.Load(), refused.Load())
	}
	if n := balance(t, s, b.viewer.Wallet()); n != 0 {
		t.Errorf("the balance is %d", n)
	}
	found, err := s.Reveals(t.Context(), b.viewer.Wallet(), 0)
	must(t, err)
	if len(found) != credits {
		t.Errorf("%d reveals", len(found))
	}
	expectSound(t, s)
}

func settlement(b buyer, amount int64) purchase.Settlement {
	return purchase.Settlement{
		Kind:        purchase.Properties,
		Entry:       &purchase.Draft{Amount: amount, Reason: "r", UserID: b.viewer.User, RequestID: "q"},
		Reveals:     []purchase.Reveal{{Record: id("m"), Item: property(0), Credits: -amount}},
		Event:       event.Event{ID: "evt_" + lci.NewID().String(), Type: event.DatapointPulled, Time: epoch, Team: b.viewer.Team, Body: []byte("{}")},
		Idempotency: &purchase.Idempotency{Key: b.key, Team: b.viewer.Team, Value: "v", Digest: "d"},
		Answer:      purchase.Answer{Record: id("m"), Items: []lci.ID{property(0)}, Credits: -amount, Revealed: 1},
		Time:        epoch,
	}
}

func refusedTrade(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 10)
	load(t, s, many(1), ingest.Options{})
	refusal := errors.New("changed my mind")
	for name, trade := range map[string]func(c purchase.Transaction) error{
		"given up after it was settled": func(c purchase.Transaction) error {
			if err := c.Settle(t.Context(), settlement(b, -3)); err != nil {
				t.Error(err)
			}
			return refusal
		},
		"spending more than there is": func(c purchase.Transaction) error { return c.Settle(t.Context(), settlement(b, -11)) },
		"a reveal twice": func(c purchase.Transaction) error {
			twice := settlement(b, -2)
			twice.Reveals = append(twice.Reveals, twice.Reveals[0])
			return c.Settle(t.Context(), twice)
		},
	} {
		if err := s.Trade(t.Context(), b.viewer.Wallet(), "", trade); err == nil {
			t.Errorf("%s: no error", name)
		}
		_, entries, err := s.Ledger(t.Context(), b.viewer.Wallet())
		must(t, err)
		found, err := s.Reveals(t.Context(), b.viewer.Wallet(), 0)
		must(t, err)
		if balance(t, s, b.viewer.Wallet()) != 10 || len(entries) != 1 || len(found) != 0 {
			t.Errorf("%s: %d entries, %d reveals", name, len(entries), len(found))
		}
		must(t, s.Look(t.Context(), b.viewer.Wallet(), func(c purchase.Transaction) error {
			stored, err := c.Answered(t.Context(), *settlement(b, 0).Idempotency, epoch.Add(-time.Hour))
			if stored != nil || err != nil {
				t.Errorf("%s: an answer is kept: %+v, %v", name, stored, err)
			}
			return nil
		}))
	}
	err := s.Trade(t.Context(), account.Wallet{Team: id("nobody"), Mode: account.Live}, "", func(purchase.Transaction) error { return nil })
	if fault.KindOf(err) != fault.NotFound {
		t.Errorf("nobody's wallet: %v", err)
	}
	expectSound(t, s)
}

func counterVisibility(t *testing.T, open Open) {
	s := open(t)
	friend, stranger := addBuyer(t, s, "friend", 10), addBuyer(t, s, "stranger", 10)
	l := example()
	l.properties[1].Deleted, l.impacts[1].Deleted = true, true
	load(t, s, l, ingest.Options{VisibleTo: []lci.ID{friend.viewer.Team}})
	ctx := t.Context()
	for _, c := range []struct {
		name string
		who  buyer
		sees bool
	}{{"a friend", friend, true}, {"a stranger", stranger, false}} {
		must(t, s.Look(ctx, c.who.viewer.Wallet(), func(offered purchase.Transaction) error {
			offers, found, err := offered.Properties(ctx, []lci.ID{id("steel"), id("ore"), id("nothing")})
			must(t, err)
			want := []purchase.Offer{{Record: id("steel"), Item: id("density"), Price: 1}}
			if found[id("steel")] != c.sees || found[id("ore")] != c.sees || found[id("nothing")] || c.sees && !reflect.DeepEqual(offers, want) || !c.sees && len(offers) != 0 {
				t.Errorf("%s: properties %+v of %v", c.name, offers, found)
			}
			products, there, err := offered.Products(ctx, id("smelting"))
			must(t, err)
			if there != c.sees || c.sees && !reflect.DeepEqual(products, []purchase.Offer{{Record: id("smelting"), Item: id("steel product"), Price: 3}}) || !c.sees && len(products) != 0 {
				t.Errorf("%s: products %+v, %v", c.name, products, there)
			}
			impacts, there, err := offered.Impacts(ctx, id("smelting"), []lci.ID{id("ef"), id("recipe")})
			must(t, err)
			if there != c.sees || c.sees && !reflect.DeepEqual(impacts, []purchase.Offer{{Record: id("smelting"), Method: id("ef"), Item: id("i-gwp")}}) || !c.sees && len(impacts) != 0 {
				t.Errorf("%s: impacts %+v, %v", c.name, impacts, there)
			}
			methods, err := offered.Methods(ctx, []lci.ID{id("ef"), id("nothing")})
			must(t, err)
			if !reflect.DeepEqual(methods, map[lci.ID]bool{id("ef"): true}) {
				t.Errorf("%s: methods %v", c.name, methods)
			}
			return nil
		}))
	}
	l.materials[0].Deleted, l.processes[0].Deleted = true, true
	load(t, s, l, ingest.Options{})
	must(t, s.Look(ctx, friend.viewer.Wallet(), func(offered purchase.Transaction) error {
		_, found, err := offered.Properties(ctx, []lci.ID{id("steel")})
		must(t, err)
		_, there, err := offered.Products(ctx, id("smelting"))
		must(t, err)
		if found[id("steel")] || there {
			t.Error("deleted records are on offer")
		}
		return nil
	}))
}

func idempotentRace(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 100)
	load(t, s, many(3), ingest.Options{})
	key := &purchase.Idempotency{Key: b.key, Team: b.viewer.Team, Value: "v", Digest: "d"}
	var carriedOut, replayed, running atomic.Int64
	var wg sync.WaitGroup
	for range crowd {
		wg.Go(func() {
			// A new service for each request, as if each came to another
			// process.
			a, again, err := desk(s).Pull(context.Background(), purchase.Request{Viewer: b.viewer, Idempotency: key}, propertiesOf(property(0), property(1)))
			switch {
			case errors.Is(err, purchase.ErrRunning):
				running.Add(1)
				return
			case err != nil:
				t.Error(err)
			case again:
				replayed.Add(1)
			default:
				carriedOut.Add(1)
			}
			want := purchase.Answer{Record: id("m"), Items: []lci.ID{property(0), property(1)}, Credits: 2, Revealed: 2}
			if !reflect.DeepEqual(a, want) {
				t.Errorf("answer %+v", a)
			}
		})
	}
	wg.Wait()
	if carriedOut.Load() != 1 || replayed.Load()+running.Load() != crowd-1 {
		t.Errorf("%d carried out, %d replayed, %d refused", carriedOut.Load(), replayed.Load(), running.Load())
	}
	if n := balance(t, s, b.viewer.Wallet()); n != 98 {
		t.Errorf("the balance is %d", n)
	}
	expectSound(t, s)
}

// On PostgreSQL a claim is refused while another request has it. The embedded
// database has a single writer: the second request waits.
func claims(t *testing.T, open Open) {
	s := open(t)
	a, b := addBuyer(t, s, "a", 1), addBuyer(t, s, "b", 1)
	nothing := func(purchase.Transaction) error { return nil }
	must(t, s.Trade(t.Context(), a.viewer.Wallet(), "claim", func(purchase.Transaction) error {
		if s.Embedded() {
			return nil
		}
		if err := s.Trade(t.Context(), b.viewer.Wallet(), "claim", nothing); !errors.Is(err, purchase.ErrRunning) {
			t.Errorf("while it is taken: %v", err)
		}
		if err := s.Trade(t.Context(), b.viewer.Wallet(), "another claim", nothing); err != nil {
			t.Errorf("another one: %v", err)
		}
		if err := s.Trade(t.Context(), b.viewer.Wallet(), "", nothing); err != nil {
			t.Errorf("none: %v", err)
		}
		return nil
	}))
	broken := errors.New("broken")
	if err := s.Trade(t.Context(), a.viewer.Wallet(), "claim", func(purchase.Transaction) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("afterwards: %v", err)
	}
	must(t, s.Trade(t.Context(), b.viewer.Wallet(), "claim", nothing))
}

func answersForgotten(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 10)
	load(t, s, many(1), ingest.Options{})
	must(t, s.Trade(t.Context(), b.viewer.Wallet(), "", func(c purchase.Transaction) error { return c.Settle(t.Context(), settlement(b, -1)) }))
	answered := func(key purchase.Idempotency, since time.Time) *purchase.Stored {
		t.Helper()
		var stored *purchase.Stored
		must(t, s.Look(t.Context(), b.viewer.Wallet(), func(c purchase.Transaction) (err error) {
			stored, err = c.Answered(t.Context(), key, since)
			return err
		}))
		return stored
	}
	key := *settlement(b, 0).Idempotency
	if got := answered(key, epoch.Add(-time.Hour)); got == nil || got.Digest != "d" || !reflect.DeepEqual(got.Answer, settlement(b, -1).Answer) {
		t.Errorf("kept: %+v", got)
	}
	for name, c := range map[string]struct {
		change func(*purchase.Idempotency)
		since  time.Time
	}{
		"another value": {func(k *purchase.Idempotency) { k.Value = "w" }, epoch.Add(-time.Hour)},
		"another key":   {func(k *purchase.Idempotency) { k.Key = id("another") }, epoch.Add(-time.Hour)},
		"another team":  {func(k *purchase.Idempotency) { k.Team = id("another") }, epoch.Add(-time.Hour)},
		"too old":       {func(*purchase.Idempotency) {}, epoch},
	} {
		other := key
		c.change(&other)
		if got := answered(other, c.since); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	must(t, s.ForgetAnswers(t.Context(), epoch.Add(-time.Millisecond)))
	if answered(key, epoch.Add(-time.Hour)) == nil {
		t.Error("forgotten too early")
	}
	must(t, s.ForgetAnswers(t.Context(), epoch))
	if answered(key, epoch.Add(-time.Hour)) != nil {
		t.Error("not forgotten")
	}
}

func look(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 10)
	load(t, s, many(2), ingest.Options{})
	must(t, s.Look(t.Context(), b.viewer.Wallet(), func(c purchase.Transaction) error {
		if err := c.Settle(t.Context(), settlement(b, -1)); err == nil {
			t.Error("a look settled something")
		}
		offers, _, err := c.Properties(t.Context(), []lci.ID{id("m")})
		must(t, err)
		done := make(chan error)
		go func() {
			_, _, err := desk(s).Pull(context.Background(), purchase.Request{Viewer: b.viewer}, propertiesOf(property(0)))
			done <- err
		}()
		must(t, <-done)
		again, _, err := c.Properties(t.Context(), []lci.ID{id("m")})
		must(t, err)
		if !reflect.DeepEqual(again, offers) || c.Balance() != 10 {
			t.Errorf("the state changed: %+v", again)
		}
		return nil
	}))
	if n := balance(t, s, b.viewer.Wallet()); n != 9 {
		t.Errorf("the balance is %d", n)
	}
}
