package account

import (
	"context"
	"time"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// DefaultSandboxQuota is a new team's sandbox credits.
const DefaultSandboxQuota = 1000

// Store stores accounts. Each change is one transaction, visible to the next
// request on every replica.
type Store interface {
	userStore
	teamStore
	keyStore
}

// Service creates and changes users, teams, memberships and keys. Its faults
// name the field.
type Service struct {
	store  Store
	sealer *Sealer
	quota  int64
	now    func() time.Time
}

// Options are what an operator may set.
type Options struct {
	Sealer       *Sealer // for test keys
	SandboxQuota int64   // credits of a new team's sandbox
}

func NewService(store Store, options Options) *Service {
	return &Service{store: store, sealer: options.Sealer, quota: options.SandboxQuota, now: now}
}

// now has the precision of stored times.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// user finds the user with an e-mail address.
func (s *Service) user(ctx context.Context, email string) (User, error) {
	email, err := normalEmail(email)
	if err != nil {
		return User{}, err
	}
	u, err := s.store.UserByEmail(ctx, foldEmail(email))
	if err != nil {
		return User{}, err
	}
	if u == nil {
		return User{}, fault.NotFoundf("No user has the email %q", email)
	}
	return *u, nil
}

// enabledUser finds the user with an e-mail address, who must not be disabled.
func (s *Service) enabledUser(ctx context.Context, email string) (User, error) {
	u, err := s.user(ctx, email)
	if err == nil && u.DisabledAt != nil {
		err = fault.New(fault.Conflict, "user_disabled", "The user %q is disabled", u.Email)
	}
	return u, err
}

func noTeam(id lci.ID) error { return fault.NotFoundf("No team has the id %s", id) }
