package calculation

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

func explain(t *testing.T, s *stock, q Question) *Explanation {
	t.Helper()
	e, err := new(Calculator).Explain(t.Context(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// One car takes 10 kg of steel (2 kg CO2 each, half of it from coal) and emits 5
// kg itself.
func cars() *stock {
	return new(stock).method("M", "GWP co2=1 ch4=30", "AP so2=1").
		process("Coal", makes("coal", "1 kg"), emits("co2", "2 kg")).
		process("Steel @ DE", makes("steel", "2 kg"), takes("coal", "1 kg"), emits("co2", "2 kg")).
		process("Car", makes("car", "2 p"), takes("steel", "20 kg"), emits("co2", "7 kg"), emits("ch4", "0.1 kg")).
		process("Unrelated", makes("x", "1 kg"), emits("co2", "1 kg"))
}

func TestExplain(t *testing.T) {
	e := explain(t, cars(), Question{Process: id("Car"), Depth: 5})
	if e.Name != "Car" || e.Product != "car" || e.Amount != 2 || e.Unit != "p" || len(e.Scores) != 2 {
		t.Fatalf("%+v", e)
	}
	gwp := e.Scores[1]
	if gwp.Indicator != "GWP" || gwp.Value != 50 || gwp.Coverage != 1 || gwp.Stated != nil || gwp.Spread != nil {
		t.Errorf("%+v", gwp)
	}
	coal := Supplier{Process: id("Coal"), Name: "Coal", Product: "coal", Amount: 10, Unit: "kg", Score: 20, Share: 0.4, Direct: 20, Suppliers: []Supplier{}}
	steel := Supplier{Process: id("SteelDE"), Name: "Steel", Region: "DE", Product: "steel", Amount: 20, Unit: "kg", Score: 40, Share: 0.8, Direct: 20, Suppliers: []Supplier{coal}}
	want := Supplier{Process: id("Car"), Name: "Car", Product: "car", Amount: 2, Unit: "p", Score: 50, Share: 1, Direct: 10, Suppliers: []Supplier{steel}}
	if !reflect.DeepEqual(gwp.Tree, want) {
		t.Errorf("got\n%+v\nwant\n%+v", gwp.Tree, want)
	}
	flows := []Flow{{Flow: id("co2"), Name: "co2", Amount: 47, Unit: "kg", Score: 47, Share: 0.94}, {Flow: id("ch4"), Name: "ch4", Amount: 0.1, Unit: "kg", Score: 3, Share: 0.06}}
	if !reflect.DeepEqual(gwp.Flows, flows) {
		t.Errorf("got %+v\nwant %+v", gwp.Flows, flows)
	}
	if few := explain(t, cars(), Question{Process: id("Car"), Depth: 1, Share: 0.07}).Scores[1]; len(few.Tree.Suppliers[0].Suppliers) != 0 ||
		few.Tree.Suppliers[0].Others != 20 || len(few.Flows) != 1 {
		t.Errorf("%+v", few)
	}
	s := cars().state("Car", "GWP", 99)
	if got := explain(t, s, Question{Process: id("Car"), Methods: []lci.ID{id("M")}}).Scores[1]; got.Stated == nil || *got.Stated != 99 || got.Value != 50 {
		t.Errorf("%+v", got)
	}
}

func TestExplainATreatmentAndWhatIsStated(t *testing.T) {
	s := new(stock).climate().process("Burning", treats("waste", "-2 kg"), takes("lime", "1 kg"), emits("co2", "4 kg")).
		process("Lime", makes("lime", "1 kg")).state("Lime", "GWP", 3).
		process("Factory", makes("product", "1 p"), discards("waste", "4 kg"))
	e := explain(t, s, Question{Process: id("Burning"), Depth: 2})
	if got := e.Scores[0]; got.Value != 7 || got.Tree.Score != 7 || got.Tree.Direct != 4 || got.Tree.Suppliers[0].Score != 3 || len(got.Flows) != 2 {
		t.Errorf("%+v", got)
	}
	if got := explain(t, s, Question{Process: id("Factory"), Depth: 1}).Scores[0].Tree; got.Score != 14 || got.Suppliers[0].Amount != 4 || got.Suppliers[0].Score != 14 {
		t.Errorf("%+v", got)
	}
}

func TestExplainRefuses(t *testing.T) {
	s := cars().process("Loop", makes("loop", "1 kg"), takes("loop", "1 kg")).process("Bare", makes("bare", "1 kg")).
		process("Odd", emits("co2", "1 kg")).process("Zero", makes("zero", "0 kg"), emits("co2", "1 kg"))
	for name, want := range map[string]string{
		"Loop": "leaves nothing", "Bare": "no inventory", "Odd": "no reference product", "Zero": "is 0", "Nobody": "No process has the id",
	} {
		_, err := new(Calculator).Explain(t.Context(), s, Question{Process: id(name)})
		if err == nil || !strings.Contains(err.Error(), want) || fault.As(err) == nil {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	if _, err := new(Calculator).Explain(t.Context(), s, Question{Process: id("Car"), Methods: []lci.ID{id("other")}}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a method that is not there: %v", err)
	}
	if _, err := new(Calculator).Explain(t.Context(), new(stock), Question{Process: id("Car")}); err == nil {
		t.Error("explained without factors")
	}
}

func TestSpread(t *testing.T) {
	deviation, low, high := 0.2, 1.0, 3.0
	s := cars()
	for i := range s.exchanges {
		switch x := &s.exchanges[i]; {
		case x.ProcessID == id("Coal") && x.Type == lci.Elementary:
			x.Distribution, x.StandardDeviation = lci.Lognormal, &deviation
		case x.ProcessID == id("SteelDE") && x.Type == lci.Elementary:
			x.Distribution, x.Minimum, x.Maximum = lci.Uniform, &low, &high
		}
	}
	ask := func(seed uint64) *Spread {
		return explain(t, s, Question{Process: id("Car"), Samples: 2000, Seed: seed}).Scores[1].Spread
	}
	one := ask(1)
	// 10 + 10 kg of coal · (2 ± 0.2) + 10 batches of steel · (1..3, deviation 1/√3).
	if want := math.Hypot(10*0.2, 10/math.Sqrt(3)); math.Abs(one.Mean-50) > 0.5 || math.Abs(one.StandardDeviation-want) > 0.05*want {
		t.Errorf("%+v, want 50 ± %v", one, want)
	}
	if one.P5 > one.P50 || one.P50 > one.P95 || one.P5 < 38 || one.P95 > 62 || one.Samples != 2000 {
		t.Errorf("%+v", one)
	}
	if again := ask(1); *again != *one {
		t.Errorf("the same seed gives %+v, then %+v", one, again)
	}
	if other := ask(2); *other == *one {
		t.Error("another seed gives the same")
	}
}
