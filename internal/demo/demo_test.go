package demo_test

import (
	"context"
	"testing"

	"cradle/internal/demo"
	"cradle/internal/ingest"
	"cradle/internal/ingest/bundle"
	"cradle/internal/lci"
)

func TestTheLibraryIsSoundAndRich(t *testing.T) {
	lib, err := bundle.OpenFS(demo.Library())
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	quiet := func(int64, int64) {}
	warnings, err := lib.Check(t.Context(), nothingKnown{}, quiet)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, warnings %v", err, warnings)
	}
	seen := &census{products: map[lci.ID]int{}, boundaries: map[lci.Boundary]int{}, indicators: map[lci.ID]int{}, impacts: map[lci.ID]int{}}
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
		if seen.impacts[method] != n*seen.processes {
			t.Errorf("method %s has %d rows on %d processes, %d indicators", method, seen.impacts[method], seen.processes, n)
		}
	}
}

// census counts what a library holds.
type census struct {
	ingest.Writer
	materials, processes, unsourced int
	example                         bool
	products                        map[lci.ID]int
	boundaries                      map[lci.Boundary]int
	indicators, impacts             map[lci.ID]int
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
	return nil
}

func (c *census) Indicator(i lci.Indicator) error {
	c.indicators[i.MethodID]++
	return nil
}

func (c *census) Impact(i lci.Impact) error {
	c.impacts[i.MethodID]++
	return nil
}

func (c *census) Method(lci.Method) error                 { return nil }
func (c *census) Factor(lci.Factor) error                 { return nil }
func (c *census) MaterialImpact(lci.MaterialImpact) error { return nil }

// nothingKnown is a catalogue with nothing in it.
type nothingKnown struct{}

func (nothingKnown) Parents(context.Context, ingest.Kind, []lci.ID) (map[lci.ID]lci.ID, error) {
	return nil, nil
}

func (nothingKnown) WithReference(context.Context, []lci.ID) (map[lci.ID]bool, error) {
	return nil, nil
}
