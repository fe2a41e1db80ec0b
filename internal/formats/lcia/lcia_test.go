package lcia

import (
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

func readText(t *testing.T, name string, lines ...string) *ingesttest.Rows {
	t.Helper()
	return ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{name: strings.Join(lines, "\n") + "\n"}))
}

func TestRealTablesAreAccountedFor(t *testing.T) {
	for _, c := range []struct {
		file                                         string
		methods, indicators, factors, skipped, flows int
	}{
		{"lcia/olca-refdata", 3, 21, 16397, 210, 0}, // 35 flows stand twice in each of six files
		{"lcia/LCIAformatter_IPCC_GWP_values.csv", 3, 8, 1364, 214, 474},
		{"lcia/LCIAformatter_NETL_TRACI2.1.csv", 1, 1, 35, 0, 35},
		{"lcia/premise_gwp_lcia_gwp2021_100a.xlsx", 1, 1, 248, 0, 248},
		{"brightway-excel/lcia.xlsx", 1, 1, 2, 0, 2},
		{"textbook/iomb_example/lcia_factors.csv", 1, 4, 19, 0, 15},
	} {
		t.Run(c.file, func(t *testing.T) {
			rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, c.file)))
			if len(rows.Methods) != c.methods || len(rows.Indicators) != c.indicators || len(rows.Factors) != c.factors {
				t.Errorf("%d methods, %d indicators, %d factors", len(rows.Methods), len(rows.Indicators), len(rows.Factors))
			}
			if n := rows.Outcome[ingest.Factors]; n.Skipped != c.skipped || n.Read != c.factors+c.skipped {
				t.Errorf("%+v", n)
			}
			if c.flows > 0 && len(rows.Flows) != c.flows {
				t.Errorf("%d flows", len(rows.Flows))
			}
		})
	}
}

func TestReferenceData(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "lcia/olca-refdata")))
	names := map[string]lci.ID{}
	for _, m := range rows.Methods {
		names[m.Name] = m.ID
	}
	if names["TRACI 2.1"].String() != "d2c781ce-21b4-3218-8fca-78133f2c8d4d" || names["CML-IA baseline"].IsZero() || names["IPCC 2021 AR6"].IsZero() {
		t.Errorf("%v", names)
	}
	for _, i := range rows.Indicators {
		if i.ID.String() == "31967441-d687-313d-9910-13da3a584ab7" && (i.Name != "Global warming" || i.Unit != "kg CO2 eq" || i.MethodID != names["TRACI 2.1"]) {
			t.Errorf("%+v", i)
		}
	}
	if len(rows.Flows) != 0 {
		t.Errorf("%d flows of which only the id is known would hide what another library says", len(rows.Flows))
	}
	// every method and category without factors is reported
	if n := rows.Outcome[ingest.Indicators]; n.Read != 516 || n.Stored != 21 {
		t.Errorf("%+v", n)
	}
}

func TestReferenceDataWithFlows(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{
		"lcia_methods.csv":           "ID,Name,Description,Category\n00000000-0000-4000-8000-000000000001,M,,\n",
		"lcia_categories.csv":        "ID,Name,Description,Category,Reference unit\n00000000-0000-4000-8000-000000000002,GWP,,,kg CO2 eq\n",
		"lcia_method_categories.csv": "LCIA method,LCIA category\nM,00000000-0000-4000-8000-000000000002\n",
		"lcia_factors/00000.csv":     "LCIA category,Flow,Flow property,Flow unit,Location,Factor\n00000000-0000-4000-8000-000000000002,00000000-0000-4000-8000-000000000003,Mass,g,,0.025\n",
		"flows.csv":                  "ID,Name,Description,Category,Flow type,CAS number,Chem. formula,Reference flow property\n00000000-0000-4000-8000-000000000003,Methane,,Elementary flows/Emission to air/urban,elementary,000074-82-8,CH4,Mass\n",
		"unit_groups.csv":            "ID,Name,Description,Category,Default flow property,Reference unit\n00000000-0000-4000-8000-000000000004,Units of mass,,,Mass,kg\n",
		"units.csv":                  "ID,Name,Description,Conversion factor,Synonyms,Unit group\n00000000-0000-4000-8000-000000000005,kg,,1.0,,Units of mass\n00000000-0000-4000-8000-000000000006,g,,0.001,,Units of mass\n",
		"flow_properties.csv":        "ID,Name,Description,Category,Unit group,Property type\n00000000-0000-4000-8000-000000000007,Mass,,,Units of mass,physical\n",
	}))
	if f := rows.Flows[0]; f.Name != "Methane" || f.Compartment != "air/urban" || f.CAS != "74-82-8" || f.Unit != "kg" {
		t.Errorf("%+v", f)
	}
	if rows.Factors[0].Value != 25 {
		t.Errorf("0.025 per gram is %v per kilogram", rows.Factors[0].Value)
	}
}

func TestHeadings(t *testing.T) {
	const uuid = "00000000-0000-4000-8000-00000000000a"
	for _, c := range []struct {
		name         string
		lines        []string
		method       string
		indicator    lci.Indicator
		flow         string
		compartment  string
		value        float64
		factors, cut int
	}{
		{"EPA's LCIAformatter", []string{
			"Method,Method UUID,Indicator,Indicator UUID,Indicator unit,Flowable,Flow UUID,Context,Unit,CAS No,Location,Location UUID,Characterization Factor",
			"TRACI2.1," + uuid + ",Global warming,,kg CO2 eq,Methane,,emission/air/troposphere,kg,74-82-8,,,25"},
			"TRACI2.1", lci.Indicator{Category: "Global warming", Name: "Global warming", Unit: "kg CO2 eq"}, "Methane", "air/troposphere", 25, 1, 0},
		{"below a title, with semicolons and commas", []string{
			"Characterisation factors of 2021;;;", ";;;", "Substance;Compartment;Impact category;Factor", "Methane;Air;Climate change;27,9"},
			"table", lci.Indicator{Category: "Climate change", Name: "Climate change", Unit: "unspecified"}, "Methane", "air", 27.9, 1, 0},
		{"a place for each factor", []string{"Flow,Compartment,Indicator,Factor,Location", "Water,Water,AWARE,1,DE", "Water,Water,AWARE,2,"},
			"table", lci.Indicator{Category: "AWARE", Name: "AWARE", Unit: "unspecified"}, "Water", "water", 2, 1, 1},
		{"one column per indicator", []string{"CAS,Substance,GWP100 (kg CO2 eq/kg),ODP [kg CFC-11 eq]", "74-82-8,Methane,27.9,", "75-69-4,CFC-11,6230,1"},
			"table", lci.Indicator{Category: "GWP100", Name: "GWP100", Unit: "kg CO2 eq"}, "Methane", "air", 27.9, 3, 0},
		{"TRACI's columns", []string{"CAS #,Formatted CAS #,Substance Name,Eutrophication Water (kg N eq / kg substance),Acidification Air (kg SO2 eq / kg substance)", "7664417,7664-41-7,AMMONIA,0.779,1.88"},
			"table", lci.Indicator{Category: "Eutrophication Water", Name: "Eutrophication Water", Unit: "kg N eq"}, "AMMONIA", "water", 0.779, 2, 0},
		{"EF's names", []string{"FLOW_uuid,FLOW_name,FLOW_casnumber,FLOW_class0,FLOW_class1,LCIAMethod_name,LCIAMethod_location,CF EF3.1", uuid + ",Methane,74-82-8,Emissions,Emissions to air,Climate change,,29.8"},
			"table", lci.Indicator{Category: "Climate change", Name: "Climate change", Unit: "unspecified"}, "Methane", "air", 29.8, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := readText(t, "table.csv", c.lines...)
			if rows.Methods[0].Name != c.method {
				t.Errorf("method %q", rows.Methods[0].Name)
			}
			got := rows.Indicators[0]
			got.ID, got.MethodID = lci.ID{}, lci.ID{}
			if got != c.indicator {
				t.Errorf("%+v, want %+v", got, c.indicator)
			}
			f := rows.Flows[0]
			if f.Name != c.flow || f.Compartment != c.compartment {
				t.Errorf("%+v", f)
			}
			if len(rows.Factors) != c.factors || rows.Factors[0].Value != c.value || rows.Outcome[ingest.Factors].Skipped != c.cut {
				t.Errorf("%+v %+v", rows.Factors, rows.Outcome)
			}
		})
	}
}

func TestCASNumbers(t *testing.T) {
	for _, c := range []struct {
		cells []string
		want  string
	}{{nil, ""}, {[]string{"74-82-8"}, "74-82-8"}, {[]string{"7664417", "7664-41-7"}, "7664-41-7"}, {[]string{"74828"}, "74-82-8"}, {[]string{"mixture"}, "mixture"}} {
		if got := casOf(c.cells); got != c.want {
			t.Errorf("%v: %q, want %q", c.cells, got, c.want)
		}
	}
}

func TestIPCCTables(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "lcia/LCIAformatter_IPCC_GWP_values.csv")))
	if m := rows.Methods[2]; m.Name != "IPCC" || m.Version != "AR6" {
		t.Errorf("%+v", m)
	}
	if i := rows.Indicators[1]; i.Name != "GWP100" || i.Unit != "kg CO2 eq" {
		t.Errorf("%+v", i)
	}
	if f := rows.Flows[1]; f.Name != "Methane" || f.Compartment != "air" || f.Unit != "kg" || f.Synonyms[0] != "CH4" {
		t.Errorf("%+v", f)
	}
}

func TestRowsThatCannotBeRead(t *testing.T) {
	rows := readText(t, "t.csv", "Flow,Compartment,Indicator,Factor", ",Air,GWP,1", "Methane,Air,GWP,much", "Methane,Air,GWP,", "Methane,Air,GWP,25", "Ethane,Air,GWP,1e999")
	if n := rows.Outcome[ingest.Factors]; n.Read != 5 || n.Stored != 1 || n.Skipped != 4 {
		t.Errorf("%+v", n)
	}
	for _, want := range []string{"t.csv:2: the row does not name a flow", `t.csv:3: the factor "much" of "Methane" is not a number`, `t.csv:4: "Methane" has no factor under "GWP"`} {
		found := false
		for _, n := range rows.Notes {
			found = found || strings.HasPrefix(n.String(), want)
		}
		if !found {
			t.Errorf("%q is not among %v", want, rows.Notes)
		}
	}
}

func TestWhatIsNoFactorTable(t *testing.T) {
	for _, text := range []string{"", "name,density\nsteel,7850\n", "Flow,Amount\na,1\n", "Activity,Category\n", "Directionality,Environmental Media\nEmission,Air\n",
		"Flow name,Category,Sub-category,Sector name,Amount\nCO2,air,unspecified,Mining,9\n", "Sector code,Name,Category,Sub-category\n1,Mining,,\n", "Name,Density (kg/m3),GWP (kg CO2 eq)\nSteel,7850,2\n"} {
		if Detect(ingesttest.Files(t, map[string]string{"x.csv": text})) {
			t.Errorf("%q", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Flow,Compartment,Indicator,Factor\nMethane,Air,GWP,25\n")
	f.Add("AR,Name,CAS,Acronym,Formula,Parameter,Value\nAR6,Methane,74-82-8,,CH4,GWP100,27.9\n")
	f.Add("CAS;Substance;GWP100 (kg CO2 eq);ODP\n1;a;1,5;2\n")
	f.Fuzz(func(t *testing.T, text string) {
		src := ingesttest.Files(t, map[string]string{"x.csv": text})
		if !Detect(src) {
			return
		}
		rows, err := ingesttest.Read(t, Open, src)
		if err != nil {
			return
		}
		for kind, n := range rows.Outcome {
			if n.Read != n.Stored+n.Skipped || n.Skipped < 0 {
				t.Fatalf("%s: %+v", kind, n)
			}
		}
	})
}
