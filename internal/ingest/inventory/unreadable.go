package inventory

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// Unreadable notes a record that cannot be read and is left out. Kind is one of
// package ingest or any other plural noun, such as "files".
func (b *Builder) Unreadable(kind ingest.Kind, at Where, format string, args ...any) {
	b.count(kind, 1, 0, 1)
	b.unread(at, format, args...)
}

// unread notes a record that was counted, or a part of one.
func (b *Builder) unread(at Where, format string, args ...any) {
	b.Note(ingest.Unreadable, at, fmt.Sprintf(format, args...), "")
}

// Older counts a record that is older than another version of it.
func (b *Builder) Older(kind ingest.Kind, at Where, why string) {
	b.count(kind, 1, 0, 1)
	b.Note(ingest.Outdated, at, why, "")
}

// twice decides which of two records with one id stays, notes the other, and
// reports whether the second stays.
func (b *Builder) twice(what string, first Where, was lci.Edition, second Where, is lci.Edition) bool {
	switch c := is.Compare(was); {
	case c > 0:
		b.Note(ingest.Outdated, first, fmt.Sprintf("is older (%s) than %s (%s), which is used", was, second.place(), is), "")
		return true
	case c < 0:
		b.Note(ingest.Outdated, second, fmt.Sprintf("is older (%s) than %s (%s), which is used", is, first.place(), was), "")
	default:
		b.unread(second, "is the same %s as %s: ids must be unique", what, first.place())
	}
	return false
}

// flaw returns where and why a process cannot be read. A process with an unknown
// amount is left out completely: its scores would be wrong.
func (p *Process) flaw() (Where, string) {
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		switch {
		case x.Flaw != "":
			return x.place(p.Where, i), x.Flaw
		case !finite(x.Amount):
			return x.place(p.Where, i), fmt.Sprintf("the amount is %v", x.Amount)
		}
	}
	if strings.TrimSpace(p.Name) == "" {
		return p.Where, "the process has no name"
	}
	return p.Where, flawOf([]string{p.Name, p.Description, p.Organization, p.Location}, p.Sources, p.Classification)
}

func (x *Exchange) place(in Where, n int) Where {
	if x.Where.File != "" {
		return x.Where
	}
	return Where{File: in.File, Line: in.Line, Record: fmt.Sprintf("%s, exchange %d", in.Record, n+1)}
}

func (f *Flow) flaw() string {
	if len(f.Properties) > maxFlowProperties {
		return fmt.Sprintf("the flow has more than %d flow properties", maxFlowProperties)
	}
	return flawOf([]string{f.Name, f.CAS, f.Location, f.Source}, f.Synonyms, f.Classification, f.Compartment)
}

func (m *Material) flaw() string {
	if strings.TrimSpace(m.Name) == "" {
		return "the material has no name"
	}
	return flawOf([]string{m.Name, m.Source, m.Organization, m.FunctionalUnit}, m.Locations, m.Classification)
}

func (p *Property) flaw() string {
	if !finite(p.Value) {
		return fmt.Sprintf("the value of %q is %v", p.Name, p.Value)
	}
	return flawOf([]string{p.Name, p.Unit, p.Source, p.Description})
}

func (m *Method) flaw() string {
	if strings.TrimSpace(m.Name) == "" {
		return "the method has no name"
	}
	return flawOf([]string{m.Name, m.Version})
}

// flaw returns why an indicator cannot be read. Without one of its factors its
// scores would be wrong.
func (i *Indicator) flaw() (Where, string) {
	for n := range i.Factors {
		switch f := &i.Factors[n]; {
		case f.Flaw != "":
			return orElse(f.Where, i.Where), f.Flaw
		case !finite(f.Amount):
			return orElse(f.Where, i.Where), fmt.Sprintf("factor %d is %v", n+1, f.Amount)
		}
	}
	if strings.TrimSpace(i.Name) == "" {
		return i.Where, "the indicator has no name"
	}
	return i.Where, flawOf([]string{i.Name, i.Category, i.Unit})
}

// flawOf returns why one of the texts cannot be stored, "" if all can.
func flawOf(lists ...[]string) string {
	for _, texts := range lists {
		for _, s := range texts {
			switch {
			case !utf8.ValidString(s):
				return "a text is not valid UTF-8"
			case strings.ContainsRune(s, 0):
				return "a text contains a NUL character"
			}
		}
	}
	return ""
}

// soundAmounts leaves out amounts that cannot convert; without the reference the
// others are useless, too.
func (b *Builder) soundAmounts(f Flow) []FlowAmount {
	isSound := func(p FlowAmount) bool { return finite(p.Factor) && p.Factor != 0 }
	if !slices.ContainsFunc(f.Properties, func(p FlowAmount) bool { return !isSound(p) }) {
		return f.Properties
	}
	var kept []FlowAmount
	for _, p := range f.Properties {
		if isSound(p) {
			kept = append(kept, p)
			continue
		}
		b.unread(f.Where, "the factor %v of a flow property cannot be used for conversion", p.Factor)
		if p.Reference {
			return nil
		}
	}
	return kept
}

// keepProcesses leaves out the processes that do not pass.
func (b *Builder) keepProcesses(passes func(*process) bool) {
	all := len(b.processes)
	b.processes = slices.DeleteFunc(b.processes, func(p *process) bool {
		if passes(p) {
			return false
		}
		clear(b.exchanges[p.first:p.last])
		return true
	})
	if len(b.processes) == all {
		return
	}
	clear(b.processAt)
	for i, p := range b.processes {
		b.processAt[p.Key] = uint32(i)
	}
}

// keepIndicators leaves out the indicators that do not pass.
func (b *Builder) keepIndicators(passes func(*indicator) bool) {
	b.indicators = slices.DeleteFunc(b.indicators, func(i *indicator) bool { return !passes(i) })
	clear(b.indicatorAt)
	for _, i := range b.indicators {
		if b.indicatorAt[i.Key] == nil {
			b.indicatorAt[i.Key] = i
		}
	}
}

// leaveOutOverflows leaves out amounts that overflow in the units of their
// flows.
func (b *Builder) leaveOutOverflows() {
	b.keepProcesses(func(p *process) bool {
		for i := p.first; i < p.last; i++ {
			e := &b.exchanges[i]
			f := b.flows[e.flow]
			if k, ok := b.factor(f, b.texts.all[e.unit], b.texts.all[e.property]); ok && !finite(e.amount*k) {
				b.unread(b.whereExchange(p, i), "the amount of %q is too large in %s", f.Name, f.unit)
				return false
			}
		}
		return true
	})
	b.keepIndicators(func(i *indicator) bool {
		for n, f := range i.factors {
			of := b.flows[f.flow]
			if k, ok := b.factor(of, b.texts.all[f.unit], b.texts.all[f.property]); ok && !finite(f.amount/k) {
				b.unread(b.whereFactor(i, n), "the factor of %q is too large per %s", of.Name, of.unit)
				return false
			}
		}
		return true
	})
}
