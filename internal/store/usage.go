package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
)

// usageKey identifies a row of usage_days.
type usageKey struct {
	team, mode, key string
	day             int
}

// countUsage adds rows to the counts of their days.
func (t *tx) countUsage(ctx context.Context, rows []requestlog.Row) error {
	counts := map[usageKey]requestlog.Day{}
	for _, r := range rows {
		if r.TeamID.IsZero() || r.Mode == "" {
			continue
		}
		k := usageKey{r.TeamID.String(), string(r.Mode), r.KeyID.String(), requestlog.DayOf(r.Time)}
		counts[k] = added(counts[k], r)
	}
	// Always in the same order, to avoid deadlocks between replicas.
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b usageKey) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, k := range keys {
		d := counts[k]
		if _, err := t.exec(ctx, `INSERT INTO usage_days (team_id, mode, day, key_id, requests, errors, pulls, credits) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (team_id, mode, day, key_id) DO UPDATE SET requests = usage_days.requests + excluded.requests,
			errors = usage_days.errors + excluded.errors, pulls = usage_days.pulls + excluded.pulls, credits = usage_days.credits + excluded.credits`,
			k.team, k.mode, k.day, k.key, d.Requests, d.Errors, d.Pulls, d.Credits); err != nil {
			return err
		}
	}
	return nil
}

func added(d requestlog.Day, r requestlog.Row) requestlog.Day {
	d.Requests++
	d.Credits += r.Credits
	if r.Status >= 400 {
		d.Errors++
	}
	if r.Credits > 0 {
		d.Pulls++
	}
	return d
}

// Usage returns a wallet's days starting with from, in order, with a row for
// each key.
func (s *Store) Usage(ctx context.Context, wallet account.Wallet, from int) ([]requestlog.Day, error) {
	var days []requestlog.Day
	rows, err := s.reader.query(ctx, `SELECT day, key_id, requests, errors, pulls, credits FROM usage_days
		WHERE team_id = $1 AND mode = $2 AND day >= $3 ORDER BY day, key_id`, wallet.Team, string(wallet.Mode), from)
	err = each(rows, err, func(r *sql.Rows) error {
		var d requestlog.Day
		err := r.Scan(&d.Day, &d.Key, &d.Requests, &d.Errors, &d.Pulls, &d.Credits)
		days = append(days, d)
		return err
	})
	return days, err
}

// PruneUsage deletes the counts of days before a time.
func (s *Store) PruneUsage(ctx context.Context, before time.Time) error {
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec(ctx, `DELETE FROM usage_days WHERE day < $1`, requestlog.DayOf(before))
		return err
	})
}

// searchedRows is how many of a team's rows a search looks through at a time,
// which bounds its duration if it finds little.
const searchedRows = 5_000

// SearchRequests returns a page of a team's requests, newest first.
func (s *Store) SearchRequests(ctx context.Context, q requestlog.Search) (requestlog.Found, error) {
	var found requestlog.Found
	window, where, args := searchSQL(q)
	args = append(args, q.Limit+1)
	rows, err := s.reader.query(ctx, "SELECT "+requestColumns+" FROM (SELECT * FROM request_log WHERE "+window+
		" ORDER BY seq DESC LIMIT "+strconv.Itoa(searchedRows)+") l LEFT JOIN api_keys k ON k.id = l.key_id WHERE "+
		where+" ORDER BY l.seq DESC LIMIT $"+strconv.Itoa(len(args)), args...)
	err = each(rows, err, func(r *sql.Rows) error {
		row, err := scanRequest(r)
		found.Rows = append(found.Rows, row)
		return err
	})
	if err != nil {
		return found, err
	}
	if len(found.Rows) > q.Limit {
		found.Rows = found.Rows[:q.Limit]
		found.Next = found.Rows[q.Limit-1].Seq
		return found, nil
	}
	end, err := s.searchEnd(ctx, q)
	if err == nil && end.seq > q.After {
		found.Next, found.Back = end.seq, end.time
	}
	return found, err
}

// searchEnd is where a search stops looking.
type searchEnd struct {
	seq  int64 // 0: at the end
	time time.Time
}

func (s *Store) searchEnd(ctx context.Context, q requestlog.Search) (searchEnd, error) {
	var end searchEnd
	var at int64
	text, args := `SELECT seq, time FROM request_log WHERE team_id = $1`, []any{q.Team}
	if q.Before > 0 {
		text, args = text+` AND seq < $2`, append(args, q.Before)
	}
	rows, err := s.reader.query(ctx, text+` ORDER BY seq DESC LIMIT 1 OFFSET `+strconv.Itoa(searchedRows-1), args...)
	err = each(rows, err, func(r *sql.Rows) error { return r.Scan(&end.seq, &at) })
	end.time = timeOf(at)
	if err == nil && end.time.Before(q.Since) {
		end = searchEnd{}
	}
	return end, err
}

// searchSQL returns the condition on the rows to look through, and that on the
// rows to find.
func searchSQL(q requestlog.Search) (window, where string, args []any) {
	window, args = "team_id = $1 AND seq > $2", []any{q.Team, q.After}
	if q.Before > 0 {
		window, args = window+" AND seq < $3", append(args, q.Before)
	}
	conditions := []string{"1 = 1"}
	also := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, strings.ReplaceAll(condition, "?", "$"+strconv.Itoa(len(args))))
	}
	if q.Mode != "" {
		also("COALESCE(l.mode, k.mode) = ?", string(q.Mode))
	}
	if !q.Key.IsZero() {
		also("l.key_id = ?", q.Key)
	}
	if q.Portal {
		conditions = append(conditions, "l.key_id IS NULL")
	}
	if q.Method != "" {
		also("l.method = ?", q.Method)
	}
	if q.Status > 0 {
		least, below := q.Status.Range()
		also("l.status >= ?", least)
		also("l.status < ?", below)
	}
	if q.Path != "" {
		also(`LOWER(l.path) LIKE ? ESCAPE '!'`, "%"+likeText.Replace(strings.ToLower(q.Path))+"%")
	}
	if !q.Since.IsZero() {
		also("l.time >= ?", q.Since.UnixMilli())
	}
	return window, strings.Join(conditions, " AND "), args
}

// likeText escapes a text for a LIKE pattern.
var likeText = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// Request returns one of a team's requests by its number, or nil.
func (s *Store) Request(ctx context.Context, team lci.ID, seq int64) (*requestlog.Row, error) {
	var found *requestlog.Row
	rows, err := s.reader.query(ctx, "SELECT "+requestColumns+" FROM request_log l LEFT JOIN api_keys k ON k.id = l.key_id WHERE l.seq = $1 AND l.team_id = $2", seq, team)
	err = each(rows, err, func(r *sql.Rows) error {
		row, err := scanRequest(r)
		found = &row
		return err
	})
	return found, err
}

// Balance returns a wallet's balance.
func (s *Store) Balance(ctx context.Context, wallet account.Wallet) (int64, error) {
	var balance int64
	err := s.reader.row(ctx, `SELECT balance FROM wallets WHERE id = $1`, wallet.String()).Scan(&balance)
	return balance, err
}

// LedgerPage returns up to most of a wallet's entries, newest first: those
// before an entry's number or, for 0, the latest.
func (s *Store) LedgerPage(ctx context.Context, wallet account.Wallet, before int64, most int) ([]purchase.Entry, error) {
	if before <= 0 {
		before = 1 << 62
	}
	var entries []purchase.Entry
	rows, err := s.reader.query(ctx, `SELECT `+entryColumns+` FROM ledger WHERE wallet_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`,
		wallet.String(), before, most)
	err = each(rows, err, func(r *sql.Rows) error {
		e, err := scanEntry(r)
		entries = append(entries, e)
		return err
	})
	return entries, err
}
