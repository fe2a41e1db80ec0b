package lcia

import (
	"regexp"
	"slices"
	"strings"

	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/units"
)

// A factorColumn holds the factors of one indicator, identified by its headings:
// "Global warming" over "kg CO2 eq/kg" over "Hierarchist".
type factorColumn struct {
	at          int
	heading     string // all of it
	category    string // if there is more than one part
	name        string // "" if the headings only tell that these are factors
	unit        string
	per         string // the flow's unit
	perspective string // a cultural perspective, which is a separate method
	medium      string
}

// perspectives are the cultural perspectives, which treat uncertainty
// differently.
var perspectives = []struct{ name, letter, begins string }{{"Individualist", "I", "individual"}, {"Hierarchist", "H", "hierarch"}, {"Egalitarian", "E", "egalitar"}}

const allPerspectives = "all perspectives"

// perspectiveOf parses "Individualist (20 years)", or "I" if letters stand for
// perspectives.
func perspectiveOf(part string, letters bool) string {
	low := strings.ToLower(part)
	if low == allPerspectives {
		return low
	}
	for _, p := range perspectives {
		if strings.HasPrefix(low, p.begins) || letters && part == p.letter {
			return p.name
		}
	}
	return ""
}

func factorColumns(h *header, numeric []int, isFactor func(int) bool) []factorColumn {
	var list []factorColumn
	letters := h.hasLetters()
	for _, i := range numeric {
		parts := h.parts(i, isFactor)
		if len(parts) == 0 {
			continue
		}
		c := newFactorColumn(i, parts, letters)
		if c.perspective != allPerspectives {
			list = append(list, c)
			continue
		}
		for _, p := range perspectives {
			c.perspective = p.name
			list = append(list, c)
		}
	}
	return list
}

// hasLetters reports whether a row of headings has each perspective's letter.
func (h *header) hasLetters() bool {
	return slices.ContainsFunc(h.rows, func(row sheet.Row) bool {
		for _, p := range perspectives {
			if !slices.Contains(row.Cells, p.letter) {
				return false
			}
		}
		return true
	})
}

var bracketed = regexp.MustCompile(`^(.*?)\s*([\[(])([^\])]*)[\])]$`)

func newFactorColumn(at int, parts []string, letters bool) factorColumn {
	c := factorColumn{at: at, heading: strings.Join(parts, " ")}
	c.medium = mediumOf(c.heading)
	var names []string
	for n, part := range parts {
		if whole := bracketed.FindStringSubmatch(part); whole != nil && whole[1] == "" {
			part = whole[3]
		}
		switch who := perspectiveOf(part, letters); {
		case who != "":
			c.perspective = who
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

// isUnitHeading reports whether a heading is only a unit.
func isUnitHeading(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	u, known := units.Find(first)
	return known && u.Name == first || unitWord.MatchString(text)
}

var unitWord = regexp.MustCompile(`^(CTU|DALY|PDF|PAF|species|disease incidence|[Uu]nits?:)`)

// setUnit splits "kg SO2 eq / kg substance".
func (c *factorColumn) setUnit(text string) {
	c.unit, c.per = splitUnit(text)
}

func splitUnit(text string) (unit, per string) {
	unit, below, _ := strings.Cut(text, "/")
	first, _, _ := strings.Cut(strings.TrimSpace(below), " ")
	if u, known := units.Find(first); known && u.Name == first {
		per = first
	}
	return strings.TrimSpace(unit), per
}

var (
	namedMedium = regexp.MustCompile(`(?i)\b(air|water|soil)\b`)
	usedWater   = regexp.MustCompile(`(?i)\bwater (use|consumption|scarcity|depletion|deprivation)\b`)
	airborne    = regexp.MustCompile(`(?i)^(GWP|GTP|AGWP|AGTP|ODP|POCP)|\bglobal warming\b|\bclimate change\b|\bozone\b`)
)

// mediumOf is the compartment that the heading of a factor column names or
// implies: "Acidification Air (kg SO2 eq / kg)", "GWP100".
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
