package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/importing"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/pgtest"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
)

func pullOf(s *Store, p people, items ...lci.ID) error {
	d := purchase.NewService(s, time.Now)
	v := p.viewer()
	_, _, err := d.Pull(context.Background(), purchase.Request{Viewer: v, Idempotency: &purchase.Idempotency{Key: v.Key, Team: v.Team, Value: lci.NewID().String()}},
		purchase.Order{Kind: purchase.Properties, Record: lci.DerivedID("material"), Items: items, UserCount: 1})
	return err
}

func (p people) viewer() account.Viewer {
	return account.Viewer{User: p.user.ID, Team: p.first.ID, Mode: account.Live, Key: p.key.ID}
}

// properties is a library of one material with n properties.
type properties int

func (n properties) id(i int) lci.ID { return lci.DerivedID("property", strconv.Itoa(i)) }

func (n properties) all() []lci.ID {
	ids := make([]lci.ID, n)
	for i := range ids {
		ids[i] = n.id(i)
	}
	return ids
}

func (n properties) Check(context.Context, ingest.Existing, ingest.Progress) ([]ingest.Warning, error) {
	return nil, nil
}

func (n properties) Read(_ context.Context, to ingest.Writer, _ ingest.Progress) error {
	material := lci.DerivedID("material")
	if err := to.Material(lci.Material{ID: material, Name: "M"}); err != nil {
		return err
	}
	for i := range int(n) {
		if err := to.Property(lci.Property{ID: n.id(i), MaterialID: material, Position: i, Name: "P", Unit: "u", Price: 1}); err != nil {
			return err
		}
	}
	return nil
}

func (n properties) Close() error { return nil }

func mustImport(t *testing.T, s *Store, l ingest.Package) {
	t.Helper()
	if _, err := importing.Import(t.Context(), s, l, ingest.Options{}, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
}

func mustGrant(t *testing.T, s *Store, p people, credits int64) {
	t.Helper()
	if _, err := s.Grant(t.Context(), p.live(), credits, "start"); err != nil {
		t.Fatal(err)
	}
}

// counts counts the rows that a pull writes.
func counts(t *testing.T, s *Store) string {
	t.Helper()
	text := ""
	for _, table := range []string{"ledger", "reveals", "events", "idempotency", "materials", "request_log"} {
		text += fmt.Sprint(table, " ", mustScan[int64](t, s, "SELECT COUNT(*) FROM "+table), " ")
	}
	return text + fmt.Sprint("balance ", mustScan[int64](t, s, "SELECT SUM(balance) FROM wallets"), " generation ", mustScan[int64](t, s, "SELECT catalogue FROM state"))
}

func expectUnavailable(t *testing.T, what string, err error) {
	t.Helper()
	if f := fault.As(err); f == nil || f.Kind != fault.Unavailable {
		t.Errorf("%s: %v", what, err)
	}
}

func TestFullDiskRefusesAndChangesNothing(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "a.db"))
	p := addPeople(t, s)
	mustGrant(t, s, p, 100_000)
	const many = properties(400)
	mustImport(t, s, many)
	pages := mustScan[int64](t, s, "PRAGMA page_count")
	if _, err := s.writer.db.ExecContext(t.Context(), "PRAGMA max_page_count = "+strconv.FormatInt(pages, 10)); err != nil {
		t.Fatal(err)
	}
	before := counts(t, s)
	expectUnavailable(t, "pull", pullOf(s, p, many.all()...))
	_, err := importing.Import(t.Context(), s, properties(4000), ingest.Options{}, func(int64, int64) {})
	expectUnavailable(t, "import", err)
	expectUnavailable(t, "request log", s.LogRequests(t.Context(), make([]requestlog.Row, 2000)))
	if after := counts(t, s); after != before {
		t.Errorf("before: %s\nafter:  %s", before, after)
	}
	expectSound(t, s)
	if _, err := s.writer.db.ExecContext(t.Context(), "PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if err := pullOf(s, p, many.all()...); err != nil {
		t.Errorf("with room again: %v", err)
	}
	expectSound(t, s)
}

func TestStoppedServerRefusesAndComesBack(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	s := openAt(t, server.DSN())
	p := addPeople(t, s)
	mustGrant(t, s, p, 10)
	mustImport(t, s, properties(3))
	if err := pullOf(s, p, properties(3).id(0)); err != nil {
		t.Fatal(err)
	}
	before := counts(t, s)
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func() error{
		"pull":     func() error { return pullOf(s, p, properties(3).id(1)) },
		"ping":     func() error { return s.Ping(t.Context()) },
		"versions": func() error { _, _, err := s.Versions(t.Context(), nil); return err },
		"holder":   func() error { _, err := s.Holder(t.Context(), p.key.Hash); return err },
		"records": func() error {
			_, err := s.MaterialRecords(t.Context(), []lci.ID{lci.DerivedID("material")})
			return err
		},
		"log": func() error { return s.LogRequests(t.Context(), make([]requestlog.Row, 1)) },
		"look": func() error {
			return s.Look(t.Context(), p.live(), func(purchase.Transaction) error { return nil })
		},
		"open": func() error { _, err := Open(t.Context(), server.DSN()); return err },
	} {
		expectUnavailable(t, name, do())
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if after := counts(t, s); after != before {
		t.Errorf("before: %s\nafter:  %s", before, after)
	}
	if err := pullOf(s, p, properties(3).id(1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	expectSound(t, s)
}

func TestServerStoppedInTheMiddleOfATradeLeavesNothing(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	s := openAt(t, server.DSN())
	p := addPeople(t, s)
	mustGrant(t, s, p, 10)
	mustImport(t, s, properties(1))
	before := counts(t, s)
	err := s.Trade(t.Context(), p.live(), "claim", func(c purchase.Transaction) error {
		err := c.Settle(t.Context(), purchase.Settlement{
			Kind: purchase.Properties, Entry: &purchase.Draft{Amount: -1}, Time: epoch,
			Reveals: []purchase.Reveal{{Record: lci.DerivedID("material"), Item: properties(1).id(0), Credits: 1}},
			Event:   event.Event{ID: "e", Time: epoch, Team: p.first.ID},
		})
		return errors.Join(err, server.Stop())
	})
	// Either the server's last message arrives or the connection is cut.
	expectUnavailable(t, "trade", err)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	if after := counts(t, s); after != before {
		t.Errorf("before: %s\nafter:  %s", before, after)
	}
	if err := pullOf(s, p, properties(1).id(0)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	expectSound(t, s)
}

func TestGivenUpRequests(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		p := addPeople(t, s)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
		defer cancel()
		for name, do := range map[string]func(ctx context.Context) error{
			"read": s.Ping,
			"trade": func(ctx context.Context) error {
				return s.Trade(ctx, p.live(), "", func(purchase.Transaction) error { return nil })
			},
			"look": func(ctx context.Context) error {
				return s.Look(ctx, p.live(), func(purchase.Transaction) error { return nil })
			},
		} {
			if err := do(gone); !errors.Is(err, context.Canceled) || fault.As(err) != nil {
				t.Errorf("%s, cancelled: %v", name, err)
			}
			expectUnavailable(t, name+", too late", do(late))
		}
		if err := s.Ping(t.Context()); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

func TestRefusalKeepsItsCauseForTheLogAndNotForTheUser(t *testing.T) {
	cause := fmt.Errorf("statement: %w", context.DeadlineExceeded)
	err := classify(fmt.Errorf("pull: %w", classify(cause)))
	if fault.KindOf(err) != fault.Unavailable || !errors.Is(err, cause) || err.Error() != "pull: database: statement: context deadline exceeded" {
		t.Errorf("%v", err)
	}
	if message := fault.As(err).Message; message != "The service's database is not available at the moment; nothing was changed, try again shortly" {
		t.Errorf("%q", message)
	}
	ordinary := errors.New("ordinary")
	if classify(ordinary) != ordinary || classify(nil) != nil || classify(errNoRow) != errNoRow {
		t.Error("other errors are changed")
	}
}

// A path may have a NUL, which PostgreSQL cannot store. The gateway removes it,
// but if one does arrive it must not count as an outage.
func TestRowThatCannotBeStoredIsNoOutage(t *testing.T) {
	s := openAt(t, pgtest.Database(t))
	err := s.LogRequests(t.Context(), []requestlog.Row{{Path: "/public/\x00"}})
	if err == nil || fault.KindOf(err) == fault.Unavailable {
		t.Errorf("got %v", err)
	}
}
