package account

import (
	"context"
	"fmt"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// ErrOwnerOnly refuses members what only owners may do.
var ErrOwnerOnly = fault.New(fault.Forbidden, "owner_only", "Only an owner of the team may do this")

// A Colleague is a member of a team as the other members see them.
type Colleague struct {
	User   User
	Role   Role
	Status Status
}

// Members returns a team's members, oldest first, without those who have not
// accepted their invitation.
func (s *Service) Members(ctx context.Context, team lci.ID) ([]Colleague, error) {
	members, err := s.store.Members(ctx, team)
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	return members, nil
}

// SetRole changes an active member's role. The last owner keeps theirs.
func (s *Service) SetRole(ctx context.Context, team, user lci.ID, role Role) error {
	if role != Owner && role != Member {
		return fault.Fieldf("role", "%q is neither %q nor %q", role, Owner, Member)
	}
	who, err := s.colleague(ctx, team, user)
	if err != nil {
		return err
	}
	return s.changeMembership(ctx, team, user, func(members []Membership) (*Membership, error) {
		current := memberOf(members, user)
		if current == nil || current.Status != Active {
			return nil, noMember()
		}
		next := *current
		next.Role = role
		if role == Owner {
			return &next, nil
		}
		return &next, keepsOwner(members, who.User)
	})
}

// Remove ends a membership. The last owner cannot be removed.
func (s *Service) Remove(ctx context.Context, team, user lci.ID) error {
	who, err := s.colleague(ctx, team, user)
	if err != nil {
		return err
	}
	_, err = s.RemoveMember(ctx, team, who.User.Email)
	return err
}

func (s *Service) colleague(ctx context.Context, team, user lci.ID) (Colleague, error) {
	members, err := s.Members(ctx, team)
	if err != nil {
		return Colleague{}, err
	}
	for _, m := range members {
		if m.User.ID == user {
			return m, nil
		}
	}
	return Colleague{}, noMember()
}

func noMember() error { return fault.NotFoundf("There is no such member in this team") }

// DescribeTeam changes a team's label and description.
func (s *Service) DescribeTeam(ctx context.Context, team lci.ID, label, description string) error {
	label, err1 := normalName("label", label)
	description, err2 := OneLine("description", description, maxDescription)
	if err := firstOf(err1, err2); err != nil {
		return err
	}
	changed := Team{ID: team, Label: label}
	if description != "" {
		changed.Description = &description
	}
	return s.store.DescribeTeam(ctx, changed)
}

// SelectTeam makes a team of which the user is an active member their recent
// one.
func (s *Service) SelectTeam(ctx context.Context, v *Visitor, team lci.ID) error {
	for _, seat := range v.Seats {
		if seat.Team.ID == team {
			return s.store.SetRecentTeam(ctx, v.User.ID, team)
		}
	}
	return fault.NotFoundf("You are no member of such a team")
}

// Offers returns the teams that an operator has added the user to and that they
// have not joined yet.
func (s *Service) Offers(ctx context.Context, user lci.ID) ([]Seat, error) {
	return s.store.Offers(ctx, user)
}

// AnswerOffer joins or declines a team that the user was added to.
func (s *Service) AnswerOffer(ctx context.Context, v *Visitor, team lci.ID, join bool) error {
	offers, err := s.Offers(ctx, v.User.ID)
	if err != nil {
		return err
	}
	for _, offer := range offers {
		if offer.Team.ID == team {
			return s.changeMembership(ctx, team, v.User.ID, func(members []Membership) (*Membership, error) {
				current := memberOf(members, v.User.ID)
				if current == nil || current.Status != Pending {
					return nil, noMember()
				}
				if !join {
					return nil, nil
				}
				return &Membership{TeamID: team, UserID: v.User.ID, Role: current.Role, Status: Active}, nil
			})
		}
	}
	return fault.NotFoundf("No such team is waiting for your answer")
}

// OwnKeys returns a user's keys, oldest first, including revoked ones.
func (s *Service) OwnKeys(ctx context.Context, user lci.ID) ([]Key, error) {
	keys, err := s.store.Keys(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return keys, nil
}

// OwnKey returns a user's key, or a NotFound fault, also for another user's key.
func (s *Service) OwnKey(ctx context.Context, user, id lci.ID) (Key, error) {
	key, err := s.store.Key(ctx, id)
	if err != nil {
		return Key{}, fmt.Errorf("read key: %w", err)
	}
	if key == nil || key.UserID != user {
		return Key{}, noKey(id)
	}
	return key.Key, nil
}
