package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// InvitationLife is how long an invitation can be accepted.
const InvitationLife = 7 * 24 * time.Hour

// ErrInvitation is the answer to every link that is not, or no longer, valid.
var ErrInvitation = fault.New(fault.NotFound, "no_invitation",
	"This invitation is no longer valid: it was accepted, withdrawn or replaced, or it has expired. Ask for a new one")

// ErrMember is returned by a store when the invited user is already an active
// member.
var ErrMember = errors.New("already a member of the team")

// An Invitation invites the owner of an e-mail address to a team.
type Invitation struct {
	ID        lci.ID
	Team      Team
	Email     string
	Role      Role
	InvitedBy string // the inviter's e-mail address
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Expired reports whether it is too late to accept.
func (i Invitation) Expired(now time.Time) bool { return !now.Before(i.ExpiresAt) }

// InvitationStore keeps invitations.
type InvitationStore interface {
	// AddInvitation replaces an earlier invitation of the same address to the
	// same team. If the address has an account, its membership is pending until
	// the invitation is accepted. It returns ErrMember or ErrNoTeam.
	AddInvitation(ctx context.Context, i Invitation, by lci.ID, emailFold, token string) error
	// Invitations returns a team's invitations, newest first, including expired
	// ones.
	Invitations(ctx context.Context, team lci.ID) ([]Invitation, error)
	// Invitation returns an invitation that can be accepted, or nil.
	Invitation(ctx context.Context, token string, now time.Time) (*Invitation, error)
	// WithdrawInvitation reports whether there was one.
	WithdrawInvitation(ctx context.Context, team, id lci.ID) (bool, error)
	// AcceptInvitation makes the user an active member, selects the team and
	// ends the invitation; it returns false if there is none for the user's
	// address.
	AcceptInvitation(ctx context.Context, token string, user lci.ID, now time.Time) (bool, error)
	// AcceptAsNew does the same for a new user; it returns ErrTaken if the
	// address has an account.
	AcceptAsNew(ctx context.Context, token string, u User, emailFold, passwordHash string) (bool, error)
}

// Invitations invites people to teams.
type Invitations struct {
	store    InvitationStore
	sessions *Sessions
	now      func() time.Time
}

func NewInvitations(store InvitationStore, sessions *Sessions, now func() time.Time) *Invitations {
	return &Invitations{store: store, sessions: sessions, now: now}
}

// Invite returns an invitation and the token that accepts it, which is not
// stored. The result does not reveal whether the address has an account.
func (s *Invitations) Invite(ctx context.Context, by User, team Team, email string, role Role) (Invitation, string, error) {
	n, err := NewMember{Team: team.ID, Email: email, Role: role}.Normal()
	if err != nil {
		return Invitation{}, "", err
	}
	if n.Role == "" {
		n.Role = Member
	}
	now := s.now()
	i := Invitation{ID: lci.NewID(), Team: team, Email: n.Email, Role: n.Role, InvitedBy: by.Email, CreatedAt: now, ExpiresAt: now.Add(InvitationLife)}
	token := newToken()
	err = s.store.AddInvitation(ctx, i, by.ID, foldEmail(n.Email), hashToken(token))
	if errors.Is(err, ErrMember) {
		return Invitation{}, "", fault.New(fault.Conflict, "already_a_member", "email %q already belongs to a member of the team", n.Email).In("email")
	}
	if err != nil {
		return Invitation{}, "", fmt.Errorf("add invitation: %w", err)
	}
	return i, token, nil
}

// List returns a team's invitations, newest first.
func (s *Invitations) List(ctx context.Context, team lci.ID) ([]Invitation, error) {
	return s.store.Invitations(ctx, team)
}

// Find returns the invitation for a token, or ErrInvitation.
func (s *Invitations) Find(ctx context.Context, token string) (Invitation, error) {
	i, err := s.store.Invitation(ctx, hashToken(token), s.now())
	if err != nil {
		return Invitation{}, fmt.Errorf("read invitation: %w", err)
	}
	if i == nil {
		return Invitation{}, ErrInvitation
	}
	return *i, nil
}

// Withdraw ends a team's invitation.
func (s *Invitations) Withdraw(ctx context.Context, team, id lci.ID) error {
	there, err := s.store.WithdrawInvitation(ctx, team, id)
	if err == nil && !there {
		err = fault.NotFoundf("There is no such invitation any more")
	}
	return err
}

// Accept makes the signed-in user a member. It returns ErrInvitation, or a
// Forbidden fault if the invitation is for another address.
func (s *Invitations) Accept(ctx context.Context, token string, v *Visitor) error {
	i, err := s.Find(ctx, token)
	if err != nil {
		return err
	}
	if foldEmail(i.Email) != foldEmail(v.User.Email) {
		return fault.New(fault.Forbidden, "other_account", "The invitation is for %s; sign in as that account to accept it", i.Email)
	}
	accepted, err := s.store.AcceptInvitation(ctx, hashToken(token), v.User.ID, s.now())
	if err == nil && !accepted {
		err = ErrInvitation
	}
	return err
}

// AcceptAsNew creates an account for the invited address and signs it in. It
// never changes the password of an existing account: its owner has to sign in.
func (s *Invitations) AcceptAsNew(ctx context.Context, token string, n NewUser, client, agent string) (string, error) {
	i, err := s.Find(ctx, token)
	if err != nil {
		return "", err
	}
	n.Email = i.Email
	if n, err = n.Normal(); err != nil {
		return "", err
	}
	if err := CheckPassword(n.Password); err != nil {
		return "", err
	}
	u := User{ID: lci.NewID(), Email: n.Email, Firstname: n.Firstname, Lastname: n.Lastname, CreatedAt: s.now()}
	accepted, err := s.store.AcceptAsNew(ctx, hashToken(token), u, foldEmail(u.Email), s.sessions.hash(n.Password))
	switch {
	case errors.Is(err, ErrTaken):
		return "", fault.New(fault.Conflict, "email_taken", "This address already has an account; sign in with its password to accept the invitation")
	case err != nil:
		return "", fmt.Errorf("accept invitation: %w", err)
	case !accepted:
		return "", ErrInvitation
	}
	return s.sessions.open(ctx, u.ID, client, agent)
}
