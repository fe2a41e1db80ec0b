package calculation

import (
	"context"
	"math"

	"cradle/internal/fault"
	"cradle/internal/ingest"
	"cradle/internal/lca"
	"cradle/internal/lci"
)

// Spread is how a score varies when uncertain amounts are sampled. Allocation
// shares stay fixed.
type Spread struct {
	Samples           int     `json:"samples"` // that gave a result
	Mean              float64 `json:"mean"`
	StandardDeviation float64 `json:"standardDeviation"`
	P5                float64 `json:"p5"` // below which five in a hundred results are
	P50               float64 `json:"p50"`
	P95               float64 `json:"p95"`
}

// scatter is the distribution of an exchange's amount, nil if it is certain.
func scatter(x lci.Exchange) lca.Distribution {
	mean, deviation := x.Value, 0.0
	if x.Mean != nil {
		mean = *x.Mean
	}
	if x.StandardDeviation != nil {
		deviation = *x.StandardDeviation
	}
	bounds := x.Minimum != nil && x.Maximum != nil
	switch {
	case x.Distribution == lci.Normal && deviation > 0:
		return lca.Normal{Mean: mean, SD: deviation}
	case x.Distribution == lci.Lognormal && deviation > 0 && mean != 0:
		variance := math.Log1p(deviation * deviation / (mean * mean))
		return lca.Lognormal{Mu: math.Log(math.Abs(mean)) - variance/2, Sigma: math.Sqrt(variance), Negative: mean < 0}
	case x.Distribution == lci.Triangular && bounds:
		return lca.Triangular{Min: *x.Minimum, Mode: x.Value, Max: *x.Maximum}
	case x.Distribution == lci.Uniform && bounds:
		return lca.Uniform{Min: *x.Minimum, Max: *x.Maximum}
	}
	return nil
}

// addScatter stores an exchange's distribution.
func (r *reader) addScatter(at int32, x lci.Exchange) {
	d := scatter(x)
	switch {
	case d == nil:
	case d.Check() != nil:
		r.notes.add(ingest.Doubtful, x.Name, "invalid uncertainty; treated as certain", "check its parameters", r.processes[r.exchanges[at].process].label)
	default:
		r.scatter[at] = d
	}
}

// sample adds the spread of its scores to an explanation.
func (s *solution) sample(ctx context.Context, column int32, q Question, e *Explanation) error {
	if q.Samples == 0 {
		return nil
	}
	spread, err := s.factors.MonteCarlo(ctx, s.b, s.c, lca.MonteCarlo{
		Uncertain: s.uncertain(), Processes: []int{int(s.at[column])}, Runs: q.Samples, Seed: q.Seed, Percentiles: []float64{5, 50, 95},
	})
	if err != nil {
		return fault.Invalidf("The uncertain amounts cannot be sampled: %s", err)
	}
	batch := s.batch(column)
	for k := range e.Scores {
		of := spread.At(0, k)
		low, high := batch*of.Percentiles[0], batch*of.Percentiles[2]
		e.Scores[k].Spread = &Spread{
			Samples: spread.Runs, Mean: rounded(batch * of.Mean), StandardDeviation: rounded(math.Abs(batch) * of.SD),
			P5: rounded(min(low, high)), P50: rounded(batch * of.Percentiles[1]), P95: rounded(max(low, high)),
		}
	}
	return nil
}

// uncertain returns the amounts to sample, with the matrix entries of each.
func (s *solution) uncertain() []lca.Uncertain {
	var all []lca.Uncertain
	for i := range s.exchanges {
		d, ok := s.scatter[int32(i)]
		if !ok || s.exchanges[i].value == 0 {
			continue
		}
		if entries := s.entries(int32(i)); len(entries) > 0 {
			all = append(all, lca.Uncertain{Amount: s.exchanges[i].value, Distribution: d, Entries: entries})
		}
	}
	return all
}

// entries are an exchange's entries in the matrices: one in the column of each
// product with a share of it.
func (s *solution) entries(at int32) []lca.Entry {
	x := &s.exchanges[at]
	p := &s.processes[x.process]
	var entries []lca.Entry
	for c := p.columns.from; c < p.columns.to; c++ {
		col, share := int(s.at[c]), s.columns[c].share(at, p.exchanges.from)
		switch {
		case col < 0:
		case x.reference:
			if s.columns[c].exchange == at {
				entries = append(entries, lca.Entry{Part: lca.Technosphere, Row: col, Col: col, Factor: 1})
			}
		case x.kind == lci.Elementary:
			if row := s.flows[x.flow].row; row != none {
				entries = append(entries, lca.Entry{Part: lca.Biosphere, Row: int(row), Col: col, Factor: share * s.natural(x) / x.value})
			}
		case x.supplier != none && s.at[x.supplier] != none:
			entries = append(entries, lca.Entry{Part: lca.Technosphere, Row: int(s.at[x.supplier]), Col: col, Factor: share * s.coefficient(x) / x.value})
		}
	}
	return entries
}
