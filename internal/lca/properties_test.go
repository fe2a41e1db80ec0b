package lca_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"cradle/internal/lca"
)

// table scores a network.
func (s network) table(t testing.TB) *lca.Table {
	t.Helper()
	return scores(t, factorise(t, matrix(t, s.a...)), matrix(t, s.b...), matrix(t, s.c...))
}

// wantSame compares the scores of processes in two tables, multiplied by factors.
func wantSame(t *testing.T, got, want *lca.Table, process func(int) int, factor func(int) float64) {
	t.Helper()
	for j := range want.Processes {
		for k := range want.Indicators {
			x, y := got.At(process(j), k), want.At(j, k)*factor(j)
			if math.Abs(x-y) > 1e-10*(math.Abs(y)+largest(want, k)*1e-2) {
				t.Fatalf("score %d of process %d: %v, want %v", k, j, x, y)
			}
		}
	}
}

func largest(t *lca.Table, k int) float64 {
	most := 0.0
	for j := range t.Processes {
		most = max(most, math.Abs(t.At(j, k)))
	}
	return most
}

func itself(j int) int { return j }
func once(int) float64 { return 1 }
func eachNetwork(t *testing.T, check func(*testing.T, *rand.Rand, network)) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		check(t, random, randomNetwork(random))
	}
}

func TestReferenceAmountDoesNotMatter(t *testing.T) {
	eachNetwork(t, func(t *testing.T, random *rand.Rand, s network) {
		want := s.table(t)
		j, factor := random.IntN(len(s.a)), math.Exp(5*random.NormFloat64())
		for i := range s.a {
			s.a[i][j] *= factor
		}
		for flow := range s.b {
			s.b[flow][j] *= factor
		}
		wantSame(t, s.table(t), want, itself, once)
	})
}

func TestUnitOfAProductScalesItsScoreOnly(t *testing.T) {
	eachNetwork(t, func(t *testing.T, random *rand.Rand, s network) {
		want := s.table(t)
		i := random.IntN(len(s.a))
		for j := range s.a {
			s.a[i][j] *= 1000
		}
		wantSame(t, s.table(t), want, itself, func(j int) float64 {
			if j == i {
				return 1.0 / 1000
			}
			return 1
		})
	})
}

func TestPermutingChangesNothing(t *testing.T) {
	eachNetwork(t, func(t *testing.T, random *rand.Rand, s network) {
		want := s.table(t)
		to := random.Perm(len(s.a))
		moved := network{zeros(len(s.a), len(s.a)), zeros(len(s.b), len(s.a)), s.c}
		for j := range s.a {
			for i := range s.a {
				moved.a[to[i]][to[j]] = s.a[i][j]
			}
			for flow := range s.b {
				moved.b[flow][to[j]] = s.b[flow][j]
			}
		}
		wantSame(t, moved.table(t), want, func(j int) int { return to[j] }, once)
	})
}

// wider is the network with room for another process.
func (s network) wider() network {
	n := len(s.a) + 1
	w := network{zeros(n, n), zeros(len(s.b), n), s.c}
	for i := range s.a {
		copy(w.a[i], s.a[i])
	}
	for flow := range s.b {
		copy(w.b[flow], s.b[flow])
	}
	return w
}

func TestUnusedProcessChangesNothing(t *testing.T) {
	eachNetwork(t, func(t *testing.T, random *rand.Rand, s network) {
		want := s.table(t)
		w := s.wider()
		n := len(s.a)
		for i := range n {
			w.a[i][n] = -random.Float64()
		}
		w.a[n][n], w.b[0][n] = 1, 1
		wantSame(t, w.table(t), want, itself, once)
	})
}

// A process is split into one that does everything and one that only passes on
// its product.
func TestSplittingAProcessChangesNothing(t *testing.T) {
	eachNetwork(t, func(t *testing.T, random *rand.Rand, s network) {
		want := s.table(t)
		w := s.wider()
		n, j := len(s.a), random.IntN(len(s.a))
		for i := range n {
			w.a[i][n], w.a[i][j] = s.a[i][j], 0
		}
		for flow := range s.b {
			w.b[flow][n], w.b[flow][j] = s.b[flow][j], 0
		}
		w.a[n][n], w.a[j][n] = s.a[j][j], 0
		w.a[j][j], w.a[n][j] = math.Copysign(1, s.a[j][j]), -math.Copysign(1, s.a[j][j])
		wantSame(t, w.table(t), want, itself, once)
	})
}

func TestContributionsAddUp(t *testing.T) {
	eachNetwork(t, func(t *testing.T, random *rand.Rand, s network) {
		a, b, c := matrix(t, s.a...), matrix(t, s.b...), matrix(t, s.c...)
		f := factorise(t, a)
		table := scores(t, f, b, c)
		process, k := random.IntN(len(s.a)), random.IntN(len(s.c))
		tolerance := 1e-9 * largest(table, k)
		direct, suppliers, total := 0.0, 0.0, 0.0
		for _, share := range f.DirectFlows(b, c, process, k) {
			direct += share.Score
		}
		for _, share := range f.Suppliers(table, process, k) {
			suppliers += share.Score
		}
		flows, err := f.TotalFlows(t.Context(), b, c, process, k)
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range flows {
			total += share.Score
		}
		want := table.At(process, k)
		if math.Abs(direct+suppliers-want) > tolerance || math.Abs(total-want) > tolerance {
			t.Fatalf("direct flows %v and suppliers %v, all flows %v; want %v", direct, suppliers, total, want)
		}
	})
}

func TestTreeAddsUp(t *testing.T) {
	eachNetwork(t, func(t *testing.T, random *rand.Rand, s network) {
		a, b, c := matrix(t, s.a...), matrix(t, s.b...), matrix(t, s.c...)
		f := factorise(t, a)
		table := scores(t, f, b, c)
		root := f.Tree(table, random.IntN(len(s.a)), 0, lca.Cutoff{Share: 0.05, Depth: 4, Nodes: 200})
		count := 0
		var check func(*lca.Node, int)
		check = func(n *lca.Node, depth int) {
			count++
			sum := n.Direct + n.Rest
			for _, child := range n.Children {
				sum += child.Score
				if math.Abs(child.Score) < 0.05*math.Abs(root.Score) || depth == 4 {
					t.Fatalf("a supplier with %v of %v at depth %d should have been cut off", child.Score, root.Score, depth)
				}
				check(child, depth+1)
			}
			if math.Abs(sum-n.Score) > 1e-9*largest(table, 0)*max(1, math.Abs(n.Amount)) {
				t.Fatalf("the parts of a node sum to %v, want %v", sum, n.Score)
			}
		}
		check(root, 0)
		if count > 200 {
			t.Fatalf("the tree has %d nodes", count)
		}
	})
}
