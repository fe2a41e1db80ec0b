package allocation

import (
	"math"
	"slices"
	"testing"
)

func TestChoose(t *testing.T) {
	shares, masses := []float64{0.3, 0.7}, []float64{1, 3}
	for _, c := range []struct {
		name  string
		named Basis
		sets  Sets
		want  Basis
	}{
		{"the named method before others", Economic, Sets{Causal: shares, Physical: shares, Economic: shares}, Economic},
		{"worth is what an economic method needs", Economic, Sets{Causal: shares, Physical: shares, Worth: shares}, Worth},
		{"amounts are what a physical method needs", Physical, Sets{Causal: shares, Economic: shares, Worth: shares, Energy: masses}, Energy},
		{"a named method that lacks what it needs", Causal, Sets{Physical: shares, Economic: shares}, Physical},
		{"causal factors first where none is named", Unknown, Sets{Causal: shares, Physical: shares, Mass: masses}, Causal},
		{"physical shares before economic ones", Unknown, Sets{Physical: shares, Economic: shares}, Physical},
		{"economic shares before worth", Unknown, Sets{Economic: shares, Worth: shares}, Economic},
		{"worth before amounts", Unknown, Sets{Worth: shares, Mass: masses}, Worth},
		{"mass before energy", Unknown, Sets{Mass: masses, Energy: masses, Volume: masses, Pieces: masses}, Mass},
		{"energy before volume", Unknown, Sets{Energy: masses, Volume: masses, Pieces: masses}, Energy},
		{"volume before pieces", Unknown, Sets{Volume: masses, Pieces: masses}, Volume},
		{"pieces last", Unknown, Sets{Pieces: masses}, Pieces},
		{"nothing", Physical, Sets{}, Unknown},
		{"a negative number spoils its set", Physical, Sets{Physical: {1.5, -0.5}, Mass: masses}, Mass},
		{"so does one that is none", Unknown, Sets{Physical: {1, math.NaN()}, Mass: masses}, Mass},
		{"a set of zeros says nothing", Physical, Sets{Physical: {0, 0}, Economic: shares}, Economic},
		{"nothing for the reference does not count", Unknown, Sets{Physical: {0, 1}, Mass: masses}, Mass},
		{"unless the dataset names that method", Physical, Sets{Physical: {0, 1}, Mass: masses}, Physical},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, numbers, ok := Choose(c.named, c.sets)
			if got != c.want || ok != (c.want != Unknown) || !slices.Equal(numbers, c.sets[c.want]) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestStated(t *testing.T) {
	for _, c := range []struct {
		named, basis Basis
		want         bool
	}{{Physical, Physical, true}, {Physical, Mass, false}, {Economic, Worth, true}, {Unknown, Physical, false}, {Causal, Physical, false}, {Unknown, Unknown, false}} {
		if got := IsStated(c.named, c.basis); got != c.want {
			t.Errorf("%q by %q: %v", c.named, c.basis, got)
		}
	}
}

func TestShares(t *testing.T) {
	if got := Shares([]float64{1, 3}); !slices.Equal(got, []float64{0.25, 0.75}) {
		t.Errorf("got %v", got)
	}
}
