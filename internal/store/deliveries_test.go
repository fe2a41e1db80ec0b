package store

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
	"cradle/internal/lci"
	"cradle/internal/purchase"
	"cradle/internal/webhook"
)

// addDeliveries adds an endpoint with three deliveries: one refused, one
// accepted and one waiting.
func addDeliveries(t *testing.T, s *Store, team lci.ID) webhook.Endpoint {
	t.Helper()
	e := webhook.Endpoint{ID: webhook.NewEndpointID(), Team: team, URL: "https://example.org/", Status: webhook.Enabled, CreatedAt: epoch}
	if err := s.AddEndpoint(t.Context(), e, []byte("sealed")); err != nil {
		t.Fatal(err)
	}
	for _, status := range []int{500, 200, 0} {
		queueEvent(t, s, team)
		if status == 0 {
			continue
		}
		for _, j := range claimNow(t, s) {
			a := webhook.Attempt{Number: j.Number, Time: epoch, Status: status}
			if err := s.Record(t.Context(), []webhook.Result{{Job: j, Attempt: a, Verdict: webhook.Judge(a, j.Try, false)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return e
}

func queueEvent(t *testing.T, s *Store, team lci.ID) {
	t.Helper()
	pulled := event.New(event.DatapointPulled, team, false, epoch, nil)
	err := s.Trade(t.Context(), account.Wallet{Team: team, Mode: account.Live}, "", func(c purchase.Transaction) error {
		return c.Settle(t.Context(), purchase.Settlement{Event: pulled, Time: epoch})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func claimNow(t *testing.T, s *Store) []webhook.Job {
	t.Helper()
	jobs, err := s.Claim(t.Context(), webhook.Claim{Now: epoch, Lease: epoch.Add(time.Minute), Most: 10, PerEndpoint: 10})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// Between due and lease another worker may have made the attempt, so that the
// next is due only much later.
func TestWhatWasTriedMeanwhileIsNotClaimed(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		addDeliveries(t, s, p.first.ID)
		c := webhook.Claim{Now: epoch, Lease: epoch.Add(time.Minute), Most: 10, PerEndpoint: 10}
		found, err := s.due(t.Context(), c)
		if err != nil || len(found) != 1 {
			t.Fatalf("%v, %v", found, err)
		}
		j := claimNow(t, s)[0]
		a := webhook.Attempt{Number: 1, Time: epoch, Status: 500}
		if err := s.Record(t.Context(), []webhook.Result{{Job: j, Attempt: a, Verdict: webhook.Judge(a, j.Try, false)}}); err != nil {
			t.Fatal(err)
		}
		err = s.write(t.Context(), func(tx *tx) error {
			leased, err := s.lease(t.Context(), tx, found, c)
			if len(leased) > 0 {
				t.Error("it is tried again at once")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// However many deliveries are finished, a claim reads only waiting ones.
func TestClaimReadsOnlyWhatWaits(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		e := addDeliveries(t, s, p.first.ID)
		finished := 100_000
		if !s.dialect.postgres {
			finished = 2_000 // enough to show that indexes are used
		}
		mustExec(t, s, `INSERT INTO deliveries (id, endpoint_id, event_id, state, attempts, tries, due, lease, created_at, finished_at)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
			SELECT 'dlv_' || i, $1, (SELECT MIN(id) FROM events), 'delivered', 1, 1, 0, 0, 0, i FROM n`, e.ID, finished)
		for _, prepare := range []string{"", "ANALYZE"} {
			if prepare != "" {
				mustExec(t, s, prepare)
			}
			for name, c := range map[string]webhook.Claim{
				"all":     {Now: epoch, Most: 100, PerEndpoint: 16},
				"all but": {Now: epoch, Most: 100, PerEndpoint: 16, Except: []string{"wh_1", "wh_2"}},
			} {
				plan := planOf(t, s, c)
				if !strings.Contains(plan, "deliveries_waiting") || strings.Contains(plan, "Seq Scan on deliveries") || strings.Contains(plan, "SCAN d\n") {
					t.Errorf("%s, after %q:\n%s", name, prepare, plan)
				}
			}
		}
	})
}

// planOf is the engine's query plan for finding due deliveries.
func planOf(t *testing.T, s *Store, c webhook.Claim) string {
	t.Helper()
	text, args := s.dueQuery(c)
	explain := "EXPLAIN QUERY PLAN "
	if s.dialect.postgres {
		explain = "EXPLAIN "
	}
	rows, err := s.reader.db.QueryContext(t.Context(), explain+text, args...)
	var plan strings.Builder
	err = each(rows, err, func(r *sql.Rows) error {
		columns, err := r.Columns()
		if err != nil {
			return err
		}
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(sql.NullString)
		}
		err = r.Scan(values...)
		plan.WriteString(values[len(values)-1].(*sql.NullString).String + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan.String()
}

func TestCheckNamesWhatBreaksOfDeliveries(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		addDeliveries(t, s, p.first.ID)
		expectSound(t, s)
		for _, breach := range []struct{ breach, names string }{
			{`DELETE FROM endpoints`, "deliveries"},
			{`DELETE FROM events`, "deliveries"},
			{`DELETE FROM deliveries`, "attempts"},
			{`DELETE FROM subscriptions`, "endpoint without event types"},
			{`UPDATE endpoints SET id = 'wh_1'`, "endpoint with a wrong id"},
			{`UPDATE endpoints SET failures = 20`, "wrong count of failures"},
			{`UPDATE endpoints SET old_until = 1`, "old secret has no end"},
			{`UPDATE deliveries SET id = id || '1'`, "delivery with a wrong id"},
			{`UPDATE endpoints SET team_id = '` + p.second.ID.String() + `'`, "another team's endpoint"},
			{`UPDATE deliveries SET event_id = (SELECT MIN(id) FROM events)`, "delivered twice to one endpoint"},
			{`UPDATE endpoints SET removed_at = 1`, "on its way to a removed endpoint"},
			{`UPDATE endpoints SET status = 'disabled'`, "on its way to a disabled endpoint"},
			{`UPDATE deliveries SET state = 'held' WHERE state = 'waiting'`, "held for an enabled endpoint"},
			{`UPDATE deliveries SET finished_at = 1 WHERE state = 'waiting'`, "neither under way nor finished"},
			{`UPDATE deliveries SET finished_at = NULL WHERE state = 'delivered'`, "neither under way nor finished"},
			{`UPDATE deliveries SET lease = 1 WHERE state = 'delivered'`, "neither under way nor finished"},
			{`UPDATE deliveries SET due = 0 WHERE state = 'waiting'`, "neither under way nor finished"},
			{`UPDATE deliveries SET tries = 2 WHERE state = 'waiting'`, "wrong count of tries"},
			{`UPDATE deliveries SET attempts = 0, tries = 0 WHERE state = 'delivered'`, "ended without an attempt"},
			{`UPDATE deliveries SET attempts = attempts + 1`, "wrong count of attempts"},
			{`DELETE FROM attempts`, "wrong count of attempts"},
			{`UPDATE attempts SET number = 2`, "wrong count of attempts"},
			{`UPDATE attempts SET status = 404`, "its last attempt was not"},
		} {
			if problems := problemsAfter(t, s, breach.breach); !strings.Contains(problems, breach.names) {
				t.Errorf("%s: nothing says %q in\n%s", breach.breach, breach.names, problems)
			}
		}
		expectSound(t, s)
	})
}
