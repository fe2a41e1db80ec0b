package materials

import (
	"regexp"
	"strings"

	"cradle/internal/ingest/sheet"
)

// A measure is a number with its unit as given.
type measure struct {
	value float64
	unit  string
}

// numberUnit recognises "7850 kg/m3" and "7.85e3".
var numberUnit = regexp.MustCompile(`^([-+]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?)\s*(.{0,40})$`)

// readMeasure parses a number with an optional unit.
func readMeasure(text string) (measure, bool) {
	text = strings.TrimSpace(text)
	if text == "" || !strings.ContainsAny(text[:1], "0123456789+-.,") {
		return measure{}, false
	}
	m := numberUnit.FindStringSubmatch(text)
	if m == nil {
		return measure{}, false
	}
	unit := plainText(m[2])
	if unit != "" && strings.ContainsAny(unit[:1], "0123456789.,:;-+/x)") {
		return measure{}, false // a date, a range, a ratio, a version
	}
	if strings.Count(unit, " ") > 3 {
		return measure{}, false // a sentence that begins with a number
	}
	v, ok := sheet.Number(m[1])
	return measure{v, unit}, ok
}

var markup = regexp.MustCompile(`<[^<>]{0,200}>`)

// plainText removes the markup that some sources write into texts.
func plainText(text string) string {
	text = strings.NewReplacer("<sup>", "^", "<sub>", "").Replace(text)
	text = markup.ReplaceAllString(text, "")
	text = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&nbsp;", " ").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

var (
	valueNames = []string{"val", "value", "default_value", "magnitude", "nominal", "nominal_value", "typical"}
	unitNames  = []string{"unit", "units", "uom", "unit_text"}
)

// measured reads an object that is one number with its unit: {"unit": …, "val": …}.
func (n *node) measured() (measure, bool) {
	if n == nil || !n.object {
		return measure{}, false
	}
	value := n.get(valueNames...)
	if value == nil || !value.scalar() {
		return measure{}, false
	}
	m, ok := readMeasure(value.text)
	if unit := n.get(unitNames...); unit != nil {
		m.unit = unitText(unit)
	}
	return m, ok
}

// unitText formats a unit: a text, or the parts of a fraction.
func unitText(n *node) string {
	if n.object {
		above, below := unitProduct(n.get("numerator")), unitProduct(n.get("denominator"))
		switch {
		case below == "":
			return above
		case above == "":
			return "1/" + below
		case strings.Contains(below, "*"):
			return above + "/(" + below + ")"
		}
		return above + "/" + below
	}
	if n.list {
		return unitProduct(n)
	}
	return singleUnit(n.text)
}

func unitProduct(n *node) string {
	if n == nil {
		return ""
	}
	if n.scalar() {
		return singleUnit(n.text)
	}
	var parts []string
	for _, item := range n.items {
		if u := singleUnit(item.text); u != "" {
			parts = append(parts, u)
		}
	}
	return strings.Join(parts, "*")
}

// longUnits maps spelled-out units to their symbols.
var longUnits = map[string]string{
	"pound": "lb", "pounds": "lb", "inches_cubed": "in3", "inches_squared": "in2", "inch": "in", "inches": "in", "feet": "ft", "foot": "ft",
	"degrees_fahrenheit": "°F", "degrees_celsius": "°C", "kelvin": "K", "kelvin'": "K", "dimensionless": "1", "percent": "%", "meter": "m", "kilogram": "kg",
	"newton": "N", "pascal": "Pa", "second": "s", "watt": "W", "joule": "J", "ohm": "ohm",
}

func singleUnit(text string) string {
	text = plainText(text)
	if short, ok := longUnits[strings.ToLower(text)]; ok {
		return short
	}
	return text
}

var bracketUnit = regexp.MustCompile(`^(.+?)\s*[\[(]([^\[\]()]*(?:\([^()]*\))?[^\[\]()]*)[\])]$`)

// splitHeading splits a heading into name and unit: "Density (kg/m3)", "Density
// [g/cm3]", "Density, kg/m3".
func splitHeading(heading string) (name, unit string) {
	if m := bracketUnit.FindStringSubmatch(heading); m != nil {
		return strings.TrimSpace(m[1]), strings.TrimSpace(m[2])
	}
	return heading, ""
}
