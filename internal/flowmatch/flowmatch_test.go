package flowmatch

import (
	"slices"
	"strings"
	"testing"

	"cradle/internal/lci"
)

func flow(name, compartment string) lci.Flow {
	return lci.Flow{ID: lci.DerivedID("test", name, compartment), Name: name, Compartment: compartment, Unit: "kg", Type: lci.Elementary}
}

func withCAS(f lci.Flow, cas string) lci.Flow {
	f.CAS = cas
	return f
}

func withSynonyms(f lci.Flow, synonyms ...string) lci.Flow {
	f.Synonyms = synonyms
	return f
}

func withUnit(f lci.Flow, unit string) lci.Flow {
	f.Unit = unit
	return f
}

func mineral(f lci.Flow) lci.Flow { // the same flow in another nomenclature
	f.ID = lci.DerivedID("other", f.ID.String())
	return f
}

func TestMatch(t *testing.T) {
	so2 := withCAS(flow("Sulfur dioxide", "air/unspecified"), "007446-09-5")
	benzene := withCAS(flow("Benzene", "Emissions to air, unspecified"), "71-43-2")
	method := []lci.Flow{
		so2, benzene,
		flow("Ammonia", "emission/air/troposphere/urban"), flow("Ammonia", "emission/air"),
		flow("Phosphate", "water/surface water"), flow("Phosphate", "water/ocean"),
		withSynonyms(flow("Dinitrogen monoxide", "air"), "Laughing gas"),
		flow("Ethane, 1,1,1-trichloro-, HCFC-140", "air/unspecified"),
		flow("Particulates, < 2.5 um", "air/unspecified"), flow("Particulates, > 2.5 um, and < 10um", "air/unspecified"),
		flow("Copper, in ground", "resource/in ground"),
		withUnit(flow("Oil, crude", "resource/in ground"), "MJ"),
		withUnit(flow("Radon-222", "air/unspecified"), "Bq"),
		withCAS(flow("Nitrogen, total", "water"), "7727-37-9"), withCAS(flow("Nitrogen, organic bound", "water"), "7727-37-9"),
		withCAS(flow("Water, river", "resource/in water"), "7732-18-5"),
		flow("Particulates, > 10 um", "air/unspecified"), flow("PM10", "air/unspecified"), flow("Tetrafluoroethane, HFC-134a", "air/unspecified"), flow("", "air/unspecified"),
	}
	for _, c := range []struct {
		name   string
		asked  lci.Flow
		want   []lci.Flow // in order
		route  Route
		factor float64
	}{
		{"by id, whatever it is called", lci.Flow{ID: so2.ID, Name: "x"}, []lci.Flow{so2}, ByID, 1},
		{"by CAS", withCAS(mineral(flow("SO2, anhydrous", "air")), "7446-09-5"), []lci.Flow{so2}, ByCAS, 1},
		{"not by CAS in another medium", withCAS(mineral(flow("SO2, anhydrous", "water")), "7446-09-5"), nil, "", 0},
		{"by name without CAS", mineral(flow("Sulphur dioxide ", "Airborne emissions/")), []lci.Flow{so2}, ByName, 1},
		{"by what everybody calls it", mineral(flow("SO2", "Elementary flows/Emission to air/urban air")), []lci.Flow{so2}, ByName, 1},
		{"in the finest compartment first", mineral(flow("Ammonia", "air/high population density")), method[2:4], ByName, 1},
		{"not in a finer compartment than known", mineral(flow("Phosphate", "water")), nil, "", 0},
		{"a river is fresh water", mineral(flow("Phosphate", "Waterborne emissions/river")), method[4:5], ByName, 1},
		{"the sea is not", mineral(flow("Phosphate", "Emissions to sea water")), method[5:6], ByName, 1},
		{"ground water is neither", mineral(flow("Phosphate", "water/ground-")), nil, "", 0},
		{"by a synonym of the method", mineral(flow("Laughing gas", "air::urban air")), method[6:7], BySynonym, 1},
		{"by a synonym of the inventory", withSynonyms(mineral(flow("E 942", "air")), "N2O", "nitrous oxide"), method[6:7], BySynonym, 1},
		{"by the name as it is spoken", mineral(flow("1,1,1-Trichloroethane", "air")), method[7:8], ByName, 1},
		{"by the trade name in the name", mineral(flow("HCFC-140", "air")), method[7:8], BySynonym, 1},
		{"particles by their size", mineral(flow("Particulate matter, ≤ 2.5µm", "emission/air")), method[8:9], ByName, 1},
		{"particles of a range", mineral(flow("Particulates, > 2.5 um and < 10um", "air")), method[9:10], ByName, 1},
		{"particles above a size", mineral(flow("Particulates, > 10um", "air")), method[16:17], ByName, 1},
		{"particles below a size", mineral(flow("Particulates, < 10 um", "air")), method[17:18], ByName, 1},
		{"by the trade name behind the name", mineral(flow("HFC-134a", "air")), method[18:19], BySynonym, 1},
		{"particles of no size", mineral(flow("Particulates, unspecified", "air")), nil, "", 0},
		{"a resource wherever it lies", mineral(flow("Copper", "Raw materials")), method[10:11], ByName, 1},
		{"not an emission of it", mineral(flow("Copper", "soil/agricultural")), nil, "", 0},
		{"not where units measure something else", mineral(flow("Oil, crude", "resource/in ground")), nil, "", 0},
		{"with the units converted", withUnit(mineral(flow("Radon-222", "air/rural")), "kBq"), method[12:13], ByName, 1_000},
		{"a CAS number of two by the name", withCAS(mineral(flow("Nitrogen, total", "water/river")), "7727-37-9"), method[13:14], ByCAS, 1},
		{"a CAS number of two without a name", withCAS(mineral(flow("Nitrogen", "water/river")), "7727-37-9"), nil, "", 0},
		{"water not by its CAS number", withCAS(mineral(flow("Water, turbine use", "resource/in water")), "7732-18-5"), nil, "", 0},
		{"nothing known but the id", lci.Flow{ID: lci.NewID()}, nil, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := NewMatching(nil).Method(method).Match(c.asked)
			if len(got) != len(c.want) {
				t.Fatalf("got %+v, want %+v", got, c.want)
			}
			for i, m := range got {
				if m.Route != c.route || len(m.Parts) != 1 || m.Parts[0] != (Part{c.want[i].ID, c.factor}) {
					t.Errorf("got %+v, want %+v by %s times %v", m, c.want[i], c.route, c.factor)
				}
			}
		})
	}
}

func TestOriginsOfCarbonAreNotMixed(t *testing.T) {
	all := map[string]string{
		"plain": "Carbon dioxide", "fossil": "Carbon dioxide, fossil", "biogenic": "carbon dioxide (biogenic)",
		"land": "carbon dioxide (land use change)", "methane": "Methane", "fossil methane": "methane (fossil)", "biogenic methane": "Methane, non-fossil",
	}
	for _, c := range []struct {
		name, asked string
		method      string // of the names above
		want        string
	}{
		{"fossil", "carbon dioxide (fossil)", "plain, fossil, biogenic", "fossil"},
		{"fossil under a plain one", "Carbon dioxide, fossil", "plain, biogenic", "plain"},
		{"fossil under biogenic only", "Carbon dioxide, fossil", "biogenic", ""},
		{"biogenic", "Carbon dioxide, non-fossil", "plain, fossil, biogenic", "biogenic"},
		{"biogenic, of a hundred years", "carbon dioxide (biogenic-100yr)", "plain, biogenic", "biogenic"},
		{"biogenic carbon dioxide under a plain one", "Carbon dioxide, biogenic", "plain, fossil", ""},
		{"biogenic methane under a plain one", "Methane, biogenic", "methane, fossil methane", "methane"},
		{"biogenic methane under fossil only", "Methane, biogenic", "fossil methane", ""},
		{"land use", "Carbon dioxide, from soil or biomass stock", "plain, land, fossil", "land"},
		{"land use under a plain one", "Carbon dioxide, land transformation", "plain, fossil, biogenic", "plain"},
		{"land use under fossil only", "Carbon dioxide, land transformation", "fossil, biogenic", ""},
		{"plain", "CO2", "plain, fossil, biogenic", "plain"},
		{"plain under its origins", "Carbon dioxide", "fossil, biogenic, land", "fossil"},
		{"plain under biogenic only", "Carbon dioxide", "biogenic, land", ""},
		{"stored in the soil", "Carbon dioxide, to soil or biomass stock", "plain, fossil, biogenic, land", ""},
		{"taken from the air", "Carbon dioxide, in air", "plain, fossil, biogenic", ""},
	} {
		for _, cas := range []string{"", "124-38-9"} {
			t.Run(c.name+" "+cas, func(t *testing.T) {
				var method []lci.Flow
				want := lci.ID{}
				for _, n := range strings.Split(c.method, ", ") {
					f := flow(all[n], "air")
					if !strings.Contains(n, "methane") {
						f.CAS = cas
					}
					method = append(method, f)
					if n == c.want {
						want = f.ID
					}
				}
				asked := mineral(flow(c.asked, "air"))
				if !strings.Contains(c.asked, "Methane") {
					asked.CAS = cas
				}
				if strings.HasSuffix(c.asked, "in air") {
					asked.Compartment = "resource/in air"
				}
				got := NewMatching(nil).Method(method).Match(asked)
				switch {
				case c.want == "" && len(got) > 0:
					t.Errorf("got %+v", got)
				case c.want != "" && (len(got) != 1 || got[0].Parts[0].Flow != want):
					t.Errorf("got %+v, want %s", got, c.want)
				}
			})
		}
	}
}

func TestLongTermIsLeftOutByWhoTellsItApart(t *testing.T) {
	asked := mineral(flow("Arsenic", "air/low population density, long-term"))
	coarse := flow("Arsenic", "air/unspecified")
	if got := NewMatching(nil).Method([]lci.Flow{coarse}).Match(asked); len(got) != 1 {
		t.Errorf("a method that does not: %v", got)
	}
	if got := NewMatching(nil).Method([]lci.Flow{coarse, flow("Lead", "air/unspecified, long-term")}).Match(asked); len(got) != 0 {
		t.Errorf("a method that does: %v", got)
	}
	own := flow("Arsenic", "air/non-urban air, long-term")
	if got := NewMatching(nil).Method([]lci.Flow{coarse, own}).Match(asked); len(got) != 1 || got[0].Parts[0].Flow != own.ID {
		t.Errorf("a method that has it: %v", got)
	}
}

func TestCompartmentsOfAllNomenclatures(t *testing.T) {
	for want, spellings := range map[string][]string{
		"air/": {"air", "air/unspecified", "Elementary flows/Emission to air/unspecified", "emission/air", "Emissions to air, unspecified", "Airborne emissions", "Emissions to air",
			"Elementary flows/Emissions to air/Emissions to air, unspecified", "Elementary Flows/NETL Elementary Flows/Emission to air"},
		"air/urban": {"air/high population density", "air/urban air close to ground", "air::urban air", "Airborne emissions/high. pop.", "Emissions to air/Emissions to urban air close to ground",
			"emission/air/troposphere/urban", "Elementary flows/Emission to air/high population density"},
		"air/rural": {"air/low population density", "air/non-urban air or from high stacks", "Airborne emissions/low. pop.", "Emissions to non-urban air or from high stacks",
			"emission/air/troposphere/rural"},
		"air/rural/long-term": {"air/low population density, long-term", "Airborne emissions/low. pop., long-term", "air/non-urban air, long-term"},
		"air/stratosphere":    {"air/lower stratosphere + upper troposphere", "Emissions to air/Emissions to lower stratosphere and upper troposphere", "emission/air/stratosphere"},
		"air/indoor":          {"air/indoor", "emission/air/indoor"},
		"water/":              {"water", "Waterborne emissions", "Emissions to water, unspecified", "emission/water"},
		"water/fresh":         {"water/surface water", "Emissions to fresh water", "Elementary flows/Emission to water/surface water", "emission/water/fresh water body"},
		"water/fresh/river":   {"water/river", "Waterborne emissions/river", "emission/water/fresh water body/river"},
		"water/ground":        {"water/ground-", "Waterborne emissions/groundwater", "water/ground water", "emission/water/subterranean"},
		"water/ocean":         {"water/ocean", "Emissions to sea water", "emission/water/saline water body/ocean"},
		"soil/":               {"soil", "Emissions to soil", "emission/ground", "Emissions to soil, unspecified"},
		"soil/agricultural":   {"soil/agricultural", "Emissions to agricultural soil", "emission/ground/human-dominated/agricultural"},
		"soil/industrial":     {"soil/industrial", "Emissions to non-agricultural soil", "emission/ground/human-dominated/industrial"},
		"resource/":           {"resource", "Raw materials", "natural resource", "Raw"},
		"resource/ground":     {"resource/in ground", "Resources/Resources from ground", "natural resource/in ground", "resource/ground/subterranean", "Raw/in ground"},
		"resource/water":      {"resource/in water", "Resources/Resources from water", "resource/water"},
		"resource/land":       {"resource/land", "natural resource/land", "Land use/Land occupation", "resource/ground/human-dominated/agricultural"},
		"resource/biotic":     {"resource/biotic", "natural resource/biotic"},
		"/":                   {"", " "},
	} {
		for _, s := range spellings {
			if c := parseCompartment(s); !c.is(want) {
				t.Errorf("%q is %+v, want %s", s, c, want)
			}
		}
	}
}

func TestMappings(t *testing.T) {
	target := flow("Oil, crude", "resource/ground")
	target.Unit = "MJ"
	barrel := lci.Flow{Name: "Crude", Compartment: "resource/in ground", Unit: "kg"}
	known := mineral(flow("Petroleum", "resource"))
	maps := NewMatching([]Mapping{
		{Source: barrel, Target: lci.Flow{ID: target.ID, Unit: "MJ"}, Factor: 42.0, Exact: true},
		{Source: lci.Flow{ID: known.ID}, Target: lci.Flow{ID: lci.NewID(), Name: "Oil, crude", Compartment: "resource/ground/subterranean", Unit: "MJ"}, Factor: 40},
		{Source: lci.Flow{Name: "Anything crude"}, Target: lci.Flow{ID: target.ID}, Factor: 2},
	})
	for _, c := range []struct {
		name  string
		asked lci.Flow
		want  float64
	}{
		{"by name and compartment", mineral(flow("crude", "Resources/Resources from ground")), 42},
		{"in another unit", withUnit(mineral(flow("crude", "resource/in ground")), "g"), 0.042},
		{"not in another compartment", mineral(flow("crude", "air")), 0},
		{"by id, to a flow by another id", known, 40},
		{"by name alone", withUnit(mineral(flow("Anything crude", "air")), ""), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := maps.Method([]lci.Flow{target}).Match(c.asked)
			if c.want == 0 && len(got) > 0 || c.want != 0 && (len(got) != 1 || got[0].Parts[0].Flow != target.ID || got[0].Route != ByMapping || !near(got[0].Parts[0].Times, c.want)) {
				t.Errorf("got %+v, want %v", got, c.want)
			}
		})
	}
	t.Run("to several", func(t *testing.T) {
		mixed, half, other := mineral(flow("Mixed", "air")), flow("Half", "air"), flow("Other half", "air")
		maps := NewMatching([]Mapping{{Source: mixed, Target: half, Factor: 0.5, Exact: true}, {Source: mixed, Target: other, Factor: 0.5, Exact: true}})
		got := maps.Method([]lci.Flow{half, other}).Match(mixed)
		if len(got) != 1 || !slices.Equal(got[0].Parts, []Part{{half.ID, 0.5}, {other.ID, 0.5}}) {
			t.Errorf("got %+v", got)
		}
		if got := maps.Method([]lci.Flow{mixed}).Match(half); len(got) > 0 {
			t.Errorf("the other way round: %+v", got)
		}
	})
	t.Run("the other way round", func(t *testing.T) {
		method := mineral(flow("Crude", "resource/in ground"))
		if got := maps.Method([]lci.Flow{method}).Match(target); len(got) != 1 || !near(got[0].Parts[0].Times, 1/42.0) {
			t.Errorf("got %+v", got)
		}
	})
}

func near(a, b float64) bool { return a > b*(1-1e-12) && a < b*(1+1e-12) }

func TestReadMappings(t *testing.T) {
	const id = "13e3ee0f-45d2-3061-b7b4-eb2e73ec53d3"
	for name, c := range map[string]struct{ text, want string }{
		"ours":             {"source,compartment,target,factor\nSteam,air," + id + ",2\n", ""},
		"semicolons":       {"source;compartment;target;factor\nSteam;air;" + id + ";2\n", ""},
		"without a factor": {"\uFEFFtarget,source\n" + id + "," + id + "\n", ""},
		"commons":          {"SourceListName,SourceFlowName,SourceFlowUUID,TargetFlowUUID,MatchCondition,ConversionFactor\nx,Steam,," + id + ",~,0.5\n", ""},
		"all of commons": {"SourceFlowName,SourceFlowUUID,SourceFlowContext,SourceUnit,TargetFlowName,TargetFlowUUID,TargetFlowContext,TargetUnit\n" +
			"Steam,00000000-0000-4000-8000-000000000001,air,kg,Water vapour," + id + ",emission/air,kg\n", ""},
		"source id":     {"SourceFlowName,SourceFlowUUID,TargetFlowUUID\nSteam,x," + id + "\n", `line 2: column SourceFlowUUID: "x" is not a UUID`},
		"nothing":       {"", "the file is empty"},
		"other columns": {"name,id\n", "line 1: the columns must be source, "},
		"column twice":  {"source,target,source\n", "line 1: column source appears twice"},
		"no source":     {"source,target\n," + id + "\n", "line 2: column source: must be"},
		"target":        {"source,target\nSteam,x\n", `line 2: column target: "x" is not a UUID`},
		"factor":        {"source,target,factor\nSteam," + id + ",1e999\n", `line 2: column factor: "1e999"`},
		"zero":          {"source,target,factor\nSteam," + id + ",0\n", `line 2: column factor: "0"`},
		"quotes":        {"source,target\n\"Steam," + id + "\n", "line 2: "},
		"fields":        {"source,target\nSteam," + id + ",1\n", "line 2: the line has more fields"},
		"no end":        {"source,target\n\"" + strings.Repeat("x", 2<<20), "a line is longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadMappings(strings.NewReader(c.text))
			if c.want == "" && (err != nil || len(got) != 1 || got[0].Target.ID.String() != id) {
				t.Errorf("got %+v, %v", got, err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzReadMappings(f *testing.F) {
	f.Add([]byte("source,compartment,target,factor\nSteam,air,13e3ee0f-45d2-3061-b7b4-eb2e73ec53d3,2\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := ReadMappings(strings.NewReader(string(text)))
		if err == nil {
			NewMatching(all).Method(nil).Match(flow("Steam", "air"))
		}
	})
}

func FuzzMatch(f *testing.F) {
	f.Add("Carbon dioxide, fossil", "air/urban", "124-38-9")
	f.Add("Ethane, 1,2-dichloro-", "Emissions to air, unspecified", "")
	f.Fuzz(func(t *testing.T, name, place, cas string) {
		asked, same := withCAS(flow(name, place), cas), withCAS(mineral(flow(name, place)), cas)
		// A flow with the same name in the same place is found.
		if got := NewMatching(nil).Method([]lci.Flow{same}).Match(asked); name != "" && len(got) == 0 && parseName(name).key != "" {
			t.Errorf("%q in %q is not found", name, place)
		}
	})
}

func TestCoverage(t *testing.T) {
	c := NewCoverage(lci.Method{Name: "m"})
	c.Add(flow("a", "air"), 3, ByName)
	c.Add(flow("b", "air"), 1, "")
	c.Add(flow("c", "air"), 7, "")
	c.Finish()
	if c.Flows != (Share{3, 1}) || c.Exchanges != (Share{11, 3}) || c.Missing[0].Name != "c" {
		t.Errorf("got %+v", c)
	}
	if i := slices.IndexFunc(c.Routes, func(r ByRoute) bool { return r.Route == ByName }); c.Routes[i] != (ByRoute{ByName, 1, 3}) {
		t.Errorf("got %+v", c.Routes)
	}
}
