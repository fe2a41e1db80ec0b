// Package allocation decides how the exchanges of a process are allocated to its
// products. It is pure: numbers in, a decision out.
package allocation

import "math"

// A Basis is what exchanges are allocated by.
type Basis string

const (
	Unknown  Basis = ""
	Causal   Basis = "causal" // a separate share of each exchange
	Physical Basis = "physical"
	Economic Basis = "economic"
	Worth    Basis = "worth"
	Mass     Basis = "mass"
	Energy   Basis = "energy"
	Volume   Basis = "volume"
	Pieces   Basis = "pieces"
)

// Methods lists the methods that a dataset may name.
func Methods() []Basis { return []Basis{Causal, Physical, Economic} }

// Words is the basis in words: shared by mass, by physical shares.
func (b Basis) Words() string {
	switch b {
	case Causal:
		return "causal factors"
	case Physical, Economic:
		return string(b) + " shares"
	}
	return string(b)
}

// order is the order in which bases are tried if the dataset names no method, or
// lacks what the method needs.
var order = []Basis{Causal, Physical, Economic, Worth, Mass, Energy, Volume, Pieces}

// needs lists the bases that a method can use, its own factors first.
var needs = map[Basis][]Basis{
	Causal:   {Causal},
	Physical: {Physical, Mass, Energy, Volume, Pieces},
	Economic: {Economic, Worth},
}

// A Quantity is a basis computed from the amounts of the products.
type Quantity struct {
	Basis Basis
	Unit  string
}

// Quantities lists them in the order in which they are tried.
func Quantities() []Quantity {
	return []Quantity{{Mass, "kg"}, {Energy, "MJ"}, {Volume, "m3"}, {Pieces, "Item(s)"}}
}

// Sets has for each basis a number for each product, the quantitative reference
// first, and none for a basis that lacks a number for some product.
type Sets map[Basis][]float64

// Choose returns the basis to use and its numbers, or false if the process
// cannot be allocated. The method that the dataset names comes first, if its
// numbers are there.
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

// usable reports whether numbers can be allocated by: one for every product,
// none negative, with a positive sum.
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

// IsStated reports whether a dataset that names a method thereby states the
// basis.
func IsStated(named, basis Basis) bool {
	return named == basis && named != Unknown || named == Economic && basis == Worth
}

// Shares scales numbers to a sum of 1.
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
