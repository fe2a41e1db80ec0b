package calculation

import (
	"fmt"
	"math"

	"cradle/internal/allocation"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// allocate divides the exchanges of processes with several products among these.
// A process that cannot be allocated has no impacts and supplies no one.
func (m *model) allocate() {
	for i := range m.processes {
		if p := &m.processes[i]; p.columns.len() > 1 {
			m.allocateOne(p)
		}
	}
}

func (m *model) allocateOne(p *process) {
	named := allocation.Unknown
	if p.sharing.Stated {
		named = allocation.Basis(p.sharing.By)
	}
	by, numbers, ok := allocation.Choose(named, m.sets(p))
	switch {
	case !ok:
		p.unshared = true
		m.notes.add(ingest.Unshared, p.label, fmt.Sprintf("no way to allocate burdens to its %d products; no impacts, supplies no other process", p.columns.len()),
			"give each product a share or a worth, or give all amounts in the same quantity", "")
		return
	case by == allocation.Causal:
		m.bearCausally(p)
	case by == allocation.Physical || by == allocation.Economic:
		m.bear(p, numbers)
	default:
		m.bear(p, allocation.Shares(numbers))
	}
	m.noteSharing(p, by, numbers)
}

// noteSharing warns of what the dataset does not state, and of what it states
// oddly.
func (m *model) noteSharing(p *process, by allocation.Basis, numbers []float64) {
	decided := p.sharing.By != "" && !p.sharing.Stated // by the importer
	if how := by; isQuantity(by) || decided {
		if decided {
			how = allocation.Basis(p.sharing.By)
		}
		m.notes.add(ingest.Shared, p.label, fmt.Sprintf("allocated by %s, which the dataset does not state", how.Words()),
			"if this is not intended, state a share for each product", "")
	}
	if numbers[0] == 0 {
		m.notes.add(ingest.Doubtful, p.label, "the allocation gives the reference product a share of 0", "check the allocation factors", "")
	}
	if sum := total(numbers); (by == allocation.Physical || by == allocation.Economic) && math.Abs(sum-1) > 0.01 {
		m.notes.add(ingest.Doubtful, p.label, fmt.Sprintf("the shares of the products add up to %.3g", sum), "correct the shares", "")
	}
}

func isQuantity(by allocation.Basis) bool {
	for _, q := range allocation.Quantities() {
		if q.Basis == by {
			return true
		}
	}
	return false
}

// sets are the numbers that a process could be allocated by.
func (m *model) sets(p *process) allocation.Sets {
	sets := allocation.Sets{
		allocation.Causal: m.causal(p),
		allocation.Worth: m.products(p, func(c *column) (float64, bool) {
			worth, ok := m.worth[c.exchange]
			return math.Abs(c.amount) * worth, ok
		}),
	}
	shares := allocation.Physical
	if p.sharing.Stated && p.sharing.By == string(allocation.Economic) {
		shares = allocation.Economic
	}
	sets[shares] = m.products(p, func(c *column) (float64, bool) { s, ok := m.share[c.exchange]; return s, ok })
	for _, q := range allocation.Quantities() {
		sets[q.Basis] = m.products(p, func(c *column) (float64, bool) {
			times, ok := convert(m.unitOf(&m.exchanges[c.exchange]), q.Unit)
			return math.Abs(c.amount) * times, ok
		})
	}
	return sets
}

// products collects a number for every product of a process, nil if one has
// none.
func (m *model) products(p *process, of func(*column) (float64, bool)) []float64 {
	var all []float64
	for c := p.columns.from; c < p.columns.to; c++ {
		n, ok := of(&m.columns[c])
		if !ok {
			return nil
		}
		all = append(all, n)
	}
	return all
}

// causal sums up each product's share of all exchanges by causal factors. It is
// nil if an exchange lacks a factor for a product, or its factors are all zero.
func (m *model) causal(p *process) []float64 {
	sums := make([]float64, p.columns.len())
	some, whole := false, true
	for i := p.exchanges.from; i < p.exchanges.to; i++ {
		x := &m.exchanges[i]
		nothing := x.value == 0 && x.direction == lci.Output && x.kind == lci.Intermediate // of a possible product
		if x.reference || x.moreOf != none || nothing {
			continue
		}
		if _, given := m.hasAllocated[x.id]; given {
			some = true
		}
		borne := 0.0
		for c := range sums {
			share, ok := m.causalShare(p.columns.from+int32(c), x)
			whole = whole && ok && share >= 0
			sums[c] += share
			borne += share
		}
		whole = whole && borne > 0
	}
	if some && !whole {
		m.notes.add(ingest.Doubtful, p.label, "the causal factors do not cover every exchange and product; not used", "add the missing factors", "")
	}
	if !some || !whole {
		return nil
	}
	return sums
}

func (m *model) causalShare(c int32, x *exchange) (float64, bool) {
	product := m.flows[m.exchanges[m.columns[c].exchange].flow].id
	share, ok := m.allocated[allocated{product, x.id}]
	return share, ok
}

func (m *model) bearCausally(p *process) {
	m.eachShare(p, func(c int32, x *exchange) float64 {
		share, _ := m.causalShare(c, x)
		return share
	})
}

func (m *model) bear(p *process, shares []float64) {
	m.eachShare(p, func(c int32, _ *exchange) float64 { return shares[c-p.columns.from] })
}

// eachShare sets the columns' shares of a process's exchanges.
func (m *model) eachShare(p *process, of func(column int32, x *exchange) float64) {
	for c := p.columns.from; c < p.columns.to; c++ {
		col := &m.columns[c]
		col.shares = make([]float64, p.exchanges.len())
		for i := range col.shares {
			if x := &m.exchanges[p.exchanges.from+int32(i)]; !x.reference {
				col.shares[i] = of(c, x)
			}
		}
	}
}

func total(numbers []float64) float64 {
	sum := 0.0
	for _, n := range numbers {
		sum += n
	}
	return sum
}
