package ilcd

import (
	"regexp"
	"strings"

	"cradle/internal/units"
)

// unitOf is the unit in which results are given. A quantity's dataset may say
// only what is counted, kg; who names it says of what: kg CO2 equivalents.
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
	if isUnit(of) && !strings.EqualFold(of, name) {
		return of
	}
	return unit
}

var equivalents = regexp.MustCompile(`(?i)\beq\b|equiv|[äa]q(v|uiv)|\bCTU|\bDALY|\bPDF\b|\bPAF\b|species\W*(yr|year)|incidence|\bpt\b`)

// isUnit tells a unit from the name of a quantity: it begins with a unit that is
// known, or says what is equivalent to what.
func isUnit(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	if _, known := units.Find(first); known {
		return true
	}
	return equivalents.MatchString(text)
}
