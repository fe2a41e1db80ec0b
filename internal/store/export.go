package store

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"cradle/internal/lci"
)

// A Snapshot reads the rows of the catalogue from one snapshot.
type Snapshot struct{ tx *tx }

// Export calls write with the whole catalogue, including deleted rows. A bundle
// cannot mark a method as deleted: deleted methods are left out, with the rows
// calculated with them, which are deleted, too.
func (s *Store) Export(ctx context.Context, write func(*Snapshot) error) error {
	return s.snapshot(ctx, func(t *tx) error { return write(&Snapshot{tx: t}) })
}

// byKeptMethod is the condition that a row's method is not deleted.
const byKeptMethod = "method_id IN (SELECT id FROM methods WHERE NOT deleted)"

// Methods returns the methods that are not deleted.
func (s *Snapshot) Methods(ctx context.Context) iter.Seq2[lci.Method, error] {
	return whole(ctx, s, methodTable.without(), "methods WHERE NOT deleted ORDER BY id")
}

// Indicators returns the indicators of these methods.
func (s *Snapshot) Indicators(ctx context.Context) iter.Seq2[lci.Indicator, error] {
	return whole(ctx, s, indicatorTable.only("id", "method_id", "category", "name", "unit"),
		"indicators WHERE NOT deleted AND "+byKeptMethod+" ORDER BY method_id, id")
}

// Factors returns the factors of these indicators.
func (s *Snapshot) Factors(ctx context.Context) iter.Seq2[lci.Factor, error] {
	return whole(ctx, s, factorTable.without(),
		"factors WHERE indicator_id IN (SELECT id FROM indicators WHERE NOT deleted AND "+byKeptMethod+") ORDER BY indicator_id, flow_id")
}

// Flows returns the flows of which more than the id is known.
func (s *Snapshot) Flows(ctx context.Context) iter.Seq2[lci.Flow, error] {
	return whole(ctx, s, flowTable.without(), "flows ORDER BY id")
}

// Materials returns materials in list order.
func (s *Snapshot) Materials(ctx context.Context) iter.Seq2[lci.Material, error] {
	return whole(ctx, s, materialTable.without(), "materials ORDER BY fold, id")
}

// Properties returns properties in their materials' order.
func (s *Snapshot) Properties(ctx context.Context) iter.Seq2[lci.Property, error] {
	return whole(ctx, s, propertyTable.without(), "properties ORDER BY material_id, position, id")
}

// MaterialImpacts returns the impacts of properties.
func (s *Snapshot) MaterialImpacts(ctx context.Context) iter.Seq2[lci.MaterialImpact, error] {
	return whole(ctx, s, materialImpactTable.without(), "material_impacts WHERE "+byKeptMethod+" ORDER BY property_id, position, id")
}

// Processes returns processes in list order.
func (s *Snapshot) Processes(ctx context.Context) iter.Seq2[lci.Process, error] {
	return whole(ctx, s, processTable.without("version", "changed"), "processes ORDER BY fold, id")
}

// Exchanges returns exchanges in their processes' order.
func (s *Snapshot) Exchanges(ctx context.Context) iter.Seq2[lci.Exchange, error] {
	return whole(ctx, s, exchangeTable.without(), "exchanges ORDER BY process_id, position, id")
}

// Allocations returns the shares of single exchanges allocated to products.
func (s *Snapshot) Allocations(ctx context.Context) iter.Seq2[lci.Allocation, error] {
	return whole(ctx, s, allocationTable.without(), "allocations ORDER BY process_id, product_id, exchange_id")
}

// Impacts returns impact rows in their processes' order, without those deleted
// by a calculation.
func (s *Snapshot) Impacts(ctx context.Context) iter.Seq2[lci.Impact, error] {
	return whole(ctx, s, impactTable.without(), "impacts WHERE "+byKeptMethod+" AND NOT (calculated AND deleted) ORDER BY process_id, position, id")
}

func whole[T any](ctx context.Context, s *Snapshot, columns selection[T], from string) iter.Seq2[T, error] {
	return read(ctx, s, "SELECT "+columns.list+" FROM "+from, columns.scan())
}

// errStop ends a query when its reader stops early.
var errStop = errors.New("stop")

func read[T any](ctx context.Context, s *Snapshot, text string, scan func(*sql.Rows) (T, error), args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		rows, err := s.tx.query(ctx, text, args...)
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
