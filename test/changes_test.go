package test

import (
	"strings"
	"sync/atomic"
	"testing"
)

// A team keeps what it has pulled while the library changes; new items have to
// be pulled.
func TestLibraryChangesAfterPulls(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		l := library{
			materials:  []material{{ID: steel, Name: "Steel"}},
			properties: []property{{ID: density, Material: steel, Name: "Density", Value: "7850", Unit: "kg/m3"}},
			methods:    []method{{ID: ipcc, Name: "IPCC", Version: "2021"}},
			processes:  []process{{ID: rolling, Name: "Rolling"}},
			exchanges:  []exchange{{ID: uid("ecececec", 1), Process: rolling, Direction: "output", Flow: coil, Name: "Coil", Value: "1", Unit: "kg", Reference: "true"}},
			impacts:    []impact{{ID: gwpRolling, Process: rolling, Method: ipcc, Indicator: "GWP100", Value: "2", Unit: "kg"}},
		}
		s := newService(t, e, l)
		c := s.buyer(t, 100)
		pullDatapoints(c, steel).is(200)
		pullProcess(c, rolling, 1, coil).is(200)
		pullImpacts(c, rolling, 1, ipcc).is(200)
		v := s.contents.with(density, pair(rolling, coil))

		t.Run("more rows come", func(t *testing.T) {
			c := c.in(t)
			l.properties = append(l.properties, property{ID: carbon, Material: steel, Name: "Carbon", Value: "0.1", Unit: "%"})
			l.exchanges = append(l.exchanges,
				exchange{ID: uid("ecececec", 2), Process: rolling, Direction: "input", Flow: steelIn, Name: "Slab", Value: "1.1", Unit: "kg"},
				exchange{ID: uid("ecececec", 3), Process: rolling, Direction: "output", Flow: slag, Name: "Slag", Value: "0.1", Unit: "kg", Reference: "true"})
			l.impacts = append(l.impacts, impact{ID: gtpRolling, Process: rolling, Method: ipcc, Indicator: "GTP100", Value: "3", Unit: "kg"})
			s.load(t, l)
			v.library = l
			for _, path := range []string{"/public/materials/" + steel, "/public/materials/" + steel + "/properties/" + carbon} {
				want := v.property(l.properties[1])
				if strings.HasSuffix(path, steel) {
					want = v.material(l.materials[0])
				}
				c.get(path).says(want)
			}
			got := c.get("/public/processes/" + rolling).is(200).object()
			want := v.process(l.processes[0])
			want["impacts"] = list{
				v.with(pair(ipcc, rolling)).process(l.processes[0])["impacts"].(list)[0],
				want["impacts"].(list)[1],
			}
			want["revealed"] = true
			for _, d := range difference("process", got, want) {
				t.Error(d)
			}
		})
		t.Run("only they cost", func(t *testing.T) {
			c := c.in(t)
			pullDatapoints(c, steel).says(obj{"pulledMaterialIds": ids(steel), "creditsDebited": 1.0})
			pullImpacts(c, rolling, 1, ipcc).says(obj{"processId": rolling, "pulledCharacterizationFactorIds": ids(pair(ipcc, rolling)), "revealedImpactCount": 1.0})
			pullProcess(c, rolling, 1, coil).refuses(409)
			pullProcess(c, rolling, 1, coil, slag).says(obj{"processId": rolling, "pulledReferenceProductIds": ids(coil, slag), "revealedCount": 1.0})
			v = v.with(carbon, pair(ipcc, rolling), pair(rolling, slag))
			v.checkReads(t, c)
			if got := s.balance(t, c); got != 100-3-3 {
				t.Errorf("balance %d, want 94", got)
			}
		})
		t.Run("what is deleted counts no more", func(t *testing.T) {
			c := c.in(t)
			l.properties[0].Deleted, l.properties[1].Deleted = "true", "true"
			l.impacts[0].Deleted = "true"
			s.load(t, l)
			v.library = l
			v.checkReads(t, c)
			if got := c.get("/public/materials/pulled").items(); len(got) != 0 {
				t.Errorf("pulled: %v", got)
			}
		})
		t.Run("nor what is restricted to others", func(t *testing.T) {
			c := c.in(t)
			s.load(t, l, "--visible-to", s.home)
			v.hidden = map[string]bool{steel: true, rolling: true}
			v.checkReads(t, c)
			s.load(t, l, "--public")
			v.hidden = nil
			v.checkReads(t, c)
		})
	})
}

// A reader sees the library before or after an import, never something in
// between.
func TestReadsDuringImports(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		edition := func(letter string) library {
			var l library
			for i := range 60 {
				m := uid("aaaaaaaa", i)
				l.materials = append(l.materials, material{ID: m, Name: letter + " material " + itoa(i), Source: letter})
				l.properties = append(l.properties, property{ID: uid("bbbbbbbb", i), Material: m, Name: letter + " property", Value: "1", Unit: letter})
			}
			return l
		}
		s := newService(t, e, edition("A"))
		c := s.as(t, s.home)
		var over atomic.Bool
		go func() {
			defer over.Store(true)
			for _, letter := range []string{"B", "A", "B", "A", "B"} {
				s.load(t, edition(letter))
			}
		}()
		asked := 0
		for ; !over.Load(); asked++ {
			got := c.get([]string{"/public/materials?limit=100", "/public/materials?search=material+1&limit=100", "/public/materials/" + uid("aaaaaaaa", 7)}[asked%3]).is(200)
			a, b := strings.Count(string(got.body), `"A`), strings.Count(string(got.body), `"B`)
			if a > 0 == (b > 0) {
				t.Fatalf("%s mixes editions: %s", got.what, got.body)
			}
			if total, ok := got.object()["total"]; ok && total != float64(len(got.items())) {
				t.Fatalf("%s says total %v and has %d items", got.what, total, len(got.items()))
			}
		}
		if got := c.get("/public/materials").items()[0]["source"]; got != "B" {
			t.Errorf("at the end there is edition %v", got)
		}
	})
}

// With stand-ins a test key sees numbers unrelated to the real ones.
func TestSyntheticSandbox(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary(), "CRADLE_SANDBOX_VALUES=synthetic")
		live := s.buyer(t, 100)
		sandbox := live.withKey(s.test)
		paths := []string{"/public/materials", "/public/processes", "/public/materials/" + steel, "/public/materials/" + steel + "/properties/" + density,
			"/public/processes/" + rolling, "/public/processes/" + rolling + "/impacts/" + gwpRolling, "/public/processes/" + refinery}
		for _, path := range paths {
			sandbox.get(path).says(live.get(path).is(200).json()) // nothing is pulled yet
		}
		for _, c := range []*client{live, sandbox} {
			pullDatapoints(c, steel).is(200)
			pullProcess(c, rolling, 1, coil).is(200)
			pullImpacts(c, rolling, 1, ipcc).is(200)
		}
		s.contents.with(density, carbon, strength, pair(rolling, coil), pair(ipcc, rolling)).checkReads(t, live)

		before := map[string]string{}
		for _, path := range paths {
			before[path] = string(sandbox.get(path).is(200).body)
		}
		real, standIn := live.get(paths[3]).object(), sandbox.get(paths[3]).object()
		for _, field := range []string{"value", "mean", "standardDeviation"} {
			if standIn[field] == nil || standIn[field] == real[field] {
				t.Errorf("the stand-in for %s is %v, really it is %v", field, standIn[field], real[field])
			}
		}
		if listed := sandbox.get(paths[2]).object()["properties"].(list)[0].(obj); listed["value"] != standIn["value"] || listed["revealed"] != true {
			t.Errorf("the material says %v, the property %v", listed["value"], standIn["value"])
		}
		t.Run("they are stable and do not follow the real values", func(t *testing.T) {
			sandbox := sandbox.in(t)
			s.load(t, withOtherNumbers())
			s.stop(t)
			s.server = s.serve(t)
			for _, path := range paths {
				if got := string(sandbox.at(s.url).get(path).is(200).body); got != before[path] {
					t.Errorf("%s was\n%s\nand is\n%s", path, before[path], got)
				}
			}
		})
	})
}

// withOtherNumbers is the public library with every number changed. Stand-ins do
// not hide whether a number is known.
func withOtherNumbers() library {
	changed := view{library: publicLibrary(), owned: map[string]bool{}}.withOtherSecrets()
	for i, original := range publicLibrary().properties {
		changed.properties[i].Mean, changed.properties[i].Deviation = scaled(original.Mean), scaled(original.Deviation)
	}
	for i, original := range publicLibrary().exchanges {
		changed.exchanges[i].Mean, changed.exchanges[i].Deviation = scaled(original.Mean), scaled(original.Deviation)
	}
	return changed
}

func scaled(cell string) string {
	if cell == "" {
		return ""
	}
	return "4321"
}
