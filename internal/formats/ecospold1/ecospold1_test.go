package ecospold1

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// file makes an EcoSpold 1 file of datasets.
func file(datasets ...string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold01">` + strings.Join(datasets, "") + `</ecoSpold>`
}

// process makes a dataset of a unit process.
func process(name, location, unit, flowData string) string {
	return fmt.Sprintf(`<dataset number="1"><metaInformation><processInformation>
		<referenceFunction name=%q unit=%q amount="1" category="metals" subCategory="production" infrastructureProcess="false"/>
		<geography location=%q/><dataSetInformation type="1" timestamp="2011-10-26T03:48:22"/>
		</processInformation></metaInformation><flowData>%s</flowData></dataset>`, name, unit, location, flowData)
}

func exch(side, group, attributes string) string {
	return fmt.Sprintf(`<exchange number="1" %s><%sGroup>%s</%sGroup></exchange>`, attributes, side, group, side)
}

func read(t *testing.T, documents ...string) *ingesttest.Rows {
	t.Helper()
	files := map[string]string{}
	for i, d := range documents {
		files[fmt.Sprintf("%d.xml", i)] = d
	}
	return ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
}

func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		path                        string
		processes, exchanges, flows int
		references, elementary      int
		spread, allocations, skips  int
	}{
		{"ecospold1/uslci_fy20_q3_01_olca1_10_3_ecospold.zip", 631, 37_349, 3_870, 807, 29_768, 370, 0, 1},
		{"ecospold1/Acetic_acid_at_plant.xml", 1, 21, 21, 2, 7, 0, 38, 0},
		{"ecospold1/Aluminum_extrusion_at_plant.xml", 1, 600, 600, 1, 586, 0, 0, 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			src := ingesttest.Open(t, ingesttest.Shared(t, c.path))
			if !Detect(src) {
				t.Fatal("not recognised")
			}
			rows := ingesttest.MustRead(t, Open, src)
			all := ingest.Count{Read: c.exchanges, Stored: c.exchanges}
			if got := rows.Outcome[ingest.Exchanges]; got != all || len(rows.Exchanges) != c.exchanges {
				t.Errorf("exchanges: %+v, %d handed over", got, len(rows.Exchanges))
			}
			if len(rows.Processes) != c.processes || len(rows.Flows) != c.flows || len(rows.Allocations) != c.allocations {
				t.Errorf("%d processes, %d flows, %d allocations", len(rows.Processes), len(rows.Flows), len(rows.Allocations))
			}
			references, elementary, spread := 0, 0, 0
			for _, x := range rows.Exchanges {
				if x.Reference {
					references++
				}
				if x.Type == lci.Elementary {
					elementary++
				}
				if x.Distribution != lci.Certain {
					spread++
				}
			}
			if references != c.references || elementary != c.elementary || spread != c.spread {
				t.Errorf("%d reference products, %d elementary exchanges, %d uncertain", references, elementary, spread)
			}
			if got := rows.Outcome["files"].Skipped; got != c.skips {
				t.Errorf("%d files skipped", got)
			}
		})
	}
}

func TestGroups(t *testing.T) {
	rows := read(t, file(process("Steel, at plant", "DE", "kg",
		exch("output", "0", `name="Steel, at plant" location="DE" unit="kg" meanValue="2" CASNumber="NaN"`)+
			exch("output", "1", `name="Gravel" location="DE" unit="kg" meanValue="3"`)+
			exch("output", "2", `name="Slag" location="DE" unit="t" meanValue="0.5"`)+
			exch("output", "3", `name="Dust" location="DE" unit="kg" meanValue="4"`)+
			exch("output", "4", `name="Carbon dioxide" category="air" subCategory="low population density" CASNumber="000124-38-9" unit="kg" meanValue="5"`)+
			exch("input", "1", `name="Ore" location="BR" unit="kg" meanValue="6"`)+
			exch("input", "3", `name="Inspection" location="DE" unit="h" meanValue="7"`)+
			exch("input", "4", `name="Water, river" category="resource" subCategory="in water" unit="m3" meanValue="8"`)+
			exch("input", "5", `name="Electricity" location="DE" unit="kWh" meanValue="9"`))))
	want := []string{
		"output Steel, at plant 2 kg intermediate true false", "input Gravel 3 kg intermediate false true", "output Slag 0.5 t intermediate true false",
		"output Dust 4 kg waste false false", "output Carbon dioxide 5 kg elementary false false", "input Ore 6 kg intermediate false false",
		"input Inspection 7 h intermediate false false", "input Water, river 8 m3 elementary false false", "input Electricity 9 kWh intermediate false false",
	}
	for i, x := range rows.Exchanges {
		if got := fmt.Sprint(x.Direction, " ", x.Name, " ", x.Value, " ", x.Unit, " ", x.Type, " ", x.Reference, " ", x.Avoided); got != want[i] {
			t.Errorf("exchange %d: %s, want %s", i, got, want[i])
		}
	}
	p := rows.Processes[0]
	if p.Name != "Steel, at plant" || p.Region != "DE" || p.Boundary != lci.Disaggregated || p.DatePublished != "2011-10-26" || p.Classification != "metals/production" || p.FunctionalUnit != "2 kg" {
		t.Errorf("process: %+v", p)
	}
	co2 := rows.Flow(rows.Exchanges[4].FlowID)
	if co2.CAS != "124-38-9" || co2.Compartment != "air/low population density" {
		t.Errorf("carbon dioxide: %+v", co2)
	}
	if c := rows.Flow(rows.Exchanges[7].FlowID).Compartment; c != "resource/in water" {
		t.Errorf("water comes from %q", c)
	}
}

func TestKinds(t *testing.T) {
	for kind, want := range map[string]lci.Boundary{"0": lci.Aggregated, "1": lci.Disaggregated, "2": lci.Aggregated, "5": lci.Disaggregated} {
		rows := read(t, file(strings.Replace(process("A", "DE", "kg", exch("output", "0", `name="A" unit="kg" meanValue="1"`)), `type="1"`, `type="`+kind+`"`, 1)))
		if got := rows.Processes[0].Boundary; got != want {
			t.Errorf("type %s is %s", kind, got)
		}
	}
}

// An input is identified by its name, location and unit.
func TestLinks(t *testing.T) {
	product := func(location, unit string) string {
		return process("Power", location, unit, exch("output", "0", fmt.Sprintf(`name="Power" location=%q unit=%q meanValue="1"`, location, unit)))
	}
	user := func(attributes string) string {
		return process("User", "DE", "kg", exch("output", "0", `name="User" unit="kg" meanValue="1"`)+exch("input", "5", `name="Power" meanValue="1" `+attributes))
	}
	supplier := func(rows *ingesttest.Rows) string {
		flow := rows.Of("User")[1].FlowID
		for _, p := range rows.Processes {
			for _, x := range rows.Exchanges {
				if x.ProcessID == p.ID && x.Reference && x.FlowID == flow {
					return p.Region
				}
			}
		}
		return ""
	}
	for _, c := range []struct {
		name, input string
		producers   []string
		want        string
		note        ingest.Class
	}{
		{"by location", `location="CH" unit="kWh"`, []string{product("DE", "kWh"), product("CH", "kWh")}, "CH", ""},
		{"in another unit", `location="CH" unit="MJ"`, []string{product("DE", "kWh"), product("CH", "kWh")}, "CH", ""},
		{"of another quantity", `location="CH" unit="kg"`, []string{product("CH", "kWh")}, "", ""},
		{"without location, made here", `unit="kWh"`, []string{product("DE", "kWh"), product("CH", "kWh")}, "DE", ""},
		{"without location, made in one place", `unit="kWh"`, []string{product("CH", "kWh")}, "CH", ""},
		{"without location, made in two places", `unit="kWh"`, []string{product("CH", "kWh"), product("FR", "kWh")}, "", ingest.Ambiguous},
		{"made elsewhere", `location="AT" unit="kWh"`, []string{product("CH", "kWh")}, "", ingest.Unlinked},
		{"infrastructure is something else", `location="CH" unit="kWh" infrastructureProcess="true"`, []string{product("CH", "kWh")}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := read(t, file(append(c.producers, user(c.input))...))
			if got := supplier(rows); got != c.want {
				t.Errorf("supplied by %q, want %q", got, c.want)
			}
			if c.note != "" && rows.Classes()[c.note] != 1 {
				t.Errorf("notes: %v", rows.Notes)
			}
		})
	}
}

func TestDatasetsOfOneNameAreTold(t *testing.T) {
	one := process("Power", "DE", "kWh", exch("output", "0", `name="Power" unit="kWh" meanValue="1"`))
	rows := read(t, file(one, strings.Replace(one, `number="1"`, `number="2"`, 1)))
	if len(rows.Processes) != 2 || rows.Processes[0].ID == rows.Processes[1].ID || rows.Classes()[ingest.Ambiguous] != 2 {
		t.Errorf("processes %v, notes %v", rows.Processes, rows.Notes)
	}
	if same := read(t, file(one), file(one)); len(same.Processes) != 2 || same.Processes[0].ID == same.Processes[1].ID {
		t.Errorf("of one number: %v", same.Processes)
	}
	again := read(t, file(one, strings.Replace(one, `number="1"`, `number="2"`, 1)))
	if again.Processes[1].ID != rows.Processes[1].ID {
		t.Error("another id at the second reading")
	}
}

// A dataset whose product is a waste of others has it as a negative output.
func TestWasteTreatment(t *testing.T) {
	rows := read(t,
		file(process("Slag treatment", "DE", "kg", exch("output", "0", `name="Slag" location="DE" unit="kg" meanValue="1"`))),
		file(process("Steel", "DE", "kg", exch("output", "0", `name="Steel" unit="kg" meanValue="1"`)+exch("output", "3", `name="Slag" unit="kg" meanValue="0.2"`))))
	treatment, waste := rows.Of("Slag treatment")[0], rows.Of("Steel")[1]
	if !treatment.Reference || treatment.Value != -1 || treatment.Type != lci.Waste || treatment.Direction != lci.Output {
		t.Errorf("treatment: %+v", treatment)
	}
	if waste.FlowID != treatment.FlowID || waste.Value != 0.2 || waste.Type != lci.Waste || waste.Direction != lci.Output {
		t.Errorf("waste: %+v", waste)
	}
}

func TestAllocation(t *testing.T) {
	dataset := func(whole string, fractions ...string) string {
		flows := `<exchange number="1" name="Ore" unit="kg" meanValue="5"><inputGroup>5</inputGroup></exchange>
			<exchange number="2" name="Copper" unit="kg" meanValue="1"><outputGroup>2</outputGroup></exchange>
			<exchange number="3" name="Gold" unit="g" meanValue="1"><outputGroup>2</outputGroup></exchange>
			<allocation referenceToCoProduct="2" fraction="` + fractions[0] + `"><referenceToInputOutput>1</referenceToInputOutput><referenceToInputOutput>2</referenceToInputOutput></allocation>
			<allocation referenceToCoProduct="3" fraction="` + fractions[1] + `"><referenceToInputOutput>1</referenceToInputOutput></allocation>`
		return file(process(whole, "DE", "kg", flows))
	}
	for _, c := range []struct{ name, copper, gold string }{{"percentages", "90", "10"}, {"parts of one", "0.9", "0.1"}} {
		rows := read(t, dataset("Gold", c.copper, c.gold))
		if first := rows.Exchanges[0]; first.Name != "Gold" || !first.Reference {
			t.Errorf("%s: the reference is %+v, not what the dataset is named for", c.name, first)
		}
		if len(rows.Allocations) != 2 || math.Abs(rows.Allocations[0].Share-0.9) > 1e-12 || math.Abs(rows.Allocations[1].Share-0.1) > 1e-12 {
			t.Errorf("%s: %+v", c.name, rows.Allocations)
		}
	}
	missing := read(t, strings.Replace(dataset("Gold", "90", "10"), `referenceToCoProduct="3"`, `referenceToCoProduct="7"`, 1))
	if missing.Classes()[ingest.Missing] != 1 {
		t.Errorf("notes: %v", missing.Notes)
	}
}

func TestUncertainty(t *testing.T) {
	for _, c := range []struct {
		name, attributes string
		distribution     lci.Distribution
		mean, sd         float64
	}{
		{"lognormal", `uncertaintyType="1" standardDeviation95="1.21"`, lci.Lognormal, 2 * math.Exp(math.Pow(math.Log(1.1), 2)/2), 0.19192},
		{"normal", `uncertaintyType="2" standardDeviation95="0.4"`, lci.Normal, 2, 0.2},
		{"triangular", `uncertaintyType="3" minValue="1" mostLikelyValue="2" maxValue="6"`, lci.Triangular, 3, math.Sqrt(7.0 / 6)},
		{"triangular without its top", `uncertaintyType="3" minValue="1" maxValue="4"`, lci.Triangular, 2, math.Sqrt(9.0 / 18)},
		{"uniform", `uncertaintyType="4" minValue="1" maxValue="3"`, lci.Uniform, 2, 2 / math.Sqrt(12)},
		{"none", `uncertaintyType="0"`, lci.Certain, 0, 0},
		{"lognormal without spread", `uncertaintyType="1" standardDeviation95="1"`, lci.Certain, 0, 0},
		{"lognormal by zero", `uncertaintyType="1" standardDeviation95="0.0"`, lci.Certain, 0, 0},
		{"lognormal by nothing", `uncertaintyType="1"`, lci.Certain, 0, 0},
		{"uniform by half", `uncertaintyType="4" minValue="1"`, lci.Certain, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := read(t, file(process("A", "DE", "kg", exch("output", "0", `name="A" unit="kg" meanValue="2" `+c.attributes)))).Exchanges[0]
			if x.Value != 2 || x.Distribution != c.distribution {
				t.Fatalf("got %+v", x)
			}
			if c.distribution != lci.Certain && (math.Abs(*x.Mean-c.mean) > 1e-4 || math.Abs(*x.StandardDeviation-c.sd) > 1e-4) {
				t.Errorf("mean %v, deviation %v; want %v, %v", *x.Mean, *x.StandardDeviation, c.mean, c.sd)
			}
		})
	}
}

func TestNamesInOtherLanguages(t *testing.T) {
	rows := read(t, file(process("Steel", "DE", "kg", exch("output", "0", `name="Steel" localName="Stahl" unit="kg" meanValue="1"`)+exch("input", "5", `localName="Erz" unit="kg" meanValue="1"`))))
	steel, ore := rows.Flow(rows.Exchanges[0].FlowID), rows.Flow(rows.Exchanges[1].FlowID)
	if fmt.Sprint(steel.Synonyms) != "[Stahl]" || ore.Name != "Erz" || len(ore.Synonyms) != 0 {
		t.Errorf("steel %+v, ore %+v", steel, ore)
	}
}

func TestProductOfTheReferenceFunction(t *testing.T) {
	rows := read(t, file(process("Steel", "DE", "kg", exch("input", "5", `name="Ore" unit="kg" meanValue="2"`))))
	if x := rows.Exchanges[0]; x.Name != "Steel" || !x.Reference || x.Value != 1 || rows.Classes()[ingest.Doubtful] != 1 {
		t.Errorf("got %+v, notes %v", x, rows.Notes)
	}
}

// A dataset with an unreadable exchange is left out, and those around it are
// imported.
func TestUnreadableDatasets(t *testing.T) {
	product := exch("output", "0", `name="A" unit="kg" meanValue="1"`)
	for _, c := range []struct{ name, exchange, want string }{
		{"no such group", exch("output", "9", `name="B" unit="kg" meanValue="1"`), `the group "9" of the exchange is not a group of EcoSpold 1`},
		{"no amount", exch("input", "5", `name="C" unit="kg"`), "the exchange has no meanValue"},
		{"NaN", exch("input", "5", `name="C" unit="kg" meanValue="NaN"`), "the exchange has no meanValue"},
		{"no name", exch("input", "5", `name="" unit="kg" meanValue="1"`), "the exchange has no name"},
		{"no group", `<exchange number="5" name="D" unit="kg" meanValue="1"/>`, "has neither an inputGroup nor an outputGroup"},
		{"a number out of bounds", exch("input", "5", `name="C" unit="kg" meanValue="1e999"`), "meanValue of exchange: \"1e999\" is not a finite number"},
		{"no number", exch("input", "5", `name="C" unit="kg" meanValue="1,5"`), "\"1,5\" is not a number"},
		{"infinity", exch("input", "5", `name="C" unit="kg" meanValue="INF"`), "is not a finite number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := read(t, file(process("Before", "DE", "kg", product), process("A", "DE", "kg", product+c.exchange), process("Behind", "DE", "kg", product)))
			if got, want := rows.Outcome[ingest.Processes], (ingest.Count{Read: 3, Stored: 2, Skipped: 1}); got != want || len(rows.Of("Behind")) != 1 {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got := rows.Unreadable(); !strings.Contains(got, c.want) || !strings.HasPrefix(got, "0.xml:") || strings.Count(got, "\n") != 1 {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The datasets before the end of a truncated file are imported.
func TestFileThatBreaksOff(t *testing.T) {
	whole := file(process("A", "DE", "kg", exch("output", "0", `name="A" unit="kg" meanValue="1"`)), process("B", "DE", "kg", exch("output", "0", `name="B" unit="kg" meanValue="1"`)))
	rows := read(t, whole[:len(whole)-120])
	if len(rows.Processes) != 1 || rows.Processes[0].Name != "A" || !strings.Contains(rows.Unreadable(), "the document ends") {
		t.Errorf("%+v, %v", rows.Processes, rows.Notes)
	}
}

const impactFile = `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold01Impact"><dataset number="7"><metaInformation><processInformation>
	<referenceFunction category="CML 2001" subCategory="climate change" name="GWP 100a" unit="kg CO2-Eq"/></processInformation></metaInformation>
	<flowData><exchange number="1" category="air" subCategory="low population density" name="Methane" unit="kg" meanValue="25"/>
	<exchange number="2" category="air" name="Carbon dioxide" unit="t" meanValue="1000"/>
	<exchange number="3" category="air" name="Nothing" unit="kg"/></flowData></dataset></ecoSpold>`

func TestMethods(t *testing.T) {
	rows := read(t, impactFile, strings.Replace(strings.Replace(impactFile, "GWP 100a", "GWP 20a", 1), `number="7"`, `number="8"`, 1))
	if len(rows.Methods) != 1 || rows.Methods[0].Name != "CML 2001" || len(rows.Indicators) != 2 || len(rows.Factors) != 4 {
		t.Fatalf("%+v, %+v, %d factors", rows.Methods, rows.Indicators, len(rows.Factors))
	}
	if i := rows.Indicators[0]; i.Category != "climate change" || i.Name != "GWP 100a" || i.Unit != "kg CO2-Eq" {
		t.Errorf("indicator: %+v", i)
	}
	if got, want := rows.Outcome[ingest.Factors], (ingest.Count{Read: 6, Stored: 4, Skipped: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	flow := rows.Flow(rows.Factors[0].FlowID)
	if flow.Name != "Methane" || flow.Compartment != "air/low population density" || rows.Factors[0].Value != 25 {
		t.Errorf("%+v of %+v", rows.Factors[0], flow)
	}
}

// A factor in one file matches a flow in another.
func TestMethodsAndProcessesShareFlows(t *testing.T) {
	rows := read(t, impactFile, file(process("A", "DE", "kg", exch("output", "0", `name="A" unit="kg" meanValue="1"`)+
		exch("output", "4", `name="Methane" category="air" subCategory="low population density" unit="kg" meanValue="1"`))))
	if rows.Of("A")[1].FlowID != rows.Factors[0].FlowID {
		t.Error("methane is two flows")
	}
}

func TestStatedResults(t *testing.T) {
	dataset := process("A", "DE", "kg", exch("output", "0", `name="A" unit="kg" meanValue="1"`)+
		exch("output", "4", `name="GWP 100a" category="CML 2001" subCategory="climate change" unit="kg CO2-Eq" meanValue="1.5"`))
	rows := read(t, file(strings.Replace(dataset, `type="1"`, `type="2" impactAssessmentResult="true"`, 1)))
	if len(rows.Impacts) != 1 || rows.Impacts[0].Value != 1.5 || rows.Impacts[0].Indicator != "GWP 100a" || len(rows.Exchanges) != 1 {
		t.Errorf("impacts %+v, exchanges %+v", rows.Impacts, rows.Exchanges)
	}
}

func TestRecognised(t *testing.T) {
	for _, c := range []struct {
		name, document string
		want           bool
	}{
		{"processes", file(), true},
		{"impacts", impactFile, true},
		{"another root of the namespace", `<x xmlns="http://www.EcoInvent.org/EcoSpold01"/>`, true},
		{"no namespace", `<ecoSpold><dataset/></ecoSpold>`, true},
		{"no namespace, EcoSpold 2", `<ecoSpold><activityDataset/></ecoSpold>`, false},
		{"EcoSpold 2", `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02"/>`, false},
		{"categories", `<categories xmlns="http://www.EcoInvent.org/Categories"/>`, false},
	} {
		if got := Detect(ingesttest.Files(t, map[string]string{"ecospold2.xml": c.document})); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ name, document, want string }{
		{"a cut file", file(process("A", "DE", "kg", ""))[:200], "in.xml:2: the document ends"},
		{"a file cut at its head", file()[:60], "in.xml:1: the document ends"},
		{"nothing that can be read", file(process("A", "DE", "kg", exch("output", "0", `name="A" unit="kg" meanValue="1,5"`))), "\"1,5\" is not a number"},
		{"entities", strings.Replace(file(), "?>", `?><!DOCTYPE a [<!ENTITY b "c">]>`, 1), "document types (DOCTYPE) are not allowed"},
		{"broken text", strings.Replace(file(process("A", "DE", "kg", "")), "metals", "\xff", 1), "the text is not UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ingesttest.Read(t, Open, ingesttest.Files(t, map[string]string{"in.xml": c.document, "good.xml": file()}))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "in.xml") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := Open(ingesttest.Files(t, map[string]string{"a.xml": "<a/>"})); err == nil || !strings.Contains(err.Error(), "contains no EcoSpold 1") {
		t.Errorf("got %v", err)
	}
}

func FuzzEcoSpold1(f *testing.F) {
	f.Add(file(process("A", "DE", "kg", exch("output", "0", `name="A" unit="kg" meanValue="1" uncertaintyType="1" standardDeviation95="1.2"`)+
		exch("input", "5", `name="B" unit="kWh" meanValue="1"`)+`<allocation referenceToCoProduct="1" fraction="50"><referenceToInputOutput>1</referenceToInputOutput></allocation>`)))
	f.Add(impactFile)
	f.Fuzz(func(t *testing.T, document string) {
		src := ingesttest.Files(t, map[string]string{"in.xml": document})
		if !Detect(src) {
			return
		}
		rows, err := ingesttest.Read(t, Open, src)
		if err != nil {
			return
		}
		for _, kind := range []ingest.Kind{ingest.Exchanges, ingest.Factors} {
			if c := rows.Outcome[kind]; c.Read != c.Stored+c.Skipped {
				t.Errorf("%s: %+v", kind, c)
			}
		}
	})
}
