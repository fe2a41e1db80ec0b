package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

func TestRead(t *testing.T) {
	got := load(t, mill.bundle())
	process, material, method := id(t, rolling), id(t, steel), id(t, ef)
	sheet := lci.Exchange{ProcessID: process, Direction: lci.Output, FlowID: material, MaterialID: material,
		Name: "Steel sheet", Value: 1, Unit: "kg", Type: lci.Intermediate, Reference: true}
	emission := lci.Exchange{ProcessID: process, Position: 1, Direction: lci.Output, FlowID: id(t, dioxide),
		Name: "Carbon dioxide", Value: 0.2, Unit: "kg", Type: lci.Elementary}
	slab := lci.Exchange{ProcessID: process, Position: 2, Direction: lci.Input, MaterialID: material,
		FlowID: lci.DerivedID("flow", "Steel", "kg", "intermediate"),
		Name:   "Steel", Value: 1.1, Unit: "kg", Type: lci.Intermediate}
	more := slab
	more.Position, more.Value = 3, 0.1
	for i, x := range []*lci.Exchange{&sheet, &emission, &slab, &more} {
		x.ID = got.exchanges[i].ID
	}
	want := &rows{
		methods:    []lci.Method{{ID: method, Name: "EF", Version: "3.1"}},
		indicators: []lci.Indicator{{ID: id(t, climate), MethodID: method, Category: "Climate change", Name: "GWP100", Unit: "kg CO2-eq"}},
		factors:    []lci.Factor{{IndicatorID: id(t, climate), FlowID: id(t, dioxide), Value: 1}},
		materials:  []lci.Material{{ID: material, Name: "Steel", RegionalScopes: []string{"DE", "FR"}}},
		properties: []lci.Property{{ID: id(t, density), MaterialID: material, Name: "Density", Value: 7850, Unit: "kg/m3", Price: 1}},
		materialImpacts: []lci.MaterialImpact{{
			ID:         lci.DerivedID("material impact", density, ef, "", "GWP100"),
			PropertyID: id(t, density), MethodID: method, Indicator: "GWP100", Value: 1.9, Unit: "kg CO2-eq"}},
		processes: []lci.Process{{ID: process, Name: "Rolling", Boundary: lci.Aggregated, Price: 1}},
		exchanges: []lci.Exchange{sheet, emission, slab, more},
		impacts: []lci.Impact{{ID: lci.DerivedID("impact", rolling, ef, "", "GWP100"),
			ProcessID: process, MethodID: method, Indicator: "GWP100", Value: 2.1, Unit: "kg CO2-eq"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// Derived ids are in the catalogues of everyone who imported a bundle: they must
// never change.
func TestDerivedIDs(t *testing.T) {
	got := load(t, texts{
		"methods.csv":   "name,version\nEF,3.1\n",
		"materials.csv": "name,compartment,regional_scopes,functional_unit\nSteel,ground,DE;FR,1 kg\n",
		"processes.csv": "id,name,region,boundary\n,Rolling,DE,\n" + rolling + ",Rolling,FR,\n",
		"exchanges.csv": "process_id,direction,name,value,unit,reference\n" +
			rolling + ",output,Sheet,1,kg,true\n" + rolling + ",input,Ore,1,kg,\n" + rolling + ",input,Ore,2,kg,\n" +
			lci.DerivedID("process", "Rolling", "DE", "Aggregated").String() + ",output,Sheet,1,kg,true\n",
	}.bundle())
	for _, c := range []struct {
		of   string
		got  lci.ID
		want string
	}{
		{"method", got.methods[0].ID, "41ca0ac5-3886-88a3-b537-a65f35eff675"},
		{"material", got.materials[0].ID, "667019cc-8cc8-8413-b295-0759a9c8010e"},
		{"process", got.processes[0].ID, "ab889e57-8bef-8807-b31b-58c03f121527"},
		{"flow", got.exchanges[0].FlowID, "28df184e-1271-8394-914b-2cfde18a8f17"},
		{"exchange", got.exchanges[1].ID, "063a9ab6-5705-87f7-94f3-444c26145c7c"},
		{"repeated exchange", got.exchanges[2].ID, "c287a81d-163b-8bcb-a68b-ee53dc946681"},
	} {
		if c.got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.of, c.got, c.want)
		}
	}
}

// Rows of a parent need not be adjacent.
func TestReadPositions(t *testing.T) {
	const other = dioxide
	got := load(t, texts{
		"materials.csv": "id,name\n" + steel + ",Steel\n" + other + ",Zinc\n",
		"properties.csv": "material_id,name,value,unit\n" +
			steel + ",a,1,u\n" + other + ",a,1,u\n" + steel + ",b,1,u\n" + other + ",b,1,u\n" + steel + ",c,1,u\n",
	}.bundle())
	var positions []int
	for _, p := range got.properties {
		positions = append(positions, p.Position)
	}
	if want := []int{0, 0, 1, 1, 2}; !reflect.DeepEqual(positions, want) {
		t.Errorf("got %v, want %v", positions, want)
	}
}

func TestReadRefusesWhatCheckWould(t *testing.T) {
	files := texts{}.with("materials.csv", "name,deleted", "Steel,", "Zinc,no", "Tin,yes")
	var to rows
	err := files.bundle().Read(context.Background(), &to, nil)
	want := ingest.Error{File: "materials.csv", Line: 3, Column: "deleted", Message: `"no" is neither true nor false`}
	if err != error(want) {
		t.Errorf("got %v, want %v", err, want)
	}
}

type fullDisk struct{ rows }

func (*fullDisk) Material(lci.Material) error { return errors.New("disk full") }

func TestReadStopsWhenTheWriterFails(t *testing.T) {
	if err := mill.bundle().Read(context.Background(), &fullDisk{}, nil); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v", err)
	}
}

func TestProgress(t *testing.T) {
	b := manyExchanges(20_000)
	var told []int64
	progress := func(done, total int64) {
		if total != b.files[exchanges.file].size+b.files[processes.file].size {
			t.Errorf("total is %d", total)
		}
		told = append(told, done)
	}
	if err := b.Read(context.Background(), &counter{}, progress); err != nil {
		t.Fatal(err)
	}
	if len(told) < 10 || len(told) > 201 {
		t.Errorf("told %d times", len(told))
	}
	for i := 1; i < len(told); i++ {
		if told[i] <= told[i-1] {
			t.Errorf("went from %d to %d", told[i-1], told[i])
		}
	}
}

// counter is a writer that only counts exchanges.
type counter struct {
	ingest.Writer
	exchanges int
}

func (c *counter) Process(lci.Process) error { return nil }
func (c *counter) Exchange(lci.Exchange) error {
	c.exchanges++
	return nil
}

// manyExchanges is a bundle with a process for every ten exchanges, generated
// while it is read so that it takes no memory itself.
func manyExchanges(n int) *Bundle {
	process := func(i int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012x", i/10) }
	return &Bundle{files: map[string]file{
		"processes.csv": made("id,name\n", n/10, func(i int) string {
			return fmt.Sprintf("%s,Process %d\n", process(i*10), i)
		}),
		"exchanges.csv": made("process_id,direction,name,value,unit,reference\n", n, func(i int) string {
			return fmt.Sprintf("%s,output,Exchange %d of the process,%d.5,kg,%v\n", process(i), i, i, i%10 == 0)
		}),
	}}
}

func made(header string, n int, line func(i int) string) file {
	size, _ := io.Copy(io.Discard, &maker{rest: header, n: n, line: line})
	return file{size: size, open: func() (io.ReadCloser, error) {
		return io.NopCloser(&maker{rest: header, n: n, line: line}), nil
	}}
}

type maker struct {
	rest string
	i, n int
	line func(i int) string
}

func (m *maker) Read(p []byte) (int, error) {
	if m.rest == "" {
		if m.i == m.n {
			return 0, io.EOF
		}
		m.rest = m.line(m.i)
		m.i++
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// Of a row only its id and line are kept: about a hundred bytes including the
// maps, compared to some hundred for the row's text alone.
func TestMemoryIsBounded(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 20_000
	}
	b := manyExchanges(n)
	var peak uint64
	calls := 0
	watch := func(int64, int64) {
		if calls++; calls%20 == 0 {
			peak = max(peak, liveHeap())
		}
	}
	before := liveHeap()
	if _, err := b.Check(context.Background(), &catalogue{}, watch); err != nil {
		t.Fatal(err)
	}
	var to counter
	if err := b.Read(context.Background(), &to, watch); err != nil {
		t.Fatal(err)
	}
	if to.exchanges != n {
		t.Errorf("read %d exchanges", to.exchanges)
	}
	perRow := math.Max(0, float64(peak)-float64(before)) / float64(n)
	t.Logf("%.0f bytes a row", perRow)
	if perRow > 150 {
		t.Errorf("%.0f bytes are held of each row", perRow)
	}
}

func liveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func BenchmarkCheck(b *testing.B) {
	library := manyExchanges(1_000_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := library.Check(context.Background(), &catalogue{}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestQuoteShortens(t *testing.T) {
	if got := quote(strings.Repeat("😀", 61)); got != `"`+strings.Repeat("😀", 60)+`…"` {
		t.Errorf("got %s", got)
	}
}
