package materials

import (
	"cmp"
	"regexp"
	"slices"

	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
)

// Tables and documents with names and numbers may be anything: factors, bills of
// materials, results. They are materials if a number is a property: by its name,
// or by a unit that properties have.
var (
	propertyName = regexp.MustCompile(`(?i)densit|specific (gravity|weight|volume)|modul|strength|stress|strain|hardness|toughness|fatigue|creep|elongation|ductil|elastic|poisson|yield (point|str)` +
		`|melt|boil|freez|flash ?point|glass transition|temperature|thermal|heat|conductiv|resistiv|permittiv|dielectric|permeab|expansion|viscos|porosit|emissiv|reflect|refractive|absor` +
		`|atomic (mass|weight|number|radius)|mol(ar|ecular) (mass|weight|volume|heat)|electronegativ|ionization|calorific|moisture|water content|ash content|carbon content|recycled content|solubil|corrosion`)
	propertyUnit = regexp.MustCompile(`^(%|°[CF]|K|[kMG]?Pa|bar|psi|ksi|Msi|N/mm|HV|HB|HRC|HRB|W/|k?J/|MJ/|S/|MS/|[µun]?[oΩ]|g/|k?g/[mlLcd]|lb/|N/|1/|10-|1e-|µm/|mm2?/|m2?/s|V/|kV/)`)
	otherName    = regexp.MustCompile(`(?i)emission|footprint|impact|potential|toxic|\bGWP|factor|amount|quantit|consum|demand|\binput|\boutput|price|cost`)
)

// ofOtherTables are headings that tables of materials do not have.
var ofOtherTables = []string{
	"context", "compartment", "sub-compartment", "subcompartment", "emission compartment", "flowable", "flow", "flow name", "flow uuid", "elementary flow",
	"indicator", "impact category", "method", "lcia method", "characterization factor", "characterisation factor", "cf",
	"activity", "process", "exchange", "exchanges", "reference product", "database",
}

func isProperty(name, unit string) bool {
	if otherName.MatchString(name) || inventory.IsEquivalent(name) || inventory.IsEquivalent(unit) {
		return false
	}
	return propertyName.MatchString(spelled(name)) || propertyUnit.MatchString(unit)
}

// isSure reports whether the columns of a table are properties. given are the
// units found in cells.
func (l *layout) isSure(header sheet.Row, given map[int]string) bool {
	for i := range header.Cells {
		if slices.Contains(ofOtherTables, heading(header.Cell(i))) {
			return false
		}
	}
	if l.long != nil {
		return slices.Contains([]string{"property", "property name", "characteristic"}, heading(header.Cell(l.long.property)))
	}
	return slices.ContainsFunc(l.columns, func(c column) bool {
		return c.numeric && (isProperty(c.name, c.unit) || isProperty(c.name, given[c.at]))
	})
}

// isSureMaterial reports whether an object has a property.
func isSureMaterial(n *node) bool {
	return slices.ContainsFunc(n.fields, func(f field) bool {
		name, unit := splitHeading(words(spelled(f.name)))
		m, ok := n.numberOf(f)
		return ok && isProperty(name, cmp.Or(m.unit, unit))
	})
}

// numberOf reads a field that is a number, or a text with a number and its unit.
func (n *node) numberOf(f field) (measure, bool) {
	if m, ok := f.measured(); ok {
		return m, true
	}
	if v, ok := f.number(); ok {
		return measure{v, singleUnit(n.string(f.name+"_unit", f.name+"_units", f.name+" unit", f.name+" units"))}, true
	}
	m, ok := readMeasure(f.text)
	return m, ok && m.unit != "" && f.scalar() && !says(f.name)
}
