package ecospold2

import (
	"strings"
	"testing"

	"cradle/internal/lci"
)

// A dataset with everything that EcoSpold 2 documents, and without master data.
func TestWrittenDatasetWithItsDocumentation(t *testing.T) {
	en := func(element, text string) string {
		return "<" + element + ` xml:lang="en">` + text + "</" + element + ">"
	}
	comment := func(text string) string { return "<comment>" + en("text", text) + "</comment>" }
	rows := read(t, file(`<activityDataset><activityDescription><activity id="`+uuid("1")+`" type="1" specialActivityType="0">`+en("activityName", "baking")+
		en("synonym", "making bread")+`<tag>food</tag>`+en("includedActivitiesEnd", "the shop")+`<allocationComment>`+en("text", "by mass")+`</allocationComment></activity>
		<classification><classificationSystem>Own</classificationSystem><classificationValue>bread</classificationValue></classification>
		<geography>`+en("shortname", "CH")+comment("the Alps")+`</geography><technology>`+comment("wood fire")+`</technology>
		<timePeriod startDate="2010-01-01" endDate="2014-12-31">`+comment("one winter")+`</timePeriod></activityDescription><flowData>`+
		between(uuid("a"), "bread", "kg", 1, "<comment>"+en("text", "fresh")+"</comment>"+ref)+
		nature(uuid("b"), "wood", 2, "<inputGroup>4</inputGroup>")+nature(uuid("c"), "soot", 3, "<outputGroup>4</outputGroup>")+`</flowData>
		<modellingAndValidation><review/><representativeness>`+en("systemModelName", "Cut-off")+en("samplingProcedure", "asked")+en("extrapolations", "none")+`<percent>90</percent></representativeness></modellingAndValidation>
		<administrativeInformation><dataEntryBy personId="p2" personName="B. Clerk"/>
		<dataGeneratorAndPublication personId="p1" personName="[System]" publishedSourceFirstAuthor="Baker" publishedSourceYear="2008"/></administrativeInformation></activityDataset>`))
	p := rows.Processes[0]
	for _, text := range []string{"Included activities end: the shop", "Allocation: by mass", "Geography: the Alps", "Technology: wood fire", "Time: one winter", "Sampling: asked",
		"Extrapolations: none", "System model: Cut-off", "Synonyms: making bread", "Tags: food"} {
		if !strings.Contains(p.Description, text) {
			t.Errorf("the description lacks %q: %q", text, p.Description)
		}
	}
	if p.SourceOrganization != "B. Clerk" || p.DatePublished != "2014-12-31" || p.Classification != "bread" || len(p.Sources) != 1 || !strings.Contains(p.Sources[0], "Baker") {
		t.Errorf("%+v", p)
	}
	// Only the direction tells where wood comes from and soot goes to.
	if wood := rows.Flow(rows.Exchanges[1].FlowID); wood.Compartment != "resource" || rows.Exchanges[1].Direction != lci.Input {
		t.Errorf("%+v", wood)
	}
	if soot := rows.Flow(rows.Exchanges[2].FlowID); soot.Compartment != "" || rows.Exchanges[2].Direction != lci.Output {
		t.Errorf("%+v", soot)
	}
	rows.Says(t, "comments of exchanges")
}

// A dataset without an activity name or a product.
func TestWrittenDatasetWithoutProduct(t *testing.T) {
	bare := strings.NewReplacer("EcoSpold01Categories", "", "metals/steel", "", "ISIC rev.4 ecoinvent", "", "2410:Manufacture of basic iron and steel", "").
		Replace(activity(uuid("1"), "lighting a fire", nature(uuid("b"), "soot", 1, toAir)))
	rows := read(t, file(strings.ReplaceAll(bare, "<classification><classificationSystem></classificationSystem><classificationValue></classificationValue></classification>", "")))
	if p := rows.Processes[0]; p.Classification != "" || len(rows.Exchanges) != 1 {
		t.Errorf("%+v, %+v", p, rows.Exchanges)
	}
}
