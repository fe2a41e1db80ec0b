// Package ingesttest reads libraries for tests of the import formats.
package ingesttest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
	"cradle/internal/lci"
)

// Open opens the source at path until the test ends.
func Open(t testing.TB, path string) *source.Source {
	t.Helper()
	src, err := source.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

// Files makes a source of files given by name.
func Files(t testing.TB, files map[string]string) *source.Source {
	t.Helper()
	folder := fstest.MapFS{}
	for name, content := range files {
		folder[name] = &fstest.MapFile{Data: []byte(content)}
	}
	src, err := source.OpenFS(folder)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// Rows are a library's rows, in their order.
type Rows struct {
	Flows           []lci.Flow
	Materials       []lci.Material
	Properties      []lci.Property
	MaterialImpacts []lci.MaterialImpact
	Processes       []lci.Process
	Exchanges       []lci.Exchange
	Allocations     []lci.Allocation
	Methods         []lci.Method
	Indicators      []lci.Indicator
	Factors         []lci.Factor
	Impacts         []lci.Impact

	Notes   []ingest.Warning
	Outcome ingest.Outcome
}

// Read reads a library into an empty catalogue. It returns an error of Check;
// any other error fails the test.
func Read(t testing.TB, open func(*source.Source) (ingest.Package, error), src *source.Source) (*Rows, error) {
	t.Helper()
	lib, err := open(src)
	if err != nil {
		return nil, err
	}
	notes, err := lib.Check(t.Context(), Empty{}, func(int64, int64) {})
	if err != nil {
		return nil, err
	}
	rows := &Rows{Notes: notes}
	if err := lib.Read(t.Context(), writer{rows}, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	if a, ok := lib.(ingest.OutcomeReporter); ok {
		rows.Outcome = a.Outcome()
	}
	return rows, nil
}

// MustRead is like Read, but fails the test on any error.
func MustRead(t testing.TB, open func(*source.Source) (ingest.Package, error), src *source.Source) *Rows {
	t.Helper()
	rows, err := Read(t, open, src)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Of returns the exchanges of the process of that name.
func (r *Rows) Of(name string) []lci.Exchange {
	var of []lci.Exchange
	for _, p := range r.Processes {
		for _, x := range r.Exchanges {
			if p.Name == name && x.ProcessID == p.ID {
				of = append(of, x)
			}
		}
	}
	return of
}

// Flow returns the flow of that id.
func (r *Rows) Flow(id lci.ID) lci.Flow {
	for _, f := range r.Flows {
		if f.ID == id {
			return f
		}
	}
	return lci.Flow{}
}

// Unreadable lists what was left out because it could not be read, one per line.
func (r *Rows) Unreadable() string {
	var b strings.Builder
	for _, n := range r.Notes {
		if n.Class == ingest.Unreadable {
			b.WriteString(n.String() + "\n")
		}
	}
	return b.String()
}

// Says checks that there is a note with each of the texts.
func (r *Rows) Says(t testing.TB, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !slices.ContainsFunc(r.Notes, func(n ingest.Warning) bool { return strings.Contains(n.String(), text) }) {
			t.Errorf("no note says %q: %v", text, r.Notes)
		}
	}
}

// Classes counts the notes.
func (r *Rows) Classes() map[ingest.Class]int {
	counts := map[ingest.Class]int{}
	for _, n := range r.Notes {
		counts[n.Class]++
	}
	return counts
}

func keep[T any](to *[]T, row T) error {
	*to = append(*to, row)
	return nil
}

// writer takes a library's rows.
type writer struct{ rows *Rows }

func (w writer) Flow(f lci.Flow) error                     { return keep(&w.rows.Flows, f) }
func (w writer) Material(m lci.Material) error             { return keep(&w.rows.Materials, m) }
func (w writer) Property(p lci.Property) error             { return keep(&w.rows.Properties, p) }
func (w writer) MaterialImpact(i lci.MaterialImpact) error { return keep(&w.rows.MaterialImpacts, i) }
func (w writer) Process(p lci.Process) error               { return keep(&w.rows.Processes, p) }
func (w writer) Exchange(x lci.Exchange) error             { return keep(&w.rows.Exchanges, x) }
func (w writer) Allocation(a lci.Allocation) error         { return keep(&w.rows.Allocations, a) }
func (w writer) Method(m lci.Method) error                 { return keep(&w.rows.Methods, m) }
func (w writer) Indicator(i lci.Indicator) error           { return keep(&w.rows.Indicators, i) }
func (w writer) Factor(f lci.Factor) error                 { return keep(&w.rows.Factors, f) }
func (w writer) Impact(i lci.Impact) error                 { return keep(&w.rows.Impacts, i) }

// Empty is an empty catalogue.
type Empty struct{}

// Parents implements ingest.Existing.
func (Empty) Parents(context.Context, ingest.Kind, []lci.ID) (map[lci.ID]lci.ID, error) {
	return nil, nil
}

// WithReference implements ingest.Existing.
func (Empty) WithReference(context.Context, []lci.ID) (map[lci.ID]bool, error) { return nil, nil }

// Outside counts the exchanges whose provider is not in the library.
func (r *Rows) Outside() int {
	here := map[lci.ID]bool{{}: true}
	for _, p := range r.Processes {
		here[p.ID] = true
	}
	n := 0
	for _, x := range r.Exchanges {
		if !here[x.ProviderID] {
			n++
		}
	}
	return n
}
