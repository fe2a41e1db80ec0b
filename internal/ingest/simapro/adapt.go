package simapro

import (
	"fmt"
	"math"
	"strings"

	"cradle/internal/formula"
	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/lci"
)

// An adapter hands the datasets of one export over in the field's own words.
type adapter struct {
	*references
	*shared
	to     *inventory.Builder
	file   string
	failed bool
}

// shared is what the exports of a library have in common.
type shared struct {
	declared map[string]bool            // flows handed over
	unlinked map[string]bool            // products that were said to have no producer
	seen     map[string]inventory.Where // processes and methods
}

func (a *adapter) at(line int, record string) inventory.Where {
	return inventory.Where{File: a.file, Line: line, Record: record}
}

// begin hands over what holds for the whole export.
func (a *adapter) begin() {
	for _, g := range a.groups {
		g.Where.File = a.file
		a.to.UnitGroup(g)
	}
}

// end tells what of the export was of no use.
func (a *adapter) end() {
	unused := 0
	for _, l := range a.literature {
		if !l.used {
			unused++
		}
	}
	idle := 0
	for _, s := range a.substances {
		if !s.used {
			idle++
		}
	}
	a.to.SkipAll("substances", idle, a.at(0, ""), "no process or method of the export names them")
	a.to.SkipAll("literature references", unused, a.at(0, ""), "no process refers to them")
	a.to.SkipAll("system descriptions", a.systems, a.at(0, ""), "the catalogue has no place for them")
}

func (a *adapter) block(h Header, b Block) error {
	switch b.Kind {
	case processBlock, stageBlock:
		a.process(h, h.process(b))
	case methodBlock:
		a.method(h.method(b))
	case unitsBlock, quantitiesBlock, literatureBlock, systemBlock, databaseInputs, databaseFormulas, projectInputs, projectFormulas:
	default:
		if _, known := substanceBlocks[b.Kind]; !known {
			a.to.Skip("blocks", a.at(b.Line, b.Kind), "SimaPro has no block of this name that is known here", "")
		}
	}
	return nil
}

func (a *adapter) process(h Header, p Process) {
	at := a.at(p.Line, p.name())
	for _, odd := range p.Odd {
		a.to.Skip("sections", a.at(odd.Line, p.name()), odd.What, "")
	}
	if before, twice := a.seen[p.key()]; twice {
		a.to.Skip(ingest.Processes, at, fmt.Sprintf("the process stands in %s already, which counts", before.File), "")
		a.to.SkipAll(ingest.Exchanges, len(p.Products)+len(p.Exchanges)+len(p.Fractions), at, "of a process that was read already")
		return
	}
	a.seen[p.key()] = at
	out := inventory.Process{
		Key: p.key(), Name: p.name(), Description: a.description(p), Location: p.place(), Date: h.day(p.Date), Sources: a.sources(p),
		System: strings.HasPrefix(strings.ToLower(p.Type), "system"), Where: at,
	}
	if len(p.Products) > 0 {
		out.Classification = class(p.CategoryType, p.Products[0].Category)
	}
	d := &dataset{adapter: a, process: p, scope: a.scope(p), out: &out}
	d.products()
	for _, x := range p.Exchanges {
		d.exchange(x)
	}
	d.fractions()
	a.to.Process(out)
}

// scope holds the parameters of a process.
func (a *adapter) scope(p Process) *formula.Scope {
	scope := formula.NewScope(a.project, a.syntax)
	for _, list := range [][]Parameter{p.Inputs, p.Calculated} {
		for _, parameter := range list {
			define(scope, parameter)
			if u := parameter.Uncertainty.Kind; u != "" && u != "Undefined" {
				a.to.Drop("uncertainties of parameters", a.at(parameter.Line, p.name()))
			}
		}
	}
	return scope
}

// description joins what documents a process.
func (a *adapter) description(p Process) string {
	parts := []string{p.Comment}
	for _, f := range p.Fields {
		parts = append(parts, f.Name+": "+f.Text)
	}
	for _, l := range p.Literature {
		if l.Comment != "" {
			parts = append(parts, "Literature: "+l.Name+": "+l.Comment)
		}
	}
	return joined("\n\n", parts...)
}

// sources are the links of the literature that a process names, else its names.
func (a *adapter) sources(p Process) []string {
	var list []string
	for _, l := range p.Literature {
		source := l.Name
		if known := a.literature[l.Name]; known != nil {
			known.used = true
			if known.link != "" {
				source = known.link
			}
		}
		list = append(list, source)
	}
	return list
}

func class(kind, category string) []string {
	return append([]string{kind}, strings.Split(category, `\`)...)
}

// A dataset is a process being adapted.
type dataset struct {
	*adapter
	process Process
	scope   *formula.Scope
	out     *inventory.Process
	amount  float64 // of the first product
}

// value is a number, or what its formula gives.
func (d *dataset) value(n Number) (float64, error) {
	if n.Formula != "" {
		return d.scope.Eval(n.Formula)
	}
	return n.Value, nil
}

func (d *dataset) products() {
	several := len(d.process.Products) > 1
	for i, p := range d.process.Products {
		at := d.adapter.at(p.Line, d.process.name())
		amount, err := d.value(p.Amount)
		switch {
		case p.Name == "" || p.Amount.Missing:
			d.to.Skip(ingest.Exchanges, at, "the product has no name or no amount", "")
			continue
		case err != nil:
			d.unsolved(at, p.Name, p.Amount, err)
			continue
		}
		if i == 0 {
			d.amount = amount
		}
		d.declareProduct(p, at)
		x := inventory.Exchange{Flow: productKey(p.Name), Amount: amount, Unit: p.Unit, Input: p.waste(), Role: inventory.CoProduct, Where: at}
		if i == 0 {
			x.Role = inventory.Reference
		}
		if several && !p.Allocation.Missing {
			share, err := d.value(p.Allocation)
			if err != nil {
				d.to.Note(ingest.Formula, at, fmt.Sprintf("the allocation %q of %q cannot be evaluated: %v", p.Allocation.Formula, p.Name, err), "")
			} else {
				share /= 100
				x.Share = &share
			}
		}
		if p.Comment != "" {
			d.to.Drop("comments of exchanges", at)
		}
		if !anyWaste(p.WasteType) {
			d.to.Drop("waste types of products", at)
		}
		d.out.Exchanges = append(d.out.Exchanges, x)
	}
}

func (d *dataset) unsolved(at inventory.Where, name string, n Number, err error) {
	d.to.Skip(ingest.Exchanges, at, fmt.Sprintf("the amount %q of %q cannot be evaluated: %v", n.Formula, name, err), "add the parameter, or export with expressions converted to constants")
}

func productKey(name string) string { return inventory.Key("simapro", "product", name) }

func (d *dataset) declareProduct(p Product, at inventory.Where) {
	kind := inventory.Product
	switch strings.ToLower(d.process.CategoryType) {
	case "material":
		kind = inventory.Good
	case "transport", "processing", "use":
		kind = inventory.Service
	}
	if p.waste() {
		kind = inventory.Waste
	}
	d.declare(inventory.Flow{Key: productKey(p.Name), Name: p.Name, Kind: kind, Classification: class(d.process.CategoryType, p.Category), Unit: p.Unit, Where: at})
}

func (a *adapter) declare(f inventory.Flow) {
	if !a.declared[f.Key] {
		a.declared[f.Key] = true
		a.to.Flow(f)
	}
}

// passive are the sections that say to what a scenario of SimaPro applies. They
// have no amounts of their own.
var passive = map[string]bool{"Reference assembly": true, "Waste/Disposal scenario": true, "Disposal scenarios": true, "Waste scenarios": true}

func (d *dataset) exchange(x Exchange) {
	at := d.adapter.at(x.Line, d.process.name())
	amount, err := d.value(x.Amount)
	switch {
	case passive[x.Section]:
		d.to.Skip(ingest.Exchanges, at, fmt.Sprintf("%q under %q says to what a scenario applies, which only SimaPro calculates", x.Name, x.Section), "")
		return
	case x.Name == "" || x.Amount.Missing:
		d.to.Skip(ingest.Exchanges, at, fmt.Sprintf("the line under %q has no name or no amount", x.Section), "")
		return
	case err != nil:
		d.unsolved(at, x.Name, x.Amount, err)
		return
	}
	out := inventory.Exchange{Amount: amount, Unit: x.Unit, Uncertainty: d.uncertainty(x, amount, at), Where: at}
	if compartment, ok := natural[x.Section]; ok {
		out.Flow, out.Input = d.elementary(compartment, x.Subcompartment, x.Name, "", at), x.Section == "Resources"
	} else {
		d.technical(x, &out)
	}
	if x.Comment != "" {
		d.to.Drop("comments of exchanges", at)
	}
	d.out.Exchanges = append(d.out.Exchanges, out)
}

// technical links an exchange with another process. What that process treats
// goes out to it, what it makes comes in, whatever section names it.
func (d *dataset) technical(x Exchange, out *inventory.Exchange) {
	waste := x.Section == "Waste to treatment"
	makers := d.producers[x.Name]
	if len(makers) > 0 {
		waste = makers[0].waste
	}
	if len(makers) == 1 {
		out.Provider, out.ProviderName = makers[0].key, makers[0].name
	}
	kind := inventory.Product
	if waste {
		kind = inventory.Waste
	}
	out.Flow, out.Input = productKey(x.Name), !waste
	if x.Section == "Avoided products" {
		out.Role = inventory.Avoided
	}
	if len(makers) > 0 {
		return // the process that makes it declares it
	}
	d.declare(inventory.Flow{Key: out.Flow, Name: x.Name, Kind: kind, Where: out.Where})
	if !d.unlinked[x.Name] {
		d.unlinked[x.Name] = true
		d.to.Note(ingest.Unlinked, out.Where, fmt.Sprintf("no process of the export makes %q", x.Name), "export it with its processes, or import the library that holds it as well")
	}
}

// elementary declares a flow from or to nature and returns its key: the
// substance's UUID where it has one, which is the same in all subcompartments.
func (a *adapter) elementary(compartment, sub, name, cas string, at inventory.Where) string {
	if s := strings.ToLower(sub); s == "(unspecified)" || s == "unspecified" {
		sub = ""
	}
	known := a.substances[compartment+"\x00"+name]
	known.used = true
	a.substances[compartment+"\x00"+name] = known
	key := inventory.Key("simapro", "elementary", compartment, sub, name)
	if known.id != "" && sub == "" {
		key = known.id
	} else if known.id != "" {
		key = inventory.Key("simapro", "elementary", known.id, sub)
	}
	if known.cas != "" {
		cas = known.cas
	}
	if cas != "" && !casNumber.MatchString(cas) {
		a.to.Drop("CAS numbers that are none", at)
		cas = ""
	}
	a.declare(inventory.Flow{Key: key, Name: name, Kind: inventory.Elementary, Compartment: []string{compartment, sub}, CAS: cas, Unit: known.unit, Where: at})
	return key
}

// uncertainty reads SimaPro's parameters: of a lognormal distribution the
// square of the geometric deviation, of a normal one twice the deviation.
func (d *dataset) uncertainty(x Exchange, amount float64, at inventory.Where) inventory.Uncertainty {
	u := x.Uncertainty
	var values [3]float64
	for i, n := range []Number{u.Spread, u.Minimum, u.Maximum} {
		v, err := d.value(n)
		if err != nil {
			d.to.Drop("uncertainties that cannot be evaluated", at)
			return inventory.Uncertainty{}
		}
		values[i] = v
	}
	switch strings.ToLower(u.Kind) {
	case "", "undefined":
		return inventory.Uncertainty{}
	case "lognormal":
		return inventory.Lognormal(amount, math.Sqrt(values[0]))
	case "normal":
		return inventory.Normal(amount, values[0]/2)
	case "triangle":
		return inventory.Triangular(values[1], amount, values[2])
	case "uniform":
		return inventory.Uniform(values[1], values[2])
	}
	d.to.Drop(fmt.Sprintf("uncertainties of the kind %q", u.Kind), at)
	return inventory.Uncertainty{}
}

// fractions sends the waste of a scenario to its treatments: separated waste by
// its share of all, remaining waste by its share of what is left.
func (d *dataset) fractions() {
	left := 100.0
	for _, remaining := range []bool{false, true} {
		part := left
		for _, f := range d.process.Fractions {
			if f.Remaining == remaining {
				left -= d.fraction(f, part)
			}
		}
	}
}

// fraction returns the percents of all waste that it takes.
func (d *dataset) fraction(f Fraction, of float64) float64 {
	at := d.adapter.at(f.Line, d.process.name())
	percent, err := d.value(f.Percent)
	switch {
	case err != nil:
		d.unsolved(at, f.Treatment, f.Percent, err)
		return 0
	case f.Percent.Missing || f.Treatment == "":
		d.to.Skip(ingest.Exchanges, at, "the fraction has no treatment or no share", "")
		return 0
	case !anyWaste(f.WasteType):
		d.to.Skip(ingest.Exchanges, at, fmt.Sprintf("how much of the waste is %q is not known, so that the share going to %q is not either", f.WasteType, f.Treatment), "")
		return 0
	}
	share := percent * of / 100
	x := Exchange{Line: f.Line, Section: "Waste to treatment", Name: f.Treatment}
	out := inventory.Exchange{Amount: share * d.amount / 100, Unit: d.process.Products[0].Unit, Where: at}
	d.technical(x, &out)
	d.out.Exchanges = append(d.out.Exchanges, out)
	return share
}

func anyWaste(kind string) bool {
	switch strings.ToLower(kind) {
	case "", "all waste types", "not defined", "unspecified":
		return true
	}
	return false
}

func (a *adapter) method(m Method) {
	at := a.at(m.Line, m.Name)
	for _, odd := range m.Odd {
		a.to.Skip("sections", a.at(odd.Line, m.Name), odd.What, "")
	}
	key := inventory.Key("simapro", "method", m.Name, m.Version)
	if _, ok := lci.ParseID(m.PlatformID); ok {
		key = m.PlatformID
	}
	if before, twice := a.seen[key]; twice {
		a.to.Skip(ingest.Methods, at, fmt.Sprintf("the method stands in %s already, which counts", before.File), "")
		return
	}
	a.seen[key] = at
	a.to.Method(inventory.Method{Key: key, Name: m.Name, Version: m.Version, Where: at})
	if m.Comment != "" {
		a.to.Drop("comments of methods", at)
	}
	if len(m.Fields) > 0 {
		a.to.Drop("settings of methods", at)
	}
	byName := map[string][]inventory.Factor{}
	for _, c := range m.Categories {
		factors := a.factors(m, c)
		byName[c.Name] = factors
		a.to.Indicator(inventory.Indicator{Key: inventory.Key(key, "impact", c.Name), Method: key, Category: c.Name, Name: c.Name, Unit: c.Unit, Factors: factors, Where: a.at(c.Line, m.Name)})
	}
	for _, c := range m.Damages {
		a.damage(key, m, c, byName)
	}
	for _, s := range m.Sets {
		a.to.SkipAll("normalization and weighting factors", len(s.Normalization)+len(s.Weighting), a.at(s.Line, s.Name), "the catalogue has no place for them")
	}
}

func (a *adapter) factors(m Method, c ImpactCategory) []inventory.Factor {
	var list []inventory.Factor
	for _, f := range c.Factors {
		at := a.at(f.Line, c.Name)
		amount, err := a.evaluate(f.Amount)
		if err != nil || f.Amount.Missing || f.Substance == "" {
			a.to.Skip(ingest.Factors, at, fmt.Sprintf("the factor of %q is missing or cannot be evaluated", f.Substance), "")
			continue
		}
		flow := a.elementary(strings.ToLower(f.Compartment), f.Subcompartment, f.Substance, f.CAS, at)
		list = append(list, inventory.Factor{Flow: flow, Amount: amount, Unit: f.Unit, Where: at})
	}
	return list
}

func (a *adapter) evaluate(n Number) (float64, error) {
	if n.Formula != "" {
		return a.project.Eval(n.Formula)
	}
	return n.Value, nil
}

// damage makes an indicator of a damage category: each flow's factors under the
// categories it sums up, times theirs.
func (a *adapter) damage(key string, m Method, c DamageCategory, byName map[string][]inventory.Factor) {
	at := a.at(c.Line, m.Name)
	sums := map[string]*inventory.Factor{}
	var order []string
	for _, w := range c.Factors {
		weight, err := a.evaluate(w.Amount)
		factors, known := byName[w.Category]
		if err != nil || !known {
			a.to.Note(ingest.Missing, a.at(w.Line, c.Name), fmt.Sprintf("the damage category sums up %q, which is not there or has no factor", w.Category), "")
			continue
		}
		for _, f := range factors {
			id := f.Flow + "\x00" + f.Unit
			if sums[id] == nil {
				sums[id] = &inventory.Factor{Flow: f.Flow, Unit: f.Unit, Where: at}
				order = append(order, id)
			}
			sums[id].Amount += weight * f.Amount
		}
	}
	list := make([]inventory.Factor, 0, len(order))
	for _, id := range order {
		list = append(list, *sums[id])
	}
	a.to.Indicator(inventory.Indicator{Key: inventory.Key(key, "damage", c.Name), Method: key, Category: "Damage assessment", Name: c.Name, Unit: c.Unit, Factors: list, Where: at})
}
