package lca_test

import (
	"errors"
	"math"
	"testing"

	"cradle/internal/lca"
)

// FuzzScores makes a small system of any bytes: each three are a row, a column
// and a value. Either it is refused with one of the known errors, or its
// equations hold as well as the report says.
func FuzzScores(f *testing.F) {
	f.Add(uint8(2), []byte{0, 0, 10, 1, 0, 254, 1, 1, 100})
	f.Add(uint8(2), []byte{0, 0, 1, 1, 0, 254, 0, 1, 254, 1, 1, 1})
	f.Add(uint8(8), []byte("0708Y0X2X200020000000Y1072 0!X12CXXC!Z0Z8017a7X 7!0000"))
	f.Add(uint8(3), []byte{1, 0, 10, 0, 1, 10, 2, 2, 10, 0, 2, 128})
	f.Fuzz(func(t *testing.T, size uint8, data []byte) {
		n := int(size%40) + 1
		a := zeros(n, n)
		for ; len(data) >= 3; data = data[3:] {
			a[int(data[0])%n][int(data[1])%n] += value(int8(data[2]))
		}
		factors, err := lca.Factorise(t.Context(), matrix(t, a...), lca.Options{Threads: 1})
		var singular *lca.SingularError
		if errors.As(err, &singular) {
			if len(singular.Processes) == 0 {
				t.Fatal("singular, but nobody is named")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		b, c := zeros(1, n), [][]float64{{1}, {-2}}
		for j := range n {
			b[0][j] = float64(j%3) - 1
		}
		table, err := factors.Scores(t.Context(), matrix(t, b...), matrix(t, c...))
		var overflow *lca.OverflowError
		if errors.As(err, &overflow) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		wantSolved(t, 0, factors, table, a, b, c)
	})
}

// value spans forty decades in 256 steps.
func value(b int8) float64 {
	return math.Copysign(math.Pow(10, (math.Abs(float64(b))-64)/3), float64(b)) * math.Min(1, math.Abs(float64(b)))
}
