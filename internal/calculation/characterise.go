package calculation

import (
	"cmp"
	"fmt"
	"slices"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// characterise gives elementary flows their unit, their side and their factors.
func (m *model) characterise() {
	units := m.countElementary()
	var flows []lci.Flow // by their place
	for i := range m.flows {
		flows = append(flows, m.settleFlow(&m.flows[i], units[int32(i)]))
	}
	own := m.flowsByLibrary()
	for _, method := range m.matchers() {
		m.characteriseBy(method, flows, own)
	}
	m.convertElementary()
}

// settleFlow determines the unit and the side of an elementary flow, and returns
// what is known of it.
func (m *model) settleFlow(f *flow, units map[int32]int) lci.Flow {
	if f.inputs+f.outputs == 0 {
		return lci.Flow{}
	}
	known, isKnown := m.described[f.id]
	resource, sided := flowmatch.Side(known.Compartment)
	f.resource = resource
	if !sided {
		f.resource = f.inputs > f.outputs
	}
	f.unit = mostCommon(units, m.texts.all)
	if isKnown && known.Unit != "" {
		f.unit = m.texts.number(known.Unit)
	}
	if !isKnown {
		known = lci.Flow{ID: f.id, Type: lci.Elementary, Unit: m.texts.all[f.unit]}
	}
	return known
}

// characteriseBy gives flows their factors under one method. If a library shares
// the method's nomenclature, a flow whose id the method does not have gets no
// factor: the method left it out on purpose.
func (m *model) characteriseBy(method matched, flows []lci.Flow, own libraryFlows) {
	matches := make([][]flowmatch.Match, len(flows))
	for i := range m.flows {
		if f := &m.flows[i]; f.inputs+f.outputs > 0 {
			matches[i] = method.Match(flows[i])
		}
	}
	shared := m.sharedNomenclatures(method, matches, own)
	for i := range m.flows {
		f := &m.flows[i]
		if f.inputs+f.outputs == 0 {
			continue
		}
		if shared[f.origin] {
			matches[i] = slices.DeleteFunc(matches[i], func(m flowmatch.Match) bool { return !m.Route.IsCertain() })
		}
		method.coverage.Add(flows[i], f.inputs+f.outputs, m.addFactors(f, method, matches[i]))
	}
	of := method.coverage
	of.Finish()
	if of.Flows.All > 0 && of.Flows.Matched == 0 {
		m.notes.add(ingest.Uncharacterised, of.Name+" "+of.Version, "no factor for any elementary flow; all scores are 0",
			"map the flows with --mapping, or import a library that describes them", "")
	}
	m.coverage = append(m.coverage, *of)
}

// sharedNomenclatures returns which origins use the method's own flows: those
// with a library that also brought the method, and those where most flows that
// match do so by id. Matches by name with a flow of the same library do not
// count: the library itself tells them apart.
func (m *model) sharedNomenclatures(method matched, matches [][]flowmatch.Match, own libraryFlows) []bool {
	all, byID := map[lci.ID]int{}, map[lci.ID]int{}
	for library, flows := range own {
		for _, i := range flows {
			found := matches[i]
			switch {
			case len(found) == 0:
			case found[0].Route == flowmatch.ByID:
				all[library]++
				byID[library]++
			default:
				if _, both := flows[found[0].Parts[0].Flow]; !both {
					all[library]++
				}
			}
		}
	}
	shared := make([]bool, len(m.origins))
	for origin := range shared {
		shared[origin] = slices.ContainsFunc(m.librariesOf(int32(origin)), func(library lci.ID) bool {
			return 2*byID[library] > all[library] || slices.Contains(method.libraries, library)
		})
	}
	return shared
}

// libraryFlows are the elementary flows of each library, with one of their
// places in the model.
type libraryFlows map[lci.ID]map[lci.ID]int

func (m *model) flowsByLibrary() libraryFlows {
	own := libraryFlows{}
	for i := range m.flows {
		f := &m.flows[i]
		if f.inputs+f.outputs == 0 {
			continue
		}
		for _, library := range m.librariesOf(f.origin) {
			if own[library] == nil {
				own[library] = map[lci.ID]int{}
			}
			own[library][f.id] = i
		}
	}
	return own
}

// librariesOf are the libraries of an origin. Records from before libraries were
// distinguished belong to one library.
func (m *model) librariesOf(origin int32) []lci.ID {
	if int(origin) < len(m.origins) && len(m.origins[origin]) > 0 {
		return m.origins[origin]
	}
	return []lci.ID{{}}
}

// countElementary counts the sides and units in which elementary flows are
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

// matched is a method's part in the characterisation.
type matched struct {
	*flowmatch.Matcher
	libraries  []lci.ID
	indicators place // of the model's
	coverage   *flowmatch.Coverage
}

// matchers returns, for each method, what finds the factors of flows.
func (m *model) matchers() []matched {
	flows := make([][]lci.Flow, len(m.methods))
	for id, factors := range m.factors {
		known, ok := m.described[id]
		if !ok {
			known = lci.Flow{ID: id}
		}
		last := -1
		for _, f := range factors { // in the order of indicators, which is that of methods
			if method := m.indicators[f.indicator].method; method != last {
				flows[method] = append(flows[method], known)
				last = method
			}
		}
	}
	matching := flowmatch.NewMatching(m.mappings)
	all := make([]matched, len(m.methods))
	for i, method := range m.methods {
		slices.SortFunc(flows[i], func(a, b lci.Flow) int { return a.ID.Compare(b.ID) })
		all[i] = matched{Matcher: matching.Method(flows[i]), libraries: m.broughtBy[method.ID], coverage: flowmatch.NewCoverage(method)}
	}
	for k, of := range m.indicators {
		if in := &all[of.method].indicators; in.len() == 0 {
			*in = place{int32(k), int32(k + 1)}
		} else {
			in.to++
		}
	}
	return all
}

// addFactors adds a flow's factors under a method, for each indicator that of
// the best match with one, and returns by which route they were found.
func (m *model) addFactors(f *flow, method matched, matches []flowmatch.Match) flowmatch.Route {
	var by flowmatch.Route
	for k := method.indicators.from; k < method.indicators.to && len(matches) > 0; k++ {
		if value, route, ok := m.factorUnder(k, matches); ok {
			f.factors, by = append(f.factors, factor{k, value}), route
		}
	}
	return by
}

func (m *model) factorUnder(indicator int32, matches []flowmatch.Match) (value float64, by flowmatch.Route, found bool) {
	for _, match := range matches {
		for _, part := range match.Parts {
			factors := m.factors[part.Flow]
			at, ok := slices.BinarySearchFunc(factors, indicator, func(f factor, k int32) int { return int(f.indicator - k) })
			if ok {
				value, found = value+part.Times*factors[at].value, true
			}
		}
		if found {
			return value, match.Route, true
		}
	}
	return 0, "", false
}

// convertElementary converts elementary exchanges to the units of their flows.
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
				fmt.Sprintf("its unit is %q, but its factors are per %q; left out", m.unitOf(x), m.texts.all[m.flows[x.flow].unit]),
				"use a unit of the same kind", m.processes[x.process].label)
		}
	}
}
