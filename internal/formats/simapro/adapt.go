package simapro

import (
	"fmt"
	"strings"

	"cradle/internal/allocation"
	"cradle/internal/formula"
	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// An adapter passes the datasets of one export on to the Builder.
type adapter struct {
	*references
	to     *inventory.Builder
	file   string
	failed bool
}

// shared is what the exports of a library share.
type shared struct {
	producers map[string][]producer      // by product
	made      map[string]bool            // products with the processes that make them
	declared  map[string]bool            // flows already passed on
	unlinked  map[string]bool            // products reported to have no producer
	seen      map[string]inventory.Where // processes and methods
}

func newShared() *shared {
	return &shared{producers: map[string][]producer{}, made: map[string]bool{}, declared: map[string]bool{}, unlinked: map[string]bool{}, seen: map[string]inventory.Where{}}
}

func (a *adapter) at(line int, record string) inventory.Where {
	return inventory.Where{File: a.file, Line: line, Record: record}
}

// begin passes on what applies to the whole export.
func (a *adapter) begin() {
	for _, g := range a.groups {
		g.Where.File = a.file
		a.to.UnitGroup(g)
	}
}

// end reports what was not used in the export.
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
	a.to.SkipAll("substances", idle, a.at(0, ""), "no process or method of the export uses them")
	a.to.SkipAll("literature references", unused, a.at(0, ""), "no process refers to them")
	a.to.SkipAll("system descriptions", a.systems, a.at(0, ""), "the catalogue does not store them")
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
			a.to.Skip("blocks", a.at(b.Line, b.Kind), "this block of SimaPro is not supported", "")
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
		a.to.Skip(ingest.Processes, at, fmt.Sprintf("the process is already in %s, which is used", before.File), "")
		a.to.SkipAll(ingest.Exchanges, len(p.Products)+len(p.Exchanges)+len(p.Fractions), at, "of a process that was read already")
		return
	}
	a.seen[p.key()] = at
	out := inventory.Process{
		Allocation: allocation.Physical,
		Key:        p.key(), Name: p.name(), Description: a.description(p), Location: p.place(), Date: h.day(p.Date), Sources: a.sources(p),
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

// description joins the documentation of a process.
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

// sources are the links of a process's literature, or its titles.
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

// elementary declares an elementary flow and returns its key: the substance's
// UUID if it has one, which is the same in all subcompartments.
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
		a.to.Drop("invalid CAS numbers", at)
		cas = ""
	}
	a.declare(inventory.Flow{Key: key, Name: name, Kind: inventory.Elementary, Compartment: []string{compartment, sub}, CAS: cas, Unit: known.unit, Where: at})
	return key
}
