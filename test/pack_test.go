package test

import (
	"encoding/json"
	"maps"
	"strings"
)

// A pack is a library as openLCA 2 writes it, with names in place of ids. It
// omits units and flow properties, which are openLCA's own.
type pack map[string]string

var flowProperties = map[string]string{
	"Mass": "93a60a56-a3c8-11da-a746-0800200b9a66", "Energy": "f6811440-ee37-11de-8a39-0800200c9a66",
	"Volume": "93a60a56-a3c8-22da-a746-0800200c9a66", "Number of items": "01846770-4cfe-4a25-8ad9-919d8d378345",
}

func (p pack) add(folder, kind, name string, fields obj) {
	record := obj{"@type": kind, "@id": idOf(strings.ToLower(kind), name), "name": name}
	maps.Copy(record, fields)
	text, err := json.Marshal(record)
	if err != nil {
		panic(err)
	}
	p[folder+"/"+record["@id"].(string)+".json"] = string(text)
}

func named(kind, name string) obj { return obj{"@id": idOf(kind, name), "name": name} }

// flow adds a flow that is measured in quantities, the first of them the
// reference: "Volume", "Mass 800".
func (p pack) flow(kind, name string, quantities ...string) {
	var properties list
	for i, q := range quantities {
		factor := "1"
		if at := strings.LastIndexByte(q, ' '); i > 0 {
			q, factor = q[:at], q[at+1:]
		}
		properties = append(properties, obj{"isRefFlowProperty": i == 0, "conversionFactor": json.Number(factor), "flowProperty": obj{"@id": flowProperties[q], "name": q}})
	}
	p.add("flows", "Flow", name, obj{"flowType": kind, "flowProperties": properties})
}

func (p pack) product(name string, quantities ...string) {
	p.flow("PRODUCT_FLOW", name, quantities...)
}

// process adds a process; the exchanges are numbered from 1.
func (p pack) process(name string, fields obj, exchanges ...obj) {
	all := obj{"processType": "UNIT_PROCESS", "exchanges": exchanges}
	maps.Copy(all, fields)
	for i, x := range exchanges {
		x["internalId"] = i + 1
	}
	p.add("processes", "Process", name, all)
}

// out is an output, and the quantitative reference where fields say so.
func out(flow, amount string, fields ...obj) obj {
	value, unit, _ := strings.Cut(amount, " ")
	x := obj{"isInput": false, "flow": named("flow", flow), "amount": json.Number(value), "unit": obj{"name": unit}}
	for _, f := range fields {
		maps.Copy(x, f)
	}
	return x
}

func input(flow, amount string, fields ...obj) obj {
	return out(flow, amount, append(fields, obj{"isInput": true})...)
}

func reference(flow, amount string, fields ...obj) obj {
	return out(flow, amount, append(fields, obj{"isQuantitativeReference": true})...)
}

func provider(process string) obj { return obj{"defaultProvider": named("process", process)} }

func emission(amount string) obj {
	x := out("Carbon dioxide", amount)
	x["flow"] = obj{"@id": co2}
	return x
}

// withCarbonDioxide adds the only elementary flow of most packs.
func (p pack) withCarbonDioxide() pack {
	p.flow("ELEMENTARY_FLOW", "Carbon dioxide", "Mass")
	at := "flows/" + idOf("flow", "Carbon dioxide") + ".json"
	p["flows/co2.json"] = strings.ReplaceAll(p[at], idOf("flow", "Carbon dioxide"), co2)
	delete(p, at)
	return p
}

// factors are allocation factors of products: "Petrol", "0.6".
func factors(method string, shares ...string) list {
	var all list
	for i := 0; i < len(shares); i += 2 {
		all = append(all, obj{"allocationType": method, "product": named("flow", shares[i]), "value": json.Number(shares[i+1])})
	}
	return all
}

// causal are factors of exchanges, named by their numbers or flows.
func causal(exchanges []obj, shares ...string) list {
	var all list
	for _, exchange := range exchanges {
		for _, f := range factors("CAUSAL_ALLOCATION", shares...) {
			f.(obj)["exchange"] = exchange
			all = append(all, f)
		}
	}
	return all
}

func numbered(numbers ...int) []obj {
	var all []obj
	for _, n := range numbers {
		all = append(all, obj{"internalId": n})
	}
	return all
}

// inSchema1 is the pack as openLCA 1 writes it.
func (p pack) inSchema1() pack {
	older := strings.NewReplacer("isQuantitativeReference", "quantitativeReference", "isInput", "input", "isRefFlowProperty", "referenceFlowProperty", "isAvoidedProduct", "avoidedProduct")
	old := pack{}
	for name, text := range p {
		old[name] = older.Replace(text)
	}
	return old
}
