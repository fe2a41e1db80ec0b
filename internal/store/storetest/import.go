package storetest

import (
	"errors"
	"reflect"
	"strconv"
	"sync"
	"testing"

	"cradle/internal/fault"
	"cradle/internal/importing"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/store"
)

func expectTally(t testing.TB, what string, got, want ingest.Tally) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

func untouched(r ingest.Report) bool {
	for _, tally := range []ingest.Tally{r.Materials, r.Properties, r.MaterialImpacts, r.Processes, r.Exchanges, r.Methods, r.Indicators, r.Factors, r.Impacts} {
		if tally.Touched() {
			return false
		}
	}
	return true
}

func importCounts(t *testing.T, open Open) {
	s := open(t)
	start := generation(t, s)
	first := load(t, s, example(), ingest.Options{})
	want := ingest.Report{
		Methods: ingest.Tally{Added: 2}, Indicators: ingest.Tally{Added: 1}, Factors: ingest.Tally{Added: 2},
		Materials: ingest.Tally{Added: 2}, Properties: ingest.Tally{Added: 2}, MaterialImpacts: ingest.Tally{Added: 1},
		Processes: ingest.Tally{Added: 2}, Exchanges: ingest.Tally{Added: 4}, Impacts: ingest.Tally{Added: 3},
		Outcome: ingest.Outcome{}, Warnings: []ingest.Warning{{File: "f", Line: 1, Message: "m"}},
	}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("first: %+v", first)
	}
	if generation(t, s) != start+1 {
		t.Error("a new catalogue is no new generation")
	}
	again := load(t, s, example(), ingest.Options{})
	if !untouched(again) || again.Exchanges.Unchanged != 4 || again.Factors.Unchanged != 2 || again.Properties.Unchanged != 2 {
		t.Errorf("again: %+v", again)
	}
	if generation(t, s) != start+1 {
		t.Error("the same library again is a new generation")
	}
	// A change of any single field changes the row.
	changes := map[string]struct {
		change func(*library)
		tally  func(ingest.Report) ingest.Tally
	}{
		"a name":            {func(l *library) { l.materials[0].Name = "STEEL" }, func(r ingest.Report) ingest.Tally { return r.Materials }},
		"regions":           {func(l *library) { l.materials[0].RegionalScopes = nil }, func(r ingest.Report) ingest.Tally { return r.Materials }},
		"a value":           {func(l *library) { l.properties[0].Value += 1e-9 }, func(r ingest.Report) ingest.Tally { return r.Properties }},
		"a mean taken away": {func(l *library) { l.properties[0].Mean = nil }, func(r ingest.Report) ingest.Tally { return r.Properties }},
		"a mean of zero":    {func(l *library) { l.properties[1].Mean = pointer(0) }, func(r ingest.Report) ingest.Tally { return r.Properties }},
		"a price":           {func(l *library) { l.processes[1].Price = 0 }, func(r ingest.Report) ingest.Tally { return r.Processes }},
		"a provider":        {func(l *library) { l.exchanges[1].ProviderID = lci.ID{} }, func(r ingest.Report) ingest.Tally { return r.Exchanges }},
		"a factor":          {func(l *library) { l.factors[1].Value = 30 }, func(r ingest.Report) ingest.Tally { return r.Factors }},
		"an impact":         {func(l *library) { l.impacts[1].Value = 1 }, func(r ingest.Report) ingest.Tally { return r.Impacts }},
		"a version":         {func(l *library) { l.methods[1].Version = "2" }, func(r ingest.Report) ingest.Tally { return r.Methods }},
		"a unit":            {func(l *library) { l.indicators[0].Unit = "g" }, func(r ingest.Report) ingest.Tally { return r.Indicators }},
		"an impact of a property": {func(l *library) { l.materialImpacts[0].Value = 4 },
			func(r ingest.Report) ingest.Tally { return r.MaterialImpacts }},
	}
	for name, c := range changes {
		changed := example()
		c.change(changed)
		before := generation(t, s)
		if tally := c.tally(load(t, s, changed, ingest.Options{})); tally.Changed != 1 || tally.Added+tally.Deleted != 0 {
			t.Errorf("%s: %+v", name, tally)
		}
		if generation(t, s) != before+1 {
			t.Errorf("%s is no new generation", name)
		}
		load(t, s, example(), ingest.Options{})
	}
	moved := example()
	moved.properties[0].Position, moved.properties[1].Position = 1, 0
	if report := load(t, s, moved, ingest.Options{}); !untouched(report) {
		t.Errorf("properties in another order: %+v", report)
	}
	// Deleting and restoring.
	deleted := example()
	deleted.materials[1].Deleted, deleted.properties[0].Deleted, deleted.processes[1].Deleted, deleted.impacts[0].Deleted = true, true, true, true
	report := load(t, s, deleted, ingest.Options{})
	for name, tally := range map[string]ingest.Tally{"materials": report.Materials, "properties": report.Properties, "processes": report.Processes} {
		expectTally(t, name+" deleted", tally, ingest.Tally{Unchanged: 1, Deleted: 1})
	}
	expectTally(t, "impacts deleted", report.Impacts, ingest.Tally{Unchanged: 2, Deleted: 1})
	if report := load(t, s, deleted, ingest.Options{}); !untouched(report) {
		t.Errorf("deleted again: %+v", report)
	}
	expectTally(t, "materials brought back", load(t, s, example(), ingest.Options{}).Materials, ingest.Tally{Unchanged: 1, Changed: 1})
	expectSound(t, s)
}

func importReplacesExchanges(t *testing.T, open Open) {
	s := open(t)
	load(t, s, example(), ingest.Options{})
	next := example()
	next.exchanges = []lci.Exchange{next.exchanges[0], next.exchanges[2], next.exchanges[3]}
	next.exchanges[0].Value = 2
	next.factors = next.factors[:1]
	next.materialImpacts = []lci.MaterialImpact{{ID: id("another"), PropertyID: id("density"), MethodID: id("ef"), Indicator: "x", Unit: "u"}}
	report := load(t, s, next, ingest.Options{})
	expectTally(t, "exchanges", report.Exchanges, ingest.Tally{Changed: 1, Unchanged: 2, Deleted: 1})
	expectTally(t, "factors", report.Factors, ingest.Tally{Unchanged: 1, Deleted: 1})
	expectTally(t, "impacts of properties", report.MaterialImpacts, ingest.Tally{Added: 1, Deleted: 1})
	found, err := s.ProcessRecords(t.Context(), []lci.ID{id("smelting")})
	must(t, err)
	if len(found) != 1 || len(found[0].Exchanges) != 1 || found[0].Exchanges[0].Value != 2 {
		t.Errorf("%+v", found)
	}
	// A process that comes without any exchanges keeps those it has.
	next.exchanges = nil
	if report := load(t, s, next, ingest.Options{}); report.Exchanges.Touched() {
		t.Errorf("without exchanges: %+v", report.Exchanges)
	}
}

// reader records what a catalogue hands out.
type reader struct {
	generation int64
	materials  []lci.ID
	processes  []lci.ID
	folds      map[lci.ID]string
	restricted map[lci.ID]bool
	grants     map[[2]lci.ID]bool
	contested  map[lci.ID]bool
	methods    map[lci.ID]bool
}

func (r *reader) Generation(n int64) { r.generation = n }
func (r *reader) Material(id lci.ID, fold []byte, restricted bool) {
	r.materials, r.folds[id], r.restricted[id] = append(r.materials, id), string(fold), restricted
}
func (r *reader) Process(id lci.ID, fold []byte, restricted bool) {
	r.processes, r.folds[id], r.restricted[id] = append(r.processes, id), string(fold), restricted
}
func (r *reader) Grant(record, team lci.ID) { r.grants[[2]lci.ID{record, team}] = true }
func (r *reader) Contested(record lci.ID)   { r.contested[record] = true }
func (r *reader) Method(m lci.Method)       { r.methods[m.ID] = true }

func catalogue(t testing.TB, s *store.Store) *reader {
	t.Helper()
	r := &reader{folds: map[lci.ID]string{}, restricted: map[lci.ID]bool{}, grants: map[[2]lci.ID]bool{}, contested: map[lci.ID]bool{}, methods: map[lci.ID]bool{}}
	must(t, s.Catalogue(t.Context(), r))
	return r
}

func importVisibility(t *testing.T, open Open) {
	s := open(t)
	a, b := addBuyer(t, s, "a", 0).viewer.Team, addBuyer(t, s, "b", 0).viewer.Team
	steps := []struct {
		name    string
		options ingest.Options
		visible []lci.ID // nil: public
		changed int
	}{
		{"new records are public", ingest.Options{}, nil, 0},
		{"restricted to one team", ingest.Options{VisibleTo: []lci.ID{a}}, []lci.ID{a}, 2},
		{"once more", ingest.Options{VisibleTo: []lci.ID{a, a}}, []lci.ID{a}, 0},
		{"without a word it stays", ingest.Options{}, []lci.ID{a}, 0},
		{"to two teams", ingest.Options{VisibleTo: []lci.ID{b, a}}, []lci.ID{a, b}, 2},
		{"to another team", ingest.Options{VisibleTo: []lci.ID{b}}, []lci.ID{b}, 2},
		{"opened", ingest.Options{Public: true}, nil, 2},
		{"opened again", ingest.Options{Public: true}, nil, 0},
	}
	for i, step := range steps {
		before := generation(t, s)
		report := load(t, s, example(), step.options)
		if i > 0 && (report.Materials.Changed != step.changed || report.Processes.Changed != step.changed || report.Properties.Touched()) {
			t.Errorf("%s: %+v", step.name, report)
		}
		if i > 0 && (generation(t, s) > before) != (step.changed > 0) {
			t.Errorf("%s: generation %d after %d", step.name, generation(t, s), before)
		}
		r := catalogue(t, s)
		for _, record := range []lci.ID{id("steel"), id("ore"), id("smelting"), id("mining")} {
			if r.restricted[record] != (step.visible != nil) {
				t.Errorf("%s: restricted is %v", step.name, r.restricted[record])
			}
			for _, team := range step.visible {
				if !r.grants[[2]lci.ID{record, team}] {
					t.Errorf("%s: a team cannot see it", step.name)
				}
			}
		}
		if len(r.grants) != 4*len(step.visible) {
			t.Errorf("%s: %d grants", step.name, len(r.grants))
		}
	}
	// A changed record keeps its audience; a new one beside it is public.
	load(t, s, example(), ingest.Options{VisibleTo: []lci.ID{a}})
	more := example()
	more.materials[0].Name = "Stainless steel"
	more.materials = append(more.materials, lci.Material{ID: id("zinc"), Name: "Zinc"})
	load(t, s, more, ingest.Options{})
	r := catalogue(t, s)
	if !r.restricted[id("steel")] || !r.grants[[2]lci.ID{id("steel"), a}] || r.restricted[id("zinc")] {
		t.Errorf("after a change: %+v", r)
	}
	_, err := importing.Import(t.Context(), s, example(), ingest.Options{VisibleTo: []lci.ID{id("nobody")}}, func(int64, int64) {})
	if fault.KindOf(err) != fault.NotFound {
		t.Errorf("an unknown team: %v", err)
	}
	expectSound(t, s)
}

func importPrunes(t *testing.T, open Open) {
	s := open(t)
	load(t, s, example(), ingest.Options{})
	less := example()
	less.methods, less.indicators, less.factors = less.methods[1:], nil, nil
	less.materials, less.properties = less.materials[:1], less.properties[:1]
	less.processes, less.exchanges, less.impacts = less.processes[:1], less.exchanges[:1], nil
	kept := load(t, s, less, ingest.Options{})
	if kept.Materials.Deleted+kept.Processes.Deleted+kept.Impacts.Deleted+kept.Methods.Deleted != 0 {
		t.Errorf("without --prune: %+v", kept)
	}
	report := load(t, s, less, ingest.Options{Prune: true})
	for name, c := range map[string]struct{ got, want ingest.Tally }{
		"methods":    {report.Methods, ingest.Tally{Unchanged: 1, Deleted: 1}},
		"indicators": {report.Indicators, ingest.Tally{Deleted: 1}},
		"materials":  {report.Materials, ingest.Tally{Unchanged: 1, Deleted: 1}},
		"properties": {report.Properties, ingest.Tally{Unchanged: 1, Deleted: 1}},
		"processes":  {report.Processes, ingest.Tally{Unchanged: 1, Deleted: 1}},
		"impacts":    {report.Impacts, ingest.Tally{Deleted: 3}},
	} {
		expectTally(t, name, c.got, c.want)
	}
	before := generation(t, s)
	if again := load(t, s, less, ingest.Options{Prune: true}); !untouched(again) || generation(t, s) != before {
		t.Errorf("again: %+v", again)
	}
	r := catalogue(t, s)
	if len(r.materials) != 1 || len(r.processes) != 1 || len(r.methods) != 1 {
		t.Errorf("%d materials, %d processes, %d methods are left", len(r.materials), len(r.processes), len(r.methods))
	}
	back := load(t, s, example(), ingest.Options{Prune: true})
	if back.Materials.Changed != 1 || back.Impacts.Changed != 3 || back.Methods.Changed != 1 {
		t.Errorf("brought back: %+v", back)
	}
	expectSound(t, s)
}

// A bundle may refer to stored methods without including them.
func pruneKeepsUsedMethods(t *testing.T, open Open) {
	s := open(t)
	load(t, s, example(), ingest.Options{})
	rest := example()
	rest.methods = nil
	report := load(t, s, rest, ingest.Options{Prune: true})
	expectTally(t, "methods", report.Methods, ingest.Tally{})
	if r := catalogue(t, s); !r.methods[id("ef")] || !r.methods[id("recipe")] {
		t.Error("a method is gone although impacts are calculated by it")
	}
}

func importDryRun(t *testing.T, open Open) {
	s := open(t)
	before := generation(t, s)
	dry := load(t, s, example(), ingest.Options{DryRun: true})
	if len(catalogue(t, s).materials) != 0 || generation(t, s) != before {
		t.Error("a dry run changed something")
	}
	if real := load(t, s, example(), ingest.Options{}); !reflect.DeepEqual(dry, real) {
		t.Errorf("dry %+v, real %+v", dry, real)
	}
}

func importFails(t *testing.T, open Open) {
	s := open(t)
	load(t, s, example(), ingest.Options{})
	before := generation(t, s)
	broken := example()
	broken.materials[0].Name = "Other"
	broken.exchanges = broken.exchanges[:1]
	broken.err = errors.New("the disk is gone")
	if _, err := importing.Import(t.Context(), s, broken, ingest.Options{Prune: true}, func(int64, int64) {}); !errors.Is(err, broken.err) {
		t.Errorf("got %v", err)
	}
	orphan := example()
	orphan.properties[0].MaterialID = id("nowhere")
	if _, err := importing.Import(t.Context(), s, orphan, ingest.Options{}, func(int64, int64) {}); err == nil {
		t.Error("a property of nothing was taken")
	}
	if generation(t, s) != before {
		t.Error("a failed import is a new generation")
	}
	if again := load(t, s, example(), ingest.Options{}); !untouched(again) {
		t.Errorf("something was changed: %+v", again)
	}
}

func importTwiceInOne(t *testing.T, open Open) {
	s := open(t)
	twice := &library{materials: []lci.Material{{ID: id("a"), Name: "First"}, {ID: id("b"), Name: "B"}, {ID: id("a"), Name: "Second"}}}
	report := load(t, s, twice, ingest.Options{})
	expectTally(t, "materials", report.Materials, ingest.Tally{Added: 2, Changed: 1})
	if r := catalogue(t, s); r.folds[id("a")] != "second" || len(r.materials) != 2 {
		t.Errorf("%v", r.folds)
	}
}

func importGathersFlows(t *testing.T, open Open) {
	s := open(t)
	known := lci.Flow{ID: id("co2"), Name: "Carbon dioxide", Type: lci.Elementary, Compartment: "air", CAS: "124-38-9", Synonyms: []string{"CO2"}, Unit: "kg"}
	load(t, s, &library{flows: []lci.Flow{known}}, ingest.Options{})
	mentioned := load(t, s, &library{flows: []lci.Flow{{ID: known.ID, Type: lci.Elementary}}}, ingest.Options{})
	expectTally(t, "flows, mentioned", mentioned.Flows, ingest.Tally{Unchanged: 1})
	known.Compartment = "air/urban"
	told := load(t, s, &library{flows: []lci.Flow{{ID: known.ID, Type: lci.Elementary, Compartment: known.Compartment}}}, ingest.Options{})
	expectTally(t, "flows, told more of", told.Flows, ingest.Tally{Changed: 1})
	again := load(t, s, &library{flows: []lci.Flow{known}}, ingest.Options{})
	expectTally(t, "flows, with all of it", again.Flows, ingest.Tally{Unchanged: 1})
}

func importsAtOnce(t *testing.T, open Open) {
	s := open(t)
	before := generation(t, s)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			l := &library{materials: []lci.Material{{ID: id("shared"), Name: "Version " + strconv.Itoa(i)}, {ID: id("own " + strconv.Itoa(i)), Name: "Own"}}}
			if _, err := importing.Import(t.Context(), s, l, ingest.Options{}, func(int64, int64) {}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := generation(t, s); n != before+4 {
		t.Errorf("generation %d after %d", n, before)
	}
	if r := catalogue(t, s); len(r.materials) != 5 {
		t.Errorf("%d materials", len(r.materials))
	}
}
