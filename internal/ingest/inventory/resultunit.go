package inventory

import (
	"regexp"
	"strings"

	"cradle/internal/units"
)

var equivalents = regexp.MustCompile(`(?i)\beq\b|equiv|[äa]q(v|uiv)|\bCTU|\bDALY|\bPDF\b|\bPAF\b|species\W*(yr|year)|incidence`)

// IsEquivalent reports whether a text is an equivalent, as in the units of
// indicators: "kg CO2 eq", "CTUh".
func IsEquivalent(text string) bool { return equivalents.MatchString(text) }

// IsUnit reports whether a text is a unit, also of a result, and not the name of
// a quantity. It must be spelled like a unit: GWP is not a gigawatt peak.
func IsUnit(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	u, known := units.Find(first)
	return known && u.Name == first || IsEquivalent(text)
}
