package main

import (
	"database/sql"
	"net/url"
	"strings"
	"time"

	"cradle/internal/event"
)

// finish writes finished deliveries, each with its own event and one attempt,
// straight into the database: to really deliver them takes too long.
func (b *bench) finish(e *engine) error {
	team, err := b.team(e, "Finished")
	if err != nil {
		return err
	}
	r, err := listen(0)
	if err != nil {
		return err
	}
	defer r.close()
	endpoint, err := b.endpoint(e, team, r)
	if err != nil {
		return err
	}
	db, random, series, after, err := openFiller(e.db)
	if err != nil {
		return err
	}
	defer db.Close()
	now := time.Now().Add(-time.Hour).UnixMilli()
	body := `{"id":"evt_","type":"` + event.DatapointPulled + `","data":{"padding":"` + strings.Repeat("x", 300) + `"}}`
	for _, s := range []struct {
		text string
		args []any
	}{
		{series + ` INSERT INTO events (id, type, time, livemode, team_id, body)
			SELECT 'evt_' || ` + random + `, CAST($2 AS TEXT), CAST($3 AS BIGINT), TRUE, CAST($4 AS TEXT), CAST($5 AS TEXT) FROM numbers`,
			[]any{b.Finished, event.DatapointPulled, now, team.String(), body}},
		{`INSERT INTO deliveries (id, endpoint_id, event_id, state, attempts, tries, due, lease, created_at, finished_at)
			SELECT 'dlv_' || ` + random + `, CAST($1 AS TEXT), id, 'delivered', 1, 1, 0, 0, time, time FROM events WHERE team_id = $2`,
			[]any{endpoint, team.String()}},
		{`INSERT INTO attempts (delivery_id, number, time, duration_us, status, error, response)
			SELECT id, 1, finished_at, 1000, 200, '', '' FROM deliveries WHERE endpoint_id = $1 ORDER BY id`, []any{endpoint}},
		{after, nil},
	} {
		if _, err := db.ExecContext(b.ctx, s.text, s.args...); err != nil {
			return err
		}
	}
	_, err = b.cradle.do(b.ctx, e.db, nil, "webhook", "disable", endpoint)
	return err
}

// openFiller also returns how the engine makes 32 random digits, a table of the
// numbers to $1, and what it does by itself sooner or later.
func openFiller(dsn string) (db *sql.DB, random, series, after string, err error) {
	if strings.HasPrefix(dsn, "postgres://") {
		db, err = sql.Open("pgx", dsn)
		return db, "replace(gen_random_uuid()::text, '-', '')", "WITH numbers AS (SELECT generate_series(1, CAST($1 AS INTEGER)))", "VACUUM ANALYZE", err
	}
	settings := url.Values{"_pragma": {"busy_timeout(10000)", "foreign_keys(ON)", "cache_size(-262144)", "temp_store(MEMORY)"}}
	db, err = sql.Open("sqlite", "file:"+(&url.URL{Path: dsn}).EscapedPath()+"?"+settings.Encode())
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, "lower(hex(randomblob(16)))", "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)",
		"PRAGMA wal_checkpoint(TRUNCATE)", err
}
