package ilcd

import (
	"strings"

	"cradle/internal/ingest/inventory"
)

// date is when the dataset was last revised, else entered, else its year.
func (p *process) date() string { return inventory.First(p.revised, p.entered, p.year) }

// described parses a method's description of a flow, as in the Environmental
// Footprint: "methane (biogenic) (Mass, kg, Emissions to air, unspecified)".
func described(text string) inventory.Flow {
	f := inventory.Flow{Name: text}
	if !strings.HasSuffix(text, ")") {
		return f
	}
	at := opening(text)
	if at < 0 {
		return f
	}
	parts := strings.SplitN(text[at+1:len(text)-1], ",", 3)
	if len(parts) < 3 {
		return f
	}
	path := compartment(strings.TrimSpace(parts[2]))
	if path == nil {
		return f
	}
	return inventory.Flow{Name: strings.TrimSpace(text[:at]), Kind: inventory.Elementary, Unit: strings.TrimSpace(parts[1]), Compartment: path}
}

// opening is the index of the bracket that closes at the end.
func opening(text string) int {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// compartment puts the enclosing categories before the finest category of an
// elementary flow.
func compartment(finest string) []string {
	low := strings.ToLower(finest)
	for _, c := range []struct{ word, top, middle string }{
		{"air", "Emissions", "Emissions to air"}, {"water", "Emissions", "Emissions to water"}, {"soil", "Emissions", "Emissions to soil"},
	} {
		if strings.HasPrefix(low, "emissions to ") && strings.Contains(low, c.word) {
			return []string{c.top, c.middle, finest}
		}
	}
	for _, medium := range []string{"ground", "water", "air", "biosphere"} {
		if strings.Contains(low, "resources from "+medium) {
			return []string{"Resources", "Resources from " + medium, finest}
		}
	}
	if strings.HasPrefix(low, "land ") {
		return []string{"Land use", finest}
	}
	return nil
}
