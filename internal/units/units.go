// Package units knows the units of measurement of the field, under the names
// that openLCA, ecoinvent, SimaPro, ILCD and Brightway give them, and converts
// between units of the same quantity. Factors are those of the SI and of NIST SP
// 811; a year has 365 days. Money is never converted: its worth depends on the
// year and the place.
package units

import (
	"strings"
	"sync"
)

// A Unit is a unit of measurement, as a multiple of the coherent unit.
type Unit struct {
	Name   string // its canonical name
	Factor float64
	dim    dimension
}

// Same reports whether two units measure the same quantity, so that amounts can
// be converted.
func (u Unit) Same(other Unit) bool { return u.dim == other.dim }

// Factor returns the factor from one unit to another, or false if a unit is
// unknown or they do not measure the same quantity.
func Factor(from, to string) (float64, bool) {
	if from = strings.TrimSpace(from); from == strings.TrimSpace(to) {
		return 1, true
	}
	a, ok := Find(from)
	if !ok {
		return 0, false
	}
	b, ok := Find(to)
	if !ok || !a.Same(b) {
		return 0, false
	}
	if a.Factor == b.Factor {
		return 1, true
	}
	return a.Factor / b.Factor, true
}

// IsMoney reports whether a unit is a currency, with or without its year.
func IsMoney(name string) bool {
	code := strings.TrimRight(strings.TrimSpace(name), "0123456789")
	code = strings.TrimRight(code, " -_")
	for _, million := range []string{"M", "k"} { // millions and thousands of dollars
		if rest := strings.TrimPrefix(code, million); rest == "$" || rest == "€" || rest == "USD" || rest == "EUR" {
			return true
		}
	}
	return strings.Contains(currencies, " "+strings.ToUpper(code)+" ") && code != ""
}

// Find looks a unit up by any of its names.
func Find(name string) (Unit, bool) {
	name = strings.TrimSpace(name)
	if len(name) > maxName {
		return Unit{}, false
	}
	known := table()
	if u, ok := known.find(name); ok {
		return u, true
	}
	if u, ok := known.expression(name); ok {
		return u, true
	}
	return Unit{}, false
}

// maxName is longer than any unit's name; longer texts are not parsed.
const maxName = 80

type names struct {
	exact  map[string]Unit // as spelled, without signs and spaces
	folded map[string]Unit // in lower case, if that is unambiguous
}

var table = sync.OnceValue(build)

func (n *names) find(name string) (Unit, bool) {
	if name == "" {
		return Unit{}, false
	}
	key := squeeze(name)
	if u, ok := n.exact[key]; ok {
		return u, true
	}
	u, ok := n.folded[strings.ToLower(key)]
	return u, ok && u.Name != ""
}

// add names a unit. The first unit to take a name keeps it.
func (n *names) add(u Unit, name string) {
	key := squeeze(name)
	if _, taken := n.exact[key]; taken || key == "" {
		return
	}
	n.exact[key] = u
	low := strings.ToLower(key)
	if other, taken := n.folded[low]; taken && (other.dim != u.dim || other.Factor != u.Factor) {
		n.folded[low] = Unit{} // MJ or mJ: only the exact spelling distinguishes them
		return
	}
	n.folded[low] = u
}

var squeezer = strings.NewReplacer(
	" ", "", "\u00a0", "", "*", "", "·", "", "⋅", "", "×", "", ".", "", "_", "", "-", "", "^", "",
	"²", "2", "³", "3", "µ", "u", "μ", "u", "(", "", ")", "", "[", "", "]", "", "metre", "meter", "litre", "liter", "gramme", "gram",
)

// squeeze removes from a name what people spell differently.
func squeeze(name string) string { return squeezer.Replace(name) }

// expression parses products and quotients of units: "t*km", "square
// meter-year", "kg/m3".
func (n *names) expression(name string) (Unit, bool) {
	above, below, divided := strings.Cut(name, "/")
	u, ok := n.product(above)
	if above == "1" && divided {
		u, ok = Unit{Factor: 1}, true
	}
	if !ok || !divided {
		return u, ok
	}
	v, ok := n.product(strings.Trim(below, "()"))
	if !ok {
		return Unit{}, false
	}
	return Unit{Name: u.Name + "/" + v.Name, Factor: u.Factor / v.Factor, dim: u.dim.minus(v.dim)}, true
}

// product parses units written side by side. The longest name comes first: a
// short ton mile begins with a short ton.
func (n *names) product(name string) (Unit, bool) {
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" \u00a0*·⋅×-.", r) })
	if len(words) == 0 || len(words) > 6 {
		return Unit{}, false
	}
	return n.times(words)
}

func (n *names) times(words []string) (Unit, bool) {
	for i := len(words); i > 0; i-- {
		u, ok := n.find(strings.Join(words[:i], " "))
		if !ok {
			continue
		}
		if i == len(words) {
			return u, true
		}
		if v, ok := n.times(words[i:]); ok {
			return Unit{Name: u.Name + "*" + v.Name, Factor: u.Factor * v.Factor, dim: u.dim.plus(v.dim)}, true
		}
	}
	return Unit{}, false
}
