package brightway

import (
	"math"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// emitted is the emission of a process and all its suppliers, per unit of its
// product. The systems of these tests have no loops.
func emitted(t *testing.T, rows *ingesttest.Rows, process string) float64 {
	t.Helper()
	names := map[lci.ID]string{}
	for _, p := range rows.Processes {
		names[p.ID] = p.Name
	}
	sum, made := 0.0, 0.0
	for _, x := range rows.Of(process) {
		switch {
		case x.Type == lci.Elementary:
			sum += x.Value
		case x.Reference:
			made = x.Value
		case x.Direction == lci.Input && !x.ProviderID.IsZero():
			per := emitted(t, rows, names[x.ProviderID])
			if x.Avoided {
				per = -per
			}
			sum += x.Value * per
		}
	}
	return sum / made
}

// A product node is made by an activity and used by others; it is not a process.
// The kiln makes 10 kg of clinker and emits 8 kg; the mill takes 18 kg of it for
// 20 kg of cement and emits 1 kg: (1 + 18·0.8) / 20.
func TestProductNodes(t *testing.T) {
	for _, c := range []struct{ name, production, input string }{
		{"by code", "clinker,10,kilogram,production,db::p1", "clinker,18,kilogram,technosphere,db::p1"},
		{"by name", "clinker,10,kilogram,production,", "clinker,18,kg,technosphere,"},
		{"to the activity", "clinker,10,kilogram,production,", "kiln,18,kilogram,technosphere,"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := readText(t, "Database,db", "",
				"Activity,clinker", "type,product", "code,p1", "unit,kilogram", "location,CH", "",
				"Activity,kiln", "type,process", "code,a1", "unit,kilogram", "location,CH", "Exchanges", "name,amount,unit,type,input", c.production, "CO2,8,kilogram,biosphere,", "",
				"Activity,mill", "type,processwithreferenceproduct", "code,a2", "unit,kilogram", "location,CH", "Exchanges", "name,amount,unit,type,input", "mill,20,kilogram,production,", c.input, "CO2,1,kilogram,biosphere,")
			if len(rows.Processes) != 2 || len(rows.Exchanges) != 5 {
				t.Fatalf("%d processes, %d exchanges", len(rows.Processes), len(rows.Exchanges))
			}
			kiln, mill := rows.Of("kiln"), rows.Of("mill")
			if kiln[0].Name != "clinker" || !kiln[0].Reference || kiln[0].Value != 10 || mill[1].FlowID != kiln[0].FlowID || mill[1].ProviderID != kiln[0].ProcessID {
				t.Errorf("%+v %+v", kiln[0], mill[1])
			}
			if got := emitted(t, rows, "mill"); math.Abs(got-0.77) > 1e-12 {
				t.Errorf("%v", got)
			}
			if classes := rows.Classes(); classes[ingest.Unlinked]+classes[ingest.Ambiguous]+classes[ingest.Missing] != 0 {
				t.Errorf("%v", rows.Notes)
			}
		})
	}
}

// An activity may make several products; an input of one comes from that
// activity.
func TestSeveralProductNodes(t *testing.T) {
	rows := readText(t, "Database,db", "",
		"Activity,heat", "type,product", "unit,megajoule", "", "Activity,power", "type,product", "unit,kilowatt hour", "", "Activity,steam", "type,product", "unit,megajoule", "",
		"Activity,plant", "type,multifunctional", "unit,unit", "Exchanges", "name,amount,unit,type,allocation", "power,2,kilowatt hour,production,0.6", "heat,5,megajoule,production,0.4", "CO2,1,kilogram,biosphere,", "",
		"Activity,house", "unit,unit", "Exchanges", "name,amount,unit,type", "house,1,unit,production", "heat,3,megajoule,technosphere", "steam,3,megajoule,technosphere")
	plant, house := rows.Of("plant"), rows.Of("house")
	if len(rows.Processes) != 2 || !plant[0].Reference || !plant[1].Reference || plant[0].Name != "power" || *plant[1].Share != 0.4 {
		t.Fatalf("%+v", plant)
	}
	if house[1].FlowID != plant[1].FlowID || house[1].ProviderID != plant[0].ProcessID {
		t.Errorf("%+v", house[1])
	}
	if !house[2].ProviderID.IsZero() || house[2].Name != "steam" {
		t.Errorf("what nobody makes has no supplier: %+v", house[2])
	}
}

// If two activities make a product, the importer does not guess which of them
// supplies it.
func TestProductNodeOfTwoMakers(t *testing.T) {
	rows := readText(t, "Database,db", "", "Activity,heat", "type,product", "unit,megajoule", "",
		"Activity,boiler", "unit,megajoule", "Exchanges", "name,amount,unit,type", "heat,1,megajoule,production", "",
		"Activity,furnace", "unit,megajoule", "Exchanges", "name,amount,unit,type", "heat,1,megajoule,production", "",
		"Activity,house", "unit,unit", "Exchanges", "name,amount,unit,type", "house,1,unit,production", "heat,3,megajoule,technosphere", "furnace,1,megajoule,technosphere")
	house := rows.Of("house")
	if !house[1].ProviderID.IsZero() || house[2].ProviderID != rows.Of("furnace")[0].ProcessID || house[1].FlowID != house[2].FlowID {
		t.Errorf("%+v", house)
	}
}

// Inputs without a reference product are matched by name, location and unit.
func TestInputsWithoutReferenceProduct(t *testing.T) {
	activity := func(location, unit, product string) string {
		return strings.Join([]string{"Activity,market for power", "location," + location, "unit," + unit, "reference product," + product, ""}, "\n")
	}
	rows := readText(t, "Database,db", "", activity("CH", "kilowatt hour", "electricity"), activity("DE", "kilowatt hour", "electricity"), activity("FR", "kilowatt hour", "a"), activity("FR", "kilowatt hour", "b"),
		"Activity,house", "unit,unit", "Exchanges", "name,amount,unit,location,type", "house,1,unit,,production",
		"market for power,1,kilowatt hour,DE,technosphere", "market for power,1,kWh,CH,technosphere", "market for power,1,kilogram,DE,technosphere", "market for power,1,kilowatt hour,FR,technosphere",
		"market for power,1,kilowatt hour,IT,technosphere", "market for power,2,kilowatt hour,DE,substitution")
	regions := map[lci.ID]string{}
	for _, p := range rows.Processes {
		regions[p.ID] = p.Region
	}
	house := rows.Of("house")
	for i, want := range []string{"", "DE", "CH", "", "", "", "DE"} {
		if got := regions[house[i].ProviderID]; got != want {
			t.Errorf("exchange %d is supplied by %q, want %q", i, got, want)
		}
	}
	if !house[6].Avoided || rows.Classes()[ingest.Ambiguous] != 1 {
		t.Errorf("%v", rows.Notes)
	}
}
