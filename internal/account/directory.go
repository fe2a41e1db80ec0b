package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"cradle/internal/fault"
)

// ErrKey is the answer to every key that opens nothing, whatever the reason.
var ErrKey = fault.New(fault.Unauthenticated, "invalid_api_key", "Invalid API key")

// HolderStore finds the owner of a key that is stored, not revoked, and whose
// owner is not disabled; nil when there is none.
type HolderStore interface {
	Holder(ctx context.Context, keyHash string) (*Holder, error)
}

// mostHolders bounds what the directory remembers.
const mostHolders = 50_000

// Directory resolves keys and remembers their holders until any account
// changes anywhere.
type Directory struct {
	store HolderStore

	mu      sync.RWMutex
	version int64
	holders map[[sha256.Size]byte]*Holder
}

func NewDirectory(store HolderStore) *Directory {
	return &Directory{store: store, holders: map[[sha256.Size]byte]*Holder{}}
}

// Holder returns the owner of a key, or ErrKey. version is that of the accounts
// at a moment after the request came in: what was remembered before it is
// forgotten, so a revoked key opens nothing from the next request on.
func (d *Directory) Holder(ctx context.Context, version int64, secret string) (*Holder, error) {
	if _, ok := ParseSecret(secret); !ok {
		return nil, ErrKey
	}
	hash := sha256.Sum256([]byte(secret))
	if h := d.remembered(version, hash); h != nil {
		return h, nil
	}
	h, err := d.store.Holder(ctx, hex.EncodeToString(hash[:]))
	if err != nil {
		return nil, err
	}
	if h == nil {
		return nil, ErrKey
	}
	d.remember(version, hash, h)
	return h, nil
}

func (d *Directory) remembered(version int64, hash [sha256.Size]byte) *Holder {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.version != version {
		return nil
	}
	return d.holders[hash]
}

// remember keeps what was read at version. A reader that was overtaken by a
// later version keeps nothing: what it read may be of before that.
func (d *Directory) remember(version int64, hash [sha256.Size]byte, h *Holder) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if version < d.version {
		return
	}
	if version > d.version || len(d.holders) >= mostHolders {
		d.version = version
		clear(d.holders)
	}
	d.holders[hash] = h
}
