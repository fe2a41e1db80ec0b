package test

import (
	"maps"
	"slices"
	"testing"
)

// A substance is an elementary flow in a nomenclature.
type substance struct{ nomenclature, name, compartment string }

func (s substance) id() string {
	return idOf("flow", s.nomenclature+": "+s.name+" to "+s.compartment)
}

// released is 1 kg of a substance.
func (s substance) released() exchange {
	return exchange{Direction: "output", Flow: s.id(), Name: s.name, Value: "1", Unit: "kg", Type: "elementary"}
}

// knowing is a library that describes substances.
func (l library) knowing(substances ...substance) library {
	for _, s := range substances {
		if slices.ContainsFunc(l.flows, func(f flow) bool { return f.ID == s.id() }) {
			continue
		}
		l.flows = append(slices.Clip(l.flows), flow{ID: s.id(), Name: s.name, Compartment: s.compartment, Unit: "kg"})
	}
	return l
}

// assessing is a library with a method with one indicator of its name, with
// factors for substances.
func (l library) assessing(name string, factors map[substance]string) library {
	id, indicated := idOf("method", name), idOf("indicator", name)
	more := library{methods: []method{{ID: id, Name: name, Version: "1"}}, indicators: []indicator{{ID: indicated, Method: id, Category: "Toxicity", Name: name, Unit: "CTU"}}}
	for s, value := range factors {
		more.factors = append(more.factors, factor{Indicator: indicated, Flow: s.id(), Value: value})
	}
	return l.plus(more).knowing(slices.Collect(maps.Keys(factors))...)
}

var (
	lead     = substance{"ours", "Lead", "air"}
	zinc     = substance{"ours", "Zinc", "air"}
	chromium = substance{"ours", "Chromium VI", "water"}
	ground   = substance{"ours", "Chromium VI", "water/ground water"} // which our method gives no factor
	tin      = substance{"ours", "Tin", "air"}                        // which no method knows

	theirLead   = substance{"theirs", "Lead", "air"}
	theirZinc   = substance{"theirs", "Zinc", "air"}
	theirGround = substance{"theirs", "Chromium VI", "water/ground water"}
)

func ourMethod(l library) library {
	return l.assessing("Ours", map[substance]string{lead: "1", zinc: "10", chromium: "100"})
}

// plantEmitting is a library of one process that emits 1 kg of each substance.
func plantEmitting(name string, substances ...substance) library {
	exchanges := []exchange{makes("Product of "+name, "1 kg")}
	for _, s := range substances {
		exchanges = append(exchanges, s.released())
	}
	return library{}.with(name, exchanges...).knowing(substances...)
}

func TestOneNomenclature(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		for _, c := range []struct {
			name       string
			substances []substance
			together   bool // inventory and method are one library
			want       float64
		}{
			{"in one pack only ids count", []substance{ground}, true, 0},
			{"in one pack only ids count, however few", []substance{theirLead, theirZinc, theirGround, lead}, true, 1},
			{"alone a coarser compartment counts", []substance{ground}, false, 100},
			{"mostly by id: only ids count", []substance{lead, zinc, ground}, false, 11},
			{"mostly by id: names do not count", []substance{lead, zinc, theirGround}, false, 11},
			{"what is not matched at all does not count", []substance{lead, zinc, ground, tin, {"ours", "Iron", "air"}, {"ours", "Gold", "air"}}, false, 11},
			{"mostly by name: all count", []substance{lead, theirZinc, theirGround}, false, 111},
			{"half by name: all count", []substance{lead, ground}, false, 101},
		} {
			t.Run(c.name, func(t *testing.T) {
				in := install(t, e)
				plant := plantEmitting("Plant", c.substances...)
				if c.together {
					in.imports(t, ourMethod(plant).write(t))
				} else {
					in.imports(t, plant.write(t))
					in.imports(t, ourMethod(library{}).write(t))
				}
				checkNumbers(t, in, map[string]float64{"Plant/Ours": c.want})
			})
		}
	})
}

// A pack of openLCA's with inventory and method is one nomenclature, too.
func TestOneNomenclatureInAPack(t *testing.T) {
	p := pack{}
	p.product("Pipe", "Mass")
	for name, category := range map[string]string{"Chromium VI, ground": "Elementary flows/Emission to water/ground water", "Chromium VI, water": "Elementary flows/Emission to water/unspecified"} {
		p.add("flows", "Flow", name, obj{"name": "Chromium VI", "category": category, "flowType": "ELEMENTARY_FLOW",
			"flowProperties": list{obj{"isRefFlowProperty": true, "conversionFactor": 1, "flowProperty": obj{"@id": flowProperties["Mass"], "name": "Mass"}}}})
	}
	p.process("Plating", nil, reference("Pipe", "1 kg"), out("Chromium VI, ground", "1 kg"))
	p.process("Rinsing", nil, reference("Pipe", "1 kg"), out("Chromium VI, water", "1 kg"))
	inventory := maps.Clone(p)
	p.add("lcia_methods", "ImpactMethod", "Toxicity", obj{"impactCategories": list{named("impactcategory", "Cancer")}})
	p.add("lcia_categories", "ImpactCategory", "Cancer", obj{"refUnit": "CTU", "impactFactors": list{obj{"flow": named("flow", "Chromium VI, water"), "unit": obj{"name": "kg"}, "value": 5}}})
	method := maps.Clone(p)
	maps.DeleteFunc(method, func(name, _ string) bool { _, there := inventory[name]; return there && name[:5] != "flows" })
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		in.imports(t, folder(t, p))
		checkNumbers(t, in, map[string]float64{"Plating/Cancer": 0, "Rinsing/Cancer": 5})

		t.Run("also where the inventory, which tells the two waters apart, comes by itself", func(t *testing.T) {
			apart := install(t, e)
			apart.imports(t, folder(t, method), folder(t, inventory))
			checkNumbers(t, apart, map[string]float64{"Plating/Cancer": 0, "Rinsing/Cancer": 5})
		})
	})
}

// Each library is decided separately under each method, whatever else is
// imported and when. Both libraries emit the same ground water.
func TestAnotherImportChangesNoNomenclature(t *testing.T) {
	libraries := map[string]library{
		"ours":    plantEmitting("Our plant", lead, zinc, ground),
		"theirs":  plantEmitting("Their plant", theirLead, theirZinc, ground),
		"methods": ourMethod(library{}).assessing("Theirs", map[substance]string{theirLead: "2", theirZinc: "20", {"theirs", "Chromium VI", "water"}: "200"}),
	}
	rows := map[string]map[string]float64{
		"ours":   {"Our plant/Ours": 11, "Our plant/Theirs": 222},
		"theirs": {"Their plant/Ours": 111, "Their plant/Theirs": 22},
	}
	onEveryEngine(t, func(t *testing.T, e engine) {
		var last map[string]string
		for _, order := range [][]string{{"methods", "ours", "theirs"}, {"methods", "theirs", "ours"}, {"ours", "theirs", "methods"}, {"theirs", "methods", "ours"}} {
			in := install(t, e)
			want, assessed := map[string]float64{}, false
			for _, name := range order {
				in.imports(t, libraries[name].write(t))
				maps.Copy(want, rows[name])
				if assessed = assessed || name == "methods"; assessed {
					checkNumbers(t, in, want)
				}
			}
			files := exported(t, in)
			if last != nil && !maps.Equal(files, last) {
				t.Errorf("in the order %v the catalogue is another", order)
			}
			last = files
		}
		in := install(t, e)
		in.imports(t, libraries["ours"].write(t), libraries["theirs"].write(t), libraries["methods"].write(t))
		if !maps.Equal(exported(t, in), last) {
			t.Error("imported at once they are another catalogue")
		}
	})
}

// Two packs bring the same method. Each stays one nomenclature with it.
func TestAMethodThatTwoPacksBring(t *testing.T) {
	packs := map[string]library{
		"Our plant":   ourMethod(plantEmitting("Our plant", ground)),
		"Their plant": ourMethod(plantEmitting("Their plant", theirGround)),
	}
	onEveryEngine(t, func(t *testing.T, e engine) {
		for _, order := range [][]string{{"Our plant", "Their plant"}, {"Their plant", "Our plant"}} {
			in := install(t, e)
			want := map[string]float64{}
			for _, name := range order {
				in.imports(t, packs[name].write(t))
				want[name+"/Ours"] = 0
				checkNumbers(t, in, want)
			}
		}
	})
}

// A process that two libraries have unchanged belongs to both.
func TestAProcessThatTwoLibrariesBring(t *testing.T) {
	shared := plantEmitting("Shared plant", ground)
	libraries := map[string]library{
		"ours":   plantEmitting("Our plant", lead, zinc).plus(shared),
		"theirs": plantEmitting("Their plant", theirLead, theirZinc).plus(shared),
	}
	onEveryEngine(t, func(t *testing.T, e engine) {
		var scores []map[string]float64
		for _, order := range [][]string{{"ours", "theirs"}, {"theirs", "ours"}} {
			in := install(t, e)
			in.imports(t, ourMethod(library{}).write(t))
			for _, name := range order {
				in.imports(t, libraries[name].write(t))
			}
			scores = append(scores, exportedScores(t, in))
		}
		if !maps.Equal(scores[0], scores[1]) {
			t.Errorf("in one order the scores are %v, in the other %v", scores[0], scores[1])
		}
	})
}
