package calculation

import (
	"fmt"
	"math"

	"cradle/internal/ingest"
)

// allocate says for processes with several products what each of them bears:
// of an exchange that is allocated by itself that part, of all others what the
// dataset says, else by worth, else by mass; and where nothing of that is known
// each product bears all of it.
func (m *model) allocate() {
	for i := range m.processes {
		if p := &m.processes[i]; p.columns.len() > 1 {
			m.allocateOne(p)
		}
	}
}

func (m *model) allocateOne(p *process) {
	general := m.generalShares(p)
	bare := false // some exchange has to go by the general shares
	for c := p.columns.from; c < p.columns.to; c++ {
		col := &m.columns[c]
		col.shares = make([]float64, p.exchanges.len())
		product := m.flows[m.exchanges[col.exchange].flow].id
		for i := range col.shares {
			x := &m.exchanges[p.exchanges.from+int32(i)]
			switch _, causal := m.hasAllocated[x.id]; {
			case x.reference:
			case causal:
				col.shares[i] = m.allocated[allocated{product, x.id}]
			case general != nil:
				col.shares[i] = general[c-p.columns.from]
			default:
				col.shares[i], bare = 1, true
			}
		}
	}
	if bare {
		m.notes.add(ingest.Doubtful, p.name, fmt.Sprintf("it has %d products and no way to share its exchanges among them; each bears all of them", p.columns.len()),
			"give each product a share, a worth, or an amount by mass", "")
	}
}

// generalShares is what each product bears, nil where nothing tells.
func (m *model) generalShares(p *process) []float64 {
	if shares, ok := m.products(p, func(at int32) (float64, bool) { s, ok := m.share[at]; return s, ok }); ok {
		if sum := total(shares); math.Abs(sum-1) > 0.01 {
			m.notes.add(ingest.Doubtful, p.name, fmt.Sprintf("the shares of its products add up to %.3g", sum), "correct the shares", "")
		}
		return shares
	}
	worth, ok := m.products(p, func(at int32) (float64, bool) {
		worth, ok := m.worth[at]
		return math.Abs(m.exchanges[at].value) * worth, ok
	})
	if ok && positive(total(worth)) {
		return scaled(worth)
	}
	mass, ok := m.products(p, func(at int32) (float64, bool) {
		x := &m.exchanges[at]
		times, ok := convert(m.unitOf(x), "kg")
		return math.Abs(x.value) * times, ok
	})
	if ok && positive(total(mass)) {
		return scaled(mass)
	}
	return nil
}

// products collects a number of every product of a process, if all have one.
func (m *model) products(p *process, of func(exchange int32) (float64, bool)) ([]float64, bool) {
	var all []float64
	for c := p.columns.from; c < p.columns.to; c++ {
		n, ok := of(m.columns[c].exchange)
		if !ok {
			return nil, false
		}
		all = append(all, n)
	}
	return all, true
}

func total(numbers []float64) float64 {
	sum := 0.0
	for _, n := range numbers {
		sum += n
	}
	return sum
}

func positive(n float64) bool { return n > 0 && !math.IsInf(n, 0) }

func scaled(numbers []float64) []float64 {
	sum := total(numbers)
	for i := range numbers {
		numbers[i] /= sum
	}
	return numbers
}
