package calculation_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"cradle/internal/calculation"
	"cradle/internal/formats/jsonld"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
	"cradle/internal/units"
)

// The US LCI library, linked by its flows and scored with the IPCC's warming
// potentials by flow name: every score must be that of a dense elimination of
// equations that this test sets up itself.
func TestUSLCIAgainstADenseSolve(t *testing.T) {
	rows := ingesttest.MustRead(t, jsonld.Open, ingesttest.Open(t, ingesttest.Shared(t, "jsonld-v1/uslci_fy17_q4_olca1_5_0_json_ld.zip")))
	s := &ingesttest.Rows{Processes: rows.Processes, Exchanges: rows.Exchanges, Allocations: rows.Allocations}
	s.Methods = []lci.Method{{ID: lci.DerivedID("test", "IPCC"), Name: "IPCC", Version: "AR6"}}
	s.Indicators = []lci.Indicator{{ID: lci.DerivedID("test", "GWP100"), MethodID: lci.DerivedID("test", "IPCC"), Category: "Climate change", Name: "GWP100", Unit: "kg"}}
	potentials := warmingPotentials(t)
	for _, f := range rows.Flows {
		// Without names, only these flows can get factors.
		s.Flows = append(s.Flows, lci.Flow{ID: f.ID, Type: f.Type, Compartment: f.Compartment, Unit: f.Unit})
		if value, ok := potentials[f.Name]; ok && f.Type == lci.Elementary && strings.HasPrefix(f.Compartment, "air") {
			s.Factors = append(s.Factors, lci.Factor{IndicatorID: lci.DerivedID("test", "GWP100"), FlowID: f.ID, Value: value})
		}
	}
	want := plainScores(s)
	compared := 0
	got, err := new(calculation.Calculator).Calculate(t.Context(), s.Source(), nil, func(i lci.Impact) error {
		score, ok := want[i.ProcessID]
		if !ok || math.Abs(i.Value-score) > 1e-9*max(math.Abs(score), 1e-5) {
			t.Errorf("process %s: %v, want %v (%t)", i.ProcessID, i.Value, score, ok)
		}
		if i.Value != 0 {
			compared++
		}
		return nil
	}, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows != len(want) || got.Rows+got.Uncalculated != len(rows.Processes) || compared < 500 || len(s.Factors) < 10 {
		t.Errorf("%d scores are not zero, by %d factors; %d rows, %d wanted, %d uncalculated", compared, len(s.Factors), got.Rows, len(want), got.Uncalculated)
	}
}

// warmingPotentials are those of the sixth assessment report, by US LCI's names
// of the gases.
func warmingPotentials(t *testing.T) map[string]float64 {
	t.Helper()
	f, err := os.Open(ingesttest.Shared(t, "lcia/LCIAformatter_IPCC_GWP_values.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{"Carbon dioxide": {"Carbon dioxide", "Carbon dioxide, fossil"},
		"Methane": {"Methane", "Methane, fossil"}, "Nitrous oxide": {"Dinitrogen monoxide"}}
	found := map[string]float64{}
	for _, r := range records {
		value, err := strconv.ParseFloat(r[6], 64)
		for _, name := range names[r[1]] {
			if err == nil && r[0] == "AR6" && r[5] == "GWP100" {
				found[name] = value
			}
		}
	}
	if len(found) != 5 {
		t.Fatalf("potentials %v", found)
	}
	return found
}

// plainScores links and solves a library without providers and waste treatment,
// as documented. It uses the allocation shares as read.
func plainScores(s *ingesttest.Rows) map[lci.ID]float64 {
	type product struct {
		process lci.ID
		x       lci.Exchange
		share   float64
	}
	region, of, products := map[lci.ID]lci.Process{}, map[lci.ID][]lci.Exchange{}, map[lci.ID][]product{}
	for _, p := range s.Processes {
		region[p.ID] = p
	}
	for _, x := range s.Exchanges {
		of[x.ProcessID] = append(of[x.ProcessID], x)
	}
	var columns []product
	made := map[lci.ID][]int{} // by flow
	first := map[lci.ID]int{}
	for _, p := range s.Processes {
		for _, x := range of[p.ID] {
			if x.Reference {
				products[p.ID] = append(products[p.ID], product{p.ID, x, 1})
			}
		}
		for i, one := range products[p.ID] {
			if len(products[p.ID]) > 1 && one.x.Share == nil {
				break // it cannot be allocated
			}
			if len(products[p.ID]) > 1 {
				one.share = *one.x.Share
			}
			if i == 0 {
				first[p.ID] = len(columns)
			}
			made[one.x.FlowID] = append(made[one.x.FlowID], len(columns))
			columns = append(columns, one)
		}
	}
	factors := map[lci.ID]float64{}
	for _, f := range s.Factors {
		factors[f.FlowID] = f.Value
	}
	supplier := func(x lci.Exchange) (int, bool) {
		var others, same []int
		for _, c := range made[x.FlowID] {
			if columns[c].process != x.ProcessID {
				others = append(others, c)
			}
		}
		if len(others) == 0 {
			others = made[x.FlowID]
		}
		for _, c := range others {
			if here := region[x.ProcessID].Region; here != "" && region[columns[c].process].Region == here {
				same = append(same, c)
			}
		}
		switch {
		case len(others) == 1:
			return others[0], true
		case len(same) == 1:
			return same[0], true
		}
		return 0, false
	}
	// One equation for each column: the worth of its product equals that of what
	// it takes and emits.
	m := make([][]float64, len(columns))
	for c, col := range columns {
		m[c] = make([]float64, len(columns)+1)
		m[c][c] = col.x.Value
		for _, x := range of[col.process] {
			switch {
			case x.Reference:
			case x.Type == lci.Elementary && x.Direction == lci.Output:
				m[c][len(columns)] += col.share * x.Value * factors[x.FlowID]
			case x.Type == lci.Elementary:
				m[c][len(columns)] -= col.share * x.Value * factors[x.FlowID]
			case x.Direction == lci.Input:
				if from, ok := supplier(x); ok {
					if times, ok := units.Factor(x.Unit, columns[from].x.Unit); ok || x.Unit == columns[from].x.Unit {
						if !ok {
							times = 1
						}
						m[c][from] -= col.share * x.Value * times
					}
				}
			}
		}
	}
	worth := calculation.Eliminate(m)
	scores := map[lci.ID]float64{}
	for process, c := range first {
		scores[process] = worth[c] * columns[c].x.Value
	}
	return scores
}
