package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"cradle/internal/importing"
	"cradle/internal/lci"
)

// importLock is the advisory lock that limits a PostgreSQL catalogue to one
// import at a time.
const importLock = 0x637261646c69

// WriteCatalogue implements importing.Store.
func (s *Store) WriteCatalogue(ctx context.Context, do func(importing.Catalogue) error) error {
	return s.write(ctx, func(t *tx) error {
		if err := s.prepareImport(ctx, t); err != nil {
			return err
		}
		d, state := s.dialect, catalogueTx{t, s.dialect}
		return do(importing.Catalogue{
			Flows:           newTableTx(t, d, flowTable),
			Mappings:        newTableTx(t, d, mappingTable),
			Methods:         methodTx{newTableTx(t, d, methodTable)},
			Indicators:      newTableTx(t, d, indicatorTable),
			Factors:         newTableTx(t, d, factorTable),
			Materials:       newTableTx(t, d, materialTable),
			Properties:      newTableTx(t, d, propertyTable),
			MaterialImpacts: newTableTx(t, d, materialImpactTable),
			Processes:       newTableTx(t, d, processTable),
			Exchanges:       newTableTx(t, d, exchangeTable),
			Allocations:     newTableTx(t, d, allocationTable),
			Impacts:         impactTx{newTableTx(t, d, impactTable)},
			Grants:          grantsTx{state},
			Libraries:       librariesTx{state},
			Inventory:       inventory{&Snapshot{tx: t}},
			State:           state,
		})
	})
}

// prepareImport locks out other imports on PostgreSQL, and gives SQLite the
// memory to write rows in random order of ids.
func (s *Store) prepareImport(ctx context.Context, t *tx) error {
	if s.dialect.postgres {
		_, err := t.exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(importLock))
		return err
	}
	_, err := t.tx.ExecContext(ctx, "PRAGMA cache_size = -131072")
	return classify(err)
}

// LastImport implements importing.Store.
func (s *Store) LastImport(ctx context.Context) (memory string, generation int64, err error) {
	err = s.reader.row(ctx, "SELECT value, (SELECT catalogue FROM state WHERE id = 1) FROM settings WHERE name = 'last import'").Scan(&memory, &generation)
	if errors.Is(err, errNoRow) {
		return "", 0, nil
	}
	return memory, generation, err
}

// methodTx implements importing.MethodTable.
type methodTx struct{ *tableTx[lci.Method] }

func (t methodTx) InUse(ctx context.Context) ([]lci.ID, error) {
	var used []lci.ID
	rows, err := t.tx.query(ctx, `SELECT id FROM methods
		WHERE EXISTS (SELECT 1 FROM impacts i WHERE i.method_id = methods.id AND NOT i.deleted AND NOT i.calculated)
			OR EXISTS (SELECT 1 FROM material_impacts mi JOIN properties p ON p.id = mi.property_id
				WHERE mi.method_id = methods.id AND NOT p.deleted)`)
	err = each(rows, err, func(rows *sql.Rows) error {
		id, err := scanID(rows)
		used = append(used, id)
		return err
	})
	return used, err
}

// impactTx implements importing.ImpactTable.
type impactTx struct{ *tableTx[lci.Impact] }

func (t impactTx) LiveStated(ctx context.Context) iter.Seq2[lci.ID, error] {
	return t.live(ctx, "NOT calculated")
}

func (t impactTx) LiveCalculated(ctx context.Context, methods []lci.ID) iter.Seq2[lci.ID, error] {
	if len(methods) == 0 {
		return t.live(ctx, "calculated")
	}
	return t.live(ctx, "calculated AND "+t.dialect.among("method_id", "$1"), t.dialect.ids(methods))
}

func (t impactTx) CountCalculated(ctx context.Context) (n int, err error) {
	err = t.tx.row(ctx, "SELECT COUNT(*) FROM impacts WHERE calculated AND NOT deleted").Scan(&n)
	return n, err
}

// catalogueTx implements importing.State.
type catalogueTx struct {
	tx      *tx
	dialect dialect
}

func (c catalogueTx) Generation(ctx context.Context) (n int64, err error) {
	err = c.tx.row(ctx, "SELECT catalogue FROM state WHERE id = 1").Scan(&n)
	return n, err
}

func (c catalogueTx) Publish(ctx context.Context) error {
	_, err := c.tx.exec(ctx, "UPDATE state SET catalogue = catalogue + 1 WHERE id = 1")
	return err
}

func (c catalogueTx) Remember(ctx context.Context, memory string) error {
	_, err := c.tx.exec(ctx, `INSERT INTO settings (name, value) VALUES ('last import', $1)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, memory)
	return err
}

// grantsTx implements importing.Grants.
type grantsTx struct{ catalogueTx }

func (g grantsTx) Of(ctx context.Context, records []lci.ID) (map[lci.ID][]lci.ID, error) {
	teams := map[lci.ID][]lci.ID{}
	rows, err := g.tx.query(ctx, "SELECT record_id, team_id FROM grants WHERE "+g.dialect.among("record_id", "$1")+" ORDER BY record_id, team_id", g.dialect.ids(records))
	err = each(rows, err, func(rows *sql.Rows) error {
		var record, team lci.ID
		err := rows.Scan(&record, &team)
		teams[record] = append(teams[record], team)
		return err
	})
	return teams, err
}

func (g grantsTx) Replace(ctx context.Context, records, teams []lci.ID) error {
	if _, err := g.tx.exec(ctx, "DELETE FROM grants WHERE "+g.dialect.among("record_id", "$1"), g.dialect.ids(records)); err != nil {
		return err
	}
	var rows [][]any
	for _, record := range records {
		for _, team := range teams {
			rows = append(rows, []any{record.String(), team.String()})
		}
	}
	return g.tx.insert(ctx, g.dialect, "grants", []string{"record_id", "team_id"}, "", rows)
}

// librariesTx implements importing.Libraries.
type librariesTx struct{ catalogueTx }

func (l librariesTx) Members(ctx context.Context, library lci.ID, records []lci.ID) (map[lci.ID]bool, error) {
	there := map[lci.ID]bool{}
	rows, err := l.tx.query(ctx, "SELECT record_id FROM library_records WHERE library_id = $1 AND "+l.dialect.among("record_id", "$2"), library.String(), l.dialect.ids(records))
	err = each(rows, err, func(rows *sql.Rows) error {
		id, err := scanID(rows)
		there[id] = true
		return err
	})
	return there, err
}

func (l librariesTx) Add(ctx context.Context, library lci.ID, records []lci.ID) error {
	rows := make([][]any, len(records))
	for i, id := range records {
		rows[i] = []any{id.String(), library.String()}
	}
	return l.tx.insert(ctx, l.dialect, "library_records", []string{"record_id", "library_id"}, "", rows)
}

func (l librariesTx) Remove(ctx context.Context, records []lci.ID) error {
	_, err := l.tx.exec(ctx, "DELETE FROM library_records WHERE "+l.dialect.among("record_id", "$1"), l.dialect.ids(records))
	return err
}
