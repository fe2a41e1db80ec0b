package simapro

import (
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

const (
	millID  = "0a000000-0000-4000-8000-000000000001"
	co2ID   = "0a000000-0000-4000-8000-000000000002"
	waterID = "0a000000-0000-4000-8000-000000000003"
)

func exchangesByName(rows *ingesttest.Rows, process string) map[string]lci.Exchange {
	by := map[string]lci.Exchange{}
	for _, x := range rows.Of(process) {
		by[x.Name] = x
	}
	return by
}

// An export with everything that SimaPro writes about a process.
func TestWrittenProcessWithEverySection(t *testing.T) {
	rows := readExport(t, export(
		process("Mill", "PlatformId\n"+millID, "Type\nSystem", "Geography\nEurope", "Date\n24.02.2014", "Technology\nWorst case", "Capital goods\nUnspecified",
			"Literature references\nA book;pages 3-5\nA paper;", "System description\nA system;of mills", "Comment\nMakes flour",
			"Products\nflour;kg;2;100;Paper;Food\\Milled;a comment", "Avoided products\nbran;kg;1;Undefined;0;0;0",
			"Materials/fuels\ngrain;kg;3;Lognormal;4;0;0;roughly", "Electricity/heat\npower;kWh;4;Uniform;0;3;5",
			"Resources\nWater;in river;m3;5;Normal;3;0;0;;"+waterID,
			"Emissions to air\nCarbon dioxide;(unspecified);kg;6;Triangle;0;5;9", "Emissions to water\nOdd acid;;kg;7;Undefined;0;0;0",
			"Waste to treatment\nchaff;kg;8;Undefined;0;0;0", "Input parameters\nshare;1;Normal;0.1;0;0;No;told"),
		process("Field", "Products\ngrain;kg;1;100;not defined;Food;"),
		"Literature reference\n\nName\nA book\n\nDocumentation link\nhttps://example.org/book\n\nEnd\n",
		"Literature reference\n\nName\nNobody's\n\nEnd\n",
		"System description\n\nName\nA system\n\nEnd\n",
		"Airborne emissions\nCarbon dioxide;kg;000124-38-9;;"+co2ID+"\nNever named;kg;;;\n\nEnd\n",
		"Waterborne emissions\nOdd acid;kg;no number;;no id\n\nEnd\n"))

	p := rows.Processes[0]
	if p.ID.String() != millID || p.Boundary != lci.Aggregated || p.Region != "Europe" || p.DatePublished != "2014-02-24" || p.Classification != "material/Food/Milled" {
		t.Errorf("%+v", p)
	}
	for _, text := range []string{"Makes flour", "Technology: Worst case", "System description: A system: of mills", "Literature: A book: pages 3-5"} {
		if !strings.Contains(p.Description, text) {
			t.Errorf("the description lacks %q: %q", text, p.Description)
		}
	}
	if strings.Contains(p.Description, "Capital goods") || strings.Join(p.Sources, " ") != "https://example.org/book A paper" {
		t.Errorf("description %q, sources %q", p.Description, p.Sources)
	}

	by := exchangesByName(rows, "Mill")
	if x := by["bran"]; !x.Avoided || x.Direction != lci.Input {
		t.Errorf("%+v", x)
	}
	if x := by["grain"]; x.ProviderID != rows.Processes[1].ID || x.Distribution != lci.Lognormal {
		t.Errorf("%+v", x)
	}
	if x := by["power"]; x.Distribution != lci.Uniform || *x.Minimum != 3 || *x.Maximum != 5 || !x.ProviderID.IsZero() {
		t.Errorf("%+v", x)
	}
	if x := by["Water"]; x.Direction != lci.Input || x.Distribution != lci.Normal || *x.StandardDeviation != 1.5 {
		t.Errorf("twice the deviation is 3: %+v", x)
	}
	if x := by["Carbon dioxide"]; x.FlowID.String() != co2ID || x.Distribution != lci.Triangular || *x.Minimum != 5 || *x.Maximum != 9 {
		t.Errorf("%+v", x)
	}
	if x := by["chaff"]; x.Type != lci.Waste || x.Direction != lci.Output {
		t.Errorf("%+v", x)
	}
	for name, want := range map[string]lci.Flow{
		"Carbon dioxide": {Compartment: "air", CAS: "124-38-9"}, "Water": {Compartment: "resource/in river"}, "Odd acid": {Compartment: "water"},
	} {
		if f := rows.Flow(by[name].FlowID); f.Compartment != want.Compartment || f.CAS != want.CAS || f.Type != lci.Elementary {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := rows.Flow(by["Water"].FlowID); f.ID.String() == waterID {
		t.Error("a substance has its id in a subcompartment, too")
	}
	for kind, skipped := range map[ingest.Kind]int{"substances": 1, "literature references": 1, "system descriptions": 1} {
		if rows.Outcome[kind].Skipped != skipped {
			t.Errorf("%s: %+v", kind, rows.Outcome[kind])
		}
	}
	rows.Says(t, "comments of exchanges", "waste types of products", "uncertainties of parameters", "invalid CAS numbers")
}

// A scenario sends separated and remaining waste to treatments, and a stage
// names the scenarios that apply to it.
func TestWrittenScenarioAndStage(t *testing.T) {
	rows := readExport(t, export(
		"Process\n\nCategory type\nwaste scenario\n\nProcess name\nSorting\n\nWaste scenario\nhousehold waste;kg;-10;All waste types;Waste;\n\n"+
			"Separated waste\nrecycling;All waste types;40;\nrecycling;Paper;10;\n\nRemaining waste\nburning;All waste types;100;\n\nEnd\n",
		"Process\n\nCategory type\nwaste treatment\n\nProcess name\nOven\n\nWaste treatment\nburning;kg;1;All waste types;Waste;\n\nEnd\n",
		"Process\n\nCategory type\nprocessing\n\nProcess name\nPressing\n\nProducts\npressing;kg;1;100;not defined;Work;\n\nEnd\n",
		"Product stage\n\nCategory type\nlife cycle\n\nProducts\nlife;p;1;Others;\n\nProcesses\npressing;kg;2;Undefined;0;0;0\n\nWaste/Disposal scenario\nhousehold waste\n\nEnd\n"))
	sorting := exchangesByName(rows, "Sorting")
	if x := sorting["recycling"]; x.Value != -4 || x.Direction != lci.Output || x.Type != lci.Waste {
		t.Errorf("%+v", x)
	}
	if x := sorting["burning"]; x.Value != -6 || x.ProviderID.IsZero() {
		t.Errorf("%+v", x)
	}
	if x := exchangesByName(rows, "life")["pressing"]; x.Value != 2 || x.ProviderID.IsZero() {
		t.Errorf("%+v", x)
	}
	if n := rows.Outcome[ingest.Exchanges]; n.Skipped != 2 {
		t.Errorf("%+v", n)
	}
	rows.Says(t, `the amount of "Paper" in the waste is not known`, "says what a scenario applies to")
}

func TestWrittenMethodWithEverySection(t *testing.T) {
	rows := readExport(t, export("Method\n\nName\nM\n\nVersion\n3;06\n\nComment\nall of it\n\nUse Damage Assessment\nNo\n\n"+
		"Impact category\nwarming;kg\n\nSubstances\nAir;(unspecified);CO2;124-38-9;1;kg\n\n"+
		"Normalization-Weighting set\nWorld\n\nNormalization\nwarming;2\n\nWeighting\nwarming;3\n\nEnd\n"))
	if len(rows.Methods) != 1 || rows.Methods[0].Version != "3.06" || len(rows.Factors) != 1 || rows.Outcome["normalization and weighting factors"].Skipped != 2 {
		t.Errorf("%+v, %+v", rows.Methods, rows.Outcome)
	}
	rows.Says(t, "comments of methods", "settings of methods")
}

// Without a line that names it, the separator is the most frequent one.
func TestSeparatorThatNothingNames(t *testing.T) {
	text := strings.Replace(export(process("Mill", "Products\nflour\tkg\t2\t100\tnot defined\tFood\t")), "{CSV separator: Semicolon}\n", "", 1)
	if rows := readExport(t, text); len(rows.Exchanges) != 1 || rows.Exchanges[0].Value != 2 {
		t.Errorf("%+v", rows.Exchanges)
	}
}
