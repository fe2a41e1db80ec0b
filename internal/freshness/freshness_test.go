package freshness

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// counting is a store whose versions count its queries. Each query waits at the
// gate, if there is one.
type counting struct {
	started atomic.Int64
	arrived chan struct{} // a query has started
	gate    chan error    // the query ends with the error received here

	mu      sync.Mutex
	wallets [][]account.Wallet
}

func gated() *counting {
	return &counting{arrived: make(chan struct{}, 1000), gate: make(chan error)}
}

func (s *counting) Unchanged(account.Wallet) (account.Versions, bool) {
	return account.Versions{}, false
}

func (s *counting) Versions(ctx context.Context, wallets []account.Wallet) (account.Versions, map[account.Wallet]int64, error) {
	n := s.started.Add(1)
	s.mu.Lock()
	s.wallets = append(s.wallets, wallets)
	s.mu.Unlock()
	reveals := map[account.Wallet]int64{}
	for _, w := range wallets {
		reveals[w] = n * 100
	}
	var err error
	if s.gate != nil {
		s.arrived <- struct{}{}
		err = <-s.gate
	}
	return account.Versions{Accounts: n}, reveals, errors.Join(err, ctx.Err())
}

func walletOf(t string) account.Wallet {
	return account.Wallet{Team: lci.DerivedID("team", t), Mode: account.Live}
}

func TestAnswerIsOfAQueryThatStartedAfterTheCall(t *testing.T) {
	store := &counting{}
	p := New(store)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for range 200 {
				before := store.started.Load()
				v, err := p.Now(context.Background(), walletOf(string(rune('a'+i))))
				if err != nil {
					t.Error(err)
				}
				if v.Accounts <= before {
					t.Errorf("asked after query %d, answered from query %d", before, v.Accounts)
				}
				if v.Reveals != v.Accounts*100 {
					t.Errorf("reveals %d of query %d", v.Reveals, v.Accounts)
				}
			}
		})
	}
	wg.Wait()
}

type answer struct {
	versions account.Versions
	err      error
}

// ask calls Now in the background, and returns once the call is waiting.
func ask(ctx context.Context, p *Checker, w account.Wallet) <-chan answer {
	joined := make(chan struct{})
	answers := make(chan answer, 1)
	go func() {
		b := p.join(w)
		close(joined)
		v, err := b.answer(ctx, w)
		answers <- answer{v, err}
	}()
	<-joined
	return answers
}

func TestThoseWhoAskDuringAQueryShareTheNext(t *testing.T) {
	store := gated()
	p := New(store)
	first := ask(t.Context(), p, walletOf("a"))
	<-store.arrived
	var others []<-chan answer
	for range 50 {
		others = append(others, ask(t.Context(), p, walletOf("b")), ask(t.Context(), p, walletOf("c")))
	}
	store.gate <- nil
	if a := <-first; a.err != nil || a.versions.Accounts != 1 {
		t.Errorf("the first: %+v", a)
	}
	store.gate <- nil
	for _, other := range others {
		if a := <-other; a.err != nil || a.versions.Accounts != 2 || a.versions.Reveals != 200 {
			t.Fatalf("another: %+v", a)
		}
	}
	if n := store.started.Load(); n != 2 {
		t.Errorf("%d queries", n)
	}
	if asked := store.wallets[1]; len(asked) != 2 || !slices.Contains(asked, walletOf("b")) || !slices.Contains(asked, walletOf("c")) {
		t.Errorf("the second query asked for %v", asked)
	}
}

func TestErrorReachesAllWhoWaitedAndNoOther(t *testing.T) {
	store := gated()
	p := New(store)
	broken := errors.New("broken")
	first := ask(t.Context(), p, walletOf("a"))
	<-store.arrived
	second, third := ask(t.Context(), p, walletOf("a")), ask(t.Context(), p, walletOf("b"))
	store.gate <- nil
	store.gate <- broken
	if a := <-first; a.err != nil {
		t.Errorf("the first: %v", a.err)
	}
	for _, waited := range []<-chan answer{second, third} {
		if a := <-waited; !errors.Is(a.err, broken) {
			t.Errorf("one who waited: %v", a.err)
		}
	}
	later := ask(t.Context(), p, walletOf("a"))
	store.gate <- nil
	if a := <-later; a.err != nil {
		t.Errorf("a later one: %v", a.err)
	}
}

func TestOneWhoGoesAwayDoesNotDisturbOthers(t *testing.T) {
	store := gated()
	p := New(store)
	first := ask(t.Context(), p, walletOf("a"))
	<-store.arrived
	ctx, cancel := context.WithCancel(t.Context())
	leaves, stays := ask(ctx, p, walletOf("b")), ask(t.Context(), p, walletOf("c"))
	cancel()
	if a := <-leaves; !errors.Is(a.err, context.Canceled) {
		t.Errorf("who left: %v", a.err)
	}
	store.gate <- nil
	store.gate <- nil
	if a := <-first; a.err != nil {
		t.Errorf("the first: %v", a.err)
	}
	if a := <-stays; a.err != nil || a.versions.Reveals != 200 {
		t.Errorf("who stayed: %+v", a)
	}
}

func TestNoTeamHasNoWalletToAskFor(t *testing.T) {
	store := &counting{}
	if v, err := New(store).Now(t.Context(), account.Wallet{Mode: account.Live}); err != nil || v.Reveals != 0 || v.Accounts != 1 {
		t.Errorf("%+v, %v", v, err)
	}
	if len(store.wallets[0]) != 0 {
		t.Errorf("asked for %v", store.wallets[0])
	}
}

// still is a store that can tell that nothing has changed.
type still struct{ counting }

func (s *still) Unchanged(wallet account.Wallet) (account.Versions, bool) {
	return account.Versions{Accounts: 7, Reveals: 3}, true
}

func TestNothingIsAskedWhereNothingHasChanged(t *testing.T) {
	s := &still{}
	v, err := New(s).Now(t.Context(), account.Wallet{Team: lci.NewID(), Mode: account.Live})
	if err != nil || v.Accounts != 7 || v.Reveals != 3 {
		t.Errorf("%+v, %v", v, err)
	}
	if n := s.started.Load(); n != 0 {
		t.Errorf("%d queries", n)
	}
}
