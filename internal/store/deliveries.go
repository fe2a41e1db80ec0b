package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"time"

	"cradle/internal/purchase"
	"cradle/internal/webhook"
)

// writeEvent keeps an event and puts it on its way to every endpoint of the team
// that wants it. It says whether there is any.
func (t *tx) writeEvent(ctx context.Context, d dialect, e purchase.Event) (bool, error) {
	if _, err := t.exec(ctx, "INSERT INTO events (id, type, time, livemode, team_id, body) VALUES ($1, $2, $3, $4, $5, $6)",
		e.ID, e.Type, e.Time.UnixMilli(), e.Livemode, e.Team, string(e.Body)); err != nil {
		return false, fmt.Errorf("write event: %w", err)
	}
	var queued [][]any
	now := e.Time.UnixMilli()
	rows, err := t.query(ctx, `SELECT e.id, e.status FROM endpoints e JOIN subscriptions s ON s.endpoint_id = e.id
		WHERE e.team_id = $1 AND s.type = $2 AND e.removed_at IS NULL AND (e.listen_until IS NULL OR e.listen_until > $3)`, e.Team, e.Type, now)
	err = each(rows, err, func(rows *sql.Rows) error {
		var endpoint string
		var status webhook.Status
		err := rows.Scan(&endpoint, &status)
		queued = append(queued, []any{webhook.NewDeliveryID(), endpoint, e.ID, string(stateFor(status)), 0, 0, now, 0, now})
		return err
	})
	if err != nil {
		return false, fmt.Errorf("find endpoints: %w", err)
	}
	if err := t.insert(ctx, d, "deliveries", deliveryInsert, "", queued); err != nil {
		return false, fmt.Errorf("queue event: %w", err)
	}
	return len(queued) > 0, t.notify(ctx, d, len(queued) > 0)
}

var deliveryInsert = []string{"id", "endpoint_id", "event_id", "state", "attempts", "tries", "due", "lease", "created_at"}

func stateFor(s webhook.Status) webhook.State {
	if s == webhook.Disabled {
		return webhook.Held
	}
	return webhook.Waiting
}

// deliveriesChannel is where PostgreSQL tells every server that a delivery waits.
const deliveriesChannel = "cradle_deliveries"

func (t *tx) notify(ctx context.Context, d dialect, queued bool) error {
	if !queued || !d.postgres {
		return nil
	}
	_, err := t.exec(ctx, "SELECT pg_notify($1, '')", deliveriesChannel)
	return err
}

// claimWindow is how far into what is due a claim looks.
const claimWindow = 2000

// Claim implements webhook.WorkStore.
func (s *Store) Claim(ctx context.Context, c webhook.Claim) (jobs []webhook.Job, err error) {
	taken, err := s.due(ctx, c)
	if err != nil || len(taken) == 0 {
		return nil, err
	}
	err = s.write(ctx, func(t *tx) error {
		held, err := s.lease(ctx, t, taken, c)
		if err != nil || len(held) == 0 {
			return err
		}
		jobs, err = s.jobs(ctx, t, held, c.Now)
		return err
	})
	return jobs, err
}

// due returns what may be claimed, the longest due first, without locking it.
func (s *Store) due(ctx context.Context, c webhook.Claim) ([]int64, error) {
	kind := "e.listen_until IS NULL"
	args := []any{c.Now.UnixMilli(), s.dialect.list(c.Except), c.PerEndpoint, c.Most}
	if c.Only != "" {
		kind = "e.id = $5"
		args = append(args, c.Only)
	}
	var seqs []int64
	rows, err := s.reader.query(ctx, `
		SELECT seq FROM (
			SELECT seq, due, ROW_NUMBER() OVER (PARTITION BY endpoint_id ORDER BY due, seq) AS place FROM (
				SELECT d.seq, d.due, d.endpoint_id FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id
				WHERE d.state = 'waiting' AND d.due <= $1 AND d.lease <= $1 AND NOT (`+s.dialect.among("d.endpoint_id", "$2")+`) AND `+kind+`
				ORDER BY d.due LIMIT `+strconv.Itoa(claimWindow)+`) AS first
		) AS placed WHERE place <= $3 ORDER BY due, seq LIMIT $4`, args...)
	return seqs, each(rows, err, func(rows *sql.Rows) error {
		var seq int64
		err := rows.Scan(&seq)
		seqs = append(seqs, seq)
		return err
	})
}

// lease takes those of the deliveries that nobody else has taken meanwhile.
func (s *Store) lease(ctx context.Context, t *tx, seqs []int64, c webhook.Claim) ([]int64, error) {
	var held []int64
	rows, err := t.query(ctx, `
		UPDATE deliveries SET lease = $3 WHERE seq IN (SELECT seq FROM deliveries
			WHERE `+s.dialect.among("seq", "$1")+` AND state = 'waiting' AND lease <= $2`+s.dialect.skipLocked+`)
		RETURNING seq`, s.dialect.numbers(seqs), c.Now.UnixMilli(), c.Lease.UnixMilli())
	return held, each(rows, err, func(rows *sql.Rows) error {
		var seq int64
		err := rows.Scan(&seq)
		held = append(held, seq)
		return err
	})
}

func (s *Store) jobs(ctx context.Context, t *tx, seqs []int64, now time.Time) ([]webhook.Job, error) {
	var jobs []webhook.Job
	rows, err := t.query(ctx, `
		SELECT d.id, d.attempts, d.tries, e.id, e.url, e.secret, e.old_secret, e.old_until, v.id, v.type, v.body
		FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id JOIN events v ON v.id = d.event_id
		WHERE `+s.dialect.among("d.seq", "$1")+" ORDER BY d.due, d.seq", s.dialect.numbers(seqs))
	return jobs, each(rows, err, func(rows *sql.Rows) error {
		var j webhook.Job
		var secret, old []byte
		var oldUntil sql.NullInt64
		var body string
		if err := rows.Scan(&j.Delivery, &j.Number, &j.Try, &j.Endpoint, &j.URL, &secret, &old, &oldUntil, &j.EventID, &j.EventType, &body); err != nil {
			return err
		}
		j.Number, j.Try, j.Body = j.Number+1, j.Try+1, []byte(body)
		j.Sealed = [][]byte{slices.Clone(secret)}
		if oldUntil.Valid && oldUntil.Int64 > now.UnixMilli() {
			j.Sealed = append(j.Sealed, slices.Clone(old))
		}
		jobs = append(jobs, j)
		return nil
	})
}

// Record implements webhook.WorkStore.
func (s *Store) Record(ctx context.Context, results []webhook.Result) error {
	return s.write(ctx, func(t *tx) error {
		attempts := make([][]any, len(results))
		byEndpoint := map[string][]webhook.Result{}
		for i, r := range results {
			a := r.Attempt
			attempts[i] = []any{r.Job.Delivery, a.Number, a.Time.UnixMilli(), a.Duration.Microseconds(), a.Status, a.Error, a.Response}
			byEndpoint[r.Job.Endpoint] = append(byEndpoint[r.Job.Endpoint], r)
		}
		// A worker whose lease ran out may have made the same attempt.
		if err := t.insert(ctx, s.dialect, "attempts", attemptColumns, "ON CONFLICT DO NOTHING", attempts); err != nil {
			return fmt.Errorf("write attempts: %w", err)
		}
		for _, endpoint := range sortedKeys(byEndpoint) {
			if err := s.settleEndpoint(ctx, t, endpoint, byEndpoint[endpoint]); err != nil {
				return fmt.Errorf("record attempts of %s: %w", endpoint, err)
			}
		}
		return nil
	})
}

var attemptColumns = []string{"delivery_id", "number", "time", "duration_us", "status", "error", "response"}

// settleEndpoint writes what follows from an endpoint's attempts, in the order
// in which they ended.
func (s *Store) settleEndpoint(ctx context.Context, t *tx, endpoint string, results []webhook.Result) error {
	var status webhook.Status
	var failures int
	if err := t.row(ctx, "SELECT status, failures FROM endpoints WHERE id = $1"+s.dialect.lockRow, endpoint).Scan(&status, &failures); err != nil {
		return err
	}
	slices.SortStableFunc(results, func(a, b webhook.Result) int { return a.Attempt.Ended().Compare(b.Attempt.Ended()) })
	disabled := false
	for _, r := range results {
		var tooMany bool
		failures, tooMany = webhook.Failures(failures, r.Attempt, r.Job.IsTest())
		disabled = disabled || tooMany
	}
	if disabled {
		status = webhook.Disabled
	}
	for _, r := range results {
		if err := t.settleDelivery(ctx, r, status); err != nil {
			return err
		}
	}
	if _, err := t.exec(ctx, "UPDATE endpoints SET failures = $2, status = $3 WHERE id = $1", endpoint, failures, string(status)); err != nil {
		return err
	}
	if disabled {
		return t.hold(ctx, endpoint)
	}
	return nil
}

func (t *tx) settleDelivery(ctx context.Context, r webhook.Result, status webhook.Status) error {
	state, due, finished := r.Verdict.State, r.Verdict.Due.UnixMilli(), any(nil)
	switch {
	case state != webhook.Waiting:
		due, finished = 0, r.Attempt.Ended().UnixMilli()
	case status == webhook.Disabled:
		state = webhook.Held
	}
	_, err := t.exec(ctx, `UPDATE deliveries SET state = $2, attempts = $3, tries = $4, due = $5, lease = 0, finished_at = $6
		WHERE id = $1 AND state IN ('waiting', 'held') AND attempts < $3`,
		r.Job.Delivery, string(state), r.Job.Number, r.Job.Try, due, finished)
	return err
}

// hold keeps a disabled endpoint's deliveries until it is enabled; tests go out.
func (t *tx) hold(ctx context.Context, endpoint string) error {
	_, err := t.exec(ctx, `UPDATE deliveries SET state = 'held' WHERE endpoint_id = $1 AND state = 'waiting'
		AND event_id IN (SELECT id FROM events WHERE type <> $2)`, endpoint, webhook.Test)
	return err
}

// PruneDeliveries forgets deliveries that ended before a time, with their
// attempts, and the events of before it that nothing delivers.
func (s *Store) PruneDeliveries(ctx context.Context, before time.Time) error {
	chunk := " LIMIT " + strconv.Itoa(pruneChunk)
	ended := "SELECT id FROM deliveries WHERE finished_at < $1 ORDER BY finished_at" + chunk
	if err := s.pruneAll(ctx, before, "DELETE FROM attempts WHERE delivery_id IN ("+ended+")", "DELETE FROM deliveries WHERE id IN ("+ended+")"); err != nil {
		return err
	}
	return s.pruneAll(ctx, before, `DELETE FROM events WHERE seq IN (SELECT seq FROM events v WHERE time < $1
		AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = v.id) ORDER BY seq`+chunk+")")
}

// pruneAll runs statements together, chunk by chunk, until the last of them
// finds less than a chunk.
func (s *Store) pruneAll(ctx context.Context, before time.Time, statements ...string) error {
	for {
		var gone int64
		err := s.write(ctx, func(t *tx) (err error) {
			for _, text := range statements {
				if gone, err = t.exec(ctx, text, before.UnixMilli()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || gone < pruneChunk {
			return err
		}
	}
}
