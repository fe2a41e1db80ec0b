package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"strings"

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

// inside returns the columns of an export: a team's leaves out what it is not
// shown elsewhere.
func inside[T any](s *Shelf, whole, shown selection[T]) selection[T] {
	if s.owner == nil {
		return whole
	}
	return shown
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
	of := inside(s, methodTable.without(), methodTable.only("id", "name", "version"))
	return read(ctx, s, "SELECT "+of.list+" FROM methods"+condition+" ORDER BY id", of.scan())
}

// Indicators returns every indicator. A team's export has none: they belong to
// the methods, not to what it pulled.
func (s *Shelf) Indicators(ctx context.Context) iter.Seq2[lci.Indicator, error] {
	if s.owner != nil {
		return nothing[lci.Indicator]
	}
	of := indicatorTable.only("id", "method_id", "category", "name", "unit")
	return read(ctx, s, "SELECT "+of.list+` FROM indicators
		WHERE NOT deleted AND method_id IN (SELECT id FROM methods WHERE NOT deleted) ORDER BY method_id, id`, of.scan())
}

// Factors returns every factor, and none for a team.
func (s *Shelf) Factors(ctx context.Context) iter.Seq2[lci.Factor, error] {
	if s.owner != nil {
		return nothing[lci.Factor]
	}
	whole := factorTable.without()
	return read(ctx, s, "SELECT "+whole.of("f")+` FROM factors f JOIN indicators i ON i.id = f.indicator_id
		WHERE NOT i.deleted AND i.method_id IN (SELECT id FROM methods WHERE NOT deleted) ORDER BY f.indicator_id, f.flow_id`, whole.scan())
}

func nothing[T any](func(T, error) bool) {}

// Flows returns every flow of which more than its id is known, and none for a team.
func (s *Shelf) Flows(ctx context.Context) iter.Seq2[lci.Flow, error] {
	if s.owner != nil {
		return nothing[lci.Flow]
	}
	whole := flowTable.without()
	return read(ctx, s, "SELECT "+whole.list+" FROM flows ORDER BY id", whole.scan())
}

// Materials returns materials in list order.
func (s *Shelf) Materials(ctx context.Context) iter.Seq2[lci.Material, error] {
	of := inside(s, materialTable.without(), shownMaterial)
	return read(ctx, s, "SELECT "+of.list+" FROM materials m"+s.where(s.materialsOwned())+" ORDER BY fold, id", of.scan())
}

// Properties returns properties in their materials' order.
func (s *Shelf) Properties(ctx context.Context) iter.Seq2[lci.Property, error] {
	return read(ctx, s, "SELECT "+shownProperty.list+" FROM properties p"+
		s.where(ownedProperties+" AND p.material_id IN (SELECT m.id FROM materials m WHERE "+visibleTo("m", "$2")+")")+
		" ORDER BY material_id, position, id", shownProperty.scan())
}

// MaterialImpacts returns the impacts of properties.
func (s *Shelf) MaterialImpacts(ctx context.Context) iter.Seq2[lci.MaterialImpact, error] {
	return read(ctx, s, "SELECT "+shownMaterialImpact.of("mi")+`
		FROM material_impacts mi JOIN properties p ON p.id = mi.property_id JOIN materials m ON m.id = p.material_id`+
		s.whereCalculated("mi", ownedProperties+" AND "+visibleTo("m", "$2"))+" ORDER BY mi.property_id, mi.position, mi.id", shownMaterialImpact.scan())
}

// Processes returns processes in list order.
func (s *Shelf) Processes(ctx context.Context) iter.Seq2[lci.Process, error] {
	of := inside(s, processTable.without("version", "changed"), shownProcess)
	return read(ctx, s, "SELECT "+of.list+" FROM processes p"+s.where(s.processesOwned())+" ORDER BY fold, id", of.scan())
}

// Exchanges returns exchanges in their processes' order. A team's rows name
// only the materials and providers that it has in the same export.
func (s *Shelf) Exchanges(ctx context.Context) iter.Seq2[lci.Exchange, error] {
	of := inside(s, exchangeTable.without(), shownExchange)
	columns := of.of("e")
	if s.owner != nil {
		columns = strings.NewReplacer(
			"e.material_id", "(SELECT m.id FROM materials m WHERE m.id = e.material_id AND "+s.materialsOwned()+")",
			"e.provider_id", "(SELECT p.id FROM processes p WHERE p.id = e.provider_id AND "+s.providerOwned()+")").Replace(columns)
	}
	return read(ctx, s, "SELECT "+columns+" FROM exchanges e"+
		s.where("e.process_id IN (SELECT p.id FROM processes p WHERE "+visibleTo("p", "$2")+`)
			AND (`+ownedProduct+" OR (NOT (e.reference AND e.direction = 'output') AND "+ownedProcess+"))")+
		" ORDER BY e.process_id, e.position, e.id", of.scan())
}

// Allocations returns what products bear of single exchanges, and nothing for a team.
func (s *Shelf) Allocations(ctx context.Context) iter.Seq2[lci.Allocation, error] {
	if s.owner != nil {
		return nothing[lci.Allocation]
	}
	whole := allocationTable.without()
	return read(ctx, s, "SELECT "+whole.list+" FROM allocations ORDER BY process_id, product_id, exchange_id", whole.scan())
}

// providerOwned is processesOwned for a place in which e is taken.
func (s *Shelf) providerOwned() string {
	return visibleTo("p", "$2") + " AND EXISTS (SELECT 1 FROM reveals r WHERE r.wallet_id = $1 AND r.kind IN ('product', 'impact') AND r.record_id = p.id)"
}

// Impacts returns impact rows in their processes' order. To a team a row that was
// calculated here is as good as one that the provider states; one that a
// calculation gave up is nothing.
func (s *Shelf) Impacts(ctx context.Context) iter.Seq2[lci.Impact, error] {
	of := inside(s, impactTable.without(), shownImpact)
	return read(ctx, s, "SELECT "+of.list+" FROM impacts i"+
		s.whereCalculated("i", ownedImpacts+" AND i.process_id IN (SELECT p.id FROM processes p WHERE "+visibleTo("p", "$2")+")")+
		" AND NOT (calculated AND deleted) ORDER BY process_id, position, id", of.scan())
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
