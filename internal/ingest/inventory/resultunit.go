package inventory

import (
	"regexp"
	"strings"

	"cradle/internal/units"
)

var equivalents = regexp.MustCompile(`(?i)\beq\b|equiv|[äa]q(v|uiv)|\bCTU|\bDALY|\bPDF\b|\bPAF\b|species\W*(yr|year)|incidence`)

// IsEquivalent says whether a text says what is equivalent to what, as the units
// of indicators do: "kg CO2 eq", "CTUh".
func IsEquivalent(text string) bool { return equivalents.MatchString(text) }

// IsUnit tells a unit, of a result too, from the name of a quantity. A unit is
// spelled as units are: GWP is no gigawatt peak.
func IsUnit(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	u, known := units.Find(first)
	return known && u.Name == first || IsEquivalent(text)
}
