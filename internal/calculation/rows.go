package calculation

import (
	"context"
	"math"
	"strconv"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// firstPlace is the position of a process's first calculated row, after the
// stated ones.
const firstPlace = 1_000_000

// rows passes on a row for every indicator of every process with an inventory,
// unless the provider states it.
func (s *solution) rows(ctx context.Context, to func(lci.Impact) error, progress ingest.Progress) error {
	trust := s.accounts()
	for at := range s.processes {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := &s.processes[at]
		if !p.inventory || p.columns.len() == 0 {
			continue
		}
		if s.fate[p.columns.from] == unsolved {
			s.count.Uncalculated++
			continue
		}
		if err := s.rowsOf(int32(at), trust, to); err != nil {
			return err
		}
		progress(int64(at+1), int64(len(s.processes)))
	}
	return nil
}

func (s *solution) rowsOf(at int32, trust *accounts, to func(lci.Impact) error) error {
	p := &s.processes[at]
	for k, of := range s.indicators {
		if _, stated := s.stated[cell{at, int32(k)}]; stated {
			continue
		}
		account := trust.of(at, k)
		err := to(lci.Impact{
			ID:        lci.DerivedID("impact", p.id.String(), of.MethodID.String(), of.Category, of.Name),
			ProcessID: p.id, MethodID: of.MethodID, Position: firstPlace + k,
			Category: of.Category, Indicator: of.Name, Value: s.score(p.columns.from, k), Unit: of.Unit, Completeness: &account,
		})
		if err != nil {
			return err
		}
		s.count.Rows++
	}
	s.count.Processes++
	return nil
}

// score is the score of a column's reference amount as the library states it.
func (s *solution) score(c int32, indicator int) float64 {
	switch s.fate[c] {
	case idle:
		return 0
	case huge:
		return math.MaxFloat64
	}
	return rounded(bounded(s.table.At(s.factors.Producer(int(s.at[c])), indicator) * s.batch(c)))
}

// rounded keeps twelve digits: later ones depend on the order of calculation and
// must not make a row count as changed.
func rounded(n float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'e', 11, 64), 64)
	if err != nil {
		return n
	}
	return short + 0 // no negative zero
}

// accounts record for every process and indicator how far a score can be
// trusted.
type accounts struct {
	sums      []int32 // of everything upstream
	width     int
	residuals []float64
}

// What is counted upstream: elementary exchanges and inputs that are cut off;
// then, for each indicator, elementary exchanges with a factor and suppliers
// without a stated score.
const (
	elementaryAt = iota
	cutOffAt
	indicatorsAt
)

func (s *solution) accounts() *accounts {
	a := &accounts{width: indicatorsAt + 2*len(s.indicators)}
	have := make([]int32, len(s.processes)*a.width)
	for at := range s.processes {
		s.countOwn(int32(at), have[at*a.width:(at+1)*a.width])
	}
	takes := newGraph(len(s.processes), func(add func(from, to int32)) {
		for i := range s.exchanges {
			if x := &s.exchanges[i]; x.supplier != none {
				add(x.process, s.columns[x.supplier].process)
			}
		}
	})
	a.sums = upstream(takes, have, a.width, 64<<20)
	for _, e := range s.table.Report.BackwardErrors {
		a.residuals = append(a.residuals, magnitude(e))
	}
	return a
}

func (s *solution) countOwn(at int32, own []int32) {
	p := &s.processes[at]
	for i := p.exchanges.from; i < p.exchanges.to; i++ {
		x := &s.exchanges[i]
		switch {
		case x.reference:
		case x.kind == lci.Elementary:
			own[elementaryAt]++
			if x.times != 0 {
				for _, f := range s.flows[x.flow].factors {
					own[indicatorsAt+2*f.indicator]++
				}
			}
		case x.unlinked:
			own[cutOffAt]++
		}
	}
	for k := range s.indicators {
		if given, ok := s.stated[cell{at, int32(k)}]; !p.inventory && (!ok || given.deleted) {
			own[indicatorsAt+2*k+1] = 1
		}
	}
}

func (a *accounts) of(process int32, indicator int) lci.Completeness {
	sums := a.sums[int(process)*a.width : (int(process)+1)*a.width]
	account := lci.Completeness{
		Coverage: 1,
		CutOffs:  int(sums[cutOffAt] + sums[indicatorsAt+2*indicator+1]),
		Residual: a.residuals[indicator],
	}
	if all := sums[elementaryAt]; all > 0 {
		account.Coverage = rounded(float64(sums[indicatorsAt+2*indicator]) / float64(all))
	}
	return account
}

// magnitude is the next power of ten above a number: it shows the size of an
// error and hides its digits.
func magnitude(n float64) float64 {
	if n <= 0 || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0
	}
	return rounded(math.Pow(10, math.Ceil(math.Log10(n))))
}

// cutOffs counts the inputs without a supplier.
func (m *model) cutOffs() int {
	n := 0
	for i := range m.exchanges {
		if x := &m.exchanges[i]; x.unlinked && x.kind != lci.Elementary {
			n++
		}
	}
	return n
}

// report summarises the calculation.
func (s *solution) report() ingest.Calculation {
	s.count.Indicators, s.count.CutOffs = len(s.indicators), s.cutOffs()
	for i := range s.flows {
		if f := &s.flows[i]; f.inputs+f.outputs > 0 && len(f.factors) == 0 {
			s.count.Uncharacterised++
		}
	}
	s.count.Coverage = s.coverage
	s.count.Notes = s.notes.warnings()
	return s.count
}
