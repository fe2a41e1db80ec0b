package store

import (
	"math"
	"sync"
	"testing"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

func (p people) live() account.Wallet { return account.Wallet{Team: p.first.ID, Mode: account.Live} }
func (p people) sandbox() account.Wallet {
	return account.Wallet{Team: p.first.ID, Mode: account.Sandbox}
}

func TestNewTeamHasNoLiveCreditsAndASandboxQuotaInItsLedger(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		balance, entries, err := s.Ledger(t.Context(), p.live())
		if err != nil || balance != 0 || len(entries) != 0 {
			t.Errorf("live: %d, %v, %v", balance, entries, err)
		}
		balance, entries, err = s.Ledger(t.Context(), p.sandbox())
		if err != nil || balance != 1000 || len(entries) != 1 || entries[0].Kind != purchase.Grant || entries[0].Amount != 1000 {
			t.Errorf("sandbox: %d, %v, %v", balance, entries, err)
		}
	})
}

func TestBalanceStaysInBounds(t *testing.T) {
	steps := []struct {
		amount  int64
		refused string
		balance int64
	}{
		{amount: 0, refused: "invalid_request", balance: 0},
		{amount: -1, refused: "insufficient_credits", balance: 0},
		{amount: purchase.MaxBalance, balance: purchase.MaxBalance},
		{amount: 1, refused: "balance_limit", balance: purchase.MaxBalance},
		{amount: math.MaxInt64, refused: "balance_limit", balance: purchase.MaxBalance},
		{amount: math.MinInt64, refused: "insufficient_credits", balance: purchase.MaxBalance},
		{amount: -purchase.MaxBalance, balance: 0},
	}
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		for _, step := range steps {
			_, err := s.Grant(t.Context(), p.live(), step.amount, "because")
			if refusal := fault.As(err); (refusal == nil) != (step.refused == "") || refusal != nil && refusal.Code != step.refused {
				t.Errorf("%d: %v", step.amount, err)
			}
			if balance, _, _ := s.Ledger(t.Context(), p.live()); balance != step.balance {
				t.Errorf("after %d the balance is %d", step.amount, balance)
			}
		}
		_, entries, _ := s.Ledger(t.Context(), p.live())
		if len(entries) != 2 || entries[1].Kind != purchase.Adjustment || entries[1].Reason != "because" {
			t.Errorf("ledger %+v", entries)
		}
	})
}

func TestGrantToAnUnknownTeamIsNotFound(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		_, err := s.Grant(t.Context(), account.Wallet{Team: lci.NewID(), Mode: account.Live}, 1, "")
		if fault.KindOf(err) != fault.NotFound {
			t.Error(err)
		}
	})
}

func TestRacingGrantsMakeOneUnbrokenLedger(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				if _, err := s.Grant(t.Context(), p.live(), 3, ""); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if balance, entries, err := s.Ledger(t.Context(), p.live()); err != nil || balance != 48 || len(entries) != 16 {
			t.Errorf("balance %d, %d entries, %v", balance, len(entries), err)
		}
		expectSound(t, s)
	})
}
