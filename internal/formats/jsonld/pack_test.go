package jsonld

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// id makes a UUID from a number, readable in failures.
func id(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

const (
	massID   = "93a60a56-a3c8-11da-a746-0800200b9a66"
	energyID = "f6811440-ee37-11de-8a39-0800200c9a66"
	volumeID = "93a60a56-a3c8-22da-a746-0800200c9a66"
)

func flowFile(n int, name, kind, property string, more string) string {
	return fmt.Sprintf(`{"@type": "Flow", "@id": %q, "name": %q, "flowType": %q, "flowProperties": [
		{"isRefFlowProperty": true, "conversionFactor": 1, "flowProperty": {"@type": "FlowProperty", "@id": %q}}%s]}`, id(n), name, kind, property, more)
}

func processFile(n int, name, more string, exchanges ...string) string {
	return fmt.Sprintf(`{"@type": "Process", "@id": %q, "name": %q, "processType": "UNIT_PROCESS", %s "exchanges": [%s]}`, id(n), name, more, strings.Join(exchanges, ","))
}

func exchangeText(flow int, unit string, more string) string {
	return fmt.Sprintf(`{"flow": {"@type": "Flow", "@id": %q}, "unit": {"@type": "Unit", "name": %q}, %s}`, id(flow), unit, more)
}

// farm is a small library with all the difficult cases: no unit groups, two
// conversions, waste treatment, avoided products, allocation, formulas.
func farm() map[string]string {
	return map[string]string{
		"olca-schema.json": `{"version": 2}`,
		"flows/1.json":     flowFile(1, "Milk", "PRODUCT_FLOW", massID, ""),
		"flows/2.json":     flowFile(2, "Beef", "PRODUCT_FLOW", massID, ""),
		"flows/3.json": flowFile(3, "Natural gas", "PRODUCT_FLOW", volumeID,
			`, {"conversionFactor": 36, "flowProperty": {"@type": "FlowProperty", "@id": "`+energyID+`", "name": "Energy"}}`),
		"flows/4.json": flowFile(4, "Slurry", "WASTE_FLOW", massID, ""),
		"flows/5.json": strings.Replace(flowFile(5, "Methane ", "ELEMENTARY_FLOW", massID, ""), `"flowType"`,
			`"category": "Elementary flows/Emission to air/low population density", "cas": "000074-82-8", "synonyms": "CH4;Marsh gas", "flowType"`, 1),
		"flows/6.json": flowFile(6, "Fertiliser", "PRODUCT_FLOW", massID, ""),
		"flows/7.json": flowFile(7, "Transport, lorry", "PRODUCT_FLOW", "838aaa20-0117-11db-92e3-0800200c9a66", ""),
		"processes/10.json": processFile(10, "Dairy farm", `"location": {"@id": "`+id(50)+`"}, "defaultAllocationMethod": "PHYSICAL_ALLOCATION", "allocationFactors": [
				{"allocationType": "PHYSICAL_ALLOCATION", "product": {"@id": "`+id(1)+`"}, "value": 0.75},
				{"allocationType": "PHYSICAL_ALLOCATION", "product": {"@id": "`+id(2)+`"}, "value": 0.25},
				{"allocationType": "ECONOMIC_ALLOCATION", "product": {"@id": "`+id(2)+`"}, "value": 0.5}],
				"parameters": [{"@type": "Parameter", "name": "cows", "isInputParameter": true, "value": 40}, {"@type": "Parameter", "name": "Emission", "isInputParameter": false, "formula": "cows * rate", "value": 0}],
				"processDocumentation": {"creationDate": "2020-03-04T10:00:00Z", "sources": [{"@id": "`+id(51)+`"}], "dataSetOwner": {"@id": "`+id(52)+`"}},`,
			exchangeText(2, "t", `"amount": 0.1, "isInput": false, "internalId": 1`),
			exchangeText(1, "t", `"amount": 2, "isInput": false, "isQuantitativeReference": true, "internalId": 2`),
			exchangeText(3, "kWh", `"amount": 10, "isInput": true, "flowProperty": {"@id": "`+energyID+`"}, "uncertainty": {"distributionType": "NORMAL_DISTRIBUTION", "mean": 10, "sd": 2}`),
			exchangeText(4, "t", `"amount": 0.2, "isInput": false, "defaultProvider": {"@id": "`+id(11)+`"}`),
			exchangeText(5, "g", `"amountFormula": "2 * emission", "isInput": false`),
			exchangeText(5, "kg", `"amount": 0.5, "amountFormula": "nonsense(", "isInput": true`),
			exchangeText(7, "kg*km", `"amount": 3000, "isInput": true, "defaultProvider": {"@type": "Process", "@id": "`+id(99)+`", "name": "Lorry fleet"}`),
			exchangeText(8, "kg", `"amount": 7, "isInput": true`)),
		"processes/11.json": processFile(11, "Slurry treatment", "",
			exchangeText(4, "kg", `"amount": 1, "isInput": true, "isQuantitativeReference": true`),
			exchangeText(6, "kg", `"amount": 0.3, "isInput": true, "isAvoidedProduct": true`)),
		"parameters/20.json": `{"@type": "Parameter", "@id": "` + id(20) + `", "name": "rate", "isInputParameter": true, "value": 2.5}`,
		"locations/50.json":  `{"@type": "Location", "@id": "` + id(50) + `", "name": "Netherlands", "code": "NL"}`,
		"sources/51.json":    `{"@type": "Source", "@id": "` + id(51) + `", "name": "Report", "url": "https://example.org/report"}`,
		"actors/52.json":     `{"@type": "Actor", "@id": "` + id(52) + `", "name": "Dairy institute"}`,
	}
}

func find(t *testing.T, rows []lci.Exchange, name string, direction lci.Direction) lci.Exchange {
	t.Helper()
	for _, x := range rows {
		if x.Name == name && x.Direction == direction {
			return x
		}
	}
	t.Fatalf("no %s of %q", direction, name)
	return lci.Exchange{}
}

func TestPack(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, farm()))
	of := rows.Of("Dairy farm")
	for _, c := range []struct {
		name      string
		direction lci.Direction
		value     float64
		unit      string
		kind      lci.FlowType
		reference bool
		position  int
	}{
		{"Milk", lci.Output, 2000, "kg", lci.Intermediate, true, 0},
		{"Beef", lci.Output, 100, "kg", lci.Intermediate, true, 1},
		{"Natural gas", lci.Input, 1, "m3", lci.Intermediate, false, 2},
		{"Slurry", lci.Output, 200, "kg", lci.Waste, false, 3},
		{"Methane", lci.Output, 0.2, "kg", lci.Elementary, false, 4},
		{"Methane", lci.Input, 0.5, "kg", lci.Elementary, false, 5},
		{"Transport, lorry", lci.Input, 3, "t*km", lci.Intermediate, false, 6},
	} {
		x := find(t, of, c.name, c.direction)
		if math.Abs(x.Value-c.value) > 1e-12 || x.Unit != c.unit || x.Type != c.kind || x.Reference != c.reference || x.Position != c.position {
			t.Errorf("%s: %+v", c.name, x)
		}
	}
	if gas := find(t, of, "Natural gas", lci.Input); gas.Distribution != lci.Normal || *gas.Mean != 1 || math.Abs(*gas.StandardDeviation-0.2) > 1e-12 {
		t.Errorf("%+v", gas)
	}
	if milk, beef := find(t, of, "Milk", lci.Output), find(t, of, "Beef", lci.Output); *milk.Share != 0.75 || *beef.Share != 0.25 {
		t.Errorf("shares %v, %v", *milk.Share, *beef.Share)
	}
	if slurry := find(t, of, "Slurry", lci.Output); slurry.ProviderID.String() != id(11) {
		t.Errorf("%+v", slurry)
	}
	treatment := rows.Of("Slurry treatment")
	if x := find(t, treatment, "Slurry", lci.Output); x.Value != -1 || !x.Reference || x.Type != lci.Waste {
		t.Errorf("%+v", x)
	}
	if x := find(t, treatment, "Fertiliser", lci.Input); !x.Avoided || x.Value != 0.3 || x.Reference {
		t.Errorf("%+v", x)
	}
	p := rows.Processes[0]
	if p.Region != "NL" || p.DatePublished != "2020-03-04" || p.SourceOrganization != "Dairy institute" || strings.Join(p.Sources, "|") != "https://example.org/report" ||
		p.FunctionalUnit != "2000 kg" || p.Boundary != lci.Disaggregated {
		t.Errorf("%+v", p)
	}
	methane, _ := lci.ParseID(id(5))
	if f := rows.Flow(methane); f.Name != "Methane" || f.CAS != "74-82-8" || f.Compartment != "air/low population density" || len(f.Synonyms) != 2 || f.Unit != "kg" {
		t.Errorf("%+v", f)
	}
	if got := rows.Outcome[ingest.Exchanges]; got != (ingest.Count{Read: 10, Stored: 10}) {
		t.Errorf("%+v", got)
	}
	classes := rows.Classes()
	if rows.Outside() != 1 || classes[ingest.Missing] != 1 {
		t.Errorf("%v: %v", classes, rows.Notes)
	}
	var goods []string
	for _, m := range rows.Materials {
		goods = append(goods, m.Name)
	}
	if got := strings.Join(goods, ", "); got != "Milk, Beef, Natural gas, Fertiliser, "+id(8) {
		t.Errorf("materials %s", got)
	}
	if len(rows.Properties) != 1 || rows.Properties[0].Name != "Energy" || rows.Properties[0].Value != 36 || rows.Properties[0].Unit != "MJ/m3" {
		t.Errorf("%+v", rows.Properties)
	}
}

func TestCausalAllocation(t *testing.T) {
	files := map[string]string{
		"flows/1.json": flowFile(1, "Heat", "PRODUCT_FLOW", energyID, ""), "flows/2.json": flowFile(2, "Power", "PRODUCT_FLOW", energyID, ""),
		"flows/3.json": flowFile(3, "Coal", "PRODUCT_FLOW", massID, ""),
		"processes/4.json": processFile(4, "Plant", `"defaultAllocationMethod": "CAUSAL_ALLOCATION", "allocationFactors": [
			{"allocationType": "CAUSAL_ALLOCATION", "product": {"@id": "`+id(1)+`"}, "exchange": {"internalId": 3}, "value": 0.4},
			{"allocationType": "CAUSAL_ALLOCATION", "product": {"@id": "`+id(2)+`"}, "exchange": {"internalId": 3}, "value": 0.6},
			{"allocationType": "CAUSAL_ALLOCATION", "product": {"@id": "`+id(2)+`"}, "exchange": {"internalId": 9}, "value": 0.6}],`,
			exchangeText(1, "MJ", `"amount": 1, "isQuantitativeReference": true, "internalId": 1`), exchangeText(2, "MJ", `"amount": 1, "internalId": 2`),
			exchangeText(3, "kg", `"amount": 1, "isInput": true, "internalId": 3`)),
	}
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
	coal := find(t, rows.Exchanges, "Coal", lci.Input)
	if len(rows.Allocations) != 2 || rows.Allocations[0].ExchangeID != coal.ID || rows.Allocations[0].Share != 0.4 || rows.Allocations[1].ProductID.String() != id(2) {
		t.Errorf("%+v", rows.Allocations)
	}
}

// A category shared by several methods is under each.
func TestMethods(t *testing.T) {
	files := map[string]string{
		"flows/1.json":        flowFile(1, "Methane", "ELEMENTARY_FLOW", massID, ""),
		"lcia_methods/2.json": `{"@type": "ImpactMethod", "@id": "` + id(2) + `", "name": "A", "version": "1", "impactCategories": [{"@id": "` + id(4) + `"}]}`,
		"lcia_methods/3.json": `{"@type": "ImpactMethod", "@id": "` + id(3) + `", "name": "B", "impactCategories": [{"@id": "` + id(4) + `"}]}`,
		"lcia_categories/4.json": `{"@type": "ImpactCategory", "@id": "` + id(4) + `", "name": "Warming", "refUnit": "kg CO2 eq", "impactFactors": [
			{"flow": {"@id": "` + id(1) + `"}, "unit": {"name": "g"}, "value": 0.03},
			{"flow": {"@id": "` + id(1) + `"}, "unit": {"name": "kg"}, "value": 31},
			{"flow": {"@id": "` + id(1) + `"}, "unit": {"name": "kg"}, "value": 33, "location": {"@id": "` + id(9) + `"}},
			{"flow": {"@id": "` + id(5) + `", "name": "Nitrous oxide", "flowType": "ELEMENTARY_FLOW", "refUnit": "kg"}, "unit": {"name": "m3"}, "value": 3}]}`,
	}
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
	if len(rows.Methods) != 2 || len(rows.Indicators) != 2 || rows.Indicators[0].ID.String() != id(4) || rows.Indicators[0].ID == rows.Indicators[1].ID {
		t.Fatalf("%+v, %+v", rows.Methods, rows.Indicators)
	}
	if len(rows.Factors) != 2 || rows.Factors[0].Value != 30 || rows.Factors[1].IndicatorID != rows.Indicators[1].ID {
		t.Errorf("%+v", rows.Factors)
	}
	if got := rows.Outcome[ingest.Factors]; got != (ingest.Count{Read: 8, Stored: 2, Skipped: 6}) {
		t.Errorf("%+v", got)
	}
	if classes := rows.Classes(); classes[ingest.UnknownUnit] != 2 || classes[ingest.Doubtful] != 2 || classes[ingest.Regional] != 1 {
		t.Errorf("%v", rows.Notes)
	}
}

// A factor for the whole world counts like one without a location.
func TestFactorsOfPlaces(t *testing.T) {
	factor := func(value int, place string) string {
		return fmt.Sprintf(`{"flow": {"@id": %q}, "unit": {"name": "kg"}, "value": %d, "location": %s}`, id(1), value, place)
	}
	files := map[string]string{
		"flows/1.json":           flowFile(1, "Water", "ELEMENTARY_FLOW", massID, ""),
		"locations/8.json":       `{"@type": "Location", "@id": "` + id(8) + `", "name": "The world", "code": "GLO"}`,
		"lcia_methods/2.json":    `{"@type": "ImpactMethod", "@id": "` + id(2) + `", "name": "A", "impactCategories": [{"@id": "` + id(4) + `"}]}`,
		"lcia_categories/4.json": `{"@type": "ImpactCategory", "@id": "` + id(4) + `", "name": "Scarcity", "refUnit": "m3", "impactFactors": [` + factor(3, `{"@id": "`+id(9)+`"}`) + `,` + factor(5, `{"@id": "`+id(8)+`"}`) + `]}`,
	}
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
	if len(rows.Factors) != 1 || rows.Factors[0].Value != 5 || !strings.Contains(fmt.Sprint(rows.Notes), "1 factors are for single locations and are left out ("+id(9)+" 1)") {
		t.Errorf("%+v %v", rows.Factors, rows.Notes)
	}
}

// The library's own units are used, by their ids: names may be ambiguous.
func TestOwnUnits(t *testing.T) {
	files := map[string]string{
		"unit_groups/1.json": `{"@type": "UnitGroup", "@id": "` + id(1) + `", "name": "Units of sacks", "units": [
			{"@id": "` + id(2) + `", "name": "kg", "referenceUnit": true, "conversionFactor": 1}, {"@id": "` + id(3) + `", "name": "sack", "conversionFactor": 25},
			{"@id": "` + id(4) + `", "name": "sack", "conversionFactor": 50}]}`,
		"flow_properties/5.json": `{"@type": "FlowProperty", "@id": "` + id(5) + `", "name": "Sacks", "unitGroup": {"@id": "` + id(1) + `"}}`,
		"flows/6.json":           strings.ReplaceAll(flowFile(6, "Cement", "PRODUCT_FLOW", id(5), ""), "isRefFlowProperty", "referenceFlowProperty"),
		"processes/7.json": processFile(7, "Mill", "",
			strings.Replace(exchangeText(6, "sack", `"amount": 2, "input": false, "quantitativeReference": true`), `"name": "sack"`, `"@id": "`+id(4)+`", "name": "sack"`, 1),
			exchangeText(6, "furlong", `"amount": 2, "input": true`)),
	}
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
	if x := rows.Exchanges[0]; x.Value != 100 || x.Unit != "kg" {
		t.Errorf("%+v", x)
	}
	if x := rows.Exchanges[1]; x.Value != 2 || x.Unit != "furlong" || rows.Classes()[ingest.UnknownUnit] != 1 {
		t.Errorf("%+v, %v", x, rows.Notes)
	}
}

func TestOneFileOfSeveralRecords(t *testing.T) {
	all := "[" + strings.Join([]string{processFile(7, "Mill", "", exchangeText(6, "t", `"amount": 1, "isQuantitativeReference": true`)), flowFile(6, "Flour", "PRODUCT_FLOW", massID, "")}, ",") + "]"
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{"export": all}))
	if len(rows.Exchanges) != 1 || rows.Exchanges[0].Value != 1000 || len(rows.Notes) > 0 {
		t.Errorf("%+v, %v", rows.Exchanges, rows.Notes)
	}
}

// Unreadable records are left out and listed, and the others are imported.
func TestUnreadableRecords(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	amount := func(text string) string { return processFile(3, "x", "", exchangeText(1, "kg", `"amount": `+text)) }
	for name, c := range map[string]struct {
		file, text, want string
		kind             ingest.Kind
	}{
		"not JSON":                           {"processes/x.json", "{\n\"@type\": \"Process\",\n!", "processes/x.json:3: is not JSON: ", ingest.Processes},
		"cut short":                          {"processes/x.json", `{"@type": "Process", "@id": `, "processes/x.json:1: is not JSON: unexpected end", ingest.Processes},
		"empty":                              {"processes/x.json", "", "processes/x.json:1: is not JSON: unexpected end", ingest.Processes},
		"not JSON, a flow":                   {"flows/x.json", "{\n!", "flows/x.json:2: is not JSON: ", ingest.Flows},
		"not JSON, in no folder":             {"x.json", "{\"@type\": \"Flow\"", "x.json:1: is not JSON: ", "files"},
		"deep":                               {"processes/x.json", `{"@type": "Process", "@id": "` + id(3) + `", "name": "x", "exchanges": ` + deep + `}`, "max depth", ingest.Processes},
		"a huge number":                      {"processes/x.json", amount("1e999"), "exchanges.amount holds a number 1e999", ingest.Processes},
		"a number too large in another unit": {"processes/x.json", processFile(3, "x", "", exchangeText(1, "t", `"amount": 1e308`)), `x, exchange 1: the amount of "Flour" is too large`, ingest.Processes},
		"a text as a number":                 {"processes/x.json", amount(`"some"`), "processes/x.json:1: x: exchanges.amount holds a string", ingest.Processes},
		"an object as a number":              {"processes/x.json", amount(`{}`), "exchanges.amount holds a object", ingest.Processes},
		"no amount":                          {"processes/x.json", amount("null"), `the exchange of "Flour" has neither an amount nor a formula`, ingest.Processes},
		"an unknown parameter":               {"processes/x.json", processFile(3, "x", "", exchangeText(1, "kg", `"amountFormula": "unknown + 1"`)), `the amount of "Flour" cannot be evaluated`, ingest.Processes},
		"no flow":                            {"processes/x.json", processFile(3, "x", "", `{"amount": 1}`), "x, exchange 1: the exchange does not name a flow", ingest.Processes},
		"no id":                              {"processes/x.json", `{"@type": "Process", "name": "x"}`, "processes/x.json: x: the record has no @id", ingest.Processes},
		"the same id twice":                  {"processes/x.json", processFile(2, "x", ""), "is the same process as processes/2.json (Mill)", ingest.Processes},
		"broken UTF-8":                       {"processes/x.json", "{\"@type\": \"Process\",\n \"name\": \"\xb5\"}", "processes/x.json:2: is not valid UTF-8", ingest.Processes},
		"NUL":                                {"processes/x.json", processFile(3, `a\u0000b`, ""), "contains a NUL character", ingest.Processes},
		"no name":                            {"processes/x.json", processFile(3, " ", ""), "has no name", ingest.Processes},
		"a factor of no kind":                {"lcia_categories/x.json", `{"@type": "ImpactCategory", "@id": "` + id(9) + `", "name": "GWP", "impactFactors": [{"flow": {"@id": "` + id(1) + `"}, "value": "much"}]}`, "impactFactors.value holds a string", ingest.Indicators},
		"a stray file":                       {"flows/markdown.md", "# Flows\n\nof the mill", "flows/markdown.md: is not an openLCA record: it contains text", "files"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{
				"flows/1.json": flowFile(1, "Flour", "PRODUCT_FLOW", massID, ""), c.file: strings.ReplaceAll(c.text, `\\u`, `\u`),
				"processes/2.json": processFile(2, "Mill", "", exchangeText(1, "kg", `"amount": 1, "isQuantitativeReference": true`)),
			}))
			if got := rows.Unreadable(); !strings.Contains(got, c.want) || strings.Count(got, "\n") != 1 {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if rows.Outcome[c.kind].Skipped != 1 || len(rows.Processes) != 1 || len(rows.Exchanges) != 1 || len(rows.Indicators) != 0 {
				t.Errorf("%+v", rows.Outcome)
			}
		})
	}
}

// Invalid conversion factors are left out of a flow or a unit group, which stay.
func TestFactorsThatConvertNothing(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{
		"unit_groups/1.json": `{"@type": "UnitGroup", "@id": "` + id(1) + `", "name": "Sacks", "units": [{"@id": "` + id(2) + `", "name": "sack", "isRefUnit": true, "conversionFactor": 1},
			{"name": "bag", "conversionFactor": 0}, {"name": "pallet", "conversionFactor": 40}]}`,
		"flow_properties/3.json": `{"@type": "FlowProperty", "@id": "` + id(3) + `", "name": "Sacks", "unitGroup": {"@id": "` + id(1) + `"}}`,
		"flows/4.json":           flowFile(4, "Flour", "PRODUCT_FLOW", id(3), `, {"conversionFactor": 0, "flowProperty": {"@id": "`+energyID+`"}}`),
		"processes/5.json":       processFile(5, "Mill", "", exchangeText(4, "pallet", `"amount": 2, "isQuantitativeReference": true`)),
	}))
	if len(rows.Exchanges) != 1 || rows.Exchanges[0].Value != 80 || rows.Exchanges[0].Unit != "sack" {
		t.Errorf("%+v", rows.Exchanges)
	}
	if got := rows.Unreadable(); !strings.Contains(got, `the factor 0 of the unit "bag"`) || !strings.Contains(got, "Flour: the factor 0 of a flow property") {
		t.Errorf("%q", got)
	}
}

// Some packs have booleans and numbers as strings.
func TestTextsInPlaceOfValues(t *testing.T) {
	flour := strings.NewReplacer(`"isRefFlowProperty": true`, `"isRefFlowProperty": "TRUE"`, `"conversionFactor": 36`, `"conversionFactor": " 36.0 "`).
		Replace(flowFile(1, "Gas", "PRODUCT_FLOW", volumeID, `, {"isRefFlowProperty": "False", "conversionFactor": 36, "flowProperty": {"@id": "`+energyID+`"}}`))
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{
		"flows/1.json": strings.Replace(flour, `"flowType"`, `"version": 1.2, "flowType"`, 1),
		"processes/2.json": processFile(2, "Well", "", exchangeText(1, "m3", `"amount": "2", "isInput": "FALSE", "isQuantitativeReference": "true"`),
			exchangeText(1, "MJ", `"amount": "7.2e1", "isInput": "True", "internalId": "4"`)),
	}))
	if len(rows.Exchanges) != 2 || rows.Exchanges[0].Value != 2 || !rows.Exchanges[0].Reference || rows.Exchanges[1].Value != 2 || rows.Exchanges[1].Direction != lci.Input || len(rows.Unreadable()) > 0 {
		t.Errorf("%+v, %v", rows.Exchanges, rows.Notes)
	}
}

func TestOneOfSeveralRecordsCannotBeRead(t *testing.T) {
	all := "[" + strings.Join([]string{
		processFile(7, "Mill", "", exchangeText(6, "t", `"amount": 1, "isQuantitativeReference": true`)), `{"@type": 5}`, `{"@type": "Process", "@id": "` + id(8) + `", "name": "x", "exchanges": 3}`,
		flowFile(6, "Flour", "PRODUCT_FLOW", massID, "")}, ",") + "]"
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{"export": all}))
	if got := rows.Unreadable(); len(rows.Exchanges) != 1 || !strings.Contains(got, "export:1: record 2: @type holds a number") || !strings.Contains(got, "export:1: x: exchanges holds a number") {
		t.Errorf("%+v, %q", rows.Exchanges, got)
	}
}

// Long lists take linear time, not quadratic.
func TestLongLists(t *testing.T) {
	const n = 20_000
	var synonyms, units, exchanges, factors []string
	for i := range n {
		synonyms = append(synonyms, fmt.Sprintf("synonym %d", i))
		units = append(units, fmt.Sprintf(`{"@id": "u%d", "name": "unit %d", "conversionFactor": %d}`, i, i, i+1))
		exchanges = append(exchanges, fmt.Sprintf(`{"internalId": %d, "flow": {"@id": %q}, "unit": {"@id": "u%d"}, "amount": 1, "isInput": true}`, i, id(1), n-1-i))
		factors = append(factors, fmt.Sprintf(`{"allocationType": "CAUSAL_ALLOCATION", "product": {"@id": %q}, "exchange": {"internalId": %d}, "value": 1}`, id(1), n-1-i))
	}
	files := map[string]string{
		"unit_groups/1.json":     `{"@type": "UnitGroup", "@id": "` + id(8) + `", "units": [` + strings.Join(units, ",") + `]}`,
		"flow_properties/1.json": `{"@type": "FlowProperty", "@id": "` + id(9) + `", "unitGroup": {"@id": "` + id(8) + `"}}`,
		"flows/1.json":           strings.Replace(flowFile(1, "Flour", "PRODUCT_FLOW", id(9), ""), `"flowType"`, `"synonyms": "`+strings.Join(synonyms, ";")+`", "flowType"`, 1),
		"processes/2.json":       processFile(2, "Mill", `"defaultAllocationMethod": "CAUSAL_ALLOCATION", "allocationFactors": [`+strings.Join(factors, ",")+`],`, exchanges...),
	}
	started := time.Now()
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
	if took := time.Since(started); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	if len(rows.Exchanges) != n || rows.Exchanges[0].Value != n {
		t.Errorf("%d exchanges, %v", len(rows.Exchanges), rows.Exchanges[0])
	}
}

// Cyclic categories do not cause an endless loop.
func TestCyclicCategories(t *testing.T) {
	cycle := func(n, m int) string {
		return fmt.Sprintf(`{"@type": "Category", "@id": %q, "name": "c%d", "category": {"@id": %q}}`, id(n), n, id(m))
	}
	files := map[string]string{
		"categories/1.json": cycle(1, 2), "categories/2.json": cycle(2, 1),
		"flows/3.json": strings.Replace(flowFile(3, "Flour", "PRODUCT_FLOW", massID, ""), `"flowType"`, `"category": {"@id": "`+id(1)+`"}, "flowType"`, 1),
	}
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
	if n := strings.Count(rows.Flows[0].Classification, "/"); n > 40 {
		t.Errorf("%d", n)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range farm() {
		f.Add(text)
	}
	f.Add(`[{"@type": "Flow", "@id": "x"}]`)
	f.Add(`{"@type": "Process", "@id": "x", "name": "y", "exchanges": [{"flow": {"@id": "a"}, "amountFormula": "1+"}, null]}`)
	f.Add(`{"@type": "ImpactCategory", "@id": "x", "impactFactors": [{"flow": null}, {"flow": {"@id": "a"}, "unit": {"name": "kg"}, "value": 1}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		files := farm()
		files["processes/fuzz.json"] = text
		rows, err := ingesttest.Read(t, Open, ingesttest.Files(t, files))
		if err != nil {
			return
		}
		for kind, c := range rows.Outcome {
			if c.Read != c.Stored+c.Skipped || c.Skipped < 0 {
				t.Errorf("%s: %+v", kind, c)
			}
		}
		for _, x := range rows.Exchanges {
			if math.IsNaN(x.Value) || math.IsInf(x.Value, 0) || x.FlowID.IsZero() || x.ID.IsZero() {
				t.Errorf("%+v", x)
			}
		}
	})
}
