package calculation

import (
	"cmp"
	"fmt"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// characterise gives elementary flows their unit, their side and their factors.
func (m *model) characterise(newMatcher func([]lci.Flow) Matcher) {
	units := m.countElementary()
	match := m.matcher(newMatcher)
	for i := range m.flows {
		f := &m.flows[i]
		if f.inputs+f.outputs == 0 {
			continue
		}
		known, isKnown := m.described[f.id]
		resource, sided := nature(known.Compartment)
		f.resource = resource
		if !sided {
			f.resource = f.inputs > f.outputs
		}
		f.unit = mostCommon(units[int32(i)], m.texts.all)
		if isKnown && known.Unit != "" {
			f.unit = m.texts.number(known.Unit)
		}
		if !isKnown {
			known = lci.Flow{ID: f.id, Type: lci.Elementary, Unit: m.texts.all[f.unit]}
		}
		f.factors = match(known)
	}
	m.convertElementary()
}

// countElementary counts on which side and in which units elementary flows are
// exchanged.
func (m *model) countElementary() map[int32]map[int32]int {
	units := map[int32]map[int32]int{}
	for i := range m.exchanges {
		x := &m.exchanges[i]
		if x.kind != lci.Elementary || x.reference {
			continue
		}
		if x.direction == lci.Input {
			m.flows[x.flow].inputs++
		} else {
			m.flows[x.flow].outputs++
		}
		if units[x.flow] == nil {
			units[x.flow] = map[int32]int{}
		}
		units[x.flow][x.unit]++
	}
	return units
}

func mostCommon(counts map[int32]int, texts []string) int32 {
	best := none
	for unit, n := range counts {
		if best == none || cmp.Or(cmp.Compare(n, counts[best]), cmp.Compare(texts[best], texts[unit])) > 0 {
			best = unit
		}
	}
	return best
}

// matcher finds factors by a flow's id, else by the other routes.
func (m *model) matcher(newMatcher func([]lci.Flow) Matcher) func(lci.Flow) []factor {
	var other Matcher
	if newMatcher != nil {
		var characterised []lci.Flow
		for id := range m.factors {
			if f, ok := m.described[id]; ok {
				characterised = append(characterised, f)
			}
		}
		slices.SortFunc(characterised, func(a, b lci.Flow) int { return a.ID.Compare(b.ID) })
		other = newMatcher(characterised)
	}
	return func(f lci.Flow) []factor {
		if found, ok := m.factors[f.ID]; ok || other == nil {
			return found
		}
		id, times, ok := other.Match(f)
		if !ok {
			return nil
		}
		found := slices.Clone(m.factors[id])
		for i := range found {
			found[i].value *= times
		}
		return found
	}
}

// convertElementary gives elementary exchanges in the units of their flows.
func (m *model) convertElementary() {
	for i := range m.exchanges {
		x := &m.exchanges[i]
		if x.kind != lci.Elementary || x.reference {
			continue
		}
		var ok bool
		x.times, ok = convert(m.unitOf(x), m.texts.all[m.flows[x.flow].unit])
		if !ok {
			x.unlinked, x.times = true, 0
			m.notes.add(ingest.UnknownUnit, m.texts.all[x.name],
				fmt.Sprintf("it is given in %s, its factors are for %s; it is left out", m.unitOf(x), m.texts.all[m.flows[x.flow].unit]),
				"give it in a unit of the same kind", m.processes[x.process].name)
		}
	}
}
