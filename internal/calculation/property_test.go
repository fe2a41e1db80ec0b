package calculation

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"cradle/internal/lci"
)

// network is a random library of processes that supply one another, made so that
// together they need less than they make.
func network(r *rand.Rand, n int) *stock {
	s := new(stock).method("M", "A f0=1 f1=2.5", "B f1=1 f2=-3", "C f3=1")
	for i := range n {
		reference := makes(product(i), fmt.Sprintf("%g kg", 0.1+10*r.Float64()))
		exchanges := []lci.Exchange{reference}
		for range r.IntN(4) {
			share := 0.25 * r.Float64() * reference.Value
			exchanges = append(exchanges, takes(product(r.IntN(n)), fmt.Sprintf("%g kg", share)))
		}
		for range 1 + r.IntN(3) {
			exchanges = append(exchanges, emits(fmt.Sprintf("f%d", r.IntN(5)), fmt.Sprintf("%g kg", r.Float64())))
		}
		s.process(fmt.Sprintf("P%d", i), exchanges...)
	}
	return s
}

func product(i int) string { return fmt.Sprintf("product %d", i) }

// dense solves the same by elimination: for each process, the amounts of all
// processes needed for its reference amount, times their emissions.
func dense(s *stock, factor func(flow lci.ID) float64) map[lci.ID]float64 {
	at := map[lci.ID]int{}
	for i, p := range s.processes {
		at[p.ID] = i
	}
	maker, reference := map[lci.ID]int{}, make([]float64, len(at))
	for _, x := range s.exchanges {
		if x.Reference {
			maker[x.FlowID], reference[at[x.ProcessID]] = at[x.ProcessID], x.Value
		}
	}
	scores := map[lci.ID]float64{}
	for _, p := range s.processes {
		n := len(at)
		m := make([][]float64, n)
		for i := range m {
			m[i] = make([]float64, n+1)
		}
		direct := make([]float64, n)
		for _, x := range s.exchanges {
			column := at[x.ProcessID]
			switch {
			case x.Type == lci.Elementary:
				direct[column] += factor(x.FlowID) * x.Value
			case x.Direction == lci.Output:
				m[maker[x.FlowID]][column] += x.Value
			default:
				m[maker[x.FlowID]][column] -= x.Value
			}
		}
		m[at[p.ID]][n] = reference[at[p.ID]]
		for i, x := range eliminate(m) {
			scores[p.ID] += x * direct[i]
		}
	}
	return scores
}

func eliminate(m [][]float64) []float64 {
	n := len(m)
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[best][c]) {
				best = r
			}
		}
		m[c], m[best] = m[best], m[c]
		for r := range n {
			if f := m[r][c] / m[c][c]; r != c && f != 0 {
				for k := c; k <= n; k++ {
					m[r][k] -= f * m[c][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		x[i] = m[i][n] / m[i][i]
	}
	return x
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1e-6) }

func values(r *result) map[string]float64 {
	all := map[string]float64{}
	for name, row := range r.rows {
		all[name] = row.Value
	}
	return all
}

func expectNear(t *testing.T, what string, got, want map[string]float64) {
	t.Helper()
	for name := range maps.Keys(want) {
		if v, ok := got[name]; !ok || !near(v, want[name]) {
			t.Errorf("%s: %s is %v (%t), want %v", what, name, v, ok, want[name])
		}
	}
}

func TestAgainstADenseSolve(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := network(r, 1+r.IntN(25))
		got := calculate(t, s).isQuiet()
		for _, of := range s.indicators {
			want := dense(s, func(flow lci.ID) float64 {
				for _, f := range s.factors {
					if f.IndicatorID == of.ID && f.FlowID == flow {
						return f.Value
					}
				}
				return 0
			})
			for _, p := range s.processes {
				if row := got.rows[p.Name+" "+of.Name]; !near(row.Value, want[p.ID]) {
					t.Fatalf("seed %d: %s %s is %v, want %v", seed, p.Name, of.Name, row.Value, want[p.ID])
				}
			}
		}
	}
}

// Equivalent ways to write a library give the same scores.
func TestScoresDoNotDependOnHowALibraryIsWritten(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 2))
		build := func() *stock { return network(rand.New(rand.NewPCG(seed, 3)), 12) }
		want := values(calculate(t, build()))

		shuffled := build()
		r.Shuffle(len(shuffled.exchanges), func(i, j int) {
			shuffled.exchanges[i], shuffled.exchanges[j] = shuffled.exchanges[j], shuffled.exchanges[i]
		})
		expectNear(t, "in another order", values(calculate(t, shuffled)), want)

		larger := build().process("Unused", makes("nothing", "1 kg"), takes(product(3), "2 kg"), emits("f0", "7 kg"))
		expectNear(t, "with an unused process", values(calculate(t, larger)), want)

		split := build()
		for i := range split.exchanges {
			if x := &split.exchanges[i]; x.ProcessID == id("P5") && x.Reference {
				x.FlowID = id("crude")
			}
		}
		split.process("Refining", makes(product(5), "3 kg"), takes("crude", "3 kg"))
		got := values(calculate(t, split))
		for name := range want {
			if name[:2] != "P5" && !near(got[name], want[name]) {
				t.Errorf("with a process split in two: %s is %v, want %v", name, got[name], want[name])
			}
		}

		scaled := build()
		for i := range scaled.exchanges {
			if x := &scaled.exchanges[i]; x.ProcessID == id("P4") {
				x.Value *= 1000
			}
		}
		for name, value := range values(calculate(t, scaled)) {
			factor := 1.0
			if name[:3] == "P4 " {
				factor = 1000 // its row is for its reference amount
			}
			if !near(value, factor*want[name]) {
				t.Errorf("with a process a thousand times as large: %s is %v, want %v", name, value, factor*want[name])
			}
		}
	}
}

// Whether a row exists depends on the exchanges, not on their amounts.
func TestRowsExistWhateverTheValues(t *testing.T) {
	build := func() *stock { return network(rand.New(rand.NewPCG(7, 7)), 10) }
	want := calculate(t, build()).names()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		s := build()
		for i := range s.exchanges {
			s.exchanges[i].Value = []float64{0, -1, 1e300, 1e-7, 2, 123456789.5, 1e-300}[r.IntN(7)]
		}
		got := calculate(t, s)
		if got.Uncalculated > 0 {
			continue // except that equations without a solution have no rows
		}
		if fmt.Sprint(got.names()) != fmt.Sprint(want) {
			t.Errorf("seed %d: rows %v\nwant %v", seed, got.names(), want)
		}
		for name, row := range got.rows {
			if math.IsNaN(row.Value) || math.IsInf(row.Value, 0) {
				t.Errorf("seed %d: %s is %v", seed, name, row.Value)
			}
		}
	}
}

func TestUpstream(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 5))
		n := 1 + r.IntN(200)
		edges := make([][2]int32, r.IntN(3*n))
		for i := range edges {
			edges[i] = [2]int32{r.Int32N(int32(n)), r.Int32N(int32(n))}
		}
		g := newGraph(n, func(add func(from, to int32)) {
			for _, e := range edges {
				add(e[0], e[1])
			}
		})
		have := make([]int32, 2*n)
		for i := range have {
			have[i] = r.Int32N(9)
		}
		got := upstream(g, have, 2, int(seed)*64)
		for node := range n {
			var want [2]int32
			for other, reached := range g.reachable([]int32{int32(node)}) {
				if reached {
					want[0] += have[2*other]
					want[1] += have[2*other+1]
				}
			}
			if [2]int32(got[2*node:]) != want {
				t.Fatalf("seed %d: node %d has %v, want %v", seed, node, got[2*node:2*node+2], want)
			}
		}
	}
}
