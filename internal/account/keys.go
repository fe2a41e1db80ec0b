package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

type keyStore interface {
	AddKey(ctx context.Context, key StoredKey) error
	// Keys returns a user's keys, oldest first, or everybody's for the zero ID.
	Keys(ctx context.Context, user lci.ID) ([]Key, error)
	// Key returns nil if there is none.
	Key(ctx context.Context, id lci.ID) (*StoredKey, error)
	// RevokeKey deletes the sealed text and returns the time of revocation,
	// which stays that of the first call; nil if there is no such key.
	RevokeKey(ctx context.Context, id lci.ID, at time.Time) (*time.Time, error)
}

// A StoredKey is everything that is stored of a key.
type StoredKey struct {
	Key
	Hash   string
	Sealed []byte // a test key's text, encrypted
}

// NewKey describes a key to be created.
type NewKey struct {
	Email string // its owner's
	Mode  Mode
	Label string
}

// Normal returns the fields as they will be stored, or what is wrong with them.
func (n NewKey) Normal() (NewKey, error) {
	email, err1 := normalEmail(n.Email)
	label, err2 := OneLine("label", n.Label, maxName)
	return NewKey{email, n.Mode, label}, firstOf(err1, err2)
}

// CreateKey creates a key and returns its text, which for a live key is not
// stored.
func (s *Service) CreateKey(ctx context.Context, n NewKey) (Key, string, error) {
	n, err := n.Normal()
	if err != nil {
		return Key{}, "", err
	}
	owner, err := s.enabledUser(ctx, n.Email)
	if err != nil {
		return Key{}, "", err
	}
	secret := NewSecret(n.Mode)
	key := StoredKey{
		Key: Key{
			ID: lci.NewID(), UserID: owner.ID, Mode: n.Mode, Label: n.Label,
			Prefix: ShownPrefix(secret), CreatedAt: s.now(),
		},
		Hash: HashSecret(secret),
	}
	if n.Mode == Sandbox {
		key.Sealed = s.sealer.Seal(key.ID, secret)
	}
	if err := s.store.AddKey(ctx, key); err != nil {
		return Key{}, "", fmt.Errorf("add key: %w", err)
	}
	return key.Key, secret, nil
}

// Keys lists the keys of the user with an e-mail address, or all keys for "",
// oldest first, including revoked ones.
func (s *Service) Keys(ctx context.Context, email string) ([]Key, error) {
	var owner lci.ID
	if email != "" {
		u, err := s.user(ctx, email)
		if err != nil {
			return nil, err
		}
		owner = u.ID
	}
	keys, err := s.store.Keys(ctx, owner)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return keys, nil
}

// RevokeKey makes a key invalid from the next request on. Repeating it changes
// nothing.
func (s *Service) RevokeKey(ctx context.Context, id lci.ID) (time.Time, error) {
	at, err := s.store.RevokeKey(ctx, id, s.now())
	if err != nil {
		return time.Time{}, fmt.Errorf("revoke key: %w", err)
	}
	if at == nil {
		return time.Time{}, noKey(id)
	}
	return *at, nil
}

// RevealKey returns the text of a test key that is not revoked.
func (s *Service) RevealKey(ctx context.Context, id lci.ID) (string, error) {
	key, err := s.store.Key(ctx, id)
	switch {
	case err != nil:
		return "", fmt.Errorf("read key: %w", err)
	case key == nil:
		return "", noKey(id)
	case key.Mode == Live:
		return "", fault.New(fault.Forbidden, "live_key", "A live key is shown only when it is created")
	case key.RevokedAt != nil:
		return "", fault.New(fault.Conflict, "key_revoked", "The key %s is revoked", id)
	}
	secret, err := s.sealer.Open(key.ID, key.Sealed)
	if errors.Is(err, ErrSeal) {
		return "", fault.New(fault.Conflict, "other_secret", "The key %s was created with another server secret and cannot be shown; create a new one", id)
	}
	return secret, err
}

func noKey(id lci.ID) error { return fault.NotFoundf("No key has the id %s", id) }
