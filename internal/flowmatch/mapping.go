package flowmatch

import (
	"iter"
	"slices"

	"cradle/internal/lci"
)

// A Mapping states that a flow of one nomenclature is a flow of another, with
// the amount of the target per unit of the source.
type Mapping struct {
	Source lci.Flow // by its id, or by name and compartment if it has none
	Target lci.Flow // by its id, or by its name if the method does not have the id
	Factor float64
	Exact  bool // the two are the same, so that it also holds in reverse
}

// ID is derived from source and target.
func (m Mapping) ID() lci.ID {
	return lci.DerivedID("mapping", m.SourceID().String(), m.Target.ID.String())
}

// SourceID identifies the source, by its id or by name and compartment.
func (m Mapping) SourceID() lci.ID {
	if !m.Source.ID.IsZero() {
		return lci.DerivedID("mapping source", m.Source.ID.String())
	}
	return lci.DerivedID("mapping source", m.Source.Name, m.Source.Compartment)
}

// mappings find what a flow is mapped to.
type mappings struct {
	byID    map[lci.ID][]step
	byPlace map[string][]step // by name and compartment
	byName  map[string][]step // of sources without a compartment
}

type step struct {
	to     lci.Flow
	from   string // unit
	factor float64
}

func (m *Matching) addMappings(all []Mapping) {
	m.mappings = mappings{byID: map[lci.ID][]step{}, byPlace: map[string][]step{}, byName: map[string][]step{}}
	for _, one := range all {
		m.addMapping(one.Source, one.Target, one.Factor)
	}
	sources := map[string]int{}
	for _, one := range all {
		sources[one.key()]++
	}
	for _, one := range all {
		back := one.Exact && one.Factor != 0 && sources[one.key()] == 1
		if _, mapped := m.mappings.byID[one.Target.ID]; back && !mapped {
			m.addMapping(one.Target, one.Source, 1/one.Factor)
		}
	}
}

// key identifies the source of a mapping.
func (m Mapping) key() string {
	if !m.Source.ID.IsZero() {
		return m.Source.ID.String()
	}
	return m.Source.Name + "\x00" + m.Source.Compartment
}

func (m *Matching) addMapping(from, to lci.Flow, factor float64) {
	s := step{to: to, from: from.Unit, factor: factor}
	of := m.mappings
	if !from.ID.IsZero() {
		of.byID[from.ID] = append(of.byID[from.ID], s)
	}
	switch {
	case from.Name == "":
	case from.Compartment == "":
		of.byName[m.nameKey(from)] = append(of.byName[m.nameKey(from)], s)
	default:
		of.byPlace[m.placeKey(from)] = append(of.byPlace[m.placeKey(from)], s)
	}
}

func (m *Matching) nameKey(f lci.Flow) string {
	n := m.name(f.Name)
	return n.key + "\x00" + string(rune('0'+n.origin))
}

func (m *Matching) placeKey(f lci.Flow) string {
	c := m.place(f.Compartment)
	key := m.nameKey(f) + "\x00" + c.medium + "\x00" + c.part
	if c.longTerm {
		key += "\x00long-term"
	}
	return key
}

// mappingsOf returns the flows that a flow is mapped to, and the factors to
// convert its amounts: by its id, else by name and compartment, else by its name
// alone.
func (m *Matching) mappingsOf(f lci.Flow) iter.Seq2[lci.Flow, float64] {
	return func(yield func(lci.Flow, float64) bool) {
		steps := m.mappings.byID[f.ID]
		if len(steps) == 0 && f.Name != "" {
			steps = m.mappings.byPlace[m.placeKey(f)]
			if len(steps) == 0 {
				steps = m.mappings.byName[m.nameKey(f)]
			}
		}
		for i, s := range steps {
			if slices.ContainsFunc(steps[:i], func(t step) bool { return t.to.ID == s.to.ID }) {
				continue // two spellings of one source
			}
			if times, ok := conversion(f.Unit, s.from); ok && !yield(s.to, times*s.factor) {
				return
			}
		}
	}
}
