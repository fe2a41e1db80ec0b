package library

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

func text(n *float64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

func shown(n Number) string {
	return text(n.Value) + " " + text(n.Mean) + " " + text(n.StandardDeviation)
}

func rows(exchanges []Exchange) []string {
	out := []string{}
	for _, x := range exchanges {
		out = append(out, x.Name+": "+shown(x.Number))
	}
	return out
}

func impactRows(impacts []Impact) []string {
	out := []string{}
	for _, i := range impacts {
		out = append(out, fmt.Sprintf("%s %s: %s %v", i.Method.Name, i.Indicator, shown(i.Number), i.Revealed))
	}
	return out
}

func expect(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func TestMaterialShowsEachPropertyOnceItIsPulled(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel(), ore()}
	store.impacts[id("steel")] = []lci.MaterialImpact{
		{ID: id("i1"), PropertyID: id("density"), Value: 1.5, Indicator: "GWP"},
		{ID: id("i2"), PropertyID: id("modulus"), Value: 2.5, Indicator: "GWP"},
	}
	for _, c := range []struct {
		name       string
		pulled     []lci.ID
		revealed   bool
		properties []string
		impacts    []string
	}{
		{"nothing pulled", nil, false, []string{"- - - false", "- - - false"}, []string{"- false", "- false"}},
		{"one pulled", []lci.ID{id("density")}, true, []string{"7850 7800 12 true", "- - - false"}, []string{"1.5 true", "- false"}},
		{"the other pulled", []lci.ID{id("modulus")}, true, []string{"- - - false", "210 - - true"}, []string{"- false", "2.5 true"}},
		{"both pulled", []lci.ID{id("modulus"), id("density")}, true, []string{"7850 7800 12 true", "210 - - true"}, []string{"1.5 true", "2.5 true"}},
		{"something else pulled", []lci.ID{id("a row that is gone")}, false, []string{"- - - false", "- - - false"}, []string{"- false", "- false"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			clear(store.reveals)
			v := viewer("team")
			store.reveal(&v, PropertyReveal, id("steel"), c.pulled...)
			l := New(store, Options{Memory: 1 << 20})
			list, _ := materials(t, l, v, Query{Limit: 100, Search: "steel"})
			page, err := l.Find(t.Context(), v, Materials, id("steel").String())
			if err != nil {
				t.Fatal(err)
			}
			single, err := page.Material(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for form, m := range map[string]Material{"list": list[0], "single": single} {
				var properties []string
				for _, p := range m.Properties {
					properties = append(properties, fmt.Sprint(shown(p.Number), " ", p.Revealed))
				}
				expect(t, form+" properties", properties, c.properties)
				expect(t, form+" revealed", m.Revealed, c.revealed)
			}
			var impacts []string
			for _, i := range single.Impacts {
				impacts = append(impacts, fmt.Sprint(text(i.Value), " ", i.Revealed))
			}
			expect(t, "impacts", impacts, c.impacts)
			if list[0].Impacts != nil {
				t.Error("a list's item has impacts")
			}
		})
	}
}

func TestProcessShowsWhatItsPullsReveal(t *testing.T) {
	const hidden = " - - -"
	maskedOutputs := []string{"Steel:" + hidden, "Slag:" + hidden, "CO2:" + hidden}
	maskedImpacts := []string{"EF GWP:" + hidden + " false", "EF AP:" + hidden + " false", "ReCiPe HTP:" + hidden + " false"}
	efImpacts := []string{"EF GWP: 2.2 - - true", "EF AP: 0.2 - - true", "ReCiPe HTP:" + hidden + " false"}
	inputs := []string{"Ore: 3 3.1 -"}
	type pulls map[RevealKind][]lci.ID
	for _, c := range []struct {
		name     string
		boundary lci.Boundary
		pulled   pulls
		revealed bool
		inputs   []string
		outputs  []string
		listed   []string // impacts in the list
		single   []string // impacts in the single read
	}{
		{"nothing pulled", lci.Aggregated, nil, false, []string{}, maskedOutputs, maskedImpacts, maskedImpacts},
		{"the quantitative reference", lci.Aggregated, pulls{ProductReveal: {id("steel product")}}, true,
			inputs, []string{"Steel: 1 - -", "Slag:" + hidden, "CO2: 2 - -"}, maskedImpacts, maskedImpacts},
		{"the other product", lci.Aggregated, pulls{ProductReveal: {id("slag product")}}, true,
			inputs, []string{"Steel:" + hidden, "Slag: 0.5 - -", "CO2: 2 - -"}, maskedImpacts, maskedImpacts},
		{"both products", lci.Disaggregated, pulls{ProductReveal: {id("slag product"), id("steel product")}}, true,
			inputs, []string{"Steel: 1 - -", "Slag: 0.5 - -", "CO2: 2 - -"}, maskedImpacts, maskedImpacts},
		{"impacts of an aggregated process", lci.Aggregated, pulls{ImpactReveal: {id("gwp"), id("ap")}}, true,
			[]string{}, maskedOutputs, efImpacts, efImpacts},
		{"impacts of a flow-based process", lci.Disaggregated, pulls{ImpactReveal: {id("gwp"), id("ap")}}, true,
			[]string{}, maskedOutputs, efImpacts, maskedImpacts},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newFakeStore()
			store.processes = []ProcessRecord{smelting(c.boundary)}
			store.methods = []lci.Method{{ID: id("ef"), Name: "EF"}, {ID: id("recipe"), Name: "ReCiPe"}}
			v := viewer("team")
			for kind, items := range c.pulled {
				store.reveal(&v, kind, id("smelting"), items...)
			}
			l := New(store, Options{Memory: 1 << 20})
			list, _ := processes(t, l, v, all)
			page, err := l.Find(t.Context(), v, Processes, id("smelting").String())
			if err != nil {
				t.Fatal(err)
			}
			single, err := page.Process(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for form, p := range map[string]Process{"list": list[0], "single": single} {
				expect(t, form+" revealed", p.Revealed, c.revealed)
				expect(t, form+" inputs", rows(p.Inputs), c.inputs)
				expect(t, form+" outputs", rows(p.Outputs), c.outputs)
				expect(t, form+" reference product", p.ReferenceProduct, id("steel product"))
			}
			expect(t, "listed impacts", impactRows(list[0].Impacts), c.listed)
			expect(t, "single impacts", impactRows(single.Impacts), c.single)
			for i, row := range single.Impacts {
				one, err := page.Impact(t.Context(), row.ID.String())
				if err != nil {
					t.Fatal(err)
				}
				expect(t, "one impact", impactRows([]Impact{one})[0], c.single[i])
			}
			_, pulled := processes(t, l, v, Query{Limit: 10, Pulled: true})
			expect(t, "pulled", pulled.Total == 1, c.revealed)
		})
	}
}

func TestWhatOneWalletBoughtNoOtherSees(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel()}
	owner := viewer("owner")
	store.reveal(&owner, PropertyReveal, id("steel"), id("density"))
	sandbox := owner
	sandbox.Mode, sandbox.At.Reveals = account.Sandbox, 0
	l := New(store, Options{Memory: 1 << 20})
	for name, c := range map[string]struct {
		viewer   account.Viewer
		revealed bool
	}{"the team": {owner, true}, "another team": {viewer("other"), false}, "the same team's sandbox": {sandbox, false}} {
		seen, page := materials(t, l, c.viewer, all)
		expect(t, name, seen[0].Revealed, c.revealed)
		expect(t, name+" shares", page.Refs[0].Shared(), !c.revealed)
	}
}

func TestProcessWithoutAReferenceHasNothingToPull(t *testing.T) {
	store := newFakeStore()
	store.processes = []ProcessRecord{{Process: lci.Process{ID: id("p"), Name: "P"}}}
	seen, _ := processes(t, New(store, Options{Memory: 1 << 20}), viewer("team"), all)
	if p := seen[0]; !p.ReferenceProduct.IsZero() || p.Inputs == nil || p.Outputs == nil || p.Impacts == nil || p.Revealed {
		t.Errorf("%+v", p)
	}
}

func TestReferenceIDIsTheMaterialWhereTheTeamCanSeeIt(t *testing.T) {
	for _, c := range []struct {
		name  string
		setUp func(*fakeStore)
		want  lci.ID
	}{
		{"visible", func(s *fakeStore) { s.materials = []MaterialRecord{ore()} }, id("ore")},
		{"not in the library", func(*fakeStore) {}, id("ore flow")},
		{"restricted to another team", func(s *fakeStore) {
			s.materials = []MaterialRecord{ore()}
			s.restricted[id("ore")], s.contested = true, []lci.ID{id("smelting")}
		}, id("ore flow")},
		{"restricted to the team", func(s *fakeStore) {
			s.materials = []MaterialRecord{ore()}
			s.restricted[id("ore")], s.contested, s.grants = true, []lci.ID{id("smelting")}, [][2]lci.ID{{id("ore"), id("team")}}
		}, id("ore")},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newFakeStore()
			store.processes = []ProcessRecord{smelting(lci.Aggregated)}
			c.setUp(store)
			v := viewer("team")
			store.reveal(&v, ProductReveal, id("smelting"), id("steel product"))
			seen, _ := processes(t, New(store, Options{Memory: 1 << 20}), v, all)
			expect(t, "input", seen[0].Inputs[0].Reference, c.want)
			expect(t, "product", seen[0].Outputs[0].Reference, id("steel product"))
			expect(t, "emission", seen[0].Outputs[2].Reference, id("co2"))
		})
	}
}

func TestProcessNamesAreDistinctSortedAndVisible(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel()}
	store.processes = []ProcessRecord{{Process: lci.Process{ID: id("forging"), Name: "forging"}}}
	l := New(store, Options{Memory: 1 << 20})
	seen, _ := materials(t, l, viewer("team"), all)
	expect(t, "inputTo", seen[0].InputTo, []string{"forging", "Rolling"})
	expect(t, "outputOf", seen[0].OutputOf, []string{})

	store.restricted[id("forging")], store.grants = true, [][2]lci.ID{{id("forging"), id("friend")}}
	store.contested = []lci.ID{id("steel")}
	l = New(store, Options{Memory: 1 << 20})
	seen, page := materials(t, l, viewer("team"), all)
	expect(t, "to a stranger", seen[0].InputTo, []string{"Rolling"})
	friend, friends := materials(t, l, viewer("friend"), all)
	expect(t, "to a friend", friend[0].InputTo, []string{"forging", "Rolling"})
	if page.Refs[0] == friends.Refs[0] || page.Refs[0].Shared() || friends.Refs[0].Shared() {
		t.Error("what two teams see differently has one name")
	}
}

func TestSyntheticSandboxNeverShowsARealNumber(t *testing.T) {
	real := map[float64]bool{7850: true, 7800: true, 12: true, 210: true, 1: true, 0.5: true, 2: true, 3: true, 3.1: true, 2.2: true, 0.2: true, 9: true}
	store := newFakeStore()
	store.materials = []MaterialRecord{steel()}
	store.processes = []ProcessRecord{smelting(lci.Aggregated)}
	v := viewer("team")
	v.Mode = account.Sandbox
	store.reveal(&v, PropertyReveal, id("steel"), id("density"))
	store.reveal(&v, ProductReveal, id("smelting"), id("steel product"))
	store.reveal(&v, ImpactReveal, id("smelting"), id("gwp"))
	numbers := func(o Options) (all []string) {
		l := New(store, o)
		found, _ := materials(t, l, v, Query{Limit: 100})
		p, _ := processes(t, l, v, Query{Limit: 100})
		for _, n := range slices.Concat(numbersOf(found[0].Properties, func(p Property) Number { return p.Number }),
			numbersOf(p[0].Inputs, func(x Exchange) Number { return x.Number }), numbersOf(p[0].Outputs, func(x Exchange) Number { return x.Number }),
			numbersOf(p[0].Impacts, func(i Impact) Number { return i.Number })) {
			all = append(all, shown(n))
			for _, value := range []*float64{n.Value, n.Mean, n.StandardDeviation} {
				if value != nil && o.SyntheticSandbox == real[*value] {
					t.Errorf("synthetic %v shows %v", o.SyntheticSandbox, *value)
				}
			}
		}
		return all
	}
	numbers(Options{Memory: 1 << 20})
	first, again := numbers(Options{SyntheticSandbox: true, Memory: 1 << 20}), numbers(Options{SyntheticSandbox: true, Memory: 1 << 20})
	expect(t, "stand-ins", again, first)
	expect(t, "masks", first[1], "- - -")
	// Stand-ins do not depend on hidden values.
	store.materials[0].Properties[0].Value = 1
	expect(t, "with other values", numbers(Options{SyntheticSandbox: true, Memory: 1 << 20}), first)
	v.Mode, v.At.Reveals = account.Live, 0
	store.reveal(&v, PropertyReveal, id("steel"), id("modulus"))
	live, _ := materials(t, New(store, Options{SyntheticSandbox: true, Memory: 1 << 20}), v, all)
	expect(t, "a live key", shown(live[0].Properties[1].Number), "210 - -")
}

func numbersOf[T any](rows []T, number func(T) Number) (all []Number) {
	for _, row := range rows {
		all = append(all, number(row))
	}
	return all
}

func TestWhatDoesNotExistIsNotFound(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel(), ore()}
	store.processes = []ProcessRecord{smelting(lci.Aggregated)}
	store.restricted[id("ore")] = true
	l := New(store, Options{Memory: 1 << 20})
	v := viewer("team")
	find := map[string]func() error{
		"no UUID": func() error { _, err := l.Find(t.Context(), v, Materials, "steel"); return err },
		"very long": func() error {
			_, err := l.Find(t.Context(), v, Materials, strings.Repeat("ä", 5000))
			return err
		},
		"unknown":                    func() error { _, err := l.Find(t.Context(), v, Materials, lci.NewID().String()); return err },
		"a process's id":             func() error { _, err := l.Find(t.Context(), v, Materials, id("smelting").String()); return err },
		"a material's id":            func() error { _, err := l.Find(t.Context(), v, Processes, id("steel").String()); return err },
		"restricted to another team": func() error { _, err := l.Find(t.Context(), v, Materials, id("ore").String()); return err },
		"another's property": func() error {
			page, _ := l.Find(t.Context(), v, Materials, id("steel").String())
			_, err := page.Property(t.Context(), lci.NewID().String())
			return err
		},
		"no property's UUID": func() error {
			page, _ := l.Find(t.Context(), v, Materials, id("steel").String())
			_, err := page.Property(t.Context(), "density")
			return err
		},
		"another's impact": func() error {
			page, _ := l.Find(t.Context(), v, Processes, id("smelting").String())
			_, err := page.Impact(t.Context(), lci.NewID().String())
			return err
		},
	}
	for name, do := range find {
		if err := do(); fault.KindOf(err) != fault.NotFound || len(err.Error()) > 300 {
			t.Errorf("%s: %v", name, err)
		}
	}
	page, err := l.Find(t.Context(), v, Materials, id("steel").String())
	if err != nil {
		t.Fatal(err)
	}
	if row, err := page.Property(t.Context(), id("density").String()); err != nil || row.Name != "Density" {
		t.Errorf("%+v, %v", row, err)
	}
}
