// Package freshness tells a request how current everything is, at a moment after
// the request came in. Requests that ask while a query is running share the
// next one, so the price of always being current is a fraction of a query.
package freshness

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

// Checker answers from a query that started after it was asked, never from an
// earlier one.
type Checker struct {
	store Store

	mu      sync.Mutex
	running bool
	next    *look
}

// look is one query and those who wait for it.
type look struct {
	wallets  map[account.Wallet]struct{}
	done     chan struct{}
	versions account.Versions
	reveals  map[account.Wallet]int64
	err      error
}

func New(store Store) *Checker { return &Checker{store: store} }

// Now returns the versions that were current at some moment after the call.
func (c *Checker) Now(ctx context.Context, wallet account.Wallet) (account.Versions, error) {
	if v, ok := c.store.Unchanged(wallet); ok {
		return v, nil
	}
	return c.join(wallet).answer(ctx, wallet)
}

func (b *look) answer(ctx context.Context, wallet account.Wallet) (account.Versions, error) {
	select {
	case <-b.done:
	case <-ctx.Done():
		return account.Versions{}, ctx.Err()
	}
	v := b.versions
	v.Reveals = b.reveals[wallet]
	return v, b.err
}

func (c *Checker) join(wallet account.Wallet) *look {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil {
		c.next = &look{wallets: map[account.Wallet]struct{}{}, done: make(chan struct{})}
	}
	b := c.next
	if !wallet.Team.IsZero() {
		b.wallets[wallet] = struct{}{}
	}
	if !c.running {
		c.running = true
		go c.run()
	}
	return b
}

// run queries until nobody waits. It is bound to no request's context: those
// who share a query must not fail because one of them went away.
func (c *Checker) run() {
	for {
		c.mu.Lock()
		b := c.next
		c.next = nil
		if b == nil {
			c.running = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		c.ask(b)
	}
}

func (c *Checker) ask(b *look) {
	defer close(b.done)
	ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
	defer cancel()
	wallets := make([]account.Wallet, 0, len(b.wallets))
	for w := range b.wallets {
		wallets = append(wallets, w)
	}
	b.versions, b.reveals, b.err = c.store.Versions(ctx, wallets)
}
