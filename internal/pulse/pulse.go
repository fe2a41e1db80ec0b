// Package pulse tells a request how current everything is, at a moment after
// the request came in. Requests that ask while a query is running share the
// next one, so the price of always being current is a fraction of a query.
package pulse

import (
	"context"
	"sync"
	"time"

	"cradle/internal/account"
)

// Store reads the versions and, per wallet that exists, its count of reveals.
type Store interface {
	// Unchanged returns what Versions said last about the wallet, where the
	// store can tell without a query that it still holds.
	Unchanged(wallet account.Wallet) (account.Versions, bool)
	Versions(ctx context.Context, wallets []account.Wallet) (account.Versions, map[account.Wallet]int64, error)
}

// queryTimeout bounds how long a database may leave requests without an answer.
const queryTimeout = 5 * time.Second

// Pulse answers from a query that started after it was asked, never from an
// earlier one.
type Pulse struct {
	store Store

	mu      sync.Mutex
	running bool
	next    *beat
}

// beat is one query and those who wait for it.
type beat struct {
	wallets  map[account.Wallet]struct{}
	done     chan struct{}
	versions account.Versions
	reveals  map[account.Wallet]int64
	err      error
}

func New(store Store) *Pulse { return &Pulse{store: store} }

// Now returns the versions that were current at some moment after the call.
func (p *Pulse) Now(ctx context.Context, wallet account.Wallet) (account.Versions, error) {
	if v, ok := p.store.Unchanged(wallet); ok {
		return v, nil
	}
	return p.join(wallet).answer(ctx, wallet)
}

func (b *beat) answer(ctx context.Context, wallet account.Wallet) (account.Versions, error) {
	select {
	case <-b.done:
	case <-ctx.Done():
		return account.Versions{}, ctx.Err()
	}
	v := b.versions
	v.Reveals = b.reveals[wallet]
	return v, b.err
}

func (p *Pulse) join(wallet account.Wallet) *beat {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = &beat{wallets: map[account.Wallet]struct{}{}, done: make(chan struct{})}
	}
	b := p.next
	if !wallet.Team.IsZero() {
		b.wallets[wallet] = struct{}{}
	}
	if !p.running {
		p.running = true
		go p.run()
	}
	return b
}

// run queries until nobody waits. It is bound to no request's context: those
// who share a query must not fail because one of them went away.
func (p *Pulse) run() {
	for {
		p.mu.Lock()
		b := p.next
		p.next = nil
		if b == nil {
			p.running = false
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		p.ask(b)
	}
}

func (p *Pulse) ask(b *beat) {
	defer close(b.done)
	ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
	defer cancel()
	wallets := make([]account.Wallet, 0, len(b.wallets))
	for w := range b.wallets {
		wallets = append(wallets, w)
	}
	b.versions, b.reveals, b.err = p.store.Versions(ctx, wallets)
}
