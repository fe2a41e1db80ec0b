package calculation

import (
	"context"
	"fmt"
	"math"

	"cradle/internal/ingest"
	"cradle/internal/lca"
	"cradle/internal/lci"
)

// A solution is a model with its scores.
type solution struct {
	*model
	takes    *graph  // between columns, from consumers to suppliers
	gives    *graph  // the other way round
	fate     []fate  // of each column
	kept     []int32 // the solved columns
	at       []int32 // index of a column in kept
	b, c     *lca.Matrix
	factors  *lca.Factors
	table    *lca.Table
	flowRows []int32 // the flow in each row of b, then one row for each indicator
	count    ingest.Calculation
}

// fate is the outcome for a column.
type fate uint8

const (
	solved   fate = iota
	idle          // it makes nothing, so it is not charged for anything
	unsolved      // it has no solution, or depends on a column without one
	huge          // its scores overflow
	unwanted      // it was not requested
)

// solve calculates the scores of all columns that have a solution, or of one
// column and everything upstream of it.
func solve(ctx context.Context, m *model, only int32) (*solution, error) {
	s := &solution{model: m, fate: make([]fate, len(m.columns))}
	s.takes = newGraph(len(m.columns), func(add func(from, to int32)) {
		for c := range m.columns {
			m.taken(int32(c), func(x *exchange, _ float64) { add(int32(c), x.supplier) })
		}
	})
	s.gives = s.takes.reversed()
	s.numberFlows()
	if only != none {
		for c, wanted := range s.takes.reachable([]int32{only}) {
			if !wanted {
				s.fate[c] = unwanted
			}
		}
	}
	s.setAside()
	if err := s.leaveOutUnproductive(ctx); err != nil {
		return nil, fmt.Errorf("calculate: %w", err)
	}
	for {
		err := s.attempt(ctx)
		if err == nil {
			s.noteIterated()
			return s, nil
		}
		if !s.leaveOut(ctx, err) {
			return nil, fmt.Errorf("calculate: %w", err)
		}
	}
}

// taken calls do for each exchange that a column takes from others, or has
// treated by them, with its share.
func (m *model) taken(c int32, do func(x *exchange, share float64)) {
	col := &m.columns[c]
	of := m.processes[col.process].exchanges
	for i := of.from; i < of.to; i++ {
		if x := &m.exchanges[i]; x.supplier != none && !x.reference {
			do(x, col.share(i, of.from))
		}
	}
}

// drawn is how much of its supplier's product an exchange takes, or how much its
// treatment has to treat; negative for a credit. A treatment may be written as a
// service: as a product that is bought, or by the waste that is given to it.
func (m *model) drawn(x *exchange) float64 {
	value := bounded(x.value * x.times)
	switch {
	case x.direction == lci.Output:
		return value
	case x.avoided, m.columns[x.supplier].amount < 0, value < 0 && m.treats(x.supplier):
		return -value
	}
	return value
}

// coefficient is an exchange's entry in the technosphere matrix, in its
// supplier's row.
func (m *model) coefficient(x *exchange) float64 {
	if m.columns[x.supplier].amount < 0 {
		return m.drawn(x)
	}
	return -m.drawn(x)
}

// natural is an elementary exchange's entry: positive on its flow's own side.
func (m *model) natural(x *exchange) float64 {
	value := x.value * x.times
	if (x.direction == lci.Input) != m.flows[x.flow].resource {
		value = -value
	}
	return bounded(value)
}

func bounded(n float64) float64 { return min(max(n, -math.MaxFloat64), math.MaxFloat64) }

// numberFlows numbers the rows of flows with factors. After them, every
// indicator has a row for scores stated by suppliers without an inventory.
func (s *solution) numberFlows() {
	for i := range s.flows {
		if f := &s.flows[i]; len(f.factors) > 0 {
			f.row = int32(len(s.flowRows))
			s.flowRows = append(s.flowRows, int32(i))
		}
	}
}

// setAside excludes columns that cannot be part of the equations.
func (s *solution) setAside() {
	for i := range s.processes {
		switch p := &s.processes[i]; {
		case p.inventory && p.columns.len() == 0:
			s.notes.add(ingest.Productless, p.label, "no reference product, so no impacts", "state which product is the reference", "")
		case p.unshared:
			for c := p.columns.from; c < p.columns.to; c++ {
				s.fate[c] = unsolved
			}
		}
	}
	for c := range s.columns {
		col := &s.columns[c]
		switch {
		case s.fate[c] != solved:
		case col.amount == 0:
			s.fate[c] = idle
			s.notes.add(ingest.Doubtful, s.processes[col.process].label, "a reference product has the amount 0, so it supplies nothing", "correct the amount", "")
		case s.leftOver(int32(c)) < leastLeft:
			s.giveUp([]int32{int32(c)}, ingest.Productless, "own consumption leaves nothing of a product", "check the amounts")
		}
	}
}

// leastLeft is the smallest part of its product that a process must leave for
// others.
const leastLeft = 1e-6

// leftOver is the part of its product that a process does not use itself.
func (s *solution) leftOver(c int32) float64 {
	col := &s.columns[c]
	of := s.processes[col.process].exchanges
	left := math.Abs(col.amount)
	for i := of.from; i < of.to; i++ {
		if x := &s.exchanges[i]; x.supplier == c && !x.reference {
			left -= max(0, s.drawn(x)) * max(1, col.share(i, of.from))
		}
	}
	return left / math.Abs(col.amount)
}

// attempt solves what is not given up.
func (s *solution) attempt(ctx context.Context) error {
	s.keepSolved()
	a, err := s.technosphere()
	if err != nil {
		return err
	}
	if s.b, err = s.elementary(); err != nil {
		return err
	}
	if s.c, err = s.characterization(); err != nil {
		return err
	}
	if s.factors, err = lca.Factorise(ctx, a, lca.Options{}); err != nil {
		return err
	}
	s.table, err = s.factors.Scores(ctx, s.b, s.c)
	return err
}

// keepSolved numbers the columns that are not given up.
func (s *solution) keepSolved() {
	s.kept, s.at = nil, make([]int32, len(s.columns))
	for c, f := range s.fate {
		s.at[c] = none
		if f == solved {
			s.at[c] = int32(len(s.kept))
			s.kept = append(s.kept, int32(c))
		}
	}
}

func (s *solution) technosphere() (*lca.Matrix, error) {
	a := lca.NewBuilder(len(s.kept), len(s.kept))
	for i, c := range s.kept {
		a.Add(i, i, s.columns[c].amount)
		s.taken(c, func(x *exchange, share float64) {
			if row := s.at[x.supplier]; row != none {
				a.Add(int(row), i, share*s.coefficient(x))
			}
		})
	}
	return a.Matrix()
}

func (s *solution) elementary() (*lca.Matrix, error) {
	b := lca.NewBuilder(len(s.flowRows)+len(s.indicators), len(s.kept))
	for i, c := range s.kept {
		col := &s.columns[c]
		p := &s.processes[col.process]
		for at := p.exchanges.from; at < p.exchanges.to; at++ {
			x := &s.exchanges[at]
			if row := s.flows[x.flow].row; x.kind == lci.Elementary && !x.reference && row != none {
				b.Add(int(row), i, col.share(at, p.exchanges.from)*s.natural(x))
			}
		}
		// Stated scores are for the quantitative reference.
		if !p.inventory && c == p.columns.from {
			for k := range s.indicators {
				if given, ok := s.stated[cell{col.process, int32(k)}]; ok && !given.deleted {
					b.Add(len(s.flowRows)+k, i, given.value)
				}
			}
		}
	}
	return b.Matrix()
}

func (s *solution) characterization() (*lca.Matrix, error) {
	c := lca.NewBuilder(len(s.indicators), len(s.flowRows)+len(s.indicators))
	for row, at := range s.flowRows {
		for _, f := range s.flows[at].factors {
			c.Add(int(f.indicator), row, f.value)
		}
	}
	for k := range s.indicators {
		c.Add(k, len(s.flowRows)+k, 1)
	}
	return c.Matrix()
}
