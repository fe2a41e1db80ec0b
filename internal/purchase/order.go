package purchase

import (
	"math"
	"math/bits"

	"cradle/internal/lci"
)

// Kind is one of the four pulls.
type Kind string

const (
	Properties Kind = "property"  // chosen properties of a material
	Products   Kind = "process"   // inputs and outputs of a process, by reference product
	Impacts    Kind = "impact"    // impact rows of a process, by method
	Datapoints Kind = "datapoint" // every property of several materials
)

// An Order is what a pull requests.
type Order struct {
	Kind   Kind
	Record lci.ID // the material or process; zero for datapoints
	// Items are the requested properties, reference products, methods or
	// materials, in the order of the request.
	Items      []lci.ID
	UserCount  int64
	MaxCredits *int64
}

// unique returns the ids without repetitions, in order.
func unique(ids []lci.ID) []lci.ID {
	seen := make(map[lci.ID]struct{}, len(ids))
	kept := make([]lci.ID, 0, len(ids))
	for _, id := range ids {
		if _, again := seen[id]; !again {
			seen[id] = struct{}{}
			kept = append(kept, id)
		}
	}
	return kept
}

// An Offer is one thing that a team can reveal, and whether it already has.
type Offer struct {
	Record lci.ID // the material or process
	Method lci.ID // of an impact row
	Item   lci.ID // the property, reference product or impact row
	Price  int64
	Owned  bool
}

// A Reveal is one thing newly revealed, and what it cost.
type Reveal struct {
	Record  lci.ID
	Item    lci.ID
	Credits int64
}

// RevealKind is the kind of thing that an order reveals.
func (k Kind) RevealKind() string {
	switch k {
	case Products:
		return "product"
	case Impacts:
		return "impact"
	}
	return "property"
}

// A plan is what a pull would do.
type plan struct {
	answered []lci.ID // the items named in the answer
	reveals  []Reveal
	owned    int
	credits  int64
}

// sell adds an offer at a price per user.
func (p *plan) sell(o Offer, price, users int64) {
	if o.Owned {
		p.owned++
		return
	}
	cost := times(price, users)
	p.reveals = append(p.reveals, Reveal{o.Record, o.Item, cost})
	p.credits = plus(p.credits, cost)
}

// times and plus saturate instead of overflowing: no balance reaches the maximum.
func times(a, b int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(low)
}

func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
