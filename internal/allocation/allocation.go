// Package allocation decides by what the products of a process share its
// exchanges. It is pure: numbers in, a decision out.
package allocation

import "math"

// A Basis is by what products share.
type Basis string

const (
	Unknown  Basis = ""
	Causal   Basis = "causal" // another share of each exchange
	Physical Basis = "physical"
	Economic Basis = "economic"
	Worth    Basis = "worth"
	Mass     Basis = "mass"
	Energy   Basis = "energy"
	Volume   Basis = "volume"
	Pieces   Basis = "pieces"
)

// Methods lists what a dataset may name.
func Methods() []Basis { return []Basis{Causal, Physical, Economic} }

// Words is the basis as one says it: shared by mass, by physical shares.
func (b Basis) Words() string {
	switch b {
	case Causal:
		return "causal factors"
	case Physical, Economic:
		return string(b) + " shares"
	}
	return string(b)
}

// order is in which bases are asked where the dataset names no method, or lacks
// what the method needs.
var order = []Basis{Causal, Physical, Economic, Worth, Mass, Energy, Volume, Pieces}

// needs lists what a method can be carried out with, its own factors first.
var needs = map[Basis][]Basis{
	Causal:   {Causal},
	Physical: {Physical, Mass, Energy, Volume, Pieces},
	Economic: {Economic, Worth},
}

// A Quantity is a basis that follows from the amounts of the products.
type Quantity struct {
	Basis Basis
	Unit  string
}

// Quantities lists them in the order in which they are asked.
func Quantities() []Quantity {
	return []Quantity{{Mass, "kg"}, {Energy, "MJ"}, {Volume, "m3"}, {Pieces, "Item(s)"}}
}

// Sets has for each basis a number for each product, that of the quantitative
// reference first, and none for a basis that does not speak of every product.
type Sets map[Basis][]float64

// Choose returns the basis that counts and its numbers, or false where the
// products cannot share. The method that the dataset names counts first, where
// what it needs is there.
func Choose(named Basis, sets Sets) (Basis, []float64, bool) {
	for _, basis := range needs[named] {
		if usable(sets[basis]) {
			return basis, sets[basis], true
		}
	}
	for _, basis := range order {
		if of := sets[basis]; usable(of) && of[0] > 0 {
			return basis, of, true
		}
	}
	return Unknown, nil, false
}

// usable says whether a set of numbers can be shared by: one for every product,
// none negative, more than nothing in all.
func usable(numbers []float64) bool {
	sum := 0.0
	for _, n := range numbers {
		if !(n >= 0) {
			return false
		}
		sum += n
	}
	return sum > 0 && !math.IsInf(sum, 0)
}

// IsStated says whether a dataset that names a method states the basis with it.
func IsStated(named, basis Basis) bool {
	return named == basis && named != Unknown || named == Economic && basis == Worth
}

// Shares scales numbers so that they come to 1.
func Shares(numbers []float64) []float64 {
	sum := 0.0
	for _, n := range numbers {
		sum += n
	}
	shares := make([]float64, len(numbers))
	for i, n := range numbers {
		shares[i] = n / sum
	}
	return shares
}
