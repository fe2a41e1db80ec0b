package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// A Shelf gives the rows of the catalogue, or of the part that a team owns, as
// of one moment.
type Shelf struct {
	tx     *tx
	owner  *lci.ID
	wallet string
}

// Export lets write read the whole catalogue, deleted rows included. Methods
// cannot be marked as deleted in a bundle: one that is gone is left out, with
// the rows, gone as well, that were calculated by it.
func (s *Store) Export(ctx context.Context, write func(*Shelf) error) error {
	return s.snapshot(ctx, func(t *tx) error { return write(&Shelf{tx: t}) })
}

// ExportOwned lets write read what was revealed to a wallet, as far as its team
// still can see it.
func (s *Store) ExportOwned(ctx context.Context, wallet account.Wallet, write func(*Shelf) error) error {
	if err := s.teamsExist(ctx, []lci.ID{wallet.Team}); err != nil {
		return err
	}
	return s.snapshot(ctx, func(t *tx) error { return write(&Shelf{tx: t, owner: &wallet.Team, wallet: wallet.String()}) })
}

// What a team owns, in conditions on the rows; $1 is its wallet, $2 its id.
const (
	ownedProperties = "NOT p.deleted AND EXISTS (SELECT 1 FROM reveals r WHERE r.wallet_id = $1 AND r.kind = 'property' AND r.record_id = p.material_id AND r.item_id = p.id)"
	ownedImpacts    = "NOT i.deleted AND EXISTS (SELECT 1 FROM reveals r WHERE r.wallet_id = $1 AND r.kind = 'impact' AND r.record_id = i.process_id AND r.item_id = i.id)"
	ownedProduct    = "EXISTS (SELECT 1 FROM reveals r WHERE r.wallet_id = $1 AND r.kind = 'product' AND r.record_id = e.process_id AND r.item_id = e.flow_id)"
	ownedProcess    = `EXISTS (SELECT 1 FROM exchanges own JOIN reveals r ON r.record_id = own.process_id AND r.item_id = own.flow_id
		WHERE r.wallet_id = $1 AND r.kind = 'product' AND own.process_id = e.process_id AND own.reference AND own.direction = 'output')`
)

func (s *Shelf) args() []any {
	if s.owner == nil {
		return nil
	}
	return []any{s.wallet, *s.owner}
}

// where returns the condition for a team's export; the whole catalogue has none.
func (s *Shelf) where(condition string) string {
	if s.owner == nil {
		return ""
	}
	return " WHERE " + condition
}

// whereCalculated is where for rows that a method calculated.
func (s *Shelf) whereCalculated(row, condition string) string {
	if s.owner == nil {
		return " WHERE " + row + ".method_id IN (SELECT id FROM methods WHERE NOT deleted)"
	}
	return s.where(condition)
}

// inside returns columns that only the whole catalogue's export has, and blanks
// for a team's.
func (s *Shelf) inside(columns, blanks string) string {
	if s.owner == nil {
		return columns
	}
	return blanks
}

func (s *Shelf) materialsOwned() string {
	return visibleTo("m", "$2") + " AND EXISTS (SELECT 1 FROM properties p WHERE p.material_id = m.id AND " + ownedProperties + ")"
}

func (s *Shelf) processesOwned() string {
	return visibleTo("p", "$2") + ` AND (EXISTS (SELECT 1 FROM exchanges e WHERE e.process_id = p.id AND e.reference AND e.direction = 'output' AND ` + ownedProduct + `)
		OR EXISTS (SELECT 1 FROM impacts i WHERE i.process_id = p.id AND ` + ownedImpacts + `))`
}

// Methods returns the methods; for a team those it has rows of.
func (s *Shelf) Methods(ctx context.Context) iter.Seq2[lci.Method, error] {
	condition := " WHERE NOT deleted"
	if s.owner != nil {
		condition = s.where(`(EXISTS (SELECT 1 FROM impacts i JOIN processes q ON q.id = i.process_id
				WHERE i.method_id = methods.id AND ` + visibleTo("q", "$2") + " AND " + ownedImpacts + `)
			OR EXISTS (SELECT 1 FROM material_impacts mi JOIN properties p ON p.id = mi.property_id JOIN materials m ON m.id = p.material_id
				WHERE mi.method_id = methods.id AND ` + visibleTo("m", "$2") + " AND " + ownedProperties + "))")
	}
	return read(ctx, s, "SELECT id, name, version, "+s.inside("changed", "''")+" FROM methods"+condition+" ORDER BY id", func(rows *sql.Rows) (m lci.Method, err error) {
		err = rows.Scan(&m.ID, &m.Name, &m.Version, &m.Changed)
		return m, err
	})
}

// Indicators returns every indicator. A team's export has none: they belong to
// the methods, not to what it pulled.
func (s *Shelf) Indicators(ctx context.Context) iter.Seq2[lci.Indicator, error] {
	if s.owner != nil {
		return nothing[lci.Indicator]
	}
	return read(ctx, s, `SELECT id, method_id, category, name, unit FROM indicators
		WHERE NOT deleted AND method_id IN (SELECT id FROM methods WHERE NOT deleted) ORDER BY method_id, id`,
		func(rows *sql.Rows) (i lci.Indicator, err error) {
			err = rows.Scan(&i.ID, &i.MethodID, &i.Category, &i.Name, &i.Unit)
			return i, err
		})
}

// Factors returns every factor, and none for a team.
func (s *Shelf) Factors(ctx context.Context) iter.Seq2[lci.Factor, error] {
	if s.owner != nil {
		return nothing[lci.Factor]
	}
	return read(ctx, s, `SELECT f.indicator_id, f.flow_id, f.value, f.unit FROM factors f JOIN indicators i ON i.id = f.indicator_id
		WHERE NOT i.deleted AND i.method_id IN (SELECT id FROM methods WHERE NOT deleted) ORDER BY f.indicator_id, f.flow_id`,
		func(rows *sql.Rows) (f lci.Factor, err error) {
			err = rows.Scan(&f.IndicatorID, &f.FlowID, &f.Value, &f.Unit)
			return f, err
		})
}

func nothing[T any](func(T, error) bool) {}

// Flows returns every flow of which more than its id is known, and none for a team.
func (s *Shelf) Flows(ctx context.Context) iter.Seq2[lci.Flow, error] {
	if s.owner != nil {
		return nothing[lci.Flow]
	}
	return read(ctx, s, "SELECT "+flowColumns+" FROM flows ORDER BY id", scanFlow)
}

// Materials returns materials in list order.
func (s *Shelf) Materials(ctx context.Context) iter.Seq2[lci.Material, error] {
	return read(ctx, s, "SELECT "+materialColumns+", "+s.inside("classification", "''")+" FROM materials m"+s.where(s.materialsOwned())+" ORDER BY fold, id",
		func(rows *sql.Rows) (m lci.Material, err error) {
			var classification string
			m, err = scanMaterial(rows, &classification)
			m.Classification = classification
			return m, err
		})
}

// Properties returns properties in their materials' order.
func (s *Shelf) Properties(ctx context.Context) iter.Seq2[lci.Property, error] {
	return read(ctx, s, "SELECT "+propertyColumns+" FROM properties p"+
		s.where(ownedProperties+" AND p.material_id IN (SELECT m.id FROM materials m WHERE "+visibleTo("m", "$2")+")")+
		" ORDER BY material_id, position, id", scanProperty)
}

// MaterialImpacts returns the impacts of properties.
func (s *Shelf) MaterialImpacts(ctx context.Context) iter.Seq2[lci.MaterialImpact, error] {
	return read(ctx, s, `SELECT mi.id, mi.property_id, mi.method_id, mi.position, mi.category, mi.indicator, mi.value, mi.unit
		FROM material_impacts mi JOIN properties p ON p.id = mi.property_id JOIN materials m ON m.id = p.material_id`+
		s.whereCalculated("mi", ownedProperties+" AND "+visibleTo("m", "$2"))+" ORDER BY mi.property_id, mi.position, mi.id",
		func(rows *sql.Rows) (i lci.MaterialImpact, err error) {
			err = rows.Scan(&i.ID, &i.PropertyID, &i.MethodID, &i.Position, &i.Category, &i.Indicator, &i.Value, &i.Unit)
			return i, err
		})
}

// Processes returns processes in list order.
func (s *Shelf) Processes(ctx context.Context) iter.Seq2[lci.Process, error] {
	return read(ctx, s, "SELECT "+processColumns+", "+s.inside("classification, shared_by, sharing_stated", "'', '', FALSE")+" FROM processes p"+s.where(s.processesOwned())+" ORDER BY fold, id",
		func(rows *sql.Rows) (lci.Process, error) {
			var whole lci.Process
			p, err := scanProcess(rows, &whole.Classification, &whole.Sharing.By, &whole.Sharing.Stated)
			p.Classification, p.Sharing = whole.Classification, whole.Sharing
			return p, err
		})
}

// Exchanges returns exchanges in their processes' order. A team's rows name
// only the materials and providers that it has in the same export.
func (s *Shelf) Exchanges(ctx context.Context) iter.Seq2[lci.Exchange, error] {
	material, provider := "e.material_id", "e.provider_id"
	if s.owner != nil {
		material = "(SELECT m.id FROM materials m WHERE m.id = e.material_id AND " + s.materialsOwned() + ")"
		provider = "(SELECT p.id FROM processes p WHERE p.id = e.provider_id AND " + s.providerOwned() + ")"
	}
	return read(ctx, s, `SELECT e.id, e.process_id, e.position, e.direction, e.flow_id, `+material+`, e.name, e.value, e.unit, e.type,
		e.reference, `+provider+`, e.mean, e.standard_deviation, `+s.inside(inventoryColumns, "'', NULL, NULL, FALSE, NULL, NULL")+` FROM exchanges e`+
		s.where("e.process_id IN (SELECT p.id FROM processes p WHERE "+visibleTo("p", "$2")+`)
			AND (`+ownedProduct+" OR (NOT (e.reference AND e.direction = 'output') AND "+ownedProcess+"))")+
		" ORDER BY e.process_id, e.position, e.id", scanWholeExchange)
}

// Allocations returns what products bear of single exchanges, and nothing for a team.
func (s *Shelf) Allocations(ctx context.Context) iter.Seq2[lci.Allocation, error] {
	if s.owner != nil {
		return nothing[lci.Allocation]
	}
	return read(ctx, s, "SELECT "+allocationColumns+" FROM allocations ORDER BY process_id, product_id, exchange_id", scanAllocation)
}

// providerOwned is processesOwned for a place in which e is taken.
func (s *Shelf) providerOwned() string {
	return visibleTo("p", "$2") + " AND EXISTS (SELECT 1 FROM reveals r WHERE r.wallet_id = $1 AND r.kind IN ('product', 'impact') AND r.record_id = p.id)"
}

// Impacts returns impact rows in their processes' order. To a team a row that was
// calculated here is as good as one that the provider states; one that a
// calculation gave up is nothing.
func (s *Shelf) Impacts(ctx context.Context) iter.Seq2[lci.Impact, error] {
	return read(ctx, s, "SELECT "+impactColumns+", "+s.inside(accountColumns, "FALSE, 0.0, 0, 0.0")+" FROM impacts i"+
		s.whereCalculated("i", ownedImpacts+" AND i.process_id IN (SELECT p.id FROM processes p WHERE "+visibleTo("p", "$2")+")")+
		" AND NOT (calculated AND deleted) ORDER BY process_id, position, id", scanImpact)
}

// errStop ends a query whose rows nobody wants any more.
var errStop = errors.New("stop")

func read[T any](ctx context.Context, s *Shelf, text string, scan func(*sql.Rows) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		rows, err := s.tx.query(ctx, text, s.args()...)
		err = each(rows, err, func(rows *sql.Rows) error {
			row, err := scan(rows)
			if err == nil && !yield(row, nil) {
				return errStop
			}
			return err
		})
		if err != nil && !errors.Is(err, errStop) {
			var none T
			yield(none, err)
		}
	}
}
