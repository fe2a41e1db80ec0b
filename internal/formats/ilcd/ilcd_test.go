package ilcd

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// uuid makes an id from a letter, so that ids in tests are easy to distinguish.
func uuid(c string) string { return strings.Repeat(c, 8) + "-0000-4000-8000-" + strings.Repeat(c, 12) }

func dataset(root, space, content string) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet type='text/xsl' href='../x.xsl'?>
		<%s xmlns="http://lca.jrc.it/ILCD/%s" xmlns:common="http://lca.jrc.it/ILCD/Common" xmlns:epd="http://www.iai.kit.edu/EPD/2013" xmlns:olca="http://openlca.org/ilcd-extensions">%s</%s>`, root, space, content, root)
}

func massAndEnergy() map[string]string {
	group := func(id, units string) string {
		return dataset("unitGroupDataSet", "UnitGroup", `<unitGroupInformation><dataSetInformation><common:UUID>`+id+`</common:UUID><common:name xml:lang="en">Units</common:name></dataSetInformation>
			<quantitativeReference><referenceToReferenceUnit>1</referenceToReferenceUnit></quantitativeReference></unitGroupInformation><units>`+units+`</units>`)
	}
	property := func(id, name, group string) string {
		return dataset("flowPropertyDataSet", "FlowProperty", `<flowPropertiesInformation><dataSetInformation><common:UUID>`+id+`</common:UUID><common:name xml:lang="en">`+name+`</common:name></dataSetInformation>
			<quantitativeReference><referenceToReferenceUnitGroup refObjectId="`+group+`"/></quantitativeReference></flowPropertiesInformation>`)
	}
	return map[string]string{
		"ILCD/unitgroups/mass.xml":       group(uuid("1"), `<unit dataSetInternalID="0"><name>t</name><meanValue>1000</meanValue></unit><unit dataSetInternalID="1"><name>kg</name><meanValue>1</meanValue></unit>`),
		"ILCD/unitgroups/energy.xml":     group(uuid("2"), `<unit dataSetInternalID="1"><name>MJ</name><meanValue>1</meanValue></unit>`),
		"ILCD/flowproperties/mass.xml":   property(uuid("3"), "Mass", uuid("1")),
		"ILCD/flowproperties/energy.xml": property(uuid("4"), "Net calorific value", uuid("2")),
	}
}

func flowFile(id, kind, name, rest string) string {
	return dataset("flowDataSet", "Flow", `<flowInformation><dataSetInformation><common:UUID>`+id+`</common:UUID><name>`+name+`</name>`+rest+`</dataSetInformation>
		<quantitativeReference><referenceToReferenceFlowProperty>7</referenceToReferenceFlowProperty></quantitativeReference></flowInformation>
		<modellingAndValidation><LCIMethod><typeOfDataSet>`+kind+`</typeOfDataSet></LCIMethod></modellingAndValidation>
		<flowProperties><flowProperty dataSetInternalID="3"><referenceToFlowPropertyDataSet refObjectId="`+uuid("4")+`"/><meanValue>30</meanValue></flowProperty>
		<flowProperty dataSetInternalID="7"><referenceToFlowPropertyDataSet refObjectId="`+uuid("3")+`"/><meanValue>1</meanValue></flowProperty></flowProperties>`)
}

const toUrbanAir = `<classificationInformation><common:elementaryFlowCategorization><common:category level="0">Emissions</common:category><common:category level="1">Emissions to air</common:category>
	<common:category level="2">Emissions to urban air close to ground</common:category></common:elementaryFlowCategorization></classificationInformation><CASNumber>000124-38-9</CASNumber><common:synonyms xml:lang="en">CO2; carbonic anhydride</common:synonyms>`

// flows are steel, coal, carbon dioxide, slag and a second product.
func flows(files map[string]string) map[string]string {
	files["ILCD/flows/steel.xml"] = flowFile(uuid("a"), "Product flow", `<baseName xml:lang="de">Stahl</baseName><baseName xml:lang="en">Steel</baseName><mixAndLocationTypes xml:lang="en">at plant</mixAndLocationTypes>`, "")
	files["ILCD/flows/coal.xml"] = flowFile(uuid("b"), "Product flow", `<baseName xml:lang="zh">煤</baseName>`, "")
	files["ILCD/flows/co2.xml"] = flowFile(uuid("c"), "Elementary flow", `<baseName xml:lang="en">carbon dioxide</baseName>`, toUrbanAir)
	files["ILCD/flows/slag.xml"] = flowFile(uuid("d"), "Waste flow", `<baseName xml:lang="en">Slag</baseName>`, "")
	files["ILCD/flows/gas.xml"] = flowFile(uuid("e"), "Product flow", `<baseName xml:lang="en">Gas</baseName>`, "")
	return files
}

func processFile(id, kind, references, exchanges string) string {
	return dataset("processDataSet", "Process", `<processInformation><dataSetInformation><common:UUID>`+id+`</common:UUID><name><baseName xml:lang="zh">钢</baseName><baseName xml:lang="en">Steel making</baseName></name>
		<classificationInformation><common:classification><common:class level="0">Materials</common:class><common:class level="1">Metals</common:class></common:classification></classificationInformation>
		<common:generalComment xml:lang="zh">好</common:generalComment><common:generalComment xml:lang="en">Good</common:generalComment></dataSetInformation>
		<quantitativeReference type="Reference flow(s)">`+references+`</quantitativeReference><time><common:referenceYear>2013</common:referenceYear></time>
		<geography><locationOfOperationSupplyOrProduction location="CN"/></geography>
		<mathematicalRelations><variableParameter name="half"><meanValue>0.5</meanValue></variableParameter></mathematicalRelations></processInformation>
		<modellingAndValidation><LCIMethodAndAllocation><typeOfDataSet>`+kind+`</typeOfDataSet></LCIMethodAndAllocation>
		<dataSourcesTreatmentAndRepresentativeness><referenceToDataSource refObjectId="x"><common:shortDescription xml:lang="en">A book</common:shortDescription></referenceToDataSource></dataSourcesTreatmentAndRepresentativeness>
		<complianceDeclarations><compliance><common:referenceToComplianceSystem refObjectId="y"><common:shortDescription>EN 15804+A2</common:shortDescription></common:referenceToComplianceSystem></compliance></complianceDeclarations></modellingAndValidation>
		<administrativeInformation><publicationAndOwnership><common:dateOfLastRevision>2024-04-20T14:58:30+08:00</common:dateOfLastRevision><common:dataSetVersion>01.00.000</common:dataSetVersion>
		<common:referenceToOwnershipOfDataSet refObjectId="z"><common:shortDescription xml:lang="en">The owner</common:shortDescription></common:referenceToOwnershipOfDataSet></publicationAndOwnership></administrativeInformation>
		<exchanges>`+exchanges+`</exchanges>`)
}

func exch(id, flow, direction, rest string) string {
	return fmt.Sprintf(`<exchange dataSetInternalID=%q><referenceToFlowDataSet refObjectId=%q><common:shortDescription xml:lang="en">what %s is</common:shortDescription></referenceToFlowDataSet><exchangeDirection>%s</exchangeDirection>%s</exchange>`, id, flow, flow[:1], direction, rest)
}

func amounts(mean, resulting string) string {
	s := "<meanAmount>" + mean + "</meanAmount>"
	if resulting != "" {
		s += "<resultingAmount>" + resulting + "</resultingAmount>"
	}
	return s
}

func refTo(ids ...string) string {
	s := ""
	for _, id := range ids {
		s += "<referenceToReferenceFlow>" + id + "</referenceToReferenceFlow>"
	}
	return s
}

func read(t *testing.T, files map[string]string) *ingesttest.Rows {
	t.Helper()
	return ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
}

func line(x lci.Exchange) string {
	return fmt.Sprint(x.Direction, " ", x.Name, " ", x.Value, " ", x.Unit, " ", x.Type, " ", x.Reference)
}

func lines(t *testing.T, rows []lci.Exchange, want ...string) {
	t.Helper()
	if len(rows) != len(want) {
		t.Fatalf("%d exchanges: %+v", len(rows), rows)
	}
	for i, x := range rows {
		if got := line(x); got != want[i] {
			t.Errorf("exchange %d: %s, want %s", i, got, want[i])
		}
	}
}

func TestRealFiles(t *testing.T) {
	src := ingesttest.Open(t, ingesttest.Shared(t, "ilcd/tiangong_subset_ef31.zip"))
	if !Detect(src) {
		t.Fatal("not recognised")
	}
	rows := ingesttest.MustRead(t, Open, src)
	for kind, want := range map[ingest.Kind]ingest.Count{
		ingest.Processes: {Read: 231, Stored: 231}, ingest.Exchanges: {Read: 3_188, Stored: 3_188}, ingest.Indicators: {Read: 6, Stored: 6},
		ingest.Factors: {Read: 935 + 590 + 124 + 48 + 13 + 6, Stored: 276, Skipped: 1_440},
	} {
		if got := rows.Outcome[kind]; got != want {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
	}
	if len(rows.Exchanges) != 3_188 || len(rows.Factors) != 276 {
		t.Errorf("%d exchanges, %d factors handed over", len(rows.Exchanges), len(rows.Factors))
	}
	aggregated := 0
	for _, p := range rows.Processes {
		if p.Boundary == lci.Aggregated {
			aggregated++
		}
	}
	if aggregated != 6 {
		t.Errorf("%d LCI results", aggregated)
	}
	if got := rows.Classes(); got[ingest.Missing] != 49 || got[ingest.Productless] != 1 {
		t.Errorf("%v", got)
	}
	if m := rows.Methods; len(m) != 1 || m[0].Name != "Environmental Footprint" {
		t.Errorf("methods: %+v", m)
	}
	for name, unit := range map[string]string{
		"Resource use, minerals and metals": "kg Sb equivalents", "Acidification": "mol H+ equivalents", "Climate change-Biogenic": "kg CO2-Equivalents",
		"Ozone depletion": "kg CFC11 equivalents", "Resource use, fossils": "MJ", "Eutrophication marine": "kg N equivalents",
	} {
		if !slices.ContainsFunc(rows.Indicators, func(i lci.Indicator) bool { return i.Name == name && i.Unit == unit }) {
			t.Errorf("%s is not in %s", name, unit)
		}
	}
	if !strings.Contains(fmt.Sprint(rows.Notes), "1440 factors are for single locations") {
		t.Error("factors of places are not counted")
	}
	for _, f := range rows.Flows { // the method describes the flow of a factor without a dataset
		if f.Name == "1,1,1-trichloroethane" && f.Type == lci.Elementary && f.Compartment == "air/unspecified" && f.Unit == "kg" {
			return
		}
	}
	t.Error("the flow of a factor is not described")
}

func TestSingleFiles(t *testing.T) {
	for path, kind := range map[string]ingest.Kind{
		"ilcd/msrocka_method.xml": ingest.Factors, "ilcd/msrocka_flow.xml": ingest.Flows,
	} {
		rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, path)))
		if rows.Outcome[kind].Stored == 0 {
			t.Errorf("%s: %+v", path, rows.Outcome)
		}
	}
	for _, path := range []string{"ilcd/msrocka_flowprop.xml", "ilcd/msrocka_unitgroup.xml"} {
		ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, path)))
	}
}

func TestDeclaration(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "ilcd/indata_epd")))
	if len(rows.Exchanges) != 1 || !rows.Exchanges[0].Reference || len(rows.Impacts) != 20 || rows.Processes[0].Boundary != lci.Aggregated {
		t.Fatalf("exchanges %+v, %d impacts", rows.Exchanges, len(rows.Impacts))
	}
	if m := rows.Methods; len(m) != 1 || m[0].Name != "DIN EN 15804" {
		t.Errorf("methods: %+v", m)
	}
	gwp := rows.Impacts[12]
	if gwp.Indicator != "Treibhauspotential (GWP 100) [A4, Sc2]" || gwp.Value != 2 || gwp.Unit != "kg CO2-Äqv." {
		t.Errorf("impact: %+v", gwp)
	}
}

// Modules of two declarations have separate rows, whatever their standard and
// unit.
func TestDeclarationsDoNotOverwriteEachOther(t *testing.T) {
	epd := func(id, standard, unit string, amounts ...string) string {
		results := `</exchanges><LCIAResults>`
		for _, a := range amounts {
			results += `<LCIAResult><referenceToLCIAMethodDataSet refObjectId="` + uuid("8") + `"><common:shortDescription>AP</common:shortDescription></referenceToLCIAMethodDataSet><common:other>
				<epd:amount epd:module="A1-A3">` + a + `</epd:amount><epd:amount epd:module="D">-` + a + `</epd:amount>
				<epd:referenceToUnitGroupDataSet><common:shortDescription>` + unit + `</common:shortDescription></epd:referenceToUnitGroupDataSet></common:other></LCIAResult>`
		}
		file := processFile(id, "EPD", refTo("0"), exch("0", uuid("a"), "Output", "<meanAmount>1</meanAmount>"))
		return strings.NewReplacer("</exchanges>", results+"</LCIAResults>", "EN 15804+A2", standard).Replace(file)
	}
	files := flows(massAndEnergy())
	files["1.xml"] = epd(uuid("f"), "EN 15804+A1", "kg SO2 eq", "1")
	files["2.xml"] = epd(uuid("0"), "EN 15804+A2", "mol H+ eq", "2", "3")
	files["3.xml"] = epd(uuid("9"), "EN 15804+A2", "mmol H+ eq", "4")
	rows := read(t, files)
	var got []string
	for _, i := range rows.Impacts {
		m := slices.IndexFunc(rows.Methods, func(m lci.Method) bool { return m.ID == i.MethodID })
		got = append(got, fmt.Sprint(rows.Methods[m].Name, " ", i.Indicator, " ", i.Value, " ", i.Unit))
	}
	want := []string{"EN 15804+A1 AP [A1-A3] 1 kg SO2 eq", "EN 15804+A1 AP [D] -1 kg SO2 eq", "EN 15804+A2 AP [A1-A3] 2 mol H+ eq", "EN 15804+A2 AP [D] -2 mol H+ eq",
		"EN 15804+A2 AP [A1-A3] 4 mmol H+ eq", "EN 15804+A2 AP [D] -4 mmol H+ eq"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if rows.Classes()[ingest.Doubtful] != 2 {
		t.Errorf("what is stated twice is told of: %v", rows.Notes)
	}
}

func TestProcess(t *testing.T) {
	files := flows(massAndEnergy())
	files["ILCD/processes/p.xml"] = processFile(uuid("f"), "Unit process, single operation", refTo("0"),
		exch("5", uuid("b"), "Input", amounts("9", "3"))+exch("0", uuid("a"), "Output", amounts("2", ""))+
			exch("6", uuid("c"), "Output", amounts("4", "4"))+exch("7", uuid("d"), "Output", amounts("5", "5"))+exch("8", uuid("e"), "Output", amounts("6", "6"))+
			exch("9", uuid("b"), "Input", "<referenceToVariable>half</referenceToVariable>"+amounts("8", "")))
	rows := read(t, files)
	lines(t, rows.Exchanges, "output Steel; at plant 2 kg intermediate true", "input 煤 3 kg intermediate false", "output carbon dioxide 4 kg elementary false",
		"output Slag 5 kg waste false", "output Gas 6 kg intermediate true", "input 煤 4 kg intermediate false")
	p := rows.Processes[0]
	if p.ID.String() != uuid("f") || p.Name != "Steel making" || p.Region != "CN" || p.Boundary != lci.Disaggregated || p.DatePublished != "2024-04-20" || p.Description != "Good" ||
		p.Classification != "Materials/Metals" || p.SourceOrganization != "The owner" || fmt.Sprint(p.Sources) != "[A book]" {
		t.Errorf("process: %+v", p)
	}
	co2 := rows.Flow(rows.Exchanges[2].FlowID)
	if co2.ID.String() != uuid("c") || co2.CAS != "124-38-9" || co2.Compartment != "air/urban air close to ground" || fmt.Sprint(co2.Synonyms) != "[CO2 carbonic anhydride]" {
		t.Errorf("carbon dioxide: %+v", co2)
	}
	if len(rows.Properties) == 0 || rows.Properties[0].Name != "Net calorific value" || rows.Properties[0].Value != 30 || rows.Properties[0].Unit != "MJ/kg" {
		t.Errorf("properties: %+v", rows.Properties)
	}
}

func TestKinds(t *testing.T) {
	for kind, want := range map[string]lci.Boundary{
		"Unit process, black box": lci.Disaggregated, "Partly terminated system": lci.Disaggregated, "LCI result": lci.Aggregated, "": lci.Disaggregated,
	} {
		files := flows(massAndEnergy())
		files["p.xml"] = processFile(uuid("f"), kind, refTo("0"), exch("0", uuid("a"), "Output", amounts("2", "")))
		if got := read(t, files).Processes[0].Boundary; got != want {
			t.Errorf("%q is %s", kind, got)
		}
	}
}

func TestReferences(t *testing.T) {
	for _, c := range []struct {
		name       string
		references []string
		exchanges  string
		want       []string
		note       ingest.Class
	}{
		{"none", nil, exch("0", uuid("b"), "Input", amounts("2", "")), []string{"input 煤 2 kg intermediate false"}, ingest.Productless},
		{"two", []string{"1", "0"}, exch("0", uuid("a"), "Output", amounts("2", "")) + exch("1", uuid("e"), "Output", amounts("3", "")),
			[]string{"output Gas 3 kg intermediate true", "output Steel; at plant 2 kg intermediate true"}, ""},
		{"a treatment's", []string{"0"}, exch("0", uuid("d"), "Input", amounts("2", "")), []string{"output Slag -2 kg waste true"}, ""},
		{"without direction", []string{"0"}, strings.Replace(exch("0", uuid("a"), "Output", amounts("2", "")), "<exchangeDirection>Output</exchangeDirection>", "", 1),
			[]string{"output Steel; at plant 2 kg intermediate true"}, ""},
		{"an elementary flow", []string{"0"}, exch("0", uuid("c"), "Output", amounts("2", "")), []string{"output carbon dioxide 2 kg elementary true"}, ingest.Doubtful},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := flows(massAndEnergy())
			files["p.xml"] = processFile(uuid("f"), "Unit process, single operation", refTo(c.references...), c.exchanges)
			rows := read(t, files)
			lines(t, rows.Exchanges, c.want...)
			if c.note != "" && rows.Classes()[c.note] != 1 {
				t.Errorf("notes: %v", rows.Notes)
			}
		})
	}
}

func TestAllocation(t *testing.T) {
	for _, c := range []struct{ name, steel, gas string }{{"percentages", "80", "20"}, {"parts of one", "0.8", "0.2"}} {
		files := flows(massAndEnergy())
		files["p.xml"] = processFile(uuid("f"), "LCI result", refTo("0"),
			exch("0", uuid("a"), "Output", amounts("2", "")+`<allocations><allocation internalReferenceToCoProduct="0" allocatedFraction="1"/></allocations>`)+exch("1", uuid("e"), "Output", amounts("3", ""))+
				exch("2", uuid("b"), "Input", amounts("3", "")+`<allocations><allocation internalReferenceToCoProduct="0" allocatedFraction="`+c.steel+`"/><allocation internalReferenceToCoProduct="1" allocatedFraction="`+c.gas+`"/></allocations>`))
		rows := read(t, files)
		if a := rows.Allocations; len(a) != 2 || a[0].ProductID.String() != uuid("a") || math.Abs(a[0].Share-0.8) > 1e-12 || math.Abs(a[1].Share-0.2) > 1e-12 || a[0].ExchangeID != rows.Exchanges[2].ID {
			t.Errorf("%s: %+v", c.name, a)
		}
		if !rows.Exchanges[1].Reference {
			t.Error("what bears a part is no product")
		}
	}
}

func TestUncertainty(t *testing.T) {
	deviation := func(kind, value string) string {
		return "<uncertaintyDistributionType>" + kind + "</uncertaintyDistributionType><relativeStandardDeviation95In>" + value + "</relativeStandardDeviation95In>"
	}
	bounds := func(kind, low, high string) string {
		return "<minimumAmount>" + low + "</minimumAmount><maximumAmount>" + high + "</maximumAmount><uncertaintyDistributionType>" + kind + "</uncertaintyDistributionType>"
	}
	lognormal := func(gsd float64) (mean, sd float64) {
		sigma := math.Log(gsd)
		mean = 2 * math.Exp(sigma*sigma/2)
		return mean, mean * math.Sqrt(math.Expm1(sigma*sigma))
	}
	mean, sd := lognormal(1.1)
	for _, c := range []struct {
		name, elements string
		distribution   lci.Distribution
		mean, sd       float64
	}{
		{"log-normal", deviation("log-normal", "1.21"), lci.Lognormal, mean, sd},
		{"log-normal by its bounds", bounds("log-normal", "1.6528925619834711", "2.42"), lci.Lognormal, mean, sd},
		{"normal", deviation("normal", "0.4"), lci.Normal, 2, 0.2},
		{"normal by its bounds", bounds("normal", "1.6", "2.4"), lci.Normal, 2, 0.2},
		{"triangular", bounds("triangular", "1", "6"), lci.Triangular, 3, math.Sqrt(7.0 / 6)},
		{"uniform", bounds("uniform", "1", "3"), lci.Uniform, 2, 2 / math.Sqrt(12)},
		{"undefined", deviation("undefined", "3"), lci.Certain, 0, 0},
		{"no numbers", "<uncertaintyDistributionType>normal</uncertaintyDistributionType>", lci.Certain, 0, 0},
		{"unheard of", deviation("gamma", "3"), lci.Certain, 0, 0},
		{"no number", deviation("normal", "INF"), lci.Certain, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := flows(massAndEnergy())
			files["p.xml"] = processFile(uuid("f"), "Unit process, single operation", refTo("0"), exch("0", uuid("a"), "Output", amounts("2", "")+c.elements))
			x := read(t, files).Exchanges[0]
			if x.Value != 2 || x.Distribution != c.distribution {
				t.Fatalf("got %+v", x)
			}
			if c.distribution != lci.Certain && (math.Abs(*x.Mean-c.mean) > 1e-9 || math.Abs(*x.StandardDeviation-c.sd) > 1e-9) {
				t.Errorf("mean %v, deviation %v; want %v, %v", *x.Mean, *x.StandardDeviation, c.mean, c.sd)
			}
		})
	}
}

func TestSkippedExchangesAreNamed(t *testing.T) {
	files := flows(massAndEnergy())
	files["p.xml"] = processFile(uuid("f"), "Unit process, single operation", refTo("0"),
		exch("0", uuid("a"), "Output", amounts("2", ""))+exch("1", uuid("e"), "Output", "<functionType>Allocation reminder flow</functionType>"+amounts("2", ""))+
			exch("2", uuid("b"), "Input", "<functionType>General reminder flow</functionType>"))
	rows := read(t, files)
	if got, want := rows.Outcome[ingest.Exchanges], (ingest.Count{Read: 3, Stored: 1, Skipped: 2}); got != want {
		t.Errorf("got %+v, want %+v; notes %v", got, want, rows.Notes)
	}
}

func TestMissingFlowsAreNamed(t *testing.T) {
	files := flows(massAndEnergy())
	delete(files, "ILCD/flows/coal.xml")
	files["p.xml"] = processFile(uuid("f"), "Unit process, single operation", refTo("0"), exch("0", uuid("a"), "Output", amounts("2", ""))+exch("1", uuid("b"), "Input", amounts("3", "")))
	rows := read(t, files)
	lines(t, rows.Exchanges, "output Steel; at plant 2 kg intermediate true", "input what b is 3 unspecified intermediate false")
	if rows.Classes()[ingest.Missing] != 1 {
		t.Errorf("notes: %v", rows.Notes)
	}
}

// An output without a dataset is of unknown kind: it is not a product and has no
// share, unless it is the reference.
func TestMissingFlowsAreNoProducts(t *testing.T) {
	files := flows(massAndEnergy())
	allocation := `<allocations><allocation internalReferenceToCoProduct="0" allocatedFraction="60"/><allocation internalReferenceToCoProduct="1" allocatedFraction="40"/></allocations>`
	exchanges := exch("0", uuid("a"), "Output", amounts("2", "")) + exch("1", uuid("7"), "Output", amounts("3", "")) + exch("2", uuid("c"), "Output", amounts("4", "")+allocation)
	files["p.xml"] = processFile(uuid("f"), "LCI result", refTo("0"), exchanges)
	rows := read(t, files)
	lines(t, rows.Exchanges, "output Steel; at plant 2 kg intermediate true", "output what 7 is 3 unspecified intermediate false", "output carbon dioxide 4 kg elementary false")
	if len(rows.Allocations) != 0 {
		t.Errorf("%+v", rows.Allocations)
	}
	files["p.xml"] = processFile(uuid("f"), "LCI result", refTo("1"), exchanges)
	lines(t, read(t, files).Exchanges, "output what 7 is 3 unspecified intermediate true", "output Steel; at plant 2 kg intermediate true", "output carbon dioxide 4 kg elementary false")
}

func TestIndicatorUnits(t *testing.T) {
	for _, c := range []struct{ quantity, description, want string }{
		{uuid("3"), "kg CO2 equivalents", "kg CO2 equivalents"},
		{uuid("3"), "Mass", "kg"},
		{uuid("3"), "", "kg"},
		{uuid("3"), "Masse", "kg"},
		{uuid("3"), "Mass CO2-equivalents", "kg CO2-equivalents"},
		{uuid("4"), "MJ", "MJ"},
		{uuid("5"), "mol H+ eq", "mol H+ eq"},
		{uuid("5"), "", "unspecified"},
	} {
		files := flows(massAndEnergy())
		files["m.xml"] = strings.Replace(methodFile(factorOf(uuid("c"), "x", "Output", "", "1")), `<referenceQuantity refObjectId="`+uuid("3")+`"/>`,
			`<referenceQuantity refObjectId="`+c.quantity+`"><common:shortDescription xml:lang="en">`+c.description+`</common:shortDescription></referenceQuantity>`, 1)
		if i := read(t, files).Indicators; len(i) != 1 || i[0].Unit != c.want {
			t.Errorf("%q: %+v, want %q", c.description, i, c.want)
		}
	}
}

func methodFile(factors string) string {
	return dataset("LCIAMethodDataSet", "LCIAMethod", `<LCIAMethodInformation><dataSetInformation><common:UUID>`+uuid("9")+`</common:UUID><common:name xml:lang="en">Climate change, fossil</common:name>
		<methodology>Environmental Footprint</methodology><impactCategory>Climate change</impactCategory></dataSetInformation>
		<quantitativeReference><referenceQuantity refObjectId="`+uuid("3")+`"/></quantitativeReference></LCIAMethodInformation><characterisationFactors>`+factors+`</characterisationFactors>`)
}

func factorOf(flow, name, direction, location, value string) string {
	return fmt.Sprintf(`<factor><referenceToFlowDataSet refObjectId=%q><common:shortDescription xml:lang="en">%s</common:shortDescription></referenceToFlowDataSet>%s<exchangeDirection>%s</exchangeDirection><meanValue>%s</meanValue></factor>`,
		flow, name, location, direction, value)
}

func TestMethods(t *testing.T) {
	files := flows(massAndEnergy())
	files["ILCD/lciamethods/m.xml"] = methodFile(factorOf(uuid("c"), "x", "Output", "<location/>", "1") + factorOf(uuid("7"), "methane (fossil) (Mass, kg, Emissions to air, unspecified (long-term))", "Output", "", "29.8") +
		factorOf(uuid("6"), "crude oil (Net calorific value, MJ, Non-renewable energy resources from ground)", "Input", "", "2") + factorOf(uuid("7"), "x", "Output", "<location>DE</location>", "3") + factorOf(uuid("5"), "x", "Output", "", ""))
	rows := read(t, files)
	if i := rows.Indicators; len(i) != 1 || i[0].ID.String() != uuid("9") || i[0].Category != "Climate change" || i[0].Name != "Climate change, fossil" || i[0].Unit != "kg" {
		t.Errorf("indicators: %+v", i)
	}
	if got, want := rows.Outcome[ingest.Factors], (ingest.Count{Read: 5, Stored: 3, Skipped: 2}); got != want {
		t.Errorf("factors: %+v, %v", got, rows.Notes)
	}
	methane, oil := rows.Flow(rows.Factors[1].FlowID), rows.Flow(rows.Factors[2].FlowID)
	if methane.Name != "methane (fossil)" || methane.Compartment != "air/unspecified (long-term)" || methane.Unit != "kg" || methane.Type != lci.Elementary {
		t.Errorf("methane: %+v", methane)
	}
	if oil.Name != "crude oil" || !strings.HasPrefix(oil.Compartment, "resource/") || oil.Unit != "MJ" {
		t.Errorf("oil: %+v", oil)
	}
}

// A factor for the side opposite to the flow's own.
func TestFactorAgainstNature(t *testing.T) {
	files := flows(massAndEnergy())
	files["m.xml"] = methodFile(factorOf(uuid("c"), "x", "Input", "", "1"))
	if f := read(t, files).Factors; len(f) != 1 || f[0].Value != -1 {
		t.Errorf("factors: %+v", f)
	}
}

func TestStatedResults(t *testing.T) {
	files := flows(massAndEnergy())
	files["m.xml"] = methodFile(factorOf(uuid("c"), "x", "Output", "", "1"))
	results := `</exchanges><LCIAResults><LCIAResult><referenceToLCIAMethodDataSet refObjectId="` + uuid("9") + `"/><meanAmount>1.5</meanAmount></LCIAResult>
		<LCIAResult><referenceToLCIAMethodDataSet refObjectId="` + uuid("8") + `"><common:shortDescription>AP</common:shortDescription></referenceToLCIAMethodDataSet><common:other>
		<epd:amount epd:module="A1-A3">0.5</epd:amount><epd:amount epd:module="A4">MND</epd:amount><epd:amount epd:module="A5"/><epd:amount epd:module="B1">some</epd:amount>
		<epd:referenceToUnitGroupDataSet><common:shortDescription>mol H+ eq</common:shortDescription></epd:referenceToUnitGroupDataSet></common:other></LCIAResult></LCIAResults>`
	files["p.xml"] = strings.Replace(processFile(uuid("f"), "EPD", refTo("0"), exch("0", uuid("a"), "Output", amounts("2", ""))), "</exchanges>", results, 1)
	rows := read(t, files)
	if len(rows.Impacts) != 2 || len(rows.Indicators) != 2 || len(rows.Methods) != 2 {
		t.Fatalf("impacts %+v, indicators %+v, methods %+v", rows.Impacts, rows.Indicators, rows.Methods)
	}
	if i := rows.Impacts[0]; i.Value != 1.5 || i.Indicator != "Climate change, fossil" || i.Unit != "kg" {
		t.Errorf("impact: %+v", i)
	}
	if i := rows.Impacts[1]; i.Value != 0.5 || i.Indicator != "AP [A1-A3]" || i.Unit != "mol H+ eq" {
		t.Errorf("impact: %+v", i)
	}
	if got, want := rows.Outcome[ingest.Impacts], (ingest.Count{Read: 3, Stored: 2, Skipped: 1}); got != want {
		t.Errorf("impacts: %+v", got)
	}
	for _, n := range rows.Notes {
		if strings.Contains(n.Message, "2 modules that are not assessed") {
			return
		}
	}
	t.Errorf("notes: %v", rows.Notes)
}

func TestVersionsAndOtherFiles(t *testing.T) {
	files := flows(massAndEnergy())
	old := processFile(uuid("f"), "Unit process, single operation", refTo("0"), exch("0", uuid("a"), "Output", amounts("1", "")))
	files["ILCD/processes/"+uuid("f")+"_01.00.000.xml"] = old
	files["ILCD/processes/"+uuid("f")+"_02.00.000.xml"] = strings.Replace(old, amounts("1", ""), amounts("2", ""), 1)
	files["ILCD/ILCDLocations.xml"] = `<ILCDLocations xmlns="http://lca.jrc.it/ILCD/Locations"/>`
	files["schemas/x.xsd"] = "<x/>"
	files["ILCD/external_docs/x.pdf"] = "%PDF"
	rows := read(t, files)
	if len(rows.Exchanges) != 1 || rows.Exchanges[0].Value != 2 || rows.Outcome["files"].Skipped != 1 || rows.Classes()[ingest.Outdated] != 1 {
		t.Errorf("exchanges %+v, %+v", rows.Exchanges, rows.Outcome)
	}
}

// Of two datasets with one id the higher version stays, whatever their names,
// else the first.
func TestTheSameProcessTwice(t *testing.T) {
	of := func(version, amount string) string {
		p := processFile(uuid("f"), "Unit process, single operation", refTo("0"), exch("0", uuid("a"), "Output", amounts(amount, "")))
		return strings.Replace(p, "01.00.000", version, 1)
	}
	for _, c := range []struct {
		name, first, second string
		class               ingest.Class
	}{
		{"the newer first", of("03.01.000", "5"), of("03.00.009", "7"), ingest.Outdated},
		{"the newer second", of("03.00.009", "7"), of("03.01.000", "5"), ingest.Outdated},
		{"the same", of("03.01.000", "5"), of("03.01.000", "7"), ingest.Unreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := flows(massAndEnergy())
			files["ILCD/processes/a.xml"], files["ILCD/processes/b.xml"] = c.first, c.second
			rows := read(t, files)
			if len(rows.Processes) != 1 || len(rows.Exchanges) != 1 || rows.Exchanges[0].Value != 5 || rows.Classes()[c.class] != 1 {
				t.Errorf("%+v, %v", rows.Exchanges, rows.Notes)
			}
		})
	}
}

// An unreadable dataset is left out, and the others are imported.
func TestUnreadableDatasets(t *testing.T) {
	good := processFile(uuid("f"), "Unit process, single operation", refTo("0"), exch("0", uuid("a"), "Output", amounts("2", "")))
	with := func(exchange string) string { return strings.Replace(good, "</exchanges>", exchange+"</exchanges>", 1) }
	for _, c := range []struct{ name, document, want string }{
		{"a cut file", good[:len(good)-60], "the document ends"},
		{"a number out of bounds", strings.Replace(good, "<meanAmount>2", "<meanAmount>1e999", 1), `meanAmount: "1e999" is not a finite number`},
		{"no number", strings.Replace(good, "<meanAmount>2", "<meanAmount>two", 1), `meanAmount: "two" is not a number`},
		{"an external entity", strings.Replace(good, "Steel making", "&xxe;", 1), "the entity &xxe; is not defined in XML"},
		{"broken text", strings.Replace(good, "Steel making", "\xff", 1), "the text is not UTF-8"},
		{"no amount", with(exch("2", uuid("b"), "Input", "")), "the exchange has no amount"},
		{"no flow", with(`<exchange dataSetInternalID="3"><exchangeDirection>Input</exchangeDirection><meanAmount>1</meanAmount></exchange>`), "does not name a flow"},
		{"no direction", with(exch("4", uuid("b"), "", amounts("1", ""))), "has no direction"},
		{"no name", strings.NewReplacer(">钢<", "><", ">Steel making<", "><").Replace(good), "the process has no name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := flows(massAndEnergy())
			files["in.xml"] = c.document
			files["other.xml"] = strings.NewReplacer(uuid("f"), uuid("9"), "Steel making", "Other").Replace(good)
			rows := read(t, files)
			if got, want := rows.Outcome[ingest.Processes], (ingest.Count{Read: 2, Stored: 1, Skipped: 1}); got != want || len(rows.Of("Other")) != 1 {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got := rows.Unreadable(); !strings.Contains(got, c.want) || !strings.HasPrefix(got, "in.xml:") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestRefusesEntities(t *testing.T) {
	files := flows(massAndEnergy())
	files["in.xml"] = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><processDataSet xmlns="http://lca.jrc.it/ILCD/Process"/>`
	_, err := ingesttest.Read(t, Open, ingesttest.Files(t, files))
	if err == nil || !strings.Contains(err.Error(), "in.xml:1: document types (DOCTYPE) are not allowed") {
		t.Error(err)
	}
}

func FuzzILCD(f *testing.F) {
	f.Add(processFile(uuid("f"), "EPD", refTo("0"), exch("0", uuid("a"), "Output", amounts("2", "3"))))
	f.Add(methodFile(factorOf(uuid("c"), "x (Mass, kg, Emissions to air)", "Output", "<location>DE</location>", "1")))
	f.Add(flowFile(uuid("c"), "Elementary flow", `<baseName xml:lang="en">carbon dioxide</baseName>`, toUrbanAir))
	f.Add(massAndEnergy()["ILCD/unitgroups/mass.xml"])
	f.Fuzz(func(t *testing.T, document string) {
		files := flows(massAndEnergy())
		files["in.xml"] = document
		rows, err := ingesttest.Read(t, Open, ingesttest.Files(t, files))
		if err != nil {
			return
		}
		for _, kind := range []ingest.Kind{ingest.Exchanges, ingest.Factors, ingest.Impacts} {
			if c := rows.Outcome[kind]; c.Read != c.Stored+c.Skipped {
				t.Errorf("%s: %+v", kind, c)
			}
		}
	})
}
