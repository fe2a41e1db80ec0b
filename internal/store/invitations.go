package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// AddInvitation stores an invitation in place of an earlier one, with a pending
// membership if the address has an account.
func (s *Store) AddInvitation(ctx context.Context, i account.Invitation, by lci.ID, emailFold, token string) error {
	return s.changeAccounts(ctx, func(t *tx) error {
		members, err := s.lockMemberships(ctx, t, i.Team.ID)
		if err != nil {
			return err
		}
		if err := t.putDown(ctx, i, emailFold, members); err != nil {
			return err
		}
		if _, err := t.exec(ctx, `DELETE FROM invitations WHERE team_id = $1 AND email_fold = $2`, i.Team.ID, emailFold); err != nil {
			return err
		}
		_, err = t.exec(ctx, `INSERT INTO invitations (id, team_id, email, email_fold, role, token, invited_by, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			i.ID, i.Team.ID, i.Email, emailFold, string(i.Role), token, by, i.CreatedAt.UnixMilli(), i.ExpiresAt.UnixMilli())
		return err
	})
}

// putDown makes the membership of an enabled user with the address pending.
func (t *tx) putDown(ctx context.Context, i account.Invitation, emailFold string, members []account.Membership) error {
	var user lci.ID
	err := t.row(ctx, `SELECT id FROM users WHERE email_fold = $1 AND disabled_at IS NULL`, emailFold).Scan(&user)
	if errors.Is(err, errNoRow) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.UserID == user && m.Status == account.Active {
			return account.ErrMember
		}
	}
	return t.setMembership(ctx, account.Membership{TeamID: i.Team.ID, UserID: user, Role: i.Role, Status: account.Pending}, i.CreatedAt)
}

const invitationColumns = `i.id, i.email, i.role, u.email, i.created_at, i.expires_at, t.id, t.label, t.description
	FROM invitations i JOIN teams t ON t.id = i.team_id JOIN users u ON u.id = i.invited_by`

func scanInvitation(scan func(...any) error) (account.Invitation, error) {
	var i account.Invitation
	var created, expires int64
	err := scan(&i.ID, &i.Email, &i.Role, &i.InvitedBy, &created, &expires, &i.Team.ID, &i.Team.Label, &i.Team.Description)
	i.CreatedAt, i.ExpiresAt = timeOf(created), timeOf(expires)
	return i, err
}

// Invitations returns a team's invitations, newest first.
func (s *Store) Invitations(ctx context.Context, team lci.ID) ([]account.Invitation, error) {
	var found []account.Invitation
	rows, err := s.reader.query(ctx, `SELECT `+invitationColumns+` WHERE i.team_id = $1 ORDER BY i.created_at DESC, i.id`, team)
	err = each(rows, err, func(r *sql.Rows) error {
		i, err := scanInvitation(r.Scan)
		found = append(found, i)
		return err
	})
	return found, err
}

// Invitation returns the invitation that a token accepts, or nil.
func (s *Store) Invitation(ctx context.Context, token string, now time.Time) (*account.Invitation, error) {
	i, err := scanInvitation(s.reader.row(ctx, `SELECT `+invitationColumns+` WHERE i.token = $1 AND i.expires_at > $2`, token, now.UnixMilli()).Scan)
	if errors.Is(err, errNoRow) {
		return nil, nil
	}
	return &i, err
}

// WithdrawInvitation ends a team's invitation and its pending membership.
func (s *Store) WithdrawInvitation(ctx context.Context, team, id lci.ID) (there bool, err error) {
	err = s.changeAccounts(ctx, func(t *tx) error {
		if _, err := s.lockMemberships(ctx, t, team); err != nil {
			return err
		}
		gone, err := t.endInvitation(ctx, `id = $1 AND team_id = $2`, id, team)
		there = gone != nil
		if err != nil || !there {
			return err
		}
		return t.endPending(ctx, *gone)
	})
	return there, err
}

// endedInvitation is what is needed of a removed invitation.
type endedInvitation struct {
	team      lci.ID
	emailFold string
	role      account.Role
}

// endInvitation removes the one invitation that matches a condition, so that no
// one else can use it, or returns nil.
func (t *tx) endInvitation(ctx context.Context, condition string, args ...any) (*endedInvitation, error) {
	var i endedInvitation
	err := t.row(ctx, `DELETE FROM invitations WHERE `+condition+` RETURNING team_id, email_fold, role`, args...).Scan(&i.team, &i.emailFold, &i.role)
	if errors.Is(err, errNoRow) {
		return nil, nil
	}
	return &i, err
}

// endInvitationOf ends the user's invitations to the team: an old link must not
// bring back a user who was removed.
func (t *tx) endInvitationOf(ctx context.Context, team, user lci.ID) error {
	_, err := t.exec(ctx, `DELETE FROM invitations WHERE team_id = $1 AND email_fold = (SELECT email_fold FROM users WHERE id = $2)`, team, user)
	return err
}

func (t *tx) endPending(ctx context.Context, i endedInvitation) error {
	_, err := t.exec(ctx, `DELETE FROM memberships WHERE team_id = $1 AND status = 'pending'
		AND user_id = (SELECT id FROM users WHERE email_fold = $2)`, i.team, i.emailFold)
	return err
}

// AcceptInvitation turns an invitation to a user's address into a membership.
func (s *Store) AcceptInvitation(ctx context.Context, token string, user lci.ID, now time.Time) (accepted bool, err error) {
	err = s.changeAccounts(ctx, func(t *tx) error {
		i, err := t.endInvitation(ctx, `token = $1 AND expires_at > $2
			AND email_fold = (SELECT email_fold FROM users WHERE id = $3 AND disabled_at IS NULL)`, token, now.UnixMilli(), user)
		if err != nil || i == nil {
			return err
		}
		accepted = true
		return s.join(ctx, t, *i, user, now)
	})
	return accepted, err
}

// AcceptAsNew turns an invitation into a new user with a membership.
func (s *Store) AcceptAsNew(ctx context.Context, token string, u account.User, emailFold, passwordHash string) (accepted bool, err error) {
	err = s.changeAccounts(ctx, func(t *tx) error {
		i, err := t.endInvitation(ctx, `token = $1 AND expires_at > $2 AND email_fold = $3`, token, u.CreatedAt.UnixMilli(), emailFold)
		if err != nil || i == nil {
			return err
		}
		if err := t.addUser(ctx, u, emailFold, passwordHash); err != nil {
			return err
		}
		accepted = true
		return s.join(ctx, t, *i, u.ID, u.CreatedAt)
	})
	if violates(err) {
		return false, account.ErrTaken
	}
	return accepted && err == nil, err
}

// join makes a user an active member and the team their recent one. A user who
// has become a member in the meantime keeps their role.
func (s *Store) join(ctx context.Context, t *tx, i endedInvitation, user lci.ID, now time.Time) error {
	members, err := s.lockMemberships(ctx, t, i.team)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.UserID == user && m.Status == account.Active {
			return nil
		}
	}
	m := account.Membership{TeamID: i.team, UserID: user, Role: i.role, Status: account.Active}
	if err := t.setMembership(ctx, m, now); err != nil {
		return err
	}
	_, err = t.exec(ctx, `UPDATE users SET recent_team_id = $2 WHERE id = $1`, user, i.team)
	return err
}

// endExpiredInvitations removes expired invitations.
func (s *Store) endExpiredInvitations(ctx context.Context, now time.Time) error {
	var expired []lci.ID
	rows, err := s.reader.query(ctx, `SELECT id FROM invitations WHERE expires_at <= $1`, now.UnixMilli())
	err = each(rows, err, func(r *sql.Rows) error {
		var id lci.ID
		err := r.Scan(&id)
		expired = append(expired, id)
		return err
	})
	if err != nil || len(expired) == 0 {
		return err
	}
	return s.changeAccounts(ctx, func(t *tx) error {
		for _, id := range expired {
			i, err := t.endInvitation(ctx, `id = $1 AND expires_at <= $2`, id, now.UnixMilli())
			if err != nil {
				return err
			}
			if i == nil {
				continue
			}
			if err := t.endPending(ctx, *i); err != nil {
				return err
			}
		}
		return nil
	})
}
