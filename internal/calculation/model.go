package calculation

import (
	"strings"
	"unicode"

	"cradle/internal/flowmatch"
	"cradle/internal/lca"
	"cradle/internal/lci"
)

// A model is an inventory with indices instead of ids for processes, exchanges,
// flows and texts.
type model struct {
	processes []process
	exchanges []exchange // in the order of processes
	columns   []column
	flows     []flow // used in exchanges
	texts     texts
	scatter   map[int32]lca.Distribution // of uncertain exchanges, by their index; nil if not needed

	worth, share map[int32]float64 // of reference products, by their exchange
	allocated    map[allocated]float64
	hasAllocated map[lci.ID]struct{} // exchanges with allocation factors of their own

	origins    [][]lci.ID // sets of libraries with the same processes; the first is empty
	broughtBy  map[lci.ID][]lci.ID
	methods    []lci.Method
	indicators []indicator // in the order of their rows
	factors    map[lci.ID][]factor
	described  map[lci.ID]lci.Flow // flows with more than an id
	mappings   []flowmatch.Mapping
	coverage   []flowmatch.Coverage // in the order of methods

	stated map[cell]stated // by process and indicator
	notes  notes
}

// process is one process that is not deleted.
type process struct {
	id        lci.ID
	name      string
	label     string // the name, made unique
	region    string
	origin    int32     // among the origins
	audience  *audience // nil: everyone
	sharing   lci.Sharing
	exchanges place
	columns   place // one for each reference product, the quantitative reference first
	inventory bool  // it has exchanges other than its reference products
	unshared  bool  // it has several products and cannot be allocated
}

// place is a range of a list.
type place struct{ from, to int32 }

func (p place) len() int { return int(p.to - p.from) }

// exchange is the part of an exchange that scores depend on.
type exchange struct {
	id        lci.ID
	value     float64
	process   int32
	flow      int32
	material  int32 // among the flows, or none
	name      int32 // among the texts
	unit      int32 // among the texts
	provider  int32 // the process named as its supplier
	supplier  int32 // the column that it was linked to
	moreOf    int32 // the column whose product it adds to
	times     float64
	kind      lci.FlowType
	direction lci.Direction
	reference bool
	avoided   bool
	unlinked  bool // it has no supplier
}

const (
	none   = int32(-1)
	absent = int32(-2) // a provider that is named but does not exist
)

// technical reports whether the exchange is with another process.
func (x *exchange) technical() bool { return !x.reference && x.kind != lci.Elementary }

// givenOff reports whether the exchange leaves the process; some libraries write
// a waste as a negative input.
func (x *exchange) givenOff() bool { return x.direction == lci.Output || x.value < 0 }

// column is a process as the producer, or the treatment, of one of its products.
type column struct {
	process  int32
	exchange int32     // the reference product
	amount   float64   // total over all exchanges of the product
	shares   []float64 // of the process's exchanges; nil: all of them
}

// share is the part of an exchange allocated to the column.
func (c *column) share(at int32, first int32) float64 {
	if c.shares == nil {
		return 1
	}
	return c.shares[at-first]
}

// treats reports whether the column takes a waste instead of making a product.
func (m *model) treats(c int32) bool {
	return m.columns[c].amount < 0 || m.exchanges[m.columns[c].exchange].kind == lci.Waste
}

// flow is a flow or material in exchanges. An elementary flow is a separate flow
// for each origin, because its factors depend on the libraries' nomenclature.
type flow struct {
	id       lci.ID
	origin   int32   // of an elementary flow, among the origins
	makers   []int32 // columns with it as their product
	goods    []int32 // columns with it as their product's material
	inputs   int     // how often it is exchanged on either side
	outputs  int
	unit     int32 // that it is counted in, among the texts
	row      int32 // in the matrix of elementary flows
	factors  []factor
	resource bool // counts positive as an input
}

// indicator is an indicator with the method it belongs to.
type indicator struct {
	lci.Indicator
	method int // among the methods
}

// factor is a factor under an indicator.
type factor struct {
	indicator int32
	value     float64
}

type allocated struct{ product, exchange lci.ID }

// cell is a place in the table of scores.
type cell struct{ process, indicator int32 }

// stated is a score stated by the provider: its value, or that there is none.
type stated struct {
	value   float64
	deleted bool
}

// texts numbers distinct texts.
type texts struct {
	all   []string
	known map[string]int32
}

func (t *texts) number(text string) int32 {
	if n, ok := t.known[text]; ok {
		return n
	}
	if t.known == nil {
		t.known = map[string]int32{}
	}
	n := int32(len(t.all))
	t.all, t.known[text] = append(t.all, text), n
	return n
}

// isMarket reports whether a process has the name of a market: "market for
// steel", "Steel {GLO}| market for | Cut-off".
func isMarket(name string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
		if word == "market" {
			return true
		}
	}
	return false
}

// audience is the teams that may see a process.
type audience struct{ teams map[lci.ID]struct{} }

// canSee reports whether everyone in an audience is in the other.
func (a *audience) canSee(other *audience) bool {
	switch {
	case other == nil || a == other:
		return true
	case a == nil:
		return false
	}
	for team := range a.teams {
		if _, too := other.teams[team]; !too {
			return false
		}
	}
	return true
}
