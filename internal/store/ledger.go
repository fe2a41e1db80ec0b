package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

// walletRow is a stored wallet.
type walletRow struct {
	balance int64
	entries int64
	head    string // the last entry's hash
	reveals int64
}

// lockWallet reads a wallet and locks it until the transaction ends.
func (s *Store) lockWallet(ctx context.Context, t *tx, wallet account.Wallet) (walletRow, error) {
	return t.wallet(ctx, wallet, s.dialect.lockRow)
}

func (t *tx) wallet(ctx context.Context, wallet account.Wallet, lock string) (walletRow, error) {
	var w walletRow
	err := t.row(ctx, `SELECT balance, entries, head, reveals FROM wallets WHERE id = $1`+lock, wallet.String()).
		Scan(&w.balance, &w.entries, &w.head, &w.reveals)
	if errors.Is(err, errNoRow) {
		return walletRow{}, fault.NotFoundf("No team has the id %s", wallet.Team)
	}
	return w, err
}

// enter appends an entry to a locked wallet's ledger, fills in its place in the
// chain, and counts its reveals. The caller has checked that the balance stays
// in bounds; the guard is a second check.
func (t *tx) enter(ctx context.Context, wallet account.Wallet, w walletRow, e purchase.Entry, reveals int) (purchase.Entry, error) {
	e.Seq, e.Balance = w.entries+1, w.balance+e.Amount
	e.Hash = e.Chain(wallet, w.head)
	_, err := t.exec(ctx, `INSERT INTO ledger (wallet_id, seq, id, time, kind, amount, balance, reason, user_id, request_id, hash)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		wallet.String(), e.Seq, e.ID, e.Time.UnixMilli(), string(e.Kind), e.Amount, e.Balance, e.Reason, e.UserID, textOrNull(e.RequestID), e.Hash)
	if err != nil {
		return purchase.Entry{}, err
	}
	changed, err := t.exec(ctx, `UPDATE wallets SET balance = balance + $2, entries = entries + 1, head = $3, reveals = reveals + $4
		WHERE id = $1 AND entries = $5 AND balance + $2 >= 0`, wallet.String(), e.Amount, e.Hash, reveals, w.entries)
	if err == nil && changed != 1 {
		err = errors.New("the wallet changed although it was locked")
	}
	return e, err
}

func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// Grant adds credits to a wallet or, with a negative amount, removes some. The
// balance stays between 0 and purchase.MaxBalance.
func (s *Store) Grant(ctx context.Context, wallet account.Wallet, amount int64, reason string) (purchase.Entry, error) {
	return s.GrantAt(ctx, wallet, amount, reason, timeOf(nowMillis()))
}

// GrantAt is like Grant, at a given time.
func (s *Store) GrantAt(ctx context.Context, wallet account.Wallet, amount int64, reason string, at time.Time) (purchase.Entry, error) {
	var entry purchase.Entry
	err := s.write(ctx, func(t *tx) (err error) {
		entry, err = s.grant(ctx, t, wallet, amount, reason, at)
		return err
	})
	return entry, err
}

func (s *Store) grant(ctx context.Context, t *tx, wallet account.Wallet, amount int64, reason string, at time.Time) (purchase.Entry, error) {
	w, err := s.lockWallet(ctx, t, wallet)
	if err != nil {
		return purchase.Entry{}, err
	}
	if err := fits(w.balance, amount); err != nil {
		return purchase.Entry{}, err
	}
	e := purchase.Entry{ID: lci.NewIDAt(at), Time: at, Kind: purchase.Grant, Amount: amount, Reason: reason}
	if amount < 0 {
		e.Kind = purchase.Adjustment
	}
	return t.enter(ctx, wallet, w, e, 0)
}

// fits refuses an amount that takes a balance out of bounds. It compares without
// adding, so that nothing overflows.
func fits(balance, amount int64) error {
	switch {
	case amount == 0:
		return fault.Invalidf("The amount must not be 0")
	case amount < -balance:
		return fault.New(fault.Conflict, "insufficient_credits", "Cannot take %d away: the balance is %d", uint64(-amount), balance)
	case amount > purchase.MaxBalance-balance:
		return fault.New(fault.Conflict, "balance_limit", "Cannot grant %d to a balance of %d: the most a team can have is %d", amount, balance, purchase.MaxBalance)
	}
	return nil
}

// Ledger returns a wallet's balance and its entries, oldest first, from one
// snapshot.
func (s *Store) Ledger(ctx context.Context, wallet account.Wallet) (int64, []purchase.Entry, error) {
	var balance int64
	entries := []purchase.Entry{}
	err := s.snapshot(ctx, func(t *tx) error {
		err := t.row(ctx, `SELECT balance FROM wallets WHERE id = $1`, wallet.String()).Scan(&balance)
		if errors.Is(err, errNoRow) {
			return fault.NotFoundf("No team has the id %s", wallet.Team)
		}
		if err != nil {
			return err
		}
		rows, err := t.query(ctx, `SELECT `+entryColumns+` FROM ledger WHERE wallet_id = $1 ORDER BY seq`, wallet.String())
		return each(rows, err, func(r *sql.Rows) error {
			e, err := scanEntry(r)
			entries = append(entries, e)
			return err
		})
	})
	return balance, entries, err
}

const entryColumns = `seq, id, time, kind, amount, balance, reason, user_id, request_id, hash`

func scanEntry(r *sql.Rows, before ...any) (purchase.Entry, error) {
	var e purchase.Entry
	var at int64
	var request sql.Null[string]
	err := r.Scan(append(before, &e.Seq, &e.ID, &at, &e.Kind, &e.Amount, &e.Balance, &e.Reason, &e.UserID, &request, &e.Hash)...)
	e.Time, e.RequestID = timeOf(at), request.V
	return e, err
}
