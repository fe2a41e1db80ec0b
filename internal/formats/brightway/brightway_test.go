package brightway

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/ingest/sheet"
	"cradle/internal/lci"
)

func readText(t *testing.T, lines ...string) *ingesttest.Rows {
	t.Helper()
	return ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{"db.csv": strings.Join(lines, "\n") + "\n"}))
}

func TestRealFilesAreAccountedFor(t *testing.T) {
	for _, c := range []struct {
		file                                          string
		processes, exchanges, madeUp, linked, missing int // madeUp: products of activities without a production exchange
	}{
		{"brightway-excel/basic_example.xlsx", 3, 9, 1, 2, 0},
		{"brightway-excel/blank_lines.xlsx", 3, 9, 1, 2, 0},
		{"brightway-excel/example.xlsx", 3, 9, 1, 2, 0},
		{"brightway-excel/example.csv", 3, 13, 1, 2, 4},
		{"brightway-excel/sample_parameterized_database.xlsx", 8, 20, 0, 9, 0}, // the ninth activity is a flow
		{"brightway-excel/premise_lci-ammonia.xlsx", 16, 255, 0, 18, 122},
		{"brightway-excel/premise_lci-home-batteries.xlsx", 12, 103, 0, 17, 74},
		{"brightway-excel/premise_lci-hydrogen-smr-atr-natgas.xlsx", 4, 126, 0, 0, 68},
		{"brightway-excel/premise_lci-hydrogen-turbine.xlsx", 4, 23, 0, 2, 7},
		{"csv/pizzol_test_db_excel_w_ecoinvent.csv", 2, 9, 0, 1, 1},
	} {
		t.Run(c.file, func(t *testing.T) {
			rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, c.file)))
			if len(rows.Processes) != c.processes || len(rows.Exchanges) != c.exchanges+c.madeUp {
				t.Errorf("%d processes, %d exchanges", len(rows.Processes), len(rows.Exchanges))
			}
			if n := rows.Outcome[ingest.Exchanges]; n.Skipped != 0 || n.Read != n.Stored {
				t.Errorf("%+v", n)
			}
			if n := rows.Outside(); n != c.missing {
				t.Errorf("%d inputs name a supplier that is not here", n)
			}
			linked := 0
			for _, x := range rows.Exchanges {
				if slices.ContainsFunc(rows.Processes, func(p lci.Process) bool { return p.ID == x.ProviderID }) {
					linked++
				}
			}
			if linked != c.linked {
				t.Errorf("%d inputs have a supplier", linked)
			}
			for _, p := range rows.Processes {
				if of := rows.Of(p.Name); !slices.ContainsFunc(of, func(x lci.Exchange) bool { return x.Reference }) {
					t.Errorf("%s has no product", p.Name)
				}
			}
		})
	}
}

func TestActivity(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "brightway-excel/basic_example.xlsx")))
	p := rows.Processes[0]
	if p.ID.String() != "d80f3c8f-5d04-d518-ab02-b13aca9ab7c8" || p.Region != "RNA" || p.Classification != "Chemical Manufacturing/All Other Basic Organic Chemical Mnf." || !strings.HasPrefix(p.Description, "100% of elementary") {
		t.Errorf("%+v", p)
	}
	of := rows.Of("Acetic acid, at plant")
	if len(of) != 4 || of[0].Name != "Acetic acid, at plant" || !of[0].Reference {
		t.Fatalf("%+v", of)
	}
	if f := rows.Flow(of[1].FlowID); f.Name != "Ammonia" || f.Compartment != "air/urban air close to ground" || of[1].Value != 0.00057 {
		t.Errorf("%+v %+v", f, of[1])
	}
	if of[3].ProviderID.String() != "af33d5c5-e636-797a-6948-d5b30cf56cc0" || of[3].FlowID != rows.Of("Methanol, at plant")[0].FlowID {
		t.Errorf("methanol is linked: %+v", of[3])
	}
}

func TestFormulasCountMoreThanAmounts(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "brightway-excel/sample_parameterized_database.xlsx")))
	of := rows.Of("Driving an electric car")
	if of[1].Value != 1.0/200000 || of[2].Value != 0.27 {
		t.Errorf("%+v", of)
	}
	if of := rows.Of("Driving an combustion car"); math.Abs(of[2].Value-2.3*0.062) > 1e-15 || rows.Flow(of[2].FlowID).Name != "CO2" {
		t.Errorf("%+v", of)
	}
}

func TestScopesOfParameters(t *testing.T) {
	rows := readText(t, "Project parameters", "name,amount,formula", "a,1,", "b,2,", "", "Database,db", "", "Database parameters", "name,amount,formula", "b,,a*10", "",
		"Activity,mill", "unit,kg", "Parameters", "name,amount,formula", "c,,b**2", "Exchanges", "name,amount,unit,type,formula", "mill,1,kg,production,", "grain,0,kg,technosphere,a+b+c", "salt,7,kg,technosphere,nothing*2",
		"", "Activity,bakery", "unit,kg", "Exchanges", "name,amount,unit,type,formula", "bakery,1,kg,production,", "dust,,kg,biosphere,missing")
	of := rows.Of("mill")
	if len(of) != 3 || of[1].Value != 111 || of[2].Value != 7 {
		t.Fatalf("%+v", of)
	}
	if rows.Classes()[ingest.Formula] != 1 {
		t.Errorf("%v", rows.Notes)
	}
	if want := (ingest.Count{Read: 2, Stored: 1, Skipped: 1}); rows.Outcome[ingest.Processes] != want || !strings.Contains(rows.Unreadable(), `bakery: the amount "missing" of "dust" is not a number`) {
		t.Errorf("%+v %v", rows.Outcome, rows.Notes)
	}
}

func TestTypesOfExchanges(t *testing.T) {
	rows := readText(t, "Database,db", "", "Activity,mill", "unit,kilogram", "location,CH", "reference product,flour", "Exchanges",
		"name,amount,unit,location,type,reference product,categories,input",
		"grain,2,kilogram,,technosphere,grain,,", "bran,0.3,kilogram,CH,production,bran,,", "mill,1,kilogram,CH,production,flour,,",
		"feed,0.3,kilogram,GLO,substitution,feed,,", "Water,5,cubic meter,,biosphere,,natural resource::in water,", "Carbon dioxide,1,kilogram,,biosphere,,air,",
		"odd,1,kilogram,,wizardry,,,", ",4,kilogram,,technosphere,,,db::mill", "treatment,-0.1,kilogram,,technosphere,waste,,")
	of := rows.Of("mill")
	if of[0].Name != "flour" || !of[0].Reference || of[0].Value != 1 {
		t.Fatalf("the product that the activity is named for comes first: %+v", of[0])
	}
	want := []struct {
		name      string
		direction lci.Direction
		value     float64
		avoided   bool
	}{{"flour", "output", 1, false}, {"grain", "input", 2, false}, {"bran", "output", 0.3, false}, {"feed", "input", 0.3, true}, {"Water", "input", 5, false}, {"Carbon dioxide", "output", 1, false}, {"flour", "input", 4, false}, {"waste", "input", -0.1, false}}
	if len(of) != len(want) {
		t.Fatalf("%d exchanges", len(of))
	}
	for i, w := range want {
		if x := of[i]; x.Name != w.name || x.Direction != w.direction || x.Value != w.value || x.Avoided != w.avoided {
			t.Errorf("%+v, want %+v", x, w)
		}
	}
	if rows.Outcome[ingest.Exchanges].Skipped != 1 {
		t.Errorf("%+v", rows.Outcome)
	}
}

func TestUncertaintyByCode(t *testing.T) {
	rows := readText(t, "Database,db", "", "Activity,a", "unit,kg", "Exchanges", "name,amount,unit,type,uncertainty type,loc,scale,minimum,maximum,negative",
		"a,1,kg,production,0,,,,,", "b,2,kg,technosphere,2,0.6931471805599453,0.1,,,False", "c,-2,kg,technosphere,2,0.6931471805599453,0.1,,,True",
		"d,3,kg,technosphere,3,3,0.5,,,", "e,4,kg,technosphere,4,,,3,5,", "f,5,kg,technosphere,5,5,,4,7,", "g,6,kg,technosphere,8,6,1,,,", "h,7,kg,technosphere,2,1.9,(Unknown),,,")
	of := rows.Of("a")
	kinds := []lci.Distribution{lci.Certain, lci.Lognormal, lci.Lognormal, lci.Normal, lci.Uniform, lci.Triangular, lci.Certain, lci.Certain}
	for i, k := range kinds {
		if of[i].Distribution != k {
			t.Errorf("%s: %q, want %q", of[i].Name, of[i].Distribution, k)
		}
	}
	if m := 2 * math.Exp(0.005); math.Abs(*of[1].Mean-m) > 1e-12 || math.Abs(*of[2].Mean+m) > 1e-12 {
		t.Errorf("%v %v", *of[1].Mean, *of[2].Mean)
	}
	if c := rows.Classes(); c[ingest.Dropped]+c[ingest.Doubtful] != 2 {
		t.Errorf("what has no distribution here is told: %v", rows.Notes)
	}
}

func TestAmbiguousNames(t *testing.T) {
	rows := readText(t, "Database,db", "", "Activity,steel", "unit,kg", "location,CN", "", "Activity,steel", "unit,kg", "location,DE", "",
		"Activity,car", "unit,unit", "Exchanges", "name,amount,unit,location,type", "car,1,unit,,production", "steel,900,kg,,technosphere", "steel,100,kg,DE,technosphere")
	of := rows.Of("car")
	if rows.Outside() != 1 || of[2].ProviderID != rows.Processes[1].ID || rows.Classes()[ingest.Ambiguous] != 1 {
		t.Errorf("%+v %v", of, rows.Notes)
	}
}

// A name shared by thousands must not take quadratic time.
func TestOneNameForEverything(t *testing.T) {
	lines := []string{"Database,db", ""}
	for i := range 4_000 {
		lines = append(lines, "Activity,x", fmt.Sprintf("code,c%d", i), fmt.Sprintf("location,L%d", i), "unit,kg", "Exchanges", "name,amount,unit,location,type", "x,1,kg,,production", fmt.Sprintf("x,1,kg,M%d,technosphere", i), "")
	}
	began := time.Now()
	rows := readText(t, lines...)
	if len(rows.Exchanges) != 8_000 || rows.Classes()[ingest.Ambiguous] != 4_000 {
		t.Errorf("%d exchanges, %v", len(rows.Exchanges), rows.Classes())
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestSkippedSheetsAndCutOffColumns(t *testing.T) {
	lib := &Database{}
	r := &reader{lib: lib}
	for _, s := range []struct {
		name string
		rows [][]string
	}{
		{"notes", [][]string{{"skip"}, {"Activity", "none"}}},
		{"data", [][]string{{"cutoff", "3"}, {"Database", "db", "a remark"}, {"Activity", "a"}, {"Exchanges"}, {"name", "amount", "type", "comment"}, {"a", "1", "production", "not read"}}},
	} {
		r.beginSheet(s.name)
		for i, cells := range s.rows {
			r.row(sheetRow(i+1, cells))
		}
	}
	if len(lib.Activities) != 1 || lib.Database != "db" || len(lib.Activities[0].Exchanges) != 1 || lib.Activities[0].Exchanges[0].Fields["comment"] != "" {
		t.Errorf("%+v", lib)
	}
}

func TestFlatTable(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "csv/pizzol_test_db_excel_w_ecoinvent.csv")))
	of := rows.Of("Electricity production")
	if len(of) != 4 || of[0].Value != 10 || of[0].Unit != "kilowatt hour" || of[1].ProviderID.IsZero() || of[1].Distribution != lci.Lognormal {
		t.Fatalf("%+v", of)
	}
	if of[2].FlowID.String() != "349b29d1-3e58-4c66-98b9-9d1a076efd2e" || rows.Flow(of[3].FlowID).Name != "Sulphur dioxide" {
		t.Errorf("%+v", of[2:])
	}
}

func TestWhatIsRefusedOrNoInventory(t *testing.T) {
	_, err := ingesttest.Read(t, Open, ingesttest.Files(t, map[string]string{"db.csv": "Database,db\n\nActivity,a\nExchanges\nname,amount,type\na,1,production\n\"b,1\n"}))
	if err == nil || !strings.Contains(err.Error(), "db.csv:7: a quoted cell is not closed") {
		t.Error(err)
	}
	for _, text := range []string{"", "name,amount\na,1\n", "Activity\n", "Database,x\n"} {
		if Detect(ingesttest.Files(t, map[string]string{"db.csv": text})) {
			t.Errorf("%q", text)
		}
	}
	for file, what := range map[string]string{"lcia.xlsx": "a factor table", "with_formulas.xlsx": "a sheet of two numbers"} {
		if Detect(ingesttest.Open(t, ingesttest.Shared(t, "brightway-excel/"+file))) {
			t.Errorf("%s is no inventory", what)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Database,db\n\nProject parameters\nname,formula\na,b\nb,a\n\nActivity,x\nunit,kg\nParameters\nname,amount\nc,1e999\nExchanges\nname,amount,type,formula,uncertainty type,loc\nx,1,production,,2,9\ny,1,technosphere,a,,\n")
	f.Add("Activity database,Activity code,Exchange input,Exchange amount\ndb,a,b,1\n")
	f.Add("cutoff,2\nDatabase,d\nActivity,a\nActivity,a\n")
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

func sheetRow(line int, cells []string) sheet.Row { return sheet.Row{Line: line, Cells: cells} }
