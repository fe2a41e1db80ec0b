package ecospold1

import (
	"fmt"
	"strconv"
	"strings"

	"cradle/internal/allocation"
	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// isMethod reports whether the dataset is an impact category with its factors.
func (d *dataset) isMethod() bool { return d.impact || d.info.kind == impactCategory }

// main is the index of the quantitative reference: the reference product, else
// the co-product that the dataset is named after, else the first co-product; -1
// if there is none.
func (d *dataset) main() int {
	first := -1
	for i := range d.exchanges {
		switch x := &d.exchanges[i]; x.group {
		case outReference:
			return i
		case outCoProduct:
			if first < 0 || x.name == d.reference.name && d.exchanges[first].name != d.reference.name {
				first = i
			}
		}
	}
	return first
}

// An adapter passes datasets on to the Builder.
type adapter struct {
	to    *inventory.Builder
	index *index
	file  string

	processes map[string]int  // how often a key was used
	flows     map[string]bool // already passed on
	methods   map[string]bool
	results   map[string]bool
}

func (a *adapter) where(d *dataset, line int, record string) inventory.Where {
	name := d.reference.name
	if record != "" {
		name += ", " + record
	}
	return inventory.Where{File: a.file, Line: line, Record: name}
}

func (a *adapter) dataset(d *dataset) {
	at := a.where(d, d.line, "")
	for _, name := range d.strange {
		a.to.Drop(name+" elements of flowData", at)
	}
	switch {
	case d.isMethod():
		a.indicator(d)
	case d.info.kind == elementaryFlow:
		a.to.Skip("elementary flow datasets", at, "describes only an elementary flow", "")
		a.to.SkipAll(ingest.Exchanges, len(d.exchanges), at, "of an elementary flow")
	default:
		a.process(d)
	}
}

func (a *adapter) process(d *dataset) {
	p := inventory.Process{
		Key: a.index.process(d), Name: d.reference.name, Description: inventory.Describe(d.texts), Location: d.location, Date: d.date(),
		Sources: d.links(), Organization: d.organization(), Classification: path(d.reference.category, d.reference.subCategory),
		Version: d.info.version, Changed: inventory.First(d.info.timestamp, d.timestamp),
		System: d.info.kind == systemTerminated || d.info.kind == systemNonTerminated, Allocation: allocation.Causal, Where: a.where(d, d.line, ""),
	}
	if a.processes[p.Key]++; a.processes[p.Key] > 1 { // even the number is the same
		p.Key = inventory.Key(p.Key, strconv.Itoa(a.processes[p.Key]))
	}
	if a.index.processes[d.name()] > 1 {
		a.to.Note(ingest.Ambiguous, p.Where, "several datasets have this name, location and unit",
			"give them unique names: an input with this name cannot be linked")
	}
	main := d.main()
	shares := a.shares(d)
	for i := range d.exchanges {
		x := &d.exchanges[i]
		if d.info.results && isResult(x) {
			a.result(d, x, &p)
			continue
		}
		a.exchange(d, x, i == main, shares[x.number], &p)
	}
	if main < 0 {
		a.makeUp(d, &p)
	}
	a.to.Process(p)
}

// makeUp gives a dataset without products its reference function as product.
func (a *adapter) makeUp(d *dataset, p *inventory.Process) {
	if d.reference.unit == "" || d.reference.amount == 0 {
		return // the builder reports that there is none
	}
	at := a.where(d, d.line, "reference function")
	a.to.Note(ingest.Doubtful, at, "no exchange is marked as the reference product; the reference function is used", "give it an exchange with outputGroup 0")
	a.flow(d, d.function(), d.reference.localName, inventory.Flow{
		Key: d.function().key(), Kind: inventory.Product, CAS: d.reference.cas,
		Classification: path(d.reference.category, d.reference.subCategory), Where: at,
	})
	p.Exchanges = append(p.Exchanges, inventory.Exchange{
		Flow: d.function().key(), Amount: d.reference.amount, Unit: d.reference.unit, Role: inventory.Reference, Where: at,
	})
}

func (a *adapter) exchange(d *dataset, x *exchange, main bool, shares []inventory.Share, p *inventory.Process) {
	at := a.where(d, x.line, "exchange "+x.number)
	out := inventory.Exchange{
		Input: x.group.input, Amount: x.mean, Unit: x.unit, Uncertainty: x.spread.of(x.mean), Shares: shares, Where: at,
	}
	if x.spread.isEmpty() {
		a.to.Drop("uncertainties without a deviation", at)
	}
	if x.comment {
		a.to.Drop("comments of exchanges", at)
	}
	if out.Flaw = x.flaw(); out.Flaw != "" {
		p.Exchanges = append(p.Exchanges, out)
		return
	}
	switch x.group {
	case outNature, inNature:
		out.Flow = a.elementary(x, at)
	default:
		a.technosphere(d, x, main, &out)
	}
	if out.Role == inventory.Reference || out.Role == inventory.CoProduct {
		out.Shares = nil // products are not allocated
	}
	p.Exchanges = append(p.Exchanges, out)
}

// flaw is why an exchange cannot be read, "" if it can.
func (x *exchange) flaw() string {
	switch {
	case x.name == "":
		return "the exchange has no name"
	case x.noMean:
		return "the exchange has no meanValue"
	case x.group.code == "":
		return "the exchange has neither an inputGroup nor an outputGroup"
	case x.group.input && !strings.Contains("12345", x.group.code), !x.group.input && !strings.Contains("01234", x.group.code), len(x.group.code) != 1:
		return fmt.Sprintf("the group %q of the exchange is not a group of EcoSpold 1", x.group.code)
	}
	return ""
}

func (a *adapter) technosphere(d *dataset, x *exchange, main bool, out *inventory.Exchange) {
	product := d.product(x)
	kind := inventory.Product
	switch x.group {
	case outReference, outCoProduct:
		out.Role = inventory.CoProduct
		if main {
			out.Role = inventory.Reference
		}
		out.Input = a.index.wastes[product.key()] // it treats the waste of others
	case outAvoided:
		out.Role = inventory.Avoided
	case outWaste:
		kind = inventory.Waste
	case group{true, "3"}:
		kind = inventory.Service
	}
	out.Flow = product.key()
	if x.isWanted() {
		out.Flow = a.supply(d, product, x, out)
	}
	if a.index.wastes[out.Flow] {
		kind = inventory.Waste
	}
	cas := x.cas
	if main && cas == "" {
		cas = d.reference.cas
	}
	a.flow(d, product, x.localName, inventory.Flow{
		Key: out.Flow, Kind: kind, CAS: cas, Classification: path(x.category, x.subCategory), Where: out.Where,
	})
}

// supply finds the flow of an input, and its supplier if the number identifies
// one.
func (a *adapter) supply(d *dataset, p product, x *exchange, out *inventory.Exchange) string {
	key, choices := a.index.supplied(p, d.location)
	if choices > 1 {
		a.to.Note(ingest.Ambiguous, out.Where, fmt.Sprintf("%q has no location, but is made in %d locations", p.name, choices),
			"give the exchange the location of its supplier")
	}
	if p.location != "" {
		if places := a.index.elsewhere(p); len(places) > 0 {
			a.to.Note(ingest.Unlinked, out.Where, fmt.Sprintf("%q is not made in %s, but in %s", p.name, p.location, strings.Join(places, ", ")),
				"give the exchange the location of its supplier")
		}
	}
	if process := a.index.numbers[x.number]; process != "" && process == inventory.Key("process", p.name, p.location, dimension(p.unit), infrastructure(p.infrastructure)) &&
		a.index.processes[process] == 1 {
		out.Provider = process
	}
	return key
}

// flow passes on a flow between processes, once.
func (a *adapter) flow(d *dataset, p product, localName string, f inventory.Flow) {
	if a.flows[f.Key] {
		return
	}
	a.flows[f.Key] = true
	f.Name, f.Location, f.Synonyms = p.name, p.location, otherName(localName, p.name)
	if p == d.function() {
		f.Synonyms = append(f.Synonyms, d.reference.synonyms...)
	}
	a.to.Flow(f)
}

// otherName is a name in another language, if it is different.
func otherName(name, known string) []string {
	if name == "" || name == known {
		return nil
	}
	return []string{name}
}

func (a *adapter) elementary(x *exchange, at inventory.Where) string {
	where := compartment(x.category, x.subCategory, x.group.input)
	key := inventory.Key(append([]string{"elementary", x.name, dimension(x.unit)}, where...)...)
	if !a.flows[key] {
		a.flows[key] = true
		a.to.Flow(inventory.Flow{
			Key: key, Name: x.name, Kind: inventory.Elementary, Compartment: where, CAS: x.cas, Synonyms: otherName(x.localName, x.name), Where: at,
		})
	}
	return key
}
