package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cradle/internal/event"
	"cradle/internal/lci"
	"cradle/internal/webhook"
)

// AddEndpoint stores a new endpoint with its sealed secret.
func (s *Store) AddEndpoint(ctx context.Context, e webhook.Endpoint, sealed []byte) error {
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec(ctx, `INSERT INTO endpoints (id, team_id, url, description, status, failures, secret, listen_until, created_at, all_types)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			e.ID, e.Team, e.URL, e.Description, string(e.Status), e.Failures, sealed, millisOrNil(e.ListenUntil), e.CreatedAt.UnixMilli(), len(e.Events) == 0)
		if err != nil {
			return err
		}
		var rows [][]any
		for _, eventType := range e.EventTypes() {
			rows = append(rows, []any{e.ID, eventType})
		}
		return t.insert(ctx, s.dialect, "subscriptions", []string{"endpoint_id", "type"}, "", rows)
	})
}

func millisOrNil(at *time.Time) any {
	if at == nil {
		return nil
	}
	return at.UnixMilli()
}

// Endpoints returns a team's endpoints, oldest first, without those of
// listeners.
func (s *Store) Endpoints(ctx context.Context, team lci.ID) ([]webhook.Endpoint, error) {
	return s.endpoints(ctx, "e.team_id = $1 AND e.listen_until IS NULL", team)
}

// Endpoint returns an endpoint that was not removed, or nil.
func (s *Store) Endpoint(ctx context.Context, id string) (*webhook.Endpoint, error) {
	found, err := s.endpoints(ctx, "e.id = $1", id)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

func (s *Store) endpoints(ctx context.Context, condition string, arg any) ([]webhook.Endpoint, error) {
	var found []webhook.Endpoint
	rows, err := s.reader.query(ctx, `
		SELECT e.id, e.team_id, e.url, e.description, e.status, e.failures, e.listen_until, e.created_at, e.all_types, s.type
		FROM endpoints e JOIN subscriptions s ON s.endpoint_id = e.id
		WHERE e.removed_at IS NULL AND `+condition+" ORDER BY e.created_at, e.id, s.type", arg)
	err = each(rows, err, func(rows *sql.Rows) error {
		var e webhook.Endpoint
		var listen sql.NullInt64
		var created int64
		var allTypes bool
		var eventType string
		if err := rows.Scan(&e.ID, &e.Team, &e.URL, &e.Description, &e.Status, &e.Failures, &listen, &created, &allTypes, &eventType); err != nil {
			return err
		}
		if n := len(found); n == 0 || found[n-1].ID != e.ID {
			e.CreatedAt, e.ListenUntil = timeOf(created), timeOrNil(listen)
			found = append(found, e)
		}
		if !allTypes {
			last := &found[len(found)-1]
			last.Events = append(last.Events, eventType)
		}
		return nil
	})
	return found, err
}

func timeOrNil(millis sql.NullInt64) *time.Time {
	if !millis.Valid {
		return nil
	}
	at := timeOf(millis.Int64)
	return &at
}

// SetEndpointStatus enables an endpoint and releases its held deliveries, or
// disables it and holds its waiting ones.
func (s *Store) SetEndpointStatus(ctx context.Context, id string, status webhook.Status, now time.Time) error {
	err := s.write(ctx, func(t *tx) error {
		if status == webhook.Disabled {
			return s.disable(ctx, t, id)
		}
		return s.enable(ctx, t, id, now)
	})
	s.wakes.wake()
	return err
}

func (s *Store) enable(ctx context.Context, t *tx, id string, now time.Time) error {
	if err := s.stopQueueing(ctx, t, id); err != nil {
		return err
	}
	if _, err := t.exec(ctx, "UPDATE endpoints SET status = 'enabled', failures = 0 WHERE id = $1", id); err != nil {
		return err
	}
	n, err := t.exec(ctx, "UPDATE deliveries SET state = 'waiting', due = $2 WHERE endpoint_id = $1 AND state = 'held'", id, now.UnixMilli())
	if err != nil {
		return err
	}
	return t.notify(ctx, s.dialect, n > 0)
}

// RemoveEndpoint removes an endpoint and cancels its deliveries.
func (s *Store) RemoveEndpoint(ctx context.Context, id string, now time.Time) error {
	return s.write(ctx, func(t *tx) error {
		if err := s.stopQueueing(ctx, t, id); err != nil {
			return err
		}
		if _, err := t.exec(ctx, "UPDATE endpoints SET removed_at = $2, old_secret = NULL, old_until = NULL WHERE id = $1", id, now.UnixMilli()); err != nil {
			return err
		}
		_, err := t.exec(ctx, `UPDATE deliveries SET state = 'cancelled', finished_at = $2, due = 0, lease = 0
			WHERE endpoint_id = $1 AND state IN ('waiting', 'held')`, id, now.UnixMilli())
		return err
	})
}

// keepEndpoint returns the status of an endpoint that was not removed, or
// errNoRow, and keeps it from changing until the transaction ends.
func (s *Store) keepEndpoint(ctx context.Context, t *tx, id string) (status webhook.Status, err error) {
	err = t.row(ctx, "SELECT status FROM endpoints WHERE id = $1 AND removed_at IS NULL"+s.dialect.keepRow, id).Scan(&status)
	return status, err
}

// RotateSecret gives an endpoint a new secret; the old one also signs until
// then.
func (s *Store) RotateSecret(ctx context.Context, id string, sealed []byte, until time.Time) error {
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec(ctx, "UPDATE endpoints SET old_secret = secret, old_until = $3, secret = $2 WHERE id = $1", id, sealed, until.UnixMilli())
		return err
	})
}

// KeepListening extends the life of a listener's endpoint.
func (s *Store) KeepListening(ctx context.Context, id string, until time.Time) error {
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec(ctx, "UPDATE endpoints SET listen_until = $2 WHERE id = $1 AND listen_until IS NOT NULL", id, until.UnixMilli())
		return err
	})
}

// AddTest adds a test event for one endpoint, leased to the caller.
func (s *Store) AddTest(ctx context.Context, endpoint, delivery string, e event.Event, lease time.Time) (webhook.Job, error) {
	var job webhook.Job
	err := s.write(ctx, func(t *tx) error {
		if _, err := s.keepEndpoint(ctx, t, endpoint); err != nil {
			return fmt.Errorf("test endpoint: %w", err)
		}
		if err := t.insertEvent(ctx, e); err != nil {
			return err
		}
		now := e.Time.UnixMilli()
		row := []any{delivery, endpoint, e.ID, string(webhook.Waiting), 0, 0, now, lease.UnixMilli(), now}
		if err := t.insert(ctx, s.dialect, "deliveries", deliveryInsert, "", [][]any{row}); err != nil {
			return err
		}
		var seq int64
		if err := t.row(ctx, "SELECT seq FROM deliveries WHERE id = $1", delivery).Scan(&seq); err != nil {
			return err
		}
		jobs, err := s.jobs(ctx, t, []int64{seq}, e.Time)
		if err == nil {
			job = jobs[0]
		}
		return err
	})
	return job, err
}

// Deliveries returns the deliveries that match a filter, newest first, with
// their attempts.
func (s *Store) Deliveries(ctx context.Context, f webhook.Filter) ([]webhook.Delivery, error) {
	conditions, args := []string{"1 = 1"}, []any{}
	also := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, strings.ReplaceAll(condition, "?", "$"+strconv.Itoa(len(args))))
	}
	if f.Endpoint != "" {
		also("d.endpoint_id = ?", f.Endpoint)
	}
	if f.ID != "" {
		also("d.id = ?", f.ID)
	}
	if !f.Team.IsZero() {
		also("v.team_id = ?", f.Team)
	}
	if f.State != "" {
		also("d.state = ?", string(f.State))
	}
	if !f.Since.IsZero() {
		also("d.created_at >= ?", f.Since.UnixMilli())
	}
	args = append(args, limitOf(f))
	text := `SELECT d.id, d.endpoint_id, d.event_id, v.type, v.livemode, d.state, d.attempts, d.due, d.created_at, d.finished_at
		FROM deliveries d JOIN events v ON v.id = d.event_id WHERE ` + strings.Join(conditions, " AND ") + " ORDER BY d.seq DESC LIMIT $" + strconv.Itoa(len(args))
	var found []webhook.Delivery
	// One snapshot, because a delivery's last attempt decides its state.
	err := s.snapshot(ctx, func(t *tx) error {
		rows, err := t.query(ctx, text, args...)
		err = each(rows, err, func(rows *sql.Rows) error {
			d, err := scanDelivery(rows)
			found = append(found, d)
			return err
		})
		if err != nil {
			return err
		}
		return s.readAttempts(ctx, t, found)
	})
	return found, err
}

// EventBody returns an event's envelope.
func (s *Store) EventBody(ctx context.Context, id string) ([]byte, error) {
	var body string
	err := s.reader.row(ctx, "SELECT body FROM events WHERE id = $1", id).Scan(&body)
	return []byte(body), err
}

func limitOf(f webhook.Filter) int64 {
	if f.Limit == 0 {
		return math.MaxInt64
	}
	return int64(f.Limit)
}

func scanDelivery(rows *sql.Rows) (d webhook.Delivery, err error) {
	var due, created int64
	var finished sql.NullInt64
	err = rows.Scan(&d.ID, &d.Endpoint, &d.EventID, &d.EventType, &d.Livemode, &d.State, &d.Attempts, &due, &created, &finished)
	d.CreatedAt, d.FinishedAt = timeOf(created), timeOrNil(finished)
	if d.State == webhook.Waiting {
		at := timeOf(due)
		d.Due = &at
	}
	return d, err
}

func (s *Store) readAttempts(ctx context.Context, t *tx, deliveries []webhook.Delivery) error {
	ids, at := make([]string, len(deliveries)), make(map[string]int, len(deliveries))
	for i, d := range deliveries {
		ids[i], at[d.ID] = d.ID, i
	}
	rows, err := t.query(ctx, "SELECT delivery_id, number, time, duration_us, status, error, response FROM attempts WHERE "+
		s.dialect.among("delivery_id", "$1")+" ORDER BY delivery_id, number", s.dialect.list(ids))
	return each(rows, err, func(rows *sql.Rows) error {
		var id string
		var a webhook.Attempt
		var started, micros int64
		if err := rows.Scan(&id, &a.Number, &started, &micros, &a.Status, &a.Error, &a.Response); err != nil {
			return err
		}
		a.Time, a.Duration = timeOf(started), time.Duration(micros)*time.Microsecond
		deliveries[at[id]].Log = append(deliveries[at[id]].Log, a)
		return nil
	})
}

// Resend restarts the schedule of a delivery in any state, unless its endpoint
// was removed.
func (s *Store) Resend(ctx context.Context, id string, now time.Time) (int64, error) {
	var endpoint string
	if err := s.reader.row(ctx, "SELECT endpoint_id FROM deliveries WHERE id = $1", id).Scan(&endpoint); errors.Is(err, errNoRow) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	return s.again(ctx, endpoint, "id = $4", now, id)
}

// ResendFailed does so for an endpoint's deliveries that were dropped since a
// time.
func (s *Store) ResendFailed(ctx context.Context, endpoint string, since, now time.Time) (int64, error) {
	return s.again(ctx, endpoint, "endpoint_id = $4 AND state = 'dropped' AND finished_at >= $5", now, endpoint, since.UnixMilli())
}

// again leaves a running attempt to its worker: lease is 0 if there is none.
func (s *Store) again(ctx context.Context, endpoint, condition string, now time.Time, args ...any) (int64, error) {
	var n int64
	err := s.write(ctx, func(t *tx) error {
		e, err := s.lockEndpoint(ctx, t, endpoint)
		if err != nil || e.removed {
			return err
		}
		n, err = t.exec(ctx, `UPDATE deliveries SET tries = 0, due = $1, finished_at = NULL,
			state = CASE (SELECT type FROM events v WHERE v.id = event_id) WHEN $3 THEN 'waiting' ELSE $2 END
			WHERE `+condition, append([]any{now.UnixMilli(), string(stateFor(e.status)), event.WebhookTest}, args...)...)
		if err != nil {
			return err
		}
		return t.notify(ctx, s.dialect, n > 0)
	})
	s.wakes.wake()
	if err != nil {
		return 0, fmt.Errorf("resend: %w", err)
	}
	return n, nil
}

// Advance makes an endpoint's waiting sandbox deliveries due now.
func (s *Store) Advance(ctx context.Context, endpoint string, now time.Time) (int64, error) {
	var n int64
	err := s.write(ctx, func(t *tx) (err error) {
		if _, err := s.lockEndpoint(ctx, t, endpoint); err != nil {
			return err
		}
		if n, err = t.exec(ctx, `UPDATE deliveries SET due = $1 WHERE endpoint_id = $2 AND state = 'waiting' AND due > $1
			AND event_id IN (SELECT id FROM events WHERE NOT livemode)`, now.UnixMilli(), endpoint); err != nil {
			return err
		}
		return t.notify(ctx, s.dialect, n > 0)
	})
	s.wakes.wake()
	return n, err
}
