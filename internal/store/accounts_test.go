package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// people is a user with a live key and two teams.
type people struct {
	user   account.User
	key    account.StoredKey
	first  account.Team
	second account.Team
}

var epoch = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

func addPeople(t *testing.T, s *Store) people {
	t.Helper()
	p := people{
		user:   account.User{ID: lci.NewID(), Email: "Ada@Example.org", Firstname: "Ada", Lastname: "L", CreatedAt: epoch},
		first:  account.Team{ID: lci.NewID(), Label: "First"},
		second: account.Team{ID: lci.NewID(), Label: "Second"},
	}
	p.key = keyOf(p.user, "a")
	do := []func(ctx context.Context) error{
		func(ctx context.Context) error {
			return s.AddUser(ctx, p.user, lci.Fold(p.user.Email), "")
		},
		func(ctx context.Context) error {
			return s.AddTeam(ctx, p.second, p.user.ID, 1000, epoch.Add(time.Hour))
		},
		func(ctx context.Context) error { return s.AddTeam(ctx, p.first, p.user.ID, 1000, epoch) },
		func(ctx context.Context) error { return s.AddKey(ctx, p.key) },
	}
	for _, step := range do {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func keyOf(u account.User, hash string) account.StoredKey {
	secret := account.NewSecret(account.Live)
	return account.StoredKey{
		Key:  account.Key{ID: lci.NewID(), UserID: u.ID, Mode: account.Live, Prefix: account.ShownPrefix(secret), CreatedAt: epoch},
		Hash: account.HashSecret(hash),
	}
}

func (p people) holder(t *testing.T, s *Store) *account.Holder {
	t.Helper()
	h, err := s.Holder(t.Context(), p.key.Hash)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHolderSeatsAreOldestFirstAndExactlyOneIsRecent(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		h := p.holder(t, s)
		if h == nil || len(h.Seats) != 2 || h.Seats[0].Team.ID != p.first.ID || h.Seats[1].Team.ID != p.second.ID {
			t.Fatalf("holder %+v", h)
		}
		if h.User.Email != "Ada@Example.org" || h.User.ID != p.user.ID || h.Key.ID != p.key.ID || h.Key.Mode != account.Live {
			t.Errorf("holder %+v", h)
		}
		if h.RecentTeam() != p.first.ID || h.Seats[1].Recent {
			t.Error("without a selection the oldest membership is the recent one")
		}
		if err := s.SetRecentTeam(t.Context(), p.user.ID, p.second.ID); err != nil {
			t.Fatal(err)
		}
		if h := p.holder(t, s); h.RecentTeam() != p.second.ID || h.Seats[0].Recent {
			t.Error("the selected team is the recent one")
		}
	})
}

func TestPendingOrEndedMembershipIsNoSeat(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		if err := s.SetRecentTeam(t.Context(), p.user.ID, p.second.ID); err != nil {
			t.Fatal(err)
		}
		change := func(m *account.Membership) {
			t.Helper()
			err := s.ChangeMembership(t.Context(), p.second.ID, p.user.ID, epoch, func([]account.Membership) (*account.Membership, error) { return m, nil })
			if err != nil {
				t.Fatal(err)
			}
		}
		pending := account.Membership{TeamID: p.second.ID, UserID: p.user.ID, Role: account.Owner, Status: account.Pending}
		change(&pending)
		if h := p.holder(t, s); len(h.Seats) != 1 || h.RecentTeam() != p.first.ID {
			t.Errorf("while pending: %+v", h.Seats)
		}
		change(nil)
		change(&account.Membership{TeamID: p.second.ID, UserID: p.user.ID, Role: account.Member, Status: account.Active})
		if h := p.holder(t, s); len(h.Seats) != 2 {
			t.Errorf("after coming back: %+v", h.Seats)
		}
		if recent := mustScan[lci.ID](t, s, "SELECT recent_team_id FROM users"); !recent.IsZero() {
			t.Error("a team that was left is no longer the selected one")
		}
	})
}

func TestKeyThatOpensNothingHasNoHolder(t *testing.T) {
	closers := []struct {
		name string
		shut func(ctx context.Context, s *Store, p people) error
	}{
		{"revoked", func(ctx context.Context, s *Store, p people) error {
			_, err := s.RevokeKey(ctx, p.key.ID, epoch)
			return err
		}},
		{"owner disabled", func(ctx context.Context, s *Store, p people) error {
			_, err := s.DisableUser(ctx, p.user.ID, epoch)
			return err
		}},
	}
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		if h, err := s.Holder(t.Context(), account.HashSecret("another")); h != nil || err != nil {
			t.Errorf("unknown key: %v, %v", h, err)
		}
		for _, c := range closers {
			t.Run(c.name, func(t *testing.T) {
				p.key = keyOf(p.user, c.name)
				if err := s.AddKey(t.Context(), p.key); err != nil {
					t.Fatal(err)
				}
				if p.holder(t, s) == nil {
					t.Fatal("the key opens nothing before it is shut")
				}
				if err := c.shut(t.Context(), s, p); err != nil {
					t.Fatal(err)
				}
				if h := p.holder(t, s); h != nil {
					t.Errorf("holder %+v", h)
				}
			})
		}
	})
}

func TestHolderWithoutTeamsHasNoSeats(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		u := account.User{ID: lci.NewID(), Email: "solo@example.org", Firstname: "S", Lastname: "O", CreatedAt: epoch}
		if err := s.AddUser(t.Context(), u, u.Email, ""); err != nil {
			t.Fatal(err)
		}
		p := people{user: u, key: keyOf(u, "solo")}
		if err := s.AddKey(t.Context(), p.key); err != nil {
			t.Fatal(err)
		}
		if h := p.holder(t, s); h == nil || len(h.Seats) != 0 || !h.RecentTeam().IsZero() {
			t.Errorf("holder %+v", h)
		}
	})
}

func TestEveryAccountChangeIsSeenAndUseOfAKeyIsNone(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		p := addPeople(t, s)
		version := func() int64 { return mustScan[int64](t, s, "SELECT accounts FROM state WHERE id = 1") }
		another := account.User{ID: lci.NewID(), Email: "b@example.org", Firstname: "B", Lastname: "B", CreatedAt: epoch}
		changes := []struct {
			name string
			do   func() error
		}{
			{"add user", func() error { return s.AddUser(ctx, another, another.Email, "") }},
			{"add team", func() error { return s.AddTeam(ctx, account.Team{ID: lci.NewID(), Label: "T"}, another.ID, 0, epoch) }},
			{"membership", func() error {
				return s.ChangeMembership(ctx, p.first.ID, another.ID, epoch, func([]account.Membership) (*account.Membership, error) {
					return &account.Membership{TeamID: p.first.ID, UserID: another.ID, Role: account.Member, Status: account.Active}, nil
				})
			}},
			{"recent team", func() error { return s.SetRecentTeam(ctx, another.ID, p.first.ID) }},
			{"add key", func() error { return s.AddKey(ctx, keyOf(another, "b")) }},
			{"revoke key", func() error { _, err := s.RevokeKey(ctx, p.key.ID, epoch); return err }},
			{"disable user", func() error { _, err := s.DisableUser(ctx, another.ID, epoch); return err }},
		}
		for _, change := range changes {
			before := version()
			if err := change.do(); err != nil {
				t.Fatalf("%s: %v", change.name, err)
			}
			if version() <= before {
				t.Errorf("%s was not announced", change.name)
			}
		}
	})
}

func TestRefusedAccountChangesChangeNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		before := mustScan[int64](t, s, "SELECT accounts FROM state")
		twin := account.User{ID: lci.NewID(), Email: "ADA@example.org", Firstname: "A", Lastname: "A", CreatedAt: epoch}
		if err := s.AddUser(t.Context(), twin, lci.Fold(twin.Email), ""); !errors.Is(err, account.ErrTaken) {
			t.Errorf("the same address in another case: %v", err)
		}
		refusal := errors.New("no")
		err := s.ChangeMembership(t.Context(), p.first.ID, p.user.ID, epoch, func([]account.Membership) (*account.Membership, error) { return nil, refusal })
		if !errors.Is(err, refusal) {
			t.Errorf("a refused decision: %v", err)
		}
		err = s.ChangeMembership(t.Context(), lci.NewID(), p.user.ID, epoch, nil)
		if !errors.Is(err, account.ErrNoTeam) {
			t.Errorf("an unknown team: %v", err)
		}
		if mustScan[int64](t, s, "SELECT accounts FROM state") != before || len(p.holder(t, s).Seats) != 2 {
			t.Error("something changed")
		}
	})
}

func TestFavouriteIsSetOnceAndAnnounced(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p, record := addPeople(t, s), lci.NewID()
		steps := []struct {
			on       bool
			announce bool
			count    int64
		}{{true, true, 1}, {true, false, 1}, {false, true, 0}, {false, false, 0}}
		for i, step := range steps {
			before := mustScan[int64](t, s, "SELECT favourites FROM state")
			if err := s.SetFavourite(t.Context(), p.user.ID, p.first.ID, record, step.on); err != nil {
				t.Fatal(err)
			}
			after := mustScan[int64](t, s, "SELECT favourites FROM state")
			if (after > before) != step.announce || mustScan[int64](t, s, "SELECT COUNT(*) FROM favourites") != step.count {
				t.Errorf("step %d went wrong", i)
			}
		}
	})
}
