package export

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"cradle/internal/calculation"
	"cradle/internal/lci"
)

// calculated is a library as it is written for programs that calculate.
func calculated(t testing.TB, format string, from *shelf) []byte {
	t.Helper()
	f, _ := Find(format)
	var out bytes.Buffer
	if _, err := f.Write(t.Context(), &out, rowsOf{from}, networkOf(t, from)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// allScores are the impacts of a library that are calculated or stated, by process
// and indicator.
func allScores(t testing.TB, of *shelf) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	add := func(i lci.Impact) error {
		all[i.ProcessID.String()+" "+i.MethodID.String()+" "+i.Category+" "+i.Indicator] = i.Value
		return nil
	}
	for _, i := range of.impacts {
		add(i)
	}
	if _, err := (&calculation.Calculator{}).Calculate(t.Context(), stocked{rowsOf{of}}, nil, add, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	return all
}

func sameScores(t testing.TB, want, got map[string]float64) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("there are no scores")
	}
	wrong := 0
	for key, w := range want {
		g, there := got[key]
		if !there || math.Abs(g-w) > max(1e-12, 1e-9*math.Abs(w)) {
			if wrong++; wrong < 4 {
				t.Errorf("%s: %v (there: %v), want %v", key, g, there, w)
			}
		}
	}
}

// hard is a library that holds what formats of one product to an activity have to
// be given otherwise: several products, wastes, treatments that state what they
// take as a service, avoided products, other units, stated scores, inputs that
// nobody makes, a process that eats itself, flows against their nature.
func hard() *shelf {
	s := &shelf{}
	id := func(name string) lci.ID { return lci.DerivedID("test", name) }
	flow := func(name string, kind lci.FlowType, unit, compartment string) {
		s.flows = append(s.flows, lci.Flow{ID: id(name), Name: name, Type: kind, Unit: unit, Compartment: compartment})
	}
	for _, name := range []string{"steel", "slag", "power", "coal", "heat", "epd", "snake", "visit"} {
		flow(name, lci.Intermediate, map[bool]string{true: "kWh", false: "kg"}[name == "power" || name == "heat"], "")
	}
	flow("ash", lci.Waste, "kg", "")
	flow("sludge", lci.Waste, "kg", "")
	flow("co2", lci.Elementary, "kg", "air/urban air")
	flow("ore", lci.Elementary, "kg", "resource/in ground")
	flow("homeless", lci.Elementary, "kg", "")
	s.methods = []lci.Method{{ID: id("method"), Name: "Method", Version: "3.1"}}
	for _, name := range []string{"warming", "depletion"} {
		s.indicators = append(s.indicators, lci.Indicator{ID: id(name), MethodID: id("method"), Category: "all", Name: name, Unit: "kg"})
	}
	for _, f := range []struct {
		indicator, flow string
		value           float64
	}{{"warming", "co2", 1}, {"depletion", "ore", 2}, {"depletion", "homeless", 3}, {"warming", "homeless", 5}} {
		s.factors = append(s.factors, lci.Factor{IndicatorID: id(f.indicator), FlowID: id(f.flow), Value: f.value})
	}
	kinds := map[lci.ID]lci.FlowType{}
	for _, f := range s.flows {
		kinds[f.ID] = f.Type
	}
	process := func(name string, exchanges ...string) {
		s.processes = append(s.processes, lci.Process{ID: id(name + "!"), Name: name, Region: "DE"})
		for n, text := range exchanges {
			var role, flow, unit, provider string
			var value float64
			fmt.Sscan(text, &role, &value, &unit, &flow, &provider)
			x := lci.Exchange{ID: id(name + text), ProcessID: id(name + "!"), FlowID: id(flow), Position: n, Name: flow, Unit: unit, Value: value, Direction: lci.Input, Type: kinds[id(flow)]}
			switch role {
			case "makes":
				x.Reference, x.Direction = true, lci.Output
			case "gives":
				x.Direction = lci.Output
			case "avoids":
				x.Avoided = true
			}
			if provider != "" {
				x.ProviderID = id(provider + "!")
			}
			s.exchanges = append(s.exchanges, x)
		}
	}
	process("Mill", "makes 100 kg steel", "makes 25 kg slag", "takes 5 MJ power", "takes 0.02 t coal", "gives 3 kg ash", "gives 2 kg sludge", "takes 150 kg ore", "gives 40 kg co2", "takes 7 kg unknown")
	process("Mine", "makes 2 t coal", "takes 10 kWh power", "gives 30000 g co2", "gives 1 kg ore")
	process("Plant", "makes 10 kWh power", "makes 3.6 MJ heat", "takes 4 kg coal", "takes 1 kWh power", "gives 11 kg co2", "gives -2 kg ash")
	process("Landfill", "makes -1 kg ash", "takes 0.1 kWh power", "gives 0.5 kg co2")
	process("Drying", "makes 4 kg sludge", "takes 1 kWh power", "gives 0.25 kg co2", "takes 1 kg homeless")
	process("Roads", "makes 1 kg visit", "avoids 2 kg slag", "takes 1 kg epd", "takes -3 kg coal", "takes 0.5 kg ash", "takes 2 kg homeless")
	process("EPD", "makes 2 kg epd")
	process("Ouroboros", "makes 1 kg snake", "takes 1 kg snake", "gives 1 kg co2")
	s.impacts = []lci.Impact{{ID: id("stated"), ProcessID: id("EPD!"), MethodID: id("method"), Category: "all", Indicator: "warming", Unit: "kg", Value: 8}}
	return s
}

// What is written as it is calculated gives the same scores when it is read
// again, though no format of these can say how products share.
func TestWhatIsWrittenAsCalculatedGivesTheSameScores(t *testing.T) {
	all := samples(t)
	all["hard"] = hard()
	for sample, from := range all {
		if len(from.factors) == 0 {
			continue
		}
		want := allScores(t, from)
		t.Run(sample+" as ecospold2", func(t *testing.T) {
			again := reread(t, "ecospold2", calculated(t, "ecospold2", from))
			sameScores(t, want, allScores(t, again))
			if len(again.methods) != len(from.methods) || again.methods[0].Version != methodOf(from, again.methods[0].ID).Version {
				t.Errorf("the methods are %+v", again.methods)
			}
		})
		t.Run(sample+" as xlsx", func(t *testing.T) {
			again := reread(t, "xlsx", calculated(t, "xlsx", from))
			again.methods, again.indicators, again.factors = from.methods, from.indicators, from.factors
			sameScores(t, want, allScores(t, again))
			for _, p := range from.processes {
				if !p.Deleted && !slices.ContainsFunc(again.processes, func(q lci.Process) bool { return q.ID == p.ID }) {
					t.Errorf("%s has lost its id", p.Name)
				}
			}
		})
	}
}

func methodOf(s *shelf, id lci.ID) lci.Method {
	for _, m := range s.methods {
		if m.ID == id {
			return m
		}
	}
	return lci.Method{}
}

// Every activity of a calculated export makes one product and every input names
// who makes it: what Brightway needs.
func TestCalculatedEcoSpold2IsAsEcoinventWritesIt(t *testing.T) {
	files := unzipped(t, calculated(t, "ecospold2", hard()))
	id := func(name string) string { return lci.DerivedID("test", name).String() }
	if n := len(files); n != 1+2+9+1 {
		t.Errorf("%d files", n)
	}
	for name, content := range files {
		if !strings.HasPrefix(name, "datasets/") {
			continue
		}
		first, _, _ := strings.Cut(content, "</activityDataset>")
		if strings.Count(first, "<outputGroup>0<") != 1 || strings.Contains(first, "<outputGroup>2<") || strings.Contains(first, "impactIndicator") {
			t.Errorf("%s:\n%s", name, first)
		}
		if strings.Count(first, "<inputGroup>5<") != strings.Count(first, "activityLinkId=") {
			t.Errorf("%s has inputs that nobody supplies", name)
		}
	}
	for name, want := range map[string][]string{
		"datasets/" + id("Landfill!") + "_" + id("ash") + ".spold":  {`amount="-1" intermediateExchangeId="` + id("ash")},
		"datasets/" + id("Drying!") + "_" + id("sludge") + ".spold": {`amount="-4" intermediateExchangeId="` + id("sludge")},
		"datasets/" + id("Mill!") + "_" + id("steel") + ".spold": {`amount="-2.4000000000000004" intermediateExchangeId="` + id("ash") + `" activityLinkId="` + id("Landfill!"),
			"Bears 0.8 of what the process exchanges", `amount="120" elementaryExchangeId="` + id("ore")},
		"uncalculated/" + id("Ouroboros!") + ".spold": {"<inputGroup>5<"},
	} {
		for _, w := range want {
			if !strings.Contains(files[name], w) {
				t.Errorf("%s lacks %s:\n%s", name, w, files[name])
			}
		}
	}
}

// Brightway evaluates a location with parentheses as Python.
func TestNoLocationIsACommand(t *testing.T) {
	from := hard()
	for i := range from.processes {
		from.processes[i].Region = "United States (__import__('os').abort())"
	}
	for _, format := range []string{"ecospold2", "xlsx"} {
		for _, content := range [][]byte{calculated(t, format, from), written(t, format, from)} {
			for name, text := range unzipped(t, content) {
				if strings.Contains(text, "States (") || !strings.Contains(text, "States [") && strings.Contains(name, "datasets") {
					t.Errorf("%s, %s:\n%s", format, name, text)
				}
			}
		}
	}
}

func unzipped(t testing.TB, content []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(all)
	}
	return files
}
