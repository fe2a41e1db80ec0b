package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/library"
)

// Catalogue implements library.Store.
func (s *Store) Catalogue(ctx context.Context, into library.CatalogueReader) error {
	return s.snapshot(ctx, func(t *tx) error {
		var generation int64
		if err := t.row(ctx, "SELECT catalogue FROM state").Scan(&generation); err != nil {
			return err
		}
		into.Generation(generation)
		materials, err := readShelf(ctx, t, "materials", into.Material)
		if err != nil {
			return err
		}
		processes, err := readShelf(ctx, t, "processes", into.Process)
		if err != nil {
			return err
		}
		if materials || processes {
			if err := readRestrictions(ctx, t, into); err != nil {
				return err
			}
		}
		shown := methodTable.only("id", "name", "version")
		scan := shown.scan()
		rows, err := t.query(ctx, "SELECT "+shown.list+" FROM methods WHERE NOT deleted")
		return each(rows, err, func(rows *sql.Rows) error {
			m, err := scan(rows)
			into.Method(m)
			return err
		})
	})
}

// readShelf reads one kind of record in list order and reports whether any of
// them is restricted.
func readShelf(ctx context.Context, t *tx, table string, add func(lci.ID, []byte, bool)) (someRestricted bool, err error) {
	rows, err := t.query(ctx, "SELECT id, fold, restricted FROM "+table+" WHERE deleted = FALSE ORDER BY fold, id")
	var text, fold sql.RawBytes
	var restricted bool
	err = each(rows, err, func(rows *sql.Rows) error {
		if err := rows.Scan(&text, &fold, &restricted); err != nil {
			return err
		}
		var id lci.ID
		if err := id.UnmarshalText(text); err != nil {
			return err
		}
		someRestricted = someRestricted || restricted
		add(id, fold, restricted)
		return nil
	})
	return someRestricted, err
}

// readRestrictions reads who may see restricted records, and which records refer
// to restricted ones: a material to its processes, a process to its materials.
func readRestrictions(ctx context.Context, t *tx, into library.CatalogueReader) error {
	rows, err := t.query(ctx, "SELECT record_id, team_id FROM grants")
	err = each(rows, err, func(rows *sql.Rows) error {
		var record, team lci.ID
		err := rows.Scan(&record, &team)
		into.Grant(record, team)
		return err
	})
	if err != nil {
		return err
	}
	rows, err = t.query(ctx, `
		SELECT e.material_id FROM processes p JOIN exchanges e ON e.process_id = p.id
		WHERE p.restricted AND e.material_id IS NOT NULL
		UNION
		SELECT e.process_id FROM materials m JOIN exchanges e ON e.material_id = m.id WHERE m.restricted`)
	return each(rows, err, func(rows *sql.Rows) error {
		var record lci.ID
		err := rows.Scan(&record)
		into.Contested(record)
		return err
	})
}

// Origins implements library.Store.
func (s *Store) Origins(ctx context.Context, take func(library.Origin) error) error {
	for kind, text := range map[library.Kind]string{
		library.Materials: "SELECT id, regional_scopes, source_organization FROM materials WHERE deleted = FALSE",
		library.Processes: "SELECT id, region, source_organization FROM processes WHERE deleted = FALSE",
	} {
		rows, err := s.reader.query(ctx, text)
		err = each(rows, err, func(rows *sql.Rows) error {
			o := library.Origin{Kind: kind}
			if err := rows.Scan(&o.Record, &o.Regions, &o.Organization); err != nil {
				return err
			}
			return take(o)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// MaterialRecords implements library.Store. It sorts rows itself because an
// ORDER BY would make the engine sort them once more.
func (s *Store) MaterialRecords(ctx context.Context, ids []lci.ID) ([]library.MaterialRecord, error) {
	list := s.dialect.ids(ids)
	records := make([]library.MaterialRecord, 0, len(ids))
	at := make(map[lci.ID]int, len(ids))
	scan := shownMaterial.scan()
	rows, err := s.reader.query(ctx, "SELECT "+shownMaterial.list+" FROM materials WHERE NOT deleted AND "+s.dialect.among("id", "$1"), list)
	err = each(rows, err, func(rows *sql.Rows) error {
		m, err := scan(rows)
		at[m.ID] = len(records)
		records = append(records, library.MaterialRecord{Material: m})
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.readProperties(ctx, list, records, at); err != nil {
		return nil, err
	}
	return records, s.readLinks(ctx, list, records, at)
}

func (s *Store) readProperties(ctx context.Context, list any, records []library.MaterialRecord, at map[lci.ID]int) error {
	scan := shownProperty.scan()
	rows, err := s.reader.query(ctx, "SELECT "+shownProperty.list+" FROM properties WHERE NOT deleted AND "+s.dialect.among("material_id", "$1"), list)
	err = each(rows, err, func(rows *sql.Rows) error {
		p, err := scan(rows)
		if i, ok := at[p.MaterialID]; ok {
			records[i].Properties = append(records[i].Properties, p)
		}
		return err
	})
	for i := range records {
		slices.SortFunc(records[i].Properties, func(a, b lci.Property) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), a.ID.Compare(b.ID))
		})
	}
	return err
}

func (s *Store) readLinks(ctx context.Context, list any, records []library.MaterialRecord, at map[lci.ID]int) error {
	rows, err := s.reader.query(ctx, `
		SELECT e.material_id, e.direction, p.id, p.name FROM exchanges e JOIN processes p ON p.id = e.process_id
		WHERE NOT p.deleted AND `+s.dialect.among("e.material_id", "$1"), list)
	return each(rows, err, func(rows *sql.Rows) error {
		var material lci.ID
		var direction lci.Direction
		var link library.Link
		if err := rows.Scan(&material, &direction, &link.Process, &link.Name); err != nil {
			return err
		}
		if i, ok := at[material]; ok && direction == lci.Input {
			records[i].InputTo = append(records[i].InputTo, link)
		} else if ok {
			records[i].OutputOf = append(records[i].OutputOf, link)
		}
		return nil
	})
}

// MaterialImpacts implements library.Store.
func (s *Store) MaterialImpacts(ctx context.Context, materials []lci.ID) (map[lci.ID][]lci.MaterialImpact, error) {
	records := map[lci.ID][]lci.MaterialImpact{}
	var material lci.ID
	scan := shownMaterialImpact.scan(&material)
	rows, err := s.reader.query(ctx, `
		SELECT `+shownMaterialImpact.of("i")+`, p.material_id FROM properties p JOIN material_impacts i ON i.property_id = p.id
		WHERE `+s.dialect.among("p.material_id", "$1")+` AND NOT p.deleted ORDER BY p.position, p.id, i.position, i.id`, s.dialect.ids(materials))
	err = each(rows, err, func(rows *sql.Rows) error {
		impact, err := scan(rows)
		records[material] = append(records[material], impact)
		return err
	})
	return records, err
}

// ProcessRecords implements library.Store.
func (s *Store) ProcessRecords(ctx context.Context, ids []lci.ID) ([]library.ProcessRecord, error) {
	list := s.dialect.ids(ids)
	records := make([]library.ProcessRecord, 0, len(ids))
	at := make(map[lci.ID]int, len(ids))
	scan := shownProcess.scan()
	rows, err := s.reader.query(ctx, "SELECT "+shownProcess.list+" FROM processes WHERE NOT deleted AND "+s.dialect.among("id", "$1"), list)
	err = each(rows, err, func(rows *sql.Rows) error {
		p, err := scan(rows)
		at[p.ID] = len(records)
		records = append(records, library.ProcessRecord{Process: p})
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.readExchanges(ctx, list, records, at); err != nil {
		return nil, err
	}
	return records, s.readImpacts(ctx, list, records, at)
}

func (s *Store) readExchanges(ctx context.Context, list any, records []library.ProcessRecord, at map[lci.ID]int) error {
	scan := shownExchange.scan()
	rows, err := s.reader.query(ctx, "SELECT "+shownExchange.list+" FROM exchanges WHERE "+s.dialect.among("process_id", "$1"), list)
	err = each(rows, err, func(rows *sql.Rows) error {
		x, err := scan(rows)
		if i, ok := at[x.ProcessID]; ok {
			records[i].Exchanges = append(records[i].Exchanges, x)
		}
		return err
	})
	for i := range records {
		slices.SortFunc(records[i].Exchanges, func(a, b lci.Exchange) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), a.ID.Compare(b.ID))
		})
	}
	return err
}

func (s *Store) readImpacts(ctx context.Context, list any, records []library.ProcessRecord, at map[lci.ID]int) error {
	scan := shownImpact.scan()
	rows, err := s.reader.query(ctx, "SELECT "+shownImpact.list+" FROM impacts WHERE NOT deleted AND "+s.dialect.among("process_id", "$1"), list)
	err = each(rows, err, func(rows *sql.Rows) error {
		impact, err := scan(rows)
		if i, ok := at[impact.ProcessID]; ok {
			records[i].Impacts = append(records[i].Impacts, impact)
		}
		return err
	})
	for i := range records {
		slices.SortFunc(records[i].Impacts, func(a, b lci.Impact) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), a.ID.Compare(b.ID))
		})
	}
	return err
}

// Reveals implements library.Store.
func (s *Store) Reveals(ctx context.Context, wallet account.Wallet, after int64) ([]library.Reveal, error) {
	var reveals []library.Reveal
	rows, err := s.reader.query(ctx, `
		SELECT r.seq, r.kind, r.record_id, r.item_id FROM reveals r
		WHERE r.wallet_id = $1 AND r.seq > $2 AND CASE r.kind
			WHEN 'property' THEN EXISTS (SELECT 1 FROM properties p WHERE p.id = r.item_id AND p.material_id = r.record_id AND NOT p.deleted)
			WHEN 'impact' THEN EXISTS (SELECT 1 FROM impacts i WHERE i.id = r.item_id AND i.process_id = r.record_id AND NOT i.deleted)
			ELSE EXISTS (SELECT 1 FROM exchanges e WHERE e.process_id = r.record_id AND e.flow_id = r.item_id AND e.reference AND e.direction = 'output')
		END ORDER BY r.seq`, wallet.String(), after)
	err = each(rows, err, func(rows *sql.Rows) error {
		var r library.Reveal
		err := rows.Scan(&r.Seq, &r.Kind, &r.Record, &r.Item)
		reveals = append(reveals, r)
		return err
	})
	return reveals, err
}

// Favourites implements library.Store.
func (s *Store) Favourites(ctx context.Context, user, team lci.ID) ([]lci.ID, error) {
	var ids []lci.ID
	rows, err := s.reader.query(ctx, "SELECT record_id FROM favourites WHERE user_id = $1 AND team_id = $2", user, team)
	err = each(rows, err, func(rows *sql.Rows) error {
		var id lci.ID
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}
