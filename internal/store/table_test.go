package store

import (
	"reflect"
	"testing"

	"cradle/internal/importing"
	"cradle/internal/lci"
)

// What is folded otherwise than the names are now, as after an upgrade, is put
// right by the next import of its library.
func TestImportPutsRightWhatNoLongerFollowsFromARow(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *Store) {
		mustImport(t, s, properties(1))
		mustExec(t, s, "UPDATE materials SET fold = 'otherwise'")
		mustImport(t, s, properties(1))
		expectSound(t, s)
	})
}

func TestRowsAreFoundAsTheyWereWritten(t *testing.T) {
	indicator := lci.Indicator{ID: lci.DerivedID("test", "i"), MethodID: lci.DerivedID("test", "m"), Name: "I", Unit: "kg", Edition: lci.Edition{Version: "1"}}
	factors := []lci.Factor{
		{IndicatorID: indicator.ID, FlowID: lci.DerivedID("test", "a"), Value: 1},
		{IndicatorID: indicator.ID, FlowID: lci.DerivedID("test", "b"), Value: -2.5, Unit: "g"},
	}
	onEachEngine(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		err := s.WriteCatalogue(ctx, func(c importing.Catalogue) error {
			written(t, c.Methods, lci.Method{ID: indicator.MethodID, Name: "M", Version: "1", Deleted: true})
			written(t, c.Indicators, indicator)
			written(t, c.Factors, factors...)
			gone, err := c.Factors.DeleteOf(ctx, []lci.ID{indicator.ID}, func(id lci.ID) bool { return id == factors[1].ID() })
			if gone != 1 || err != nil {
				t.Errorf("deleted %d: %v", gone, err)
			}
			found, err := c.Factors.Find(ctx, factors)
			if err == nil && (found[0] != nil || found[1] == nil || found[1].Row != factors[1]) {
				t.Errorf("left %v", found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func written[T any](t *testing.T, table importing.Table[T], rows ...T) {
	t.Helper()
	added := make([]importing.Stored[T], len(rows))
	for i, row := range rows {
		added[i].Row = row
	}
	if err := table.Write(t.Context(), added, nil); err != nil {
		t.Fatal(err)
	}
	found, err := table.Find(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if found[i] == nil || !reflect.DeepEqual(found[i].Row, row) || !table.Same(&found[i].Row, &row) {
			t.Errorf("wrote %+v, found %+v", row, found[i])
		}
	}
}
