package lca

import (
	"errors"
	"math"
	"slices"
)

// Statistics describe the sampled values of one score.
type Statistics struct {
	Mean, SD    float64
	Percentiles []float64 // those requested
}

// spread summarises the results of the runs; a run without a result failed.
func spread(results [][]float64, processes, indicators int, percentiles []float64) (*Spread, error) {
	runs := slices.DeleteFunc(slices.Clone(results), func(r []float64) bool { return r == nil })
	s := &Spread{Indicators: indicators, Runs: len(runs), Failed: len(results) - len(runs)}
	if len(runs) == 0 {
		return nil, errors.New("no run gave a result")
	}
	for i := range processes * indicators {
		values := make([]float64, len(runs))
		for run := range runs {
			values[run] = runs[run][i]
		}
		s.Statistics = append(s.Statistics, describe(values, percentiles))
	}
	return s, nil
}

// describe also sorts the values.
func describe(values, percentiles []float64) Statistics {
	slices.Sort(values)
	var s Statistics
	for _, x := range values {
		s.Mean += x / float64(len(values))
	}
	for _, x := range values {
		s.SD += (x - s.Mean) * (x - s.Mean)
	}
	s.SD = math.Sqrt(s.SD / float64(max(1, len(values)-1)))
	for _, p := range percentiles {
		s.Percentiles = append(s.Percentiles, percentile(values, p))
	}
	return s
}

// percentile interpolates between the nearest of the sorted values.
func percentile(sorted []float64, p float64) float64 {
	at := min(max(p, 0), 100) / 100 * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
