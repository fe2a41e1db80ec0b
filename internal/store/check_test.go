package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cradle/internal/lci"
	"cradle/internal/purchase"
)

func expectSound(t *testing.T, s *Store) {
	t.Helper()
	c, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Problems) != 0 {
		t.Errorf("problems: %s", strings.Join(c.Problems, "\n"))
	}
}

// addPulls grants 10 credits to the live wallet and spends 5 of them in two
// debits with three reveals.
func addPulls(t *testing.T, s *Store, p people) {
	t.Helper()
	if _, err := s.Grant(t.Context(), p.live(), 10, "start"); err != nil {
		t.Fatal(err)
	}
	material := lci.NewID()
	mustExec(t, s, `INSERT INTO materials (id, name, fold, source, source_organization, functional_unit, compartment, regional_scopes, date_published, deleted, restricted)
		VALUES ('`+material.String()+`', 'Steel', 'steel', '', '', '', '', '', '', FALSE, FALSE)`)
	reveal := func(credits ...int64) {
		err := s.write(t.Context(), func(tx *tx) error {
			w, err := s.lockWallet(t.Context(), tx, p.live())
			if err != nil {
				return err
			}
			var sum int64
			for _, n := range credits {
				sum += n
			}
			e, err := tx.enter(t.Context(), p.live(), w, purchase.Entry{ID: lci.NewID(), Time: epoch, Kind: purchase.Debit, Amount: -sum}, len(credits))
			if err != nil {
				return err
			}
			for i, n := range credits {
				if _, err := tx.exec(t.Context(), `INSERT INTO reveals (wallet_id, kind, record_id, item_id, seq, entry, credits) VALUES ($1, 'property', $2, $3, $4, $5, $6)`,
					p.live().String(), material, lci.NewID(), w.reveals+int64(i)+1, e.Seq, n); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	reveal(1, 2)
	reveal(2)
}

func TestCheckNamesWhatBreaks(t *testing.T) {
	breaches := []struct {
		name   string
		breach string
		names  string // in one of the problems
	}{
		{"a balance changed", `UPDATE wallets SET balance = 6 WHERE mode = 'live' AND balance = 5`, "the balance is 6, the ledger adds up to 5"},
		{"an entry changed", `UPDATE ledger SET reason = 'other' WHERE reason = 'start'`, "entry 1 or the one before it was changed"},
		{"an entry's amount changed", `UPDATE ledger SET amount = -2 WHERE amount = -3`, "those of entry 2 cost 3 credits, the entry debits 2"},
		{"a running balance changed", `UPDATE ledger SET balance = 8 WHERE balance = 7`, "entry 2 says balance 8, the entries up to it add up to 7"},
		{"an entry inserted at the end", `INSERT INTO ledger (wallet_id, seq, id, time, kind, amount, balance, reason, hash)
			SELECT wallet_id, 4, 'x', 0, 'grant', 1, 6, '', 'x' FROM ledger WHERE reason = 'start'`, "the count of entries is 3, the ledger ends with entry 4"},
		{"a debit without reveals", `UPDATE reveals SET entry = 2 WHERE entry = 3`, "entry 3 is a debit and revealed nothing"},
		{"reveals paid by a grant", `UPDATE reveals SET entry = 1 WHERE entry = 2`, "paid by entry 1, which is a grant"},
		{"a reveal's price changed", `UPDATE reveals SET credits = 9 WHERE seq = 3`, "those of entry 3 cost 9 credits, the entry debits 2"},
		{"a reveal removed", `DELETE FROM reveals WHERE seq = 3`, "the count of reveals is 3, the last is reveal 2"},
		{"a reveal removed in the middle", `DELETE FROM reveals WHERE seq = 2`, "reveal 3 follows reveal 1"},
		{"a head changed", `UPDATE wallets SET head = 'x' WHERE balance = 5`, "last hash is not the one"},
		{"a wallet missing", `DELETE FROM wallets WHERE balance = 5`, "team without a live wallet"},
		{"reveals of a missing wallet", `DELETE FROM wallets WHERE balance = 5`, "does not exist, and has entries or reveals"},
		{"a material missing", `DELETE FROM materials`, "reveal of a material that does not exist"},
		{"a team without an owner", `UPDATE memberships SET role = 'member'`, "team without an active owner"},
		{"a membership of nobody", `UPDATE memberships SET user_id = 'nobody'`, "memberships"},
		{"events of a missing team", `INSERT INTO events (id, type, time, livemode, team_id, body) VALUES ('e', 't', 0, FALSE, 'none', '')`, "events"},
		{"a name folded otherwise", `UPDATE materials SET fold = 'Steel'`, `"Steel" is stored under "Steel"`},
		{"a live key kept", `UPDATE api_keys SET sealed = '1'`, "live key whose text is kept"},
		{"counters missing", `DELETE FROM state`, "the row of counters is missing"},
	}
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		addPulls(t, s, p)
		expectSound(t, s)
		for _, breach := range breaches {
			t.Run(breach.name, func(t *testing.T) {
				problems := problemsAfter(t, s, breach.breach)
				if !strings.Contains(problems, breach.names) {
					t.Errorf("nothing says %q in\n%s", breach.names, problems)
				}
			})
		}
		expectSound(t, s)
	})
}

// A damaged file is a finding, not a failure of the check.
func TestCheckOfADamagedFile(t *testing.T) {
	for _, c := range []struct {
		name string
		from int
		text string
	}{
		{"schema", 100, "malformed"},
		{"header", 18, "not a database"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			s := openAt(t, path)
			addPeople(t, s)
			s.Close()
			overwrite(t, path, c.from)
			_, err := Open(t.Context(), path)
			if !Damaged(err) {
				t.Fatalf("opened with %v", err)
			}
			if p := FailedCheckup(err).Problems; len(p) != 1 || !strings.Contains(p[0], c.text) {
				t.Errorf("problems %q", p)
			}
		})
	}
	t.Run("while it is open", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a.db")
		openAt(t, path).Close()
		s := openAt(t, path)
		overwrite(t, path, 4096) // the first page is cached
		c, err := s.Check(t.Context())
		if err != nil || len(c.Problems) == 0 {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

// overwrite damages a file from an offset to its end.
func overwrite(t *testing.T, path string, from int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(b[from:], bytes.Repeat([]byte("x"), len(b)-from))
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(b, 0)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// problemsAfter checks a database after breaking it with constraints disabled,
// and undoes the breach.
func problemsAfter(t *testing.T, s *Store, breach string) string {
	t.Helper()
	ctx := t.Context()
	c, err := s.writer.db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	guardOff, guardOn := "PRAGMA foreign_keys = OFF", "PRAGMA foreign_keys = ON"
	if s.dialect.postgres {
		guardOff, guardOn = "SET session_replication_role = replica", "SET session_replication_role = origin"
	}
	if _, err := c.ExecContext(ctx, guardOff); err != nil {
		t.Fatal(err)
	}
	defer c.ExecContext(ctx, guardOn)
	sqlTx, err := c.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer sqlTx.Rollback()
	if _, err := sqlTx.ExecContext(ctx, breach); err != nil {
		t.Fatal(err)
	}
	found := &Checkup{}
	if err := s.check(ctx, newTx(s.writer, sqlTx), found); err != nil {
		t.Fatal(err)
	}
	return strings.Join(found.Problems, "\n")
}
