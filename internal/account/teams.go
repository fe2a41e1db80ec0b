package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// ErrNoTeam is returned by a store when a team does not exist.
var ErrNoTeam = errors.New("the team does not exist")

type teamStore interface {
	// AddTeam adds the team with its active owner and both wallets; the sandbox
	// quota is the first entry of the sandbox's ledger.
	AddTeam(ctx context.Context, team Team, owner lci.ID, sandboxQuota int64, at time.Time) error
	// Team returns nil if there is none.
	Team(ctx context.Context, id lci.ID) (*Team, error)
	// ChangeMembership passes the team's memberships to decide, while no one
	// else can change them, and stores the one it returns for the user; nil ends
	// the user's membership. Unless the new membership is pending, the user's
	// invitation ends, too. It returns ErrNoTeam, or decide's error.
	ChangeMembership(ctx context.Context, team, user lci.ID, at time.Time, decide func([]Membership) (*Membership, error)) error
	// Members returns a team's members, oldest first, without those with an open
	// invitation.
	Members(ctx context.Context, team lci.ID) ([]Colleague, error)
	DescribeTeam(ctx context.Context, team Team) error
	SetRecentTeam(ctx context.Context, user, team lci.ID) error
	// Offers returns a user's pending memberships without an invitation.
	Offers(ctx context.Context, user lci.ID) ([]Seat, error)
}

// NewTeam describes a team to be created.
type NewTeam struct {
	Label       string
	Description string
	Owner       string // the e-mail address of its first owner
}

// Normal returns the fields as they will be stored, or what is wrong with them.
func (n NewTeam) Normal() (NewTeam, error) {
	label, err1 := normalName("label", n.Label)
	description, err2 := OneLine("description", n.Description, maxDescription)
	owner, err3 := normalEmail(n.Owner)
	return NewTeam{label, description, owner}, firstOf(err1, err2, err3)
}

// AddTeam creates a team with one owner, no live credits and a sandbox.
func (s *Service) AddTeam(ctx context.Context, n NewTeam) (Team, error) {
	n, err := n.Normal()
	if err != nil {
		return Team{}, err
	}
	owner, err := s.enabledUser(ctx, n.Owner)
	if err != nil {
		return Team{}, err
	}
	team := Team{ID: lci.NewID(), Label: n.Label}
	if n.Description != "" {
		team.Description = &n.Description
	}
	if err := s.store.AddTeam(ctx, team, owner.ID, s.quota, s.now()); err != nil {
		return Team{}, fmt.Errorf("add team: %w", err)
	}
	return team, nil
}

// Team returns a team, or a fault if there is none.
func (s *Service) Team(ctx context.Context, id lci.ID) (Team, error) {
	team, err := s.store.Team(ctx, id)
	if err != nil {
		return Team{}, fmt.Errorf("read team: %w", err)
	}
	if team == nil {
		return Team{}, noTeam(id)
	}
	return *team, nil
}

// NewMember describes a membership to be set.
type NewMember struct {
	Team    lci.ID
	Email   string
	Role    Role // "" keeps the current role; a new member becomes Member
	Pending bool
}

// Normal returns the fields as they will be stored, or what is wrong with them.
func (n NewMember) Normal() (NewMember, error) {
	email, err := normalEmail(n.Email)
	if err == nil && n.Role != "" && n.Role != Owner && n.Role != Member {
		err = fault.Fieldf("role", "%q is neither %q nor %q", n.Role, Owner, Member)
	}
	n.Email = email
	return n, err
}

// SetMember adds or changes a membership. A team always keeps an active owner.
func (s *Service) SetMember(ctx context.Context, n NewMember) (Membership, error) {
	n, err := n.Normal()
	if err != nil {
		return Membership{}, err
	}
	u, err := s.enabledUser(ctx, n.Email)
	if err != nil {
		return Membership{}, err
	}
	var set Membership
	err = s.changeMembership(ctx, n.Team, u.ID, func(team []Membership) (*Membership, error) {
		set = n.membership(u.ID, team)
		if set.leads() {
			return &set, nil
		}
		return &set, keepsOwner(team, u)
	})
	return set, err
}

func (n NewMember) membership(user lci.ID, team []Membership) Membership {
	m := Membership{TeamID: n.Team, UserID: user, Role: n.Role, Status: Active}
	if m.Role == "" {
		m.Role = Member
		if current := memberOf(team, user); current != nil {
			m.Role = current.Role
		}
	}
	if n.Pending {
		m.Status = Pending
	}
	return m
}

// RemoveMember ends a membership and returns what it was.
func (s *Service) RemoveMember(ctx context.Context, team lci.ID, email string) (Membership, error) {
	u, err := s.user(ctx, email)
	if err != nil {
		return Membership{}, err
	}
	var was Membership
	err = s.changeMembership(ctx, team, u.ID, func(team []Membership) (*Membership, error) {
		current := memberOf(team, u.ID)
		if current == nil {
			return nil, fault.NotFoundf("%q is no member of the team", u.Email)
		}
		was = *current
		return nil, keepsOwner(team, u)
	})
	return was, err
}

func (s *Service) changeMembership(ctx context.Context, team, user lci.ID, decide func([]Membership) (*Membership, error)) error {
	err := s.store.ChangeMembership(ctx, team, user, s.now(), decide)
	if errors.Is(err, ErrNoTeam) {
		return noTeam(team)
	}
	if err != nil && fault.As(err) == nil {
		return fmt.Errorf("change membership: %w", err)
	}
	return err
}

func memberOf(team []Membership, user lci.ID) *Membership {
	for i := range team {
		if team[i].UserID == user {
			return &team[i]
		}
	}
	return nil
}

func (m Membership) leads() bool { return m.Role == Owner && m.Status == Active }

// keepsOwner refuses a change that would remove the team's last active owner.
func keepsOwner(team []Membership, leaving User) error {
	current := memberOf(team, leaving.ID)
	if current == nil || !current.leads() {
		return nil
	}
	for _, m := range team {
		if m.UserID != leaving.ID && m.leads() {
			return nil
		}
	}
	return fault.New(fault.Conflict, "last_owner", "%q is the team's last owner; make somebody else an owner first", leaving.Email)
}
