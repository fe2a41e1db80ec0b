package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// Credentials returns an enabled user and the stored form of their password.
func (s *Store) Credentials(ctx context.Context, emailFold string) (*account.User, string, error) {
	var u account.User
	var created int64
	var hash string
	err := s.reader.row(ctx, `SELECT id, email, firstname, lastname, created_at, password_hash FROM users
		WHERE email_fold = $1 AND disabled_at IS NULL`, emailFold).Scan(&u.ID, &u.Email, &u.Firstname, &u.Lastname, &created, &hash)
	if errors.Is(err, errNoRow) {
		return nil, "", nil
	}
	u.CreatedAt = timeOf(created)
	return &u, hash, err
}

// AddSession stores a session.
func (s *Store) AddSession(ctx context.Context, session account.Session) error {
	return s.write(ctx, func(t *tx) error { return t.addSession(ctx, session) })
}

func (t *tx) addSession(ctx context.Context, s account.Session) error {
	_, err := t.exec(ctx, `INSERT INTO sessions (id, user_id, mode, client, agent, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.ID, s.User, string(s.Mode), s.Client, s.Agent, s.CreatedAt.UnixMilli(), s.ExpiresAt.UnixMilli())
	return err
}

// Visitor returns the owner of a session with their seats. It is one query, so
// the result is consistent.
func (s *Store) Visitor(ctx context.Context, session string, now time.Time) (*account.Visitor, error) {
	v, recent := account.Visitor{Session: session}, lci.ID{}
	rows, err := s.reader.query(ctx, `
		SELECT s.mode, u.id, u.email, u.firstname, u.lastname, u.created_at, u.recent_team_id, t.id, t.label, t.description, m.role
		FROM sessions s
		JOIN users u ON u.id = s.user_id
		LEFT JOIN memberships m ON m.user_id = u.id AND m.status = 'active'
		LEFT JOIN teams t ON t.id = m.team_id
		WHERE s.id = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL
		ORDER BY m.created_at, m.team_id`, session, now.UnixMilli())
	err = each(rows, err, func(r *sql.Rows) error {
		var seat account.Seat
		var created int64
		var label, role sql.Null[string]
		err := r.Scan(&v.Mode, &v.User.ID, &v.User.Email, &v.User.Firstname, &v.User.Lastname, &created, &recent,
			&seat.Team.ID, &label, &seat.Team.Description, &role)
		v.User.CreatedAt = timeOf(created)
		if !seat.Team.ID.IsZero() {
			seat.Team.Label, seat.Role = label.V, account.Role(role.V)
			v.Seats = append(v.Seats, seat)
		}
		return err
	})
	if err != nil || v.User.ID.IsZero() {
		return nil, err
	}
	markRecent(v.Seats, recent)
	return &v, nil
}

// Sessions returns a user's open sessions, newest first.
func (s *Store) Sessions(ctx context.Context, user lci.ID, now time.Time) ([]account.Session, error) {
	var found []account.Session
	rows, err := s.reader.query(ctx, `SELECT id, mode, client, agent, created_at, expires_at FROM sessions
		WHERE user_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id`, user, now.UnixMilli())
	err = each(rows, err, func(r *sql.Rows) error {
		one := account.Session{User: user}
		var created, expires int64
		err := r.Scan(&one.ID, &one.Mode, &one.Client, &one.Agent, &created, &expires)
		one.CreatedAt, one.ExpiresAt = timeOf(created), timeOf(expires)
		found = append(found, one)
		return err
	})
	return found, err
}

// SetSessionMode stores the mode that a session shows.
func (s *Store) SetSessionMode(ctx context.Context, session string, mode account.Mode) error {
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec(ctx, `UPDATE sessions SET mode = $2 WHERE id = $1`, session, string(mode))
		return err
	})
}

// EndSession deletes a session.
func (s *Store) EndSession(ctx context.Context, session string) error {
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec(ctx, `DELETE FROM sessions WHERE id = $1`, session)
		return err
	})
}

// EndSessions deletes every session of a user.
func (s *Store) EndSessions(ctx context.Context, user lci.ID) error {
	return s.write(ctx, func(t *tx) error { return t.endSessions(ctx, user) })
}

func (t *tx) endSessions(ctx context.Context, user lci.ID) error {
	_, err := t.exec(ctx, `DELETE FROM sessions WHERE user_id = $1`, user)
	return err
}

// SetPassword stores a password and replaces all sessions of the user with a new
// one.
func (s *Store) SetPassword(ctx context.Context, user lci.ID, passwordHash string, session account.Session) error {
	return s.changeAccounts(ctx, func(t *tx) error {
		if _, err := t.exec(ctx, `UPDATE users SET password_hash = $2 WHERE id = $1`, user, passwordHash); err != nil {
			return err
		}
		if err := t.endSessions(ctx, user); err != nil {
			return err
		}
		return t.addSession(ctx, session)
	})
}

// Attempt calls judge with the failures of subjects and stores its changes.
// Attempts for the same subject run one after the other.
func (s *Store) Attempt(ctx context.Context, subjects []string, judge func([]account.Failures) error) error {
	return s.write(ctx, func(t *tx) error {
		failures, err := s.lockFailures(ctx, t, subjects)
		if err != nil {
			return err
		}
		if err := judge(failures); err != nil {
			return err
		}
		for _, f := range failures {
			if _, err := t.exec(ctx, `UPDATE sign_in_failures SET failures = $2, not_until = $3, last_at = $4 WHERE subject = $1`,
				f.Subject, f.Count, f.Until.UnixMilli(), f.Last.UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
}

// lockFailures locks the subjects' rows, always in the same order to avoid
// deadlocks.
func (s *Store) lockFailures(ctx context.Context, t *tx, subjects []string) ([]account.Failures, error) {
	for _, subject := range subjects {
		if _, err := t.exec(ctx, `INSERT INTO sign_in_failures (subject, failures, not_until, last_at) VALUES ($1, 0, 0, 0)
			ON CONFLICT (subject) DO NOTHING`, subject); err != nil {
			return nil, err
		}
	}
	var failures []account.Failures
	rows, err := t.query(ctx, `SELECT subject, failures, not_until, last_at FROM sign_in_failures WHERE `+
		s.dialect.among("subject", "$1")+` ORDER BY subject`+s.dialect.lockRow, s.dialect.list(subjects))
	err = each(rows, err, func(r *sql.Rows) error {
		var f account.Failures
		var until, last int64
		err := r.Scan(&f.Subject, &f.Count, &until, &last)
		f.Until, f.Last = timeOf(until), timeOf(last)
		failures = append(failures, f)
		return err
	})
	return failures, err
}

// PruneSignIns deletes ended sessions and invitations, with pending memberships
// of the latter, and old failures.
func (s *Store) PruneSignIns(ctx context.Context, now time.Time) error {
	err := s.write(ctx, func(t *tx) error {
		if _, err := t.exec(ctx, `DELETE FROM sessions WHERE expires_at <= $1`, now.UnixMilli()); err != nil {
			return err
		}
		_, err := t.exec(ctx, `DELETE FROM sign_in_failures WHERE last_at <= $1`, now.Add(-account.FailuresKept).UnixMilli())
		return err
	})
	if err != nil {
		return err
	}
	return s.endExpiredInvitations(ctx, now)
}
