package lca_test

import (
	"math"
	"testing"

	"cradle/internal/lca"
)

// matrix builds a matrix from rows of numbers.
func matrix(t testing.TB, rows ...[]float64) *lca.Matrix {
	t.Helper()
	b := lca.NewBuilder(len(rows), len(rows[0]))
	for i, row := range rows {
		for j, value := range row {
			b.Add(i, j, value)
		}
	}
	return build(t, b)
}

func build(t testing.TB, b *lca.Builder) *lca.Matrix {
	t.Helper()
	m, err := b.Matrix()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func factorise(t testing.TB, a *lca.Matrix) *lca.Factors {
	t.Helper()
	f, err := lca.Factorise(t.Context(), a, lca.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func scores(t testing.TB, f *lca.Factors, b, c *lca.Matrix) *lca.Table {
	t.Helper()
	table, err := f.Scores(t.Context(), b, c)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func near(x, y float64) bool {
	return math.Abs(x-y) <= 1e-12*max(math.Abs(x), math.Abs(y))
}

func wantNear(t testing.TB, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
	for i := range got {
		if !near(got[i], want[i]) {
			t.Errorf("%s: got %v, want %v", what, got, want)
			return
		}
	}
}

// Heijungs and Suh (2002), chapter 2: a power plant makes 10 kWh from 2 litres
// of fuel, a refinery 100 litres of fuel from 50 litres of crude oil. 1000 kWh
// take 100 times the plant and twice the refinery: 100·1 + 2·10 = 120 kg CO2,
// 100·0.1 + 2·2 = 14 kg SO2, 2·(-50) = -100 l crude oil.
func heijungsAndSuh(t testing.TB) (a, b *lca.Matrix) {
	a = matrix(t, []float64{10, 0}, []float64{-2, 100})
	b = matrix(t, []float64{1, 10}, []float64{0.1, 2}, []float64{0, -50})
	return a, b
}

func TestSupplyOfTheTextbook(t *testing.T) {
	a, b := heijungsAndSuh(t)
	supply, err := factorise(t, a).Solve(t.Context(), []float64{1000, 0})
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "scaling", supply.Scaling, []float64{100, 2})
	wantNear(t, "inventory", supply.Inventory(b), []float64{120, 14, -100})
}

func TestScoresOfTheTextbook(t *testing.T) {
	a, b := heijungsAndSuh(t)
	c := matrix(t, []float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, -1})
	table := scores(t, factorise(t, a), b, c)
	wantNear(t, "1 kWh", table.Row(0), []float64{0.12, 0.014, 0.1})
	wantNear(t, "1 l of fuel", table.Row(1), []float64{0.1, 0.02, 0.5})
}

// A process puts out 2 kg of waste for each unit; the treatment takes 1 kg and
// emits 2 kg: 4 kg for a unit of product, 2 kg for 1 kg of waste treated.
func TestWasteTreatment(t *testing.T) {
	a := matrix(t, []float64{1, 0}, []float64{2, -1})
	b := matrix(t, []float64{0, 2})
	c := matrix(t, []float64{1})
	f := factorise(t, a)
	table := scores(t, f, b, c)
	wantNear(t, "scores", table.Values, []float64{4, 2})
	supply, err := f.Supply(t.Context(), 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "2 kg of waste", supply.Inventory(b), []float64{4})
	wantNear(t, "treated", f.Made(supply), []float64{0, 2})
	shares := f.Suppliers(table, 0, 0)
	if len(shares) != 1 || shares[0] != (lca.SupplierShare{Process: 1, Amount: 2, Score: 4}) {
		t.Errorf("suppliers: %v", shares)
	}
}
