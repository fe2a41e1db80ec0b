package calculation

import (
	"fmt"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/units"
)

// link finds the supplier of each input. Inputs without one are cut off.
func (m *model) link() {
	for c := range m.columns {
		x := &m.exchanges[m.columns[c].exchange]
		m.flows[x.flow].makers = append(m.flows[x.flow].makers, int32(c))
		if x.material != none {
			m.flows[x.material].goods = append(m.flows[x.material].goods, int32(c))
		}
	}
	for i := range m.exchanges {
		if x := &m.exchanges[i]; x.technical() && x.moreOf == none && m.traded(x) {
			m.linkOne(x)
		}
	}
}

// traded reports whether an exchange has to be linked: inputs and wastes. Any
// other output that is not a reference product is a by-product that counts
// nothing, unless another process treats it as waste.
func (m *model) traded(x *exchange) bool {
	return x.direction == lci.Input || x.kind == lci.Waste ||
		slices.ContainsFunc(m.flows[x.flow].makers, func(c int32) bool { return m.columns[c].amount < 0 })
}

func (m *model) linkOne(x *exchange) {
	c, ok := m.supplier(x)
	if !ok {
		return
	}
	made := &m.exchanges[m.columns[c].exchange]
	maker := &m.processes[made.process]
	times, ok := convert(m.unitOf(x), m.unitOf(made))
	switch {
	case !ok:
		m.cutOff(x, ingest.UnknownUnit, fmt.Sprintf("the unit %q cannot be converted to %q, the unit of its supplier %q; cut off", m.unitOf(x), m.unitOf(made), maker.label),
			"use units of the same kind for both")
		return
	case !maker.inventory && c != maker.columns.from:
		m.cutOff(x, ingest.Missing, fmt.Sprintf("%q has no inventory, and its stated impacts are for another product; cut off", maker.label), "import its inventory")
		return
	case !maker.inventory && !m.noteStated(x, made.process):
		return
	case m.columns[c].amount < 0 && !x.givenOff():
		m.notes.add(ingest.Doubtful, m.texts.all[x.name], fmt.Sprintf("taken from %q, which treats it as waste; counted as a credit", maker.label),
			"if it goes to treatment, make it an output", m.processes[x.process].label)
	}
	x.supplier, x.times = c, times
}

// noteStated reports whether a supplier without an inventory states impacts that
// can be used, and warns of those it does not state.
func (m *model) noteStated(x *exchange, supplier int32) bool {
	states := 0
	for k := range m.indicators {
		if given, ok := m.stated[cell{supplier, int32(k)}]; ok && !given.deleted {
			states++
		}
	}
	name, all := m.processes[supplier].label, len(m.indicators)
	switch {
	case all == 0 || states == all:
	case states == 0:
		m.cutOff(x, ingest.Missing, fmt.Sprintf("%q has neither an inventory nor stated impacts; cut off", name), "import its inventory")
		return false
	default:
		m.notes.add(ingest.Missing, m.texts.all[x.name], fmt.Sprintf("%q has no inventory, and states no impact under %d of %d indicators; cut off there", name, all-states, all),
			"import its inventory", m.processes[x.process].label)
	}
	return true
}

func (m *model) unitOf(x *exchange) string { return m.texts.all[x.unit] }

// convert returns the factor from one unit to another.
func convert(from, to string) (float64, bool) {
	if from == to {
		return 1, true
	}
	return units.Factor(from, to)
}

func (m *model) cutOff(x *exchange, class ingest.Class, message, suggestion string) {
	x.unlinked = true
	m.notes.add(class, m.texts.all[x.name], message, suggestion, m.processes[x.process].label)
}

// supplier chooses the column that supplies an input or treats a waste. It cuts
// off exchanges that have none.
func (m *model) supplier(x *exchange) (int32, bool) {
	switch {
	case x.provider >= 0:
		return m.provider(x)
	case x.provider == absent:
		m.cutOff(x, ingest.Absent, "the named provider is not in the catalogue; cut off until it is imported", "import the library that contains the provider")
		return none, false
	}
	able := func(c int32) bool { return m.canSupply(x, c) }
	makers := filter(m.flows[x.flow].makers, able)
	if len(makers) == 0 && x.material != none {
		makers = filter(m.flows[x.material].goods, able)
	}
	candidates := filter(makers, func(c int32) bool { return !m.processes[m.columns[c].process].unshared })
	if treatments := filter(candidates, m.treats); x.givenOff() && len(treatments) > 0 {
		candidates = treatments
	}
	if c, ok := m.choose(x, candidates); ok {
		return c, true
	}
	switch {
	case len(candidates) > 0:
		m.cutOff(x, ingest.Ambiguous, fmt.Sprintf("%d processes make it, none in the same region, and there is no single market: %s; cut off",
			len(candidates), m.makers(candidates)), "name a provider")
	case len(makers) > 0:
		m.cutOff(x, ingest.Unlinked, fmt.Sprintf("made only by processes whose burdens cannot be allocated: %s; cut off", m.makers(makers)), "state how to allocate their burdens")
	case x.direction == lci.Output:
		m.cutOff(x, ingest.Unlinked, "no process treats this waste; cut off", "import its treatment, or name it as the provider")
	default:
		m.cutOff(x, ingest.Unlinked, "no process makes it; cut off", "import its supplier, or name it as the provider")
	}
	return none, false
}

func filter(columns []int32, keep func(int32) bool) []int32 {
	var kept []int32
	for _, c := range columns {
		if keep(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

func (m *model) makers(columns []int32) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = m.processes[m.columns[c].process].label
	}
	return some(names, len(names))
}

// provider finds the product of a named process that is meant.
func (m *model) provider(x *exchange) (int32, bool) {
	p := &m.processes[x.provider]
	meant := none
	for c := p.columns.from; c < p.columns.to && meant == none; c++ {
		if m.exchanges[m.columns[c].exchange].flow == x.flow {
			meant = c
		}
	}
	for c := p.columns.from; c < p.columns.to && meant == none && x.material != none; c++ {
		if m.exchanges[m.columns[c].exchange].material == x.material {
			meant = c
		}
	}
	if meant == none && p.columns.len() == 1 {
		meant = p.columns.from
	}
	switch {
	case p.unshared:
		m.cutOff(x, ingest.Unlinked, fmt.Sprintf("the burdens of the provider %q cannot be allocated; cut off", p.label), "state how to allocate their burdens")
	case p.columns.len() == 0:
		m.cutOff(x, ingest.Missing, fmt.Sprintf("the provider %q has no reference product; cut off", p.label), "name the product that the provider makes")
	case meant == none:
		m.cutOff(x, ingest.Ambiguous, fmt.Sprintf("the provider %q has several products, but none of this flow; cut off", p.label), "use the flow of one of them")
	case m.columns[meant].amount == 0:
		m.cutOff(x, ingest.Unlinked, fmt.Sprintf("the provider %q makes 0 of it; cut off", p.label), "correct the amount of the reference product")
	default:
		return meant, true
	}
	return none, false
}

// canSupply reports whether a column may be linked automatically: everyone who
// sees the consumer can see it, and it makes the input or treats the waste. A
// negative input that no one treats is a credit.
func (m *model) canSupply(x *exchange, c int32) bool {
	col := &m.columns[c]
	if col.amount == 0 || !m.processes[x.process].audience.canSee(m.processes[col.process].audience) {
		return false
	}
	return x.givenOff() && m.treats(c) || x.direction == lci.Input && col.amount > 0
}

// choose returns the only candidate, else the one in the same region, else the
// market. A process supplies itself only if no other does.
func (m *model) choose(x *exchange, candidates []int32) (int32, bool) {
	if others := filter(candidates, func(c int32) bool { return m.columns[c].process != x.process }); len(others) > 0 {
		candidates = others
	}
	region := m.processes[x.process].region
	near := filter(candidates, func(c int32) bool { return region != "" && m.processes[m.columns[c].process].region == region })
	market := func(c int32) bool { return isMarket(m.processes[m.columns[c].process].name) }
	for _, among := range [][]int32{candidates, near, filter(near, market), filter(candidates, market)} {
		if len(among) == 1 {
			return among[0], true
		}
	}
	return none, false
}
