package test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// inAnyOrder imports libraries in every order and all at once, on both engines,
// and checks that the catalogue and its scores are the same, also after each of
// them is imported again.
func inAnyOrder(t *testing.T, libraries []map[string]string, want map[string]float64) {
	t.Helper()
	onEveryEngine(t, func(t *testing.T, e engine) {
		var paths []string
		for _, files := range libraries {
			paths = append(paths, folder(t, files))
		}
		atOnce := install(t, e)
		atOnce.imports(t, paths...)
		checkNumbers(t, atOnce, want)
		first := exported(t, atOnce)
		for _, order := range orders(paths) {
			in := install(t, e)
			for _, path := range order {
				in.imports(t, path)
			}
			compareFiles(t, first, exported(t, in), "in another order")
			in.imports(t, order[0])
			compareFiles(t, first, exported(t, in), "imported again")
			in.check(t)
		}
	})
}

// orders are all orders of paths.
func orders(paths []string) [][]string {
	if len(paths) < 2 {
		return [][]string{paths}
	}
	var all [][]string
	for i, first := range paths {
		rest := slices.Delete(slices.Clone(paths), i, i+1)
		for _, others := range orders(rest) {
			all = append(all, append([]string{first}, others...))
		}
	}
	return all
}

// compareFiles reports the first line of each file that differs.
func compareFiles(t *testing.T, want, got map[string]string, when string) {
	t.Helper()
	names := maps.Clone(want)
	maps.Copy(names, got)
	for name := range names {
		a, b := strings.Split(want[name], "\n"), strings.Split(got[name], "\n")
		for i := range max(len(a), len(b)) {
			if i >= len(a) || i >= len(b) || a[i] != b[i] {
				t.Errorf("%s %s has the line %q instead of %q", when, name, b[min(i, len(b)-1)], a[min(i, len(a)-1)])
				break
			}
		}
	}
}

// The plant names a mine in another library as its provider; a quarry makes the
// same coal.
func TestOrderOfABundleAndItsProvider(t *testing.T) {
	plant := climate().with("Plant", makes("Power", "1 kWh"), takes("Coal", "2 kg").from("Mine"), emits("1 kg"))
	quarry := library{}.with("Quarry", makes("Coal", "1 kg"), emits("7 kg"))
	mine := library{}.with("Mine", makes("Coal", "1 kg"), emits("3 kg"))
	inAnyOrder(t, []map[string]string{plant.files(), mine.files(), quarry.files()}, map[string]float64{"Plant/CO2": 7, "Quarry/CO2": 7, "Mine/CO2": 3})
}

// packOf is a pack with what its processes exchange.
func packOf(fill func(p pack), products ...string) pack {
	p := pack{}.withCarbonDioxide()
	for _, name := range products {
		p.product(name, "Mass")
	}
	fill(p)
	return p
}

func minePack() pack {
	return packOf(func(p pack) {
		p.process("Mine", nil, reference("Coal", "1 kg"), emission("3 kg"))
	}, "Coal")
}

func TestOrderOfAPackAndItsProvider(t *testing.T) {
	plant := packOf(func(p pack) {
		p.process("Plant", nil, reference("Steel", "1 kg"), input("Coal", "2 kg", provider("Mine")), emission("1 kg"))
	}, "Steel", "Coal")
	quarry := packOf(func(p pack) {
		p.process("Quarry", nil, reference("Coal", "1 kg"), emission("7 kg"))
	}, "Coal")
	quarry.add("lcia_methods", "ImpactMethod", "Climate", obj{"impactCategories": list{named("impactcategory", "CO2")}})
	quarry.add("lcia_categories", "ImpactCategory", "CO2", obj{"refUnit": "kg", "impactFactors": list{obj{"flow": obj{"@id": co2}, "unit": obj{"name": "kg"}, "value": 1}}})
	inAnyOrder(t, []map[string]string{plant, minePack(), quarry}, map[string]float64{"Plant/CO2": 7, "Mine/CO2": 3, "Quarry/CO2": 7})
}

// Until the mine is imported the coal is cut off, although a quarry makes it.
func TestANamedProviderThatIsAbsent(t *testing.T) {
	for format, libraries := range map[string][2]map[string]string{
		"bundle": {
			library{}.with("Plant", makes("Steel", "1 kg"), takes("Coal", "2 kg").from("Mine"), emits("1 kg")).with("Quarry", makes("Coal", "1 kg"), emits("7 kg")).files(),
			library{}.with("Mine", makes("Coal", "1 kg"), emits("3 kg")).files(),
		},
		"openLCA": {
			packOf(func(p pack) {
				p.process("Plant", nil, reference("Steel", "1 kg"), input("Coal", "2 kg", provider("Mine")), emission("1 kg"))
				p.process("Quarry", nil, reference("Coal", "1 kg"), emission("7 kg"))
			}, "Steel", "Coal"),
			minePack(),
		},
	} {
		t.Run(format, func(t *testing.T) {
			onEveryEngine(t, func(t *testing.T, e engine) {
				in := install(t, e)
				got := in.imports(t, folder(t, libraries[0]), climate().write(t))
				checkNumbers(t, in, map[string]float64{"Plant/CO2": 1, "Quarry/CO2": 7})
				got.checkNoted(t, "absent", "Coal")
				if note := got.of("absent")["Coal"]; got.Calculation.CutOffs != 1 || !slices.Equal(note.In, []string{"Plant"}) {
					t.Errorf("%d inputs are cut off: %+v", got.Calculation.CutOffs, note)
				}
				got = in.imports(t, folder(t, libraries[1]))
				checkNumbers(t, in, map[string]float64{"Plant/CO2": 7, "Quarry/CO2": 7, "Mine/CO2": 3})
				got.checkNoted(t, "absent")
			})
		})
	}
}

// edition is a pack of mines that emit an amount, named after how they state
// their version.
func edition(amount string, says map[string]obj) pack {
	p := pack{}.withCarbonDioxide()
	for name, fields := range says {
		p.product("Coal of "+name, "Mass")
		p.process(name, fields, reference("Coal of "+name, "1 kg"), emission(amount))
	}
	return p
}

func allScores(names []string, score float64) map[string]float64 {
	all := map[string]float64{}
	for _, name := range names {
		all[name+"/CO2"] = score
	}
	return all
}

func TestTheHigherVersionStays(t *testing.T) {
	older, newer := map[string]obj{}, map[string]obj{}
	for name, c := range map[string][2]obj{
		"version":                      {{"version": "01.00.001"}, {"version": "01.00.002"}},
		"version, by number":           {{"version": "1.9"}, {"version": "1.10"}},
		"version before change":        {{"version": "01.00.001", "lastChange": "2024-05-01T10:00:00Z"}, {"version": "01.00.002", "lastChange": "2020-05-01T10:00:00Z"}},
		"change only":                  {{"lastChange": "2020-05-01T10:00:00Z"}, {"lastChange": "2020-05-01T11:00:00Z"}},
		"change, in another zone":      {{"lastChange": "2020-05-01T10:00:00+02:00"}, {"lastChange": "2020-05-01T09:00:00Z"}},
		"change, of one version":       {{"version": "01.00.001", "lastChange": "2020-05-01T10:00:00Z"}, {"version": "01.00.001", "lastChange": "2021-05-01T10:00:00Z"}},
		"change, where none is stated": {{"version": "00.00.000", "lastChange": "2020-05-01T10:00:00Z"}, {"version": "00.00.000", "lastChange": "2021-05-01T10:00:00Z"}},
	} {
		older[name], newer[name] = c[0], c[1]
	}
	names := slices.Sorted(maps.Keys(older))
	want := allScores(names, 2)
	onEveryEngine(t, func(t *testing.T, e engine) {
		old, recent := folder(t, edition("1 kg", older)), folder(t, edition("2 kg", newer))
		in, other := install(t, e), install(t, e)
		in.imports(t, climate().write(t), old)
		in.imports(t, recent).checkNoted(t, "outdated")
		checkNumbers(t, in, want)
		other.imports(t, climate().write(t), recent)
		other.imports(t, old).checkNoted(t, "outdated", names...)
		checkNumbers(t, other, want)
		last := exported(t, in)
		compareFiles(t, last, exported(t, other), "in another order")
		in.imports(t, old).checkNoted(t, "outdated", names...)
		in.imports(t, recent, old).checkNoted(t, "outdated", names...)
		compareFiles(t, last, exported(t, in), "imported again")
		in.check(t)
	})
}

func TestTheLaterImportStaysWhereNoVersionIsStated(t *testing.T) {
	says := map[string]obj{"no version": {}, "openLCA's first": {"version": "00.00.000"}, "the same version": {"version": "01.00.001", "lastChange": "2020-05-01T10:00:00Z"}}
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		in.imports(t, climate().write(t))
		for _, emitted := range []float64{1, 2, 1} {
			got := in.imports(t, folder(t, edition(fmt.Sprint(emitted)+" kg", says)))
			checkNumbers(t, in, allScores(slices.Collect(maps.Keys(says)), emitted))
			got.checkNoted(t, "outdated")
		}
	})
}

// One pack mentions carbon dioxide in grams, the other describes it.
func TestOrderOfAFlowAndItsMention(t *testing.T) {
	described, mentioned := minePack(), minePack()
	delete(mentioned, "flows/co2.json")
	mentioned.process("Mine", nil, reference("Coal", "1 kg"),
		out("", "3000 g", obj{"flow": obj{"@type": "Flow", "@id": co2, "name": "Carbon dioxide", "flowType": "ELEMENTARY_FLOW", "refUnit": "kg"}}))
	described.process("Quarry", nil, reference("Coal", "1 kg"), emission("7 kg"))
	delete(described, "processes/"+idOf("process", "Mine")+".json")
	described.add("flows", "Flow", "Carbon dioxide", obj{"@id": co2, "flowType": "ELEMENTARY_FLOW", "cas": "124-38-9", "category": "Elementary flows/Emission to air/unspecified",
		"flowProperties": list{obj{"isRefFlowProperty": true, "conversionFactor": 1, "flowProperty": obj{"@id": flowProperties["Mass"], "name": "Mass"}}}})
	l := climate()
	l.flows = nil // what the method does not tell
	inAnyOrder(t, []map[string]string{described, mentioned, l.files()}, map[string]float64{"Mine/CO2": 3, "Quarry/CO2": 7})
}

// A material is made where the processes of all libraries make it.
func TestOrderOfTheRegionsOfAMaterial(t *testing.T) {
	at := func(place string) obj { return obj{"location": obj{"@id": idOf("location", place), "name": place}} }
	plant := packOf(func(p pack) { p.process("Plant", at("DE"), reference("Steel", "1 kg"), input("Coal", "2 kg")) }, "Steel", "Coal")
	mine := packOf(func(p pack) { p.process("Mine", at("PL"), reference("Coal", "1 kg"), emission("3 kg")) }, "Coal")
	inAnyOrder(t, []map[string]string{plant, mine, climate().files()}, map[string]float64{"Plant/CO2": 6, "Mine/CO2": 3})
}
