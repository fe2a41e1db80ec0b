package lca

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Part names one of the three matrices.
type Part int

// The matrices A, B and C.
const (
	Technosphere Part = iota
	Biosphere
	Characterization
)

// Uncertain is an amount that is sampled in each run, and the entries it is part
// of: usually one, several if an exchange was allocated.
type Uncertain struct {
	Amount       float64 // in the matrices
	Distribution Distribution
	Entries      []Entry
}

// Entry is a matrix entry that an amount counts in, times a factor for its sign,
// allocation and conversion of units.
type Entry struct {
	Part     Part
	Row, Col int
	Factor   float64
}

// MonteCarlo is what to sample, how often, and whose scores to record.
type MonteCarlo struct {
	Uncertain   []Uncertain
	Processes   []int
	Runs        int
	Seed        uint64
	Percentiles []float64 // between 0 and 100
}

// Spread is how the scores of the processes vary.
type Spread struct {
	Indicators int
	Statistics []Statistics // by process, then by indicator
	Runs       int          // with a result
	Failed     int          // because the technosphere was singular, or a number overflowed
}

// At is the spread of one score; process is the position in MonteCarlo.Processes.
func (s *Spread) At(process, indicator int) Statistics {
	return s.Statistics[process*s.Indicators+indicator]
}

// MonteCarlo samples the uncertain amounts repeatedly. The same seed gives the
// same numbers on any number of threads. It returns an error if a distribution
// is invalid or no run gives a result, or the context's error.
func (f *Factors) MonteCarlo(ctx context.Context, b, c *Matrix, mc MonteCarlo) (*Spread, error) {
	f.mustFit(b, c)
	if err := mc.check(); err != nil {
		return nil, err
	}
	base, err := f.widen(ctx, b, c, mc.Uncertain)
	if err != nil {
		return nil, err
	}
	results := make([][]float64, mc.Runs)
	if err := base.runAll(ctx, mc, results); err != nil {
		return nil, err
	}
	return spread(results, len(mc.Processes), c.rows, mc.Percentiles)
}

func (mc MonteCarlo) check() error {
	for i, u := range mc.Uncertain {
		if u.Distribution == nil {
			return fmt.Errorf("uncertain amount %d has no distribution", i)
		}
		if err := u.Distribution.Check(); err != nil {
			return fmt.Errorf("uncertain amount %d: %w", i, err)
		}
	}
	return nil
}

// simulation is the system that runs start from. It has an entry at every place
// of an uncertain amount.
type simulation struct {
	factors *Factors
	parts   [3]*Matrix // by Part
	places  [][]int    // of each uncertain amount's entries, among the values of their part
}

func (f *Factors) widen(ctx context.Context, b, c *Matrix, uncertain []Uncertain) (*simulation, error) {
	s := &simulation{factors: f, parts: [3]*Matrix{f.a, b, c}}
	for part := range s.parts {
		s.parts[part] = withPlaces(s.parts[part], Part(part), uncertain)
	}
	if s.parts[Technosphere] != f.a {
		o := f.options
		var err error
		if s.factors, err = Factorise(ctx, s.parts[Technosphere], o); err != nil {
			return nil, err
		}
	}
	for _, u := range uncertain {
		var places []int
		for _, e := range u.Entries {
			at, _ := s.parts[e.Part].find(e.Row, e.Col)
			places = append(places, at)
		}
		s.places = append(s.places, places)
	}
	return s, nil
}

// withPlaces returns the matrix, with zeros stored where uncertain amounts
// happen to sum up to zero.
func withPlaces(m *Matrix, part Part, uncertain []Uncertain) *Matrix {
	var missing []entry
	for _, u := range uncertain {
		for _, e := range u.Entries {
			if e.Part != part {
				continue
			}
			if _, there := m.find(e.Row, e.Col); !there {
				missing = append(missing, entry{row: int32(e.Row), col: int32(e.Col)})
			}
		}
	}
	if len(missing) == 0 {
		return m
	}
	wider := Builder{rows: m.rows, cols: m.cols, entries: missing}
	for col := range m.cols {
		rows, values := m.Col(col)
		for k, row := range rows {
			wider.entries = append(wider.entries, entry{row, int32(col), values[k]})
		}
	}
	widened, _ := wider.matrix(true) // all values were finite
	return widened
}

func (s *simulation) runAll(ctx context.Context, mc MonteCarlo, results [][]float64) error {
	return parallel(ctx, s.factors.options.threads(), mc.Runs, func(_, run int) error {
		scores, err := s.run(ctx, mc, run)
		if ctx.Err() != nil {
			return err
		}
		if err == nil {
			results[run] = scores
		}
		return nil
	})
}

// run makes one run, with its own random source so that runs are independent.
func (s *simulation) run(ctx context.Context, mc MonteCarlo, run int) ([]float64, error) {
	parts, err := s.draw(mc.Uncertain, rand.New(rand.NewPCG(mc.Seed, uint64(run))))
	if err != nil {
		return nil, err
	}
	factors := s.factors
	if parts[Technosphere] != s.parts[Technosphere] {
		if factors, err = factors.Refactorise(ctx, parts[Technosphere]); err != nil {
			return nil, err
		}
	}
	var scores []float64
	for _, process := range mc.Processes {
		// The sign of a unit is that of the original matrices: a sampled sign
		// must not turn a product into a waste.
		supply, err := factors.Solve(ctx, s.factors.demand(process, 1))
		if err != nil {
			return nil, err
		}
		scores = append(scores, parts[Characterization].times(supply.Inventory(parts[Biosphere]))...)
	}
	return scores, nil
}

// draw returns the three matrices of a run; those without uncertain amounts are
// the original ones.
func (s *simulation) draw(uncertain []Uncertain, random *rand.Rand) ([3]*Matrix, error) {
	parts := s.parts
	for i, u := range uncertain {
		change := u.Distribution.draw(random) - u.Amount
		for k, e := range u.Entries {
			if parts[e.Part] == s.parts[e.Part] {
				drawn := *s.parts[e.Part]
				drawn.value = slices.Clone(drawn.value)
				parts[e.Part] = &drawn
			}
			value := &parts[e.Part].value[s.places[i][k]]
			*value += e.Factor * change
			if !finite(*value) {
				return parts, &NotFiniteError{Row: e.Row, Col: e.Col, Value: *value}
			}
		}
	}
	return parts, nil
}
