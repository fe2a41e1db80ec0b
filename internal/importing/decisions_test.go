package importing

import (
	"reflect"
	"slices"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

var steel, ore = lci.DerivedID("test", "steel"), lci.DerivedID("test", "ore")

func edition(version string) lci.Edition { return lci.Edition{Version: version} }

func TestNewerOfTwoEditionsIsStored(t *testing.T) {
	for _, c := range []struct {
		name       string
		have, read string
		stored     bool
	}{
		{"a newer one", "1.0.0", "2.0.0", true},
		{"the same", "1.0.0", "1.0.0", true},
		{"an older one", "2.0.0", "1.0.0", false},
		{"one that does not say", "1.0.0", "", true},
		{"one that says that it does not know", "1.0.0", lci.Unspecified, true},
		{"one that says, after one that does not know", lci.Unspecified, "1.0.0", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newImporter(t.Context(), Catalogue{}, ingest.Options{})
			row := lci.Process{ID: steel, Name: "read", Edition: edition(c.read)}
			if got := w.processes.settle(&row, steel, &lci.Process{ID: steel, Edition: edition(c.have)}); got != c.stored {
				t.Errorf("stored: %v, want %v", got, c.stored)
			}
			if w.processes.outdated.has(steel) == c.stored || len(w.older) == 1 == c.stored {
				t.Errorf("outdated: %v, warnings %v", w.processes.outdated, w.older)
			}
		})
	}
}

func TestWhatBelongsToAnOlderRecordIsLeftOut(t *testing.T) {
	w := newImporter(t.Context(), Catalogue{}, ingest.Options{})
	w.processes.outdated.add(steel)
	if err := w.Exchange(lci.Exchange{ID: ore, ProcessID: steel}); err != nil {
		t.Fatal(err)
	}
	if len(w.exchanges.rows) > 0 || !w.exchanges.seen.has(ore) || w.exchanges.owners.has(steel) || w.allocations.owners.has(steel) {
		t.Errorf("exchanges %v, of %v", w.exchanges.rows, w.exchanges.owners)
	}
}

func TestLibrariesTellTogetherOfAFlow(t *testing.T) {
	known := lci.Flow{ID: steel, Name: "Steel", CAS: "7439-89-6", Synonyms: []string{"iron"}, Edition: edition("2.0.0")}
	for _, c := range []struct {
		name      string
		row, want lci.Flow
	}{
		{"what is left open stays", lci.Flow{ID: steel, Name: "steel", Unit: "kg", Edition: edition("2.0.0")},
			lci.Flow{ID: steel, Name: "steel", Unit: "kg", CAS: "7439-89-6", Synonyms: []string{"iron"}, Edition: edition("2.0.0")}},
		{"an older edition adds what is not known", lci.Flow{ID: steel, Name: "steel", Unit: "kg", Edition: edition("1.0.0")},
			lci.Flow{ID: steel, Name: "Steel", Unit: "kg", CAS: "7439-89-6", Synonyms: []string{"iron"}, Edition: edition("2.0.0")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newImporter(t.Context(), Catalogue{}, ingest.Options{})
			old := known
			if !w.flows.settle(&c.row, steel, &old) || !reflect.DeepEqual(c.row, c.want) {
				t.Errorf("got %+v, want %+v", c.row, c.want)
			}
		})
	}
}

func TestTradedMaterialIsOfAllRegions(t *testing.T) {
	w := newImporter(t.Context(), Catalogue{}, ingest.Options{})
	old := lci.Material{ID: steel, Name: "Steel", RegionalScopes: []string{"RER", "GLO"}}
	for _, c := range []struct {
		name      string
		row       lci.Material
		wantScope []string
	}{
		{"traded", lci.Material{RegionalScopes: []string{"CH", "RER"}, Traded: true}, []string{"CH", "GLO", "RER"}},
		{"traded, nowhere named", lci.Material{Traded: true}, []string{"RER", "GLO"}},
		{"a provider's own", lci.Material{RegionalScopes: []string{"CH"}}, []string{"CH"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if w.materials.settle(&c.row, steel, &old); !slices.Equal(c.row.RegionalScopes, c.wantScope) {
				t.Errorf("got %v, want %v", c.row.RegionalScopes, c.wantScope)
			}
		})
	}
}

func TestAudienceOfWhatIsRead(t *testing.T) {
	a, b := lci.DerivedID("test", "a"), lci.DerivedID("test", "b")
	for _, c := range []struct {
		name             string
		options          ingest.Options
		restricted       bool
		teams            []lci.ID
		moves, restricts bool
	}{
		{name: "nothing said of a restricted record", restricted: true, teams: []lci.ID{a}, restricts: true},
		{name: "nothing said of a public record"},
		{name: "opened", options: ingest.Options{Public: true}, restricted: true, teams: []lci.ID{a}, moves: true},
		{name: "open already", options: ingest.Options{Public: true}},
		{name: "restricted", options: ingest.Options{VisibleTo: []lci.ID{a}}, moves: true, restricts: true},
		{name: "to the same team twice", options: ingest.Options{VisibleTo: []lci.ID{a, a}}, restricted: true, teams: []lci.ID{a}, restricts: true},
		{name: "to another team", options: ingest.Options{VisibleTo: []lci.ID{b}}, restricted: true, teams: []lci.ID{a}, moves: true, restricts: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newImporter(t.Context(), Catalogue{}, c.options)
			if got := w.materials.moves(c.restricted, c.teams); got != c.moves {
				t.Errorf("moves: %v", got)
			}
			if got := w.materials.restricted(c.restricted); got != c.restricts {
				t.Errorf("restricted: %v", got)
			}
			if w.methods.moves(false, nil) || w.methods.restricted(false) {
				t.Error("a method is everybody's")
			}
		})
	}
}
