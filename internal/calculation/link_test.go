package calculation

import (
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// Each supplier of power emits a different amount, so that the factory's score
// shows which one it was linked to.
func TestLinkingRules(t *testing.T) {
	power := func(co2 string) []lci.Exchange {
		return []lci.Exchange{makes("power", "1 kWh"), emits("co2", co2)}
	}
	factory := func(s *stock, x lci.Exchange) *stock {
		return s.process("Factory @ DE", makes("product", "1 p"), x)
	}
	const unlinked = 0
	for _, c := range []struct {
		name    string
		stock   *stock
		want    float64
		problem ingest.Class
	}{
		{"the provider that is named", factory(new(stock).climate().process("A @ DE", power("1 kg")...).process("B @ FR", power("2 kg")...),
			from("B @ FR", takes("power", "1 kWh"))), 2, ""},
		{"the provider that is named, whatever it calls its product", factory(new(stock).climate().process("A @ DE", power("1 kg")...).
			process("B @ FR", makes("electricity", "1 kWh"), emits("co2", "2 kg")), from("B @ FR", takes("power", "1 kWh"))), 2, ""},
		{"the product that is meant of a provider of several", factory(new(stock).climate().
			process("B", share(0.25, makes("heat", "1 MJ")), share(0.75, makes("power", "1 kWh")), emits("co2", "4 kg")), from("B", takes("power", "1 kWh"))), 3, ""},
		{"none of the products of a provider of several", factory(new(stock).climate().
			process("B", share(0.25, makes("heat", "1 MJ")), share(0.75, makes("steam", "1 kWh")), emits("co2", "4 kg")), from("B", takes("power", "1 kWh"))), unlinked, ingest.Ambiguous},
		{"a provider without a product", factory(new(stock).climate().process("B", emits("co2", "4 kg")), from("B", takes("power", "1 kWh"))), unlinked, ingest.Missing},
		{"a provider that is not there, and nobody else", factory(new(stock).climate(), from("B", takes("power", "1 kWh"))), unlinked, ingest.Absent},
		{"a provider that is not there, and somebody else", factory(new(stock).climate().process("A", power("1 kg")...), from("B", takes("power", "1 kWh"))), unlinked, ingest.Absent},
		{"the only maker", factory(new(stock).climate().process("A @ FR", power("1 kg")...), takes("power", "1 kWh")), 1, ""},
		{"no maker", factory(new(stock).climate().process("A @ FR", makes("heat", "1 MJ"), emits("co2", "1 kg")), takes("power", "1 kWh")), unlinked, ingest.Unlinked},
		{"the maker in the same region", factory(new(stock).climate().process("A @ DE", power("1 kg")...).process("B @ FR", power("2 kg")...).
			process("market for power @ GLO", power("3 kg")...), takes("power", "1 kWh")), 1, ""},
		{"the market in the same region", factory(new(stock).climate().process("A @ DE", power("1 kg")...).process("Market for power @ DE", power("2 kg")...).
			process("market for power @ GLO", power("3 kg")...), takes("power", "1 kWh")), 2, ""},
		{"the market", factory(new(stock).climate().process("A @ FR", power("1 kg")...).process("B @ FR", power("2 kg")...).
			process("Power {GLO}| market for | Cut-off @ GLO", power("3 kg")...), takes("power", "1 kWh")), 3, ""},
		{"the market, where several are in the same region", factory(new(stock).climate().process("A @ DE", power("1 kg")...).process("B @ DE", power("2 kg")...).
			process("market for power @ GLO", power("3 kg")...), takes("power", "1 kWh")), 3, ""},
		{"several, none of them a market", factory(new(stock).climate().process("Supermarket @ FR", power("1 kg")...).process("Marketing @ FR", power("2 kg")...),
			takes("power", "1 kWh")), unlinked, ingest.Ambiguous},
		{"two markets", factory(new(stock).climate().process("market for power @ FR", power("1 kg")...).process("market for power @ GLO", power("2 kg")...),
			takes("power", "1 kWh")), unlinked, ingest.Ambiguous},
		{"an unknown region is not the same", new(stock).climate().process("A", power("1 kg")...).process("B @ FR", power("2 kg")...).
			process("Factory", makes("product", "1 p"), takes("power", "1 kWh")), unlinked, ingest.Ambiguous},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := "Factory GWP"
			r := calculate(t, c.stock)
			if _, ok := r.rows[row]; !ok {
				row = "Factory @ DE GWP"
			}
			r.is(row, c.want)
			if c.problem == "" {
				r.isQuiet()
				return
			}
			r.says(c.problem, "power", "Factory", "cut off")
			if r.CutOffs != 1 || r.rows[row].Completeness.CutOffs != 1 {
				t.Errorf("cut-offs %d, account %+v", r.CutOffs, r.rows[row].Completeness)
			}
		})
	}
}

func TestLinkingByMaterial(t *testing.T) {
	of := func(material string, x lci.Exchange) lci.Exchange {
		x.MaterialID = id(material)
		return x
	}
	s := new(stock).climate().process("Mill", of("steel", makes("coil", "1 kg")), emits("co2", "2 kg")).
		process("Other mill", of("iron", makes("slab", "1 kg")), emits("co2", "9 kg")).
		process("Car", makes("car", "1 p"), of("steel", takes("sheet", "3 kg"))).
		process("Van", makes("van", "1 p"), of("steel", takes("slab", "3 kg"))).
		process("Bus", makes("bus", "1 p"), from("Mill", of("steel", takes("whatever", "3 kg"))))
	calculate(t, s).isQuiet().is("Car GWP", 6).is("Van GWP", 27).is("Bus GWP", 6)
}

// A market takes the same product that it supplies.
func TestAMarketDoesNotSupplyItself(t *testing.T) {
	s := new(stock).climate().process("Plant", makes("power", "1 kWh"), emits("co2", "2 kg")).
		process("market for power", makes("power", "1 kWh"), takes("power", "1.1 kWh")).
		process("User", makes("use", "1 p"), takes("power", "1 kWh"))
	calculate(t, s).isQuiet().is("market for power GWP", 2.2).is("User GWP", 2.2)
}

// Whoever sees a process could infer its suppliers from its score.
func TestNobodyIsLinkedToWhatNotAllCanSee(t *testing.T) {
	stocked := func(consumer, supplier []lci.ID) *stock {
		s := new(stock).climate().process("Secret", makes("alloy", "1 kg"), emits("co2", "2 kg")).
			process("Car", makes("car", "1 p"), takes("alloy", "1 kg")).
			process("Named", makes("named", "1 p"), from("Secret", takes("alloy", "1 kg")))
		if consumer != nil {
			s.audiences = append(s.audiences, ingest.Audience{ProcessID: id("Car"), Teams: consumer})
		}
		if supplier != nil {
			s.audiences = append(s.audiences, ingest.Audience{ProcessID: id("Secret"), Teams: supplier})
		}
		return s
	}
	a, b := id("team a"), id("team b")
	for _, c := range []struct {
		name               string
		consumer, supplier []lci.ID
		want               float64
	}{
		{"both for everybody", nil, nil, 2},
		{"the supplier restricted", nil, []lci.ID{a}, 0},
		{"the consumer restricted", []lci.ID{a}, nil, 2},
		{"both alike", []lci.ID{a}, []lci.ID{a}, 2},
		{"the supplier to more", []lci.ID{a}, []lci.ID{a, b}, 2},
		{"the supplier to fewer", []lci.ID{a, b}, []lci.ID{a}, 0},
		{"to others", []lci.ID{a}, []lci.ID{b}, 0},
		{"the supplier to nobody", []lci.ID{a}, []lci.ID{}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			// A provider that is named is always used.
			calculate(t, stocked(c.consumer, c.supplier)).is("Car GWP", c.want).is("Named GWP", 2)
		})
	}
}
