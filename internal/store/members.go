package store

import (
	"context"
	"database/sql"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// openInvitation is the condition that a membership m of a user u has an open
// invitation.
const openInvitation = `EXISTS (SELECT 1 FROM invitations i WHERE i.team_id = m.team_id AND i.email_fold = u.email_fold)`

// Members returns a team's members, oldest first, without those with an open
// invitation.
func (s *Store) Members(ctx context.Context, team lci.ID) ([]account.Colleague, error) {
	var members []account.Colleague
	rows, err := s.reader.query(ctx, `SELECT u.id, u.email, u.firstname, u.lastname, u.created_at, u.disabled_at, m.role, m.status
		FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.team_id = $1 AND (m.status = 'active' OR NOT `+openInvitation+`) ORDER BY m.created_at, u.id`, team)
	err = each(rows, err, func(r *sql.Rows) error {
		var c account.Colleague
		var created int64
		var disabled sql.Null[int64]
		err := r.Scan(&c.User.ID, &c.User.Email, &c.User.Firstname, &c.User.Lastname, &created, &disabled, &c.Role, &c.Status)
		c.User.CreatedAt, c.User.DisabledAt = timeOf(created), momentOf(disabled)
		members = append(members, c)
		return err
	})
	return members, err
}

// DescribeTeam changes a team's label and description.
func (s *Store) DescribeTeam(ctx context.Context, team account.Team) error {
	return s.changeAccounts(ctx, func(t *tx) error {
		_, err := t.exec(ctx, `UPDATE teams SET label = $2, description = $3 WHERE id = $1`, team.ID, team.Label, team.Description)
		return err
	})
}

// Offers returns a user's pending memberships without an invitation.
func (s *Store) Offers(ctx context.Context, user lci.ID) ([]account.Seat, error) {
	var offers []account.Seat
	rows, err := s.reader.query(ctx, `SELECT t.id, t.label, t.description, m.role
		FROM memberships m JOIN users u ON u.id = m.user_id JOIN teams t ON t.id = m.team_id
		WHERE m.user_id = $1 AND m.status = 'pending' AND NOT `+openInvitation+` ORDER BY m.created_at, t.id`, user)
	err = each(rows, err, func(r *sql.Rows) error {
		var seat account.Seat
		err := r.Scan(&seat.Team.ID, &seat.Team.Label, &seat.Team.Description, &seat.Role)
		offers = append(offers, seat)
		return err
	})
	return offers, err
}
