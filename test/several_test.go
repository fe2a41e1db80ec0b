package test

import "testing"

// A product in several exchanges is a single one with their sum: 1 kg of A, 5 kg
// of B.
func TestAProductInSeveralExchanges(t *testing.T) {
	two := func(fields obj, costs ...string) func(pack) {
		return func(p pack) {
			exchanges := []obj{reference("A", "1 kg"), out("B", "3 kg"), out("B", "2 kg"), emission("12 kg")}
			for i, cost := range costs {
				exchanges[i]["costValue"] = cost
			}
			p.process("Plant", fields, exchanges...)
			p.process("User", nil, reference("Use", "1 kg"), input("B", "5 kg"))
		}
	}
	treatment := func(p pack) {
		p.flow("WASTE_FLOW", "Ash", "Mass")
		p.process("Plant", nil, input("Ash", "1 kg", obj{"isQuantitativeReference": true}), input("Ash", "1 kg"), emission("12 kg"))
		p.process("User", nil, reference("Use", "1 kg"), out("Ash", "1 kg"))
	}
	negative := func(p pack) {
		p.flow("WASTE_FLOW", "Ash", "Mass")
		p.process("Plant", nil, input("Ash", "1 kg", obj{"isQuantitativeReference": true}), emission("2 kg"))
		p.process("User", nil, reference("Use", "1 kg"), input("Ash", "-3 kg"), emission("10 kg"))
	}
	avoided := func(p pack) {
		negative(p)
		p.process("User", nil, reference("Use", "1 kg"), out("Ash", "3 kg", obj{"isAvoidedProduct": true}), emission("10 kg"))
	}
	for _, c := range []struct {
		name        string
		fill        func(pack)
		plant, user float64
	}{
		{"by mass", two(nil), 2, 10},
		{"by what they cost", two(obj{"defaultAllocationMethod": economic}, "1", "3", "2"), 2, 10},
		{"by shares", two(obj{"defaultAllocationMethod": physical, "allocationFactors": factors(physical, "A", "0.25", "B", "0.75")}), 3, 9},
		{"by causal factors", two(obj{"defaultAllocationMethod": causally, "allocationFactors": causal(numbered(4), "A", "0.5", "B", "0.5")}), 6, 6},
		{"a waste that is treated", treatment, 6, 6},
		{"a negative input of waste is given to treatment", negative, 2, 16},
		{"an avoided waste is a credit", avoided, 2, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEveryEngine(t, func(t *testing.T, e engine) {
				in := install(t, e)
				in.imports(t, folder(t, packOf(c.fill, "A", "B", "Use")), climate().write(t))
				checkNumbers(t, in, map[string]float64{"Plant/CO2": c.plant, "User/CO2": c.user})
			})
		})
	}
}

// The newer record of a flow is a waste, the older one a traded product.
func TestOrderOfAFlowThatIsNoProductAnyMore(t *testing.T) {
	of := func(kind, version string, fill func(pack)) pack {
		p := packOf(func(p pack) {
			p.flow(kind, "Slag", "Mass")
			fill(p)
		}, "Use")
		p.add("flows", "Flow", "Slag", obj{"flowType": kind, "version": version, "flowProperties": list{obj{"isRefFlowProperty": true, "conversionFactor": 1, "flowProperty": obj{"@id": flowProperties["Mass"]}}}})
		return p
	}
	newer := of("WASTE_FLOW", "01.00.001", func(p pack) { p.process("User", nil, reference("Use", "1 kg"), emission("2 kg")) })
	older := of("PRODUCT_FLOW", "01.00.000", func(p pack) { p.process("Mill", nil, reference("Slag", "1 kg"), emission("1 kg")) })
	inAnyOrder(t, []map[string]string{newer, older, climate().files()}, map[string]float64{"User/CO2": 2, "Mill/CO2": 1})
}

// Processes with the same name are distinguished in notes, and an unknown
// supplier is cut off by name.
func TestNotesTellProcessesApart(t *testing.T) {
	p := packOf(func(p pack) {
		for _, place := range []string{"DE", "FR"} {
			p.add("processes", "Process", "Plant "+place, obj{"name": "Plant", "location": obj{"@id": idOf("location", place), "name": place},
				"exchanges": list{reference("A "+place, "1 kg"), input("B", "1 kg"), emission("1 kg")}})
		}
		p.process("Empty", nil, reference("B", "1 kg"))
	}, "A DE", "A FR", "B")
	onEveryEngine(t, func(t *testing.T, e engine) {
		got := install(t, e).imports(t, folder(t, p), climate().write(t))
		if got.Calculation.CutOffs != 2 {
			t.Errorf("%d cut off", got.Calculation.CutOffs)
		}
		if in := got.of("missing")["B"].In; len(in) != 2 || in[0] == in[1] {
			t.Errorf("concerns %q", in)
		}
	})
}
