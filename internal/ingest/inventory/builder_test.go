package inventory

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cradle/internal/formula"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// reading is a reader made of one function.
type reading func(*Builder)

func (r reading) Read(_ context.Context, to *Builder) error { r(to); return nil }
func (reading) Close() error                                { return nil }

// there is a catalogue with some records.
type there struct {
	parents map[lci.ID]lci.ID
}

func (c there) Parents(context.Context, ingest.Kind, []lci.ID) (map[lci.ID]lci.ID, error) {
	return c.parents, nil
}
func (c there) WithReference(context.Context, []lci.ID) (map[lci.ID]bool, error) { return nil, nil }

type rows struct {
	ingest.Writer
	flows       []lci.Flow
	exchanges   []lci.Exchange
	allocations []lci.Allocation
	factors     []lci.Factor
	impacts     []lci.Impact
	materials   []string
	properties  []string
	processes   []string
	notes       []ingest.Warning
}

func (r *rows) Flow(f lci.Flow) error         { r.flows = append(r.flows, f); return nil }
func (r *rows) Material(m lci.Material) error { r.materials = append(r.materials, m.Name); return nil }
func (r *rows) Property(p lci.Property) error {
	r.properties = append(r.properties, p.Name)
	return nil
}
func (r *rows) Process(p lci.Process) error   { r.processes = append(r.processes, p.Name); return nil }
func (r *rows) Exchange(x lci.Exchange) error { r.exchanges = append(r.exchanges, x); return nil }
func (r *rows) Allocation(a lci.Allocation) error {
	r.allocations = append(r.allocations, a)
	return nil
}
func (r *rows) Method(lci.Method) error       { return nil }
func (r *rows) Indicator(lci.Indicator) error { return nil }
func (r *rows) Factor(f lci.Factor) error     { r.factors = append(r.factors, f); return nil }
func (r *rows) Impact(i lci.Impact) error     { r.impacts = append(r.impacts, i); return nil }
func (r *rows) named(name string) lci.Exchange {
	i := slices.IndexFunc(r.exchanges, func(x lci.Exchange) bool { return x.Name == name })
	if i < 0 {
		return lci.Exchange{}
	}
	return r.exchanges[i]
}

func built(t *testing.T, known ingest.Existing, read func(*Builder)) *rows {
	t.Helper()
	lib := New(reading(read))
	notes, err := lib.Check(t.Context(), known, func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	r := &rows{notes: notes}
	if err := lib.Read(t.Context(), r, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	return r
}

// The unit of a flow that states none is its producer's, wherever that is.
func TestProducersUnitCounts(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		b.Flow(Flow{Key: "power", Name: "Power", Kind: Product})
		b.Flow(Flow{Key: "heat", Name: "Heat", Kind: Product})
		b.Process(Process{Key: "a", Name: "A", Exchanges: []Exchange{{Flow: "heat", Amount: 1, Unit: "MJ", Role: Reference}, {Flow: "power", Input: true, Amount: 7.2, Unit: "MJ"}}})
		b.Process(Process{Key: "b", Name: "B", Exchanges: []Exchange{{Flow: "power", Amount: 1, Unit: "kWh", Role: Reference}}})
	})
	if x := r.exchanges[1]; x.Value != 2 || x.Unit != "kWh" {
		t.Errorf("%+v", x)
	}
}

func TestFlowPropertiesConvert(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		b.UnitGroup(UnitGroup{Key: "g", Units: []Unit{{Name: "cord", Factor: 3.62}, {Name: "m3", Factor: 1, Reference: true}}})
		b.FlowProperty(FlowProperty{Key: "v", Name: "Volume", UnitGroup: "g"})
		b.FlowProperty(FlowProperty{Key: "m", Name: "Mass"})
		b.FlowProperty(FlowProperty{Key: "e", Name: "Net calorific value"})
		b.Flow(Flow{Key: "wood", Name: "Wood", Kind: Product, Properties: []FlowAmount{{"v", 1, true}, {"m", 500, false}, {"e", 8000, false}}})
		b.Process(Process{Key: "p", Name: "P", Exchanges: []Exchange{
			{Flow: "wood", Amount: 1, Unit: "cord", Property: "v", Role: Reference}, {Flow: "wood", Input: true, Amount: 1, Unit: "t", Property: "m"},
			{Flow: "wood", Input: true, Amount: 1, Unit: "GJ"}, {Flow: "wood", Input: true, Amount: 500, Property: "m"}, {Flow: "wood", Input: true, Amount: 3}, {Flow: "wood", Input: true, Amount: 1000, Unit: "l"},
		}})
	})
	for i, want := range []float64{3.62, 2, 0.125, 1, 3, 1} {
		if x := r.exchanges[i]; math.Abs(x.Value-want) > 1e-12 || x.Unit != "m3" {
			t.Errorf("%d: %v %s, want %v", i, x.Value, x.Unit, want)
		}
	}
}

func TestUncertaintyFollowsTheAmount(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		for _, f := range []string{"n", "l", "t", "u", "x", "w"} {
			b.Flow(Flow{Key: f, Name: f, Kind: Elementary, Unit: "kg"})
		}
		b.Process(Process{Key: "p", Name: "P", Exchanges: []Exchange{
			{Flow: "n", Amount: 1000, Unit: "g", Uncertainty: Normal(1000, 100)}, {Flow: "l", Amount: 1, Unit: "kg", Uncertainty: Lognormal(1, math.E)},
			{Flow: "t", Amount: 2, Uncertainty: Triangular(1, 2, 3)}, {Flow: "u", Amount: 2, Uncertainty: Uniform(3, 1)}, {Flow: "x", Amount: 2, Uncertainty: Lognormal(2, 0)},
			{Flow: "w", Input: true, Amount: 2, Role: Reference, Uncertainty: Uniform(1, 3)},
		}})
	})
	close := func(got *float64, want float64) bool { return got != nil && math.Abs(*got-want) < 1e-9 }
	if x := r.named("n"); x.Distribution != lci.Normal || !close(x.Mean, 1) || !close(x.StandardDeviation, 0.1) || x.Minimum != nil {
		t.Errorf("%+v", x)
	}
	if x := r.named("l"); !close(x.Mean, math.Exp(0.5)) || !close(x.StandardDeviation, math.Exp(0.5)*math.Sqrt(math.E-1)) {
		t.Errorf("%+v", x)
	}
	if x := r.named("t"); !close(x.Mean, 2) || !close(x.StandardDeviation, math.Sqrt(1./6)) || !close(x.Minimum, 1) || !close(x.Maximum, 3) {
		t.Errorf("%+v", x)
	}
	if x := r.named("u"); !close(x.Minimum, 1) || !close(x.StandardDeviation, 2/math.Sqrt(12)) {
		t.Errorf("%+v", x)
	}
	if x := r.named("x"); x.Distribution != lci.Certain || x.Mean != nil {
		t.Errorf("%+v", x)
	}
	if x := r.named("w"); x.Value != -2 || !close(x.Mean, -2) || !close(x.Minimum, -3) || !close(x.Maximum, -1) || !close(x.StandardDeviation, 2/math.Sqrt(12)) {
		t.Errorf("%+v", x)
	}
}

// An exchange's id stays if it is unique; others are derived, the same each
// time.
func TestExchangeIDs(t *testing.T) {
	own, shared, taken := lci.NewID(), lci.NewID(), lci.NewID()
	read := func(b *Builder) {
		b.Flow(Flow{Key: "f", Name: "F", Kind: Elementary, Unit: "kg"})
		b.Process(Process{Key: "p", Name: "P", Exchanges: []Exchange{
			{ID: own.String(), Flow: "f"}, {ID: shared.String(), Flow: "f"}, {ID: taken.String(), Flow: "f"}, {Flow: "f"}, {ID: "12", Flow: "f"}, {Flow: "f", Input: true}}})
		b.Process(Process{Key: "q", Name: "Q", Exchanges: []Exchange{{ID: shared.String(), Flow: "f"}}})
	}
	known := there{parents: map[lci.ID]lci.ID{taken: lci.NewID(), own: lci.DerivedID("process", "p")}}
	first, again := built(t, known, read), built(t, known, read)
	seen := map[lci.ID]bool{}
	for i, x := range first.exchanges {
		if x.ID.IsZero() || seen[x.ID] || again.exchanges[i].ID != x.ID {
			t.Errorf("%d: %v", i, x.ID)
		}
		seen[x.ID] = true
	}
	if first.exchanges[0].ID != own || first.exchanges[1].ID != shared || seen[taken] {
		t.Errorf("%v", seen)
	}
}

func TestRoles(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		b.Flow(Flow{Key: "bread", Name: "Bread", Kind: Product, Unit: "kg"})
		b.Flow(Flow{Key: "bran", Name: "Bran", Kind: Product, Unit: "kg"})
		b.Flow(Flow{Key: "ash", Name: "Ash", Kind: Waste, Unit: "kg"})
		b.Process(Process{Key: "p", Name: "P", EveryProduct: true, Exchanges: []Exchange{
			{Flow: "bran", Amount: 1}, {Flow: "bread", Amount: 2, Role: Reference}, {Flow: "bread", Amount: 3}, {Flow: "ash", Amount: 1, Input: true},
			{Flow: "bran", Amount: 4, Input: true}, {Flow: "bran", Amount: 5, Role: Avoided}, {Flow: "ash", Amount: 6, Role: Avoided}, {Flow: "ash", Amount: 7}}})
	})
	var got []string
	for _, x := range r.exchanges {
		got = append(got, fmt.Sprintf("%s %s %v %v %v", x.Direction, x.Name, x.Value, x.Reference, x.Avoided))
	}
	want := []string{"output Bread 2 true false", "output Bran 1 true false", "output Bread 3 false false", "output Ash -1 true false",
		"input Bran 4 false false", "input Bran 5 false true", "output Ash -6 false false", "output Ash 7 false false"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestGoodsAndServices(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		b.FlowProperty(FlowProperty{Key: "m", Name: "Mass"})
		flows := []Flow{
			{Name: "Steel", Unit: "kg"}, {Name: "Concrete", Unit: "m3"}, {Name: "Pipe", Unit: "m"}, {Name: "Window", Unit: "m2"}, {Name: "Lorry", Unit: "Item(s)"},
			{Name: "Biogas", Unit: "MJ", Properties: []FlowAmount{{"e", 1, true}, {"m", 0.02, false}}},
			{Name: "Electricity, grid", Unit: "kWh"}, {Name: "Transport, lorry", Unit: "t*km"}, {Name: "Disposal, ash", Unit: "kg"}, {Name: "Working time", Unit: "h"},
			{Name: "Diesel, combusted in engine", Unit: "l"}, {Name: "Heating oil", Unit: "kg"}, {Name: "Parking", Unit: "m2*a"}, {Name: "Fee", Unit: "EUR"},
			{Name: "Haircut", Unit: "p", Kind: Service}, {Name: "Cooling, as sold", Unit: "MJ", Kind: Good}, {Name: "Slag", Unit: "kg", Kind: Waste},
			{Name: "Collection", Unit: "kg", Classification: []string{"Waste management services"}},
		}
		p := Process{Key: "p", Name: "P"}
		for _, f := range flows {
			f.Key = f.Name
			if f.Kind == Unknown {
				f.Kind = Product
			}
			b.Flow(f)
			p.Exchanges = append(p.Exchanges, Exchange{Flow: f.Key, Input: true, Amount: 1})
		}
		b.Flow(Flow{Key: "unused", Name: "Unused", Kind: Product, Unit: "kg"})
		b.Process(p)
	})
	if got, want := strings.Join(r.materials, "|"), "Steel|Concrete|Pipe|Window|Lorry|Biogas|Heating oil|Cooling, as sold"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, x := range r.exchanges {
		if (x.MaterialID == x.FlowID) != slices.Contains(r.materials, x.Name) {
			t.Errorf("%+v", x)
		}
	}
}

func TestFormulas(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		b.Formulas(formula.SimaPro)
		b.Parameter(Parameter{Name: "Load", Value: 10})
		b.Parameter(Parameter{Name: "rate", Value: 1})
		b.Parameter(Parameter{Name: "rate", Value: 2, Project: true})
		b.Parameter(Parameter{Name: "total", Formula: "load * 3"})
		for _, f := range []string{"a", "b", "c", "d", "e"} {
			b.Flow(Flow{Key: f, Name: f, Kind: Elementary, Unit: "kg"})
		}
		b.Process(Process{Key: "p", Name: "P", Parameters: []Parameter{{Name: "load", Value: 5}, {Name: "loop", Formula: "loop + 1"}}, Exchanges: []Exchange{
			{Flow: "a", NoAmount: true, Formula: "load * rate", Variable: "fuel"}, {Flow: "b", NoAmount: true, Formula: "fuel + total"}, {Flow: "d", Amount: 4, Formula: "nonsense("}}})
		b.Process(Process{Key: "q", Name: "Q", Parameters: []Parameter{{Name: "loop", Formula: "loop + 1"}}, Exchanges: []Exchange{{Flow: "a", Amount: 1}, {Flow: "c", NoAmount: true, Formula: "loop"}}})
		b.Process(Process{Key: "r", Name: "R", Exchanges: []Exchange{{Flow: "e", NoAmount: true}}})
	})
	if a, b, d := r.named("a"), r.named("b"), r.named("d"); a.Value != 10 || b.Value != 40 || d.Value != 4 {
		t.Errorf("%v, %v, %v", a.Value, b.Value, d.Value)
	}
	if notes := fmt.Sprint(r.notes); len(r.exchanges) != 3 || !strings.Contains(notes, `Q, exchange 2: the amount of "c" cannot be evaluated: the parameter "loop" depends on itself`) ||
		!strings.Contains(notes, `R, exchange 1: the exchange of "e" has neither an amount nor a formula`) {
		t.Errorf("%v", r.notes)
	}
}

func TestResults(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		b.Method(Method{Key: "m", Name: "M"})
		b.Indicator(Indicator{Key: "gwp", Method: "m", Name: "GWP", Unit: "kg"})
		b.Flow(Flow{Key: "f", Name: "F", Kind: Product, Unit: "kg"})
		b.Process(Process{Key: "p", Name: "P", System: true, Exchanges: []Exchange{{Flow: "f", Amount: 1, Role: Reference}}, Results: []Result{{Indicator: "gwp", Amount: 3}, {Indicator: "other", Amount: 1}, {Indicator: "gwp", Amount: 4}}})
	})
	if len(r.impacts) != 1 || r.impacts[0].Value != 3 || r.impacts[0].Unit != "kg" || len(r.notes) != 2 || !strings.Contains(r.notes[1].Message, "4 kg, is left out; the first one is used") {
		t.Errorf("%+v, %v", r.impacts, r.notes)
	}
}

// Stored texts can be written to a table and read again.
func TestTextsAreOfOneForm(t *testing.T) {
	b := newBuilder(func(int64, int64) {})
	if got := b.text(" a\r\nb\rc ", Where{}); got != "a\nb\nc" {
		t.Errorf("%q", got)
	}
	if got := b.title("a\x01 b\n\tc", Where{}); got != "a b c" {
		t.Errorf("%q", got)
	}
}

// A note names its process; a note shared by all uses of a field names none.
func TestNotesNameTheirProcess(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		at := Where{File: "p.json", Record: "P"}
		b.Flow(Flow{Key: "f", Name: "Steel", Kind: Product, Unit: "kg", Where: at})
		b.Process(Process{Key: "p", Name: "P", Where: at, Exchanges: []Exchange{{Flow: "f", Amount: 1, Input: true, Unit: "barn"}}})
		b.Drop("comments", at)
	})
	got := map[ingest.Class][]string{}
	for _, n := range r.notes {
		got[n.Class] = n.In
	}
	if want := (map[ingest.Class][]string{ingest.UnknownUnit: {"P"}, ingest.Productless: {"P"}, ingest.Dropped: nil}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v: %v", got, want, r.notes)
	}
}
