package ecospold2

import (
	"fmt"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/lci"
	"cradle/internal/units"
)

// An adapter passes datasets on to the Builder.
type adapter struct {
	to    *inventory.Builder
	index *index
	file  string

	flows      map[string]bool
	methods    map[string]bool
	indicators map[string]string // an indicator's id: what it is
	homeless   int               // elementary exchanges without a compartment
}

func (a *adapter) where(line int, record ...string) inventory.Where {
	return inventory.Where{File: a.file, Line: line, Record: strings.Join(record, ", ")}
}

func (a *adapter) dataset(d *dataset) {
	at := a.where(d.line, d.name)
	for _, name := range d.strange {
		a.to.Drop(name+" elements of flowData", at)
	}
	if _, ok := lci.ParseID(d.id); !ok {
		a.to.Note(ingest.Doubtful, at, fmt.Sprintf("the activity's id %q is not a UUID", d.id), "")
	}
	p := inventory.Process{
		Key: a.index.process(d), Name: d.title(a.index), Description: d.describe(), Location: d.geography, Date: d.date(),
		Sources: d.sources(), Organization: d.organization(), Classification: a.classification(d.classes, at),
		Version: d.version, Changed: d.edited, System: d.kind == "2", Where: at,
	}
	main := d.main()
	for i := range d.exchanges {
		if x := &d.exchanges[i]; !x.isStated() || len(d.results) == 0 {
			a.exchange(d, x, i == main, &p)
		}
	}
	for _, v := range d.parameters {
		if v.name != "" {
			p.Parameters = append(p.Parameters, a.parameter(v))
		}
	}
	for i := range d.results {
		a.result(d, &d.results[i], &p)
	}
	a.to.Process(p)
}

func (a *adapter) parameter(v parameter) inventory.Parameter {
	p := inventory.Parameter{Name: v.name, Value: v.amount, Where: a.where(v.line, "parameter "+v.name)}
	if v.noAmount {
		p.Formula = v.relation
	}
	return p
}

func (a *adapter) exchange(d *dataset, x *exchange, main bool, p *inventory.Process) {
	at := a.where(x.line, d.name, x.name)
	if why := x.flaw(); why != "" {
		p.Exchanges = append(p.Exchanges, inventory.Exchange{Flaw: why, Where: at})
		return
	}
	out := inventory.Exchange{
		ID: x.id, Flow: x.flowKey(), Input: x.input, Amount: x.amount, NoAmount: x.noAmount, Formula: x.relation, Variable: x.variable,
		Unit: x.unit, Uncertainty: x.spread.of(x.amount), Where: at,
	}
	if what := x.spread.lost(); what != "" {
		a.to.Drop(what, at)
	}
	if x.comment {
		a.to.Drop("comments of exchanges", at)
	}
	if x.elementary {
		a.elementary(x, at)
	} else {
		a.intermediate(x, main, &out)
	}
	for _, q := range x.properties {
		if q.variable != "" {
			p.Parameters = append(p.Parameters, a.parameter(parameter{line: x.line, name: q.variable, amount: q.amount, noAmount: q.noAmount, relation: q.relation}))
		}
	}
	if x.volume.name != "" && (!x.volume.noAmount || x.volume.relation != "") {
		p.Parameters = append(p.Parameters, a.parameter(x.volume))
	}
	p.Exchanges = append(p.Exchanges, out)
}

// flaw is why an exchange cannot be read, "" if it can.
func (x *exchange) flaw() string {
	switch {
	case x.flow == "" && x.name == "":
		return "the exchange does not name a flow"
	case x.group == "":
		return "the exchange has neither an inputGroup nor an outputGroup"
	case x.noAmount && x.relation == "":
		return "the exchange has no amount"
	case len(x.group) != 1, x.input && !strings.Contains("12345", x.group), !x.input && !strings.Contains("02345", x.group):
		return fmt.Sprintf("the group %q of the exchange is not a group of EcoSpold 2", x.group)
	}
	return ""
}

// isStated reports whether an elementary exchange stands for a result, for
// programs that do not read results.
func (x *exchange) isStated() bool {
	return x.elementary && len(x.compartment) > 0 && x.compartment[0] == "Stated impacts"
}

// flowKey is the flow's id, or its name if it has none.
func (x *exchange) flowKey() string {
	if x.flow != "" {
		return x.flow
	}
	return inventory.Key(append([]string{"ecospold2", x.name}, x.compartment...)...)
}

func (a *adapter) elementary(x *exchange, at inventory.Where) {
	compartment := x.compartment
	if len(compartment) == 0 {
		a.homeless++
		if a.index.taken[x.flow] > 0 {
			compartment = []string{"resource"}
		}
	}
	a.flow(x, inventory.Flow{Kind: inventory.Elementary, Compartment: compartment, Where: at})
}

func (a *adapter) intermediate(x *exchange, main bool, out *inventory.Exchange) {
	kind := inventory.Product
	switch {
	case a.index.wastes[x.flow] || x.isWaste():
		kind = inventory.Waste
	case x.input && x.group == "3":
		kind = inventory.Service
	}
	switch {
	case main:
		out.Role = inventory.Reference
	case x.isProduct(referenceProduct), x.isProduct(byProduct) && kind != inventory.Waste && !x.isRecyclable():
		out.Role = inventory.CoProduct
	}
	if out.Role == inventory.Plain && x.link != "" {
		out.Provider = a.index.provider(x.link, x.flow)
	}
	if out.Role != inventory.Plain {
		out.Worth = x.worth()
	}
	a.flow(x, inventory.Flow{Kind: kind, Classification: productClass(x.classes), Where: out.Where})
	if out.Role != inventory.Plain {
		a.known(x, out.Where)
	}
}

// flow passes on a flow, once.
func (a *adapter) flow(x *exchange, f inventory.Flow) {
	f.Key = x.flowKey()
	if a.flows[f.Key] {
		return
	}
	a.flows[f.Key] = true
	f.Name, f.CAS, f.Synonyms = x.name, x.cas, x.synonyms
	a.to.Flow(f)
}

// isWaste reports whether the flow is a waste to be treated: by its group, or by
// its class on either side.
func (x *exchange) isWaste() bool {
	return !x.input && x.group == forTreatment || x.byProductClass("waste")
}

// isRecyclable reports whether an output is cut off: its users are not charged
// for its production.
func (x *exchange) isRecyclable() bool { return x.byProductClass("recyclable") }

func (x *exchange) byProductClass(word string) bool {
	for _, c := range x.classes {
		if strings.Contains(strings.ToLower(c.system), "by-product") && strings.Contains(strings.ToLower(c.value), word) {
			return true
		}
	}
	return false
}

// worth is the price of a product per unit.
func (x *exchange) worth() *float64 {
	for _, p := range x.properties {
		if strings.EqualFold(p.name, "price") && units.IsMoney(p.unit) && !p.noAmount {
			return &p.amount
		}
	}
	return nil
}

// known passes on the product's properties as a material.
func (a *adapter) known(x *exchange, at inventory.Where) {
	var known []inventory.Property
	for _, p := range x.properties {
		if p.name == "" || p.noAmount || units.IsMoney(p.unit) {
			continue
		}
		known = append(known, inventory.Property{Name: p.name, Value: p.amount, Unit: perUnit(p.unit, x.unit), Where: at})
	}
	if len(known) > 0 {
		a.to.Known(x.flowKey(), known)
	}
}

func perUnit(unit, of string) string {
	if unit == "" || strings.EqualFold(unit, "dimensionless") {
		return "dimensionless"
	}
	return unit + "/" + of
}

// master passes on a flow of a master data file.
func (a *adapter) master(x *exchange) {
	at := a.where(x.line, x.name)
	f := inventory.Flow{Kind: inventory.Elementary, Compartment: x.compartment, Unit: x.unit, Where: at}
	if !x.elementary {
		f = inventory.Flow{Kind: inventory.Product, Classification: productClass(x.classes), Unit: x.unit, Where: at}
		if a.index.wastes[x.flow] {
			f.Kind = inventory.Waste
		}
	}
	a.flow(x, f)
}

// classification is the International Standard Industrial Classification, else
// the first.
func (a *adapter) classification(classes []class, at inventory.Where) []string {
	if len(classes) > 1 {
		a.to.Drop("further classifications of activities", at)
	}
	for _, c := range classes {
		if strings.Contains(c.system, "ISIC") {
			return c.path()
		}
	}
	if len(classes) > 0 {
		return classes[0].path()
	}
	return nil
}

// productClass is the Central Product Classification, else the first of
// products.
func productClass(classes []class) []string {
	var first []string
	for _, c := range classes {
		switch {
		case strings.Contains(c.system, "CPC"):
			return c.path()
		case first == nil && !strings.Contains(strings.ToLower(c.system), "by-product"):
			first = c.path()
		}
	}
	return first
}

func (c class) path() []string {
	if c.system == "EcoSpold01Categories" {
		return strings.Split(c.value, "/")
	}
	return []string{c.value}
}
