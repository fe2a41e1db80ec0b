// Package library shows viewers the catalogue: lists, records and searches, always
// masked.
//
// Lists and searches are answered from memory, from an edition of the catalogue
// that holds names and ids but no values; the records of a page come from the
// store. APIs may cache what they render of a record under its Ref: equal refs
// mean equal views.
package library

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"cradle/internal/account"
	"cradle/internal/cache"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// ErrMoved reports that an import finished between two steps of a read, so that
// their results do not fit together. The read can be retried at once.
var ErrMoved = fault.New(fault.Unavailable, "catalogue_moved", "The catalogue was changed while it was read; try again shortly")

// mostTries bounds how often a read is retried while the catalogue keeps changing.
const mostTries = 5

// UntilStill retries read while it returns ErrMoved.
func UntilStill(read func() error) error {
	for try := 1; ; try++ {
		err := read()
		if !errors.Is(err, ErrMoved) || try == mostTries {
			return err
		}
	}
}

// Options of a library.
type Options struct {
	// SyntheticSandbox gives test keys stable stand-ins for the real numbers.
	SyntheticSandbox bool
	// Memory bounds the bytes used for cached searches and holdings.
	Memory int
}

// Library answers reads of the catalogue for every viewer.
type Library struct {
	store   Store
	options Options

	loading  sync.Mutex // one edition is read at a time
	mu       sync.RWMutex
	edition  *edition
	outdated bool

	searches   *cache.Cache[search, []uint32]
	choices    *cache.Cache[choiceKey, Choices]
	owned      *cache.Cache[ownerKey, *holdings]
	favourites *cache.Cache[starKey, map[lci.ID]struct{}]
}

// ownerKey identifies a wallet's holdings in one generation of the catalogue.
type ownerKey struct {
	wallet     account.Wallet
	generation int64
}

// starKey identifies the favourites of a user in a team at one version of all
// favourites.
type starKey struct {
	user, team lci.ID
	version    int64
}

// loadTimeout bounds how long an edition may take to read.
const loadTimeout = 10 * time.Minute

func New(store Store, options Options) *Library {
	half, eighth := options.Memory/2, options.Memory/8
	return &Library{
		store:      store,
		options:    options,
		searches:   cache.New(half, func(s search, hits []uint32) int { return len(s.needle) + 4*len(hits) }),
		owned:      cache.New(half/2, func(_ ownerKey, h *holdings) int { return h.size() }),
		choices:    cache.New(eighth, func(_ choiceKey, c Choices) int { return c.size() }),
		favourites: cache.New(eighth, func(_ starKey, ids map[lci.ID]struct{}) int { return 32 * len(ids) }),
	}
}

// Warm loads the catalogue so that the first request need not.
func (l *Library) Warm(ctx context.Context) error {
	_, err := l.at(ctx, 0)
	return err
}

// at returns an edition of the given generation or a later one.
func (l *Library) at(ctx context.Context, generation int64) (*edition, error) {
	if e := l.current(generation); e != nil {
		return e, nil
	}
	l.loading.Lock()
	defer l.loading.Unlock()
	if e := l.current(generation); e != nil {
		return e, nil
	}
	e, err := l.load(ctx)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.edition, l.outdated = e, false
	return e, nil
}

// load reads an edition. Many requests may wait for it, so it does not end with
// the request that started it.
func (l *Library) load(ctx context.Context) (*edition, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
	defer cancel()
	return readEdition(ctx, l.store)
}

func (l *Library) current(generation int64) *edition {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.edition == nil || l.outdated || l.edition.generation < generation {
		return nil
	}
	return l.edition
}

// stillAt returns ErrMoved when the catalogue has changed since the edition, which
// means that rows read from the store since then may not belong to it.
func (l *Library) stillAt(ctx context.Context, e *edition) error {
	now, err := l.store.Generation(ctx)
	if err != nil || now == e.generation {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.edition == e {
		l.outdated = true
	}
	return ErrMoved
}

// maskFor returns what a viewer may see of the current edition.
func (l *Library) maskFor(ctx context.Context, v account.Viewer) (*mask, error) {
	e, err := l.at(ctx, v.At.Catalogue)
	if err != nil {
		return nil, err
	}
	held, err := l.holdings(ctx, v, e)
	if err != nil {
		return nil, err
	}
	starred, err := l.starred(ctx, v)
	if err != nil {
		return nil, err
	}
	return &mask{viewer: v, edition: e, holdings: owned{held, v.At.Reveals}, favourites: starred,
		synthetic: l.options.SyntheticSandbox && v.Mode == account.Sandbox}, nil
}

// holdings returns what the viewer's wallet owns in an edition.
func (l *Library) holdings(ctx context.Context, v account.Viewer, e *edition) (*holdings, error) {
	key := ownerKey{v.Wallet(), e.generation}
	h, known := l.owned.Get(key)
	if !known {
		h = newHoldings()
	}
	grown, err := h.refresh(ctx, l.store, v.Wallet(), v.At.Reveals)
	if err != nil || known && !grown {
		return h, err
	}
	if err := l.stillAt(ctx, e); err != nil {
		return nil, err
	}
	l.owned.Put(key, h)
	return h, nil
}

// starred returns the viewer's favourites.
func (l *Library) starred(ctx context.Context, v account.Viewer) (map[lci.ID]struct{}, error) {
	key := starKey{v.User, v.Team, v.At.Favourites}
	if known, ok := l.favourites.Get(key); ok {
		return known, nil
	}
	ids, err := l.store.Favourites(ctx, v.User, v.Team)
	if err != nil {
		return nil, err
	}
	set := make(map[lci.ID]struct{}, len(ids))
	for _, id := range ids {
		set[id] = struct{}{}
	}
	l.favourites.Put(key, set)
	return set, nil
}

// Methods returns every characterization method, sorted by name.
func (l *Library) Methods(ctx context.Context, v account.Viewer) ([]Method, error) {
	e, err := l.at(ctx, v.At.Catalogue)
	if err != nil {
		return nil, err
	}
	return slices.Clone(e.methods), nil
}

func compareNames(a, b string) int {
	if c := strings.Compare(lci.Fold(a), lci.Fold(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// shortened cuts a malformed id for use in a message.
func shortened(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
