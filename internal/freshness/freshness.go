// Package freshness returns to a request the versions of everything cached,
// current at some time after the request came in. Requests that arrive while a
// query is running share the next one, so that always being current costs a
// fraction of a query.
package freshness

import (
	"context"
	"sync"
	"time"

	"cradle/internal/account"
)

// Store reads the versions and the number of reveals of each existing wallet.
type Store interface {
	// Unchanged returns what Versions last returned for the wallet, if the store
	// can tell without a query that it is still current.
	Unchanged(wallet account.Wallet) (account.Versions, bool)
	Versions(ctx context.Context, wallets []account.Wallet) (account.Versions, map[account.Wallet]int64, error)
}

// queryTimeout bounds how long a hanging database holds up requests.
const queryTimeout = 5 * time.Second

// Checker answers each call from a query that started after the call, never from
// an earlier one.
type Checker struct {
	store Store

	mu      sync.Mutex
	running bool
	next    *look
}

// look is one query and the calls that wait for it.
type look struct {
	wallets  map[account.Wallet]struct{}
	done     chan struct{}
	versions account.Versions
	reveals  map[account.Wallet]int64
	err      error
}

func New(store Store) *Checker { return &Checker{store: store} }

// Now returns versions that were current at some time after the call.
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

// run queries until no one waits. It does not use a request's context: requests
// that share a query must not fail because one of them was cancelled.
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
