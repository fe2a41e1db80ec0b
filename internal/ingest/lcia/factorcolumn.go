package lcia

import (
	"regexp"
	"strings"

	"cradle/internal/ingest/inventory"
	"cradle/internal/units"
)

// A factorColumn holds the factors of one indicator, told by its headings:
// "Global warming" over "kg CO2 eq/kg" over "Hierarchist".
type factorColumn struct {
	at          int
	heading     string // all of it
	category    string // where there is more than one part
	name        string // "" where the headings say only that these are factors
	unit        string
	per         string // the flow's unit
	perspective string // a cultural perspective, which makes another method
	medium      string
}

func factorColumns(h *header, numeric []int, isFactor func(int) bool) []factorColumn {
	var list []factorColumn
	for _, i := range numeric {
		if parts := h.parts(i, isFactor); len(parts) > 0 {
			list = append(list, newFactorColumn(i, parts))
		}
	}
	return list
}

var (
	bracketed   = regexp.MustCompile(`^(.*?)\s*([\[(])([^\])]*)[\])]$`)
	perspective = regexp.MustCompile(`(?i)^(individualist|hierarchist|egalitarian)\b`)
)

func newFactorColumn(at int, parts []string) factorColumn {
	c := factorColumn{at: at, heading: strings.Join(parts, " ")}
	c.medium = mediumOf(c.heading)
	var names []string
	for n, part := range parts {
		switch who := perspective.FindString(part); {
		case who != "":
			c.perspective = strings.ToUpper(who[:1]) + strings.ToLower(who[1:])
		case isUnitHeading(part) && (n > 0 || len(parts) > 1 || inventory.IsEquivalent(part)):
			c.setUnit(part)
		default:
			if m := bracketed.FindStringSubmatch(part); m != nil && m[1] != "" && (m[2] == "[" || inventory.IsUnit(m[3])) {
				part = m[1]
				c.setUnit(m[3])
			}
			if roleOf(part) != factor {
				names = append(names, part)
			}
		}
	}
	c.name = strings.Join(names, ", ")
	if len(names) > 1 {
		c.category = names[0]
	}
	return c
}

// isUnitHeading says whether a heading is nothing but a unit.
func isUnitHeading(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	u, known := units.Find(first)
	return known && u.Name == first || unitWord.MatchString(text)
}

var unitWord = regexp.MustCompile(`^(CTU|DALY|PDF|PAF|species|disease incidence|[Uu]nits?:)`)

// setUnit takes "kg SO2 eq / kg substance" apart.
func (c *factorColumn) setUnit(text string) {
	unit, per, _ := strings.Cut(text, "/")
	c.unit = strings.TrimSpace(unit)
	first, _, _ := strings.Cut(strings.TrimSpace(per), " ")
	if u, known := units.Find(first); known && u.Name == first {
		c.per = first
	}
}

var (
	namedMedium = regexp.MustCompile(`(?i)\b(air|water|soil)\b`)
	usedWater   = regexp.MustCompile(`(?i)\bwater (use|consumption|scarcity|depletion|deprivation)\b`)
	airborne    = regexp.MustCompile(`(?i)^(GWP|GTP|AGWP|AGTP|ODP|POCP)|\bglobal warming\b|\bclimate change\b|\bozone\b`)
)

// mediumOf is the compartment that the heading of a column of factors names, or
// means: "Acidification Air (kg SO2 eq / kg)", "GWP100".
func mediumOf(heading string) string {
	if usedWater.MatchString(heading) {
		return ""
	}
	if m := namedMedium.FindString(heading); m != "" {
		return strings.ToLower(m)
	}
	if airborne.MatchString(heading) {
		return "air"
	}
	return ""
}
