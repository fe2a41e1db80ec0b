package store

import (
	"context"
	"database/sql"
	"fmt"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// parentOf is the column with the parent of a kind of rows.
var parentOf = map[ingest.Kind]struct{ table, column string }{
	ingest.Materials:       {"materials", "id"},
	ingest.Properties:      {"properties", "material_id"},
	ingest.MaterialImpacts: {"material_impacts", "property_id"},
	ingest.Processes:       {"processes", "id"},
	ingest.Exchanges:       {"exchanges", "process_id"},
	ingest.Methods:         {"methods", "id"},
	ingest.Indicators:      {"indicators", "method_id"},
	ingest.Impacts:         {"impacts", "process_id"},
}

// Parents implements ingest.Existing.
func (s *Store) Parents(ctx context.Context, kind ingest.Kind, ids []lci.ID) (map[lci.ID]lci.ID, error) {
	of, ok := parentOf[kind]
	if !ok {
		return nil, fmt.Errorf("%s have no ids", kind)
	}
	condition := s.dialect.among("id", "$1")
	if kind == ingest.Methods {
		condition += " AND NOT deleted" // a row under a deleted method cannot be pulled
	}
	found := make(map[lci.ID]lci.ID, len(ids))
	rows, err := s.reader.query(ctx, "SELECT id, "+of.column+" FROM "+of.table+" WHERE "+condition, s.dialect.ids(ids))
	err = each(rows, err, func(rows *sql.Rows) error {
		var id, parent lci.ID
		err := rows.Scan(&id, &parent)
		found[id] = parent
		return err
	})
	return found, err
}

// WithReference implements ingest.Existing.
func (s *Store) WithReference(ctx context.Context, processes []lci.ID) (map[lci.ID]bool, error) {
	found := make(map[lci.ID]bool, len(processes))
	rows, err := s.reader.query(ctx, "SELECT DISTINCT process_id FROM exchanges WHERE reference AND direction = 'output' AND "+
		s.dialect.among("process_id", "$1"), s.dialect.ids(processes))
	err = each(rows, err, func(rows *sql.Rows) error {
		var id lci.ID
		err := rows.Scan(&id)
		found[id] = true
		return err
	})
	return found, err
}
