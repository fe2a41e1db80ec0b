package ilcd

import (
	"slices"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// A process with everything that ILCD documents.
func TestWrittenProcessWithItsDocumentation(t *testing.T) {
	said := func(element, text string) string {
		return "<" + element + ` xml:lang="en">` + text + "</" + element + ">"
	}
	process := processFile(uuid("f"), "Unit process, single operation", refTo("0"), exch("0", uuid("a"), "Output", amounts("1", "")+said("generalComment", "hot")))
	process = strings.Replace(process, `location="CN"/>`, `location="CN">`+said("descriptionOfRestrictions", "the coast")+`</locationOfOperationSupplyOrProduction>`, 1)
	process = strings.Replace(process, "<geography>", "<technology>"+said("technologyDescriptionAndIncludedProcesses", "furnace")+said("technologicalApplicability", "beams")+"</technology><geography>", 1)
	process = strings.Replace(process, "</time>", said("common:timeRepresentativenessDescription", "one winter")+"</time>", 1)
	process = strings.Replace(process, "<complianceDeclarations>", "<x>"+said("useAdviceForDataSet", "with care")+"</x><complianceDeclarations>", 1)
	process = strings.Replace(process, "<common:dateOfLastRevision>2024-04-20T14:58:30+08:00</common:dateOfLastRevision>", "", 1)
	process = strings.Replace(process, "<administrativeInformation>", "<administrativeInformation><dataEntryBy><common:timeStamp>2020-02-03T04:05:06+08:00</common:timeStamp></dataEntryBy>", 1)
	files := flows(massAndEnergy())
	files["ILCD/processes/p.xml"] = process
	rows := read(t, files)
	p := rows.Processes[0]
	for _, text := range []string{"Good", "Technology: furnace", "Applicability: beams", "Time: one winter", "Use: with care", "Geography: the coast"} {
		if !strings.Contains(p.Description, text) {
			t.Errorf("the description lacks %q: %q", text, p.Description)
		}
	}
	if p.DatePublished != "2020-02-03" {
		t.Errorf("not revised, entered on %q", p.DatePublished)
	}
	rows.Says(t, "comments of exchanges")
}

// A flow's fields besides its name: its origin, its class, what it measures, and
// as a material description its properties.
func TestWrittenFlowWithAMaterial(t *testing.T) {
	value := func(property, text string) string {
		return `<PropertyData property="` + property + `"><Data format="float">` + text + `</Data></PropertyData>`
	}
	flow := flowFile(uuid("a"), "Product flow", `<baseName xml:lang="en">Steel</baseName><baseName xml:lang="de">Stahl</baseName>`, `<common:other><notMatML/><m:MatML_Doc xmlns:m="http://www.matml.org/">
		<m:Material><m:BulkDetails><m:Name>Steel</m:Name>`+strings.ReplaceAll(strings.ReplaceAll(value("d", "7850")+value("h", "hard")+value("r", "0.3"), "<P", "<m:P"), "</P", "</m:P")+`</m:BulkDetails><m:Other/></m:Material>
		<m:Metadata><m:PropertyDetails id="d"><m:Name>density</m:Name><m:Units name="kg/m^3"/></m:PropertyDetails><m:PropertyDetails id="h"><m:Name>hardness</m:Name></m:PropertyDetails>
		<m:PropertyDetails id="r"><m:Name>ratio</m:Name><m:Unitless/></m:PropertyDetails></m:Metadata></m:MatML_Doc></common:other>`)
	flow = strings.ReplaceAll(strings.ReplaceAll(flow, "<Data ", "<m:Data "), "</Data>", "</m:Data>")
	flow = strings.Replace(flow, "</dataSetInformation>", `</dataSetInformation><classificationInformation><common:classification><common:class level="0">Metals</common:class></common:classification></classificationInformation>
		<geography><locationOfSupply xml:lang="en">CN</locationOfSupply></geography>`, 1)
	flow = strings.Replace(flow, "<meanValue>30</meanValue>", "<meanValue>0</meanValue>", 1)
	flow = strings.Replace(flow, "<meanValue>1</meanValue>", "", 1)
	files := flows(massAndEnergy())
	files["ILCD/flows/steel.xml"] = flow
	files["ILCD/processes/p.xml"] = processFile(uuid("f"), "Unit process, single operation", refTo("0"), exch("0", uuid("a"), "Output", amounts("2", "")))
	rows := read(t, files)
	f := rows.Flow(rows.Exchanges[0].FlowID)
	if f.Classification != "Metals" || !slices.Contains(f.Synonyms, "Stahl") {
		t.Errorf("%+v", f)
	}
	lines(t, rows.Exchanges, "output Steel 2 kg intermediate true")
	var known []string
	for _, p := range rows.Properties {
		known = append(known, p.Name+" "+p.Unit)
	}
	if got := strings.Join(known, ", "); !strings.Contains(got, "density kg/m3") || !strings.Contains(got, "ratio") || strings.Contains(got, "hardness") {
		t.Errorf("properties: %s", got)
	}
	rows.Says(t, "flow properties whose factor is 0 or missing", "properties of materials without a name or a number")
}

// A declaration has inventory indicators by module and scenario, with or without
// an enclosing element.
func TestWrittenDeclaration(t *testing.T) {
	unit := `<epd:referenceToUnitGroupDataSet refObjectId="` + uuid("2") + `"/>`
	within := strings.Replace(exch("1", uuid("9"), "Input", `<common:other><epd:amount epd:module="A1-A3">5</epd:amount><epd:amount epd:module="A4" epd:scenario="Sc2">2</epd:amount>`+unit+`</common:other>`), "what 9 is", "Renewable energy", 1)
	without := strings.Replace(exch("2", uuid("8"), "Output", `<epd:amount epd:module="C3">7</epd:amount>`+unit), "what 8 is", "Waste put out", 1)
	files := flows(massAndEnergy())
	files["ILCD/processes/p.xml"] = processFile(uuid("f"), "EPD", refTo("0"), exch("0", uuid("a"), "Output", amounts("1", ""))+within+without)
	rows := read(t, files)
	if len(rows.Exchanges) != 1 || len(rows.Impacts) != 3 || rows.Processes[0].Boundary != lci.Aggregated || rows.Methods[0].Name != "EN 15804+A2" {
		t.Fatalf("exchanges %+v, impacts %+v, methods %+v", rows.Exchanges, rows.Impacts, rows.Methods)
	}
	for name, value := range map[string]float64{"Renewable energy [A1-A3]": 5, "Renewable energy [A4, Sc2]": 2, "Waste put out [C3]": 7} {
		if !slices.ContainsFunc(rows.Impacts, func(i lci.Impact) bool {
			return i.Indicator == name && i.Value == value && i.Unit == "MJ" && i.Category == "Inventory indicators"
		}) {
			t.Errorf("%s is not %v MJ: %+v", name, value, rows.Impacts)
		}
	}
}

// A method file alone describes its flows if their datasets are missing.
func TestWrittenMethodAlone(t *testing.T) {
	factor := func(id, text string) string {
		return `<factor><referenceToFlowDataSet refObjectId="` + id + `"><common:shortDescription xml:lang="en">` + text + `</common:shortDescription></referenceToFlowDataSet><meanValue>2</meanValue></factor>`
	}
	rows := read(t, map[string]string{"m.xml": dataset("LCIAMethodDataSet", "LCIAMethod", `<LCIAMethodInformation><dataSetInformation><common:UUID>`+uuid("6")+`</common:UUID>
		<common:name xml:lang="en">Warming</common:name><methodology>World</methodology><impactCategory>Climate</impactCategory><impactIndicator>Radiative forcing</impactIndicator></dataSetInformation></LCIAMethodInformation>
		<characterisationFactors>`+factor(uuid("1"), "methane (biogenic) (Mass, kg, Emissions to air, unspecified)")+factor(uuid("2"), "oil (crude, heavy)")+
		factor(uuid("3"), "forest (Area, m2, Land occupation)")+factor(uuid("4"), "beauty (Mass, kg, somewhere)")+`</characterisationFactors>`)})
	if rows.Outcome[ingest.Factors].Stored != 4 || len(rows.Methods) != 1 || rows.Methods[0].Name != "World" {
		t.Fatalf("%+v, %+v", rows.Outcome, rows.Methods)
	}
	for name, compartment := range map[string]string{"methane (biogenic)": "air/unspecified", "oil (crude, heavy)": "", "beauty (Mass, kg, somewhere)": ""} {
		if !slices.ContainsFunc(rows.Flows, func(f lci.Flow) bool { return f.Name == name && f.Compartment == compartment }) {
			t.Errorf("%q is not in %q: %+v", name, compartment, rows.Flows)
		}
	}
}
