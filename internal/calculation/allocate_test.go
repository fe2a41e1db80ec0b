package calculation

import (
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// plant makes two products and emits two kilograms of carbon dioxide; a user
// takes three units of the second product.
func plant(a, b lci.Exchange) *stock {
	return new(stock).climate().process("Plant", a, b, emits("co2", "2 kg")).
		process("User of b", makes("use", "1 p"), takes("b", "3 "+b.Unit))
}

// causal sets the products' shares of one exchange of a process.
func (s *stock) causal(process string, at string, shares map[string]float64) *stock {
	for product, share := range shares {
		s.allocations = append(s.allocations, lci.Allocation{ProcessID: id(process), ProductID: id(product), ExchangeID: id(process + "/" + at), Share: share})
	}
	return s
}

func TestAllocation(t *testing.T) {
	for _, c := range []struct {
		name   string
		a, b   lci.Exchange
		wa, wb float64
		shared string // the basis, if it is not stated
	}{
		{"by the dataset's shares", share(0.1, worth(9, makes("a", "1 kg"))), share(0.9, worth(1, makes("b", "3 kg"))), 0.2, 1.8, ""},
		{"by worth", worth(9, makes("a", "1 kg")), worth(1, makes("b", "3 kg")), 1.5, 0.5, ""},
		{"by mass", makes("a", "1 kg"), makes("b", "3 kg"), 0.5, 1.5, "mass"},
		{"by mass in other units", makes("a", "1000 g"), makes("b", "0.003 t"), 0.5, 2000 * 0.75, "mass"},
		{"by energy", makes("a", "3.6 MJ"), makes("b", "3 kWh"), 0.5, 1.5, "energy"},
		{"by volume", makes("a", "1000 l"), makes("b", "3 m3"), 0.5, 1.5, "volume"},
		{"by pieces", makes("a", "1 p"), makes("b", "3 p"), 0.5, 1.5, "pieces"},
		{"shares of some products only do not count", share(0.9, makes("a", "1 kg")), makes("b", "3 kg"), 0.5, 1.5, "mass"},
		{"negative shares do not count", share(1.5, makes("a", "1 kg")), share(-0.5, makes("b", "3 kg")), 0.5, 1.5, "mass"},
		{"shares of nothing do not count", share(0, makes("a", "1 kg")), share(0, makes("b", "3 kg")), 0.5, 1.5, "mass"},
		{"shares that leave the reference nothing do not count", share(0, makes("a", "1 kg")), share(1, makes("b", "3 kg")), 0.5, 1.5, "mass"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := calculate(t, plant(c.a, c.b)).is("Plant GWP", c.wa).is("User of b GWP", c.wb)
			if c.shared == "" {
				r.isQuiet()
			} else {
				r.says(ingest.Shared, "Plant", "allocated by "+c.shared)
			}
		})
	}
	t.Run("by causal factors", func(t *testing.T) {
		s := plant(share(0.5, makes("a", "1 kg")), share(0.5, makes("b", "3 kg"))).causal("Plant", "2", map[string]float64{"a": 0.25, "b": 0.75})
		calculate(t, s).isQuiet().is("Plant GWP", 0.5).is("User of b GWP", 1.5)
	})
	t.Run("causal factors of some exchanges only do not count", func(t *testing.T) {
		s := new(stock).climate().process("Plant", share(0.5, makes("a", "1 kg")), share(0.5, makes("b", "3 kg")), emits("co2", "2 kg"), emits("co2", "10 kg")).
			causal("Plant", "2", map[string]float64{"a": 0.25, "b": 0.75})
		calculate(t, s).is("Plant GWP", 6).says(ingest.Doubtful, "Plant", "not used")
	})
	t.Run("causal factors of some products only do not count", func(t *testing.T) {
		s := plant(makes("a", "1 kg"), makes("b", "3 kg")).causal("Plant", "2", map[string]float64{"a": 0.9})
		calculate(t, s).is("Plant GWP", 0.5).says(ingest.Doubtful, "Plant", "not used").says(ingest.Shared, "Plant", "mass")
	})
	t.Run("what the dataset names counts even where it leaves the reference nothing", func(t *testing.T) {
		s := plant(share(0, makes("a", "1 kg")), share(1, makes("b", "3 kg")))
		s.processes[0].Sharing = lci.Sharing{By: "physical", Stated: true}
		calculate(t, s).is("Plant GWP", 0).is("User of b GWP", 2).says(ingest.Doubtful, "Plant", "a share of 0")
	})
	t.Run("what an importer shared by is noted", func(t *testing.T) {
		s := plant(share(0.4, makes("a", "1 kg")), share(0.6, makes("b", "3 m3")))
		s.processes[0].Sharing = lci.Sharing{By: "energy"}
		calculate(t, s).is("Plant GWP", 0.8).says(ingest.Shared, "Plant", "allocated by energy")
	})
	t.Run("shares that do not add up are told", func(t *testing.T) {
		calculate(t, plant(share(0.5, makes("a", "1 kg")), share(0.1, makes("b", "3 kg")))).is("Plant GWP", 1).
			says(ingest.Doubtful, "Plant", "add up to 0.6")
	})
	t.Run("what is not a reference product bears nothing", func(t *testing.T) {
		s := new(stock).climate().process("Plant", makes("a", "1 kg"), exchangeOf(lci.Output, lci.Intermediate, "b", "3 kg"), emits("co2", "2 kg"))
		calculate(t, s).isQuiet().is("Plant GWP", 2)
	})
	t.Run("nothing of a product is no product", func(t *testing.T) {
		s := new(stock).climate().process("Plant", makes("a", "1 kg"), makes("b", "0 m3"), emits("co2", "2 kg"))
		calculate(t, s).isQuiet().is("Plant GWP", 2)
	})
	t.Run("a product given off twice is one", func(t *testing.T) {
		s := new(stock).climate().process("Plant", makes("a", "1 kg"), exchangeOf(lci.Output, lci.Intermediate, "a", "3000 g"), emits("co2", "2 kg")).
			process("User", makes("use", "1 p"), takes("a", "4 kg"))
		calculate(t, s).isQuiet().is("Plant GWP", 0.5).is("User GWP", 2)
	})
}

// A process that cannot be allocated has no impacts, and inputs from it are
// unlinked.
func TestProcessesThatCannotShare(t *testing.T) {
	rest := func() *stock {
		return plant(makes("a", "1 kWh"), makes("b", "3 kg")).process("User of user", makes("uu", "1 p"), takes("use", "2 p"), emits("co2", "1 kg"))
	}
	t.Run("supply nobody", func(t *testing.T) {
		r := calculate(t, rest()).lacks("Plant GWP").is("User of b GWP", 0).is("User of user GWP", 1).
			says(ingest.Unshared, "Plant", "2 products", "no impacts").says(ingest.Unlinked, "b", "Plant", "User of b", "cut off")
		if r.CutOffs != 1 || r.Uncalculated != 1 || r.rows["User of user GWP"].Completeness.CutOffs != 1 {
			t.Errorf("%+v", r.Calculation)
		}
	})
	t.Run("even where they are named", func(t *testing.T) {
		s := rest().process("Named", makes("named", "1 p"), from("Plant", takes("b", "1 kg")), emits("co2", "1 kg"))
		calculate(t, s).is("Named GWP", 1).says(ingest.Unlinked, "b", "Plant", "Named", "cut off")
	})
	t.Run("and the only other maker supplies", func(t *testing.T) {
		s := rest().process("Other", makes("b", "1 kg"), emits("co2", "5 kg"))
		calculate(t, s).is("User of b GWP", 15).is("Other GWP", 5)
	})
}

// A process that burns some of its own product: the input is not a product and
// gets no share.
func TestOwnConsumptionOfAProductThatShares(t *testing.T) {
	refinery := func() *stock {
		return new(stock).climate().process("Refinery", share(0.6, makes("petrol", "6 kg")), share(0.4, makes("gas", "4 kg")), takes("gas", "1 kg"), emits("co2", "10 kg"))
	}
	// g = 4 + 0.4 g/4, for 4 kg of gas; p = 6 + 0.6 g/4.
	calculate(t, refinery().process("User", makes("use", "1 p"), takes("gas", "4 kg"))).isQuiet().is("Refinery GWP", 6.66666666667).is("User GWP", 4.44444444444)
	t.Run("another maker supplies it where there is one", func(t *testing.T) {
		calculate(t, refinery().process("Well", makes("gas", "1 kg"), emits("co2", "100 kg"))).isQuiet().is("Refinery GWP", 66)
	})
	t.Run("a market takes from those it sells for", func(t *testing.T) {
		s := new(stock).climate().process("Plant", makes("power", "1 kWh"), emits("co2", "2 kg")).
			process("market for power", makes("power", "1 kWh"), takes("power", "1.1 kWh"))
		calculate(t, s).isQuiet().is("market for power GWP", 2.2)
	})
	for name, own := range map[string]string{"all of it": "4 kg", "nearly all of it": "3.999999 kg", "more than it makes": "5 kg"} {
		t.Run("that takes "+name+" leaves nothing", func(t *testing.T) {
			s := new(stock).climate().process("Refinery", share(0.6, makes("petrol", "6 kg")), share(0.4, makes("gas", "4 kg")), takes("gas", own), emits("co2", "10 kg")).
				process("User", makes("use", "1 p"), takes("petrol", "1 kg"))
			calculate(t, s).lacks("Refinery GWP").lacks("User GWP").says(ingest.Productless, "Refinery", "leaves nothing")
		})
	}
}
