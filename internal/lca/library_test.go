package lca_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"cradle/internal/lca"
	"cradle/internal/lca/synth"
)

// Libraries of the usual shape, large enough for every part of the engine.

func TestLibraryIsSolved(t *testing.T) {
	s := synth.Make(3000, 20, 1)
	f := factorise(t, s.A)
	table := scores(t, f, s.B, s.C)
	if worst := slices.Max(table.Report.BackwardErrors); worst > 1e-12 || worst == 0 {
		t.Errorf("backward error %g", worst)
	}
	if len(f.Iterated()) > 0 {
		t.Error(f.Iterated())
	}
	for process := 0; process < 3000; process += 97 {
		supply, err := f.Supply(t.Context(), process, 1)
		if err != nil {
			t.Fatal(err)
		}
		if supply.BackwardError > 1e-12 {
			t.Errorf("process %d: backward error %g", process, supply.BackwardError)
		}
		wantInventory(t, table, process, supply.Inventory(s.B), s.C)
	}
}

// wantInventory compares a row of the table with the scores of an inventory.
func wantInventory(t *testing.T, table *lca.Table, process int, flows []float64, c *lca.Matrix) {
	t.Helper()
	for k := range table.Indicators {
		score, size := 0.0, 0.0
		for flow, amount := range flows {
			score += c.At(k, flow) * amount
			size += math.Abs(c.At(k, flow) * amount)
		}
		if math.Abs(score-table.At(process, k)) > 1e-11*size {
			t.Errorf("process %d, indicator %d: adjoint %v, forward %v", process, k, table.At(process, k), score)
		}
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	s := synth.Make(1000, 30, 2)
	var tables []*lca.Table
	for _, threads := range []int{1, 4} {
		f, err := lca.Factorise(t.Context(), s.A, lca.Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, scores(t, f, s.B, s.C))
	}
	if !reflect.DeepEqual(tables[0], tables[1]) {
		t.Error("four threads give other numbers than one")
	}
}

// A network that does not fit in the allowed memory is iterated, with the same
// result.
func TestRunawayFill(t *testing.T) {
	s := synth.Make(1500, 9, 3)
	f, err := lca.Factorise(t.Context(), s.A, lca.Options{MaxFill: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if w := f.Iterated(); len(w) != 1 || len(w[0]) < 100 {
		t.Fatalf("got %v", w)
	}
	want := scores(t, factorise(t, s.A), s.B, s.C)
	got := scores(t, f, s.B, s.C)
	for i := range want.Values {
		if math.Abs(got.Values[i]-want.Values[i]) > 1e-9*math.Abs(want.Values[i]) {
			t.Fatalf("score %d: iterated %v, factorised %v", i, got.Values[i], want.Values[i])
		}
	}
	supply, err := f.Supply(t.Context(), 1200, 1)
	if err != nil {
		t.Fatal(err)
	}
	wantInventory(t, want, 1200, supply.Inventory(s.B), s.C)
}

func TestRunawayFillOfAnUnproductiveNetwork(t *testing.T) {
	a := zeros(50, 50)
	for j := range a {
		a[j][j] = 1
		a[(j+1)%50][j], a[(j+3)%50][j], a[(j+8)%50][j] = -0.9, -0.8, -0.7
	}
	f, err := lca.Factorise(t.Context(), matrix(t, a...), lca.Options{MaxFill: 10})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Scores(t.Context(), matrix(t, slices.Repeat([]float64{1}, 50)), matrix(t, []float64{1}))
	var unsolved *lca.NotSolvedError
	if !errors.As(err, &unsolved) || len(unsolved.Processes) != 50 {
		t.Errorf("got error %v", err)
	}
	if _, err := f.Supply(t.Context(), 0, 1); !errors.As(err, &unsolved) {
		t.Errorf("supply: got error %v", err)
	}
}

// When pivots have to be searched for, the order may turn out to be bad.
func TestRunawayFillWhileSearchingForPivots(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	a := zeros(150, 150)
	for j := range a {
		a[j][j] = 1e-6
		for range 4 {
			a[random.IntN(150)][j] += random.NormFloat64()
		}
	}
	m := matrix(t, a...)
	if f := factorise(t, m); len(f.Iterated()) != 0 {
		t.Fatal(f.Iterated())
	}
	for fill := 1000; fill < 20000; fill += 1000 {
		f, err := lca.Factorise(t.Context(), m, lca.Options{MaxFill: fill})
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Scores(t.Context(), matrix(t, slices.Repeat([]float64{1}, 150)), matrix(t, []float64{1}))
		iterated := len(f.Iterated()) > 0
		if iterated != (err != nil) {
			t.Errorf("fill %d: iterated %v, error %v", fill, f.Iterated(), err)
		}
	}
}

// Refactorising gives the same as factorising, even if the values no longer suit
// the order or the entries have moved.
func TestRefactorise(t *testing.T) {
	s := synth.Make(1000, 9, 4)
	f := factorise(t, s.A)
	for name, factor := range map[string]float64{"slightly": 1.01, "strongly": 40, "zero": 0} {
		t.Run(name, func(t *testing.T) {
			b := lca.NewBuilder(1000, 1000)
			for j := range 1000 {
				rows, values := s.A.Col(j)
				for k, i := range rows {
					if int(i) != j && j%5 == 0 {
						b.Add(int(i), j, values[k]*factor)
					} else {
						b.Add(int(i), j, values[k])
					}
				}
			}
			a := build(t, b)
			again, err := f.Refactorise(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			got, want := scores(t, again, s.B, s.C), scores(t, factorise(t, a), s.B, s.C)
			for i := range want.Values {
				if math.Abs(got.Values[i]-want.Values[i]) > 1e-8*math.Abs(want.Values[i]) {
					t.Fatalf("score %d: %v, want %v", i, got.Values[i], want.Values[i])
				}
			}
		})
	}
}
