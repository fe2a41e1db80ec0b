package lca_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"cradle/internal/lca"
)

// digits is the precision, in bits, of the independent solution.
const digits = 400

// exactly solves a small system for several right-hand sides, by elimination in
// numbers of 400 bits.
func exactly(a [][]float64, demands ...[]float64) [][]float64 {
	n := len(a)
	rows := make([][]*big.Float, n)
	for i := range rows {
		for _, value := range a[i] {
			rows[i] = append(rows[i], new(big.Float).SetPrec(digits).SetFloat64(value))
		}
		for _, demand := range demands {
			rows[i] = append(rows[i], new(big.Float).SetPrec(digits).SetFloat64(demand[i]))
		}
	}
	for k := range n {
		largestFirst(rows, k)
		for i := range n {
			if i != k {
				subtractRow(rows[i], rows[k], k)
			}
		}
	}
	x := zeros(len(demands), n)
	for d := range x {
		for i := range n {
			x[d][i], _ = new(big.Float).Quo(rows[i][n+d], rows[i][i]).Float64()
		}
	}
	return x
}

func largestFirst(rows [][]*big.Float, k int) {
	best := k
	for i := k; i < len(rows); i++ {
		if new(big.Float).Abs(rows[i][k]).Cmp(new(big.Float).Abs(rows[best][k])) > 0 {
			best = i
		}
	}
	rows[k], rows[best] = rows[best], rows[k]
}

func subtractRow(row, pivot []*big.Float, k int) {
	if row[k].Sign() == 0 {
		return
	}
	factor := new(big.Float).SetPrec(digits).Quo(row[k], pivot[k])
	product := new(big.Float).SetPrec(digits)
	for j := k; j < len(row); j++ {
		if pivot[j].Sign() != 0 {
			row[j].Sub(row[j], product.Mul(factor, pivot[j]))
		}
	}
}

// network is a small system in rows of numbers.
type network struct {
	a, b, c [][]float64
}

func zeros(rows, cols int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, cols)
	}
	return m
}

// randomNetwork is productive, but neither diagonally dominant as it stands nor
// of one sign: prices span decades, some processes treat waste, some avoid
// products, some use their own.
func randomNetwork(random *rand.Rand) network {
	n, flows, indicators := 1+random.IntN(24), 1+random.IntN(6), 1+random.IntN(12)
	s := network{zeros(n, n), zeros(flows, n), zeros(indicators, flows)}
	price := make([]float64, n)
	for i := range price {
		price[i] = math.Exp(4 * random.NormFloat64())
	}
	for j := range n {
		s.a[j][j] = math.Exp(random.NormFloat64())
		if random.IntN(8) == 0 {
			s.a[j][j] = -s.a[j][j]
		}
		inputs := random.IntN(min(n, 6) + 1)
		for range inputs {
			i := random.IntN(n)
			share := 0.95 * random.Float64() / float64(inputs)
			amount := -share * math.Abs(s.a[j][j]) * price[j] / price[i]
			if i == j {
				s.a[j][j] *= 1 - share
			} else if random.IntN(8) == 0 {
				s.a[i][j] = -amount
			} else {
				s.a[i][j] = amount
			}
		}
	}
	fillRandomly(random, s.b)
	fillRandomly(random, s.c)
	return s
}

func fillRandomly(random *rand.Rand, m [][]float64) {
	for i := range m {
		for j := range m[i] {
			if random.IntN(3) > 0 {
				m[i][j] = random.NormFloat64()
			}
		}
	}
}

// exactTable scores by one exact forward solve for each process: x by A, then B,
// then C.
func (s network) exactTable() [][]float64 {
	n := len(s.a)
	table, demands := zeros(n, len(s.c)), zeros(n, n)
	for process := range n {
		demands[process][process] = math.Copysign(1, s.a[process][process])
	}
	for process, x := range exactly(s.a, demands...) {
		for k := range s.c {
			for flow, factor := range s.c[k] {
				for j := range x {
					table[process][k] += factor * s.b[flow][j] * x[j]
				}
			}
		}
	}
	return table
}

// tolerance allows for scores that nearly cancel.
func tolerance(t [][]float64, process, k int) float64 {
	largest := 0.0
	for other := range t {
		largest = max(largest, math.Abs(t[other][k]))
	}
	return 1e-11*math.Abs(t[process][k]) + 1e-13*largest
}

func TestScoresAgainstExactSolves(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 120 {
		s := randomNetwork(random)
		f := factorise(t, matrix(t, s.a...))
		table := scores(t, f, matrix(t, s.b...), matrix(t, s.c...))
		want := s.exactTable()
		for process := range want {
			for k := range want[process] {
				if got := table.At(process, k); math.Abs(got-want[process][k]) > tolerance(want, process, k) {
					t.Fatalf("network %d of %d processes: score %d of process %d is %v, want %v", round, len(s.a), k, process, got, want[process][k])
				}
			}
		}
		if len(f.Iterated()) > 0 {
			t.Errorf("network %d: %v", round, f.Iterated())
		}
	}
}

func TestSupplyAgainstExactSolves(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		s := randomNetwork(random)
		demand := make([]float64, len(s.a))
		for range 3 {
			demand[random.IntN(len(demand))] = random.NormFloat64()
		}
		supply, err := factorise(t, matrix(t, s.a...)).Solve(t.Context(), demand)
		if err != nil {
			t.Fatal(err)
		}
		want := exactly(s.a, demand)[0]
		for j := range want {
			if math.Abs(supply.Scaling[j]-want[j]) > 1e-10*math.Abs(want[j])+1e-100 {
				t.Fatalf("network %d: process %d runs %v, want %v", round, j, supply.Scaling[j], want[j])
			}
		}
	}
}

// Any invertible matrix is solved, productive or not: here even the diagonal is
// missing.
func TestUnorderedSystems(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	solved := 0
	for round := range 150 {
		n := 2 + random.IntN(150)
		a := zeros(n, n)
		shuffled := random.Perm(n)
		for j := range n {
			a[shuffled[j]][j] = 1 + random.Float64()
			for range random.IntN(5) {
				if i := random.IntN(n); i != j {
					a[i][j] += 2 * random.NormFloat64()
				}
			}
		}
		f, err := lca.Factorise(t.Context(), matrix(t, a...), lca.Options{})
		if err != nil {
			continue
		}
		solved++
		b, c := zeros(2, n), zeros(3, 2)
		fillRandomly(random, b)
		fillRandomly(random, c)
		table := scores(t, f, matrix(t, b...), matrix(t, c...))
		if worst := slices.Max(table.Report.BackwardErrors); worst > 1e-11 {
			t.Errorf("system %d: backward error %g", round, worst)
		}
		wantSolved(t, round, f, table, a, b, c)
	}
	if solved < 125 {
		t.Errorf("only %d systems were solved", solved)
	}
}

// wantSolved checks the equations of the scores: at the scores of the products,
// what each process makes and takes is worth as much as its own flows.
func wantSolved(t *testing.T, round int, f *lca.Factors, table *lca.Table, a, b, c [][]float64) {
	t.Helper()
	for j := range a {
		for k := range c {
			left, size := 0.0, 0.0
			for flow := range b {
				left += c[k][flow] * b[flow][j]
				size += math.Abs(c[k][flow] * b[flow][j])
			}
			for i := range a {
				producer := f.Producer(i)
				worth := a[i][j] * table.At(producer, k) * math.Copysign(1, a[i][producer])
				left -= worth
				size += math.Abs(worth)
			}
			if math.Abs(left) > max(1e-11, 2*table.Report.BackwardErrors[k])*size {
				t.Fatalf("system %d: equation %d of indicator %d is off by %g of %g", round, j, k, left, size)
			}
		}
	}
}
