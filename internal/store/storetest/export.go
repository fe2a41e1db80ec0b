package storetest

import (
	"iter"
	"reflect"
	"slices"
	"testing"

	"cradle/internal/account"
	"cradle/internal/export"
	"cradle/internal/freshness"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	lists "cradle/internal/library"
	"cradle/internal/purchase"
	"cradle/internal/store"
)

// exported is everything in an export.
func exported(t testing.TB, from export.Source) *library {
	t.Helper()
	l, ctx := &library{}, t.Context()
	l.methods = collect(t, from.Methods(ctx))
	l.indicators = collect(t, from.Indicators(ctx))
	l.factors = collect(t, from.Factors(ctx))
	l.materials = collect(t, from.Materials(ctx))
	l.properties = collect(t, from.Properties(ctx))
	l.materialImpacts = collect(t, from.MaterialImpacts(ctx))
	l.processes = collect(t, from.Processes(ctx))
	l.exchanges = collect(t, from.Exchanges(ctx))
	l.flows = collect(t, from.Flows(ctx))
	l.allocations = collect(t, from.Allocations(ctx))
	l.impacts = collect(t, from.Impacts(ctx))
	return l
}

func collect[T any](t testing.TB, rows iter.Seq2[T, error]) (all []T) {
	t.Helper()
	for row, err := range rows {
		must(t, err)
		all = append(all, row)
	}
	return all
}

func whole(t testing.TB, s *store.Store) (l *library) {
	t.Helper()
	must(t, s.Export(t.Context(), func(from *store.Snapshot) error {
		l = exported(t, from)
		return nil
	}))
	return l
}

// pulled is what a viewer's team exports.
func pulled(t testing.TB, s *store.Store, v account.Viewer) (l *library) {
	t.Helper()
	var err error
	v.At, err = freshness.New(s).Now(t.Context(), v.Wallet())
	must(t, err)
	must(t, lists.New(s, lists.Options{}).Export(t.Context(), v, func(from *lists.Pulled) error {
		l = exported(t, from)
		return nil
	}))
	return l
}

func exportRoundTrip(t *testing.T, open Open) {
	first, second := open(t), open(t)
	l := example()
	l.materials[1].Deleted, l.properties[1].Deleted, l.processes[1].Deleted, l.impacts[2].Deleted = true, true, true, true
	load(t, first, l, ingest.Options{})
	out := whole(t, first)
	if len(out.materials) != 2 || len(out.exchanges) != 4 || len(out.impacts) != 3 || !out.impacts[0].Deleted && !out.impacts[2].Deleted {
		t.Errorf("exported %+v", out)
	}
	load(t, second, out, ingest.Options{})
	if again := whole(t, second); !reflect.DeepEqual(again, out) {
		t.Errorf("again\n%+v\nwant\n%+v", again, out)
	}
	if report := load(t, first, out, ingest.Options{}); !untouched(report) {
		t.Errorf("imported where it came from: %+v", report)
	}
	// A reader may stop early.
	must(t, first.Export(t.Context(), func(shelf *store.Snapshot) error {
		for _, err := range shelf.Materials(t.Context()) {
			must(t, err)
			break
		}
		return nil
	}))
}

// The data for calculations are stored and exported, and replaced with the
// exchanges they belong to. They are not exported for a team that pulled some of
// these.
func exportInventory(t *testing.T, open Open) {
	s := open(t)
	l := example()
	l.flows = []lci.Flow{{ID: id("carbon dioxide"), Name: "Carbon dioxide", Type: lci.Elementary, Compartment: "air/urban", CAS: "124-38-9",
		Synonyms: []string{"CO2", "carbonic acid gas"}, Unit: "kg", Classification: "Gases"}}
	l.materials[0].Classification, l.processes[0].Classification = "Metals/Steel", "Metals"
	x := &l.exchanges[1]
	x.Distribution, x.Minimum, x.Maximum, x.Avoided = lci.Triangular, pointer(1), pointer(3), true
	l.exchanges[0].Worth, l.exchanges[0].Share = pointer(2.5), pointer(0.25)
	l.allocations = []lci.Allocation{{ProcessID: x.ProcessID, ProductID: l.exchanges[0].FlowID, ExchangeID: x.ID, Share: 0.75}}
	load(t, s, l, ingest.Options{})
	out := whole(t, s)
	if !reflect.DeepEqual(out.flows, l.flows) || !reflect.DeepEqual(out.allocations, l.allocations) {
		t.Errorf("flows %+v, allocations %+v", out.flows, out.allocations)
	}
	for _, got := range out.exchanges {
		for _, want := range l.exchanges {
			if got.ID == want.ID && !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		}
	}
	if got := out.materials[slices.IndexFunc(out.materials, func(m lci.Material) bool { return m.ID == l.materials[0].ID })]; got.Classification != "Metals/Steel" {
		t.Errorf("%+v", got)
	}
	b := addBuyer(t, s, "a", 100)
	_, _, err := desk(s).Pull(t.Context(), purchase.Request{Viewer: b.viewer},
		purchase.Order{Kind: purchase.Products, Record: id("smelting"), Items: []lci.ID{id("steel product")}, UserCount: 1})
	must(t, err)
	owned := pulled(t, s, b.viewer)
	if len(owned.flows)+len(owned.allocations) > 0 || owned.exchanges[0].Share != nil || owned.exchanges[1].Avoided {
		t.Errorf("a team's: %+v", owned)
	}
	l.allocations = nil
	if report := load(t, s, l, ingest.Options{}); report.Allocations.Deleted != 1 || report.Exchanges.Touched() {
		t.Errorf("without the allocation: %+v", report)
	}
}

func exportAfterPrune(t *testing.T, open Open) {
	first, second := open(t), open(t)
	load(t, first, example(), ingest.Options{})
	less := example()
	less.methods, less.indicators, less.factors = nil, nil, nil
	less.properties, less.materialImpacts, less.impacts = nil, nil, nil
	load(t, first, less, ingest.Options{Prune: true})
	out := whole(t, first)
	if len(out.methods) != 0 {
		t.Fatalf("methods are left: %+v", out.methods)
	}
	load(t, second, out, ingest.Options{})
	if again := whole(t, second); !reflect.DeepEqual(again, out) {
		t.Errorf("again\n%+v\nwant\n%+v", again, out)
	}
}

func exportOwned(t *testing.T, open Open) {
	s := open(t)
	b := addBuyer(t, s, "a", 100)
	load(t, s, example(), ingest.Options{})
	owned := func() *library {
		t.Helper()
		return pulled(t, s, b.viewer)
	}
	if out := owned(); !reflect.DeepEqual(out, &library{}) {
		t.Errorf("before any pull: %+v", out)
	}
	pull := func(v account.Viewer, o purchase.Order) {
		t.Helper()
		o.UserCount = 1
		_, _, err := desk(s).Pull(t.Context(), purchase.Request{Viewer: v}, o)
		must(t, err)
	}
	sandbox := b.viewer
	sandbox.Mode = account.Sandbox
	pull(sandbox, purchase.Order{Kind: purchase.Datapoints, Items: []lci.ID{id("steel")}})
	if out := owned(); len(out.materials) != 0 {
		t.Errorf("sandbox reveals are exported: %+v", out)
	}
	l := example()
	pull(b.viewer, purchase.Order{Kind: purchase.Properties, Record: id("steel"), Items: []lci.ID{id("density")}})
	want := &library{methods: l.methods[1:], materials: l.materials[:1], properties: l.properties[:1], materialImpacts: l.materialImpacts}
	if out := owned(); !reflect.DeepEqual(out, want) {
		t.Errorf("a property:\n%+v\nwant\n%+v", out, want)
	}
	pull(b.viewer, purchase.Order{Kind: purchase.Products, Record: id("smelting"), Items: []lci.ID{id("steel product")}})
	want.processes, want.exchanges = l.processes[:1], []lci.Exchange{l.exchanges[0], l.exchanges[1]}
	want.exchanges[1].MaterialID, want.exchanges[1].ProviderID = lci.ID{}, lci.ID{} // of which the team has pulled nothing
	if out := owned(); !reflect.DeepEqual(out, want) {
		t.Errorf("a product:\n%+v\nwant\n%+v", out, want)
	}
	pull(b.viewer, purchase.Order{Kind: purchase.Impacts, Record: id("mining"), Items: []lci.ID{id("ef")}})
	out := owned()
	if len(out.processes) != 2 || len(out.impacts) != 1 || len(out.methods) != 2 || len(out.exchanges) != 2 {
		t.Errorf("impacts: %+v", out)
	}
	other := addBuyer(t, s, "b", 0).viewer.Team
	load(t, s, example(), ingest.Options{VisibleTo: []lci.ID{other}})
	if out := owned(); !reflect.DeepEqual(out, &library{}) {
		t.Errorf("what the team can no longer see: %+v", out)
	}
}
