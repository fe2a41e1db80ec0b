package materials

import (
	"fmt"
	"strconv"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// The material properties interchange format: properties with a default value,
// and how they vary with the material's state. A material in several forms and
// conditions is one material; properties of one of them have it in their name.

// isInterchange recognises the format.
func isInterchange(root *node) bool {
	return root.get("name") != nil && (root.get("common_properties") != nil || root.get("forms") != nil) &&
		(root.get("elemental_composition") != nil || root.get("references") != nil || root.get("category") != nil)
}

type interchange struct {
	*walk
	draft *draft
	done  map[*node]bool // properties shared by several forms
}

func (w *walk) interchange(root *node) error {
	d := newDraft(root.string("name"), inventory.Where{File: w.file, Line: root.line})
	x := &interchange{walk: w, draft: d, done: map[*node]bool{}}
	d.Classification = []string{root.string("category"), root.string("subcategory")}
	d.Source = strings.Join(titles(root.get("references")), ", ")
	x.composition(root.get("elemental_composition"))
	if err := x.properties(root.get("common_properties"), ""); err != nil {
		return err
	}
	for _, form := range fieldsOf(root.get("forms")) {
		if err := x.properties(form.get("properties"), form.name); err != nil {
			return err
		}
		for _, condition := range fieldsOf(form.get("conditions")) {
			which := form.name + ", " + condition.name
			if s := condition.string("specification"); s != "" {
				which += ", " + s
			}
			if err := x.properties(condition.get("properties"), which); err != nil {
				return err
			}
		}
	}
	for _, f := range root.fields {
		switch f.name {
		case "name", "category", "subcategory", "references", "elemental_composition", "common_properties", "forms":
		case "common_state_variations": // they are used by properties
		default:
			if f.scalar() && f.text != "" {
				x.to.Drop(fmt.Sprintf("texts %q of materials", f.name), d.Where)
			}
		}
	}
	x.put(d)
	return nil
}

func fieldsOf(n *node) []field {
	if n == nil {
		return nil
	}
	return n.fields
}

// titles are the titles of BibTeX entries.
func titles(n *node) []string {
	if n == nil {
		return nil
	}
	var list []string
	for _, item := range n.items {
		title := item.text
		if _, rest, ok := strings.Cut(item.text, "title = {"); ok {
			title, _, _ = strings.Cut(rest, "}")
		}
		list = append(list, strings.Join(strings.Fields(title), " "))
	}
	return list
}

// composition makes two properties of each element's range.
func (x *interchange) composition(n *node) {
	for _, f := range fieldsOf(n) {
		at := inventory.Where{File: x.file, Line: f.line, Record: f.name}
		values := f.items
		names := []string{" minimum", " maximum"}
		if f.scalar() {
			values, names = []*node{f.node}, []string{""}
		}
		for i, v := range values {
			number, ok := v.number()
			if !ok || i >= len(names) {
				x.to.Skip(ingest.Properties, at, fmt.Sprintf("the share %q of %s is not a number", v.text, f.name), "")
				continue
			}
			x.draft.add(inventory.Property{Name: "composition " + f.name + names[i], Value: number, Unit: "%", Description: "percent by mass", Where: at})
		}
	}
}

func (x *interchange) properties(n *node, which string) error {
	for _, f := range fieldsOf(n) {
		if x.done[f.node] {
			continue
		}
		x.done[f.node] = true
		if err := x.property(f, which); err != nil {
			return err
		}
	}
	return nil
}

func (x *interchange) property(f field, which string) error {
	if err := x.step(f.node, 0); err != nil {
		return err
	}
	at := inventory.Where{File: x.file, Line: f.line, Record: x.draft.Name}
	name := words(f.name)
	if which != "" {
		name += " (" + which + ")"
	}
	m, ok := f.measured()
	if !ok {
		x.to.Skip(ingest.Properties, at, fmt.Sprintf("%q has no numeric default value", name), "")
		return nil
	}
	p := inventory.Property{Name: name, Value: m.value, Unit: m.unit, Source: f.string("reference"), Where: at}
	var notes []string
	if b := f.string("basis"); b != "" {
		notes = append(notes, "basis "+b)
	}
	variations := fieldsOf(f.get("variations_with_state"))
	for _, v := range variations {
		if e := v.string("expression"); e != "" {
			notes = append(notes, fmt.Sprintf("%s variation: %s%s", v.name, e, domain(v.get("state_domain"))))
		}
	}
	p.Description = strings.Join(notes, "; ")
	x.draft.add(p)
	for _, v := range variations {
		if v.string("expression") != "" {
			continue
		}
		if err := x.variation(p, v); err != nil {
			return err
		}
	}
	return nil
}

// domain is the range in which an equation holds.
func domain(n *node) string {
	var parts []string
	for _, f := range fieldsOf(n) {
		if len(f.items) == 2 {
			parts = append(parts, fmt.Sprintf("%s %s to %s", f.name, f.items[0].text, f.items[1].text))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " for " + strings.Join(parts, ", ")
}

// variation makes a property of each point of a table. A multiplier is applied
// to the default value.
func (x *interchange) variation(p inventory.Property, v field) error {
	var variables []string
	if list := v.get("state_vars"); list != nil {
		for _, item := range list.items {
			variables = append(variables, item.text)
		}
	}
	at := inventory.Where{File: x.file, Line: v.line, Record: p.Name}
	if len(variables) == 0 {
		x.to.Skip(ingest.Properties, at, fmt.Sprintf("the %s variation does not name a state", v.name), "")
		return nil
	}
	t := &stateTable{interchange: x, of: p, units: v.get("state_vars_units"), multiplier: v.string("value_type") == "multiplier", source: v.string("reference"), at: at}
	return t.level(v.node, variables, nil)
}

// A stateTable is a property tabulated over one or more variables of state.
type stateTable struct {
	*interchange
	of         inventory.Property
	units      *node
	multiplier bool
	source     string
	at         inventory.Where
}

// level reads the table below the given values of variables. The last variable
// has a list, the others an object by value.
func (t *stateTable) level(n *node, variables, settled []string) error {
	if err := t.step(n, len(settled)); err != nil {
		return err
	}
	name := variables[0]
	axis := n.get(name)
	if axis == nil {
		t.to.Skip(ingest.Properties, t.at, fmt.Sprintf("the variation of %q has no values for %s", t.of.Name, name), "")
		return nil
	}
	if len(variables) > 1 {
		for _, f := range axis.fields {
			next := append(settled[:len(settled):len(settled)], t.condition(name, f.name))
			if err := t.level(f.node, variables[1:], next); err != nil {
				return err
			}
		}
		return nil
	}
	values := n.get("values")
	if values == nil || len(values.items) != len(axis.items) {
		t.to.Skip(ingest.Properties, t.at, fmt.Sprintf("the variation of %q has a different number of values and points of %s", t.of.Name, name), "")
		return nil
	}
	for i, point := range axis.items {
		if err := t.step(point, len(settled)); err != nil {
			return err
		}
		t.point(append(settled[:len(settled):len(settled)], t.condition(name, point.text)), values.items[i])
	}
	return nil
}

func (t *stateTable) condition(variable, value string) string {
	return strings.TrimSpace(variable + " " + value + " " + singleUnit(t.units.string(variable)))
}

func (t *stateTable) point(conditions []string, value *node) {
	v, ok := value.number()
	where := strings.Join(conditions, ", ")
	if !ok {
		t.to.Skip(ingest.Properties, t.at, fmt.Sprintf("the value %q at %s is not a number", value.text, where), "")
		return
	}
	p := inventory.Property{Name: t.of.Name + " at " + where, Value: v, Unit: t.of.Unit, Description: "at " + where, Source: t.source, Where: t.at}
	p.Where.Line = value.line
	if t.multiplier {
		p.Value = tidy(v * t.of.Value)
		p.Description += fmt.Sprintf(": %v times the default value %v %s", v, t.of.Value, t.of.Unit)
	}
	t.draft.add(p)
}

// tidy undoes rounding errors of multiplication: 227.5 times 1.0756 is 244.699.
func tidy(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return short
}
