package test

import (
	"testing"
	"time"
)

// Every credit spent on a pull is in the ledger, with the request that spent it.
func testLedger(t *testing.T, s *service) {
	c := s.buyer(t, 50)
	type spent struct {
		request string
		credits int
	}
	var live, sandbox []spent
	note := func(to *[]spent, a answer, credits int) {
		a.is(200)
		*to = append(*to, spent{a.header.Get("Svc-Request-Id"), credits})
	}
	note(&live, pullProperties(c, steel, 3, density), 6)
	pullProperties(c, steel, 100, strength).refuses(403)
	note(&live, pullProcess(c, rolling, 2, coil), 6)
	note(&live, pullImpacts(c, rolling, 4, ipcc, ef31), 8)
	pullImpacts(c, rolling, 1, ipcc).refuses(409)
	note(&sandbox, pullProcess(c.withKey(s.test), rolling, 2, coil), 6)
	note(&live, pullDatapoints(c, steel), 6)

	got := s.credits(t, c.team)
	me, _ := c.get("/public/me").is(200).object()["id"].(string)
	for _, world := range []struct {
		name   string
		wallet wallet
		grant  int
		spent  []spent
	}{{"live", got.Live, 50, live}, {"sandbox", got.Sandbox, 1000, sandbox}} {
		t.Run(world.name, func(t *testing.T) {
			entries, balance := world.wallet.Entries, world.grant
			if len(entries) != 1+len(world.spent) {
				t.Fatalf("%d entries: %+v", len(entries), entries)
			}
			if e := entries[0]; e.Kind != "grant" || e.Amount != world.grant || e.Balance != world.grant {
				t.Errorf("first entry: %+v", e)
			}
			for i, want := range world.spent {
				balance -= want.credits
				e := entries[1+i]
				if e.Kind != "debit" || e.Amount != -want.credits || e.Balance != balance || e.UserID != me || e.RequestID != want.request {
					t.Errorf("entry %d: %+v, want %d credits of request %s by %s, and %d left", 1+i, e, -want.credits, want.request, me, balance)
				}
			}
			if world.wallet.Balance != balance {
				t.Errorf("balance %d, want %d", world.wallet.Balance, balance)
			}
			checkEntryForms(t, entries)
		})
	}
}

func checkEntryForms(t *testing.T, entries []ledgerEntry) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range entries {
		if e.ID == "" || seen[e.ID] {
			t.Errorf("the id %q is not its own", e.ID)
		}
		seen[e.ID] = true
		if _, err := time.Parse(time.RFC3339, e.Time); err != nil {
			t.Error(err)
		}
	}
}

func testGrants(t *testing.T, s *service) {
	team := s.addTeam(t, ada, 0)
	if got := s.credits(t, team); got.Live.Balance != 0 || len(got.Live.Entries) != 0 {
		t.Errorf("a new team has %+v", got.Live)
	}
	if got := s.grant(t, team, 10, "--reason", "welcome"); got != 10 {
		t.Errorf("balance %d after the first grant", got)
	}
	if got := s.grant(t, team, -4, "--reason", "mistake"); got != 6 {
		t.Errorf("balance %d after the adjustment", got)
	}
	s.refused(t, "credits", "grant", team, "-7")
	s.refused(t, "credits", "grant", team, "2147483642")
	s.refused(t, "credits", "grant", team, "99999999999999999999")
	s.refused(t, "credits", "grant", team, "many")
	s.refused(t, "credits", "grant", unknown, "1")
	if got := s.grant(t, team, 2147483641); got != 2147483647 {
		t.Errorf("balance %d, want the most there can be", got)
	}
	if got := s.grant(t, team, 5, "--sandbox"); got != 1005 {
		t.Errorf("sandbox balance %d, want 1005", got)
	}
	w := s.credits(t, team)
	var got []ledgerEntry
	for _, e := range w.Live.Entries {
		got = append(got, ledgerEntry{Kind: e.Kind, Reason: e.Reason, Amount: e.Amount, Balance: e.Balance})
	}
	want := []ledgerEntry{
		{Kind: "grant", Reason: "welcome", Amount: 10, Balance: 10},
		{Kind: "adjustment", Reason: "mistake", Amount: -4, Balance: 6},
		{Kind: "grant", Reason: got[len(got)-1].Reason, Amount: 2147483641, Balance: 2147483647},
	}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("ledger %+v, want %+v", got, want)
	}
	checkEntryForms(t, w.Live.Entries)
}
