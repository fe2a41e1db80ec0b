package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// AddKey stores a key.
func (s *Store) AddKey(ctx context.Context, k account.StoredKey) error {
	return s.changeAccounts(ctx, func(t *tx) error {
		_, err := t.exec(ctx, `INSERT INTO api_keys (id, user_id, mode, label, prefix, hash, sealed, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			k.ID, k.UserID, string(k.Mode), k.Label, k.Prefix, k.Hash, bytesOrNull(k.Sealed), k.CreatedAt.UnixMilli())
		return err
	})
}

func bytesOrNull(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}

const keyColumns = `id, user_id, mode, label, prefix, created_at, revoked_at, last_used_at`

// keyScan reads keyColumns into a key.
type keyScan struct {
	key               account.Key
	created           int64
	revoked, lastUsed sql.Null[int64]
}

func (k *keyScan) columns() []any {
	return []any{&k.key.ID, &k.key.UserID, &k.key.Mode, &k.key.Label, &k.key.Prefix, &k.created, &k.revoked, &k.lastUsed}
}

func (k *keyScan) read() account.Key {
	k.key.CreatedAt = timeOf(k.created)
	k.key.RevokedAt, k.key.LastUsedAt = momentOf(k.revoked), momentOf(k.lastUsed)
	return k.key
}

// Keys returns a user's keys, oldest first, or everybody's for the zero ID.
func (s *Store) Keys(ctx context.Context, user lci.ID) ([]account.Key, error) {
	where, args := "", []any(nil)
	if !user.IsZero() {
		where, args = " WHERE user_id = $1", []any{user}
	}
	keys := []account.Key{}
	rows, err := s.reader.query(ctx, `SELECT `+keyColumns+` FROM api_keys`+where+` ORDER BY created_at, id`, args...)
	err = each(rows, err, func(r *sql.Rows) error {
		var k keyScan
		err := r.Scan(k.columns()...)
		keys = append(keys, k.read())
		return err
	})
	return keys, err
}

// Key returns nil if there is none.
func (s *Store) Key(ctx context.Context, id lci.ID) (*account.StoredKey, error) {
	var k keyScan
	var stored account.StoredKey
	err := s.reader.row(ctx, `SELECT `+keyColumns+`, hash, sealed FROM api_keys WHERE id = $1`, id).
		Scan(append(k.columns(), &stored.Hash, &stored.Sealed)...)
	if errors.Is(err, errNoRow) {
		return nil, nil
	}
	stored.Key = k.read()
	return &stored, err
}

// RevokeKey returns when the key was revoked, or nil if there is none.
func (s *Store) RevokeKey(ctx context.Context, id lci.ID, at time.Time) (*time.Time, error) {
	var since sql.Null[int64]
	err := s.changeAccounts(ctx, func(t *tx) error {
		return t.row(ctx, `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2), sealed = NULL WHERE id = $1 RETURNING revoked_at`,
			id, at.UnixMilli()).Scan(&since)
	})
	if errors.Is(err, errNoRow) {
		return nil, nil
	}
	return momentOf(since), err
}

// Holder returns the owner of a key with their seats, oldest first, or nil if
// the key is not valid. It is one query, so the result is consistent.
func (s *Store) Holder(ctx context.Context, keyHash string) (*account.Holder, error) {
	h, recent, stored := account.Holder{}, lci.ID{}, ""
	rows, err := s.reader.query(ctx, `
		SELECT k.id, k.user_id, k.mode, k.label, k.prefix, k.created_at, k.revoked_at, k.last_used_at,
		  k.hash, u.email, u.firstname, u.lastname, u.created_at, u.recent_team_id,
		  t.id, t.label, t.description, m.role
		FROM api_keys k
		JOIN users u ON u.id = k.user_id
		LEFT JOIN memberships m ON m.user_id = u.id AND m.status = 'active'
		LEFT JOIN teams t ON t.id = m.team_id
		WHERE k.hash = $1 AND k.revoked_at IS NULL AND u.disabled_at IS NULL
		ORDER BY m.created_at, m.team_id`, keyHash)
	err = each(rows, err, func(r *sql.Rows) error {
		var k keyScan
		var created int64
		var seat account.Seat
		var label, role sql.Null[string]
		err := r.Scan(append(k.columns(), &stored, &h.User.Email, &h.User.Firstname, &h.User.Lastname, &created, &recent,
			&seat.Team.ID, &label, &seat.Team.Description, &role)...)
		h.Key = k.read()
		h.User.ID, h.User.CreatedAt = h.Key.UserID, timeOf(created)
		if !seat.Team.ID.IsZero() {
			seat.Team.Label, seat.Role = label.V, account.Role(role.V)
			h.Seats = append(h.Seats, seat)
		}
		return err
	})
	if err != nil || subtle.ConstantTimeCompare([]byte(stored), []byte(keyHash)) != 1 {
		return nil, err
	}
	markRecent(h.Seats, recent)
	return &h, nil
}

// markRecent marks the seat selected last or, without a selection, the oldest.
func markRecent(seats []account.Seat, selected lci.ID) {
	if len(seats) == 0 {
		return
	}
	at := 0
	for i, seat := range seats {
		if seat.Team.ID == selected {
			at = i
		}
	}
	seats[at].Recent = true
}
