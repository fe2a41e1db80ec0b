package test

import (
	"slices"
	"strings"
	"testing"
)

// A sharing is how a process in openLCA's format allocates 10 kg of emissions to
// 1 kg of A, its reference product, and 3 kg of B.
type sharing struct {
	name    string
	method  string
	factors list
	more    bool    // it takes in 1 kg of ore, exchange 4, without a supplier
	a, b    made    // if not 1 kg and 3 kg
	want    float64 // A's share, none if it cannot be allocated
	noted   string  // the basis, if the dataset does not state it
}

// made is the amounts of a product in several quantities, and its price.
type made struct {
	amount, cost string
	quantities   []string
}

const (
	physical, economic, causally = "PHYSICAL_ALLOCATION", "ECONOMIC_ALLOCATION", "CAUSAL_ALLOCATION"
	unshared                     = -1
)

var sharings = []sharing{
	{name: "the named method: physical", method: physical, factors: both("0.2", "0.3"), want: 2},
	{name: "the named method: economic", method: economic, factors: both("0.2", "0.3"), want: 3},
	{name: "the named method: causal", method: causally, factors: append(both("0.2", "0.3"), causal(numbered(3), "A", "0.4", "B", "0.6")...), want: 4},
	{name: "the named method: worth", method: economic, a: made{cost: "1"}, b: made{cost: "4"}, want: 2},
	{name: "physical without factors is by amounts", method: physical, factors: factors(economic, "A", "0.3", "B", "0.7"), want: 2.5, noted: "mass"},
	{name: "no method, physical factors", factors: both("0.2", "0.3"), want: 2, noted: "physical"},
	{name: "no method, economic factors", factors: factors(economic, "A", "0.3", "B", "0.7"), want: 3, noted: "economic"},
	{name: "no method, causal factors", factors: append(both("0.2", "0.3"), causal(numbered(3), "A", "0.4", "B", "0.6")...), want: 4, noted: "causal"},
	{name: "no method, worth", a: made{cost: "1"}, b: made{cost: "4"}, want: 2, noted: "worth"},
	{name: "no allocation, factors", method: "NO_ALLOCATION", factors: both("0.2", "0.3"), want: 2, noted: "physical"},
	{name: "economic named, only physical factors", method: economic, factors: factors(physical, "A", "0.2", "B", "0.8"), want: 2, noted: "physical"},
	{name: "incomplete factors", method: physical, factors: factors(physical, "A", "0.9"), want: 2.5, noted: "mass"},
	{name: "incomplete factors, then others", factors: append(factors(physical, "A", "0.9"), factors(economic, "A", "0.3", "B", "0.7")...), want: 3, noted: "economic"},
	{name: "negative factors", method: physical, factors: factors(physical, "A", "1.5", "B", "-0.5"), want: 2.5, noted: "mass"},
	{name: "factors of zero", method: physical, factors: factors(physical, "A", "0", "B", "0"), want: 2.5, noted: "mass"},
	{name: "incomplete causal factors", method: causally, factors: causal(numbered(3), "A", "0.9"), want: 2.5, noted: "mass"},
	{name: "causal factors of one exchange", method: causally, more: true, factors: append(both("0.2", "0.3"), causal(numbered(3), "A", "0.4", "B", "0.6")...), want: 2, noted: "physical"},
	{name: "causal factors of every exchange", method: causally, more: true, factors: append(causal(numbered(3), "A", "0.4", "B", "0.6"), causal(numbered(4), "A", "1", "B", "0")...), want: 4},
	{name: "nothing for the reference, named", method: physical, factors: factors(physical, "A", "0", "B", "1"), want: 0},
	{name: "nothing for the reference, economic named", method: economic, factors: factors(economic, "A", "0", "B", "1"), want: 0},
	{name: "economic shares and costs", method: economic, factors: factors(economic, "A", "0.9", "B", "0.1"), a: made{cost: "1"}, b: made{cost: "4"}, want: 9},
	{name: "shares that come to 2", method: physical, factors: factors(physical, "A", "1.2", "B", "0.8"), want: 12},
	{name: "nothing for the reference, not named", factors: factors(physical, "A", "0", "B", "1"), want: 2.5, noted: "mass"},
	{name: "mass", want: 2.5, noted: "mass"},
	{name: "mass in several units", a: made{amount: "1000 g"}, b: made{amount: "0.003 t"}, want: 2.5, noted: "mass"},
	{name: "energy", a: made{amount: "1 kWh", quantities: []string{"Energy"}}, b: made{amount: "0.9 MJ", quantities: []string{"Energy"}}, want: 8, noted: "energy"},
	{name: "volume", a: made{amount: "1 m3", quantities: []string{"Volume"}}, b: made{amount: "4 m3", quantities: []string{"Volume"}}, want: 2, noted: "volume"},
	{name: "pieces", a: made{amount: "1 Item(s)", quantities: []string{"Number of items"}}, b: made{amount: "4 Item(s)", quantities: []string{"Number of items"}}, want: 2, noted: "pieces"},
	{name: "mass by a flow property", a: made{amount: "0.001 m3", quantities: []string{"Volume", "Mass 750"}}, want: 2, noted: "mass"},
	{name: "energy by flow properties", a: made{quantities: []string{"Mass", "Energy 12"}}, b: made{amount: "3 m3", quantities: []string{"Volume", "Energy 16"}}, want: 2, noted: "energy"},
	{name: "mass before energy", a: made{quantities: []string{"Mass", "Energy 40"}}, b: made{quantities: []string{"Mass", "Energy 20"}}, want: 2.5, noted: "mass"},
	{name: "mass and energy", b: made{amount: "3 MJ", quantities: []string{"Energy"}}, want: unshared},
	{name: "mass and pieces, incomplete factors", factors: factors(physical, "B", "0.9"), b: made{amount: "3 Item(s)", quantities: []string{"Number of items"}}, want: unshared},
	{name: "0 of B", b: made{amount: "0 kg"}, want: 10},
	{name: "a flow of B without a record", b: made{quantities: []string{}}, want: 10},
}

// both are factors of two methods, A's given.
func both(physically, economically string) list {
	other := map[string]string{"0.2": "0.8", "0.3": "0.7"}
	return append(factors(physical, "A", physically, "B", other[physically]), factors(economic, "A", economically, "B", other[economically])...)
}

// add puts the process into a pack, with products of its own.
func (s sharing) add(p pack) {
	own := pack{}
	product := func(name string, of made, amount string) (string, obj) {
		if of.quantities == nil {
			of.quantities = []string{"Mass"}
		}
		if len(of.quantities) > 0 {
			own.product(name, of.quantities...)
		}
		if of.amount != "" {
			amount = of.amount
		}
		cost := obj{}
		if of.cost != "" {
			cost["costValue"] = of.cost
		}
		return amount, cost
	}
	a, costOfA := product("A", s.a, "1 kg")
	b, costOfB := product("B", s.b, "3 kg")
	exchanges := []obj{reference("A", a, costOfA), out("B", b, costOfB), emission("10 kg")}
	if s.more {
		exchanges = append(exchanges, input("Ore", "1 kg"))
	}
	own.process(s.name, obj{"defaultAllocationMethod": s.method, "allocationFactors": s.factors}, exchanges...)
	renamed := strings.NewReplacer(idOf("flow", "A"), idOf("flow", s.name+" A"), idOf("flow", "B"), idOf("flow", s.name+" B"))
	for name, text := range own {
		p[renamed.Replace(name)] = renamed.Replace(text)
	}
}

func TestSharing(t *testing.T) {
	p := pack{}.withCarbonDioxide()
	want := map[string]float64{}
	var cannot, noted []string
	for _, s := range sharings {
		s.add(p)
		if s.want == unshared {
			cannot = append(cannot, s.name)
		} else {
			want[s.name+"/CO2"] = s.want
		}
		if s.noted != "" {
			noted = append(noted, s.name)
		}
	}
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		got := in.imports(t, folder(t, p), climate().write(t))
		checkNumbers(t, in, want)
		got.checkNoted(t, "unshared", cannot...)
		got.checkNoted(t, "shared", noted...)
		for _, s := range sharings {
			if note := got.of("shared")[s.name].Message; !strings.Contains(note, s.noted) {
				t.Errorf("%s: noted as %q", s.name, note)
			}
		}
		if _, reported := got.of("doubtful")["nothing for the reference, named"]; !reported {
			t.Errorf("it is not reported that the reference bears nothing: %+v", got.of("doubtful"))
		}
	})
}

// A mill cannot be allocated to 1 kg of flour and 1 MJ of heat. An input of
// flour is cut off; heat comes from the boiler, unless the mill is named. 0 MJ
// of heat leave a dairy with one product.
func TestWhatCannotBeSharedSuppliesNobody(t *testing.T) {
	l := climate().
		with("Mill", makes("Flour", "1 kg"), makes("Heat", "1 MJ"), emits("10 kg")).
		with("Boiler", makes("Heat", "2 MJ"), emits("4 kg")).
		with("Dairy", makes("Milk", "1 kg"), makes("Heat", "0 MJ"), emits("5 kg")).
		with("Bakery", makes("Bread", "1 kg"), takes("Flour", "1 kg"), takes("Heat", "3 MJ"), emits("1 kg")).
		with("Spa", makes("Bath", "1 p"), takes("Heat", "3 MJ").from("Mill"), emits("2 kg")).
		with("Shop", makes("Sandwich", "1 p"), takes("Bread", "2 kg"))
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		got := in.imports(t, l.write(t))
		checkNumbers(t, in, map[string]float64{"Boiler/CO2": 4, "Bakery/CO2": 7, "Spa/CO2": 2, "Shop/CO2": 14, "Dairy/CO2": 5})
		got.checkNoted(t, "unshared", "Mill")
		got.checkNoted(t, "shared")
		got.checkNoted(t, "unlinked", "Flour", "Heat")
		if got.Calculation.CutOffs != 2 {
			t.Errorf("%d inputs are cut off", got.Calculation.CutOffs)
		}
		for record, taker := range map[string]string{"Flour": "Bakery", "Heat": "Spa"} {
			if note := got.of("unlinked")[record]; !slices.Equal(note.In, []string{taker}) || !strings.Contains(note.Message, "Mill") {
				t.Errorf("%s: %+v", record, note)
			}
		}
		in.check(t)
	})
}

// Once the shares are imported, the mill is allocated, supplies others and has
// rows.
func TestSharesThatComeLater(t *testing.T) {
	mill := func(flour, heat string) library {
		return library{}.with("Mill", makes("Flour", "1 kg").bearing(flour), makes("Heat", "1 MJ").bearing(heat), emits("10 kg"))
	}
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		in.imports(t, climate().plus(mill("", "")).with("Bakery", makes("Bread", "1 kg"), takes("Flour", "1 kg")).write(t))
		checkNumbers(t, in, map[string]float64{"Bakery/CO2": 0})
		got := in.imports(t, mill("0.7", "0.3").write(t))
		checkNumbers(t, in, map[string]float64{"Bakery/CO2": 7, "Mill/CO2": 7})
		got.checkNoted(t, "shared")
		in.imports(t, mill("", "").write(t))
		checkNumbers(t, in, map[string]float64{"Bakery/CO2": 0})
	})
}
