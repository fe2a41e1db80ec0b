package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// changeAccounts runs do in one transaction and makes its changes visible to the
// next request on every replica.
func (s *Store) changeAccounts(ctx context.Context, do func(*tx) error) error {
	return s.write(ctx, func(t *tx) error {
		if err := do(t); err != nil {
			return err
		}
		_, err := t.exec(ctx, "UPDATE state SET accounts = accounts + 1 WHERE id = 1")
		return err
	})
}

// AddUser stores a user, or returns account.ErrTaken.
func (s *Store) AddUser(ctx context.Context, u account.User, emailFold, passwordHash string) error {
	err := s.changeAccounts(ctx, func(t *tx) error { return t.addUser(ctx, u, emailFold, passwordHash) })
	if violates(err) {
		return account.ErrTaken
	}
	return err
}

func (t *tx) addUser(ctx context.Context, u account.User, emailFold, passwordHash string) error {
	_, err := t.exec(ctx, `INSERT INTO users (id, email, email_fold, firstname, lastname, password_hash, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		u.ID, u.Email, emailFold, u.Firstname, u.Lastname, passwordHash, u.CreatedAt.UnixMilli())
	return err
}

// UserByEmail returns the user with an e-mail address, or nil.
func (s *Store) UserByEmail(ctx context.Context, emailFold string) (*account.User, error) {
	var u account.User
	var created int64
	var disabled sql.Null[int64]
	err := s.reader.row(ctx, `SELECT id, email, firstname, lastname, created_at, disabled_at FROM users WHERE email_fold = $1`, emailFold).
		Scan(&u.ID, &u.Email, &u.Firstname, &u.Lastname, &created, &disabled)
	if errors.Is(err, errNoRow) {
		return nil, nil
	}
	u.CreatedAt, u.DisabledAt = timeOf(created), momentOf(disabled)
	return &u, err
}

// HasUsers reports whether there are any accounts.
func (s *Store) HasUsers(ctx context.Context) (bool, error) {
	var any bool
	err := s.reader.row(ctx, `SELECT EXISTS (SELECT 1 FROM users)`).Scan(&any)
	return any, err
}

// momentOf converts a time that may be NULL.
func momentOf(millis sql.Null[int64]) *time.Time {
	if !millis.Valid {
		return nil
	}
	at := timeOf(millis.V)
	return &at
}

// DisableUser returns when the user was disabled.
func (s *Store) DisableUser(ctx context.Context, id lci.ID, at time.Time) (time.Time, error) {
	var since int64
	err := s.changeAccounts(ctx, func(t *tx) error {
		return t.row(ctx, `UPDATE users SET disabled_at = COALESCE(disabled_at, $2) WHERE id = $1 RETURNING disabled_at`, id, at.UnixMilli()).Scan(&since)
	})
	return timeOf(since), err
}

// AddTeam stores a team with its owner and its two wallets.
func (s *Store) AddTeam(ctx context.Context, team account.Team, owner lci.ID, sandboxQuota int64, at time.Time) error {
	return s.changeAccounts(ctx, func(t *tx) error {
		if _, err := t.exec(ctx, `INSERT INTO teams (id, label, description, created_at) VALUES ($1, $2, $3, $4)`,
			team.ID, team.Label, team.Description, at.UnixMilli()); err != nil {
			return err
		}
		m := account.Membership{TeamID: team.ID, UserID: owner, Role: account.Owner, Status: account.Active}
		if err := t.setMembership(ctx, m, at); err != nil {
			return err
		}
		if err := t.addWallet(ctx, account.Wallet{Team: team.ID, Mode: account.Live}); err != nil {
			return err
		}
		return s.addSandbox(ctx, t, team.ID, sandboxQuota, at)
	})
}

func (s *Store) addSandbox(ctx context.Context, t *tx, team lci.ID, quota int64, at time.Time) error {
	wallet := account.Wallet{Team: team, Mode: account.Sandbox}
	if err := t.addWallet(ctx, wallet); err != nil || quota == 0 {
		return err
	}
	_, err := s.grant(ctx, t, wallet, quota, "sandbox quota", at)
	return err
}

func (t *tx) addWallet(ctx context.Context, w account.Wallet) error {
	_, err := t.exec(ctx, `INSERT INTO wallets (id, team_id, mode, balance, entries, head, reveals) VALUES ($1, $2, $3, 0, 0, '', 0)`,
		w.String(), w.Team, string(w.Mode))
	return err
}

// Team returns nil when there is none.
func (s *Store) Team(ctx context.Context, id lci.ID) (*account.Team, error) {
	team := account.Team{ID: id}
	err := s.reader.row(ctx, `SELECT label, description FROM teams WHERE id = $1`, id).Scan(&team.Label, &team.Description)
	if errors.Is(err, errNoRow) {
		return nil, nil
	}
	return &team, err
}

// ChangeMembership stores the membership that decide returns; nil removes it.
func (s *Store) ChangeMembership(ctx context.Context, team, user lci.ID, at time.Time, decide func([]account.Membership) (*account.Membership, error)) error {
	return s.changeAccounts(ctx, func(t *tx) error {
		current, err := s.lockMemberships(ctx, t, team)
		if err != nil {
			return err
		}
		next, err := decide(current)
		if err != nil {
			return err
		}
		if next == nil || next.Status == account.Active {
			if err := t.endInvitationOf(ctx, team, user); err != nil {
				return err
			}
		}
		if next == nil {
			return t.removeMembership(ctx, team, user)
		}
		return t.setMembership(ctx, *next, at)
	})
}

// lockMemberships locks the team's row. Every change of its memberships does.
func (s *Store) lockMemberships(ctx context.Context, t *tx, team lci.ID) ([]account.Membership, error) {
	var one int
	err := t.row(ctx, `SELECT 1 FROM teams WHERE id = $1`+s.dialect.lockRow, team).Scan(&one)
	if errors.Is(err, errNoRow) {
		return nil, account.ErrNoTeam
	}
	if err != nil {
		return nil, err
	}
	var members []account.Membership
	rows, err := t.query(ctx, `SELECT user_id, role, status FROM memberships WHERE team_id = $1`, team)
	err = each(rows, err, func(r *sql.Rows) error {
		m := account.Membership{TeamID: team}
		err := r.Scan(&m.UserID, &m.Role, &m.Status)
		members = append(members, m)
		return err
	})
	return members, err
}

func (t *tx) setMembership(ctx context.Context, m account.Membership, at time.Time) error {
	_, err := t.exec(ctx, `INSERT INTO memberships (team_id, user_id, role, status, created_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role, status = excluded.status`,
		m.TeamID, m.UserID, string(m.Role), string(m.Status), at.UnixMilli())
	return err
}

// removeMembership also clears the user's recent team, so that a user who comes
// back does not have it selected.
func (t *tx) removeMembership(ctx context.Context, team, user lci.ID) error {
	if _, err := t.exec(ctx, `DELETE FROM memberships WHERE team_id = $1 AND user_id = $2`, team, user); err != nil {
		return err
	}
	_, err := t.exec(ctx, `UPDATE users SET recent_team_id = NULL WHERE id = $1 AND recent_team_id = $2`, user, team)
	return err
}

// SetRecentTeam stores the team that a user selected.
func (s *Store) SetRecentTeam(ctx context.Context, user, team lci.ID) error {
	return s.changeAccounts(ctx, func(t *tx) error {
		_, err := t.exec(ctx, `UPDATE users SET recent_team_id = $2 WHERE id = $1`, user, team)
		return err
	})
}

// SetFavourite marks a record as a user's favourite on a team, or unmarks it.
func (s *Store) SetFavourite(ctx context.Context, user, team, record lci.ID, on bool) error {
	text := `DELETE FROM favourites WHERE user_id = $1 AND team_id = $2 AND record_id = $3`
	if on {
		text = `INSERT INTO favourites (user_id, team_id, record_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	}
	return s.write(ctx, func(t *tx) error {
		if n, err := t.exec(ctx, text, user, team, record); err != nil || n == 0 {
			return err
		}
		_, err := t.exec(ctx, "UPDATE state SET favourites = favourites + 1 WHERE id = 1")
		return err
	})
}
