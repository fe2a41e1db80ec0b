package simapro

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// export makes a file of blocks.
func export(rest ...string) string {
	return "{SimaPro 9.1.0.7}\n{CSV separator: Semicolon}\n{Decimal separator: .}\n{Short date format: dd.MM.yyyy}\n\n" + strings.Join(rest, "\n") + "\n"
}

func process(name string, sections ...string) string {
	return "Process\n\nCategory type\nmaterial\n\nProcess name\n" + name + "\n\n" + strings.Join(sections, "\n\n") + "\n\nEnd\n"
}

func readExport(t *testing.T, text string) *ingesttest.Rows {
	t.Helper()
	return ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{"export.csv": text}))
}

func TestRealExportsAreAccountedFor(t *testing.T) {
	for _, c := range []struct {
		file                          string
		processes, exchanges, skipped int
		methods, indicators, factors  int
	}{
		{"olca_process.csv", 1, 13, 0, 0, 0, 0},
		{"olca-modules_process.csv", 1, 6, 0, 0, 0, 0},
		{"pizzol_LCI1.csv", 3, 19, 0, 0, 0, 0},
		{"olca_waste_scenario.csv", 3, 7, 0, 0, 0, 0},
		{"olca_stages.csv", 12, 42, 8, 0, 0, 0},
		{"olca-modules_method.csv", 0, 0, 0, 1, 2, 49},
		{"olca_method.csv", 0, 0, 0, 1, 29, 97}, // 27 impact and 2 damage categories
		{"olca_method_end.csv", 0, 0, 0, 1, 1, 6},
		{"olca_literature.csv", 0, 0, 0, 0, 0, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "simapro-csv/"+c.file)))
			got := []int{len(rows.Processes), len(rows.Exchanges), rows.Outcome[ingest.Exchanges].Skipped, len(rows.Methods), len(rows.Indicators), len(rows.Factors)}
			want := []int{c.processes, c.exchanges, c.skipped, c.methods, c.indicators, c.factors}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("got %v, want %v", got, want)
				}
			}
			for kind, n := range rows.Outcome {
				if n.Read != n.Stored+n.Skipped {
					t.Errorf("%s: %+v", kind, n)
				}
			}
			if n := rows.Outcome[ingest.Exchanges].Skipped; n > rows.Classes()[ingest.Dropped] {
				t.Errorf("%d exchanges skipped and %d notes", n, rows.Classes()[ingest.Dropped])
			}
		})
	}
}

func TestProcessWithEverySection(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "simapro-csv/olca_process.csv")))
	p := rows.Processes[0]
	if p.ID.String() != "298f6b5c-46f5-11ec-81d3-0242ac130003" || p.Name != "Test process" || p.DatePublished != "2014-02-24" || p.Classification != "material/Agricultural" || p.Boundary != lci.Disaggregated {
		t.Errorf("%+v", p)
	}
	if !strings.HasPrefix(p.Description, "text for comment") || !strings.Contains(p.Description, "Technology: Worst case") || p.Sources[0] != "Ecoinvent 3" {
		t.Errorf("description %q, sources %q", p.Description, p.Sources)
	}
	by := map[string]lci.Exchange{}
	for _, x := range rows.Exchanges {
		by[x.Name] = x
	}
	if x := by["my product"]; !x.Reference || x.Value != 0.5 || x.MaterialID.IsZero() {
		t.Errorf("%+v", x)
	}
	if x := by["Wool, at field/US"]; !x.Avoided || x.Direction != lci.Input {
		t.Errorf("%+v", x)
	}
	if x := by["Electricity, biomass, at power plant/US"]; x.Value != 0.1 || x.Unit != "kWh" {
		t.Errorf("%+v", x)
	}
	if x := by["(+-)-Citronellol"]; x.Distribution != lci.Lognormal || math.Abs(*x.StandardDeviation/(*x.Mean)-math.Sqrt(math.Expm1(math.Pow(math.Log(2)/2, 2)))) > 1e-12 {
		t.Errorf("the square of the geometric deviation is 2: %+v", x)
	}
	if x := by["(1r,4r)-(+)-Camphor"]; x.Distribution != lci.Normal || *x.StandardDeviation != 1.5 {
		t.Errorf("twice the deviation is 3: %+v", x)
	}
	if x := by["1'-Acetoxysafrole"]; x.Distribution != lci.Triangular || *x.Minimum != 1 || *x.Maximum != 5 {
		t.Errorf("%+v", x)
	}
	if x := by["Dummy, Disposal, msw, to sanitary landfill/kg/GLO"]; x.Type != lci.Waste || x.Direction != lci.Output || x.Value != 1 {
		t.Errorf("%+v", x)
	}
	if f := rows.Flow(by["(+-)-Citronellol"].FlowID); f.Compartment != "air/low. pop." || f.CAS != "26489-01-0" || f.Type != lci.Elementary {
		t.Errorf("%+v", f)
	}
	if f := rows.Flow(by["Acids"].FlowID); f.Compartment != "resource" || by["Acids"].Direction != lci.Input {
		t.Errorf("%+v", f)
	}
}

func TestWasteTreatmentAndScenario(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "simapro-csv/olca_waste_scenario.csv")))
	scenario := rows.Of("test waste scenario")
	if len(scenario) != 3 || !scenario[0].Reference || scenario[0].Value != -1 || scenario[0].Type != lci.Waste || scenario[0].Direction != lci.Output {
		t.Fatalf("%+v", scenario)
	}
	if scenario[1].Value != 0.9 || scenario[2].Value != 0.1 || scenario[1].Direction != lci.Output || scenario[1].ProviderID.IsZero() {
		t.Errorf("what is separated and what remains: %+v", scenario[1:])
	}
	if co2 := rows.Of("test waste treatment 1")[1]; co2.FlowID.String() != "dbe27c73-9df4-4f21-b2eb-a0ce1fe87a4b" {
		t.Errorf("a substance's UUID is its id: %v", co2.FlowID)
	}
}

func TestMethodsAndDamage(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "simapro-csv/olca_method.csv")))
	if m := rows.Methods[0]; m.Name != "IMPACTWorld+ (Continental Latin America_Damage 1.431)" || m.Version != "1.431" {
		t.Errorf("%+v", m)
	}
	damage := map[string]lci.ID{}
	for _, i := range rows.Indicators {
		if i.Category == "Damage assessment" {
			damage[i.Name] = i.ID
		}
	}
	var co2 lci.ID
	for _, f := range rows.Flows {
		if f.Name == "Carbon dioxide" {
			co2 = f.ID
		}
	}
	for _, f := range rows.Factors {
		if f.IndicatorID == damage["Ecosystem quality"] && f.FlowID == co2 && math.Abs(f.Value-(0.0165+0.152)) > 1e-15 {
			t.Errorf("marine acidification in the short and the long term: %v", f.Value)
		}
	}
}

func TestParametersInThreeScopes(t *testing.T) {
	rows := readExport(t, export(
		process("lost", "Products\nlost;kg;1;100;not defined;Food;", "Materials/fuels\ngrain;kg;nowhere*2;Undefined;0;0;0;"),
		process("mill", "Products\nflour;kg;2*c;100;not defined;Food;", "Materials/fuels\ngrain;kg;a+p+d;Undefined;0;0;0;", "Input parameters\na;3;Undefined;0;0;0;No;\np;5;Undefined;0;0;0;No;", "Calculated parameters\nc;a^2;"),
		"Database Input parameters\nd;100;Undefined;0;0;0;No;\np;7;Undefined;0;0;0;No;\n\nEnd\n", "Project Calculated parameters\nq;d*2;\n\nEnd\n"))
	of := rows.Of("mill")
	if len(of) != 2 || of[0].Value != 18 || of[1].Value != 108 {
		t.Fatalf("%+v", of)
	}
	if n := rows.Outcome[ingest.Processes]; n.Read != 2 || n.Skipped != 1 || !strings.Contains(rows.Unreadable(), `lost: the amount "nowhere*2" of "grain" cannot be evaluated`) {
		t.Errorf("%+v %v", n, rows.Notes)
	}
}

func TestParametersThatReferToEachOther(t *testing.T) {
	rows := readExport(t, export(process("mill", "Products\nflour;kg;1;100;not defined;Food;", "Materials/fuels\ngrain;kg;a;Undefined;0;0;0;", "Calculated parameters\na;b;\nb;a+1;")))
	if n := rows.Outcome[ingest.Processes]; n.Stored != 0 || n.Skipped != 1 {
		t.Errorf("%+v", n)
	}
}

// A process with an unreadable line is left out, and those around it are
// imported.
func TestUnreadableProcesses(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"an infinite amount", "grain;kg;1e999;Undefined;0;0;0;", "the amount is +Inf"},
		{"no amount", "grain;kg;;Undefined;0;0;0;", `the line under "Materials/fuels" has no name or no amount`},
		{"no name", ";kg;1;Undefined;0;0;0;", `the line under "Materials/fuels" has no name or no amount`},
	} {
		t.Run(c.name, func(t *testing.T) {
			mill := func(name, line string) string {
				return process(name, "Products\n"+name+";kg;1;100;not defined;Food;", "Materials/fuels\n"+line)
			}
			rows := readExport(t, export(mill("before", "a;kg;1;Undefined;0;0;0;"), mill("mill", c.line), mill("behind", "a;kg;1;Undefined;0;0;0;")))
			if n := rows.Outcome[ingest.Processes]; n.Stored != 2 || len(rows.Of("behind")) != 2 || !strings.Contains(rows.Unreadable(), c.want) {
				t.Errorf("%+v %v", n, rows.Notes)
			}
		})
	}
}

func TestSeveralProducts(t *testing.T) {
	rows := readExport(t, export(process("mill", "Products\nflour {CH}| x | U;kg;1;80;not defined;Food\\Cereals;\nbran;kg;0.2;20%;not defined;Food;")))
	of := rows.Of("mill")
	if len(of) != 2 || *of[0].Share != 0.8 || *of[1].Share != 0.2 || !of[1].Reference {
		t.Fatalf("%+v", of)
	}
	if p := rows.Processes[0]; p.Region != "CH" || p.Classification != "material/Food/Cereals" {
		t.Errorf("%+v", p)
	}
}

func TestDialects(t *testing.T) {
	for name, text := range map[string]string{
		"comma":         "{SimaPro 8}\n{CSV separator: Comma}\n{Decimal separator: .}\n\nProcess\n\nProducts\n\"flour, white\",kg,1.5,100,not defined,Food,\n\nEnd\n",
		"tab":           "{SimaPro 8}\n{CSV separator: Tab}\n{Decimal separator: ,}\n\nProcess\n\nProducts\nflour, white\tkg\t1,5\t100\tnot defined\tFood\t\n\nEnd\n",
		"decimal comma": "{SimaPro 8}\n{CSV separator: Semicolon}\n{Decimal separator: ,}\n\nProcess\n\nProducts\nflour, white;kg;0,5*3;100;not defined;Food;\n\nEnd\n",
		"CRLF, padded":  "{SimaPro 8};;\r\n{CSV separator: Semicolon};;\r\n;;\r\nProcess;;\r\n;;\r\nProducts;;\r\nflour, white;kg;1.5;100;not defined;Food;\r\n;;\r\nEnd;;\r\n",
		"no header":     "Process\n\nProducts\nflour, white;kg;1.5;100;not defined;Food;\n\nEnd\n",
	} {
		t.Run(name, func(t *testing.T) {
			rows := readExport(t, text)
			if len(rows.Exchanges) != 1 || rows.Exchanges[0].Value != 1.5 || rows.Exchanges[0].Name != "flour, white" {
				t.Errorf("%+v", rows.Exchanges)
			}
		})
	}
}

func TestWindowsEncodingAndLineEndsInComments(t *testing.T) {
	rows := readExport(t, export("Process\n\nComment\n\"M\xfcller; erste Zeile\x7fzweite\"\n\nProducts\nMehl \xb5;kg;1;100;not defined;;\n\nEnd\n"))
	if p := rows.Processes[0]; p.Name != "Mehl µ" || p.Description != "Müller; erste Zeile\nzweite" {
		t.Errorf("%q %q", p.Name, p.Description)
	}
}

func TestProcessThatStandsInTwoExports(t *testing.T) {
	mill := export("Process\n\nProcess identifier\nDev1\n\nProducts\nflour;kg;1;100;not defined;;\n\nEnd\n")
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{"a.csv": mill, "b.csv": mill}))
	if n := rows.Outcome[ingest.Processes]; n.Read != 2 || n.Stored != 1 || n.Skipped != 1 {
		t.Errorf("%+v", n)
	}
}

// A name shared by thousands must not take quadratic time.
func TestOneNameForEverything(t *testing.T) {
	var b strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&b, "Process\n\nProcess identifier\nDev%d\n\nProducts\nx;kg;1;100;not defined;;\n\nMaterials/fuels\nx;kg;0.1;Undefined;0;0;0;\n\nEnd\n", i)
	}
	began := time.Now()
	rows := readExport(t, export(b.String()))
	if len(rows.Exchanges) != 10_000 {
		t.Errorf("%d exchanges", len(rows.Exchanges))
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestWhatIsRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no end", export("Process\n\nProducts\na;kg;1;100;;;"), `export.csv:6: the block "Process" has no End`},
		{"quote not closed", export("Process\n\nComment\n\"a\n\nEnd"), "export.csv:9: a quoted cell is not closed"},
		{"not UTF-8 and not Windows", export(process("\u00fc\u00fc\u00fc\xff", "Products\na;kg;1;100;;;")), "UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ingesttest.Read(t, Open, ingesttest.Files(t, map[string]string{"export.csv": c.text}))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// An indicator with an unreadable factor is left out, along with the damage
// category that sums it up.
func TestUnreadableFactors(t *testing.T) {
	rows := readExport(t, export("Method\n\nName\nm\n\nImpact category\nGWP;kg\n\nSubstances\nAir;;CO2;;1;kg\n\nImpact category\nODP;kg\n\nSubstances\nAir;;CO2;;nothing*2;kg\n\n"+
		"Damage category\nd;u\n\nImpact categories\nGWP;2\n\nDamage category\ne;u\n\nImpact categories\nGWP;2\nODP;1\n\nDamage category\nf;u\n\nImpact categories\nLost;1\n\nEnd\n"))
	var names []string
	for _, i := range rows.Indicators {
		names = append(names, i.Name)
	}
	if got := strings.Join(names, " "); got != "GWP d" || rows.Outcome[ingest.Indicators].Skipped != 3 || !strings.Contains(rows.Unreadable(), `the factor "nothing*2" of "CO2" cannot be evaluated`) {
		t.Errorf("%s, %v", got, rows.Notes)
	}
}

// Some versions of SimaPro 8 write the header without braces.
func TestHeaderWithoutBraces(t *testing.T) {
	header := "SimaPro 8.0\n%s\nDate: 07/03/2014\nTime: 15:52:27\nProject: Test\nCSV Format version: 7.0.0\nCSV separator: Semicolon\nDecimal separator: ,\nDate separator: /\nShort date format: dd/MM/yyyy\nSelection: Selection (1)\n\n"
	mill := "Process\n\nProcess identifier\nDev1\n\nProcess name\nmill\n\nDate\n05/03/2013\n\nProducts\nflour;kg;1,5;100;not defined;;\n\nEnd\n"
	method := "Method\n\nName\nm\n\nImpact category\nGWP;kg\n\nSubstances\nAir;;CO2;;1,5;kg\n\nEnd\n"
	for name, text := range map[string]string{
		"processes": fmt.Sprintf(header, "processes") + mill, "methods": fmt.Sprintf(header, "methods") + method,
		"with the cells of the rest": strings.ReplaceAll(fmt.Sprintf(header, "processes"), "\n", ";;;\n") + mill,
		"without the program":        strings.TrimPrefix(fmt.Sprintf(header, "processes"), "SimaPro 8.0\nprocesses\n") + mill,
		"with a mark":                "\ufeff" + fmt.Sprintf(header, "processes") + mill,
	} {
		t.Run(name, func(t *testing.T) {
			rows := readExport(t, text)
			if name == "methods" {
				if len(rows.Factors) != 1 || rows.Factors[0].Value != 1.5 || len(rows.Methods) != 1 || len(rows.Notes) > 0 {
					t.Errorf("%+v, %v", rows.Factors, rows.Notes)
				}
				return
			}
			if len(rows.Exchanges) != 1 || rows.Exchanges[0].Value != 1.5 || rows.Processes[0].DatePublished != "2013-03-05" || len(rows.Notes) > 0 {
				t.Errorf("%+v, %+v, %v", rows.Exchanges, rows.Processes, rows.Notes)
			}
		})
	}
}

func TestWhatIsNoExport(t *testing.T) {
	for _, text := range []string{"", "a;b\n1;2\n", "{\"a\": 1}", "Process;kg\n1;2\n", "Products\n\nEnd\n", "SimaPro is a program: see below\nfor more\n"} {
		if Detect(ingesttest.Files(t, map[string]string{"x.csv": text})) {
			t.Errorf("%q", text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(export(process("mill", "Products\nflour;kg;1;100;not defined;Food;", "Materials/fuels\ngrain;kg;a;Lognormal;1.2;0;0;", "Input parameters\na;3;Undefined;0;0;0;No;")))
	f.Add(export("Method\n\nName\nm\n\nVersion\n1;2\n\nImpact category\nGWP;kg\n\nSubstances\nAir;;CO2;;1;kg\n\nDamage category\nd;u\n\nImpact categories\nGWP;2\n\nEnd\n"))
	f.Add("Product stage\n\nProducts\na;p;1;;\n\nAssembly\nb;p;x;\n\nEnd\nUnits\ng;Mass;0.001;kg\n\nEnd\n")
	f.Add("Process\n\nWaste scenario\nw;kg;1;;\n\nSeparated waste\nt;;90\n\nRemaining waste\nu;;100\n\nEnd")
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
