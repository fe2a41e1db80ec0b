package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"cradle/internal/lci"
	"cradle/internal/requestlog"
)

// requestLogLock is the advisory lock that makes rows visible in the order of
// their numbers, so that followers of the log miss none.
const requestLogLock = 0x637261646c6c

// LogRequests appends rows and updates when their keys were last used. That does
// not count as a change of accounts, which would invalidate caches.
func (s *Store) LogRequests(ctx context.Context, rows []requestlog.Row) error {
	return s.write(ctx, func(t *tx) error {
		if s.dialect.postgres {
			if _, err := t.exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(requestLogLock)); err != nil {
				return err
			}
		}
		if err := t.insert(ctx, s.dialect, "request_log", logColumns, "", logRows(rows)); err != nil {
			return err
		}
		if err := t.countUsage(ctx, rows); err != nil {
			return err
		}
		return t.touchKeys(ctx, rows)
	})
}

// A key's prefix and owner never change, so a row holds only the key's id; a row
// without a key holds the user's.
var logColumns = []string{"time", "request_id", "key_id", "user_id", "team_id", "mode", "method", "path", "status", "duration_us", "credits", "client"}

func logRows(rows []requestlog.Row) [][]any {
	values := make([][]any, len(rows))
	for i, r := range rows {
		user := r.UserID
		if !r.KeyID.IsZero() {
			user = lci.ID{}
		}
		values[i] = []any{
			r.Time.UnixMilli(), r.RequestID, r.KeyID, user, r.TeamID, textOrNull(string(r.Mode)),
			r.Method, r.Path, r.Status, r.Duration.Microseconds(), r.Credits, r.Client,
		}
	}
	return values
}

func (t *tx) touchKeys(ctx context.Context, rows []requestlog.Row) error {
	last := map[lci.ID]int64{}
	for _, r := range rows {
		if !r.KeyID.IsZero() {
			last[r.KeyID] = max(last[r.KeyID], r.Time.UnixMilli())
		}
	}
	// Always in the same order, to avoid deadlocks between replicas.
	for _, key := range slices.SortedFunc(maps.Keys(last), lci.ID.Compare) {
		if _, err := t.exec(ctx, `UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
			key, last[key]); err != nil {
			return err
		}
	}
	return nil
}

// Requests calls take with the rows that match a filter, oldest first.
func (s *Store) Requests(ctx context.Context, filter requestlog.Filter, take func(requestlog.Row) error) error {
	where, args := filterSQL(filter)
	rows, err := s.reader.query(ctx, "SELECT "+requestColumns+" FROM request_log l LEFT JOIN api_keys k ON k.id = l.key_id WHERE "+
		where+" ORDER BY l.seq", args...)
	return each(rows, err, func(r *sql.Rows) error {
		row, err := scanRequest(r)
		if err != nil {
			return err
		}
		return take(row)
	})
}

func filterSQL(f requestlog.Filter) (string, []any) {
	conditions, args := []string{"l.seq > $1"}, []any{f.After}
	also := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, condition+" $"+strconv.Itoa(len(args)))
	}
	if !f.Team.IsZero() {
		also("l.team_id =", f.Team)
	}
	if !f.Key.IsZero() {
		also("l.key_id =", f.Key)
	}
	if !f.Since.IsZero() {
		also("l.time >=", f.Since.UnixMilli())
	}
	return strings.Join(conditions, " AND "), args
}

// requestColumns are those of a row l with its key k.
const requestColumns = `l.seq, l.time, l.request_id, l.key_id, COALESCE(k.prefix, ''), COALESCE(k.user_id, l.user_id), l.team_id,
	COALESCE(l.mode, k.mode, ''), l.method, l.path, l.status, l.duration_us, l.credits, l.client`

func scanRequest(r *sql.Rows) (requestlog.Row, error) {
	var row requestlog.Row
	var at, micros int64
	err := r.Scan(&row.Seq, &at, &row.RequestID, &row.KeyID, &row.KeyPrefix, &row.UserID, &row.TeamID, &row.Mode,
		&row.Method, &row.Path, &row.Status, &micros, &row.Credits, &row.Client)
	row.Time, row.Duration = timeOf(at), time.Duration(micros)*time.Microsecond
	return row, err
}

// pruneChunk is how many rows are deleted at once, so that no one waits long.
const pruneChunk = 2000

// PruneRequests deletes the requests before a time and returns how many.
func (s *Store) PruneRequests(ctx context.Context, before time.Time) (int64, error) {
	var total int64
	for {
		var gone int64
		err := s.write(ctx, func(t *tx) (err error) {
			gone, err = t.exec(ctx, `DELETE FROM request_log WHERE seq IN (SELECT seq FROM
				(SELECT seq, time FROM request_log ORDER BY seq LIMIT `+strconv.Itoa(pruneChunk)+`) oldest WHERE time < $1)`, before.UnixMilli())
			return err
		})
		total += gone
		if err != nil || gone < pruneChunk {
			return total, err
		}
	}
}
