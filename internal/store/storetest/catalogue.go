package storetest

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"cradle/internal/account"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	lists "cradle/internal/library"
	"cradle/internal/purchase"
)

func catalogueOrder(t *testing.T, open Open) {
	s := open(t)
	random := rand.New(rand.NewPCG(7, 7))
	alphabets := []string{"ab", "aBä", "ÄäÅå", "éeE\u0301", "ßsS", "σςΣ", "Яя", "中文", "😀😁", "\uffee\ufffd", " -_%", "ıİiI"}
	all := &library{}
	for i := range 500 {
		var name []rune
		for range 1 + random.IntN(4) {
			letters := []rune(alphabets[random.IntN(len(alphabets))])
			name = append(name, letters[random.IntN(len(letters))])
		}
		all.materials = append(all.materials, lci.Material{ID: id("m" + strconv.Itoa(i)), Name: string(name)})
		all.processes = append(all.processes, lci.Process{ID: id("p" + strconv.Itoa(i)), Name: string(name), Boundary: lci.Aggregated})
	}
	load(t, s, all, ingest.Options{})
	r := catalogue(t, s)
	names := map[lci.ID]string{}
	for _, m := range all.materials {
		names[m.ID] = m.Name
	}
	for _, p := range all.processes {
		names[p.ID] = p.Name
	}
	for kind, ids := range map[string][]lci.ID{"materials": r.materials, "processes": r.processes} {
		if len(ids) != 500 {
			t.Fatalf("%d %s", len(ids), kind)
		}
		for _, id := range ids {
			if r.folds[id] != lci.Fold(names[id]) {
				t.Errorf("%q is filed under %q", names[id], r.folds[id])
			}
		}
		// Go compares strings by bytes, which in UTF-8 is by code points.
		inOrder := slices.IsSortedFunc(ids, func(a, b lci.ID) int { return cmp.Or(cmp.Compare(r.folds[a], r.folds[b]), a.Compare(b)) })
		if !inOrder {
			t.Errorf("%s are not in order", kind)
		}
	}
}

func recordsComeBack(t *testing.T, open Open) {
	s := open(t)
	l := example()
	load(t, s, l, ingest.Options{})
	materials, err := s.MaterialRecords(t.Context(), []lci.ID{id("steel"), id("nothing"), id("ore")})
	must(t, err)
	slices.SortFunc(materials, func(a, b lists.MaterialRecord) int { return cmp.Compare(b.Name, a.Name) })
	want := []lists.MaterialRecord{
		{Material: l.materials[0], Properties: l.properties, OutputOf: []lists.Link{{Process: id("smelting"), Name: "Smelting"}}},
		{Material: l.materials[1], InputTo: []lists.Link{{Process: id("smelting"), Name: "Smelting"}}, OutputOf: []lists.Link{{Process: id("mining"), Name: "Mining"}}},
	}
	if !reflect.DeepEqual(materials, want) {
		t.Errorf("materials\n%+v\nwant\n%+v", materials, want)
	}
	processes, err := s.ProcessRecords(t.Context(), []lci.ID{id("smelting"), id("nothing")})
	must(t, err)
	smelting := lists.ProcessRecord{Process: l.processes[0], Exchanges: l.exchanges[:2], Impacts: l.impacts[:2]}
	if !reflect.DeepEqual(processes, []lists.ProcessRecord{smelting}) {
		t.Errorf("processes\n%+v\nwant\n%+v", processes, smelting)
	}
	impacts, err := s.MaterialImpacts(t.Context(), []lci.ID{id("steel"), id("nothing"), id("ore")})
	must(t, err)
	if !reflect.DeepEqual(impacts, map[lci.ID][]lci.MaterialImpact{id("steel"): l.materialImpacts[:1]}) {
		t.Errorf("impacts of properties: %+v", impacts)
	}
	parents, err := s.Parents(t.Context(), ingest.Properties, []lci.ID{id("density"), id("nothing")})
	must(t, err)
	if !reflect.DeepEqual(parents, map[lci.ID]lci.ID{id("density"): id("steel")}) {
		t.Errorf("parents %v", parents)
	}
	if _, err := s.Parents(t.Context(), ingest.Factors, nil); err == nil {
		t.Error("factors have parents")
	}
	with, err := s.WithReference(t.Context(), []lci.ID{id("smelting"), id("nothing")})
	must(t, err)
	if !reflect.DeepEqual(with, map[lci.ID]bool{id("smelting"): true}) {
		t.Errorf("with a reference: %v", with)
	}
}

func deletedStaysInside(t *testing.T, open Open) {
	s := open(t)
	l := example()
	l.materials[1].Deleted, l.properties[0].Deleted, l.processes[1].Deleted, l.impacts[0].Deleted = true, true, true, true
	load(t, s, l, ingest.Options{})
	r := catalogue(t, s)
	if !slices.Equal(r.materials, []lci.ID{id("steel")}) || !slices.Equal(r.processes, []lci.ID{id("smelting")}) {
		t.Errorf("listed: %v, %v", r.materials, r.processes)
	}
	materials, err := s.MaterialRecords(t.Context(), []lci.ID{id("steel"), id("ore")})
	must(t, err)
	if len(materials) != 1 || len(materials[0].Properties) != 1 || materials[0].Properties[0].ID != id("modulus") {
		t.Errorf("materials %+v", materials)
	}
	processes, err := s.ProcessRecords(t.Context(), []lci.ID{id("smelting"), id("mining")})
	must(t, err)
	if len(processes) != 1 || len(processes[0].Impacts) != 1 || processes[0].Impacts[0].ID != id("i-ap") {
		t.Errorf("processes %+v", processes)
	}
	if impacts, err := s.MaterialImpacts(t.Context(), []lci.ID{id("steel")}); err != nil || len(impacts) != 0 {
		t.Errorf("impacts of a deleted property: %+v, %v", impacts, err)
	}
	l.processes[1].Deleted, l.materials[1].Deleted = true, false
	load(t, s, l, ingest.Options{})
	ore, err := s.MaterialRecords(t.Context(), []lci.ID{id("ore")})
	must(t, err)
	if len(ore) != 1 || len(ore[0].OutputOf) != 0 || len(ore[0].InputTo) != 1 {
		t.Errorf("a deleted process is named: %+v", ore)
	}
}

func contestedRecords(t *testing.T, open Open) {
	s := open(t)
	team := addBuyer(t, s, "a", 0).viewer.Team
	load(t, s, example(), ingest.Options{})
	if r := catalogue(t, s); len(r.contested) != 0 {
		t.Errorf("nothing is restricted, contested are %v", r.contested)
	}
	// Only the mine is restricted: the ore refers to it.
	mine := example()
	mine.materials, mine.properties, mine.materialImpacts, mine.processes = nil, nil, nil, mine.processes[1:]
	load(t, s, mine, ingest.Options{VisibleTo: []lci.ID{team}})
	r := catalogue(t, s)
	if !r.contested[id("ore")] || r.contested[id("steel")] || !r.restricted[id("mining")] || r.restricted[id("ore")] {
		t.Errorf("with a restricted process: %+v", r)
	}
	// Only the ore is restricted: both processes refer to it.
	ore := example()
	ore.materials, ore.properties, ore.materialImpacts, ore.processes, ore.exchanges, ore.impacts = ore.materials[1:], nil, nil, nil, nil, nil
	load(t, s, mine, ingest.Options{Public: true})
	load(t, s, ore, ingest.Options{VisibleTo: []lci.ID{team}})
	r = catalogue(t, s)
	if !r.contested[id("mining")] || !r.contested[id("smelting")] || r.contested[id("steel")] {
		t.Errorf("with a restricted material: %+v", r)
	}
}

func revealsOfWhatIsGone(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 100)
	load(t, s, example(), ingest.Options{})
	d := desk(s)
	pull := func(o purchase.Order) {
		t.Helper()
		o.UserCount = 1
		_, _, err := d.Pull(t.Context(), purchase.Request{Viewer: b.viewer}, o)
		must(t, err)
	}
	pull(purchase.Order{Kind: purchase.Properties, Record: id("steel"), Items: []lci.ID{id("density"), id("modulus")}})
	pull(purchase.Order{Kind: purchase.Products, Record: id("smelting"), Items: []lci.ID{id("steel product")}})
	pull(purchase.Order{Kind: purchase.Impacts, Record: id("smelting"), Items: []lci.ID{id("ef")}})
	items := func(after int64) []lci.ID {
		t.Helper()
		found, err := s.Reveals(t.Context(), b.viewer.Wallet(), after)
		must(t, err)
		var ids []lci.ID
		for i, r := range found {
			if i > 0 && r.Seq <= found[i-1].Seq {
				t.Errorf("not in order: %+v", found)
			}
			ids = append(ids, r.Item)
		}
		return ids
	}
	everything := []lci.ID{id("density"), id("modulus"), id("steel product"), id("i-gwp"), id("i-ap")}
	if got := items(0); !slices.Equal(got, everything) {
		t.Errorf("all: %v, want %v", got, everything)
	}
	if got := items(3); !slices.Equal(got, everything[3:]) {
		t.Errorf("after 3: %v", got)
	}
	if got := items(5); len(got) != 0 {
		t.Errorf("after all: %v", got)
	}
	gone := example()
	gone.properties[0].Deleted, gone.impacts[0].Deleted = true, true
	gone.exchanges[0].FlowID = id("another product")
	load(t, s, gone, ingest.Options{})
	if got := items(0); !slices.Equal(got, []lci.ID{id("modulus"), id("i-ap")}) {
		t.Errorf("what still exists: %v", got)
	}
	load(t, s, example(), ingest.Options{})
	if got := items(0); !slices.Equal(got, everything) {
		t.Errorf("what came back: %v", got)
	}
	other := b.viewer.Wallet()
	other.Mode = account.Sandbox
	if found, err := s.Reveals(t.Context(), other, 0); err != nil || len(found) != 0 {
		t.Errorf("the sandbox has %v, %v", found, err)
	}
	expectSound(t, s)
}

func versions(t *testing.T, open Open) {
	s := open(t)
	b, poor := addBuyer(t, s, "a", 100), addBuyer(t, s, "b", 0)
	nobody := account.Wallet{Team: id("nobody"), Mode: account.Live}
	ask := func(wallets ...account.Wallet) (account.Versions, map[account.Wallet]int64) {
		t.Helper()
		v, reveals, err := s.Versions(t.Context(), wallets)
		must(t, err)
		return v, reveals
	}
	before, reveals := ask(b.viewer.Wallet(), poor.viewer.Wallet(), nobody)
	if _, known := reveals[nobody]; known || reveals[b.viewer.Wallet()] != 0 || len(reveals) != 2 {
		t.Errorf("at first: %v", reveals)
	}
	load(t, s, example(), ingest.Options{})
	_, _, err := desk(s).Pull(t.Context(), purchase.Request{Viewer: b.viewer},
		purchase.Order{Kind: purchase.Datapoints, Items: []lci.ID{id("steel")}, UserCount: 1})
	must(t, err)
	must(t, s.SetFavourite(t.Context(), b.viewer.User, b.viewer.Team, id("steel"), true))
	after, reveals := ask(b.viewer.Wallet(), poor.viewer.Wallet())
	want := before
	want.Catalogue++
	want.Favourites++
	if after != want || reveals[b.viewer.Wallet()] != 2 || reveals[poor.viewer.Wallet()] != 0 {
		t.Errorf("after: %+v %v, want %+v", after, reveals, want)
	}
	if v, reveals := ask(); v != want || len(reveals) != 0 {
		t.Errorf("for nobody: %+v %v", v, reveals)
	}
	stars, err := s.Favourites(t.Context(), b.viewer.User, b.viewer.Team)
	must(t, err)
	if !slices.Equal(stars, []lci.ID{id("steel")}) {
		t.Errorf("favourites %v", stars)
	}
	if stars, err := s.Favourites(t.Context(), b.viewer.User, poor.viewer.Team); err != nil || len(stars) != 0 {
		t.Errorf("on another team: %v, %v", stars, err)
	}
}
