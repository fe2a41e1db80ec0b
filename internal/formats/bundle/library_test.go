package bundle

import (
	"context"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// texts are a bundle's files by name.
type texts map[string]string

// with returns the files with one of them replaced or added.
func (t texts) with(name string, lines ...string) texts {
	changed := texts{name: strings.Join(lines, "\n") + "\n"}
	for n, text := range t {
		if n != name {
			changed[n] = text
		}
	}
	return changed
}

func (t texts) bundle() *Bundle {
	b := &Bundle{files: make(map[string]file)}
	for name, text := range t {
		b.files[name] = file{
			size: int64(len(text)),
			open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
		}
	}
	return b
}

func (t texts) folder(tb testing.TB) string {
	folder := tb.TempDir()
	for name, text := range t {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return folder
}

const (
	steel    = "00000000-0000-4000-8000-00000000000a"
	density  = "00000000-0000-4000-8000-00000000000b"
	rolling  = "00000000-0000-4000-8000-00000000000c"
	ef       = "00000000-0000-4000-8000-00000000000d"
	climate  = "00000000-0000-4000-8000-00000000000e"
	dioxide  = "00000000-0000-4000-8000-00000000000f"
	stranger = "00000000-0000-4000-8000-0000000000ff"
)

// mill is a small bundle without errors.
var mill = texts{
	"methods.csv":          "id,name,version\n" + ef + ",EF,3.1\n",
	"indicators.csv":       "id,method_id,category,name,unit\n" + climate + "," + ef + ",Climate change,GWP100,kg CO2-eq\n",
	"factors.csv":          "indicator_id,flow_id,value\n" + climate + "," + dioxide + ",1\n",
	"materials.csv":        "id,name,regional_scopes\n" + steel + ",Steel,DE; FR ;;\n",
	"properties.csv":       "id,material_id,name,value,unit\n" + density + "," + steel + ",Density,7850,kg/m3\n",
	"material_impacts.csv": "property_id,method_id,indicator,value,unit\n" + density + "," + ef + ",GWP100,1.9,kg CO2-eq\n",
	"processes.csv":        "id,name\n" + rolling + ",Rolling\n",
	"exchanges.csv": "process_id,direction,material_id,name,value,unit,reference,type,flow_id\n" +
		rolling + ",output," + steel + ",Steel sheet,1,kg,true,,\n" +
		rolling + ",output,,Carbon dioxide,0.2,kg,,elementary," + dioxide + "\n" +
		rolling + ",input," + steel + ",Steel,1.1,kg,false,,\n" +
		rolling + ",input," + steel + ",Steel,0.1,kg,false,,\n",
	"impacts.csv": "process_id,method_id,indicator,value,unit\n" + rolling + "," + ef + ",GWP100,2.1,kg CO2-eq\n",
}

// catalogue is the existing catalogue: the parent of each id, by kind.
type catalogue struct {
	parents    map[ingest.Kind]map[lci.ID]lci.ID
	references map[lci.ID]bool
	largest    int // most ids requested at once
}

func (c *catalogue) Parents(_ context.Context, kind ingest.Kind, ids []lci.ID) (map[lci.ID]lci.ID, error) {
	c.largest = max(c.largest, len(ids))
	found := make(map[lci.ID]lci.ID)
	for _, id := range ids {
		if parent, ok := c.parents[kind][id]; ok {
			found[id] = parent
		}
	}
	return found, nil
}

func (c *catalogue) WithReference(_ context.Context, ids []lci.ID) (map[lci.ID]bool, error) {
	c.largest = max(c.largest, len(ids))
	return c.references, nil
}

// rows are a library's rows in order. They are an ingest.Writer and a Source.
type rows struct {
	methods         []lci.Method
	indicators      []lci.Indicator
	factors         []lci.Factor
	materials       []lci.Material
	properties      []lci.Property
	materialImpacts []lci.MaterialImpact
	processes       []lci.Process
	exchanges       []lci.Exchange
	impacts         []lci.Impact
	flows           []lci.Flow
	allocations     []lci.Allocation
}

func keep[R any](to *[]R, row R) error {
	*to = append(*to, row)
	return nil
}

func (r *rows) Method(v lci.Method) error                 { return keep(&r.methods, v) }
func (r *rows) Indicator(v lci.Indicator) error           { return keep(&r.indicators, v) }
func (r *rows) Factor(v lci.Factor) error                 { return keep(&r.factors, v) }
func (r *rows) Material(v lci.Material) error             { return keep(&r.materials, v) }
func (r *rows) Property(v lci.Property) error             { return keep(&r.properties, v) }
func (r *rows) MaterialImpact(v lci.MaterialImpact) error { return keep(&r.materialImpacts, v) }
func (r *rows) Process(v lci.Process) error               { return keep(&r.processes, v) }
func (r *rows) Exchange(v lci.Exchange) error             { return keep(&r.exchanges, v) }
func (r *rows) Impact(v lci.Impact) error                 { return keep(&r.impacts, v) }
func (r *rows) Flow(v lci.Flow) error                     { return keep(&r.flows, v) }
func (r *rows) Allocation(v lci.Allocation) error         { return keep(&r.allocations, v) }

func all[R any](from []R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for _, row := range from {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func (r *rows) Flows(context.Context) iter.Seq2[lci.Flow, error]     { return all(r.flows) }
func (r *rows) Methods(context.Context) iter.Seq2[lci.Method, error] { return all(r.methods) }
func (r *rows) Indicators(context.Context) iter.Seq2[lci.Indicator, error] {
	return all(r.indicators)
}
func (r *rows) Factors(context.Context) iter.Seq2[lci.Factor, error]      { return all(r.factors) }
func (r *rows) Materials(context.Context) iter.Seq2[lci.Material, error]  { return all(r.materials) }
func (r *rows) Properties(context.Context) iter.Seq2[lci.Property, error] { return all(r.properties) }
func (r *rows) MaterialImpacts(context.Context) iter.Seq2[lci.MaterialImpact, error] {
	return all(r.materialImpacts)
}
func (r *rows) Processes(context.Context) iter.Seq2[lci.Process, error]  { return all(r.processes) }
func (r *rows) Exchanges(context.Context) iter.Seq2[lci.Exchange, error] { return all(r.exchanges) }
func (r *rows) Impacts(context.Context) iter.Seq2[lci.Impact, error]     { return all(r.impacts) }
func (r *rows) Allocations(context.Context) iter.Seq2[lci.Allocation, error] {
	return all(r.allocations)
}

// load checks a bundle against an empty catalogue and reads it.
func load(tb testing.TB, b ingest.Package) *rows {
	tb.Helper()
	if _, err := b.Check(context.Background(), &catalogue{}, nil); err != nil {
		tb.Fatalf("check: %v", err)
	}
	var r rows
	if err := b.Read(context.Background(), &r, nil); err != nil {
		tb.Fatalf("read what was accepted: %v", err)
	}
	return &r
}

func id(tb testing.TB, text string) lci.ID {
	tb.Helper()
	parsed, ok := lci.ParseID(text)
	if !ok {
		tb.Fatalf("%q is no id", text)
	}
	return parsed
}
