package lcia

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// told lists the factors as a reader of the table would.
func told(rows *ingesttest.Rows) []string {
	var list []string
	for _, f := range rows.Factors {
		i := rows.Indicators[slices.IndexFunc(rows.Indicators, func(i lci.Indicator) bool { return i.ID == f.IndicatorID })]
		m := rows.Methods[slices.IndexFunc(rows.Methods, func(m lci.Method) bool { return m.ID == i.MethodID })]
		flow := rows.Flow(f.FlowID)
		list = append(list, fmt.Sprintf("%s: %s [%s]: %s (%s) %v per %s", m.Name, i.Name, i.Unit, flow.Name, flow.Compartment, f.Value, f.Unit))
	}
	return list
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An export of the Federal LCA Commons with a column for each indicator.
func TestColumnsOfIndicators(t *testing.T) {
	rows := readText(t, "TRACI.csv",
		"Flowable,Context,Unit,UUID,Acidification Potential [kg SO2 eq],Global warming,Human toxicity (cancer) [CTUh],Remarkable,Empty",
		"Sulfur dioxide,emission/air,kg,00000000-0000-4000-8000-000000000001,1,,n/a,yes,",
		"Methane,emission/air,kg,00000000-0000-4000-8000-000000000002,,25,1e-9,no,",
		"Ammonia,emission/air,kg,00000000-0000-4000-8000-000000000003,1.88,-,unknown,maybe,")
	same(t, told(rows), []string{
		"TRACI: Acidification Potential [kg SO2 eq]: Sulfur dioxide (air) 1 per kg", "TRACI: Acidification Potential [kg SO2 eq]: Ammonia (air) 1.88 per kg",
		"TRACI: Global warming [kg CO2 eq]: Methane (air) 25 per kg", "TRACI: Human toxicity (cancer) [CTUh]: Methane (air) 1e-09 per kg",
	})
	if rows.Factors[0].FlowID.String() != "00000000-0000-4000-8000-000000000001" {
		t.Error("ids stay")
	}
	if n := rows.Outcome[ingest.Factors]; n.Read != 5 || n.Skipped != 1 {
		t.Errorf("a cell that is no number is named: %+v %v", n, rows.Notes)
	}
	for _, want := range []string{`the column "Remarkable" is not stored`, `the column "Empty" is not stored`, `the factor "unknown" of "Ammonia" is not a number`} {
		if !strings.Contains(fmt.Sprint(rows.Notes), want) {
			t.Errorf("%q is not among %v", want, rows.Notes)
		}
	}
}

func TestTwoColumnsOfOneHeading(t *testing.T) {
	rows := readText(t, "t.csv", "Flowable,Context,Toxicity [CTUh],Toxicity [CTUh],Toxicity [CTUe]", "Lead,air,1,2,3")
	same(t, told(rows), []string{"t: Toxicity [CTUh]: Lead (air) 1 per ", "t: Toxicity (2) [CTUh]: Lead (air) 2 per ", "t: Toxicity [CTUe]: Lead (air) 3 per "})
	if rows.Classes()[ingest.Doubtful] != 1 {
		t.Errorf("%v", rows.Notes)
	}
}

// A column whose first factor is far down is a factor column.
func TestSparseColumns(t *testing.T) {
	lines := []string{"Flowable,Context,AP,Rare"}
	for i := range 1_000 {
		lines = append(lines, fmt.Sprintf("f%d,air,1,", i))
	}
	rows := readText(t, "t.csv", append(lines, "last,air,1,7")...)
	if len(rows.Indicators) != 2 || rows.Factors[len(rows.Factors)-1].Value != 7 {
		t.Errorf("%+v", rows.Indicators)
	}
}

// Workbooks like that of ReCiPe: a sheet for each impact category, and headings
// in several rows, where one over several columns is in the first.
var sheets = []ingesttest.Sheet{
	{Name: "Version", Lines: []string{"Characterization factors, version 1.1", "Updated|2018"}},
	{Name: "Global Warming", Lines: []string{
		"Midpoint characterization factors", "", "Please cite the report",
		"||||Global warming|||Note", "||||kg CO2 eq/kg GHG||", "Name|Alternative name|CAS|Emission compartment|Individualist (20 yrs)|Hierarchist (100 yrs)|Egalitarian (1000 yrs)|",
		"Methane|CH4|74-82-8|Air|84|34|4.8|fossil", "Nitrous oxide||10024-97-2|Air|264|298|n/a|"}},
	{Name: "Terrestrial acidification", Lines: []string{
		"Name|Emission Compartment|Sub-compartment|CF||", "|||Individualist|Hierarchist|Egalitarian", "|||kg SO2 eq/kg||",
		"NH3|Air|urban|1.96|1.96|1.96"}},
	{Name: "Mineral resource scarcity", Lines: []string{"Name|SOP (kg Cu-eq/kg)", "Aluminium|0.17"}},
}

var sheetsTold = []string{
	"ReCiPe (Individualist): Global warming [kg CO2 eq]: Methane (air) 84 per kg", "ReCiPe (Individualist): Global warming [kg CO2 eq]: Nitrous oxide (air) 264 per kg",
	"ReCiPe (Hierarchist): Global warming [kg CO2 eq]: Methane (air) 34 per kg", "ReCiPe (Hierarchist): Global warming [kg CO2 eq]: Nitrous oxide (air) 298 per kg",
	"ReCiPe (Egalitarian): Global warming [kg CO2 eq]: Methane (air) 4.8 per kg",
	"ReCiPe (Individualist): Terrestrial acidification [kg SO2 eq]: NH3 (air/urban) 1.96 per kg", "ReCiPe (Hierarchist): Terrestrial acidification [kg SO2 eq]: NH3 (air/urban) 1.96 per kg",
	"ReCiPe (Egalitarian): Terrestrial acidification [kg SO2 eq]: NH3 (air/urban) 1.96 per kg",
	"ReCiPe: SOP [kg Cu-eq]: Aluminium () 0.17 per kg",
}

func TestHeadingsInSeveralRows(t *testing.T) {
	src := ingesttest.Files(t, map[string]string{"ReCiPe.xlsx": ingesttest.Workbook(t, sheets...)})
	if !Detect(src) {
		t.Fatal("not recognised")
	}
	rows := ingesttest.MustRead(t, Open, src)
	same(t, told(rows), sheetsTold)
	if f := rows.Flows[0]; f.CAS != "74-82-8" || !slices.Equal(f.Synonyms, []string{"CH4"}) {
		t.Errorf("%+v", f)
	}
	if rows.Outcome["tables"].Skipped != 1 {
		t.Errorf("%+v", rows.Outcome)
	}
}

func TestHeadingsInSeveralRowsOfText(t *testing.T) {
	lines := strings.ReplaceAll(strings.Join(sheets[1].Lines, "\n"), "|", ";")
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{"ReCiPe.csv": lines + "\n"}))
	same(t, told(rows), sheetsTold[:5])
}

func TestPerspectives(t *testing.T) {
	book := ingesttest.Workbook(t,
		ingesttest.Sheet{Name: "Ionizing radiation", Lines: []string{"Name (in the report)|Emission compartment|Unit|CF||", "|||(kBq Co-60 eq/kBq)||", "|||I|H|E", "Caesium-137|freshwater|kBq Co-60 eq/kBq|1|2|3"}},
		ingesttest.Sheet{Name: "Eutrophication", Lines: []string{"Name|Emission compartment|all perspectives", "Phosphorus|freshwater|1"}})
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{"R.xlsx": book}))
	same(t, told(rows), []string{
		"R (Individualist): Ionizing radiation [kBq Co-60 eq]: Caesium-137 (freshwater) 1 per kBq", "R (Hierarchist): Ionizing radiation [kBq Co-60 eq]: Caesium-137 (freshwater) 2 per kBq",
		"R (Egalitarian): Ionizing radiation [kBq Co-60 eq]: Caesium-137 (freshwater) 3 per kBq", "R (Individualist): Eutrophication [unspecified]: Phosphorus (freshwater) 1 per ",
		"R (Hierarchist): Eutrophication [unspecified]: Phosphorus (freshwater) 1 per ", "R (Egalitarian): Eutrophication [unspecified]: Phosphorus (freshwater) 1 per ",
	})
	if len(rows.Methods) != 3 {
		t.Errorf("%+v", rows.Methods)
	}
}

// The user can name the format of a factor table that is not recognised.
func TestUnsureTables(t *testing.T) {
	src := ingesttest.Files(t, map[string]string{"t.csv": "Substance,Harm,Good\nLead,1,2\n"})
	if Detect(src) {
		t.Error("names and numbers may be anything")
	}
	same(t, told(ingesttest.MustRead(t, Open, src)), []string{"t: Harm [unspecified]: Lead () 1 per ", "t: Good [unspecified]: Lead () 2 per "})
}

func TestMediumOfAHeading(t *testing.T) {
	for heading, want := range map[string]string{"Acidification Air (kg SO2 eq)": "air", "GWP100": "air", "Global warming": "air", "Water use": "", "Eutrophication Water": "water", "Land": ""} {
		if got := mediumOf(heading); got != want {
			t.Errorf("%s: %q, want %q", heading, got, want)
		}
	}
}
