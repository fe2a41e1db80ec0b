package brightway

import (
	"slices"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

const (
	mill  = "d80f3c8f5d04d518ab02b13aca9ab7c8" // as Brightway writes a UUID
	soot  = "af33d5c5e636797a6948d5b30cf56cc0"
	other = "0a0000000000400080000000000000aa"
)

// A workbook as Brightway writes it: a described database with its own flows,
// and activities with fields that the catalogue does not have.
func TestWrittenWorkbook(t *testing.T) {
	sheet := ingesttest.Sheet{Name: "mills", Lines: []string{"Exported for tests", "Database|db", "author|Somebody", "",
		"Database parameters", "name|amount|uncertainty type", "share|0.5|2", "",
		"Activity|milling", "code|" + mill, "unit|kilogram", "location|CH", "reference product|flour", "source|https://example.org/mill", "colour|white",
		"Exchanges", "name|amount|unit|type|formula|input|comment", "milling|1|kilogram|production|||", "Soot|2|kilogram|biosphere|share*4||sooty",
		"||kilogram|biosphere|3|('bio', '" + other + "')|", "ore|4|kilogram|technosphere||('far', '" + other + "')|", "",
		"Activity|baking", "production amount|2", "unit|kilogram", "Exchanges", "name|amount|unit|type", "milling|3|kilogram|technosphere", "",
		"Activity|Soot", "code|" + soot, "type|emission", "unit|kilogram", "categories|air::urban", "",
		"Activity|Water", "code|water", "type|natural resource", "unit|cubic meter", "categories|natural resource::in river", "Exchanges", "name|amount|type", "Water|1|production"}}
	src := ingesttest.Files(t, map[string]string{"mills.xlsx": ingesttest.Workbook(t, sheet)})
	if !Detect(src) {
		t.Fatal("not recognised")
	}
	rows := ingesttest.MustRead(t, Open, src)
	if len(rows.Processes) != 2 {
		t.Fatalf("%+v", rows.Processes)
	}
	p := rows.Processes[0]
	if p.ID.String() != "d80f3c8f-5d04-d518-ab02-b13aca9ab7c8" || strings.Join(p.Sources, " ") != "https://example.org/mill" {
		t.Errorf("%+v", p)
	}
	of := rows.Of("milling")
	if len(of) != 4 || of[1].Value != 2 || of[1].Type != lci.Elementary || of[1].Direction != lci.Output {
		t.Fatalf("%+v", of)
	}
	if f := rows.Flow(of[1].FlowID); f.ID.String() != "af33d5c5-e636-797a-6948-d5b30cf56cc0" || f.Compartment != "air/urban" {
		t.Errorf("%+v", f)
	}
	if of[2].FlowID.String() != "0a000000-0000-4000-8000-0000000000aa" || of[3].ProviderID != of[2].FlowID {
		t.Errorf("what another database holds is known by its code: %+v", of[2:])
	}
	if of := rows.Of("baking"); len(of) != 2 || !of[0].Reference || of[0].Value != 2 || of[1].ProviderID != p.ID {
		t.Errorf("%+v", of)
	}
	if !slices.ContainsFunc(rows.Flows, func(f lci.Flow) bool { return f.Name == "Water" && f.Compartment == "resource/in river" }) {
		t.Errorf("%+v", rows.Flows)
	}
	if n := rows.Outcome[ingest.Exchanges]; n.Skipped != 1 {
		t.Errorf("%+v", n)
	}
	rows.Says(t, "descriptions of databases", "uncertainties of parameters", `fields "colour" of activities`, `fields "comment" of exchanges`, "of a flow from or to nature", "mills, ")
}

// The flat form, with a resource of the library and notes.
func TestWrittenFlatTable(t *testing.T) {
	rows := readText(t, "Activity database,Activity code,Activity name,Activity unit,Activity type,Activity categories,Exchange database,Exchange input,Exchange amount,Exchange unit,Exchange type,Notes",
		"db,m,milling,kilogram,process,,db,m,1,kilogram,production,",
		"db,m,milling,kilogram,process,,db,w,5,cubic meter,biosphere,from the river",
		"db,w,Water,cubic meter,natural resource,natural resource::in water,,,,,,")
	of := rows.Of("milling")
	if len(of) != 2 || of[1].Direction != lci.Input || of[1].Value != 5 || rows.Flow(of[1].FlowID).Name != "Water" {
		t.Fatalf("%+v", of)
	}
	rows.Says(t, `fields "comment" of exchanges`)
}

// A workbook of method tables is not one of activities.
func TestWrittenWorkbookWithoutActivities(t *testing.T) {
	book := ingesttest.Workbook(t, ingesttest.Sheet{Name: "factors", Lines: []string{"name|categories|amount", "Carbon dioxide|air|1"}})
	if Detect(ingesttest.Files(t, map[string]string{"lcia.xlsx": book})) {
		t.Error("taken for a workbook of activities")
	}
}
