package lca_test

import (
	"math"
	"reflect"
	"testing"

	"cradle/internal/lca"
)

func at(part lca.Part, row, col int, factor float64) []lca.Entry {
	return []lca.Entry{{Part: part, Row: row, Col: col, Factor: factor}}
}

func simulate(t *testing.T, threads int, a, b, c *lca.Matrix, mc lca.MonteCarlo) *lca.Spread {
	t.Helper()
	f, err := lca.Factorise(t.Context(), a, lca.Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	spread, err := f.MonteCarlo(t.Context(), b, c, mc)
	if err != nil {
		t.Fatal(err)
	}
	return spread
}

func wantSpread(t *testing.T, got lca.Statistics, mean, sd float64, runs int) {
	t.Helper()
	// Five standard errors, that of the standard deviation for tails no heavier than
	// an exponential's.
	room := 5 * sd / math.Sqrt(float64(runs))
	if math.Abs(got.Mean-mean) > room || math.Abs(got.SD-sd) > 2*room {
		t.Errorf("got mean %v and standard deviation %v, want %v and %v", got.Mean, got.SD, mean, sd)
	}
}

// One process, one flow, one indicator: the score is 3·b/2.
func TestSpreadOfAFlowIsThatOfItsDistribution(t *testing.T) {
	const runs = 4000
	cases := map[string]struct {
		d        lca.Distribution
		mean, sd float64
	}{
		"normal":     {lca.Normal{Mean: 5, SD: 2}, 5, 2},
		"lognormal":  {lca.Lognormal{Mu: 1, Sigma: 0.3}, math.Exp(1.045), math.Exp(1.045) * math.Sqrt(math.Expm1(0.09))},
		"negative":   {lca.Lognormal{Mu: 1, Sigma: 0.3, Negative: true}, -math.Exp(1.045), math.Exp(1.045) * math.Sqrt(math.Expm1(0.09))},
		"triangular": {lca.Triangular{Min: 1, Mode: 2, Max: 6}, 3, math.Sqrt((1 + 4 + 36 - 2 - 6 - 12) / 18.0)},
		"one-sided":  {lca.Triangular{Min: 0, Mode: 0, Max: 3}, 1, math.Sqrt(0.5)},
		"uniform":    {lca.Uniform{Min: -1, Max: 5}, 2, math.Sqrt(3)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			spread := simulate(t, 0, matrix(t, []float64{2}), matrix(t, []float64{7}), matrix(t, []float64{3}), lca.MonteCarlo{
				Uncertain: []lca.Uncertain{{Amount: 7, Distribution: c.d, Entries: at(lca.Biosphere, 0, 0, 1)}},
				Processes: []int{0}, Runs: runs, Seed: 1, Percentiles: []float64{0, 50, 100},
			})
			got := spread.At(0, 0)
			wantSpread(t, got, 1.5*c.mean, 1.5*c.sd, runs)
			if p := got.Percentiles; !(p[0] < p[1] && p[1] < p[2]) {
				t.Errorf("percentiles %v", p)
			}
		})
	}
}

// A process takes u of the other's product, u uniform between 0.2 and 0.6, and the
// other 0.5 of the first's: the score 1/(1 - 0.5·u) has the mean
// ∫ 1/(1 - 0.5u) du / 0.4 = ln(0.9/0.7)/0.2.
func TestSpreadOfALoop(t *testing.T) {
	const runs = 4000
	mc := lca.MonteCarlo{
		Uncertain: []lca.Uncertain{{Amount: 0.4, Distribution: lca.Uniform{Min: 0.2, Max: 0.6}, Entries: at(lca.Technosphere, 1, 0, -1)}},
		Processes: []int{0, 1}, Runs: runs, Seed: 3, Percentiles: []float64{50},
	}
	a := matrix(t, []float64{1, -0.5}, []float64{-0.4, 1})
	b, c := matrix(t, []float64{1, 0}), matrix(t, []float64{1})
	spread := simulate(t, 0, a, b, c, mc)
	mean := math.Log(0.9/0.7) / 0.2
	square := 1 / 0.2 * (1/0.7 - 1/0.9) // ∫ (1 - 0.5u)⁻² du / 0.4
	wantSpread(t, spread.At(0, 0), mean, math.Sqrt(square-mean*mean), runs)
	if median := spread.At(0, 0).Percentiles[0]; math.Abs(median-1/0.8) > 0.02 {
		t.Errorf("median %v, want 1.25", median)
	}
	if spread.Runs != runs || spread.Failed != 0 {
		t.Errorf("%d runs, %d failed", spread.Runs, spread.Failed)
	}
	if again := simulate(t, 1, a, b, c, mc); !reflect.DeepEqual(again, spread) {
		t.Error("on one thread the numbers are others")
	}
	mc.Seed++
	if other := simulate(t, 0, a, b, c, mc); reflect.DeepEqual(other, spread) {
		t.Error("another seed gives the same numbers")
	}
}

// An allocated exchange counts 0.25 and 0.75 in two columns: the sum does not
// vary more than the exchange.
func TestOneAmountInSeveralPlacesIsDrawnOnce(t *testing.T) {
	a := matrix(t, []float64{1, 0, -1}, []float64{0, 1, -1}, []float64{0, 0, 1})
	b := matrix(t, []float64{2.5, 7.5, 0})
	entries := append(at(lca.Biosphere, 0, 0, 0.25), at(lca.Biosphere, 0, 1, 0.75)...)
	spread := simulate(t, 0, a, b, matrix(t, []float64{1}), lca.MonteCarlo{
		Uncertain: []lca.Uncertain{{Amount: 10, Distribution: lca.Normal{Mean: 10, SD: 1}, Entries: entries}},
		Processes: []int{2}, Runs: 4000, Seed: 5,
	})
	wantSpread(t, spread.At(0, 0), 10, 1, 4000)
}

// The amount is zero as stored, so that the matrix has no entry for it.
func TestUncertainAmountWhereNothingIsStored(t *testing.T) {
	a := matrix(t, []float64{1, 0}, []float64{0, 1})
	spread := simulate(t, 0, a, matrix(t, []float64{0, 2}), matrix(t, []float64{1}), lca.MonteCarlo{
		Uncertain: []lca.Uncertain{{Amount: 0, Distribution: lca.Normal{SD: 1}, Entries: at(lca.Technosphere, 1, 0, -1)}},
		Processes: []int{0}, Runs: 4000, Seed: 6,
	})
	wantSpread(t, spread.At(0, 0), 0, 2, 4000)
}

func TestRunsWithoutAResultAreCounted(t *testing.T) {
	mc := lca.MonteCarlo{
		Uncertain: []lca.Uncertain{{Amount: 1, Distribution: lca.Lognormal{Sigma: 2000}, Entries: at(lca.Biosphere, 0, 0, 1)}},
		Processes: []int{0}, Runs: 200, Seed: 1,
	}
	one := matrix(t, []float64{1})
	spread := simulate(t, 0, one, one, one, mc)
	if spread.Failed < 20 || spread.Runs+spread.Failed != 200 {
		t.Errorf("%d runs and %d failed", spread.Runs, spread.Failed)
	}
	mc.Uncertain[0] = lca.Uncertain{Amount: 1, Distribution: lca.Uniform{}, Entries: at(lca.Technosphere, 0, 0, 1)}
	if _, err := factorise(t, one).MonteCarlo(t.Context(), one, one, mc); err == nil {
		t.Error("a technosphere that is always singular gives a result")
	}
}

func TestDistributionsThatAreNoneAreRefused(t *testing.T) {
	one := matrix(t, []float64{1})
	for _, d := range []lca.Distribution{
		lca.Normal{SD: -1}, lca.Normal{Mean: math.NaN()}, lca.Lognormal{Sigma: math.Inf(1)},
		lca.Triangular{Min: 1, Mode: 0, Max: 2}, lca.Uniform{Min: 2, Max: 1}, nil,
	} {
		mc := lca.MonteCarlo{Uncertain: []lca.Uncertain{{Distribution: d, Entries: at(lca.Biosphere, 0, 0, 1)}}, Processes: []int{0}, Runs: 1}
		if _, err := factorise(t, one).MonteCarlo(t.Context(), one, one, mc); err == nil {
			t.Errorf("%#v is accepted", d)
		}
	}
}
