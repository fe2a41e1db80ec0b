// Package raw does what a pull of one property does to the database, and nothing
// else: the statements of the service's transaction, through database/sql, with
// the same drivers and settings. It is the upper bound for pulls over HTTP.
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
	"cradle/internal/event"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

// connections is how many the service keeps to PostgreSQL.
const connections = 16

// Database makes pulls. `cradle check` must find no problem with what it writes,
// which keeps these statements honest.
type Database struct {
	db       *sql.DB
	prepared map[string]*sql.Stmt // SQLite; PostgreSQL's driver keeps them by itself
	texts    statements
	list     func(lci.ID) any
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
	return &Database{db: db, texts: served.statements(), list: func(id lci.ID) any { return []string{id.String()} }}, nil
}

func openSQLite(ctx context.Context, path string) (*Database, error) {
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(20000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)", "cache_size(-16384)", "temp_store(MEMORY)",
	}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	d := &Database{
		db: db, prepared: map[string]*sql.Stmt{}, texts: embedded.statements(),
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

// Pull reveals one property to a wallet for one credit. It cannot be cancelled
// because the drivers are faster that way.
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
		Seq: state.entries + 1, ID: lci.NewIDAt(now), Time: now, Kind: purchase.Debit, Amount: -price, Balance: state.balance - price,
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
	id := "evt_" + lci.NewIDAt(now).String()
	body, err := json.Marshal(map[string]any{
		"id": id, "type": event.DatapointPulled, "created": now.Unix(), "livemode": true, "teamId": wallet.Team,
		"data": map[string]any{"userId": lci.ID{}, "creditsDebited": credits, "materialId": material, "propertyIds": []lci.ID{property}, "unit": "property"},
	})
	if err != nil {
		return err
	}
	if err := t.exec(ctx, t.texts.event, id, event.DatapointPulled, now.UnixMilli(), true, wallet.Team, string(body)); err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	return t.noEndpoints(ctx, wallet.Team, now)
}

// noEndpoints queries the subscribers of an event; there are none.
func (t transaction) noEndpoints(ctx context.Context, team lci.ID, now time.Time) error {
	rows, err := t.query(ctx, t.texts.endpoints, team, event.DatapointPulled, now.UnixMilli())
	if err != nil {
		return fmt.Errorf("find endpoints: %w", err)
	}
	defer rows.Close()
	if rows.Next() {
		return errors.New("a team has endpoints, which the bench makes none of")
	}
	return rows.Err()
}
