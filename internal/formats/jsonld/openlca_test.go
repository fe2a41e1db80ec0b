package jsonld

import (
	"testing"

	"cradle/internal/export/exporttest"
	"cradle/internal/lci"
)

// openLCA calculates a pack by openLCA's rules, as far as an export uses them:
// inputs of products and outputs of wastes are linked by their default provider
// and flow; a process's default allocation method counts; without a factor, and
// always for an avoided product, each product gets the full amount; the side of
// an elementary flow is that of its first exchange. `make interop` runs openLCA
// itself.
func openLCA(t *testing.T, pack []byte) map[string]float64 {
	t.Helper()
	processes := records[olcaProcess](t, pack, "processes")
	type techFlow struct{ process, flow string }
	at := map[techFlow]int{}
	for _, p := range processes {
		for _, x := range p.Exchanges {
			if _, met := at[techFlow{p.ID, x.Flow.ID}]; x.isProduct() && !met {
				at[techFlow{p.ID, x.Flow.ID}] = len(at)
			}
		}
	}
	n := len(at)
	isInput := map[string]bool{}
	direct := make([]map[string]float64, n)
	a := make([][]float64, n)
	for i := range a {
		a[i], direct[i] = make([]float64, n), map[string]float64{}
	}
	for _, p := range processes {
		for _, x := range p.Exchanges {
			for column, c := range at {
				switch {
				case column.process != p.ID:
				case x.Flow.FlowType == "ELEMENTARY_FLOW":
					if _, met := isInput[x.Flow.ID]; !met {
						isInput[x.Flow.ID] = x.Input
					}
					direct[c][x.Flow.ID] += p.bears(column.flow, x) * x.signed()
				case x.isProduct() && x.Flow.ID == column.flow:
					a[c][c] += x.signed()
				case !x.isProduct() && x.Provider != nil:
					row, linked := at[techFlow{x.Provider.ID, x.Flow.ID}]
					if !linked {
						t.Errorf("the provider of %s does not make it", x.ID)
						continue
					}
					a[row][c] += p.bears(column.flow, x) * x.signed()
				}
			}
		}
	}
	all := map[string]float64{}
	for _, p := range processes {
		for _, x := range p.Exchanges {
			if !x.Reference {
				continue
			}
			demand := make([]float64, n)
			demand[at[techFlow{p.ID, x.Flow.ID}]] = x.signed()
			scaling := eliminate(a, demand)
			for _, category := range records[olcaCategory](t, pack, "lcia_categories") {
				score := 0.0
				for _, f := range category.Factors {
					factor := f.Value
					if isInput[f.Flow.ID] {
						factor = -factor
					}
					for c := range scaling {
						score += scaling[c] * direct[c][f.Flow.ID] * factor
					}
				}
				all[p.ID+" "+category.ID] = score
			}
		}
	}
	return all
}

// isProduct distinguishes a process's products from its inputs.
func (x *olcaExchange) isProduct() bool {
	return x.Flow.FlowType == "PRODUCT_FLOW" && !x.Input || x.Flow.FlowType == "WASTE_FLOW" && x.Input
}

func (x *olcaExchange) signed() float64 {
	if x.Input && !x.Avoided {
		return -x.Amount
	}
	return x.Amount
}

func (p *olcaProcess) bears(product string, x olcaExchange) float64 {
	if x.Avoided {
		return 1
	}
	for _, f := range p.Allocations {
		if f.Method == p.Allocation && f.Product.ID == product && (f.Exchange == nil || f.Exchange.InternalID == x.InternalID) {
			return f.Value
		}
	}
	return 1
}

// eliminate solves a system that may be singular in parts that are not needed.
func eliminate(a [][]float64, b []float64) []float64 {
	n := len(b)
	m := make([][]float64, n)
	for i := range m {
		m[i] = append(append([]float64{}, a[i]...), b[i])
	}
	for c := range n {
		if m[c][c] == 0 {
			continue
		}
		for r := range n {
			if f := m[r][c] / m[c][c]; r != c && f != 0 {
				for k := range m[r] {
					m[r][k] -= f * m[c][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		if m[i][i] != 0 {
			x[i] = m[i][n] / m[i][i]
		}
	}
	return x
}

// A process without scores supplies no one, and inputs from it are left out.
func TestNobodyIsSuppliedByWhatHasNoScores(t *testing.T) {
	for _, c := range []struct{ shape, bad string }{
		{"what cannot be shared", "Plant"}, {"a network that makes less than it takes", "A"}, {"a network that makes less than it takes", "B"},
	} {
		for _, p := range records[olcaProcess](t, format.AsCalculated(t, &shapes()[c.shape].Rows), "processes") {
			for _, x := range p.Exchanges {
				if x.Provider != nil && x.Provider.ID == exporttest.ID(c.bad).String() {
					t.Errorf("%s: %s is supplied by %s", c.shape, p.Name, c.bad)
				}
			}
			if p.ID == exporttest.ID(c.bad).String() && len(p.Allocations) > 0 {
				t.Errorf("%s: %s shares", c.shape, c.bad)
			}
		}
	}
}

func TestTheWrittenPackStatesTheSharingThatWasUsed(t *testing.T) {
	for shape, want := range map[string]string{"allocated by mass": "PHYSICAL_ALLOCATION", "causal factors": "CAUSAL_ALLOCATION", "a by-product": "PHYSICAL_ALLOCATION", "own consumption": ""} {
		p := records[olcaProcess](t, format.AsCalculated(t, &shapes()[shape].Rows), "processes")
		for _, one := range p {
			if one.Name != "Plant" && one.Name != "Grid" {
				continue
			}
			if one.Allocation != want || len(one.Allocations) > 0 != (want != "") {
				t.Errorf("%s: %q with %d factors, want %q", shape, one.Allocation, len(one.Allocations), want)
			}
		}
	}
}

func TestTheWrittenPackSaysWhereIndicatorsBelong(t *testing.T) {
	s := exporttest.NewLibrary().Process("P", "makes x 1 kg", "emits co2 1 kg")
	s.Indicators[0].Category = "Climate"
	for _, i := range records[olcaCategory](t, format.AsCalculated(t, &s.Rows), "lcia_categories") {
		if i.Category != "Climate" {
			t.Errorf("the category is %q", i.Category)
		}
	}
	if f := records[olcaFlow](t, format.AsCalculated(t, &s.Rows), "flows"); len(f) < 3 || !hasFlow(f, exporttest.ID("ore")) {
		t.Errorf("flows that only the method knows are left out: %v", f)
	}
}

// A material's calorific value is a flow property; its colour is left out.
func TestTheWrittenPackHasPropertiesThatMeasureFlows(t *testing.T) {
	s := exporttest.NewLibrary().Process("Mine", "makes coal 1 kg", "emits co2 1 kg")
	s.Materials = []lci.Material{{ID: exporttest.ID("coal"), Name: "coal", FunctionalUnit: "1 kg"}}
	s.Properties = []lci.Property{{ID: exporttest.ID("heat"), MaterialID: exporttest.ID("coal"), Name: "Net calorific value", Value: 27, Unit: "MJ/kg"},
		{ID: exporttest.ID("grey"), MaterialID: exporttest.ID("coal"), Name: "Grey value", Value: 3, Unit: "MJ/kg"}}
	again := format.Read(t, format.AsCalculated(t, &s.Rows))
	if len(again.Properties) != 1 || again.Properties[0].Name != "Net calorific value" || again.Properties[0].Value != 27 || again.Properties[0].Unit != "MJ/kg" {
		t.Errorf("%+v", again.Properties)
	}
}

func hasFlow(flows []olcaFlow, id lci.ID) bool {
	for _, f := range flows {
		if f.ID == id.String() {
			return true
		}
	}
	return false
}
