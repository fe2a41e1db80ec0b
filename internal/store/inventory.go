package store

import (
	"context"
	"database/sql"
	"iter"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// inventory implements ingest.Inventory inside a transaction. What was deleted,
// and what belongs to it, is not in it.
type inventory struct{ *Snapshot }

func (i inventory) Processes(ctx context.Context) iter.Seq2[lci.Process, error] {
	return whole(ctx, i.Snapshot, processTable.only("id", "name", "region", "shared_by", "sharing_stated"), "processes WHERE NOT deleted ORDER BY id")
}

// Mappings implements ingest.Inventory.
func (i inventory) Mappings(ctx context.Context) iter.Seq2[flowmatch.Mapping, error] {
	return whole(ctx, i.Snapshot, mappingTable.without(), "mappings ORDER BY source_key, id")
}

// Origins implements ingest.Inventory.
func (i inventory) Origins(ctx context.Context) iter.Seq2[ingest.Origin, error] {
	return read(ctx, i.Snapshot, "SELECT record_id, library_id FROM library_records ORDER BY record_id, library_id", func(rows *sql.Rows) (o ingest.Origin, err error) {
		err = rows.Scan(&o.Record, &o.Library)
		return o, err
	})
}

// Audiences implements ingest.Inventory. A restricted process may have no teams.
func (i inventory) Audiences(ctx context.Context) iter.Seq2[ingest.Audience, error] {
	return func(yield func(ingest.Audience, error) bool) {
		var a ingest.Audience
		type grant struct{ process, team lci.ID }
		for g, err := range read(ctx, i.Snapshot, `SELECT p.id, g.team_id FROM processes p LEFT JOIN grants g ON g.record_id = p.id
			WHERE p.restricted AND NOT p.deleted ORDER BY p.id, g.team_id`, func(rows *sql.Rows) (g grant, err error) {
			err = rows.Scan(&g.process, &g.team)
			return g, err
		}) {
			if err != nil {
				yield(a, err)
				return
			}
			if g.process != a.ProcessID {
				if !a.ProcessID.IsZero() && !yield(a, nil) {
					return
				}
				a = ingest.Audience{ProcessID: g.process}
			}
			if !g.team.IsZero() {
				a.Teams = append(a.Teams, g.team)
			}
		}
		if !a.ProcessID.IsZero() {
			yield(a, nil)
		}
	}
}

const ofLiveProcess = "process_id IN (SELECT id FROM processes WHERE NOT deleted)"

func (i inventory) Exchanges(ctx context.Context) iter.Seq2[lci.Exchange, error] {
	return whole(ctx, i.Snapshot, exchangeTable.without(), "exchanges WHERE "+ofLiveProcess+" ORDER BY process_id, position, id")
}

func (i inventory) Allocations(ctx context.Context) iter.Seq2[lci.Allocation, error] {
	return whole(ctx, i.Snapshot, allocationTable.without(), "allocations WHERE "+ofLiveProcess)
}

func (i inventory) Stated(ctx context.Context) iter.Seq2[lci.Impact, error] {
	return whole(ctx, i.Snapshot, impactTable.without(), "impacts WHERE NOT calculated AND "+ofLiveProcess)
}

// Inventory is what of the catalogue scores depend on.
func (s *Snapshot) Inventory() ingest.Inventory { return inventory{&Snapshot{tx: s.tx}} }

// ReadInventory lets do read what scores depend on, as of one moment.
func (s *Store) ReadInventory(ctx context.Context, do func(ingest.Inventory) error) error {
	return s.snapshot(ctx, func(t *tx) error { return do((&Snapshot{tx: t}).Inventory()) })
}
