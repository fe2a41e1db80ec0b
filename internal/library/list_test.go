package library

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"cradle/internal/account"
	"cradle/internal/lci"
)

func namedMaterials(names ...string) []MaterialRecord {
	out := make([]MaterialRecord, len(names))
	for i, name := range names {
		out[i] = MaterialRecord{Material: lci.Material{ID: id(name), Name: name}, Properties: []lci.Property{{ID: id("p of " + name), MaterialID: id(name)}}}
	}
	return out
}

func names(found []Material) []string {
	out := []string{}
	for _, m := range found {
		out = append(out, m.Name)
	}
	return out
}

func TestPagesOfAList(t *testing.T) {
	store := newFakeStore()
	store.materials = namedMaterials("zinc", "Äthylen", "alu", "Steel", "steel wire", "ALUMINA", "100% wool", "a_b")
	v := viewer("team")
	store.reveal(&v, PropertyReveal, id("Steel"), id("p of Steel"))
	store.reveal(&v, PropertyReveal, id("alu"), id("p of alu"))
	l := New(store, Options{Memory: 1 << 20})
	for _, c := range []struct {
		name    string
		query   Query
		want    []string
		total   int
		hasMore bool
	}{
		{"in order of folded names", Query{Limit: 100}, []string{"100% wool", "a_b", "alu", "ALUMINA", "Steel", "steel wire", "zinc", "Äthylen"}, 8, false},
		{"the first page", Query{Limit: 3}, []string{"100% wool", "a_b", "alu"}, 8, true},
		{"a page in between", Query{Limit: 3, Offset: 3}, []string{"ALUMINA", "Steel", "steel wire"}, 8, true},
		{"the last page", Query{Limit: 3, Offset: 6}, []string{"zinc", "Äthylen"}, 8, false},
		{"a page that ends with the list", Query{Limit: 2, Offset: 6}, []string{"zinc", "Äthylen"}, 8, false},
		{"just behind the end", Query{Limit: 3, Offset: 8}, []string{}, 8, false},
		{"far behind the end", Query{Limit: 100, Offset: math.MaxInt}, []string{}, 8, false},
		{"a search in any case", Query{Limit: 10, Search: "STEEL"}, []string{"Steel", "steel wire"}, 2, false},
		{"a page of a search", Query{Limit: 1, Search: "steel"}, []string{"Steel"}, 2, true},
		{"a search by folding", Query{Limit: 10, Search: "äTHYL"}, []string{"Äthylen"}, 1, false},
		{"a search with space around", Query{Limit: 10, Search: "  alu "}, []string{"alu", "ALUMINA"}, 2, false},
		{"a search for space only", Query{Limit: 1, Search: " \t"}, []string{"100% wool"}, 8, true},
		{"a per cent sign is itself", Query{Limit: 10, Search: "%"}, []string{"100% wool"}, 1, false},
		{"an underscore is itself", Query{Limit: 10, Search: "_"}, []string{"a_b"}, 1, false},
		{"a search without a hit", Query{Limit: 10, Search: "gold"}, []string{}, 0, false},
		{"what was pulled", Query{Limit: 10, Pulled: true}, []string{"alu", "Steel"}, 2, false},
		{"a page of what was pulled", Query{Limit: 1, Offset: 1, Pulled: true}, []string{"Steel"}, 2, false},
		{"a search in what was pulled", Query{Limit: 10, Search: "ST", Pulled: true}, []string{"Steel"}, 1, false},
		{"nothing of what was pulled", Query{Limit: 10, Search: "zinc", Pulled: true}, []string{}, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 2 { // the second time from the cache
				found, page := materials(t, l, v, c.query)
				expect(t, "items", names(found), c.want)
				expect(t, "total", page.Total, c.total)
				expect(t, "hasMore", page.HasMore, c.hasMore)
			}
		})
	}
}

func TestRestrictedRecordsExistOnlyForTheirTeams(t *testing.T) {
	store := newFakeStore()
	store.materials = namedMaterials("open", "secret a", "secret ab")
	store.restricted[id("secret a")], store.restricted[id("secret ab")] = true, true
	store.grants = [][2]lci.ID{{id("secret a"), id("a")}, {id("secret ab"), id("a")}, {id("secret ab"), id("b")}}
	l := New(store, Options{Memory: 1 << 20})
	for team, want := range map[string][]string{
		"a": {"open", "secret a", "secret ab"}, "b": {"open", "secret ab"}, "c": {"open"}, "d": {"open"},
	} {
		v := viewer(team)
		for _, record := range store.materials {
			store.reveal(&v, PropertyReveal, record.ID, record.Properties[0].ID)
		}
		found, page := materials(t, l, v, all)
		expect(t, team+" lists", names(found), want)
		expect(t, team+" counts", page.Total, len(want))
		found, _ = materials(t, l, v, Query{Limit: 10, Search: "e"})
		expect(t, team+" finds", names(found), want)
		found, _ = materials(t, l, v, Query{Limit: 10, Pulled: true})
		expect(t, team+" has pulled", names(found), want)
	}
}

func TestEqualRefsMeanEqualViews(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel(), ore()}
	l := New(store, Options{SyntheticSandbox: true, Memory: 1 << 20})
	seen := map[Ref]string{}
	look := func(who string) {
		t.Helper()
		for _, team := range []string{"a", "b"} {
			for _, mode := range []account.Mode{account.Live, account.Sandbox} {
				v := viewer(team)
				v.Mode = mode
				v.At.Reveals = int64(len(store.reveals[v.Wallet()]))
				v.At.Favourites = store.starred
				v.At.Catalogue = store.generation
				found, page := materials(t, l, v, all)
				for i, ref := range page.Refs {
					view := described(found[i])
					if known, ok := seen[ref]; ok && known != view {
						t.Errorf("%s: %v names\n%s\nand\n%s", who, ref, known, view)
					}
					seen[ref] = view
				}
			}
		}
	}
	a, b := viewer("a"), viewer("b")
	look("at first")
	store.reveal(&a, PropertyReveal, id("steel"), id("density"))
	look("after a pull")
	b.Mode = account.Sandbox
	store.reveal(&b, PropertyReveal, id("steel"), id("density"))
	look("after a sandbox pull")
	store.star(&b, id("steel"))
	look("after a favourite")
	store.materials[1].Name = "Iron ore"
	store.setGeneration(2)
	look("after an import")
	store.reveal(&a, PropertyReveal, id("steel"), id("modulus"))
	look("after another pull")
}

func described(m Material) string {
	all := fmt.Sprint(m.Name, m.Revealed, m.Favourite, m.InputTo, m.OutputOf)
	for _, p := range m.Properties {
		all += fmt.Sprint(" ", p.Name, " ", p.Revealed, " ", shown(p.Number))
	}
	return all
}

func TestMethodsAreOrderedByNameVersionAndID(t *testing.T) {
	store := newFakeStore()
	store.methods = []lci.Method{
		{ID: id("3"), Name: "ReCiPe", Version: "1"}, {ID: id("2"), Name: "EF", Version: "3.1"}, {ID: id("1"), Name: "ef", Version: "3.0"},
		{ID: id("5"), Name: "EF", Version: "3.1"}, {ID: id("4"), Name: "Äco", Version: "1"},
	}
	found, err := New(store, Options{Memory: 1 << 20}).Methods(t.Context(), viewer("team"))
	if err != nil {
		t.Fatal(err)
	}
	var order []lci.ID
	for _, m := range found {
		order = append(order, m.ID)
	}
	if want := []lci.ID{id("1"), id("2"), id("5"), id("3"), id("4")}; !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
}

// A material and a process may share an id; pulling one does not pull the other.
func TestPulledIsOfAKind(t *testing.T) {
	s := newFakeStore()
	s.materials = []MaterialRecord{{Material: lci.Material{ID: id("twin"), Name: "Twin"}}}
	s.processes = []ProcessRecord{{Process: lci.Process{ID: id("twin"), Name: "Twin"}}}
	v := viewer("team")
	s.reveal(&v, ProductReveal, id("twin"), id("product"))
	l := New(s, Options{Memory: 1 << 20})
	materials, err1 := l.List(t.Context(), v, Materials, Query{Limit: 1, Pulled: true})
	processes, err2 := l.List(t.Context(), v, Processes, Query{Limit: 1, Pulled: true})
	if err1 != nil || err2 != nil || materials.Total != 0 || processes.Total != 1 {
		t.Errorf("pulled %d materials and %d processes: %v, %v", materials.Total, processes.Total, err1, err2)
	}
}
