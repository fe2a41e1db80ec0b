// Package flowmatch finds the factors of an inventory's flows in a method that
// may come from another nomenclature. It is pure: flows in, matches out.
//
// Routes are tried in this order, and the first that finds something counts: the
// same id; a mapping; CAS number, name, then synonyms, each together with the
// compartment. A flow whose id a method has is never matched otherwise: if the
// method gives it no factor under an indicator, that is on purpose.
//
// Compartments are compared across nomenclatures, from fine to coarse: an
// emission to a river may be characterized as one to fresh water, or to water.
// The reverse would be a guess. See compartment.go.
//
// The origin of carbon is never confused; see origin in name.go.
package flowmatch

import (
	"cmp"
	"slices"

	"cradle/internal/lci"
	"cradle/internal/units"
)

// Route is how a match was found.
type Route string

const (
	ByID      Route = "id"
	ByMapping Route = "mapping"
	ByCAS     Route = "cas"
	ByName    Route = "name"
	BySynonym Route = "synonym"
)

// IsCertain reports whether the flows are stated to be the same.
func (r Route) IsCertain() bool { return r == ByID || r == ByMapping }

// Routes lists the routes in the order in which they are tried.
func Routes() []Route { return []Route{ByID, ByMapping, ByCAS, ByName, BySynonym} }

// A Match is the flow of a method that matches a flow of an inventory, or
// several that make it up.
type Match struct {
	Route Route
	Parts []Part
}

// A Part is a flow of a method.
type Part struct {
	Flow  lci.ID  // under which the method has factors
	Times float64 // converts an amount of the inventory's flow to the method's
}

// A Matching is what matchers of several methods share: mappings, and parsed
// names.
type Matching struct {
	mappings mappings
	names    map[string]name
	places   map[string]compartment
}

// NewMatching returns a matching with the mappings; of several for the same flow
// the first has priority.
func NewMatching(mappings []Mapping) *Matching {
	m := &Matching{names: map[string]name{}, places: map[string]compartment{}}
	m.addMappings(mappings)
	return m
}

func (m *Matching) name(text string) name {
	known, ok := m.names[text]
	if !ok {
		known = parseName(text)
		m.names[text] = known
	}
	return known
}

func (m *Matching) place(path string) compartment {
	known, ok := m.places[path]
	if !ok {
		known = parseCompartment(path)
		m.places[path] = known
	}
	return known
}

// A Matcher matches against the flows of one method.
type Matcher struct {
	*Matching
	known      map[lci.ID]lci.Flow
	substances map[string][]*target // by identifier, prefixed with a letter for the route
	longTerm   bool                 // the method has long-term emissions
}

// target is a flow of the method, parsed for comparison.
type target struct {
	flow   lci.Flow
	name   name
	origin origin
	place  compartment
}

// Method returns a matcher for the flows that a method has factors for. Flows of
// which only the id is known are matched only by id.
func (m *Matching) Method(flows []lci.Flow) *Matcher {
	of := &Matcher{Matching: m, known: make(map[lci.ID]lci.Flow, len(flows)), substances: map[string][]*target{}}
	for _, f := range flows {
		of.known[f.ID] = f
		if f.Name == "" {
			continue
		}
		of.add(f)
	}
	for _, targets := range of.substances {
		slices.SortFunc(targets, func(a, b *target) int { return a.flow.ID.Compare(b.flow.ID) })
	}
	return of
}

func (m *Matcher) add(f lci.Flow) {
	t := &target{flow: f, name: m.name(f.Name), place: m.place(f.Compartment)}
	t.origin = t.name.origin
	m.longTerm = m.longTerm || t.place.longTerm
	if number, ok := casKey(f.CAS); ok {
		m.put('c', number, t)
	}
	m.put('n', t.name.key, t)
	for _, s := range t.name.others {
		m.put('s', s, t)
	}
	for _, s := range f.Synonyms {
		if other := m.name(s); other.key != t.name.key {
			m.put('s', other.key, t)
		}
	}
}

func (m *Matcher) put(route byte, key string, t *target) {
	if key == "" {
		return
	}
	key = string(route) + key
	if !slices.Contains(m.substances[key], t) {
		m.substances[key] = append(m.substances[key], t)
	}
}

// Match returns the matches of the flow, nearest first: if the first has no
// factor under an indicator, the next is used. All are of one route and one
// substance, in increasingly coarse compartments.
func (m *Matcher) Match(f lci.Flow) []Match {
	if _, known := m.known[f.ID]; known {
		return []Match{{ByID, []Part{{f.ID, 1}}}}
	}
	if found := m.mapped(f); len(found) > 0 {
		return found
	}
	return m.alike(f)
}

// mapped follows the mapping of a flow, to flows of the method or to flows that
// are like flows of the method. If a flow is mapped to several, each that the
// method has is a part.
func (m *Matcher) mapped(f lci.Flow) []Match {
	var parts []Part
	for to, times := range m.mappingsOf(f) {
		part := Part{Flow: to.ID, Times: times}
		if known, ok := m.known[to.ID]; ok {
			k, ok := conversion(to.Unit, known.Unit)
			if !ok {
				continue
			}
			part.Times *= k
		} else if found := m.alike(to); len(found) > 0 {
			part = Part{found[0].Parts[0].Flow, times * found[0].Parts[0].Times}
		} else {
			continue
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil
	}
	return []Match{{ByMapping, parts}}
}

// alike matches by what is known of a flow besides its id.
func (m *Matcher) alike(f lci.Flow) []Match {
	if f.Name == "" {
		return nil
	}
	asked := &target{flow: f, name: m.name(f.Name), place: m.place(f.Compartment)}
	if number, ok := casKey(f.CAS); ok {
		if found := m.choose(asked, m.substances["c"+number], ByCAS); len(found) > 0 {
			return found
		}
	}
	if found := m.choose(asked, m.substances["n"+asked.name.key], ByName); len(found) > 0 {
		return found
	}
	if found := m.choose(asked, m.distinct("s"+asked.name.key), BySynonym); len(found) > 0 {
		return found
	}
	synonyms := slices.Clone(asked.name.others)
	for _, s := range f.Synonyms {
		synonyms = append(synonyms, m.name(s).key)
	}
	for _, s := range synonyms {
		if found := m.choose(asked, m.distinct("n"+s), BySynonym); s != "" && len(found) > 0 {
			return found
		}
	}
	return nil
}

// distinct returns the targets of a synonym if they are all one substance; an
// ambiguous synonym matches nothing.
func (m *Matcher) distinct(key string) []*target {
	targets := m.substances[key]
	for _, t := range targets {
		if t.name.key != targets[0].name.key {
			return nil
		}
	}
	return targets
}

// choose chooses among a substance's flows those of an allowed origin, in
// compartments that may be used for the one asked for.
func (m *Matcher) choose(asked *target, among []*target, route Route) []Match {
	places := asked.place.places(m.longTerm)
	for _, origin := range asked.name.origins() {
		var found []Match
		for _, place := range places {
			t := pick(asked, among, origin, place, route)
			if t == nil || slices.ContainsFunc(found, func(m Match) bool { return m.Parts[0].Flow == t.flow.ID }) {
				continue
			}
			if times, ok := conversion(asked.flow.Unit, t.flow.Unit); ok {
				found = append(found, Match{route, []Part{{t.flow.ID, times}}})
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// pick returns the flow in a compartment. If several there have the same CAS
// number, the name decides; if it does not, none is picked.
func pick(asked *target, among []*target, origin origin, place string, route Route) *target {
	var first *target
	several := false
	for _, t := range among {
		if t.origin != origin || !t.place.is(place) {
			continue
		}
		if t.name.key == asked.name.key {
			return t
		}
		several = several || first != nil && t.name.key != first.name.key
		first = cmp.Or(first, t)
	}
	if several && route == ByCAS {
		return nil
	}
	return first
}

// conversion is the factor from one unit to another; unknown units count as
// equal.
func conversion(from, to string) (float64, bool) {
	if from == "" || to == "" {
		return 1, true
	}
	return units.Factor(from, to)
}
