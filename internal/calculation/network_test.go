package calculation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cradle/internal/flowmatch"
	"cradle/internal/lci"
)

func networkOf(t *testing.T, s *stock) *Network {
	t.Helper()
	n, err := (&Calculator{}).Network(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// reckon calculates scores from a network alone.
func reckon(t *testing.T, s *stock, n *Network) map[string]float64 {
	t.Helper()
	var columns []Product
	var activities []Activity
	at := map[lci.ID]int{} // by the exchange of the product
	for _, p := range s.processes {
		a, ok := n.Activity(p.ID)
		if !ok {
			t.Fatalf("%s is not there", p.Name)
		}
		for _, of := range a.Products {
			if of.Supplies {
				at[of.Exchange] = len(columns)
				columns, activities = append(columns, of), append(activities, a)
			}
		}
	}
	factors := map[lci.ID][]Weight{}
	for _, f := range n.Flows {
		if _, twice := factors[f.ID]; twice {
			t.Errorf("two flows have the id %s", f.ID)
		}
		factors[f.ID] = f.Factors
	}
	scores := map[string]float64{}
	for k, of := range n.Indicators {
		for _, p := range s.processes {
			a, _ := n.Activity(p.ID)
			if !a.Calculated || !a.Products[0].Supplies {
				continue
			}
			matrix, direct := equations(columns, activities, at, factors, k)
			row := at[a.Products[0].Exchange]
			matrix[row][len(columns)] = a.Products[0].Batch
			for i, x := range eliminate(matrix) {
				scores[p.Name+" "+of.Name] += x * direct[i]
			}
		}
	}
	return scores
}

func equations(columns []Product, activities []Activity, at map[lci.ID]int, factors map[lci.ID][]Weight, indicator int) ([][]float64, []float64) {
	m, direct := make([][]float64, len(columns)), make([]float64, len(columns))
	for i := range m {
		m[i] = make([]float64, len(columns)+1)
	}
	under := func(weights []Weight) float64 {
		for _, w := range weights {
			if w.Indicator == indicator {
				return w.Value
			}
		}
		return 0
	}
	for i, col := range columns {
		m[i][i] = col.Amount
		for k, e := range activities[i].Entries {
			switch e.Role {
			case Supplied:
				m[at[e.Product]][i] += col.Share(k) * e.Amount
			case Nature:
				direct[i] += col.Share(k) * e.Amount * under(factors[e.Flow])
			}
		}
		direct[i] += under(activities[i].Stated)
	}
	return m, direct
}

func TestANetworkGivesTheScores(t *testing.T) {
	burning := func() *stock {
		return new(stock).climate().process("Burning", treats("waste", "-1 kg"), emits("co2", "2 kg"))
	}
	for name, s := range map[string]*stock{
		"inputs in other units": new(stock).climate().process("Coal", makes("coal", "1 t"), emits("co2", "5000 g")).
			process("Plant", makes("power", "2 kWh"), takes("coal", "500 kg")),
		"a waste":           burning().process("Factory", makes("product", "1 p"), from("Burning", discards("other", "2 kg"))),
		"a negative input":  burning().process("Factory", makes("product", "1 p"), takes("waste", "-2 kg")),
		"a waste taken":     burning().process("Kiln", makes("cement", "1 kg"), from("Burning", takes("waste", "2 kg")), emits("co2", "1 kg")),
		"an avoided input":  new(stock).climate().process("Coal", makes("coal", "2 kg"), emits("co2", "6 kg")).process("Recycling", makes("service", "1 p"), avoided(takes("coal", "1 kg"))),
		"own consumption":   new(stock).climate().process("Grid", makes("power", "1 kWh"), takes("power", "0.2 kWh"), emits("co2", "4 kg")),
		"products by mass":  new(stock).climate().process("Plant", makes("a", "1 kg"), makes("b", "3 kg"), emits("co2", "2 kg")).process("User", makes("use", "1 p"), takes("b", "3 kg")),
		"a stated supplier": new(stock).climate().process("Idea", makes("x", "2 kg")).state("Idea", "GWP", 5).process("User", makes("y", "1 p"), takes("x", "1 kg")),
		"more of a product": new(stock).climate().process("P", makes("x", "1 kg"), exchangeOf(lci.Output, lci.Intermediate, "x", "3000 g"), emits("co2", "2 kg")).
			process("User", makes("y", "1 p"), takes("x", "2 kg")),
		"cut-offs": new(stock).climate().process("User", makes("y", "1 p"), takes("x", "1 kg"), emits("co2", "1 kg"), emits("co2", "1 kg"), emits("co2", "1 m3")),
		"against nature": new(stock).method("M", "Any ore=1").process("Mine", makes("x", "1 kg"), extracts("ore", "3 kg"), emits("ore", "1 kg")).
			process("Other", makes("y", "1 kg"), extracts("ore", "1 kg")),
		"a treatment as a service": new(stock).climate().process("Burning", treats("waste", "1 kg"), emits("co2", "2 kg")).
			process("Factory", makes("product", "1 p"), discards("waste", "2 kg")),
		"a factor by mapping": func() *stock {
			s := new(stock).climate().process("P", makes("x", "1 kg"), emits("carbon", "3 kg"))
			s.mappings = []flowmatch.Mapping{{Source: lci.Flow{ID: id("carbon")}, Target: lci.Flow{ID: id("co2")}, Factor: 44.0 / 12}}
			return s
		}(),
		"a flow that is a product and an emission": new(stock).climate().process("P", makes("co2", "1 kg"), emits("co2", "3 kg")).
			process("User", makes("y", "1 p"), takes("co2", "1 kg")),
	} {
		t.Run(name, func(t *testing.T) {
			want := values(calculate(t, s))
			if len(want) == 0 {
				t.Fatal("nothing was calculated")
			}
			expectNear(t, name, reckon(t, s, networkOf(t, s)), want)
		})
	}
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := network(r, 1+r.IntN(20))
		want := values(calculate(t, s))
		expectNear(t, fmt.Sprint("seed ", seed), reckon(t, s, networkOf(t, s)), want)
	}
}

// A process that takes from a network without a solution has no scores either,
// and must not be linked to it.
func TestANetworkSaysWhatItLeavesOut(t *testing.T) {
	s := new(stock).climate().process("Ouroboros", makes("snake", "1 p"), takes("snake", "1 p")).
		process("Zoo", makes("visit", "1 p"), takes("snake", "1 p"), takes("water", "1 m3"), emits("co2", "1 m3")).
		process("Good", makes("x", "1 p"), emits("co2", "1 kg"))
	n := networkOf(t, s)
	calculate(t, s).lacks("Zoo GWP").is("Good GWP", 1)
	want := []Omission{
		{ProcessID: id("Ouroboros"), Process: "Ouroboros"},
		{id("Ouroboros"), "Ouroboros", id("Ouroboros/1"), "snake", Unsupplied},
		{ProcessID: id("Zoo"), Process: "Zoo"},
		{id("Zoo"), "Zoo", id("Zoo/1"), "snake", Unsupplied},
		{id("Zoo"), "Zoo", id("Zoo/2"), "water", Unlinked},
		{id("Zoo"), "Zoo", id("Zoo/3"), "co2", Inconvertible},
	}
	if got := n.Omissions(); !slices.Equal(got, want) {
		t.Errorf("omitted\n%v\nwant\n%v", got, want)
	}
	zoo, _ := n.Activity(id("Zoo"))
	if zoo.Calculated || zoo.Products[0].Supplies || zoo.Entries[1].Supplier != (lci.ID{}) {
		t.Errorf("%+v", zoo)
	}
	if good, _ := n.Activity(id("Good")); !good.Calculated || !good.Products[0].Supplies {
		t.Errorf("%+v", good)
	}
}

func TestANetworkWithoutMethodsIsLinked(t *testing.T) {
	s := new(stock).process("Coal", makes("coal", "1 kg")).process("Plant", makes("power", "1 kWh"), takes("coal", "2 kg"), emits("co2", "5 kg"))
	plant, ok := networkOf(t, s).Activity(id("Plant"))
	if !ok || plant.Entries[1].Supplier != id("Coal") || plant.Entries[1].Amount != -2 || plant.Entries[2].Role != Nature {
		t.Errorf("%+v", plant)
	}
	if math.Signbit(plant.Entries[2].Amount) {
		t.Errorf("an emission counts %v", plant.Entries[2].Amount)
	}
}
