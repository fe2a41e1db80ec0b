package jsonld

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// counted is a pack counted independently of the code under test.
type counted struct {
	flows     map[string]plain
	processes []plain
	units     map[string]float64 // by id, in their group's reference unit
}

// plain has the fields of any record that are counted.
type plain struct {
	Type       string `json:"@type"`
	ID         string `json:"@id"`
	Name       string
	FlowType   string
	Factors    []plain `json:"flowProperties"`
	Units      []plain
	Factor     float64 `json:"conversionFactor"`
	Exchanges  []plain
	Amount     float64
	Flow       *plain
	Unit       *plain
	Property   *plain `json:"flowProperty"`
	Input      bool
	IsInput    bool
	Reference1 bool `json:"quantitativeReference"`
	Reference2 bool `json:"isQuantitativeReference"`
	Avoided1   bool `json:"avoidedProduct"`
	Avoided2   bool `json:"isAvoidedProduct"`
}

func countPack(t *testing.T, file string) *counted {
	t.Helper()
	archive, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	c := &counted{flows: map[string]plain{}, units: map[string]float64{}}
	for _, f := range archive.File {
		if folder := path.Base(path.Dir(f.Name)); path.Ext(f.Name) != ".json" || folder != "flows" && folder != "processes" && folder != "unit_groups" {
			continue
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var record plain
		err = json.NewDecoder(in).Decode(&record)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		switch record.Type {
		case "Flow":
			c.flows[record.ID] = record
		case "Process":
			c.processes = append(c.processes, record)
		case "UnitGroup":
			for _, u := range record.Units {
				c.units[u.ID] = u.Factor
			}
		}
	}
	return c
}

// standard are the units of packs without their own.
var standard = map[string]float64{"kg": 1, "g": 1e-3, "MJ": 1, "t*km": 1}

// amount is what an exchange must be in its flow's reference unit.
func (c *counted) amount(t *testing.T, x plain) float64 {
	k, known := c.units[x.Unit.ID]
	if !known {
		if k, known = standard[x.Unit.Name]; !known {
			t.Fatalf("the test does not know the unit %v", x.Unit.Name)
		}
	}
	for _, p := range c.flows[x.Flow.ID].Factors {
		if p.Property.ID == x.Property.ID {
			k /= p.Factor
		}
	}
	return x.Amount * k
}

// TestRealPacks accounts for every exchange of real libraries: each is stored,
// on the side and with the amount that follow from the file.
func TestRealPacks(t *testing.T) {
	for _, c := range []struct {
		name                                  string
		processes, flows, exchanges, unlinked int
	}{
		{"jsonld-v1/uslci_fy17_q4_olca1_5_0_json_ld.zip", 766, 4601, 32526, 0},
		{"jsonld-v1/US-FPL.zip", 4, 23, 31, 0},
		{"jsonld-v1/olca_exchange_sync-all.zip", 2, 2, 3, 0},
		{"jsonld-v2/uslci-marine_v1.0.zip", 72, 88, 6264, 72},
		{"jsonld-v2/uslci-moves_nonroad_v1.0.zip", 52, 117, 4207, 52},
	} {
		t.Run(path.Base(c.name), func(t *testing.T) {
			file := ingesttest.Shared(t, c.name)
			rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, file))
			if got := rows.Outcome[ingest.Exchanges]; got != (ingest.Count{Read: c.exchanges, Stored: c.exchanges}) || len(rows.Exchanges) != c.exchanges {
				t.Errorf("exchanges %+v, %d rows, want %d", got, len(rows.Exchanges), c.exchanges)
			}
			if got := rows.Outcome[ingest.Processes]; got != (ingest.Count{Read: c.processes, Stored: c.processes}) {
				t.Errorf("processes %+v, want %d", got, c.processes)
			}
			if got := rows.Outcome[ingest.Flows]; got != (ingest.Count{Read: c.flows, Stored: c.flows}) {
				t.Errorf("flows %+v, want %d", got, c.flows)
			}
			if got := rows.Classes(); rows.Outside() != c.unlinked || got[ingest.UnknownUnit]+got[ingest.Missing]+got[ingest.Formula] > 0 {
				t.Errorf("notes %v, %d providers outside, want %d", got, rows.Outside(), c.unlinked)
			}
			compare(t, countPack(t, file), rows)
		})
	}
}

func compare(t *testing.T, pack *counted, rows *ingesttest.Rows) {
	t.Helper()
	stored := map[string][]float64{}
	for _, x := range rows.Exchanges {
		key := fmt.Sprintf("%v %v %v %v", x.ProcessID, x.FlowID, x.Direction, x.Avoided)
		stored[key] = append(stored[key], x.Value)
	}
	references := map[string]bool{}
	for _, x := range rows.Exchanges {
		if x.Position == 0 && x.Reference {
			references[fmt.Sprintf("%v %v", x.ProcessID, x.FlowID)] = true
		}
	}
	expected := map[string][]float64{}
	for _, p := range pack.processes {
		for _, x := range p.Exchanges {
			amount, direction := pack.amount(t, x), lci.Output
			reference := x.Reference1 || x.Reference2
			switch waste := pack.flows[x.Flow.ID].FlowType == "WASTE_FLOW"; {
			case (x.Input || x.IsInput) && (reference || waste):
				amount = -amount
			case x.Input || x.IsInput:
				direction = lci.Input
			}
			if reference && !references[fmt.Sprintf("%v %v", p.ID, x.Flow.ID)] {
				t.Errorf("%v: %v is not its first reference product", p.Name, x.Flow.ID)
			}
			key := fmt.Sprintf("%v %v %v %v", p.ID, x.Flow.ID, direction, x.Avoided1 || x.Avoided2)
			expected[key] = append(expected[key], amount)
		}
	}
	if len(stored) != len(expected) {
		t.Errorf("%d kinds of exchanges, want %d", len(stored), len(expected))
	}
	for key, want := range expected {
		got := stored[key]
		slices.Sort(got)
		slices.Sort(want)
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }) {
			t.Errorf("%s: %v, want %v", key, got, want)
		}
	}
}

// A pack with incomplete causal factors whose other factors are 0 has none that
// can be used.
func TestFactorsThatShareNothing(t *testing.T) {
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, ingesttest.Shared(t, "jsonld-v1/US-FPL.zip")))
	if len(rows.Allocations) > 0 || !strings.Contains(fmt.Sprint(rows.Notes), "causal allocation factors that are incomplete or not used") {
		t.Errorf("%d allocations, %v", len(rows.Allocations), rows.Notes)
	}
}

func TestRealMethod(t *testing.T) {
	folder := ingesttest.Shared(t, "lcia/jsonld_AWARE")
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, folder))
	if len(rows.Methods) != 1 || rows.Methods[0].Name != "AWARE" || len(rows.Indicators) != 1 || rows.Indicators[0].Unit != "m3" || rows.Indicators[0].MethodID != rows.Methods[0].ID {
		t.Fatalf("%+v, %+v", rows.Methods, rows.Indicators)
	}
	if a := rows.Outcome[ingest.Factors]; a.Read == 0 || a.Read != a.Stored+a.Skipped || len(rows.Factors) != a.Stored {
		t.Errorf("%+v, %d rows", a, len(rows.Factors))
	}
	units := map[string]int{}
	for _, f := range rows.Flows {
		units[f.Unit]++
		if f.Type != lci.Elementary || !strings.HasPrefix(f.Compartment, "resource") && f.Compartment == "" {
			t.Errorf("%+v", f)
		}
	}
	t.Log(rows.Outcome, units)
}

func TestSchemaExamples(t *testing.T) {
	folder := ingesttest.Shared(t, "jsonld-v2/olca-schema-examples")
	rows := ingesttest.MustRead(t, Open, ingesttest.Open(t, folder))
	if len(rows.Processes) != 1 || len(rows.Exchanges) != 1 || len(rows.Factors) != 1 {
		t.Errorf("%d processes, %d exchanges, %d factors", len(rows.Processes), len(rows.Exchanges), len(rows.Factors))
	}
}
