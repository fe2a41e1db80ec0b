package store

import (
	"fmt"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/requestlog"
)

func logged(t *testing.T, s *Store, filter requestlog.Filter) []requestlog.Row {
	t.Helper()
	var rows []requestlog.Row
	err := s.Requests(t.Context(), filter, func(r requestlog.Row) error { rows = append(rows, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestRequestLogIsAskedByTeamKeyTimeAndPlace(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		row := requestlog.Row{
			Time: epoch, RequestID: "r1", KeyID: p.key.ID, KeyPrefix: p.key.Prefix, UserID: p.user.ID, TeamID: p.first.ID, Mode: account.Live,
			Method: "GET", Path: "/public/materials", Status: 200, Duration: 1500 * time.Microsecond, Credits: 7, Client: "192.0.2.1",
		}
		later := row
		later.RequestID, later.Time, later.TeamID = "r2", epoch.Add(time.Hour), p.second.ID
		refused := requestlog.Row{Time: epoch.Add(2 * time.Hour), RequestID: "r3", Method: "GET", Path: "/public/me", Status: 401, Client: "192.0.2.1"}
		if err := s.LogRequests(t.Context(), []requestlog.Row{row, later, refused}); err != nil {
			t.Fatal(err)
		}
		all := logged(t, s, requestlog.Filter{})
		if len(all) != 3 {
			t.Fatalf("%d rows", len(all))
		}
		row.Seq = all[0].Seq
		if all[0] != row {
			t.Errorf("got %+v, want %+v", all[0], row)
		}
		for name, c := range map[string]struct {
			filter requestlog.Filter
			want   string
		}{
			"team":     {requestlog.Filter{Team: p.second.ID}, "[r2]"},
			"key":      {requestlog.Filter{Key: p.key.ID}, "[r1 r2]"},
			"since":    {requestlog.Filter{Since: epoch.Add(time.Minute)}, "[r2 r3]"},
			"after":    {requestlog.Filter{After: all[1].Seq}, "[r3]"},
			"together": {requestlog.Filter{Team: p.first.ID, Key: p.key.ID, Since: epoch}, "[r1]"},
			"nothing":  {requestlog.Filter{Team: lci.NewID()}, "[]"},
		} {
			var ids []string
			for _, r := range logged(t, s, c.filter) {
				ids = append(ids, r.RequestID)
			}
			if got := fmt.Sprint(ids); got != c.want {
				t.Errorf("by %s: got %s, want %s", name, got, c.want)
			}
		}
	})
}

func TestUseOfAKeyIsNotedAndNotAnnounced(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		before := mustScan[int64](t, s, "SELECT accounts FROM state")
		for _, at := range []time.Time{epoch.Add(time.Hour), epoch} {
			if err := s.LogRequests(t.Context(), []requestlog.Row{{Time: at, KeyID: p.key.ID, Method: "GET"}}); err != nil {
				t.Fatal(err)
			}
		}
		keys, err := s.Keys(t.Context(), p.user.ID)
		if err != nil || len(keys) != 1 || keys[0].LastUsedAt == nil || !keys[0].LastUsedAt.Equal(epoch.Add(time.Hour)) {
			t.Errorf("keys %+v, %v", keys, err)
		}
		if mustScan[int64](t, s, "SELECT accounts FROM state") != before {
			t.Error("the use of a key was announced as a change")
		}
	})
}

func TestOldRequestsAreForgotten(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		rows := make([]requestlog.Row, 2*pruneChunk+10)
		for i := range rows {
			rows[i] = requestlog.Row{Time: epoch.Add(time.Duration(i) * time.Millisecond), Method: "GET"}
		}
		if err := s.LogRequests(t.Context(), rows); err != nil {
			t.Fatal(err)
		}
		gone, err := s.PruneRequests(t.Context(), rows[2*pruneChunk+3].Time)
		if err != nil || gone != 2*pruneChunk+3 {
			t.Errorf("%d went, %v", gone, err)
		}
		if left := logged(t, s, requestlog.Filter{}); len(left) != 7 {
			t.Errorf("%d are left", len(left))
		}
	})
}
