package store

import (
	"context"
	"database/sql"
	"slices"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// decides says whether the import changes who may see what it reads.
func (w *importer) decides(l *load) bool {
	return l.granted && (w.options.Public || len(w.options.VisibleTo) > 0)
}

// moves says whether a stored record gets another audience.
func (w *importer) moves(l *load, old stored, exists bool, teams []lci.ID) bool {
	if !exists || !w.decides(l) {
		return false
	}
	if w.options.Public {
		return old.restricted
	}
	return !old.restricted || !slices.Equal(teams, w.audience())
}

// audience is the teams an import restricts its records to, in order.
func (w *importer) audience() []lci.ID {
	teams := slices.Clone(w.options.VisibleTo)
	slices.SortFunc(teams, lci.ID.Compare)
	return slices.Compact(teams)
}

// withVisibility appends whether the record is restricted, where it can be.
func (w *importer) withVisibility(l *load, row []any, old stored) []any {
	if !l.granted {
		return row
	}
	restricted := old.restricted
	if w.decides(l) {
		restricted = !w.options.Public
	}
	return append(slices.Clone(row), restricted)
}

// grantsOf returns which teams may see the restricted records at hand.
func (w *importer) grantsOf(l *load) (map[lci.ID][]lci.ID, error) {
	teams := map[lci.ID][]lci.ID{}
	if !w.decides(l) {
		return teams, nil
	}
	ids := make([]lci.ID, len(l.rows))
	for i, in := range l.rows {
		ids[i] = in.key
	}
	rows, err := w.tx.query(w.ctx, "SELECT record_id, team_id FROM grants WHERE "+w.dialect.among("record_id", "$1")+" ORDER BY record_id, team_id", w.dialect.ids(ids))
	err = each(rows, err, func(rows *sql.Rows) error {
		var record, team lci.ID
		err := rows.Scan(&record, &team)
		teams[record] = append(teams[record], team)
		return err
	})
	return teams, err
}

// regrant gives the written records the audience that the import decided on.
func (w *importer) regrant(l *load, written [][]any) error {
	if !w.decides(l) || len(written) == 0 {
		return nil
	}
	ids := make([]string, len(written))
	var grants [][]any
	for i, row := range written {
		ids[i] = row[0].(string)
		for _, team := range w.audience() {
			grants = append(grants, []any{ids[i], team.String()})
		}
	}
	if _, err := w.tx.exec(w.ctx, "DELETE FROM grants WHERE "+w.dialect.among("record_id", "$1"), w.dialect.list(ids)); err != nil {
		return err
	}
	if w.options.Public {
		return nil
	}
	return w.tx.insert(w.ctx, w.dialect, "grants", []string{"record_id", "team_id"}, "", grants)
}

func (s *Store) teamsExist(ctx context.Context, teams []lci.ID) error {
	for _, team := range teams {
		var one int
		err := s.reader.row(ctx, "SELECT COUNT(*) FROM teams WHERE id = $1", team).Scan(&one)
		if err != nil {
			return err
		}
		if one == 0 {
			return fault.NotFoundf("No team has the id %s", team)
		}
	}
	return nil
}
