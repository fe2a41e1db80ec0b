package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

// Trade implements purchase.Store.
func (s *Store) Trade(ctx context.Context, wallet account.Wallet, claim string, do func(purchase.Transaction) error) error {
	c := &trade{dialect: s.dialect, wallet: wallet, settles: true}
	err := s.write(ctx, func(t *tx) (err error) {
		if err := s.claim(ctx, t, claim); err != nil {
			return err
		}
		c.tx = t
		if c.state, err = s.lockWallet(ctx, t, wallet); err != nil {
			return err
		}
		return do(c)
	})
	if err == nil && c.queued {
		s.wakes.wake()
	}
	return err
}

// Look implements purchase.Store.
func (s *Store) Look(ctx context.Context, wallet account.Wallet, do func(purchase.Transaction) error) error {
	return s.snapshot(ctx, func(t *tx) error {
		w, err := t.wallet(ctx, wallet, "")
		if err != nil {
			return err
		}
		return do(&trade{dialect: s.dialect, tx: t, wallet: wallet, state: w})
	})
}

// claim takes a lock that PostgreSQL releases with the transaction or the
// process that holds it. SQLite has a single writer, so it needs none.
func (s *Store) claim(ctx context.Context, t *tx, claim string) error {
	if claim == "" || !s.dialect.postgres {
		return nil
	}
	var taken bool
	if err := t.row(ctx, "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", claim).Scan(&taken); err != nil {
		return err
	}
	if !taken {
		return purchase.ErrRunning
	}
	return nil
}

// trade implements purchase.Transaction.
type trade struct {
	dialect dialect
	tx      *tx
	wallet  account.Wallet
	state   walletRow
	settles bool
	queued  bool // a delivery is due once the transaction is committed
}

func (t *trade) Balance() int64 { return t.state.balance }

// visibleTo is the condition that a team can see a record.
func visibleTo(record, team string) string {
	return "NOT " + record + ".deleted AND (NOT " + record + ".restricted OR EXISTS (SELECT 1 FROM grants g WHERE g.record_id = " +
		record + ".id AND g.team_id = " + team + "))"
}

func (t *trade) Properties(ctx context.Context, materials []lci.ID) ([]purchase.Offer, map[lci.ID]bool, error) {
	var offers []purchase.Offer
	found := map[lci.ID]bool{}
	rows, err := t.tx.query(ctx, `
		SELECT m.id, p.id, p.price, r.seq IS NOT NULL FROM materials m
		LEFT JOIN properties p ON p.material_id = m.id AND NOT p.deleted
		LEFT JOIN reveals r ON r.wallet_id = $2 AND r.kind = 'property' AND r.record_id = m.id AND r.item_id = p.id
		WHERE `+t.dialect.among("m.id", "$1")+" AND "+visibleTo("m", "$3")+" ORDER BY m.id, p.position, p.id",
		t.dialect.ids(materials), t.wallet.String(), t.wallet.Team)
	err = each(rows, err, func(rows *sql.Rows) error {
		var o purchase.Offer
		var price sql.NullInt64
		if err := rows.Scan(&o.Record, &o.Item, &price, &o.Owned); err != nil {
			return err
		}
		found[o.Record] = true
		if o.Price = price.Int64; price.Valid {
			offers = append(offers, o)
		}
		return nil
	})
	return offers, found, err
}

func (t *trade) Products(ctx context.Context, process lci.ID) (offers []purchase.Offer, found bool, err error) {
	rows, err := t.tx.query(ctx, `
		SELECT p.id, e.flow_id, p.price, r.seq IS NOT NULL FROM processes p
		LEFT JOIN exchanges e ON e.process_id = p.id AND e.reference AND e.direction = 'output'
		LEFT JOIN reveals r ON r.wallet_id = $2 AND r.kind = 'product' AND r.record_id = p.id AND r.item_id = e.flow_id
		WHERE p.id = $1 AND `+visibleTo("p", "$3"), process, t.wallet.String(), t.wallet.Team)
	err = each(rows, err, func(rows *sql.Rows) error {
		var o purchase.Offer
		if err := rows.Scan(&o.Record, &o.Item, &o.Price, &o.Owned); err != nil {
			return err
		}
		found = true
		if !o.Item.IsZero() {
			offers = append(offers, o)
		}
		return nil
	})
	return offers, found, err
}

func (t *trade) Impacts(ctx context.Context, process lci.ID, methods []lci.ID) (offers []purchase.Offer, found bool, err error) {
	rows, err := t.tx.query(ctx, `
		SELECT p.id, i.method_id, i.id, r.seq IS NOT NULL FROM processes p
		LEFT JOIN impacts i ON i.process_id = p.id AND NOT i.deleted AND `+t.dialect.among("i.method_id", "$4")+`
		LEFT JOIN reveals r ON r.wallet_id = $2 AND r.kind = 'impact' AND r.record_id = p.id AND r.item_id = i.id
		WHERE p.id = $1 AND `+visibleTo("p", "$3")+" ORDER BY i.position, i.id",
		process, t.wallet.String(), t.wallet.Team, t.dialect.ids(methods))
	err = each(rows, err, func(rows *sql.Rows) error {
		var o purchase.Offer
		if err := rows.Scan(&o.Record, &o.Method, &o.Item, &o.Owned); err != nil {
			return err
		}
		found = true
		if !o.Item.IsZero() {
			offers = append(offers, o)
		}
		return nil
	})
	return offers, found, err
}

func (t *trade) Methods(ctx context.Context, ids []lci.ID) (map[lci.ID]bool, error) {
	known := map[lci.ID]bool{}
	rows, err := t.tx.query(ctx, "SELECT id FROM methods WHERE NOT deleted AND "+t.dialect.among("id", "$1"), t.dialect.ids(ids))
	err = each(rows, err, func(rows *sql.Rows) error {
		var id lci.ID
		err := rows.Scan(&id)
		known[id] = true
		return err
	})
	return known, err
}

func (t *trade) Answered(ctx context.Context, key purchase.Idempotency, since time.Time) (*purchase.Stored, error) {
	var stored purchase.Stored
	var answer string
	err := t.tx.row(ctx, "SELECT digest, answer FROM idempotency WHERE key_id = $1 AND team_id = $2 AND value = $3 AND time > $4",
		key.Key, key.Team, key.Value, since.UnixMilli()).Scan(&stored.Digest, &answer)
	if errors.Is(err, errNoRow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &stored, json.Unmarshal([]byte(answer), &stored.Answer)
}

func (t *trade) Settle(ctx context.Context, s purchase.Settlement) error {
	if !t.settles {
		return errors.New("settle: this trade only looks")
	}
	if s.Entry != nil {
		if err := t.debit(ctx, s); err != nil {
			return err
		}
	}
	queued, err := t.tx.writeEvent(ctx, t.dialect, s.Event)
	if err != nil {
		return err
	}
	t.queued = t.queued || queued
	return t.keepAnswer(ctx, s)
}

func (t *trade) debit(ctx context.Context, s purchase.Settlement) error {
	entry, err := t.tx.enter(ctx, t.wallet, t.state, purchase.Entry{
		ID: lci.NewIDAt(s.Time), Time: s.Time, Kind: purchase.Debit, Amount: s.Entry.Amount,
		Reason: s.Entry.Reason, UserID: s.Entry.UserID, RequestID: s.Entry.RequestID,
	}, len(s.Reveals))
	if err != nil {
		return fmt.Errorf("debit wallet: %w", err)
	}
	rows := make([][]any, len(s.Reveals))
	for i, r := range s.Reveals {
		rows[i] = []any{t.wallet.String(), s.Kind.RevealKind(), r.Record, r.Item, t.state.reveals + int64(i) + 1, entry.Seq, r.Credits}
	}
	if err := t.tx.insert(ctx, t.dialect, "reveals", []string{"wallet_id", "kind", "record_id", "item_id", "seq", "entry", "credits"}, "", rows); err != nil {
		return fmt.Errorf("write reveals: %w", err)
	}
	return nil
}

func (t *trade) keepAnswer(ctx context.Context, s purchase.Settlement) error {
	if s.Idempotency == nil {
		return nil
	}
	answer, err := json.Marshal(s.Answer)
	if err != nil {
		return err
	}
	key := s.Idempotency
	if _, err := t.tx.exec(ctx, `
		INSERT INTO idempotency (key_id, team_id, value, digest, answer, time) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (key_id, team_id, value) DO UPDATE SET digest = excluded.digest, answer = excluded.answer, time = excluded.time`,
		key.Key, key.Team, key.Value, key.Digest, string(answer), s.Time.UnixMilli()); err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	return nil
}

// ForgetAnswers removes stored answers that can no longer be replayed.
func (s *Store) ForgetAnswers(ctx context.Context, before time.Time) error {
	return s.write(ctx, func(t *tx) error {
		_, err := t.exec(ctx, "DELETE FROM idempotency WHERE time <= $1", before.UnixMilli())
		return err
	})
}
