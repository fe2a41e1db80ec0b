package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"cradle/internal/cache"
	"cradle/internal/fault"
)

// ErrKey is the answer to every key that opens nothing, whatever the reason.
var ErrKey = fault.New(fault.Unauthenticated, "invalid_api_key", "Invalid API key")

// HolderStore finds the owner of a key that is stored, not revoked, and whose
// owner is not disabled; nil when there is none.
type HolderStore interface {
	Holder(ctx context.Context, keyHash string) (*Holder, error)
}

// Directory resolves keys and remembers their holders until any account
// changes anywhere.
type Directory struct {
	store   HolderStore
	holders *cache.Cache[holderKey, *Holder]
}

// holderKey names a key's holder as of one version of the accounts.
type holderKey struct {
	version int64
	secret  [sha256.Size]byte
}

// NewDirectory returns a directory that remembers holders in up to memory bytes.
func NewDirectory(store HolderStore, memory int) *Directory {
	return &Directory{store, cache.New(memory, func(_ holderKey, h *Holder) int { return 512 + 256*len(h.Seats) })}
}

// Holder returns the owner of a key, or ErrKey. version is that of the accounts
// at a moment after the request came in: what was remembered before it is
// forgotten, so a revoked key opens nothing from the next request on.
func (d *Directory) Holder(ctx context.Context, version int64, secret string) (*Holder, error) {
	if _, ok := ParseSecret(secret); !ok {
		return nil, ErrKey
	}
	key := holderKey{version, sha256.Sum256([]byte(secret))}
	if h, known := d.holders.Get(key); known {
		return h, nil
	}
	h, err := d.store.Holder(ctx, hex.EncodeToString(key.secret[:]))
	if err != nil {
		return nil, err
	}
	if h == nil {
		return nil, ErrKey
	}
	d.holders.Put(key, h)
	return h, nil
}
