package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"cradle/internal/event"
	"cradle/internal/webhook"
)

// writeEvent stores an event and queues its delivery to every subscribed
// endpoint of the team. It reports whether there is any.
func (t *tx) writeEvent(ctx context.Context, d dialect, e event.Event) (bool, error) {
	if err := t.insertEvent(ctx, e); err != nil {
		return false, fmt.Errorf("write event: %w", err)
	}
	var queued [][]any
	now := e.Time.UnixMilli()
	// Locked in the same order as in Record, to avoid deadlocks.
	rows, err := t.query(ctx, `SELECT e.id, e.status FROM endpoints e
		WHERE e.team_id = $1 AND (e.all_types OR EXISTS (SELECT 1 FROM subscriptions s WHERE s.endpoint_id = e.id AND s.type = $2))
		AND e.removed_at IS NULL AND (e.listen_until IS NULL OR e.listen_until > $3)
		ORDER BY e.id`+d.keepRowOf("e"), e.Team, e.Type, now)
	err = each(rows, err, func(rows *sql.Rows) error {
		var endpoint string
		var status webhook.Status
		err := rows.Scan(&endpoint, &status)
		queued = append(queued, []any{webhook.NewDeliveryID(e.Time), endpoint, e.ID, string(stateFor(status)), 0, 0, now, 0, now})
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

func (t *tx) insertEvent(ctx context.Context, e event.Event) error {
	_, err := t.exec(ctx, "INSERT INTO events (id, type, time, livemode, team_id, body) VALUES ($1, $2, $3, $4, $5, $6)",
		e.ID, e.Type, e.Time.UnixMilli(), e.Livemode, e.Team, string(e.Body))
	return err
}

var deliveryInsert = []string{"id", "endpoint_id", "event_id", "state", "attempts", "tries", "due", "lease", "created_at"}

func stateFor(s webhook.Status) webhook.State {
	if s == webhook.Disabled {
		return webhook.Held
	}
	return webhook.Waiting
}

// deliveriesChannel is where PostgreSQL notifies every server of waiting
// deliveries.
const deliveriesChannel = "cradle_deliveries"

func (t *tx) notify(ctx context.Context, d dialect, queued bool) error {
	if !queued || !d.postgres {
		return nil
	}
	_, err := t.exec(ctx, "SELECT pg_notify($1, '')", deliveriesChannel)
	return err
}

// claimWindow is how many due deliveries a claim looks at. It reaches later ones
// once the endpoints of earlier ones have enough in flight.
const claimWindow = 256

// Claim implements webhook.WorkStore.
func (s *Store) Claim(ctx context.Context, c webhook.Claim) (jobs []webhook.Job, err error) {
	found, err := s.due(ctx, c)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	err = s.write(ctx, func(t *tx) error {
		leased, err := s.lease(ctx, t, found, c)
		if err != nil || len(leased) == 0 {
			return err
		}
		jobs, err = s.jobs(ctx, t, leased, c.Now)
		return err
	})
	return jobs, err
}

// due returns the deliveries that may be claimed, longest due first, without
// locking them.
func (s *Store) due(ctx context.Context, c webhook.Claim) ([]int64, error) {
	text, args := s.dueQuery(c)
	rows, err := s.reader.query(ctx, text, args...)
	return scanNumbers(rows, err)
}

func (s *Store) dueQuery(c webhook.Claim) (text string, args []any) {
	kind := "e.listen_until IS NULL"
	args = []any{c.Now.UnixMilli(), s.dialect.list(c.Except), c.PerEndpoint, c.Most}
	if c.Only != "" {
		kind = "e.id = $5"
		args = append(args, c.Only)
	}
	return `
		SELECT seq FROM (
			SELECT seq, due, ROW_NUMBER() OVER (PARTITION BY endpoint_id ORDER BY due, seq) AS place FROM (
				SELECT d.seq, d.due, d.endpoint_id FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id
				WHERE d.state = 'waiting' AND d.due <= $1 AND d.lease <= $1 AND NOT (` + s.dialect.among("d.endpoint_id", "$2") + `) AND ` + kind + `
				ORDER BY d.due LIMIT ` + strconv.Itoa(claimWindow) + `) AS first
		) AS placed WHERE place <= $3 ORDER BY due, seq LIMIT $4`, args
}

// lease takes those of the deliveries that no one else has taken, or even tried,
// in the meantime.
func (s *Store) lease(ctx context.Context, t *tx, seqs []int64, c webhook.Claim) ([]int64, error) {
	rows, err := t.query(ctx, `
		UPDATE deliveries SET lease = $3 WHERE seq IN (SELECT seq FROM deliveries
			WHERE `+s.dialect.among("seq", "$1")+` AND state = 'waiting' AND due <= $2 AND lease <= $2`+s.dialect.skipLocked+`)
		RETURNING seq`, s.dialect.numbers(seqs), c.Now.UnixMilli(), c.Lease.UnixMilli())
	return scanNumbers(rows, err)
}

func scanNumbers(rows *sql.Rows, err error) ([]int64, error) {
	var numbers []int64
	err = each(rows, err, func(rows *sql.Rows) error {
		var n int64
		err := rows.Scan(&n)
		numbers = append(numbers, n)
		return err
	})
	return numbers, err
}

func (s *Store) jobs(ctx context.Context, t *tx, seqs []int64, now time.Time) ([]webhook.Job, error) {
	var jobs []webhook.Job
	rows, err := t.query(ctx, `
		SELECT d.id, d.attempts, d.tries, e.id, e.url, e.secret, e.old_secret, e.old_until, v.id, v.type, v.body
		FROM deliveries d JOIN endpoints e ON e.id = d.endpoint_id JOIN events v ON v.id = d.event_id
		WHERE `+s.dialect.among("d.seq", "$1")+" ORDER BY d.due, d.seq", s.dialect.numbers(seqs))
	err = each(rows, err, func(rows *sql.Rows) error {
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
	return jobs, err
}

// Record implements webhook.WorkStore.
func (s *Store) Record(ctx context.Context, results []webhook.Result) error {
	byEndpoint := map[string][]webhook.Result{}
	for _, r := range results {
		byEndpoint[r.Job.Endpoint] = append(byEndpoint[r.Job.Endpoint], r)
	}
	return s.write(ctx, func(t *tx) error {
		var attempts [][]any
		for _, endpoint := range sortedKeys(byEndpoint) {
			settled, err := s.settleEndpoint(ctx, t, endpoint, byEndpoint[endpoint])
			if err != nil {
				return fmt.Errorf("record attempts of %s: %w", endpoint, err)
			}
			for _, r := range settled {
				attempts = append(attempts, attemptRow(r))
			}
		}
		if err := t.insert(ctx, s.dialect, "attempts", attemptColumns, "", attempts); err != nil {
			return fmt.Errorf("write attempts: %w", err)
		}
		return nil
	})
}

var attemptColumns = []string{"delivery_id", "number", "time", "duration_us", "status", "error", "response"}

func attemptRow(r webhook.Result) []any {
	a := r.Attempt
	return []any{r.Job.Delivery, a.Number, a.Time.UnixMilli(), a.Duration.Microseconds(), a.Status, a.Error, a.Response}
}

// endpointRow is the part of an endpoint that attempts depend on and change.
type endpointRow struct {
	status    webhook.Status
	failures  int
	listening bool
	removed   bool
}

func (s *Store) lockEndpoint(ctx context.Context, t *tx, id string) (e endpointRow, err error) {
	var listenUntil, removedAt sql.NullInt64
	err = t.row(ctx, "SELECT status, failures, listen_until, removed_at FROM endpoints WHERE id = $1"+s.dialect.lockValues, id).
		Scan(&e.status, &e.failures, &listenUntil, &removedAt)
	e.listening, e.removed = listenUntil.Valid, removedAt.Valid
	return e, err
}

// settleEndpoint writes the consequences of an endpoint's attempts, in the order
// in which they ended, and returns those not recorded before: another worker may
// have made the same attempt after a lease ran out.
func (s *Store) settleEndpoint(ctx context.Context, t *tx, id string, results []webhook.Result) ([]webhook.Result, error) {
	e, err := s.lockEndpoint(ctx, t, id)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(results, func(a, b webhook.Result) int { return a.Attempt.Ended().Compare(b.Attempt.Ended()) })
	var settled []webhook.Result
	disabled := false
	for _, r := range results {
		isNew, err := t.settleDelivery(ctx, r, e)
		if err != nil {
			return nil, err
		}
		if !isNew {
			continue
		}
		settled = append(settled, r)
		var tooMany bool
		e.failures, tooMany = webhook.Failures(e.failures, r.Attempt, r.Job.IsTest())
		disabled = disabled || tooMany && !e.listening
	}
	if _, err := t.exec(ctx, "UPDATE endpoints SET failures = $2 WHERE id = $1", id, e.failures); err != nil {
		return nil, err
	}
	if disabled {
		return settled, s.disable(ctx, t, id)
	}
	return settled, nil
}

// settleDelivery writes the consequences of an attempt and reports whether it is
// new.
func (t *tx) settleDelivery(ctx context.Context, r webhook.Result, e endpointRow) (isNew bool, err error) {
	state, due, finished := r.Verdict.State, r.Verdict.Due.UnixMilli(), any(nil)
	switch {
	case state == webhook.Waiting && e.removed:
		state = webhook.Cancelled
	case state == webhook.Waiting && e.status == webhook.Disabled:
		state = webhook.Held
	}
	if state != webhook.Waiting && state != webhook.Held {
		due, finished = 0, r.Attempt.Ended().UnixMilli()
	}
	n, err := t.exec(ctx, `UPDATE deliveries SET state = $2, attempts = $3, tries = $4, due = $5, lease = 0, finished_at = $6
		WHERE id = $1 AND attempts < $3`,
		r.Job.Delivery, string(state), r.Job.Number, r.Job.Try, due, finished)
	return n > 0, err
}

// disable disables an endpoint and holds its deliveries, except tests. It waits
// for purchases that are queueing deliveries to it.
func (s *Store) disable(ctx context.Context, t *tx, endpoint string) error {
	if err := s.stopQueueing(ctx, t, endpoint); err != nil {
		return err
	}
	if _, err := t.exec(ctx, "UPDATE endpoints SET status = 'disabled' WHERE id = $1", endpoint); err != nil {
		return err
	}
	_, err := t.exec(ctx, `UPDATE deliveries SET state = 'held' WHERE endpoint_id = $1 AND state = 'waiting'
		AND event_id IN (SELECT id FROM events WHERE type <> $2)`, endpoint, event.WebhookTest)
	return err
}

// stopQueueing waits for transactions that are queueing deliveries to an
// endpoint, and makes others wait to read its state until this transaction ends.
func (s *Store) stopQueueing(ctx context.Context, t *tx, endpoint string) error {
	var one int
	return t.row(ctx, "SELECT 1 FROM endpoints WHERE id = $1"+s.dialect.lockRow, endpoint).Scan(&one)
}

// PruneDeliveries deletes deliveries that ended before a time, with their
// attempts, and earlier events without deliveries. It also removes endpoints of
// listeners that were last heard of before it.
func (s *Store) PruneDeliveries(ctx context.Context, before time.Time) error {
	if err := s.removeListeners(ctx, before); err != nil {
		return err
	}
	if err := s.inChunks(ctx, func(t *tx) (int64, error) { return s.pruneFinished(ctx, t, before) }); err != nil {
		return err
	}
	return s.inChunks(ctx, func(t *tx) (int64, error) { return t.pruneEvents(ctx, before) })
}

func (s *Store) removeListeners(ctx context.Context, before time.Time) error {
	gone, err := s.endpoints(ctx, "e.listen_until < $1", before.UnixMilli())
	for _, e := range gone {
		err = errors.Join(err, s.RemoveEndpoint(ctx, e.ID, before))
	}
	return err
}

// pruneFinished skips rows that another server is pruning or resending.
func (s *Store) pruneFinished(ctx context.Context, t *tx, before time.Time) (int64, error) {
	rows, err := t.query(ctx, "SELECT seq FROM deliveries WHERE finished_at < $1 ORDER BY finished_at LIMIT $2"+s.dialect.skipLocked,
		before.UnixMilli(), pruneChunk)
	old, err := scanNumbers(rows, err)
	if err != nil || len(old) == 0 {
		return 0, err
	}
	these := s.dialect.among("seq", "$1")
	if _, err := t.exec(ctx, "DELETE FROM attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE "+these+")", s.dialect.numbers(old)); err != nil {
		return 0, err
	}
	return t.exec(ctx, "DELETE FROM deliveries WHERE "+these, s.dialect.numbers(old))
}

// pruneEvents stops at the first event that is not old: events are written in
// nearly the order of their times.
func (t *tx) pruneEvents(ctx context.Context, before time.Time) (int64, error) {
	return t.exec(ctx, `DELETE FROM events WHERE seq IN (SELECT seq FROM events v
		WHERE seq < COALESCE((SELECT seq FROM events WHERE time >= $1 ORDER BY seq LIMIT 1), $2)
		AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = v.id) ORDER BY seq LIMIT $3)`,
		before.UnixMilli(), int64(math.MaxInt64), pruneChunk)
}

// inChunks repeats do in new transactions until it handles less than a chunk.
func (s *Store) inChunks(ctx context.Context, do func(*tx) (int64, error)) error {
	for {
		var n int64
		err := s.write(ctx, func(t *tx) (err error) {
			n, err = do(t)
			return err
		})
		if err != nil || n < pruneChunk {
			return err
		}
	}
}
