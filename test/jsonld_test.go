package test

import (
	"fmt"
	"strings"
)

// jsonld is the textbook's system as openLCA writes it, without units and flow
// properties: they are known.
func jsonld(schema int) map[string]string {
	const mass, energy, volume = "93a60a56-a3c8-11da-a746-0800200b9a66", "f6811440-ee37-11de-8a39-0800200c9a66", "93a60a56-a3c8-22da-a746-0800200c9a66"
	flow := func(id, name, kind, property string) string {
		return fmt.Sprintf(`{"@type": "Flow", "@id": %q, "name": %q, "flowType": %q, "flowProperties": [{"isRefFlowProperty": true, "conversionFactor": 1, "flowProperty": {"@id": %q}}]}`,
			uid(id, 1), name, kind, property)
	}
	exchange := func(flow, unit, amount, more string) string {
		return fmt.Sprintf(`{"flow": {"@id": %q}, "unit": {"name": %q}, "amount": %s %s}`, uid(flow, 1), unit, amount, more)
	}
	process := func(id, name string, exchanges ...string) string {
		return fmt.Sprintf(`{"@type": "Process", "@id": %q, "name": %q, "processType": "UNIT_PROCESS", "exchanges": [%s]}`, uid(id, 1), name, strings.Join(exchanges, ","))
	}
	const reference, input = `, "isQuantitativeReference": true, "isInput": false`, `, "isInput": true`
	files := map[string]string{
		"flows/b.json":           flow("bbbbbbbb", "Electricity", "PRODUCT_FLOW", energy),
		"flows/d.json":           flow("dddddddd", "Fuel", "PRODUCT_FLOW", volume),
		"flows/e.json":           flow("eeeeeeee", "Carbon dioxide", "ELEMENTARY_FLOW", mass),
		"processes/a.json":       process("aaaaaaaa", "Power plant", exchange("bbbbbbbb", "kWh", "10", reference), exchange("dddddddd", "m3", "0.002", input), exchange("eeeeeeee", "kg", "1", "")),
		"processes/c.json":       process("cccccccc", "Refinery", exchange("dddddddd", "l", "100", reference), exchange("eeeeeeee", "g", "10000", "")),
		"lcia_methods/1.json":    `{"@type": "ImpactMethod", "@id": "` + uid("11111111", 1) + `", "name": "Textbook", "impactCategories": [{"@id": "` + uid("33333333", 1) + `"}]}`,
		"lcia_categories/3.json": `{"@type": "ImpactCategory", "@id": "` + uid("33333333", 1) + `", "name": "GWP", "refUnit": "kg", "impactFactors": [{"flow": {"@id": "` + uid("eeeeeeee", 1) + `"}, "unit": {"name": "t"}, "value": 1000}]}`,
	}
	if schema == 1 {
		older := strings.NewReplacer("isQuantitativeReference", "quantitativeReference", "isInput", "input", "isRefFlowProperty", "referenceFlowProperty", "refUnit", "referenceUnitName")
		for name, text := range files {
			files[name] = older.Replace(text)
		}
	}
	return files
}
