package calculation

import (
	"strings"
	"unicode"

	"cradle/internal/flowmatch"
	"cradle/internal/lca"
	"cradle/internal/lci"
)

// A model is an inventory by numbers instead of ids: a process, an exchange, a
// flow, a text is known by its place in a list.
type model struct {
	processes []process
	exchanges []exchange // in the order of processes
	columns   []column
	flows     []flow // that exchanges name
	texts     texts
	scatter   map[int32]lca.Distribution // of uncertain exchanges, by their place; nil where nobody asked

	worth, share map[int32]float64 // of reference products, by their exchange
	allocated    map[allocated]float64
	hasAllocated map[lci.ID]struct{} // the exchanges that are allocated by themselves

	origins    [][]lci.ID // libraries that brought the same processes; the first is none
	broughtBy  map[lci.ID][]lci.ID
	methods    []lci.Method
	indicators []indicator // in the order of their rows
	factors    map[lci.ID][]factor
	described  map[lci.ID]lci.Flow // the flows that more is known of than their id
	mappings   []flowmatch.Mapping
	coverage   []flowmatch.Coverage // in the order of methods

	stated map[cell]stated // by process and indicator
	notes  notes
}

// process is one process that is not deleted.
type process struct {
	id        lci.ID
	name      string
	label     string // the name, with what tells it from others of that name
	region    string
	origin    int32     // among the origins
	audience  *audience // nil where everybody may see it
	sharing   lci.Sharing
	exchanges place
	columns   place // one for each of its reference products, the first that of its quantitative reference
	inventory bool  // it has an exchange beside its reference products
	unshared  bool  // it has several products that cannot share its exchanges
}

// place is a part of a list.
type place struct{ from, to int32 }

func (p place) len() int { return int(p.to - p.from) }

// exchange is what of an exchange a score depends on.
type exchange struct {
	id        lci.ID
	value     float64
	process   int32
	flow      int32
	material  int32 // among the flows, none where it is no material
	name      int32 // among the texts
	unit      int32 // among the texts
	provider  int32 // the process that is named as its supplier
	supplier  int32 // the column that it was linked to
	moreOf    int32 // the column whose product it is more of
	times     float64
	kind      lci.FlowType
	direction lci.Direction
	reference bool
	avoided   bool
	unlinked  bool // nobody supplies it
}

const (
	none   = int32(-1)
	absent = int32(-2) // a provider that is named and is not there
)

// technical says whether the exchange is one with another process.
func (x *exchange) technical() bool { return !x.reference && x.kind != lci.Elementary }

// givenOff says whether the exchange stands for something that leaves the process;
// some write a waste as a negative input.
func (x *exchange) givenOff() bool { return x.direction == lci.Output || x.value < 0 }

// column is a process as the maker, or the treatment, of one of its products.
type column struct {
	process  int32
	exchange int32     // the reference product
	amount   float64   // in all, where the product is given off in several exchanges
	shares   []float64 // of the process's exchanges; nil where it bears all of them
}

// share is the part of an exchange that the column bears.
func (c *column) share(at int32, first int32) float64 {
	if c.shares == nil {
		return 1
	}
	return c.shares[at-first]
}

// treats says whether the column takes a waste instead of making a product.
func (m *model) treats(c int32) bool {
	return m.columns[c].amount < 0 || m.exchanges[m.columns[c].exchange].kind == lci.Waste
}

// flow is a flow or a material that exchanges name. An elementary flow is another
// one for each origin: which factors it has follows from the nomenclature of the
// libraries.
type flow struct {
	id       lci.ID
	origin   int32   // of an elementary flow, among the origins
	makers   []int32 // columns that have it as their product
	goods    []int32 // columns that have it as their product's material
	inputs   int     // how often it is exchanged with nature on either side
	outputs  int
	unit     int32 // in which it counts, among the texts
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

// stated is what the provider says of a score: its value, or that there is none.
type stated struct {
	value   float64
	deleted bool
}

// texts gives every text a number.
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

// isMarket says whether a process is named as a market: "market for steel",
// "Steel {GLO}| market for | Cut-off".
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

// canSee says whether everybody of an audience belongs to another.
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
