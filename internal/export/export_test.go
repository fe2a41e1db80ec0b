package export

import (
	"bytes"
	"context"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cradle/internal/demo"
	"cradle/internal/formats"
	"cradle/internal/formats/bundle"
	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// shelf is a library in memory: an ingest.Writer that fills it, and a Source.
type shelf struct {
	flows           []lci.Flow
	materials       []lci.Material
	properties      []lci.Property
	materialImpacts []lci.MaterialImpact
	processes       []lci.Process
	exchanges       []lci.Exchange
	allocations     []lci.Allocation
	methods         []lci.Method
	indicators      []lci.Indicator
	factors         []lci.Factor
	impacts         []lci.Impact
}

func keep[T any](list *[]T, row T) error {
	*list = append(*list, row)
	return nil
}

func (s *shelf) Flow(r lci.Flow) error                     { return keep(&s.flows, r) }
func (s *shelf) Material(r lci.Material) error             { return keep(&s.materials, r) }
func (s *shelf) Property(r lci.Property) error             { return keep(&s.properties, r) }
func (s *shelf) MaterialImpact(r lci.MaterialImpact) error { return keep(&s.materialImpacts, r) }
func (s *shelf) Process(r lci.Process) error               { return keep(&s.processes, r) }
func (s *shelf) Exchange(r lci.Exchange) error             { return keep(&s.exchanges, r) }
func (s *shelf) Allocation(r lci.Allocation) error         { return keep(&s.allocations, r) }
func (s *shelf) Method(r lci.Method) error                 { return keep(&s.methods, r) }
func (s *shelf) Indicator(r lci.Indicator) error           { return keep(&s.indicators, r) }
func (s *shelf) Factor(r lci.Factor) error                 { return keep(&s.factors, r) }
func (s *shelf) Impact(r lci.Impact) error                 { return keep(&s.impacts, r) }

func rows[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// rowsOf gives a shelf's rows in the order in which a store does.
type rowsOf struct{ *shelf }

func (s rowsOf) Flows(context.Context) iter.Seq2[lci.Flow, error]         { return rows(s.flows) }
func (s rowsOf) Methods(context.Context) iter.Seq2[lci.Method, error]     { return rows(s.methods) }
func (s rowsOf) Materials(context.Context) iter.Seq2[lci.Material, error] { return rows(s.materials) }
func (s rowsOf) Factors(context.Context) iter.Seq2[lci.Factor, error]     { return rows(s.factors) }
func (s rowsOf) Impacts(context.Context) iter.Seq2[lci.Impact, error]     { return rows(s.impacts) }
func (s rowsOf) Processes(context.Context) iter.Seq2[lci.Process, error]  { return rows(s.processes) }
func (s rowsOf) Properties(context.Context) iter.Seq2[lci.Property, error] {
	return rows(s.properties)
}
func (s rowsOf) Indicators(context.Context) iter.Seq2[lci.Indicator, error] {
	return rows(s.indicators)
}
func (s rowsOf) MaterialImpacts(context.Context) iter.Seq2[lci.MaterialImpact, error] {
	return rows(s.materialImpacts)
}
func (s rowsOf) Allocations(context.Context) iter.Seq2[lci.Allocation, error] {
	return rows(s.allocations)
}
func (s rowsOf) Exchanges(context.Context) iter.Seq2[lci.Exchange, error] {
	sorted := slices.Clone(s.exchanges)
	slices.SortStableFunc(sorted, func(a, b lci.Exchange) int { return a.ProcessID.Compare(b.ProcessID) })
	return rows(sorted)
}

// nothing is a catalogue that holds nothing.
type nothing struct{}

func (nothing) Parents(context.Context, ingest.Kind, []lci.ID) (map[lci.ID]lci.ID, error) {
	return nil, nil
}
func (nothing) WithReference(context.Context, []lci.ID) (map[lci.ID]bool, error) { return nil, nil }

func read(t testing.TB, lib ingest.Package, err error) *shelf {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	quiet := func(int64, int64) {}
	if _, err := lib.Check(t.Context(), nothing{}, quiet); err != nil {
		t.Fatal(err)
	}
	s := &shelf{}
	if err := lib.Read(t.Context(), s, quiet); err != nil {
		t.Fatal(err)
	}
	return s
}

// samples are the demonstration library, and real packs where they are.
func samples(t *testing.T) map[string]*shelf {
	t.Helper()
	lib, err := bundle.OpenFS(demo.Files())
	all := map[string]*shelf{"demo": read(t, lib, err)}
	for _, path := range []string{"jsonld-v1/US-FPL.zip", "jsonld-v1/olca_exchange_sync-all.zip", "ecospold2/olca_sample_ecospold2.xml"} {
		t.Run(path, func(t *testing.T) {
			lib, err := formats.Open(ingesttest.Shared(t, path), "")
			all[path] = read(t, lib, err)
		})
	}
	return all
}

func written(t testing.TB, name string, from *shelf) []byte {
	t.Helper()
	format, _ := Find(name)
	var out bytes.Buffer
	if _, err := format.Write(t.Context(), &out, rowsOf{from}, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func reread(t testing.TB, name string, content []byte) *shelf {
	t.Helper()
	format, _ := Find(name)
	path := filepath.Join(t.TempDir(), "export"+format.Extension)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := formats.Open(path, "")
	return read(t, lib, err)
}

// What was written can be read, holds every exchange, and is written the same
// again. What a format has no place for is lost the first time.
func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	for sample, from := range samples(t) {
		for _, format := range []string{"jsonld", "ecospold2", "xlsx"} {
			t.Run(sample+" as "+format, func(t *testing.T) {
				first := written(t, format, from)
				if !bytes.Equal(first, written(t, format, from)) {
					t.Fatal("the same rows give other bytes")
				}
				again := reread(t, format, first)
				live := 0
				for _, p := range from.processes {
					if !p.Deleted {
						live++
					}
				}
				if len(again.processes) != live || len(again.exchanges) != len(from.exchanges) {
					t.Errorf("%d of %d processes, %d of %d exchanges", len(again.processes), live, len(again.exchanges), len(from.exchanges))
				}
				if format == "xlsx" {
					return // what a product is called is its id there
				}
				second := written(t, format, again)
				third := written(t, format, reread(t, format, second))
				if !bytes.Equal(second, third) {
					t.Error("writing, reading and writing again changes something")
				}
				compare(t, from, again)
			})
		}
	}
}

// compare looks at what every format keeps of an exchange.
func compare(t *testing.T, from, again *shelf) {
	t.Helper()
	found := map[lci.ID]lci.Exchange{}
	for _, x := range again.exchanges {
		found[x.ID] = x
	}
	deleted := map[lci.ID]bool{}
	for _, p := range from.processes {
		deleted[p.ID] = p.Deleted
	}
	wrong := 0
	for _, x := range from.exchanges {
		got, there := found[x.ID]
		if deleted[x.ProcessID] {
			continue
		}
		if !there || got.ProcessID != x.ProcessID || got.FlowID != x.FlowID || sign(got)*got.Value == 0 != (x.Value == 0) {
			if wrong++; wrong < 4 {
				t.Errorf("%+v\nis read as\n%+v", x, got)
			}
		}
	}
}

func sign(x lci.Exchange) float64 {
	if x.Direction == lci.Input {
		return -1
	}
	return 1
}

func TestWriteFileReplacesOnlyItsOwn(t *testing.T) {
	lib, err := bundle.OpenFS(demo.Files())
	from := rowsOf{read(t, lib, err)}
	folder := t.TempDir()
	foreign := filepath.Join(folder, "notes.zip")
	if err := os.WriteFile(foreign, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"jsonld", "ecospold2", "csv", "xlsx"} {
		format, _ := Find(name)
		path := filepath.Join(folder, name+format.Extension)
		for range 2 {
			if _, err := format.WriteFile(t.Context(), path, from, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, bad := range []string{foreign, folder, filepath.Join(folder, "x.txt")} {
			if _, err := format.WriteFile(t.Context(), bad, from, nil); err == nil {
				t.Errorf("%s was written to %s", name, bad)
			}
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 5 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestCSVGivesSpreadsheetsNoFormulas(t *testing.T) {
	from := &shelf{materials: []lci.Material{{ID: lci.NewID(), Name: "=HYPERLINK(1)"}}, properties: []lci.Property{}}
	for _, cell := range safe([]string{"=1", "+1", "@x", "-x", "-1.5", "plain", ""}) {
		if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "+") || strings.HasPrefix(cell, "@") || cell == "-x" || cell == "'-1.5" {
			t.Errorf("%q", cell)
		}
	}
	written(t, "csv", from)
}

// Only rows that a format has a place for are counted.
func TestCountsAreOfWhatIsWritten(t *testing.T) {
	lib, err := bundle.OpenFS(demo.Files())
	from := read(t, lib, err)
	for name, properties := range map[string]int{"csv": len(from.properties), "xlsx": len(from.properties), "jsonld": 0, "ecospold2": 0} {
		format, _ := Find(name)
		counts, err := format.Write(t.Context(), io.Discard, rowsOf{from}, nil)
		if err != nil || counts.Properties != properties || counts.Exchanges != len(from.exchanges) {
			t.Errorf("%s: %+v, %v; want properties %d, exchanges %d", name, counts, err, properties, len(from.exchanges))
		}
	}
}
