package inventory

import (
	"fmt"
	"math"
	"slices"

	"cradle/internal/formula"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// maxFlowProperties is more than any flow has. Each exchange searches through
// them.
const maxFlowProperties = 200

// A Builder takes a library's records, in any order. It keeps the first
// description of a record and reports the others.
type Builder struct {
	progress ingest.Progress
	notes    []ingest.Warning
	drops    map[string]*drop
	dropped  []string // keys of drops in order of appearance
	places   places
	account  ingest.Outcome

	texts      interned // units, properties, providers: few and often repeated
	groups     map[string]*UnitGroup
	unitsOf    map[*UnitGroup]map[string]*Unit // by key, name and synonym
	unitKeys   map[string]unitPlace
	properties map[string]*FlowProperty

	flows       []*flow
	flowAt      map[string]uint32
	processes   []*process
	processAt   map[string]uint32
	exchanges   []exchange
	extras      []extra
	spreads     []Uncertainty
	methods     []*method
	methodAt    map[string]*method
	indicators  []*indicator
	indicatorAt map[string]*indicator
	providers   map[uint32]lci.ID // of texts, once the library is read
	materials   []*material
	materialAt  map[lci.ID]*material
	parameters  []Parameter
	syntax      formula.Syntax
}

// A drop counts a field that the catalogue does not have.
type drop struct {
	first Where
	count int
}

type flow struct {
	Flow
	id       lci.ID
	unit     string // the reference unit's name
	ref      FlowAmount
	traded   bool // a process exchanges it
	used     bool // something named it
	nameless bool // only its id is known
	material bool
	known    []Property
}

type process struct {
	Process
	id          lci.ID
	first, last uint32 // its exchanges
	sharing     lci.Sharing
}

// exchange is an Exchange in less than a hundred bytes.
type exchange struct {
	id             lci.ID
	amount         float64
	flow           uint32
	unit, property uint32 // of texts
	provider       uint32 // of texts
	line           uint32
	extra, spread  uint32 // index in extras and spreads plus one, 0 for none
	role           Role
	input          bool
	skip           bool // it cannot be made a row
}

// extra holds what few exchanges have.
type extra struct {
	formula, variable string
	noAmount          bool
	worth, share      *float64
	shares            []Share
}

type method struct {
	Method
	id lci.ID
}

type indicator struct {
	Indicator
	id      lci.ID
	method  *method
	factors []factor
	local   map[string]bool // keys of flows with factors for places
}

// factor is a Factor in less than a hundred bytes.
type factor struct {
	amount         float64
	flow           uint32
	unit, property uint32 // of texts
	line           uint32
	formula        string // to be evaluated
	skip           bool
}

type material struct {
	Material
	id lci.ID
}

func newBuilder(progress ingest.Progress) *Builder {
	b := &Builder{
		progress: progress, drops: map[string]*drop{}, account: ingest.Outcome{},
		groups: map[string]*UnitGroup{}, unitsOf: map[*UnitGroup]map[string]*Unit{}, unitKeys: map[string]unitPlace{}, properties: map[string]*FlowProperty{},
		flowAt: map[string]uint32{}, processAt: map[string]uint32{}, methodAt: map[string]*method{}, indicatorAt: map[string]*indicator{}, materialAt: map[lci.ID]*material{},
	}
	b.texts.at("")
	return b
}

// Progress reports how much of the library was read.
func (b *Builder) Progress(done, total int64) { b.progress(done, total) }

// Note adds a note that is no reason to refuse the library.
func (b *Builder) Note(class ingest.Class, at Where, message, suggestion string) {
	w := ingest.Warning{File: at.File, Line: at.Line, Record: at.Record, Class: class, Message: message, Suggestion: suggestion}
	if at.Process != "" {
		w.In = []string{at.Process}
	}
	b.notes = append(b.notes, w)
}

// Skip counts a record that was read and cannot be stored, and notes why. Kind
// is one of package ingest or any other plural noun.
func (b *Builder) Skip(kind ingest.Kind, at Where, why, suggestion string) {
	b.count(kind, 1, 0, 1)
	b.Note(ingest.Dropped, at, why, suggestion)
}

// SkipAll counts n records of a kind that the catalogue does not have, in one
// note.
func (b *Builder) SkipAll(kind ingest.Kind, n int, at Where, why string) {
	if n > 0 {
		b.count(kind, n, 0, n)
		b.Note(ingest.Dropped, at, fmt.Sprintf("%d %s: %s", n, kind, why), "")
	}
}

// Drop counts a field that was read and that the catalogue does not have, such
// as "exchange comments". All drops of a field share one note.
func (b *Builder) Drop(field string, at Where) {
	d := b.drops[field]
	if d == nil {
		d = &drop{first: at}
		b.drops[field] = d
		b.dropped = append(b.dropped, field)
	}
	d.count++
}

func (b *Builder) count(kind ingest.Kind, read, stored, skipped int) {
	c := b.account[kind]
	b.account[kind] = ingest.Count{Read: c.Read + read, Stored: c.Stored + stored, Skipped: c.Skipped + skipped}
}

// Flow adds a flow.
func (b *Builder) Flow(f Flow) {
	if !f.Mentioned {
		b.count(ingest.Flows, 1, 0, 0)
	}
	if flaw := f.flaw(); flaw != "" && !f.Mentioned {
		b.unread(f.Where, "%s", flaw)
		return
	}
	i, there := b.flowAt[f.Key]
	switch {
	case !there:
		b.addFlow(f)
	case b.flows[i].Mentioned && !f.Mentioned:
		b.flows[i].Flow = b.soundFlow(f)
	case !f.Mentioned:
		b.flowAgain(b.flows[i], f)
	}
}

// flowAgain keeps the newer of two descriptions, else the first.
func (b *Builder) flowAgain(old *flow, f Flow) {
	if f.edition().Compare(old.edition()) == 0 {
		b.count(ingest.Flows, -1, 0, 0) // the same flow is counted once
	} else if b.twice("flow", old.Where, old.edition(), f.Where, f.edition()) {
		old.Flow = b.soundFlow(f)
	}
}

func (b *Builder) addFlow(f Flow) uint32 {
	i := uint32(len(b.flows))
	b.flows = append(b.flows, &flow{Flow: b.soundFlow(f), id: identify("flow", f.Key)})
	b.flowAt[f.Key] = i
	return i
}

func (b *Builder) soundFlow(f Flow) Flow {
	f.Name = b.title(f.Name, f.Where)
	f.Version, f.Changed = statedVersion(f.Version), moment(f.Changed)
	f.Properties = b.soundAmounts(f)
	return f
}

// flowKeyed returns the index of a flow, and adds an empty one if it is not
// there yet.
func (b *Builder) flowKeyed(key string, at Where) uint32 {
	if i, ok := b.flowAt[key]; ok {
		return i
	}
	return b.addFlow(Flow{Key: key, Mentioned: true, Where: at})
}

// FlowProperty adds a flow property. Its UnitGroup may be "" if only the name is
// known: common ones are known by key and name.
func (b *Builder) FlowProperty(p FlowProperty) {
	if old := b.properties[p.Key]; old == nil || old.UnitGroup == "" && (p.UnitGroup != "" || old.Name == "") {
		b.properties[p.Key] = &p
	}
}

// Process adds a dataset. It does not keep its slices.
func (b *Builder) Process(p Process) {
	b.count(ingest.Processes, 1, 0, 0)
	b.count(ingest.Exchanges, len(p.Exchanges), 0, 0)
	b.count(ingest.Impacts, len(p.Results), 0, 0)
	if at, flaw := p.flaw(); flaw != "" {
		at.Process = b.title(p.Name, p.Where)
		b.unread(at, "%s", flaw)
		return
	}
	i, twice := b.processAt[p.Key]
	switch {
	case !twice:
		b.processAt[p.Key] = uint32(len(b.processes))
		b.processes = append(b.processes, b.soundProcess(p))
	case b.twice("process", b.processes[i].Where, b.processes[i].edition(), p.Where, p.edition()):
		clear(b.exchanges[b.processes[i].first:b.processes[i].last])
		b.processes[i] = b.soundProcess(p)
	}
}

func (b *Builder) soundProcess(p Process) *process {
	kept := &process{Process: p, id: identify("process", p.Key), first: uint32(len(b.exchanges))}
	kept.Name = b.title(p.Name, p.Where)
	kept.Where.Process = kept.Name
	for i := range p.Exchanges {
		b.exchange(&p.Exchanges[i], p.Where, i)
	}
	kept.Exchanges = nil
	kept.Description, kept.Organization = b.text(p.Description, p.Where), b.title(p.Organization, p.Where)
	kept.Location = b.title(p.Location, p.Where)
	kept.Version, kept.Changed = statedVersion(p.Version), moment(p.Changed)
	kept.Results = slices.DeleteFunc(slices.Clone(p.Results), func(r Result) bool {
		if !finite(r.Amount) {
			b.unread(orElse(r.Where, p.Where), "a result is %v", r.Amount)
		}
		return !finite(r.Amount)
	})
	kept.last = uint32(len(b.exchanges))
	return kept
}

func (b *Builder) exchange(x *Exchange, in Where, n int) {
	at := x.place(in, n)
	e := exchange{
		amount: x.Amount, flow: b.flowKeyed(x.Flow, at), unit: b.texts.at(x.Unit), property: b.texts.at(x.Property),
		provider: b.texts.at(x.Provider), line: uint32(x.Where.Line), role: x.Role, input: x.Input,
	}
	if id, ok := lci.ParseID(x.ID); ok {
		e.id = id
	}
	if x.Formula != "" && x.NoAmount || x.Variable != "" || x.NoAmount || x.Worth != nil || x.Share != nil || len(x.Shares) > 0 {
		kept := extra{variable: x.Variable, noAmount: x.NoAmount, worth: x.Worth, share: x.Share, shares: x.Shares}
		if x.NoAmount {
			kept.formula = x.Formula
		}
		b.extras = append(b.extras, kept)
		e.extra = uint32(len(b.extras))
	}
	switch {
	case x.Uncertainty.unusable():
		b.Drop(fmt.Sprintf("%s uncertainties with invalid numbers", x.Uncertainty.Distribution), at)
	case x.Uncertainty.Distribution != lci.Certain:
		b.spreads = append(b.spreads, x.Uncertainty)
		e.spread = uint32(len(b.spreads))
	}
	b.exchanges = append(b.exchanges, e)
}

// Method adds a characterization method.
func (b *Builder) Method(m Method) {
	b.count(ingest.Methods, 1, 0, 0)
	if flaw := m.flaw(); flaw != "" {
		b.unread(m.Where, "%s", flaw)
		return
	}
	old := b.methodAt[m.Key]
	if old == nil {
		b.addMethod(m)
	} else if m = b.soundMethod(m); b.twice("method", old.Where, old.edition(), m.Where, m.edition()) {
		old.Method = m
	}
}

func (b *Builder) soundMethod(m Method) Method {
	m.Name, m.Version = b.title(m.Name, m.Where), First(b.title(m.Version, m.Where), lci.Unspecified)
	m.Changed = moment(m.Changed)
	return m
}

func (b *Builder) addMethod(m Method) *method {
	m = b.soundMethod(m)
	kept := &method{Method: m, id: identify("method", m.Key)}
	b.methods = append(b.methods, kept)
	b.methodAt[m.Key] = kept
	return kept
}

// Indicator adds an impact category with its factors.
func (b *Builder) Indicator(i Indicator) {
	b.count(ingest.Indicators, 1, 0, 0)
	b.count(ingest.Factors, len(i.Factors), 0, 0)
	if at, flaw := i.flaw(); flaw != "" {
		b.unread(at, "%s", flaw)
		return
	}
	i.Name, i.Category, i.Unit = b.title(i.Name, i.Where), b.title(i.Category, i.Where), First(b.title(i.Unit, i.Where), lci.Unspecified)
	if i.Category == "" {
		i.Category = i.Name
	}
	kept := &indicator{Indicator: i, factors: make([]factor, 0, len(i.Factors))}
	for n := range i.Factors {
		b.factorOf(kept, &i.Factors[n])
	}
	kept.Factors = nil
	b.indicators = append(b.indicators, kept)
	if b.indicatorAt[i.Key] == nil {
		b.indicatorAt[i.Key] = kept
	}
}

func (b *Builder) factorOf(i *indicator, f *Factor) {
	at := orElse(f.Where, i.Where)
	if !IsEverywhere(f.Location) {
		b.places.add(f.Location, at)
		if i.local == nil {
			i.local = map[string]bool{}
		}
		i.local[f.Flow] = true
		return
	}
	kept := factor{amount: f.Amount, flow: b.flowKeyed(f.Flow, at), unit: b.texts.at(f.Unit), property: b.texts.at(f.Property), line: uint32(f.Where.Line)}
	if f.NoAmount {
		kept.formula = f.Formula
	}
	kept.skip = f.NoAmount && f.Formula == ""
	b.flows[kept.flow].used = true
	i.factors = append(i.factors, kept)
}

func orElse(at, otherwise Where) Where {
	if at == (Where{}) {
		return otherwise
	}
	return at
}

func (w Where) place() string {
	place := w.File
	if w.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, w.Line)
	}
	if w.Record != "" {
		place += " (" + w.Record + ")"
	}
	return place
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
