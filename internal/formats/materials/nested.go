package materials

import (
	"fmt"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// A walk traverses a document of unknown layout: each object with numbers is a
// material, named by a field or by the keys that lead to it.
type walk struct {
	*collector
	file    string
	met     map[*node]bool
	repeats int
}

// Fields that describe a material but are not properties.
var (
	nameFields   = []string{"name", "material", "material_name", "title", "label", "designation", "grade"}
	sourceFields = []string{"source", "reference", "references", "url", "citation", "link"}
	classFields  = []string{"category", "class", "type", "family", "group", "subcategory"}
)

func (w *walk) node(n *node, path []string, depth int) error {
	if w.met[n] {
		return nil // an alias of what was read
	}
	if err := w.step(n, depth); err != nil {
		return err
	}
	if n.list {
		for i, item := range n.items {
			if item.object || item.list {
				if err := w.node(item, append(path[:len(path):len(path)], fmt.Sprint(i+1)), depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if w.isMaterial(n) {
		return w.material(n, path, depth)
	}
	for _, f := range n.fields {
		if f.object || f.list {
			if err := w.node(f.node, append(path[:len(path):len(path)], f.name), depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walk) step(n *node, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%s:%d: %w", w.file, n.line, errDeep)
	}
	if !w.met[n] {
		w.met[n] = true
		return nil
	}
	if w.repeats++; w.repeats > maxRepeats {
		return fmt.Errorf("%s:%d: %w", w.file, n.line, errLarge)
	}
	return nil
}

// isMaterial reports whether an object has a number, or a name and a text with a
// number and its unit.
func (w *walk) isMaterial(n *node) bool {
	for _, f := range n.fields {
		if _, ok := f.node.measured(); ok {
			return true
		}
		if _, ok := f.node.number(); ok {
			return true
		}
		if m, ok := readMeasure(f.text); ok && m.unit != "" && f.scalar() && n.string(nameFields...) != "" && !says(f.name) {
			return true
		}
	}
	return false
}

// says reports whether a field describes a material and is not a property.
func says(name string) bool {
	return contains(nameFields, name) || contains(sourceFields, name) || contains(classFields, name)
}

func (w *walk) material(n *node, path []string, depth int) error {
	at := inventory.Where{File: w.file, Line: n.line, Record: strings.Join(path, ".")}
	d := newDraft(w.nameOf(n, path), at)
	d.Source, d.Organization = n.string(sourceFields...), n.string("organization", "manufacturer", "supplier", "producer")
	d.Classification = w.classOf(n, path)
	for _, f := range n.fields {
		if err := w.property(d, n, f, "", depth+1); err != nil {
			return err
		}
	}
	w.put(d)
	return nil
}

// nameOf is the material's name, else the keys that lead to it. It ignores a key
// "Default", and names the top level after its file.
func (w *walk) nameOf(n *node, path []string) string {
	if name := n.string(nameFields...); name != "" {
		return name
	}
	var parts []string
	for _, p := range path {
		if !strings.EqualFold(p, "default") {
			parts = append(parts, words(p))
		}
	}
	if len(parts) == 0 {
		return words(stem(w.file))
	}
	return strings.Join(parts, " ") + " (" + words(stem(w.file)) + ")"
}

func (w *walk) classOf(n *node, path []string) []string {
	class := []string{}
	for _, name := range classFields {
		if c := n.string(name); c != "" {
			class = append(class, c)
		}
	}
	if len(class) == 0 {
		class = append(class, words(stem(w.file)))
		if len(path) > 1 {
			class = append(class, words(path[0]))
		}
	}
	return class
}

// property reads one field of a material; before is the name of the enclosing
// object.
func (w *walk) property(d *draft, in *node, f field, before string, depth int) error {
	if err := w.step(f.node, depth); err != nil {
		return err
	}
	at := inventory.Where{File: w.file, Line: f.line, Record: d.Name}
	name, unit := splitHeading(words(before + " " + spelled(f.name)))
	if m, ok := f.measured(); ok {
		p := inventory.Property{Name: name, Value: m.value, Unit: m.unit, Where: at,
			Description: f.string("description", "comment", "note", "condition", "conditions"), Source: f.string(sourceFields...)}
		d.add(p)
		w.leftOver(f.node, at)
		return nil
	}
	switch {
	case f.object:
		for _, inner := range f.fields {
			if err := w.property(d, f.node, inner, words(before+" "+f.name), depth+1); err != nil {
				return err
			}
		}
	case f.list:
		return w.list(d, name, unit, f.node, at, depth)
	default:
		w.scalar(d, in, f, name, unit, at)
	}
	return nil
}

// list adds a property for each number.
func (w *walk) list(d *draft, name, unit string, n *node, at inventory.Where, depth int) error {
	for i, item := range n.items {
		if err := w.step(item, depth); err != nil {
			return err
		}
		if v, ok := item.number(); ok {
			d.add(inventory.Property{Name: fmt.Sprintf("%s %d", name, i+1), Value: v, Unit: unit, Where: at})
		} else if item.object || item.list {
			if err := w.property(d, n, field{fmt.Sprint(i + 1), item}, name, depth+1); err != nil {
				return err
			}
		} else if item.text != "" {
			w.to.Drop("texts of materials", at)
		}
	}
	return nil
}

func (w *walk) scalar(d *draft, in *node, f field, name, unit string, at inventory.Where) {
	if own := in.string(f.name+"_unit", f.name+"_units", f.name+" unit", f.name+" units"); own != "" {
		unit = singleUnit(own)
	}
	if v, ok := f.number(); ok {
		d.add(inventory.Property{Name: name, Value: v, Unit: unit, Where: at})
		return
	}
	if !f.quoted && looksNumeric(f.text) {
		w.to.Unreadable(ingest.Properties, at, "%s: %.40s is not a number that can be stored", name, f.text)
		return
	}
	if m, ok := readMeasure(f.text); ok && !says(f.name) && m.unit != "" {
		d.add(inventory.Property{Name: name, Value: m.value, Unit: m.unit, Where: at})
		return
	}
	if f.text != "" && !says(f.name) && !strings.HasSuffix(strings.TrimSuffix(strings.ToLower(f.name), "s"), "unit") {
		w.to.Drop(fmt.Sprintf("texts %q of materials", f.name), at)
	}
}

// looksNumeric distinguishes a number that overflows from a text.
func looksNumeric(text string) bool {
	return text != "" && strings.Trim(text, "0123456789.eE+-") == "" && strings.ContainsAny(text[:1], "0123456789-+.") && len(text) > 1 && strings.ContainsAny(text, "0123456789")
}

// leftOver notes what a measured value has besides its number and unit.
func (w *walk) leftOver(n *node, at inventory.Where) {
	for _, f := range n.fields {
		if !contains(valueNames, f.name) && !contains(unitNames, f.name) && !contains(sourceFields, f.name) && !contains([]string{"description", "comment", "note", "condition", "conditions"}, f.name) {
			w.to.Drop(fmt.Sprintf("fields %q of properties", f.name), at)
		}
	}
}

func contains(list []string, name string) bool {
	for _, l := range list {
		if strings.EqualFold(l, name) {
			return true
		}
	}
	return false
}

// spelled expands the abbreviations in tables of metals.
func spelled(key string) string {
	if long, ok := shortNames[strings.ToLower(key)]; ok {
		return long
	}
	return key
}

var shortNames = map[string]string{
	"den": "density", "moe": "modulus of elasticity", "pr": "Poisson's ratio", "ult_str": "ultimate strength", "yield_str": "yield strength",
	"coef_thermal_exp": "coefficient of thermal expansion", "uts": "ultimate tensile strength", "ys": "yield strength",
}
