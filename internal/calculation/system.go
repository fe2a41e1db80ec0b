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
	kept     []int32 // the columns that were solved
	at       []int32 // where among them a column is
	b, c     *lca.Matrix
	factors  *lca.Factors
	table    *lca.Table
	flowRows []int32 // the flow in each row of b, then one row for each indicator
	count    ingest.Calculation
}

// fate says what became of a column.
type fate uint8

const (
	solved   fate = iota
	idle          // it makes nothing, so that nothing is charged to it
	unsolved      // it has no solution, or takes from one that has none
	huge          // its scores are too large for numbers
	unwanted      // nobody asked for it
)

// solve calculates the scores of all columns that have a solution, or of one and
// all that is upstream of it.
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
	for {
		err := s.attempt(ctx)
		if err == nil {
			s.warn()
			return s, nil
		}
		if !s.leaveOut(ctx, err) {
			return nil, fmt.Errorf("calculate: %w", err)
		}
	}
}

// taken gives what a column takes from others, or has treated by them, and the
// part of it that it bears.
func (m *model) taken(c int32, do func(x *exchange, share float64)) {
	col := &m.columns[c]
	of := m.processes[col.process].exchanges
	for i := of.from; i < of.to; i++ {
		if x := &m.exchanges[i]; x.supplier != none && !x.reference {
			do(x, col.share(i, of.from))
		}
	}
}

// coefficient is an exchange's entry in the technosphere, in its supplier's row.
// A treatment may state what it takes as less than nothing, or as a service.
func (m *model) coefficient(x *exchange) float64 {
	value := x.value * x.times
	switch {
	case x.avoided && x.direction == lci.Input:
		return bounded(value)
	case x.givenOff() && m.columns[x.supplier].amount < 0:
		return bounded(math.Abs(value))
	case x.givenOff() && (x.direction == lci.Output || m.treats(x.supplier)):
		return bounded(-math.Abs(value))
	case x.direction == lci.Output:
		return bounded(value)
	}
	return bounded(-value)
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

// numberFlows gives the flows that have factors a row. Behind them every
// indicator has one for what suppliers without an inventory state.
func (s *solution) numberFlows() {
	for i := range s.flows {
		if f := &s.flows[i]; len(f.factors) > 0 {
			f.row = int32(len(s.flowRows))
			s.flowRows = append(s.flowRows, int32(i))
		}
	}
}

// setAside puts away columns that cannot be part of the equations.
func (s *solution) setAside() {
	for i := range s.processes {
		if p := &s.processes[i]; p.inventory && p.columns.len() == 0 {
			s.notes.add(ingest.Missing, p.name, "it has no reference product, and so no impacts", "name the product that it is made for", "")
		}
	}
	for c := range s.columns {
		col := &s.columns[c]
		name := s.processes[col.process].name
		switch {
		case s.fate[c] != solved:
		case col.amount == 0:
			s.fate[c] = idle
			s.notes.add(ingest.Doubtful, name, "the amount of a reference product is 0: it supplies nothing, and nothing is charged to it", "correct the amount", "")
		case s.diagonal(int32(c)) == 0:
			s.giveUp([]int32{int32(c)}, "it takes as much of its own product as it makes")
		case s.diagonal(int32(c)) < 0 != (col.amount < 0):
			s.notes.add(ingest.Doubtful, name, "it takes more of its own product than it makes", "check the amounts", "")
		}
	}
}

// diagonal is what a column makes of its product when it has taken its own share.
func (s *solution) diagonal(c int32) float64 {
	net := s.columns[c].amount
	s.taken(c, func(x *exchange, share float64) {
		if x.supplier == c {
			net += share * s.coefficient(x)
		}
	})
	return net
}

// attempt solves what is not given up.
func (s *solution) attempt(ctx context.Context) error {
	s.kept, s.at = nil, make([]int32, len(s.columns))
	for c, f := range s.fate {
		s.at[c] = none
		if f == solved {
			s.at[c] = int32(len(s.kept))
			s.kept = append(s.kept, int32(c))
		}
	}
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
		// What is stated is for the quantitative reference.
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
