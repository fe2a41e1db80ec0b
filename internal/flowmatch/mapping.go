package flowmatch

import (
	"iter"

	"cradle/internal/lci"
)

// A Mapping says that a flow of one nomenclature is a flow of another: so much
// of the target for one of the source.
type Mapping struct {
	Source lci.Flow // by its id, or by name and compartment where it has none
	Target lci.Flow // by its id; the name serves where the method does not know the id
	Factor float64
	Exact  bool // the two are the same, so that it holds the other way round too
}

// Mappings find what a flow is mapped to.
type Mappings struct {
	byID    map[lci.ID][]step
	byPlace map[string][]step // by name and compartment
	byName  map[string][]step // of sources without a compartment
}

type step struct {
	to     lci.Flow
	from   string // unit
	factor float64
}

// NewMappings returns mappings to be looked up; of two for the same flow the
// first comes first.
func NewMappings(all []Mapping) *Mappings {
	m := &Mappings{byID: map[lci.ID][]step{}, byPlace: map[string][]step{}, byName: map[string][]step{}}
	for _, one := range all {
		m.add(one.Source, one.Target, one.Factor)
	}
	for _, one := range all {
		if one.Exact && one.Factor != 0 {
			m.add(one.Target, one.Source, 1/one.Factor)
		}
	}
	return m
}

func (m *Mappings) add(from, to lci.Flow, factor float64) {
	s := step{to: to, from: from.Unit, factor: factor}
	if !from.ID.IsZero() {
		m.byID[from.ID] = append(m.byID[from.ID], s)
	}
	switch {
	case from.Name == "":
	case from.Compartment == "":
		m.byName[nameKey(from)] = append(m.byName[nameKey(from)], s)
	default:
		m.byPlace[placeKey(from)] = append(m.byPlace[placeKey(from)], s)
	}
}

func nameKey(f lci.Flow) string {
	n := parseName(f.Name)
	return n.key + "\x00" + string(rune('0'+n.origin))
}

func placeKey(f lci.Flow) string {
	c := parseCompartment(f.Compartment)
	key := nameKey(f) + "\x00" + c.medium + "\x00" + c.part
	if c.longTerm {
		key += "\x00long-term"
	}
	return key
}

// of returns the flows that a flow is mapped to, and by how much an amount of
// it is multiplied to give one of them, the mapping by its id first.
func (m *Mappings) of(f lci.Flow) iter.Seq2[lci.Flow, float64] {
	return func(yield func(lci.Flow, float64) bool) {
		if m == nil {
			return
		}
		lists := [][]step{m.byID[f.ID]}
		if f.Name != "" {
			lists = append(lists, m.byPlace[placeKey(f)], m.byName[nameKey(f)])
		}
		for _, list := range lists {
			for _, s := range list {
				if times, ok := conversion(f.Unit, s.from); ok && !yield(s.to, times*s.factor) {
					return
				}
			}
		}
	}
}
