package export

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cradle/internal/calculation"
	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// stocked is a shelf as an ingest.Inventory.
type stocked struct{ rowsOf }

func (s stocked) Mappings(context.Context) iter.Seq2[flowmatch.Mapping, error] {
	return rows([]flowmatch.Mapping{})
}
func (s stocked) Origins(context.Context) iter.Seq2[ingest.Origin, error] {
	return rows([]ingest.Origin{})
}
func (s stocked) Audiences(context.Context) iter.Seq2[ingest.Audience, error] {
	return rows([]ingest.Audience{})
}
func (s stocked) Stated(context.Context) iter.Seq2[lci.Impact, error] { return rows(s.impacts) }
func (s stocked) Processes(context.Context) iter.Seq2[lci.Process, error] {
	sorted := slices.Clone(s.processes)
	slices.SortFunc(sorted, func(a, b lci.Process) int { return a.ID.Compare(b.ID) })
	return rows(sorted)
}

func networkOf(t testing.TB, s *shelf) *calculation.Network {
	t.Helper()
	n, err := new(calculation.Calculator).Network(t.Context(), stocked{rowsOf{s}})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// scores are the calculated rows of a shelf, by the ids of process and indicator.
func scores(t testing.TB, s *shelf) map[string]float64 {
	t.Helper()
	ids := map[[3]string]string{}
	for _, i := range s.indicators {
		ids[[3]string{i.MethodID.String(), i.Category, i.Name}] = i.ID.String()
	}
	all := map[string]float64{}
	_, err := new(calculation.Calculator).Calculate(t.Context(), stocked{rowsOf{s}}, nil, func(i lci.Impact) error {
		all[i.ProcessID.String()+" "+ids[[3]string{i.MethodID.String(), i.Category, i.Indicator}]] = i.Value
		return nil
	}, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func id(name string) lci.ID { return lci.DerivedID("test", name) }

// library is a shelf with a method under which carbon dioxide counts 1 and ore 2.
func library() *shelf {
	s := &shelf{methods: []lci.Method{{ID: id("method"), Name: "Method", Version: "1"}}}
	for flow, factor := range map[string]float64{"co2": 1, "ore": 2} {
		s.factors = append(s.factors, lci.Factor{IndicatorID: id("indicator"), FlowID: id(flow), Value: factor})
	}
	s.indicators = []lci.Indicator{{ID: id("indicator"), MethodID: id("method"), Category: "Indicator", Name: "Indicator", Unit: "kg"}}
	s.flows = []lci.Flow{{ID: id("co2"), Name: "co2", Type: lci.Elementary, Compartment: "air", Unit: "kg"},
		{ID: id("ore"), Name: "ore", Type: lci.Elementary, Compartment: "Resource/in ground", Unit: "kg"}}
	return s
}

// process adds a process with exchanges such as "makes x 1 kg", "takes x 2 kg from
// P", "emits co2 3 kg", "treats waste -1 kg", "discards waste 1 kg".
func (s *shelf) process(name string, exchanges ...string) *shelf {
	s.processes = append(s.processes, lci.Process{ID: id(name), Name: name, Boundary: lci.Disaggregated})
	for i, text := range exchanges {
		word := strings.Fields(text)
		value, err := strconv.ParseFloat(word[2], 64)
		if err != nil {
			panic(err)
		}
		x := lci.Exchange{ID: id(name + strconv.Itoa(i)), ProcessID: id(name), Position: i, FlowID: id(word[1]), Name: word[1], Value: value, Unit: word[3],
			Direction: lci.Output, Type: lci.Intermediate}
		switch word[0] {
		case "makes":
			x.Reference = true
		case "treats":
			x.Reference, x.Type = true, lci.Waste
		case "takes", "avoids":
			x.Direction, x.Avoided = lci.Input, word[0] == "avoids"
		case "discards":
			x.Type = lci.Waste
		case "emits":
			x.Type = lci.Elementary
		case "extracts":
			x.Direction, x.Type = lci.Input, lci.Elementary
		}
		if len(word) > 5 && word[4] == "from" {
			x.ProviderID = id(word[5])
		}
		if len(word) > 5 && word[4] == "share" {
			share, err := strconv.ParseFloat(word[5], 64)
			if err != nil {
				panic(err)
			}
			x.Share = &share
		}
		s.exchanges = append(s.exchanges, x)
	}
	return s
}

func (s *shelf) causal(process, product string, shares ...float64) *shelf {
	for i, share := range shares {
		s.allocations = append(s.allocations, lci.Allocation{ProcessID: id(process), ProductID: id(product), ExchangeID: id(process + strconv.Itoa(i+2)), Share: share})
	}
	return s
}

func (s *shelf) states(process string, value float64) *shelf {
	s.impacts = append(s.impacts, lci.Impact{ID: id(process + "stated"), ProcessID: id(process), MethodID: id("method"), Category: "Indicator", Indicator: "Indicator", Value: value, Unit: "kg"})
	return s
}

// shapes are libraries that other programs would calculate differently, were they
// not told how.
func shapes() map[string]*shelf {
	return map[string]*shelf{
		"inputs without a provider": library().process("Coal", "makes coal 1 t", "emits co2 5000 g").process("Plant", "makes power 2 kWh", "takes coal 500 kg", "emits co2 1 kg"),
		"an input of a flow that the provider does not make": library().process("Coal", "makes coal 1 t", "emits co2 5 kg").
			process("Plant", "makes power 2 kWh", "takes fuel 500 kg from Coal"),
		"one flow made in two units": library().process("A", "makes gas 1 kg", "emits co2 1 kg").process("B", "makes gas 1 m3", "emits co2 7 kg").
			process("User", "makes use 1 p", "takes gas 2 kg from A", "takes gas 3 m3 from B"),
		"one flow made in kilograms and tonnes": library().process("A", "makes gas 1 kg", "emits co2 1 kg").process("B", "makes gas 1 t", "emits co2 7 kg").
			process("User", "makes use 1 p", "takes gas 2 g from A", "takes gas 3 kg from B"),
		"a by-product that is a waste elsewhere": library().process("Burning", "treats ash 1 kg", "emits co2 2 kg").
			process("Factory", "makes x 1 p", "gives ash 2 kg", "emits co2 1 kg").process("Stove", "makes heat 1 MJ", "discards ash 1 kg"),
		"shared by mass": library().process("Plant", "makes a 1 kg", "makes b 3000 g", "emits co2 2 kg", "extracts ore 4 kg").process("User", "makes use 1 p", "takes b 3 kg"),
		"shared by shares that do not come to 1": library().process("Plant", "makes a 1 p share 0.3", "makes b 1 p share 0.3", "emits co2 2 kg").
			process("User", "makes use 1 p", "takes b 3 p"),
		"causal factors": library().process("Plant", "makes a 1 kg", "makes b 3 kg", "emits co2 2 kg", "takes coal 1 kg", "extracts ore 1 kg").
			process("Coal", "makes coal 1 kg", "emits co2 8 kg").process("User", "makes use 1 p", "takes b 3 kg").
			causal("Plant", "a", 0.9, 0.2, 0.4).causal("Plant", "b", 0.1, 0.8, 0.6),
		"an avoided input of several products": library().process("Coal", "makes coal 2 kg", "emits co2 6 kg").
			process("Plant", "makes a 1 kg", "makes b 3 kg", "emits co2 2 kg", "avoids coal 1 kg").process("User", "makes use 1 p", "takes b 3 kg"),
		"an avoided input": library().process("Coal", "makes coal 2 kg", "emits co2 6 kg").process("Recycling", "makes service 1 p", "avoids coal 1 kg"),
		"a by-product":     library().process("Plant", "makes a 1 kg", "gives b 3 kg", "emits co2 2 kg"),
		"a by-product of several products": library().process("Plant", "makes a 1 kg", "makes b 1 kg", "gives c 2 kg", "emits co2 2 kg").
			process("User", "makes use 1 p", "takes b 3 kg"),
		"more of a product": library().process("Plant", "makes a 1 kg", "gives a 3 kg", "emits co2 2 kg").process("User", "makes use 1 p", "takes a 1 kg"),
		"a treatment": library().process("Burning", "treats waste -1 kg", "emits co2 2 kg").
			process("Factory", "makes x 1 p", "discards waste 2000 g", "emits co2 1 kg"),
		"a treatment as a service":    library().process("Burning", "treats waste 1 kg", "emits co2 2 kg").process("Factory", "makes x 1 p", "discards waste 2 kg"),
		"a waste as a negative input": library().process("Burning", "treats waste -1 kg", "emits co2 2 kg").process("Factory", "makes x 1 p", "takes waste -2 kg"),
		"another waste given to a treatment": library().process("Burning", "treats waste -1 kg", "emits co2 2 kg").
			process("Factory", "makes x 1 p", "discards rubbish 2 kg from Burning"),
		"a flow that is made here and treated there": library().process("Scrapping", "makes scrap -1 kg", "emits co2 2 kg").process("Collection", "makes scrap 1 kg", "emits co2 9 kg").
			process("Factory", "makes x 1 p", "gives scrap 2 kg", "takes scrap 5 kg from Collection"),
		"a treatment with a product": library().process("Burning", "treats waste -1 kg share 0.75", "makes heat 3 MJ share 0.25", "emits co2 2 kg").
			process("Factory", "makes x 1 p", "discards waste 2 kg", "takes heat 1 MJ"),
		"own consumption":    library().process("Grid", "makes power 1 kWh", "takes power 0.2 kWh", "emits co2 4 kg"),
		"against nature":     library().process("Mine", "makes x 1 kg", "extracts ore 3 kg", "emits ore 1 kg", "emits co2 -2 kg", "extracts co2 1 kg"),
		"a negative input":   library().process("Coal", "makes coal 2 kg", "emits co2 6 kg").process("Grid", "makes power 1 kWh", "takes coal -1 kg", "emits co2 1 kg"),
		"a cut-off":          library().process("User", "makes y 1 p", "takes x 1 kg", "emits co2 1 kg", "emits co2 1 m3", "discards waste 1 kg"),
		"an absent provider": library().process("User", "makes y 1 p", "takes x 1 kg from Nobody", "emits co2 1 kg").process("Maker", "makes x 1 kg", "emits co2 1 kg"),
		"what cannot be shared": library().process("Plant", "makes a 1 kg", "makes b 3 kWh", "emits co2 2 kg").
			process("User", "makes use 1 p", "takes b 3 kWh", "emits co2 1 kg"),
		"a network that makes less than it takes": library().process("A", "makes a 1 kg", "takes b 2 kg", "emits co2 1 kg").process("B", "makes b 1 kg", "takes a 2 kg").
			process("User", "makes use 1 p", "takes a 1 kg", "emits co2 1 kg").process("Other", "makes x 1 kg", "emits co2 1 kg"),
		"a supplier without an inventory": library().process("Idea", "makes x 2 kg").states("Idea", 5).process("User", "makes y 1 p", "takes x 1 kg", "emits co2 1 kg"),
		"an emission with the id of a product": library().process("Gas", "makes co2 1 kg", "emits co2 3 kg").
			process("User", "makes y 1 p", "takes co2 1 kg", "emits co2 1 kg"),
		"two processes that supply each other": library().process("X", "makes x 1 kg", "takes y 0.5 kg", "emits co2 1 kg").
			process("Y", "makes y 1 kg", "takes x 0.5 kg", "extracts ore 2 kg"),
	}
}

func TestJSONLDGivesOpenLCATheScores(t *testing.T) {
	for name, s := range shapes() {
		t.Run(name, func(t *testing.T) {
			want := scores(t, s)
			if len(want) == 0 {
				t.Fatal("nothing was calculated")
			}
			expect(t, openLCA(t, writtenAs(t, s)), want)
		})
	}
}

// Reading the pack again gives the same scores, and no others.
func TestJSONLDGivesTheScoresAgain(t *testing.T) {
	all := shapes()
	delete(all, "a supplier without an inventory") // its stated impacts come back as an inventory
	for name, s := range samples(t) {
		all[name] = s
	}
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			want, again := scores(t, s), scores(t, reread(t, "jsonld", writtenAs(t, s)))
			expect(t, again, want)
			if len(again) != len(want) {
				t.Errorf("%d scores became %d", len(want), len(again))
			}
		})
	}
}

func expect(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for row, v := range want {
		if n, ok := got[row]; !ok || math.Abs(n-v) > 1e-9*max(math.Abs(v), 1e-3) {
			t.Errorf("%s is %v (%t), want %v", row, n, ok, v)
		}
	}
}

func writtenAs(t testing.TB, s *shelf) []byte {
	t.Helper()
	format, _ := Find("jsonld")
	var out bytes.Buffer
	if _, err := format.Write(t.Context(), &out, rowsOf{s}, networkOf(t, s)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// records reads the JSON files of a folder in a pack.
func records[T any](t testing.TB, pack []byte, folder string) []T {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for _, f := range r.File {
		if !strings.HasPrefix(f.Name, folder+"/") {
			continue
		}
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var one T
		if err := json.NewDecoder(content).Decode(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}
