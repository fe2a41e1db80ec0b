package lca_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"cradle/internal/lca"
)

func failsWith[E error](t *testing.T, a *lca.Matrix) E {
	t.Helper()
	_, err := lca.Factorise(t.Context(), a, lca.Options{})
	var want E
	if !errors.As(err, &want) {
		t.Fatalf("got error %v, want a %T", err, want)
	}
	return want
}

func wantIndices(t *testing.T, what string, got []int, want ...int) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestEmptySystem(t *testing.T) {
	f := factorise(t, build(t, lca.NewBuilder(0, 0)))
	table := scores(t, f, build(t, lca.NewBuilder(3, 0)), build(t, lca.NewBuilder(2, 3)))
	if len(table.Values) != 0 {
		t.Errorf("got %v", table.Values)
	}
}

func TestNoIndicators(t *testing.T) {
	a, b := heijungsAndSuh(t)
	if table := scores(t, factorise(t, a), b, build(t, lca.NewBuilder(0, 3))); len(table.Row(1)) != 0 {
		t.Errorf("got %v", table.Values)
	}
}

func TestBuilderSumsAndDropsZeros(t *testing.T) {
	b := lca.NewBuilder(3, 2)
	b.Add(2, 1, 5)
	b.Add(0, 1, 1)
	b.Add(2, 1, -5)
	b.Add(0, 1, 2)
	b.Add(1, 0, 0)
	m := build(t, b)
	if m.Entries() != 1 || m.At(0, 1) != 3 || m.At(2, 1) != 0 {
		t.Errorf("got %d entries, %v and %v", m.Entries(), m.At(0, 1), m.At(2, 1))
	}
}

func TestNumbersThatAreNoneAreNamed(t *testing.T) {
	for _, values := range [][]float64{{math.NaN()}, {math.Inf(1)}, {math.MaxFloat64, math.MaxFloat64}} {
		b := lca.NewBuilder(4, 4)
		b.Add(1, 1, 1)
		for _, value := range values {
			b.Add(2, 3, value)
		}
		_, err := b.Matrix()
		var bad *lca.NotFiniteError
		if !errors.As(err, &bad) || bad.Row != 2 || bad.Col != 3 {
			t.Errorf("%v: got error %v", values, err)
		}
	}
	a, _ := heijungsAndSuh(t)
	_, err := factorise(t, a).Solve(t.Context(), []float64{0, math.NaN()})
	var bad *lca.NotFiniteError
	if !errors.As(err, &bad) || bad.Row != 1 {
		t.Errorf("demand: got error %v", err)
	}
}

func TestProductWithoutProducerIsNamed(t *testing.T) {
	err := failsWith[*lca.NotSquareError](t, matrix(t, []float64{1, 0}, []float64{-1, -3}, []float64{0, 2}))
	wantIndices(t, "without a producer", err.WithoutProducer, 1)
	wantIndices(t, "several producers", err.SeveralProducers)
}

func TestProductWithSeveralProducersIsNamed(t *testing.T) {
	err := failsWith[*lca.NotSquareError](t, matrix(t, []float64{1, -1, 0}, []float64{0, 1, 4}))
	wantIndices(t, "several producers", err.SeveralProducers, 1)
	wantIndices(t, "without a product", err.WithoutProduct, 2)
}

func TestProcessWithoutAnythingIsNamed(t *testing.T) {
	err := failsWith[*lca.SingularError](t, matrix(t, []float64{1, 0, -1}, []float64{-1, 0, 0}, []float64{0, 0, 1}))
	wantIndices(t, "processes", err.Processes, 1)
	wantIndices(t, "products", err.Products, 1)
}

// Two processes that undo each other, among others that are fine.
func TestDependentProcessesAreNamed(t *testing.T) {
	for _, off := range []float64{0, 1e-15, 1e-14} {
		a := zeros(60, 60)
		for j := range a {
			a[j][j] = 1
			a[(j+1)%60][j] -= 0.3
			a[(j+7)%60][j] -= 0.2
		}
		for i := range a {
			a[i][20], a[i][40] = 0, 0
		}
		a[20][20], a[40][20] = 2, -3
		a[20][40], a[40][40] = -4, 6*(1+off)
		err := failsWith[*lca.SingularError](t, matrix(t, a...))
		wantIndices(t, "processes", err.Processes, 20, 40)
	}
}

func TestNearlyDependentColumnsAreNamed(t *testing.T) {
	a := zeros(40, 40)
	for j := range a {
		a[j][j] = 1
		a[(j+1)%40][j] -= 0.4
		a[(j+5)%40][j] -= 0.4
	}
	for i := range a {
		a[i][9] = a[i][30] * (1 + 1e-15*float64(i%3))
	}
	err := failsWith[*lca.SingularError](t, matrix(t, a...))
	if !slices.Contains(err.Processes, 9) || !slices.Contains(err.Processes, 30) {
		t.Errorf("got %v, want 9 and 30 among them", err.Processes)
	}
}

func TestUnproductiveNetworksAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		a    [][]float64
		want []int
	}{
		"takes more than it makes":              {[][]float64{{1, -2, 0}, {-2, 1, 0}, {0, -1, 1}}, []int{0, 1}},
		"takes all it makes":                    {[][]float64{{1, -1}, {-1, 1}}, []int{0, 1}},
		"takes a little less than it makes":     {[][]float64{{1, -1}, {-0.999999, 1}}, nil},
		"takes a little more than it makes":     {[][]float64{{1, -1}, {-1.000001, 1}}, []int{0, 1}},
		"is productive in very different units": {[][]float64{{1, -1e9}, {-0.9e-9, 1}}, nil},
		"supplies nobody again":                 {[][]float64{{1, -5}, {0, 1}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := lca.Unproductive(t.Context(), matrix(t, c.a...))
			if err != nil {
				t.Fatal(err)
			}
			var members []int
			for _, network := range found {
				slices.Sort(network)
				members = append(members, network...)
			}
			wantIndices(t, "processes", members, c.want...)
		})
	}
}

func TestSelfConsumption(t *testing.T) {
	b := lca.NewBuilder(1, 1)
	b.Add(0, 0, 10)
	b.Add(0, 0, -2)
	table := scores(t, factorise(t, build(t, b)), matrix(t, []float64{4}), matrix(t, []float64{1}))
	wantNear(t, "scores", table.Values, []float64{0.5})
}

// The first process makes the second product and vice versa.
func TestReferenceProductsOffTheDiagonal(t *testing.T) {
	f := factorise(t, matrix(t, []float64{0, 100, 0}, []float64{10, 0, -1}, []float64{0, 0, 1}))
	wantIndices(t, "products", []int{f.Product(0), f.Product(1), f.Product(2)}, 1, 0, 2)
	table := scores(t, f, matrix(t, []float64{5, 50, 0}), matrix(t, []float64{1}))
	wantNear(t, "scores", table.Values, []float64{0.5, 0.5, 0.5})
}

func TestUnitsThatSpanManyDecades(t *testing.T) {
	s := network{zeros(6, 6), [][]float64{{1e-30, 1, 1e20, 3, 1e-8, 2}}, [][]float64{{1e10}, {-1e-10}}}
	unit := []float64{1e-15, 1, 1e18, 1e-6, 1e9, 1e-20}
	for j := range s.a {
		s.a[j][j] = 1
		for i := range s.a {
			if i != j {
				s.a[i][j] = -0.15 * unit[i] / unit[j]
			}
		}
	}
	want, table := s.exactTable(), s.table(t)
	for j := range want {
		for k := range want[j] {
			if math.Abs(table.At(j, k)-want[j][k]) > 1e-12*math.Abs(want[j][k]) {
				t.Errorf("score %d of process %d: %v, want %v", k, j, table.At(j, k), want[j][k])
			}
		}
	}
}

func TestNumbersNearTheLimits(t *testing.T) {
	tiny := factorise(t, matrix(t, []float64{1e-310, 0}, []float64{-1e-310, 1e-310}))
	table := scores(t, tiny, matrix(t, []float64{1e-310, 1e-310}), matrix(t, []float64{1}))
	wantNear(t, "scores", table.Values, []float64{2, 1})
	huge := factorise(t, matrix(t, []float64{1e300, 0}, []float64{-1e300, 1e300}))
	table = scores(t, huge, matrix(t, []float64{1e300, 1e300}), matrix(t, []float64{1}))
	wantNear(t, "scores", table.Values, []float64{2, 1})
}

func TestResultsThatAreTooLargeAreNamed(t *testing.T) {
	f := factorise(t, matrix(t, []float64{1, 0}, []float64{0, 1e-310}))
	_, err := f.Scores(t.Context(), matrix(t, []float64{1, 1}), matrix(t, []float64{1}))
	var overflow *lca.OverflowError
	if !errors.As(err, &overflow) {
		t.Fatalf("got error %v", err)
	}
	wantIndices(t, "processes", overflow.Processes, 1)
	if _, err = f.Supply(t.Context(), 1, 1); !errors.As(err, &overflow) {
		t.Errorf("supply: got error %v", err)
	}
}

func TestCancelling(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, b := heijungsAndSuh(t)
	c := matrix(t, []float64{1, 0, 0})
	if _, err := lca.Factorise(ctx, a, lca.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("factorise: %v", err)
	}
	f := factorise(t, a)
	if _, err := f.Scores(ctx, b, c); !errors.Is(err, context.Canceled) {
		t.Errorf("scores: %v", err)
	}
	if _, err := f.Supply(ctx, 0, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("supply: %v", err)
	}
	if _, err := f.MonteCarlo(ctx, b, c, lca.MonteCarlo{Runs: 10, Processes: []int{0}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Monte Carlo: %v", err)
	}
}
