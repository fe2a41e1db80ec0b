package ilcd

import (
	"strings"

	"cradle/internal/ingest/inventory"
	"cradle/internal/units"
)

// unitOf is the unit of results. A quantity's dataset may only have the unit,
// kg; the reference tells of what: kg CO2 equivalents.
func (a *adapter) unitOf(quantity reference) string {
	unit, name, of := a.units[quantity.id], a.names[quantity.id], strings.TrimSpace(quantity.description)
	if unit == "" {
		return of
	}
	if _, bare := units.Find(unit); !bare {
		return unit
	}
	if rest, ok := strings.CutPrefix(of, name+" "); ok && name != "" {
		return unit + " " + rest // "Mass CO2-equivalents"
	}
	if inventory.IsUnit(of) && !strings.EqualFold(of, name) {
		return of
	}
	return unit
}
