package calculation

import (
	"testing"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// gas is an elementary flow with a name that other flows could have.
func gas(key, name, compartment string) lci.Flow {
	return lci.Flow{ID: id(key), Name: name, Type: lci.Elementary, Compartment: compartment, Unit: "kg"}
}

// of assigns the processes added last to a library.
func (s *stock) of(library string, processes int) *stock {
	for i := range processes {
		s.origins = append(s.origins, ingest.Origin{Record: s.processes[len(s.processes)-1-i].ID, Library: id(library)})
	}
	return s
}

// A method that has a flow without a factor means none: if it uses the library's
// own flows, a similar name must not add one.
func TestOneNomenclature(t *testing.T) {
	method := func() *stock {
		s := new(stock).method("Cancer", "Score water=10 lead=5 zinc=1")
		s.flows = []lci.Flow{gas("water", "Chromium VI", "water"), gas("lead", "Lead", "water"), gas("zinc", "Zinc", "water"),
			gas("ground", "Chromium VI", "water/ground"), gas("other lead", "Lead", "water"), gas("other chromium", "Chromium VI", "water/ground")}
		return s
	}
	bus := func(s *stock, key string, flows ...string) *stock {
		exchanges := []lci.Exchange{makes(key, "1 p")}
		for _, f := range flows {
			exchanges = append(exchanges, emits(f, "1 kg"))
		}
		return s.process(key, exchanges...).of(key, 1)
	}
	t.Run("shared: the id counts and nothing else", func(t *testing.T) {
		calculate(t, bus(method(), "Bus", "lead", "zinc", "ground")).is("Bus Score", 6)
	})
	t.Run("not shared: names and coarser compartments count", func(t *testing.T) {
		calculate(t, bus(method(), "Bus", "other lead", "other chromium")).is("Bus Score", 15)
	})
	t.Run("as many by name as by id is not most", func(t *testing.T) {
		calculate(t, bus(method(), "Bus", "lead", "ground")).is("Bus Score", 15)
	})
	t.Run("likeness among the library's own flows is no reason to guess", func(t *testing.T) {
		s := bus(method(), "Bus", "lead", "urban lead", "rural lead", "harbour lead")
		for _, place := range []string{"urban", "rural", "harbour"} {
			s.flows = append(s.flows, gas(place+" lead", "Lead", "water/"+place))
		}
		calculate(t, s).is("Bus Score", 5)
	})
	t.Run("each library decides for itself", func(t *testing.T) {
		s := bus(bus(method(), "Bus", "lead", "zinc", "ground"), "Tram", "other lead", "ground")
		calculate(t, s).is("Bus Score", 6).is("Tram Score", 15)
	})
	t.Run("a pack with inventory and method is one nomenclature", func(t *testing.T) {
		s := bus(method(), "Bus", "other lead", "ground")
		s.origins = append(s.origins, ingest.Origin{Record: s.methods[0].ID, Library: id("Bus")})
		calculate(t, s).is("Bus Score", 0)
	})
	t.Run("a pack that brings the method too stays one with it", func(t *testing.T) {
		s := bus(bus(method(), "Bus", "other lead", "ground"), "Tram", "other lead", "ground")
		for _, library := range []string{"Bus", "Tram"} {
			s.origins = append(s.origins, ingest.Origin{Record: s.methods[0].ID, Library: id(library)})
		}
		calculate(t, s).is("Bus Score", 0).is("Tram Score", 0)
	})
	t.Run("what two libraries bring is certain where one of them is", func(t *testing.T) {
		s := bus(bus(bus(method(), "Bus", "lead", "zinc"), "Tram", "other lead"), "Both", "ground")
		s.origins = append(s.origins[:len(s.origins)-1], ingest.Origin{Record: id("Both"), Library: id("Bus")}, ingest.Origin{Record: id("Both"), Library: id("Tram")})
		calculate(t, s).is("Both Score", 0).is("Bus Score", 6).is("Tram Score", 5)
	})
	t.Run("a mapping counts all the same", func(t *testing.T) {
		s := bus(method(), "Bus", "lead", "zinc", "ground")
		s.mappings = []flowmatch.Mapping{{Source: lci.Flow{ID: id("ground")}, Target: lci.Flow{ID: id("water")}, Factor: 0.5}}
		calculate(t, s).is("Bus Score", 11)
	})
}

// Each of these signs is easy to get wrong.
func TestSigns(t *testing.T) {
	base := func() *stock {
		s := new(stock).method("M", "Score gas=1 ore=1")
		s.flows = []lci.Flow{gas("gas", "gas", "air"), gas("ore", "ore", "resource/in ground")}
		return s.process("Coal", makes("coal", "1 kg"), emits("gas", "3 kg")).
			process("Burning", treats("waste", "-1 kg"), emits("gas", "2 kg")).
			process("Landfill", treats("rubble", "1 kg"), emits("gas", "2 kg"))
	}
	for name, c := range map[string]struct {
		exchanges []lci.Exchange
		want      float64
	}{
		"a waste output goes to treatment":               {[]lci.Exchange{discards("waste", "2 kg")}, 4},
		"a negative waste output takes waste away":       {[]lci.Exchange{discards("waste", "-2 kg")}, -4},
		"a negative output of a treated service":         {[]lci.Exchange{discards("rubble", "-2 kg")}, -4},
		"a negative input of a waste goes to treatment":  {[]lci.Exchange{takes("waste", "-2 kg")}, 4},
		"an input is charged":                            {[]lci.Exchange{takes("coal", "2 kg")}, 6},
		"a negative input is a credit":                   {[]lci.Exchange{takes("coal", "-2 kg")}, -6},
		"an avoided product is a credit":                 {[]lci.Exchange{avoided(takes("coal", "2 kg"))}, -6},
		"a negative avoided product is charged":          {[]lci.Exchange{avoided(takes("coal", "-2 kg"))}, 6},
		"an emission is charged":                         {[]lci.Exchange{emits("gas", "2 kg")}, 2},
		"a negative emission is a credit":                {[]lci.Exchange{emits("gas", "-2 kg")}, -2},
		"an emission that is taken up is a credit":       {[]lci.Exchange{extracts("gas", "2 kg")}, -2},
		"a resource that is taken is charged":            {[]lci.Exchange{extracts("ore", "2 kg")}, 2},
		"a resource that is given back is a credit":      {[]lci.Exchange{emits("ore", "2 kg")}, -2},
		"inputs and outputs of an emission are netted":   {[]lci.Exchange{emits("gas", "5 kg"), extracts("gas", "2 kg")}, 3},
		"inputs and outputs of a resource are netted":    {[]lci.Exchange{extracts("ore", "5 kg"), emits("ore", "2 kg")}, 3},
		"waste that is given off and taken back":         {[]lci.Exchange{discards("waste", "5 kg"), discards("waste", "-2 kg")}, 6},
		"a product that is bought and partly given back": {[]lci.Exchange{takes("coal", "5 kg"), takes("coal", "-2 kg")}, 9},
	} {
		t.Run(name, func(t *testing.T) {
			s := base()
			calculate(t, s.process("P", append([]lci.Exchange{makes("p", "1 p")}, c.exchanges...)...)).is("P Score", c.want)
		})
	}
}
