package store

import (
	"context"
	"database/sql"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

// checkedWallet is a wallet and what its ledger and reveals add up to.
type checkedWallet struct {
	id      string
	wallet  account.Wallet
	stored  walletRow
	debits  int64
	found   walletRow // from the ledger as far as it was read
	paid    int64     // debits that revealed something
	unknown bool      // there are entries or reveals but no wallet
}

// checkWallets verifies every ledger and every reveal.
func checkWallets(ctx context.Context, t *tx, c *Checkup) error {
	wallets, err := readWallets(ctx, t, c)
	if err != nil {
		return err
	}
	if err := checkLedgers(ctx, t, c, wallets); err != nil {
		return err
	}
	if err := checkReveals(ctx, t, c, wallets); err != nil {
		return err
	}
	for _, w := range wallets.inOrder {
		if w.unknown {
			c.problem("wallet %s does not exist, and has entries or reveals", w.id)
			continue
		}
		if err := w.compare(ctx, t, c); err != nil {
			return err
		}
	}
	return nil
}

type checkedWallets struct {
	byID    map[string]*checkedWallet
	inOrder []*checkedWallet
}

func (ws *checkedWallets) add(w *checkedWallet) *checkedWallet {
	ws.byID[w.id] = w
	ws.inOrder = append(ws.inOrder, w)
	return w
}

func (ws *checkedWallets) of(id string) *checkedWallet {
	if w := ws.byID[id]; w != nil {
		return w
	}
	return ws.add(&checkedWallet{id: id, unknown: true})
}

func readWallets(ctx context.Context, t *tx, c *Checkup) (*checkedWallets, error) {
	wallets := &checkedWallets{byID: map[string]*checkedWallet{}}
	rows, err := t.query(ctx, `SELECT id, team_id, mode, balance, entries, head, reveals FROM wallets ORDER BY id`)
	err = each(rows, err, func(r *sql.Rows) error {
		var w checkedWallet
		err := r.Scan(&w.id, &w.wallet.Team, &w.wallet.Mode, &w.stored.balance, &w.stored.entries, &w.stored.head, &w.stored.reveals)
		wallets.add(&w)
		c.Wallets++
		return err
	})
	return wallets, err
}

func checkLedgers(ctx context.Context, t *tx, c *Checkup, wallets *checkedWallets) error {
	rows, err := t.query(ctx, `SELECT wallet_id, `+entryColumns+` FROM ledger ORDER BY wallet_id, seq`)
	return each(rows, err, func(r *sql.Rows) error {
		var id string
		e, err := scanDoubtfulEntry(r, &id)
		if err != nil {
			return err
		}
		c.Entries++
		wallets.of(id).read(c, e)
		return nil
	})
}

// scanDoubtfulEntry reads a malformed id as zero, so that the hash does not
// match; scanEntry would fail.
func scanDoubtfulEntry(r *sql.Rows, wallet *string) (purchase.Entry, error) {
	var e purchase.Entry
	var at int64
	var id string
	var user, request sql.Null[string]
	err := r.Scan(wallet, &e.Seq, &id, &at, &e.Kind, &e.Amount, &e.Balance, &e.Reason, &user, &request, &e.Hash)
	e.ID, _ = lci.ParseID(id)
	e.UserID, _ = lci.ParseID(user.V)
	e.Time, e.RequestID = timeOf(at), request.V
	return e, err
}

// read adds the next entry of the wallet's ledger.
func (w *checkedWallet) read(c *Checkup, e purchase.Entry) {
	before := w.found
	if e.Seq != before.entries+1 {
		c.problem("ledger %s: entry %d follows entry %d", w.id, e.Seq, before.entries)
	}
	if e.Balance != before.balance+e.Amount {
		c.problem("ledger %s: entry %d says balance %d, the entries up to it add up to %d", w.id, e.Seq, e.Balance, before.balance+e.Amount)
	}
	if e.Hash != e.Chain(w.wallet, before.head) {
		c.problem("ledger %s: entry %d or the one before it was changed: its hash does not match", w.id, e.Seq)
	}
	if !signFits(e) {
		c.problem("ledger %s: entry %d is a %s of %s", w.id, e.Seq, e.Kind, purchase.Credits(e.Amount))
	}
	if e.Kind == purchase.Debit {
		w.debits++
	}
	w.found.entries, w.found.head = e.Seq, e.Hash
	w.found.balance += e.Amount
}

// signFits accepts a debit of 0: a pull may be free.
func signFits(e purchase.Entry) bool {
	switch e.Kind {
	case purchase.Grant:
		return e.Amount > 0
	case purchase.Debit:
		return e.Amount <= 0
	}
	return e.Amount != 0
}

// revealRow is a reveal with the ledger entry that paid for it.
type revealRow struct {
	wallet  string
	seq     int64
	entry   int64
	credits int64
	kind    sql.Null[string]
	amount  sql.Null[int64]
}

// checkReveals relies on the order in which reveals are made: those of one entry
// are adjacent, and in the order of entries.
func checkReveals(ctx context.Context, t *tx, c *Checkup, wallets *checkedWallets) error {
	var last revealRow // of the entry being added up
	var sum int64
	rows, err := t.query(ctx, `SELECT r.wallet_id, r.seq, r.entry, r.credits, l.kind, l.amount
		FROM reveals r LEFT JOIN ledger l ON l.wallet_id = r.wallet_id AND l.seq = r.entry
		ORDER BY r.wallet_id, r.seq`)
	err = each(rows, err, func(r *sql.Rows) error {
		var next revealRow
		if err := r.Scan(&next.wallet, &next.seq, &next.entry, &next.credits, &next.kind, &next.amount); err != nil {
			return err
		}
		c.Reveals++
		w := wallets.of(next.wallet)
		if next.seq != w.found.reveals+1 {
			c.problem("reveals %s: reveal %d follows reveal %d", w.id, next.seq, w.found.reveals)
		}
		w.found.reveals = next.seq
		if next.wallet != last.wallet || next.entry != last.entry {
			wallets.settle(c, last, sum, next)
			sum = 0
		}
		sum += next.credits
		last = next
		return nil
	})
	if err == nil {
		wallets.settle(c, last, sum, revealRow{})
	}
	return err
}

// settle compares what an entry's reveals cost with its amount, once the next
// entry's begin.
func (ws *checkedWallets) settle(c *Checkup, last revealRow, sum int64, next revealRow) {
	if last.wallet == "" {
		return
	}
	if next.wallet == last.wallet && next.entry < last.entry {
		c.problem("reveals %s: reveal %d was paid by entry %d, the one before it by entry %d", next.wallet, next.seq, next.entry, last.entry)
	}
	switch {
	case !last.kind.Valid:
		c.problem("reveals %s: reveal %d was paid by entry %d, which does not exist", last.wallet, last.seq, last.entry)
	case purchase.EntryKind(last.kind.V) != purchase.Debit:
		c.problem("reveals %s: reveal %d was paid by entry %d, which is a %s", last.wallet, last.seq, last.entry, last.kind.V)
	case sum != -last.amount.V:
		c.problem("reveals %s: those of entry %d cost %s, the entry debits %d", last.wallet, last.entry, purchase.Credits(sum), -last.amount.V)
		fallthrough
	default:
		ws.of(last.wallet).paid++
	}
}

// compare compares the stored wallet with what was found.
func (w *checkedWallet) compare(ctx context.Context, t *tx, c *Checkup) error {
	if w.stored.balance != w.found.balance {
		c.problem("wallet %s: the balance is %d, the ledger adds up to %d", w.id, w.stored.balance, w.found.balance)
	}
	if w.stored.balance < 0 || w.stored.balance > purchase.MaxBalance {
		c.problem("wallet %s: the balance %d is out of bounds", w.id, w.stored.balance)
	}
	if w.stored.entries != w.found.entries {
		c.problem("wallet %s: the count of entries is %d, the ledger ends with entry %d", w.id, w.stored.entries, w.found.entries)
	}
	if w.stored.head != w.found.head {
		c.problem("wallet %s: the ledger's last hash is not the one the wallet keeps", w.id)
	}
	if w.stored.reveals != w.found.reveals {
		c.problem("wallet %s: the count of reveals is %d, the last is reveal %d", w.id, w.stored.reveals, w.found.reveals)
	}
	if w.debits != w.paid {
		return w.nameEmptyDebits(ctx, t, c)
	}
	return nil
}

// nameEmptyDebits looks for debits that revealed nothing. This is slow, so it is
// done only when something is wrong.
func (w *checkedWallet) nameEmptyDebits(ctx context.Context, t *tx, c *Checkup) error {
	rows, err := t.query(ctx, `SELECT seq FROM ledger WHERE wallet_id = $1 AND kind = 'debit'
		EXCEPT SELECT entry FROM reveals WHERE wallet_id = $1 ORDER BY 1`, w.id)
	return each(rows, err, func(r *sql.Rows) error {
		var seq int64
		err := r.Scan(&seq)
		c.problem("ledger %s: entry %d is a debit and revealed nothing", w.id, seq)
		return err
	})
}
