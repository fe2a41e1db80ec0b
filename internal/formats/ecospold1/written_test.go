package ecospold1

import (
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
)

// A dataset with everything that EcoSpold 1 documents, under a root of another name.
func TestWrittenDatasetWithItsDocumentation(t *testing.T) {
	document := `<?xml version="1.0" encoding="UTF-8"?><spold xmlns="http://www.EcoInvent.org/EcoSpold01"><dataset number="1"><metaInformation><processInformation>
		<referenceFunction name="Bread" unit="kg" amount="1" generalComment="Fresh" includedProcesses="Oven"><synonym>Loaf</synonym><synonym></synonym></referenceFunction>
		<geography location="DE" text="Bavaria"/><technology text="Wood fire"/>
		<timePeriod text="One winter"><startYear>2009</startYear><endYear>2011</endYear></timePeriod><dataSetInformation type="1"/></processInformation>
		<modellingAndValidation><representativeness productionVolume="0" samplingProcedure="Asked" extrapolations="None" uncertaintyAdjustments="By hand"/>
		<source number="1" firstAuthor="Miller" year="1999" title="Flour"/><source number="2" firstAuthor="Baker" additionalAuthors="unknown" year="2008" title="Ovens" journal="Heat" publisher="Press"/></modellingAndValidation>
		<administrativeInformation><dataGeneratorAndPublication person="8" referenceToPublishedSource="2"/><person number="7" name="Somebody"/><person number="8" name="The Institute"/></administrativeInformation>
		</metaInformation><flowData>` + exch("output", "0", `name="Bread" location="DE" unit="kg" meanValue="1" generalComment="one loaf"`) +
		exch("output", "4", `name="Soot" category="rural" subCategory="low stack" unit="kg" meanValue="1"`) +
		exch("input", "4", `name="Wood" category="terrestrial" subCategory="forest" unit="kg" meanValue="1"`) +
		exch("input", "4", `name="Oxygen" category="air" subCategory="unspecified" unit="kg" meanValue="1"`) +
		exch("input", "4", `name="Air" category="air" subCategory="troposphere" unit="kg" meanValue="1"`) +
		exch("input", "5", `name="Luck" location="DE" unit="clover" meanValue="1"`) + `</flowData></dataset></spold>`
	rows := read(t, document)
	p := rows.Processes[0]
	for _, text := range []string{"Fresh", "Included processes: Oven", "Geography: Bavaria", "Technology: Wood fire", "Time: One winter", "Sampling: Asked", "Extrapolations: None", "Uncertainty adjustments: By hand"} {
		if !strings.Contains(p.Description, text) {
			t.Errorf("the description lacks %q: %q", text, p.Description)
		}
	}
	if strings.Contains(p.Description, "Production volume") {
		t.Errorf("a volume of 0 is told: %q", p.Description)
	}
	if p.DatePublished != "2011-01-01" && p.DatePublished != "2011" || p.SourceOrganization != "The Institute" {
		t.Errorf("date %q, organization %q", p.DatePublished, p.SourceOrganization)
	}
	if len(p.Sources) != 2 || !strings.Contains(p.Sources[0], "Baker") || !strings.Contains(p.Sources[0], "Ovens") || strings.Contains(p.Sources[0], "unknown") || !strings.Contains(p.Sources[1], "Miller") {
		t.Errorf("the one it was published in comes first: %q", p.Sources)
	}
	for name, want := range map[string]string{"Soot": "air/troposphere/rural/low stack", "Wood": "resource/ground/terrestrial/forest", "Oxygen": "air", "Air": "resource/air/troposphere"} {
		if got := compartmentOf(rows, name); got != want {
			t.Errorf("%s is in %q, want %q", name, got, want)
		}
	}
	if f := rows.Flow(rows.Exchanges[0].FlowID); strings.Join(f.Synonyms, ";") != "Loaf" {
		t.Errorf("%+v", f)
	}
	rows.Says(t, "comments of exchanges", "the root element is called spold")
	if rows.Classes()[ingest.Doubtful] != 1 {
		t.Errorf("%v", rows.Notes)
	}
}

func compartmentOf(rows *ingesttest.Rows, name string) string {
	for _, x := range rows.Exchanges {
		if x.Name == name {
			return rows.Flow(x.FlowID).Compartment
		}
	}
	return ""
}
