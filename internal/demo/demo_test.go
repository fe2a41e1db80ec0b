package demo_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"cradle/internal/calculation"
	"cradle/internal/demo"
	"cradle/internal/formats/bundle"
	"cradle/internal/importing"
	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/store"
)

func TestTheLibraryIsSoundAndRich(t *testing.T) {
	lib, err := bundle.OpenFS(demo.Files())
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	quiet := func(int64, int64) {}
	warnings, err := lib.Check(t.Context(), nothingKnown{}, quiet)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, warnings %v", err, warnings)
	}
	seen := &census{products: map[lci.ID]int{}, boundaries: map[lci.Boundary]int{}, indicators: map[lci.ID]int{}, flows: map[lci.ID]bool{}}
	if err := lib.Read(t.Context(), seen, quiet); err != nil {
		t.Fatal(err)
	}
	if seen.materials < 60 || seen.processes < 40 || len(seen.indicators) < 4 {
		t.Errorf("materials %d, processes %d, methods %d", seen.materials, seen.processes, len(seen.indicators))
	}
	if seen.boundaries[lci.Aggregated] == 0 || seen.boundaries[lci.Disaggregated] == 0 {
		t.Errorf("boundaries %v", seen.boundaries)
	}
	if seen.unsourced > 0 {
		t.Errorf("%d rows name no source", seen.unsourced)
	}
	if !seen.hasMultiOutput() {
		t.Error("no process has several products")
	}
	if !seen.example {
		t.Errorf("there is no material called %q", demo.Example)
	}
	for method, n := range seen.indicators {
		if n < 2 {
			t.Errorf("method %s has %d indicators", method, n)
		}
	}
	if seen.undescribed > 0 {
		t.Errorf("nothing is known of %d elementary exchanges' flows", seen.undescribed)
	}
}

// The impacts of the library are calculated, with the documented results.
func TestTheLibraryIsCalculated(t *testing.T) {
	lib, err := bundle.OpenFS(demo.Files())
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "demo.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	report, err := importing.Import(t.Context(), s, lib, ingest.Options{Calculator: &calculation.Calculator{}}, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	found := report.Calculation
	if found.Rows != found.Processes*found.Indicators || found.Processes != report.Processes.Added || found.Indicators != report.Indicators.Added || found.Uncalculated > 0 {
		t.Errorf("%+v", found)
	}
	for _, note := range found.Notes {
		if note.Class != ingest.Unlinked { // recycled material enters without burden
			t.Error(note)
		}
	}
	checkDocumented(t, s)
}

// documented are the scores in the documentation, in kg CO2 eq.
var documented = map[string]float64{
	"Steel hot rolling, coil, GLO":                              2.3,
	"Aluminium production, primary, ingot, RER":                 7.3,
	"Aluminium production, primary, ingot, CN":                  17,
	"Cement clinker production, dry kiln with precalciner, RER": 0.86,
	"Float glass production, RER":                               1.0,
	"Polyethylene production, high density, RER":                1.7,
	"Electricity mix, medium voltage, RER":                      0.28,
}

func checkDocumented(t *testing.T, s *store.Store) {
	t.Helper()
	names, scores := map[lci.ID]string{}, map[string]float64{}
	err := s.Export(t.Context(), func(shelf *store.Snapshot) error {
		for p, err := range shelf.Processes(t.Context()) {
			if err != nil {
				return err
			}
			names[p.ID] = p.Name + ", " + p.Region
		}
		for i, err := range shelf.Impacts(t.Context()) {
			if err != nil {
				return err
			}
			if i.Indicator == "GWP100, total" {
				scores[names[i.ProcessID]] = i.Value
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range documented {
		if got, ok := scores[name]; !ok || math.Abs(got-want) > 0.05*want {
			t.Errorf("%s: %v, documented %v", name, got, want)
		}
	}
}

// census counts the rows of a library.
type census struct {
	ingest.Writer
	materials, processes, unsourced int
	example                         bool
	undescribed                     int
	products                        map[lci.ID]int
	boundaries                      map[lci.Boundary]int
	indicators                      map[lci.ID]int
	flows                           map[lci.ID]bool
}

func (c *census) hasMultiOutput() bool {
	for _, n := range c.products {
		if n > 1 {
			return true
		}
	}
	return false
}

func (c *census) source(text string) {
	if text == "" {
		c.unsourced++
	}
}

func (c *census) Material(m lci.Material) error {
	c.materials++
	c.source(m.Source)
	c.example = c.example || m.Name == demo.Example
	return nil
}

func (c *census) Property(p lci.Property) error {
	c.source(p.Source)
	return nil
}

func (c *census) Process(p lci.Process) error {
	c.processes++
	c.boundaries[p.Boundary]++
	if len(p.Sources) == 0 {
		c.unsourced++
	}
	return nil
}

func (c *census) Exchange(x lci.Exchange) error {
	if x.Reference {
		c.products[x.ProcessID]++
	}
	if x.Type == lci.Elementary && !c.flows[x.FlowID] {
		c.undescribed++
	}
	return nil
}

func (c *census) Indicator(i lci.Indicator) error {
	c.indicators[i.MethodID]++
	return nil
}

func (c *census) Flow(f lci.Flow) error {
	c.flows[f.ID] = f.Compartment != "" && f.Unit != ""
	return nil
}

func (c *census) Method(lci.Method) error                 { return nil }
func (c *census) Factor(lci.Factor) error                 { return nil }
func (c *census) MaterialImpact(lci.MaterialImpact) error { return nil }

// nothingKnown is an empty catalogue.
type nothingKnown struct{}

func (nothingKnown) Parents(context.Context, ingest.Kind, []lci.ID) (map[lci.ID]lci.ID, error) {
	return nil, nil
}

func (nothingKnown) WithReference(context.Context, []lci.ID) (map[lci.ID]bool, error) {
	return nil, nil
}
