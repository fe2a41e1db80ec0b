package purchase

import (
	"context"
	"errors"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

func id(name string) lci.ID {
	var made lci.ID
	copy(made[:], name)
	return made
}

func ids(names ...string) []lci.ID {
	out := []lci.ID{}
	for _, name := range names {
		out = append(out, id(name))
	}
	return out
}

// fakeStore is one wallet and what is on offer. It runs one trade at a time.
type fakeStore struct {
	balance    int64
	properties map[lci.ID][]Offer // by material
	products   map[lci.ID][]Offer // by process
	impacts    map[lci.ID][]Offer
	methods    map[lci.ID]bool
	answers    map[string]Stored
	settled    []Settlement
	claims     []string
	err        error
	during     func()
}

func newFakeStore() *fakeStore {
	return &fakeStore{
		balance: 100,
		properties: map[lci.ID][]Offer{
			id("steel"): {{Record: id("steel"), Item: id("density"), Price: 1}, {Record: id("steel"), Item: id("modulus"), Price: 5}, {Record: id("steel"), Item: id("owned"), Price: 7, Owned: true}},
			id("free"):  {{Record: id("free"), Item: id("gift"), Price: 0}},
			id("bare"):  {},
			id("dear"):  {{Record: id("dear"), Item: id("gold"), Price: 1_000_000}, {Record: id("dear"), Item: id("more gold"), Price: 1_000_000}},
		},
		products: map[lci.ID][]Offer{
			id("smelting"): {{Record: id("smelting"), Item: id("iron"), Price: 3}, {Record: id("smelting"), Item: id("slag"), Price: 3, Owned: true}},
		},
		impacts: map[lci.ID][]Offer{
			id("smelting"): {
				{Record: id("smelting"), Method: id("ef"), Item: id("gwp")}, {Record: id("smelting"), Method: id("ef"), Item: id("ap")},
				{Record: id("smelting"), Method: id("half"), Item: id("old"), Owned: true}, {Record: id("smelting"), Method: id("half"), Item: id("new")},
				{Record: id("smelting"), Method: id("whole"), Item: id("had"), Owned: true},
			},
		},
		methods: map[lci.ID]bool{id("ef"): true, id("half"): true, id("whole"): true, id("empty"): true},
		answers: map[string]Stored{},
	}
}

func (s *fakeStore) Trade(_ context.Context, _ account.Wallet, claim string, do func(Transaction) error) error {
	s.claims = append(s.claims, claim)
	if run := s.during; run != nil {
		s.during = nil
		run()
	}
	if s.err != nil {
		return s.err
	}
	return do(fakeOffers{s, true})
}

func (s *fakeStore) Look(_ context.Context, _ account.Wallet, do func(Transaction) error) error {
	return do(fakeOffers{s, false})
}

type fakeOffers struct {
	*fakeStore
	settles bool
}

func (c fakeOffers) Balance() int64 { return c.balance }

func (c fakeOffers) Properties(_ context.Context, materials []lci.ID) ([]Offer, map[lci.ID]bool, error) {
	var offers []Offer
	found := map[lci.ID]bool{}
	for _, m := range materials {
		of, there := c.properties[m]
		offers = append(offers, of...)
		if there {
			found[m] = true
		}
	}
	return offers, found, c.err
}

func (c fakeOffers) Products(_ context.Context, process lci.ID) ([]Offer, bool, error) {
	offers, found := c.products[process]
	return offers, found, c.err
}

func (c fakeOffers) Impacts(_ context.Context, process lci.ID, methods []lci.ID) ([]Offer, bool, error) {
	all, found := c.impacts[process]
	var offers []Offer
	for _, o := range all {
		for _, m := range methods {
			if o.Method == m {
				offers = append(offers, o)
			}
		}
	}
	return offers, found, c.err
}

func (c fakeOffers) Methods(context.Context, []lci.ID) (map[lci.ID]bool, error) {
	return c.methods, c.err
}

func (c fakeOffers) Answered(_ context.Context, key Idempotency, since time.Time) (*Stored, error) {
	if !since.Equal(noon.Add(-24 * time.Hour)) {
		return nil, errors.New("answers are kept for 24 hours")
	}
	if stored, ok := c.answers[key.String()]; ok {
		return &stored, nil
	}
	return nil, nil
}

func (c fakeOffers) Settle(_ context.Context, s Settlement) error {
	if !c.settles {
		return errors.New("a look settles nothing")
	}
	c.settled = append(c.settled, s)
	if s.Idempotency != nil {
		c.answers[s.Idempotency.String()] = Stored{Digest: s.Idempotency.Digest, Answer: s.Answer}
	}
	return nil
}

var buyer = account.Viewer{User: id("user"), Team: id("team"), Mode: account.Live, Key: id("key")}

func desk(s *fakeStore) *Service { return NewService(s, func() time.Time { return noon }) }

func most(n int64) *int64 { return &n }

func TestPull(t *testing.T) {
	for _, c := range []struct {
		name    string
		order   Order
		answer  Answer
		reveals []Reveal
		refused string // the code
		kind    fault.Kind
		names   string // in the message
	}{
		{name: "a property", order: Order{Kind: Properties, Record: id("steel"), Items: ids("density"), UserCount: 1},
			answer:  Answer{Record: id("steel"), Items: ids("density"), Credits: 1, Revealed: 1},
			reveals: []Reveal{{id("steel"), id("density"), 1}}},
		{name: "properties for several users", order: Order{Kind: Properties, Record: id("steel"), Items: ids("modulus", "density"), UserCount: 3},
			answer:  Answer{Record: id("steel"), Items: ids("modulus", "density"), Credits: 18, Revealed: 2},
			reveals: []Reveal{{id("steel"), id("modulus"), 15}, {id("steel"), id("density"), 3}}},
		{name: "repeated ids count once", order: Order{Kind: Properties, Record: id("steel"), Items: ids("density", "modulus", "density"), UserCount: 1},
			answer:  Answer{Record: id("steel"), Items: ids("density", "modulus"), Credits: 6, Revealed: 2},
			reveals: []Reveal{{id("steel"), id("density"), 1}, {id("steel"), id("modulus"), 5}}},
		{name: "what is owned costs nothing", order: Order{Kind: Properties, Record: id("steel"), Items: ids("owned", "density"), UserCount: 1},
			answer:  Answer{Record: id("steel"), Items: ids("owned", "density"), Credits: 1, Revealed: 1},
			reveals: []Reveal{{id("steel"), id("density"), 1}}},
		{name: "only owned properties", order: Order{Kind: Properties, Record: id("steel"), Items: ids("owned"), UserCount: 1},
			answer: Answer{Record: id("steel"), Items: ids("owned")}},
		{name: "a free property", order: Order{Kind: Properties, Record: id("free"), Items: ids("gift"), UserCount: math.MaxInt64},
			answer:  Answer{Record: id("free"), Items: ids("gift"), Revealed: 1},
			reveals: []Reveal{{id("free"), id("gift"), 0}}},
		{name: "an unknown property", order: Order{Kind: Properties, Record: id("steel"), Items: ids("density", "nothing"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound, names: id("nothing").String()},
		{name: "a property of another material", order: Order{Kind: Properties, Record: id("bare"), Items: ids("density"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound, names: id("density").String()},
		{name: "an unknown material", order: Order{Kind: Properties, Record: id("nowhere"), Items: ids("density"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound, names: id("nowhere").String()},
		{name: "one credit too few", order: Order{Kind: Properties, Record: id("steel"), Items: ids("density"), UserCount: 101},
			refused: "insufficient_credits", kind: fault.Forbidden, names: "101 credits"},
		{name: "all credits there are", order: Order{Kind: Properties, Record: id("steel"), Items: ids("density"), UserCount: 100},
			answer:  Answer{Record: id("steel"), Items: ids("density"), Credits: 100, Revealed: 1},
			reveals: []Reveal{{id("steel"), id("density"), 100}}},
		{name: "a price beyond any number", order: Order{Kind: Properties, Record: id("dear"), Items: ids("gold"), UserCount: math.MaxInt64},
			refused: "insufficient_credits", kind: fault.Forbidden, names: "more credits than a team can hold"},
		{name: "a sum beyond any number", order: Order{Kind: Properties, Record: id("dear"), Items: ids("gold", "more gold"), UserCount: math.MaxInt64 / 1_000_000},
			refused: "insufficient_credits", kind: fault.Forbidden, names: "more credits than a team can hold"},
		{name: "maxCredits met", order: Order{Kind: Properties, Record: id("steel"), Items: ids("modulus"), UserCount: 1, MaxCredits: most(5)},
			answer:  Answer{Record: id("steel"), Items: ids("modulus"), Credits: 5, Revealed: 1},
			reveals: []Reveal{{id("steel"), id("modulus"), 5}}},
		{name: "maxCredits exceeded", order: Order{Kind: Properties, Record: id("steel"), Items: ids("modulus"), UserCount: 1, MaxCredits: most(4)},
			refused: "max_credits_exceeded", kind: fault.Forbidden, names: "5 credits"},
		{name: "maxCredits comes before the balance", order: Order{Kind: Properties, Record: id("steel"), Items: ids("modulus"), UserCount: 1000, MaxCredits: most(4)},
			refused: "max_credits_exceeded", kind: fault.Forbidden},
		{name: "maxCredits of nothing for what is owned", order: Order{Kind: Properties, Record: id("steel"), Items: ids("owned"), UserCount: 1, MaxCredits: most(0)},
			answer: Answer{Record: id("steel"), Items: ids("owned")}},

		{name: "a reference product", order: Order{Kind: Products, Record: id("smelting"), Items: ids("iron"), UserCount: 2},
			answer:  Answer{Record: id("smelting"), Items: ids("iron"), Credits: 6, Revealed: 1},
			reveals: []Reveal{{id("smelting"), id("iron"), 6}}},
		{name: "pairs that do not exist are left out", order: Order{Kind: Products, Record: id("smelting"), Items: ids("nothing", "slag", "iron", "slag"), UserCount: 1},
			answer:  Answer{Record: id("smelting"), Items: ids("slag", "iron"), Credits: 3, Revealed: 1},
			reveals: []Reveal{{id("smelting"), id("iron"), 3}}},
		{name: "no pair exists", order: Order{Kind: Products, Record: id("smelting"), Items: ids("nothing"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound},
		{name: "an unknown process", order: Order{Kind: Products, Record: id("nowhere"), Items: ids("iron"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound, names: id("nowhere").String()},
		{name: "every pair is owned", order: Order{Kind: Products, Record: id("smelting"), Items: ids("slag", "nothing"), UserCount: 1},
			refused: "already_revealed", kind: fault.Conflict},
		{name: "owned comes before maxCredits and the balance", order: Order{Kind: Products, Record: id("smelting"), Items: ids("slag"), UserCount: 1000, MaxCredits: most(0)},
			refused: "already_revealed", kind: fault.Conflict},
		{name: "a product too dear", order: Order{Kind: Products, Record: id("smelting"), Items: ids("iron"), UserCount: 34},
			refused: "insufficient_credits", kind: fault.Forbidden},

		{name: "a method costs one however many rows it has", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("ef"), UserCount: 4},
			answer:  Answer{Record: id("smelting"), Items: ids("ef"), Credits: 4, Revealed: 2},
			reveals: []Reveal{{id("smelting"), id("gwp"), 4}, {id("smelting"), id("ap"), 0}}},
		{name: "a method of which some rows are owned", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("half"), UserCount: 1},
			answer:  Answer{Record: id("smelting"), Items: ids("half"), Credits: 1, Revealed: 1},
			reveals: []Reveal{{id("smelting"), id("new"), 1}}},
		{name: "methods without rows are left out, owned ones cost nothing", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("empty", "whole", "ef", "ef"), UserCount: 1},
			answer:  Answer{Record: id("smelting"), Items: ids("whole", "ef"), Credits: 1, Revealed: 2},
			reveals: []Reveal{{id("smelting"), id("gwp"), 1}, {id("smelting"), id("ap"), 0}}},
		{name: "a method without rows", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("empty"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound},
		{name: "an unknown method beside a known one", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("ef", "nothing"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound, names: id("nothing").String()},
		{name: "impacts of an unknown process", order: Order{Kind: Impacts, Record: id("nowhere"), Items: ids("ef"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound, names: id("nowhere").String()},
		{name: "every row is owned", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("whole"), UserCount: 1},
			refused: "already_revealed", kind: fault.Conflict},
		{name: "impacts too dear", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("ef"), UserCount: 101},
			refused: "insufficient_credits", kind: fault.Forbidden},

		{name: "datapoints", order: Order{Kind: Datapoints, Items: ids("steel", "bare", "steel"), UserCount: 1},
			answer:  Answer{Items: ids("steel", "bare"), Credits: 6, Revealed: 2},
			reveals: []Reveal{{id("steel"), id("density"), 1}, {id("steel"), id("modulus"), 5}}},
		{name: "datapoints of a material without properties", order: Order{Kind: Datapoints, Items: ids("bare"), UserCount: 1},
			answer: Answer{Items: ids("bare")}},
		{name: "datapoints of an unknown material", order: Order{Kind: Datapoints, Items: ids("steel", "nowhere"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound, names: id("nowhere").String()},
		{name: "datapoints too dear are a conflict", order: Order{Kind: Datapoints, Items: ids("dear"), UserCount: 1},
			refused: "insufficient_credits", kind: fault.Conflict, names: "2000000 credits"},
		{name: "datapoints beyond maxCredits are forbidden", order: Order{Kind: Datapoints, Items: ids("steel"), UserCount: 1, MaxCredits: most(5)},
			refused: "max_credits_exceeded", kind: fault.Forbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newFakeStore()
			answer, replayed, err := desk(store).Pull(t.Context(), Request{Viewer: buyer, ID: "request"}, c.order)
			if c.refused != "" {
				f := fault.As(err)
				if f == nil || f.Code != c.refused || f.Kind != c.kind || !strings.Contains(f.Message, c.names) {
					t.Errorf("got %v", err)
				}
				if len(store.settled) != 0 {
					t.Errorf("a refused pull settles %+v", store.settled)
				}
				return
			}
			if err != nil || replayed {
				t.Fatal(replayed, err)
			}
			if !reflect.DeepEqual(answer, c.answer) {
				t.Errorf("answer %+v, want %+v", answer, c.answer)
			}
			if len(store.settled) != 1 {
				t.Fatalf("settled %d times", len(store.settled))
			}
			checkSettlement(t, store.settled[0], c.order, c.answer, c.reveals)
		})
	}
}

func checkSettlement(t *testing.T, s Settlement, o Order, a Answer, reveals []Reveal) {
	t.Helper()
	if s.Kind != o.Kind || !s.Time.Equal(noon) || !reflect.DeepEqual(s.Answer, a) || s.Event.Type != event.DatapointPulled {
		t.Errorf("settles %+v", s)
	}
	if !reflect.DeepEqual(s.Reveals, reveals) {
		t.Errorf("reveals %+v, want %+v", s.Reveals, reveals)
	}
	if (s.Entry != nil) != (len(reveals) > 0) {
		t.Errorf("entry %+v with %d reveals", s.Entry, len(reveals))
	}
	if s.Entry != nil && (s.Entry.Amount != -a.Credits || s.Entry.UserID != buyer.User || s.Entry.RequestID != "request") {
		t.Errorf("entry %+v", s.Entry)
	}
	var sum int64
	for _, r := range s.Reveals {
		sum += r.Credits
	}
	if sum != a.Credits {
		t.Errorf("the reveals cost %d, the pull %d", sum, a.Credits)
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct {
		name    string
		order   Order
		quote   Quote
		refused string
		kind    fault.Kind
	}{
		{name: "new and owned items", order: Order{Kind: Properties, Record: id("steel"), Items: ids("density", "owned", "density"), UserCount: 2},
			quote: Quote{Credits: 2, NewItems: 1, OwnedItems: 1, Balance: 100, BalanceAfter: 98}},
		{name: "everything owned is no conflict", order: Order{Kind: Products, Record: id("smelting"), Items: ids("slag"), UserCount: 1},
			quote: Quote{OwnedItems: 1, Balance: 100, BalanceAfter: 100}},
		{name: "impacts", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("ef", "half"), UserCount: 1},
			quote: Quote{Credits: 2, NewItems: 3, OwnedItems: 1, Balance: 100, BalanceAfter: 98}},
		{name: "datapoints beyond the balance", order: Order{Kind: Datapoints, Items: ids("dear"), UserCount: 1},
			quote: Quote{Credits: 2_000_000, NewItems: 2, Balance: 100, BalanceAfter: -1_999_900}},
		{name: "maxCredits refuses no quote", order: Order{Kind: Properties, Record: id("steel"), Items: ids("modulus"), UserCount: 1, MaxCredits: most(0)},
			quote: Quote{Credits: 5, NewItems: 1, Balance: 100, BalanceAfter: 95}},
		{name: "the most a team can hold", order: Order{Kind: Properties, Record: id("steel"), Items: ids("density"), UserCount: MaxBalance},
			quote: Quote{Credits: MaxBalance, NewItems: 1, Balance: 100, BalanceAfter: 100 - MaxBalance}},
		{name: "more than a team can hold", order: Order{Kind: Properties, Record: id("steel"), Items: ids("density"), UserCount: MaxBalance + 1},
			refused: "insufficient_credits", kind: fault.Forbidden},
		{name: "more than a number can hold", order: Order{Kind: Properties, Record: id("dear"), Items: ids("gold", "more gold"), UserCount: math.MaxInt64},
			refused: "insufficient_credits", kind: fault.Forbidden},
		{name: "an unknown method", order: Order{Kind: Impacts, Record: id("smelting"), Items: ids("nothing"), UserCount: 1},
			refused: "not_found", kind: fault.NotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newFakeStore()
			q, err := desk(store).Quote(t.Context(), buyer, c.order)
			if f := fault.As(err); (f == nil) != (c.refused == "") || f != nil && (f.Code != c.refused || f.Kind != c.kind) {
				t.Errorf("got %v", err)
			}
			if q != c.quote {
				t.Errorf("got %+v, want %+v", q, c.quote)
			}
			if len(store.settled) != 0 {
				t.Error("a quote settles something")
			}
		})
	}
}

func TestCostsStopAtTheLargestNumber(t *testing.T) {
	for _, c := range []struct{ a, b, product, sum int64 }{
		{0, math.MaxInt64, 0, math.MaxInt64},
		{1, math.MaxInt64, math.MaxInt64, math.MaxInt64},
		{2, math.MaxInt64 / 2, math.MaxInt64 - 1, math.MaxInt64/2 + 2},
		{2, math.MaxInt64/2 + 1, math.MaxInt64, math.MaxInt64/2 + 3},
		{3, math.MaxInt64, math.MaxInt64, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64},
		{1_000_000, 1_000_000, 1_000_000_000_000, 2_000_000},
	} {
		if got := times(c.a, c.b); got != c.product {
			t.Errorf("%d × %d is %d, want %d", c.a, c.b, got, c.product)
		}
		if got := plus(c.a, c.b); got != c.sum {
			t.Errorf("%d + %d is %d, want %d", c.a, c.b, got, c.sum)
		}
	}
}

var oneProperty = Order{Kind: Properties, Record: id("steel"), Items: ids("density"), UserCount: 1}

func named(value, digest string) *Idempotency {
	return &Idempotency{Key: buyer.Key, Team: buyer.Team, Value: value, Digest: digest}
}

func TestSameIdempotencyKeyGetsTheSameAnswer(t *testing.T) {
	store := newFakeStore()
	d := desk(store)
	first, replayed, err := d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "x")}, oneProperty)
	if err != nil || replayed {
		t.Fatal(replayed, err)
	}
	again, replayed, err := d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "x")}, oneProperty)
	if err != nil || !replayed || !reflect.DeepEqual(again, first) || len(store.settled) != 1 {
		t.Errorf("again: %+v, %v, %v", again, replayed, err)
	}
	_, _, err = d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "y")}, oneProperty)
	if f := fault.As(err); f == nil || f.Kind != fault.Unprocessable || f.Code != "idempotency_key_reused" {
		t.Errorf("another request: %v", err)
	}
	if _, replayed, err = d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("b", "x")}, oneProperty); err != nil || replayed {
		t.Errorf("another key: %v, %v", replayed, err)
	}
	if want := named("a", "").String(); store.claims[0] != want {
		t.Errorf("claims %q, want %q", store.claims[0], want)
	}
}

func TestRefusedPullIsNotStored(t *testing.T) {
	store := newFakeStore()
	store.balance = 0
	d := desk(store)
	if _, _, err := d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "x")}, oneProperty); fault.KindOf(err) != fault.Forbidden {
		t.Fatal(err)
	}
	store.balance = 1
	if _, replayed, err := d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "x")}, oneProperty); err != nil || replayed {
		t.Errorf("after a grant: %v, %v", replayed, err)
	}
}

func TestSecondSendingWhileTheFirstRunsIsAConflict(t *testing.T) {
	store := newFakeStore()
	d := desk(store)
	store.during = func() {
		if _, _, err := d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "x")}, oneProperty); !errors.Is(err, ErrRunning) {
			t.Errorf("the same key: %v", err)
		}
		if _, _, err := d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("b", "x")}, oneProperty); err != nil {
			t.Errorf("another key: %v", err)
		}
		if _, _, err := d.Pull(t.Context(), Request{Viewer: buyer}, oneProperty); err != nil {
			t.Errorf("no key: %v", err)
		}
	}
	if _, _, err := d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "x")}, oneProperty); err != nil {
		t.Errorf("the first: %v", err)
	}
	if len(d.running) != 0 {
		t.Errorf("%v still run", d.running)
	}
}

func TestMarkOfARunningPullEndsWithIt(t *testing.T) {
	store := newFakeStore()
	d := desk(store)
	store.err = errors.New("broken")
	for range 2 {
		if _, _, err := d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "x")}, oneProperty); !errors.Is(err, store.err) {
			t.Errorf("got %v", err)
		}
	}
	func() {
		defer func() { recover() }()
		store.during = func() { panic("in the middle") }
		d.Pull(t.Context(), Request{Viewer: buyer, Idempotency: named("a", "x")}, oneProperty)
	}()
	if len(d.running) != 0 {
		t.Errorf("%v still run", d.running)
	}
}

func TestEventBodies(t *testing.T) {
	sandbox := buyer
	sandbox.Mode = account.Sandbox
	team, user := id("team").String(), id("user").String()
	envelope := func(livemode, data string) string {
		return `{"id":"evt_ID","type":"datapoint.pulled","created":1778500800,"livemode":` + livemode + `,"teamId":"` + team + `","data":` + data + `}`
	}
	for _, c := range []struct {
		name   string
		viewer account.Viewer
		kind   Kind
		answer Answer
		want   string
	}{
		{"datapoints", buyer, Datapoints, Answer{Items: ids("a", "b"), Credits: 7},
			envelope("true", `{"creditsDebited":7,"materialIds":["`+id("a").String()+`","`+id("b").String()+`"],"userId":"`+user+`"}`)},
		{"properties", buyer, Properties, Answer{Record: id("m"), Items: ids("a"), Credits: 0},
			envelope("true", `{"creditsDebited":0,"materialId":"`+id("m").String()+`","propertyIds":["`+id("a").String()+`"],"unit":"property","userId":"`+user+`"}`)},
		{"products of a test key", sandbox, Products, Answer{Record: id("p"), Items: ids("a"), Credits: 1},
			envelope("false", `{"creditsDebited":1,"processId":"`+id("p").String()+`","referenceProductIds":["`+id("a").String()+`"],"unit":"process","userId":"`+user+`"}`)},
		{"impacts", buyer, Impacts, Answer{Record: id("p"), Items: ids("m"), Credits: 1},
			envelope("true", `{"characterizationFactorIds":["`+id("m").String()+`,`+id("p").String()+`"],"creditsDebited":1,"processId":"`+id("p").String()+`","unit":"impact","userId":"`+user+`"}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := pulled(c.viewer, c.kind, c.answer, noon)
			if !regexp.MustCompile(`^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(e.ID) {
				t.Errorf("id %q", e.ID)
			}
			if got := strings.ReplaceAll(string(e.Body), e.ID, "evt_ID"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if e.Type != "datapoint.pulled" || e.Livemode != (c.viewer.Mode == account.Live) || e.Team != c.viewer.Team || !e.Time.Equal(noon) {
				t.Errorf("event %+v", e)
			}
		})
	}
}

func TestReasonsAndCostsReadWell(t *testing.T) {
	one := plan{reveals: make([]Reveal, 1), answered: ids("a", "b")}
	record := id("record").String()
	for _, c := range []struct{ got, want string }{
		{cost(0), "0 credits"},
		{cost(1), "1 credit"},
		{cost(2), "2 credits"},
		{cost(MaxBalance + 1), "more credits than a team can hold"},
		{reason(Order{Kind: Properties, Record: id("record"), UserCount: 3}, one), "pull of " + record + ": properties 1, users 3"},
		{reason(Order{Kind: Products, Record: id("record"), UserCount: 1}, one), "pull of " + record + ": reference products 1, users 1"},
		{reason(Order{Kind: Datapoints, UserCount: 1}, one), "pull: materials 2, properties 1, users 1"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// The literal must not change: stored ledgers are chained with it.
func TestChainNeverChanges(t *testing.T) {
	wallet := account.Wallet{Team: id("team"), Mode: account.Live}
	e := Entry{ID: id("entry"), Seq: 2, Time: noon, Kind: Debit, Amount: -3, Balance: 7, Reason: "pull <1>", UserID: id("user"), RequestID: "r"}
	if got, want := e.Chain(wallet, "before"), "73ab8493e7781208fad2775fa99b9feadb04500dc65b910884b0751d45dae382"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	changes := map[string]func(e *Entry, w *account.Wallet, before *string){
		"its id":          func(e *Entry, _ *account.Wallet, _ *string) { e.ID = id("other") },
		"its place":       func(e *Entry, _ *account.Wallet, _ *string) { e.Seq++ },
		"its time":        func(e *Entry, _ *account.Wallet, _ *string) { e.Time = e.Time.Add(time.Millisecond) },
		"its kind":        func(e *Entry, _ *account.Wallet, _ *string) { e.Kind = Grant },
		"its amount":      func(e *Entry, _ *account.Wallet, _ *string) { e.Amount++ },
		"its balance":     func(e *Entry, _ *account.Wallet, _ *string) { e.Balance++ },
		"its reason":      func(e *Entry, _ *account.Wallet, _ *string) { e.Reason += "." },
		"its user":        func(e *Entry, _ *account.Wallet, _ *string) { e.UserID = lci.ID{} },
		"its request":     func(e *Entry, _ *account.Wallet, _ *string) { e.RequestID = "" },
		"its wallet":      func(_ *Entry, w *account.Wallet, _ *string) { w.Mode = account.Sandbox },
		"what was before": func(_ *Entry, _ *account.Wallet, before *string) { *before = "" },
	}
	for name, change := range changes {
		other, w, before := e, wallet, "before"
		change(&other, &w, &before)
		if other.Chain(w, before) == e.Chain(wallet, "before") {
			t.Errorf("the hash does not depend on %s", name)
		}
	}
}
