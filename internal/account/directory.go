package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"cradle/internal/cache"
	"cradle/internal/fault"
)

// ErrKey is the answer to every invalid key, whatever the reason.
var ErrKey = fault.New(fault.Unauthenticated, "invalid_api_key", "Invalid API key")

// HolderStore finds the owner of a stored key. It returns nil if there is none,
// the key is revoked or its owner is disabled.
type HolderStore interface {
	Holder(ctx context.Context, keyHash string) (*Holder, error)
}

// Directory resolves keys and caches their holders until any account changes.
type Directory struct {
	store   HolderStore
	holders *cache.Cache[holderKey, *Holder]
}

// holderKey identifies a key's holder at one version of the accounts.
type holderKey struct {
	version int64
	secret  [sha256.Size]byte
}

// NewDirectory returns a directory that caches holders in up to memory bytes.
func NewDirectory(store HolderStore, memory int) *Directory {
	return &Directory{store, cache.New(memory, func(_ holderKey, h *Holder) int { return 512 + 256*len(h.Seats) })}
}

// Holder returns the owner of a key, or ErrKey. version is the version of the
// accounts after the request came in: entries cached at an earlier version are
// ignored, so that revoking a key takes effect with the next request.
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
