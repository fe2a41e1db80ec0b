// Package raw does what a pull of one property does to the database, and nothing
// else: the statements of the service's transaction, through database/sql, with
// the same drivers and settings. It is the ceiling that pulls over HTTP are
// measured against.
package raw

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the served engine
	_ "modernc.org/sqlite"             // the embedded engine

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

// connections is how many the service keeps to PostgreSQL.
const connections = 16

// Database carries out pulls. `cradle check` must find no fault with what it
// wrote: that keeps these statements honest.
type Database struct {
	db       *sql.DB
	prepared map[string]*sql.Stmt // SQLite; PostgreSQL's driver keeps them by itself
	texts    statements
	list     func(lci.ID) any
}

// statements are those of one pull, in their order.
type statements struct {
	wallet, offers, entry, debit, reveal, event string
}

func portable(lock, among string) statements {
	return statements{
		wallet: `SELECT balance, entries, head, reveals FROM wallets WHERE id = $1` + lock,
		offers: `SELECT m.id, p.id, p.price, r.seq IS NOT NULL FROM materials m
			LEFT JOIN properties p ON p.material_id = m.id AND NOT p.deleted
			LEFT JOIN reveals r ON r.wallet_id = $2 AND r.kind = 'property' AND r.record_id = m.id AND r.item_id = p.id
			WHERE ` + among + ` AND NOT m.deleted AND (NOT m.restricted OR EXISTS
				(SELECT 1 FROM grants g WHERE g.record_id = m.id AND g.team_id = $3))
			ORDER BY m.id, p.position, p.id`,
		entry: `INSERT INTO ledger (wallet_id, seq, id, time, kind, amount, balance, reason, user_id, request_id, hash)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		debit: `UPDATE wallets SET balance = balance + $2, entries = entries + 1, head = $3, reveals = reveals + $4
			WHERE id = $1 AND entries = $5 AND balance + $2 >= 0`,
		reveal: `INSERT INTO reveals (wallet_id, kind, record_id, item_id, seq, entry, credits) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		event:  `INSERT INTO events (id, type, time, livemode, team_id, body) VALUES ($1, $2, $3, $4, $5, $6)`,
	}
}

func (s statements) all() []string {
	return []string{s.wallet, s.offers, s.entry, s.debit, s.reveal, s.event}
}

// Open opens a database that the service has made: a file or a PostgreSQL
// address.
func Open(ctx context.Context, dsn string) (*Database, error) {
	if strings.HasPrefix(dsn, "postgres://") {
		return openPostgres(dsn)
	}
	return openSQLite(ctx, dsn)
}

func openPostgres(dsn string) (*Database, error) {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return &Database{db: db, texts: portable(" FOR UPDATE", "m.id = ANY($1)"), list: func(id lci.ID) any { return []string{id.String()} }}, nil
}

func openSQLite(ctx context.Context, path string) (*Database, error) {
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)", "cache_size(-32768)", "temp_store(MEMORY)",
	}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	d := &Database{
		db: db, prepared: map[string]*sql.Stmt{}, texts: portable("", "m.id IN (SELECT value FROM json_each($1))"),
		list: func(id lci.ID) any { return `["` + id.String() + `"]` },
	}
	for _, text := range d.texts.all() {
		if d.prepared[text], err = db.PrepareContext(ctx, text); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return d, nil
}

func (d *Database) Close() error { return d.db.Close() }

// Pull reveals one property to a wallet for one credit. It cannot be cancelled:
// the drivers are faster without having to watch for that.
func (d *Database) Pull(wallet account.Wallet, material, property lci.ID) error {
	ctx := context.Background()
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	t := transaction{d, tx}
	if err := t.pull(ctx, wallet, material, property); err != nil {
		return err
	}
	return tx.Commit()
}

type transaction struct {
	*Database
	tx *sql.Tx
}

func (t transaction) exec(ctx context.Context, text string, args ...any) error {
	if st := t.prepared[text]; st != nil {
		_, err := t.tx.StmtContext(ctx, st).ExecContext(ctx, args...)
		return err
	}
	_, err := t.tx.ExecContext(ctx, text, args...)
	return err
}

func (t transaction) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if st := t.prepared[text]; st != nil {
		return t.tx.StmtContext(ctx, st).QueryContext(ctx, args...)
	}
	return t.tx.QueryContext(ctx, text, args...)
}

func (t transaction) pull(ctx context.Context, wallet account.Wallet, material, property lci.ID) error {
	state, err := t.lock(ctx, wallet)
	if err != nil {
		return fmt.Errorf("lock wallet: %w", err)
	}
	price, err := t.price(ctx, wallet, material, property)
	if err != nil {
		return fmt.Errorf("read offers: %w", err)
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	e := purchase.Entry{
		Seq: state.entries + 1, ID: lci.NewID(), Time: now, Kind: purchase.Debit, Amount: -price, Balance: state.balance - price,
		Reason: fmt.Sprintf("pull: 1 properties of %s for 1 users", material), RequestID: lci.NewID().String(),
	}
	e.Hash = e.Chain(wallet, state.head)
	if err := t.exec(ctx, t.texts.entry, wallet.String(), e.Seq, e.ID, e.Time.UnixMilli(), string(e.Kind), e.Amount, e.Balance,
		e.Reason, e.UserID, e.RequestID, e.Hash); err != nil {
		return fmt.Errorf("enter debit: %w", err)
	}
	if err := t.exec(ctx, t.texts.debit, wallet.String(), e.Amount, e.Hash, 1, state.entries); err != nil {
		return fmt.Errorf("debit wallet: %w", err)
	}
	if err := t.exec(ctx, t.texts.reveal, wallet.String(), "property", material, property, state.reveals+1, e.Seq, price); err != nil {
		return fmt.Errorf("reveal: %w", err)
	}
	return t.event(ctx, wallet, material, property, price, now)
}

type walletState struct {
	balance, entries, reveals int64
	head                      string
}

func (t transaction) lock(ctx context.Context, wallet account.Wallet) (walletState, error) {
	var w walletState
	rows, err := t.query(ctx, t.texts.wallet, wallet.String())
	if err != nil {
		return w, err
	}
	defer rows.Close()
	if !rows.Next() {
		return w, errors.Join(rows.Err(), errors.New("there is none"))
	}
	return w, rows.Scan(&w.balance, &w.entries, &w.head, &w.reveals)
}

func (t transaction) price(ctx context.Context, wallet account.Wallet, material, property lci.ID) (int64, error) {
	rows, err := t.query(ctx, t.texts.offers, t.list(material), wallet.String(), wallet.Team)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	wanted := int64(-1)
	for rows.Next() {
		var record, item lci.ID
		var price int64
		var owned bool
		if err := rows.Scan(&record, &item, &price, &owned); err != nil {
			return 0, err
		}
		if item == property && !owned {
			wanted = price
		}
	}
	if wanted < 0 {
		return 0, errors.Join(rows.Err(), fmt.Errorf("property %s is not on offer", property))
	}
	return wanted, rows.Err()
}

func (t transaction) event(ctx context.Context, wallet account.Wallet, material, property lci.ID, credits int64, now time.Time) error {
	id := "evt_" + lci.NewID().String()
	body, err := json.Marshal(map[string]any{
		"id": id, "type": purchase.PulledEvent, "created": now.Unix(), "livemode": true, "teamId": wallet.Team,
		"data": map[string]any{"userId": lci.ID{}, "creditsDebited": credits, "materialId": material, "propertyIds": []lci.ID{property}, "unit": "property"},
	})
	if err != nil {
		return err
	}
	return t.exec(ctx, t.texts.event, id, purchase.PulledEvent, now.UnixMilli(), true, wallet.Team, string(body))
}
