package ilcd

import (
	"fmt"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/xmlstream"
)

// method passes on an impact category. Those of one methodology are one method.
func (a *adapter) method(m *method) {
	at := a.where(m.line, m.name)
	if a.twice(m.head, ingest.Indicators, at) {
		a.to.SkipAll(ingest.Factors, len(m.factors), at, "of a dataset that was read already")
		return
	}
	i := &indicator{method: m.methodology(), category: m.category, name: m.name, unit: a.unitOf(m.quantity)}
	if a.units[m.quantity.id] == "" && !inventory.IsUnit(i.unit) {
		a.to.Note(ingest.Missing, at, fmt.Sprintf("the flow property %q of the results is not in the library", m.quantity.description), "add it with its unit group; until then its name is used as the unit")
	}
	a.indicators[m.id] = i
	a.addMethod(i.method, at)
	out := inventory.Indicator{Key: m.id, Method: methodKey(i.method), Category: i.category, Name: i.name, Unit: i.unit, Version: m.version, Changed: m.entered, Where: at}
	for n := range m.factors {
		a.factor(m, &m.factors[n], &out)
	}
	a.to.Indicator(out)
}

func (a *adapter) factor(m *method, f *factor, to *inventory.Indicator) {
	at := a.where(f.line, m.name, f.flow.description)
	if f.noMean || f.flow == (reference{}) {
		a.to.Skip(ingest.Factors, at, "the factor has no value or no flow", "")
		return
	}
	flow := a.mentionElementary(f.flow, f.input, at)
	amount := f.mean
	if n := a.flows[flow]; n.elementary && n.resource != f.input && !n.mentioned {
		amount = -amount // it is stated for the side opposite to the flow's own
	}
	to.Factors = append(to.Factors, inventory.Factor{Flow: flow, Amount: amount, Location: f.location, Where: at})
}

// methodology is the first that the dataset names: the others are its sources.
func (m *method) methodology() string {
	if len(m.methodologies) == 0 {
		return m.name
	}
	return m.methodologies[0]
}

func (a *adapter) addMethod(name string, at inventory.Where) {
	if !a.methods[name] {
		a.methods[name] = true
		a.to.Method(inventory.Method{Key: methodKey(name), Name: name, Where: at})
	}
}

func methodKey(name string) string { return inventory.Key("ilcd", name) }

// result passes on what a process states under an impact category, for an EPD by
// module of the life cycle.
func (a *adapter) result(p *process, r *result, out *inventory.Process) {
	i, key := a.indicatorOf(p, r)
	at := a.where(r.line, p.name, i.name)
	if len(r.modules) > 0 && !r.noMean && r.mean != 0 {
		a.to.Drop("amounts of results that are also given for modules", at)
	}
	if len(r.modules) == 0 {
		if r.noMean {
			a.to.Skip(ingest.Impacts, at, "the result has no amount", "")
			return
		}
		a.state(i, key, r.mean, at, out)
		return
	}
	for _, m := range r.modules {
		a.module(i, key, m, at, out)
	}
}

// indicatorOf is the impact category of a result. If its dataset is not in the
// library, it has the name in the result.
func (a *adapter) indicatorOf(p *process, r *result) (indicator, string) {
	if i := a.indicators[r.method.id]; i != nil {
		return indicator{method: i.method, category: i.category, name: i.name, unit: inventory.First(a.unitOf(r.unit), i.unit)}, r.method.id
	}
	return indicator{method: p.standard(), category: r.method.description, name: r.method.description, unit: a.unitOf(r.unit)}, r.method.key()
}

// declared passes on an inventory indicator that an EPD declares by modules as a
// result, not an exchange.
func (a *adapter) declared(p *process, x *exchange, at inventory.Where, out *inventory.Process) {
	name := x.flow.description
	i := indicator{method: p.standard(), category: "Inventory indicators", name: name, unit: a.unitOf(x.unit)}
	for _, m := range x.modules {
		a.module(i, inventory.Key("ilcd", x.flow.id, name), m, at, out)
	}
}

// standard is the standard that an EPD follows, which is its method.
func (p *process) standard() string {
	for _, c := range p.compliances {
		if strings.Contains(c.description, "15804") {
			return c.description
		}
	}
	if len(p.compliances) > 0 && p.compliances[0].description != "" && strings.EqualFold(p.kind, "EPD") {
		return p.compliances[0].description
	}
	return "Stated results"
}

// module passes on the result of a module: "GWP [A4, Sc1]".
func (a *adapter) module(i indicator, key string, m moduleAmount, at inventory.Where, out *inventory.Process) {
	label := m.module
	if m.scenario != "" {
		label += ", " + m.scenario
	}
	if isNotAssessed(m.text) {
		a.to.Drop("modules that are not assessed", at)
		return
	}
	value, ok, err := xmlstream.ParseNumber(m.text)
	if !ok || err != nil {
		a.to.Skip(ingest.Impacts, at, fmt.Sprintf("the amount %q of the module %s is not a number", m.text, label), "")
		return
	}
	i.name = fmt.Sprintf("%s [%s]", i.name, label)
	a.state(i, inventory.Key(key, label), value, at, out)
}

// isNotAssessed reports whether a text is a declaration's code for a missing
// number: module or indicator not declared, not assessed, not relevant.
func isNotAssessed(text string) bool {
	switch strings.ToUpper(text) {
	case "", "ND", "NA", "N/A", "NR", "MND", "MNA", "MNR", "IND", "INA", "-":
		return true
	}
	return false
}

// state passes on a result, with its indicator if it is the first. In another
// unit or standard it is a separate indicator.
func (a *adapter) state(i indicator, key string, value float64, at inventory.Where, out *inventory.Process) {
	if known := a.indicators[key]; known != nil && (known.unit != i.unit || known.method != i.method) {
		key = inventory.Key(key, i.method, i.unit)
	}
	if a.indicators[key] == nil {
		a.indicators[key] = &i
		a.addMethod(i.method, at)
		a.to.Indicator(inventory.Indicator{Key: key, Method: methodKey(i.method), Category: i.category, Name: i.name, Unit: i.unit, Where: at})
	}
	out.Results = append(out.Results, inventory.Result{Indicator: key, Amount: value, Where: at})
}
