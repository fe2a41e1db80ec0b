package inventory

import (
	"strings"

	"cradle/internal/units"
)

// isGood reports whether a product is a physical good: it is measured in a unit
// of mass, volume, area, length or number, or in energy with a known mass, and
// does not have the name of a service.
func (b *Builder) isGood(f *flow) bool {
	switch f.Kind {
	case Good:
		return true
	case Product, Unknown:
	default:
		return false
	}
	return b.tangible(f) && !soundsLikeService(f)
}

func (b *Builder) tangible(f *flow) bool {
	if measuresGoods(f.unit) {
		return true
	}
	if _, energy := units.Factor(f.unit, "MJ"); !energy {
		return false
	}
	for _, p := range f.Properties {
		if _, mass := units.Factor(b.unitOf(p.Property), "kg"); mass {
			return true
		}
	}
	return false
}

func measuresGoods(unit string) bool {
	for _, of := range []string{"kg", "m3", "m2", "m", "p"} {
		if _, ok := units.Factor(unit, of); ok {
			return true
		}
	}
	return false
}

// services are words at the beginning of the name or classification of a
// service, or whole words in it.
var services = []string{
	"transport", "transportation", "freight", "electricity", "heat", "steam", "treatment", "waste treatment", "disposal", "landfill", "landfilling", "incineration",
	"recycling", "sorting", "service", "services", "operation", "use of", "processing", "maintenance", "storage", "drying", "milling", "machining", "extrusion",
	"injection moulding", "injection molding", "blow moulding", "thermoforming", "calendering", "welding", "coating", "rolling", "drawing", "casting", "forging",
	"irrigation", "tillage", "harvest", "harvesting", "sowing", "planting", "fertilising", "fertilizing", "mowing", "baling", "swath", "loading", "chopping",
	"solid manure loading", "compressing", "cooling", "lighting", "repair", "rent", "insurance", "land reclamation", "overburden removal",
}

// doing are words that occur, anywhere, only in the name of a service.
var doing = []string{" combusted", " combustion", " operation", ", for disposal", "; for disposal", " to landfill", " to sanitary landfill", " to incinerat", " incineration"}

func soundsLikeService(f *flow) bool {
	name := strings.ToLower(strings.TrimPrefix(f.Name, "CUTOFF "))
	for _, s := range services {
		if rest, ok := strings.CutPrefix(name, s); ok && (rest == "" || strings.ContainsRune(" ,;:/(-", rune(rest[0]))) {
			return true
		}
	}
	for _, d := range doing {
		if strings.Contains(name, d) {
			return true
		}
	}
	for _, c := range f.Classification {
		switch c = strings.ToLower(c); {
		case strings.Contains(c, "transport") && !strings.Contains(c, "equipment"), strings.Contains(c, "service"), strings.Contains(c, "waste management"), c == "processing":
			return true
		}
	}
	return false
}
