package inventory

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/units"
)

// unitPlace identifies a unit of the library.
type unitPlace struct {
	group *UnitGroup
	unit  *Unit
}

// UnitGroup adds a group of units that can be converted into each other.
func (b *Builder) UnitGroup(g UnitGroup) {
	if b.groups[g.Key] != nil {
		return
	}
	kept := &g
	b.groups[g.Key] = kept
	kept.Units = slices.DeleteFunc(slices.Clone(g.Units), func(u Unit) bool {
		isNone := !finite(u.Factor) || u.Factor <= 0
		if isNone {
			b.unread(g.Where, "the factor %v of the unit %q cannot be used for conversion", u.Factor, b.title(u.Name, g.Where))
		}
		return isNone
	})
	for i := range kept.Units {
		u := &kept.Units[i]
		u.Name = b.title(u.Name, g.Where)
		if u.Key != "" {
			b.unitKeys[u.Key] = unitPlace{kept, u}
		}
	}
	b.unitsOf[kept] = kept.index()
	b.compare(kept)
}

// compare notes units whose factor differs from the usual one. The library's own
// is still used: its numbers were made with it.
func (b *Builder) compare(g *UnitGroup) {
	ref := g.reference()
	if ref == nil {
		return
	}
	for _, u := range g.Units {
		k, ok := units.Factor(u.Name, ref.Name)
		if have := u.Factor / ref.Factor; ok && math.Abs(have/k-1) > 0.01 {
			b.Note(ingest.Doubtful, g.Where, fmt.Sprintf("the unit %q is %.6g %q in this library, but usually %.6g", u.Name, have, ref.Name, k), "the library's factor is used; if it is a mistake, correct the unit group")
		}
	}
}

func (g *UnitGroup) reference() *Unit {
	for i := range g.Units {
		if g.Units[i].Reference {
			return &g.Units[i]
		}
	}
	for i := range g.Units {
		if g.Units[i].Factor == 1 {
			return &g.Units[i]
		}
	}
	return nil
}

// index finds a group's units by key, else by name, else by synonym.
func (g *UnitGroup) index() map[string]*Unit {
	found := map[string]*Unit{}
	add := func(name string, u *Unit) {
		if _, taken := found[name]; !taken && name != "" {
			found[name] = u
		}
	}
	for i := range g.Units {
		add(g.Units[i].Key, &g.Units[i])
	}
	for i := range g.Units {
		add(g.Units[i].Name, &g.Units[i])
	}
	for i := range g.Units {
		for _, s := range g.Units[i].Synonyms {
			add(s, &g.Units[i])
		}
	}
	return found
}

// unitName is the name of a unit given by name or key.
func (b *Builder) unitName(nameOrKey string) string {
	nameOrKey = b.unitKey(nameOrKey)
	if place, ok := b.unitKeys[nameOrKey]; ok {
		return place.unit.Name
	}
	return nameOrKey
}

// unitKey returns the key of a UnitRef, or the name if the key is unknown.
func (b *Builder) unitKey(ref string) string {
	key, name, both := strings.Cut(ref, unitSeparator)
	if _, known := b.unitKeys[key]; !both || known {
		return key
	}
	return name
}

// settleUnitRefs looks every unit up, once all unit groups are known.
func (b *Builder) settleUnitRefs() {
	for i, text := range b.texts.all {
		if strings.Contains(text, unitSeparator) {
			b.texts.all[i] = b.unitKey(text)
		}
	}
}

// groupOf returns the unit group of a flow property, nil if the library has
// none.
func (b *Builder) groupOf(property string) *UnitGroup {
	if p := b.properties[property]; p != nil {
		return b.groups[p.UnitGroup]
	}
	return nil
}

// unitOf returns the reference unit of a flow property, "" if unknown.
func (b *Builder) unitOf(property string) string {
	if g := b.groupOf(property); g != nil {
		if ref := g.reference(); ref != nil {
			return ref.Name
		}
	}
	name := ""
	if p := b.properties[property]; p != nil {
		name = p.Name
	}
	return units.OfProperty(property, name)
}

// settleUnit finds a flow's reference property and unit from its own
// description.
func (b *Builder) settleUnit(f *flow) {
	for i, p := range f.Properties {
		if p.Reference || i == 0 {
			f.ref = p
		}
		if p.Reference {
			break
		}
	}
	f.unit = b.title(b.unitName(f.Unit), f.Where)
	if f.unit == "" && f.ref.Property != "" {
		f.unit = b.unitOf(f.ref.Property)
	}
}

// factor converts an amount of a flow in a unit and a property to the flow's
// reference unit.
func (b *Builder) factor(f *flow, unit, property string) (float64, bool) {
	name := b.unitName(unit)
	if property == "" || property == f.ref.Property {
		if unit == "" || name == f.unit {
			return 1, true
		}
		if k, ok := b.between(f.ref.Property, unit, f.unit); ok {
			return k, true
		}
		if property != "" {
			return 0, false
		}
		return b.byAnyProperty(f, unit)
	}
	for _, p := range f.Properties {
		if p.Property != property {
			continue
		}
		k, ok := 1.0, true
		if unit != "" {
			k, ok = b.between(p.Property, unit, b.unitOf(p.Property))
		}
		return k / p.Factor * f.refFactor() * b.unitsPerReference(f), ok
	}
	// A property that the flow does not have may measure the same: 1 m3 of water
	// in "Volume", the flow's reference being "Volume, at 20 °C".
	return b.between(f.ref.Property, unit, f.unit)
}

// byAnyProperty finds the flow's property that has the unit.
func (b *Builder) byAnyProperty(f *flow, unit string) (float64, bool) {
	for _, p := range f.Properties {
		if p.Property == f.ref.Property {
			continue
		}
		if k, ok := b.between(p.Property, unit, b.unitOf(p.Property)); ok {
			return k / p.Factor * f.refFactor() * b.unitsPerReference(f), true
		}
	}
	return 0, false
}

// unitsPerReference is not 1 if a flow's unit is not its reference property's.
func (b *Builder) unitsPerReference(f *flow) float64 {
	ref := b.unitOf(f.ref.Property)
	if ref == "" || ref == f.unit {
		return 1
	}
	k, ok := b.between(f.ref.Property, ref, f.unit)
	if !ok {
		return 1
	}
	return k
}

func (f *flow) refFactor() float64 {
	if f.ref.Factor == 0 {
		return 1
	}
	return f.ref.Factor
}

// between converts a unit of a property to another, by the library's own units
// or else by the common ones.
func (b *Builder) between(property, from, to string) (float64, bool) {
	if to == "" {
		return 0, false
	}
	group := b.groupOf(property)
	if group == nil {
		if place, ok := b.unitKeys[from]; ok {
			group = place.group
		}
	}
	if group != nil {
		u, v := b.unitsOf[group][from], b.unitsOf[group][to]
		if u != nil && v != nil {
			return u.Factor / v.Factor, true
		}
	}
	return units.Factor(b.unitName(from), to)
}
