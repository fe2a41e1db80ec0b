package calculation

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// Heijungs & Suh 2002: 10 kWh take 2 l of fuel, 100 l of fuel take 50 l of crude
// oil. 1000 kWh need 100 times the first and twice the second: 120 kg CO2, 14 kg
// SO2, 100 l crude oil. The row is for the 10 kWh that are stated.
func TestTextbook(t *testing.T) {
	s := new(stock).method("M", "CO2 co2=1", "SO2 so2=1", "Oil crude=1", "Nothing").
		process("Electricity", makes("electricity", "10 kWh"), takes("fuel", "2 l"), emits("co2", "1 kg"), emits("so2", "0.1 kg")).
		process("Fuel", makes("fuel", "100 l"), emits("co2", "10 kg"), emits("so2", "2 kg"), extracts("crude", "50 l"))
	r := calculate(t, s).isQuiet().
		is("Electricity CO2", 1.2).is("Electricity SO2", 0.14).is("Electricity Oil", 1).is("Electricity Nothing", 0).
		is("Fuel CO2", 10).is("Fuel SO2", 2).is("Fuel Oil", 50).is("Fuel Nothing", 0)
	if r.Rows != 8 || r.Processes != 2 || r.Indicators != 4 {
		t.Errorf("counted %+v", r.Calculation)
	}
}

func TestWaste(t *testing.T) {
	negative := func() *stock {
		return new(stock).climate().process("Burning", treats("waste", "-1 kg"), emits("co2", "2 kg"))
	}
	service := func() *stock {
		return new(stock).climate().process("Burning", treats("waste", "1 kg"), emits("co2", "2 kg"))
	}
	for name, s := range map[string]*stock{
		"given to the treatment of its flow":    negative().process("Factory", makes("product", "1 p"), discards("waste", "2 kg")),
		"given to a named treatment":            negative().process("Factory", makes("product", "1 p"), from("Burning", discards("other", "2 kg"))),
		"in another unit":                       negative().process("Factory", makes("product", "1 p"), discards("waste", "2000 g")),
		"an input of less than nothing":         negative().process("Factory", makes("product", "1 p"), takes("waste", "-2 kg")),
		"an output that is not called waste":    negative().process("Factory", makes("product", "1 p"), exchangeOf(lci.Output, lci.Intermediate, "waste", "2 kg")),
		"given to a treatment that is positive": service().process("Factory", makes("product", "1 p"), discards("waste", "2 kg")),
		"a treatment that is bought":            service().process("Factory", makes("product", "1 p"), takes("waste", "2 kg")),
		"for several products": negative().process("Factory", share(1, makes("product", "1 p")), share(0, makes("side", "1 p")),
			discards("waste", "2 kg")),
	} {
		t.Run(name, func(t *testing.T) { calculate(t, s).isQuiet().is("Factory GWP", 4).is("Burning GWP", 2) })
	}
	t.Run("that nobody treats is cut off", func(t *testing.T) {
		s := new(stock).climate().process("Factory", makes("product", "1 p"), discards("waste", "2 kg"), emits("co2", "1 kg"))
		calculate(t, s).is("Factory GWP", 1).says(ingest.Unlinked, "waste", "no process treats this waste", "Factory")
	})
	t.Run("does not go to a maker of the same flow", func(t *testing.T) {
		s := new(stock).climate().process("Mill", makes("steel", "1 kg"), emits("co2", "2 kg")).
			process("Factory", makes("product", "1 p"), discards("steel", "2 kg"), emits("co2", "1 kg"))
		calculate(t, s).is("Factory GWP", 1).says(ingest.Unlinked, "steel")
	})
	t.Run("taken from its treatment is a credit, and said to be", func(t *testing.T) {
		s := negative().process("Kiln", makes("cement", "1 kg"), from("Burning", takes("waste", "2 kg")), emits("co2", "1 kg"))
		calculate(t, s).is("Kiln GWP", -3).says(ingest.Doubtful, "waste", "credit")
	})
}

func TestShapesOfProcesses(t *testing.T) {
	t.Run("a process takes some of its own product", func(t *testing.T) {
		s := new(stock).climate().process("Grid", makes("power", "1 kWh"), takes("power", "0.2 kWh"), emits("co2", "4 kg"))
		calculate(t, s).isQuiet().is("Grid GWP", 5)
	})
	t.Run("an avoided product is a credit", func(t *testing.T) {
		s := new(stock).climate().process("Coal", makes("coal", "2 kg"), emits("co2", "6 kg")).
			process("Recycling", makes("service", "1 p"), avoided(takes("coal", "1 kg")), emits("co2", "1 kg"))
		calculate(t, s).isQuiet().is("Recycling GWP", -2)
	})
	t.Run("less than nothing of a product is a credit", func(t *testing.T) {
		s := new(stock).climate().process("Coal", makes("coal", "2 kg"), emits("co2", "6 kg")).
			process("Grid", makes("power", "1 kWh"), takes("coal", "-1 kg"), emits("co2", "1 kg"))
		calculate(t, s).isQuiet().is("Grid GWP", -2)
	})
	t.Run("two processes supply each other", func(t *testing.T) {
		// x = 1 + 0.5 y, y = 2 + 0.5 x: x = 8/3, y = 10/3.
		s := new(stock).climate().process("X", makes("x", "1 kg"), takes("y", "0.5 kg"), emits("co2", "1 kg")).
			process("Y", makes("y", "1 kg"), takes("x", "0.5 kg"), emits("co2", "2 kg"))
		calculate(t, s).isQuiet().is("X GWP", 2.66666666667).is("Y GWP", 3.33333333333)
	})
	t.Run("an input in another unit", func(t *testing.T) {
		s := new(stock).climate().process("Coal", makes("coal", "1 t"), emits("co2", "5 kg")).
			process("Plant", makes("power", "1 kWh"), takes("coal", "500 kg"))
		calculate(t, s).isQuiet().is("Plant GWP", 2.5)
	})
	t.Run("an input in a unit of another kind is cut off", func(t *testing.T) {
		s := new(stock).climate().process("Coal", makes("coal", "1 t"), emits("co2", "5 kg")).
			process("Plant", makes("power", "1 kWh"), takes("coal", "500 m3"), emits("co2", "1 kg"))
		r := calculate(t, s).is("Plant GWP", 1).says(ingest.UnknownUnit, "coal", "m3", "Plant", "Coal")
		if r.CutOffs != 1 || r.rows["Plant GWP"].Completeness.CutOffs != 1 || r.rows["Coal GWP"].Completeness.CutOffs != 0 {
			t.Errorf("cut-offs %d, %+v", r.CutOffs, r.rows["Plant GWP"].Completeness)
		}
	})
	t.Run("a process without an inventory has no rows", func(t *testing.T) {
		s := new(stock).climate().process("Idea", makes("x", "1 kg")).process("Odd", emits("co2", "1 kg"))
		if r := calculate(t, s).says(ingest.Productless, "Odd", "no reference product"); len(r.rows) != 0 {
			t.Errorf("rows %v", r.names())
		}
	})
	t.Run("nothing without factors", func(t *testing.T) {
		s := new(stock).method("Empty", "GWP").process("P", makes("x", "1 kg"), emits("co2", "1 kg"), takes("y", "1 kg"))
		if r := calculate(t, s).says(ingest.Unlinked, "y", "P"); len(r.rows) != 0 || r.CutOffs != 1 {
			t.Errorf("rows %v, %d cut off", r.names(), r.CutOffs)
		}
	})
	t.Run("a reference product of nothing", func(t *testing.T) {
		s := new(stock).climate().process("Zero", makes("x", "0 kg"), emits("co2", "1 kg")).
			process("User", makes("y", "1 kg"), takes("x", "1 kg"), emits("co2", "1 kg")).
			process("Named", makes("z", "1 kg"), from("Zero", takes("x", "1 kg")), emits("co2", "1 kg"))
		calculate(t, s).is("Zero GWP", 0).is("User GWP", 1).is("Named GWP", 1).says(ingest.Doubtful, "Zero", "amount 0").
			says(ingest.Unlinked, "x", "User").says(ingest.Unlinked, "Zero", "makes 0")
	})
}

// Emissions count as outputs and resources as inputs; the other way round they
// are credits.
func TestSidesOfNature(t *testing.T) {
	s := new(stock).method("M", "Any gas=1 ore=1 water=1 plain=1 coal=1 odd=1")
	s.flows = []lci.Flow{{ID: id("gas"), Name: "gas", Type: lci.Elementary, Compartment: "Air/urban"},
		{ID: id("ore"), Name: "ore", Type: lci.Elementary, Compartment: "Resource/in ground"},
		{ID: id("water"), Name: "water", Type: lci.Elementary, Compartment: "natural resource"},
		{ID: id("coal"), Name: "coal", Type: lci.Elementary, Compartment: "a provider's own list/resource/in ground"},
		{ID: id("odd"), Name: "odd", Type: lci.Elementary, Compartment: "a provider's own list"}}
	for name, c := range map[string]struct {
		x    lci.Exchange
		want float64
	}{
		"emitted":                 {emits("gas", "2 kg"), 2},
		"taken up":                {extracts("gas", "2 kg"), -2},
		"extracted":               {extracts("ore", "2 kg"), 2},
		"returned":                {emits("water", "2 m3"), -2},
		"emitted as negative":     {emits("gas", "-2 kg"), -2},
		"extracted, by its part":  {extracts("coal", "2 kg"), 2},
		"in an odd compartment":   {extracts("odd", "2 kg"), 2},
		"of an unknown side, out": {emits("plain", "2 kg"), 2},
		"of an unknown side, in":  {extracts("plain", "2 kg"), 2},
	} {
		t.Run(name, func(t *testing.T) {
			one := *s
			calculate(t, one.process("P", makes("x", "1 kg"), c.x)).isQuiet().is("P Any", c.want)
		})
	}
	t.Run("an unknown side is the more frequent one", func(t *testing.T) {
		one := *s
		one.process("P", makes("x", "1 kg"), emits("plain", "1 kg")).process("Q", makes("y", "1 kg"), emits("plain", "1 kg")).
			process("R", makes("z", "1 kg"), extracts("plain", "5 kg"))
		calculate(t, &one).is("P Any", 1).is("R Any", -5)
	})
	t.Run("in the unit of the flow", func(t *testing.T) {
		one := *s
		one.flows = append(slices.Clone(s.flows), lci.Flow{ID: id("plain"), Name: "plain", Unit: "kg"})
		one.process("P", makes("x", "1 kg"), emits("plain", "500 g"), emits("plain", "3 MJ"))
		calculate(t, &one).is("P Any", 0.5).says(ingest.UnknownUnit, "plain", "MJ", "kg")
	})
}

// Another library may describe a flow in a unit other than that of its factors.
func TestFactorsInTheirOwnUnit(t *testing.T) {
	s := new(stock).method("M", "Any gas=3 coal=2").process("P", makes("x", "1 kg"), emits("gas", "1 kg"), extracts("coal", "1 kg"))
	s.flows = []lci.Flow{{ID: id("gas"), Name: "gas", Unit: "kg"}, {ID: id("coal"), Name: "coal", Unit: "kg"}}
	s.factors[0].Unit, s.factors[1].Unit = "g", "MJ"
	calculate(t, s).is("P Any", 3000).says(ingest.UnknownUnit, "coal", "MJ", "kg")
}

func TestSuppliersWithoutAnInventory(t *testing.T) {
	s := new(stock).method("M", "GWP co2=1", "AP so2=1").process("Steel", makes("steel", "2 kg")).
		process("Car", makes("car", "1 p"), takes("steel", "10 kg"), emits("co2", "1 kg")).
		process("Fleet", makes("fleet", "1 p"), takes("car", "2 p")).
		state("Steel", "GWP", 3)
	r := calculate(t, s).is("Car GWP", 16).is("Fleet GWP", 32).is("Car AP", 0).lacks("Steel GWP").lacks("Steel AP")
	if got := r.rows["Fleet GWP"].Completeness.CutOffs; got != 0 {
		t.Errorf("cut-offs of what is stated: %d", got)
	}
	if got := r.rows["Fleet AP"].Completeness.CutOffs; got != 1 {
		t.Errorf("cut-offs of what is not: %d", got)
	}
}

func TestWhatTheProviderStatesWins(t *testing.T) {
	s := new(stock).method("M", "GWP co2=1", "AP so2=1").
		process("Steel", makes("steel", "1 kg"), emits("co2", "2 kg")).
		process("Car", makes("car", "1 p"), takes("steel", "10 kg")).
		state("Steel", "GWP", 99)
	calculate(t, s).lacks("Steel GWP").is("Steel AP", 0).is("Car GWP", 20)
	s.stated[0].Category = "something else"
	calculate(t, s).is("Steel GWP", 2)
	s.stated[0].Category = "of GWP"
	s.stated[0].Deleted = true
	calculate(t, s).lacks("Steel GWP")
}

func TestFailuresLeaveTheRest(t *testing.T) {
	rest := func() *stock {
		return new(stock).climate().process("Fine", makes("fine", "1 kg"), emits("co2", "1 kg")).
			process("Consumer of fine", makes("more", "1 kg"), takes("fine", "2 kg"))
	}
	t.Run("a process that takes all it makes", func(t *testing.T) {
		s := rest().process("Loop", makes("loop", "1 kg"), takes("loop", "1 kg"), emits("co2", "1 kg")).
			process("User", makes("use", "1 kg"), takes("loop", "1 kg")).process("User of user", makes("uu", "1 kg"), takes("use", "1 kg"))
		r := calculate(t, s).is("Fine GWP", 1).is("Consumer of fine GWP", 2).lacks("Loop GWP").lacks("User GWP").lacks("User of user GWP").
			says(ingest.Productless, "Loop", "leaves nothing", "(2 more)")
		if r.Uncalculated != 3 {
			t.Errorf("uncalculated %d", r.Uncalculated)
		}
	})
	t.Run("processes that have no solution together", func(t *testing.T) {
		s := rest().process("Hen", makes("hen", "1 p"), takes("egg", "1 p"), takes("fine", "1 kg")).
			process("Egg", makes("egg", "1 p"), takes("hen", "1 p"), emits("co2", "1 kg")).
			process("Cake", makes("cake", "1 p"), takes("egg", "3 p"))
		calculate(t, s).is("Fine GWP", 1).is("Consumer of fine GWP", 2).lacks("Hen GWP").lacks("Egg GWP").lacks("Cake GWP").
			says(ingest.Unproductive, "Hen", "Egg", "more of their own products")
	})
	t.Run("nothing that has a solution", func(t *testing.T) {
		s := new(stock).climate().process("Loop", makes("loop", "1 kg"), takes("loop", "1 kg"), emits("co2", "1 kg"))
		calculate(t, s).lacks("Loop GWP").says(ingest.Productless, "Loop")
		if r := calculate(t, new(stock).climate()).isQuiet(); len(r.rows) > 0 {
			t.Errorf("rows %v", r.names())
		}
	})
	t.Run("many such networks", func(t *testing.T) {
		s := rest()
		for i := range 200 {
			n := strconv.Itoa(i)
			s.process("Hen"+n, makes("hen"+n, "1 p"), takes("egg"+n, "1 p")).process("Egg"+n, makes("egg"+n, "1 p"), takes("hen"+n, "1 p"), emits("co2", "1 kg"))
		}
		r := calculate(t, s).is("Fine GWP", 1).lacks("Hen1 GWP").lacks("Egg2 GWP").says(ingest.Unproductive, "Hen1").says(ingest.Unproductive, "Hen199")
		if r.Uncalculated != 400 {
			t.Errorf("uncalculated %d", r.Uncalculated)
		}
	})
	t.Run("a network that takes more than it makes", func(t *testing.T) {
		s := rest().process("X", makes("x", "1 kg"), takes("y", "2 kg"), emits("co2", "1 kg")).process("Y", makes("y", "1 kg"), takes("x", "2 kg")).
			process("User", makes("use", "1 kg"), takes("x", "1 kg"))
		r := calculate(t, s).is("Fine GWP", 1).lacks("X GWP").lacks("Y GWP").lacks("User GWP").says(ingest.Unproductive, "X", "Y", "(1 more)")
		if in := r.Notes[0].In; len(in) != 3 || !slices.Contains(in, "User") {
			t.Errorf("concerns %v", in)
		}
	})
	t.Run("credits do not make such a network productive", func(t *testing.T) {
		s := rest().process("X", makes("x", "1 kg"), takes("y", "2 kg"), avoided(takes("y", "1.9 kg")), emits("co2", "1 kg")).process("Y", makes("y", "1 kg"), takes("x", "1 kg"))
		calculate(t, s).lacks("X GWP").says(ingest.Unproductive, "X", "Y")
	})
	t.Run("nor do they make another one unproductive", func(t *testing.T) {
		s := rest().process("X", makes("x", "1 kg"), avoided(takes("y", "3 kg")), emits("co2", "1 kg")).process("Y", makes("y", "1 kg"), takes("x", "0.2 kg"))
		// x = 1 - 3 y, y = 0.2 x: x = 1 / 1.6
		calculate(t, s).is("X GWP", 0.625)
	})
	t.Run("wastes that go round", func(t *testing.T) {
		s := rest().process("Burning", treats("waste", "-1 kg"), discards("ash", "0.5 kg"), emits("co2", "1 kg")).
			process("Filtering", treats("ash", "-1 kg"), discards("waste", "3 kg"))
		calculate(t, s).lacks("Burning GWP").says(ingest.Unproductive, "Burning", "Filtering")
	})
	t.Run("more of its own product than it makes", func(t *testing.T) {
		s := rest().process("X", makes("x", "1 kg"), takes("x", "3 kg"), emits("co2", "1 kg"))
		calculate(t, s).is("Fine GWP", 1).lacks("X GWP").says(ingest.Productless, "X", "leaves nothing")
	})
	t.Run("numbers too large", func(t *testing.T) {
		s := rest().process("Big", makes("big", "1e-300 kg"), emits("co2", "1e300 kg")).process("Bigger", makes("bigger", "1 kg"), takes("big", "1e300 kg"))
		r := calculate(t, s).is("Fine GWP", 1).is("Consumer of fine GWP", 2)
		if v := r.rows["Bigger GWP"].Value; math.IsInf(v, 0) || math.IsNaN(v) || v < 1e308 {
			t.Errorf("got %v", v)
		}
		r.says(ingest.Uncalculated, "too large")
	})
}

func TestAccounts(t *testing.T) {
	s := new(stock).method("M", "GWP co2=1 ch4=30", "AP so2=1").
		process("Mine", makes("ore", "1 kg"), emits("co2", "1 kg"), emits("dust", "1 kg"), takes("dynamite", "1 kg"), discards("tailings", "1 kg")).
		process("Mill", makes("steel", "1 kg"), takes("ore", "2 kg"), emits("so2", "1 kg"), emits("ch4", "1 kg")).
		process("Shop", makes("car", "1 p"), takes("steel", "1 kg"), takes("ore", "1 kg"), takes("paint", "1 kg"))
	r := calculate(t, s)
	for row, want := range map[string]lci.Completeness{
		"Mine GWP": {Coverage: 0.5, CutOffs: 2}, "Mine AP": {Coverage: 0, CutOffs: 2},
		"Mill GWP": {Coverage: 0.5, CutOffs: 2}, "Mill AP": {Coverage: 0.25, CutOffs: 2},
		"Shop GWP": {Coverage: 0.5, CutOffs: 3}, "Shop AP": {Coverage: 0.25, CutOffs: 3},
	} {
		got := *r.rows[row].Completeness
		got.Residual = 0
		if got != want {
			t.Errorf("%s: %+v, want %+v", row, got, want)
		}
	}
	if r.CutOffs != 3 || r.Uncharacterised != 1 {
		t.Errorf("%+v", r.Calculation)
	}
}

// An id must be the same whenever a row is calculated, and equal to that of a
// stated row without an id.
func TestIDsOfRows(t *testing.T) {
	s := new(stock).climate().process("P", makes("x", "1 kg"), emits("co2", "1 kg"))
	row := calculate(t, s).rows["P GWP"]
	want := lci.DerivedID("impact", id("P").String(), id("IPCC").String(), "of GWP", "GWP")
	if row.ID != want || row.ProcessID != id("P") || row.MethodID != id("IPCC") || row.Category != "of GWP" || row.Unit != "kg" {
		t.Errorf("%+v", row)
	}
}

// Rows are distinguished by method, category and indicator.
func TestIndicatorsOfOneName(t *testing.T) {
	s := new(stock).climate().process("P", makes("x", "1 kg"), emits("co2", "1 kg"))
	again := s.indicators[0]
	again.ID = id("again")
	s.indicators = append(s.indicators, again)
	r := calculate(t, s).is("P GWP", 1).says(ingest.Doubtful, "GWP", "several indicators")
	if r.Rows != 1 {
		t.Errorf("rows %d", r.Rows)
	}
}

func TestOnlySomeMethods(t *testing.T) {
	s := new(stock).method("A", "GWP co2=1").method("B", "AP co2=2").process("P", makes("x", "1 kg"), emits("co2", "1 kg"))
	calculateBy(t, &Calculator{}, s, id("B")).is("P AP", 2).lacks("P GWP")
	calculateBy(t, &Calculator{}, s).is("P AP", 2).is("P GWP", 1)
}

func TestAMethodForOtherFlowsIsTold(t *testing.T) {
	s := new(stock).climate().method("Strange", "AP other=2").process("P", makes("x", "1 kg"), emits("co2", "1 kg"))
	calculate(t, s).is("P GWP", 1).is("P AP", 0).says(ingest.Uncharacterised, "Strange", "no factor for any")
}

func TestFactorsByOtherRoutes(t *testing.T) {
	s := new(stock).climate().process("P", makes("x", "1 kg"), emits("carbon dioxide", "1 t"), emits("waste gas", "1 kg"), emits("other", "1 t"))
	s.flows = []lci.Flow{{ID: id("co2"), Name: "CO2", Compartment: "air", Unit: "kg"},
		{ID: id("carbon dioxide"), Name: "Carbon dioxide", Compartment: "air/urban", Unit: "t"}, {ID: id("unused"), Name: "Unused"}}
	s.mappings = []flowmatch.Mapping{{Source: lci.Flow{ID: id("waste gas")}, Target: lci.Flow{ID: id("co2")}, Factor: 0.5}}
	r := calculate(t, s).is("P GWP", 1000.5)
	if r.Uncharacterised != 1 {
		t.Errorf("%+v", r.Calculation)
	}
	c := r.Coverage[0]
	if c.Flows != (flowmatch.Share{All: 3, Matched: 2}) || c.Exchanges != (flowmatch.Share{All: 3, Matched: 2}) || len(c.Missing) != 1 || c.Missing[0].Flow != id("other") {
		t.Errorf("%+v", c)
	}
}
