package ilcd

import (
	"fmt"
	"strings"

	"cradle/internal/allocation"
	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// An adapter passes datasets on to the Builder. They come in the order of their
// kinds: what others refer to comes first.
type adapter struct {
	to   *inventory.Builder
	file string

	units      map[string]string // of unit groups and flow properties: the reference unit
	names      map[string]string // of unit groups and flow properties
	cards      map[string]string // of sources and contacts: what they are called
	flows      map[string]*nature
	methods    map[string]bool
	indicators map[string]*indicator // by id: what methods there are
	ids        map[string]string     // of methods: the file that has it
}

// nature is what must be known of a flow.
type nature struct {
	elementary, resource bool
	mentioned            bool
}

// indicator identifies an impact category.
type indicator struct{ method, category, name, unit string }

func newAdapter(to *inventory.Builder) *adapter {
	return &adapter{
		to: to, units: map[string]string{}, names: map[string]string{}, cards: map[string]string{}, flows: map[string]*nature{}, methods: map[string]bool{},
		indicators: map[string]*indicator{}, ids: map[string]string{},
	}
}

func (a *adapter) where(line int, record ...string) inventory.Where {
	return inventory.Where{File: a.file, Line: line, Record: strings.Join(record, ", ")}
}

func (a *adapter) unitGroup(g *unitGroup) {
	out := inventory.UnitGroup{Key: g.id, Name: g.name, Where: a.where(g.line, g.name)}
	for _, u := range g.units {
		out.Units = append(out.Units, inventory.Unit{Name: u.name, Factor: u.factor, Reference: u.id == g.main})
		if u.id == g.main {
			a.units[g.id] = u.name
		}
	}
	a.names[g.id] = g.name
	a.to.UnitGroup(out)
}

func (a *adapter) flowProperty(p *flowProperty) {
	a.to.FlowProperty(inventory.FlowProperty{Key: p.id, Name: p.name, UnitGroup: p.group.id, Where: a.where(p.line, p.name)})
	a.names[p.id] = p.name
	if unit := a.units[p.group.id]; unit != "" {
		a.units[p.id] = unit
	}
}

func (a *adapter) card(c *card) { a.cards[c.id] = c.label() }

// label is the name of a source or a contact: in its own dataset, else in the
// reference.
func (a *adapter) label(r reference) string {
	return inventory.First(a.cards[r.id], r.description)
}

var kinds = map[string]inventory.Kind{
	"elementary flow": inventory.Elementary, "product flow": inventory.Product, "waste flow": inventory.Waste, "other flow": inventory.Product,
}

func (a *adapter) flow(f *flow) {
	at := a.where(f.line, f.name)
	out := inventory.Flow{
		Key: f.id, Name: f.name, Kind: kinds[strings.ToLower(f.kind)], Compartment: f.compartment, CAS: f.cas, Classification: f.classes,
		Synonyms: append(f.synonyms, f.others...), Location: f.location, Version: f.version, Changed: f.entered, Where: at,
	}
	for _, p := range f.properties {
		main := p.id == f.main
		if p.noMean || p.mean == 0 {
			if !main {
				a.to.Drop("flow properties whose factor is 0 or missing", at)
				continue
			}
			p.mean = 1
		}
		out.Properties = append(out.Properties, inventory.FlowAmount{Property: p.property.id, Factor: p.mean, Reference: main})
		a.to.FlowProperty(inventory.FlowProperty{Key: p.property.id, Name: p.property.description, Where: at})
	}
	a.to.Flow(out)
	a.flows[f.id] = &nature{elementary: out.Kind == inventory.Elementary, resource: isResource(f.compartment)}
	a.known(f, at)
}

// known passes on the flow's material description.
func (a *adapter) known(f *flow, at inventory.Where) {
	var known []inventory.Property
	for _, p := range f.materials {
		if p.name == "" || p.noValue {
			a.to.Drop("properties of materials without a name or a number", at)
			continue
		}
		known = append(known, inventory.Property{Name: p.name, Value: p.value, Unit: strings.ReplaceAll(p.unit, "^", ""), Where: at})
	}
	a.to.Known(f.id, known)
}

func isResource(compartment []string) bool {
	if len(compartment) == 0 {
		return false
	}
	top := strings.ToLower(compartment[0])
	return strings.HasPrefix(top, "resource") || strings.HasPrefix(top, "land use")
}

// mention passes on what a process states about a flow without a dataset.
func (a *adapter) mention(r reference, at inventory.Where) string {
	if a.flows[r.key()] == nil {
		a.add(described(r.description), r.key(), at)
	}
	return r.key()
}

// mentionElementary passes on what a method states about such a flow: it is
// elementary, and a resource if it counts as an input.
func (a *adapter) mentionElementary(r reference, input bool, at inventory.Where) string {
	if a.flows[r.key()] == nil {
		f := described(r.description)
		f.Kind = inventory.Elementary
		if input && f.Compartment == nil {
			f.Compartment = []string{"Resources"}
		}
		a.add(f, r.key(), at)
	}
	return r.key()
}

func (a *adapter) add(f inventory.Flow, key string, at inventory.Where) {
	f.Key, f.Mentioned, f.Where = key, true, at
	a.flows[key] = &nature{elementary: f.Kind == inventory.Elementary, resource: isResource(f.Compartment), mentioned: true}
	a.to.Flow(f)
}

// key is the id in the reference, or the name if there is none.
func (r reference) key() string {
	if r.id == "" {
		return inventory.Key("ilcd", r.description)
	}
	return r.id
}

func (a *adapter) process(p *process) {
	at := a.where(p.line, p.name)
	out := inventory.Process{
		Allocation: allocation.Causal,
		Key:        p.id, Name: p.name, Description: inventory.Describe(p.comment), Location: p.location, Date: p.date(), Sources: a.labels(p.sources),
		Organization: a.label(p.owner), Classification: p.classes, Version: p.version, Changed: p.entered, System: p.isSystem(), EveryProduct: !p.isSystem(), Where: at,
	}
	for _, v := range p.variables {
		out.Parameters = append(out.Parameters, a.parameter(v))
	}
	p.settle()
	for i := range p.exchanges {
		a.exchange(p, &p.exchanges[i], &out)
	}
	for i := range p.results {
		a.result(p, &p.results[i], &out)
	}
	a.to.Process(out)
}

// twice notes a dataset whose id another file has; the first counts.
func (a *adapter) twice(h head, kind ingest.Kind, at inventory.Where) bool {
	first, there := a.ids[h.id]
	if there {
		a.to.Skip(kind, at, fmt.Sprintf("has the same id as %s", first), "keep only the version that you need")
		return true
	}
	a.ids[h.id] = a.file
	return false
}

func (a *adapter) labels(references []reference) []string {
	var labels []string
	for _, r := range references {
		if label := a.label(r); label != "" {
			labels = append(labels, label)
		}
	}
	return labels
}

func (a *adapter) parameter(v variable) inventory.Parameter {
	p := inventory.Parameter{Name: v.name, Value: v.mean, Where: a.where(v.line, "variable "+v.name)}
	if v.noMean {
		p.Formula = v.formula
	}
	return p
}

func (a *adapter) exchange(p *process, x *exchange, out *inventory.Process) {
	at := a.where(x.line, p.name, x.flow.description)
	if len(x.modules) > 0 {
		a.declared(p, x, at, out)
		return
	}
	if why := x.reminder(p); why != "" {
		a.to.Skip(ingest.Exchanges, at, why, "")
		return
	}
	if why := x.flaw(p); why != "" {
		out.Exchanges = append(out.Exchanges, inventory.Exchange{Flaw: why, Where: at})
		return
	}
	e := inventory.Exchange{
		Flow: a.mention(x.flow, at), Input: x.input, Provider: x.provider, Uncertainty: x.spread.of(x.amount()), Shares: a.sharesOf(x, p), Where: at,
	}
	e.Amount, e.Formula, e.NoAmount = x.amount(), x.formula(), x.noResult && (x.noMean || x.variable != "")
	switch {
	case p.isReference(x):
		e.Role = inventory.CoProduct
		if p.references[0] == x.id {
			e.Role = inventory.Reference
		}
		if n := a.flows[e.Flow]; n.elementary {
			a.to.Note(ingest.Doubtful, at, "the reference flow is an elementary flow", "state which product the process is for")
		}
	case x.avoided:
		e.Role = inventory.Avoided
	case p.bears[x.id] && !a.flows[e.Flow].mentioned:
		e.Role = inventory.CoProduct
	}
	if e.Role == inventory.Reference || e.Role == inventory.CoProduct {
		e.Shares = nil // products are not allocated
	}
	a.drops(x, at)
	out.Exchanges = append(out.Exchanges, e)
}

func (a *adapter) drops(x *exchange, at inventory.Where) {
	if what := x.spread.lost(x.amount()); what != "" {
		a.to.Drop(what, at)
	}
	if x.comment {
		a.to.Drop("comments of exchanges", at)
	}
	if x.location != "" {
		a.to.Drop("locations of exchanges", at)
	}
}

// reminder is why an exchange is not part of the inventory, "" if it is.
func (x *exchange) reminder(p *process) string {
	if !strings.Contains(strings.ToLower(x.function), "reminder") || p.isReference(x) {
		return ""
	}
	return fmt.Sprintf("is a %s and is not needed", strings.ToLower(x.function))
}

// flaw is why an exchange cannot be read, "" if it can.
func (x *exchange) flaw(p *process) string {
	switch {
	case x.flow == (reference{}):
		return "the exchange does not name a flow"
	case !x.directed && !p.isReference(x):
		return "the exchange has no direction"
	case x.noResult && x.noMean && x.variable == "":
		return "the exchange has no amount"
	}
	return ""
}

// amount is the resulting amount, else the mean amount, times a variable if one
// is named.
func (x *exchange) amount() float64 {
	if !x.noResult {
		return x.resulting
	}
	return x.mean
}

func (x *exchange) formula() string {
	if x.variable == "" || !x.noResult {
		return ""
	}
	if x.noMean {
		return x.variable
	}
	return fmt.Sprintf("%v * (%s)", x.mean, x.variable)
}

func (p *process) isReference(x *exchange) bool { return p.isMain[x.id] }

// settle collects what other elements state about exchanges.
func (p *process) settle() {
	p.isMain, p.flows, p.bears, p.whole = map[string]bool{}, map[string]string{}, map[string]bool{}, 1
	for _, id := range p.references {
		p.isMain[id] = true
	}
	for i := range p.exchanges {
		x := &p.exchanges[i]
		p.flows[x.id] = x.flow.key()
		sum := 0.0
		for _, s := range x.shares {
			p.bears[s.product] = true
			sum += s.fraction
		}
		if sum > 1.5 {
			p.whole = 100
		}
	}
}

// isSystem reports whether the process includes its supply chain.
func (p *process) isSystem() bool {
	kind := strings.ToLower(p.kind)
	return kind == "lci result" || kind == "epd" || kind == "avoided product system"
}
