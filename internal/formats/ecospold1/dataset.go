package ecospold1

import "cradle/internal/ingest/inventory"

// A dataset is one <dataset> of a file, a process or an impact category, with
// the fields that are imported.
type dataset struct {
	line      int
	number    string
	timestamp string
	impact    bool // the file's namespace is that of impact categories

	reference referenceFunction
	location  string
	texts     []inventory.Text // its descriptions, with labels
	start     string           // of its validity
	end       string
	info      information
	sources   []publication
	persons   []person
	generator string // number of the person who made the data
	published string // number of the source in which it was published

	exchanges   []exchange
	allocations []sharing
	strange     []string // elements of flowData that are neither
}

// referenceFunction is what the dataset is about: its product, or the impact
// category.
type referenceFunction struct {
	name, localName       string
	category, subCategory string
	unit                  string
	amount                float64
	infrastructure        bool
	cas                   string
	synonyms              []string
}

// information is <dataSetInformation>.
type information struct {
	kind      kind
	results   bool // the exchanges are impact results
	version   string
	timestamp string
	language  string
}

// kind is the type of a dataset.
type kind string

const (
	systemNonTerminated kind = "0"
	unitProcess         kind = "1"
	systemTerminated    kind = "2"
	elementaryFlow      kind = "3"
	impactCategory      kind = "4"
	multiOutput         kind = "5"
)

type publication struct{ number, author, authors, year, title, journal, publisher string }

type person struct{ number, name, company string }

// exchange is one flow, or under an impact category one factor.
type exchange struct {
	line                  int
	number                string
	name, localName       string
	category, subCategory string
	location              string
	unit                  string
	infrastructure        bool
	cas                   string
	mean                  float64
	noMean                bool
	spread                spread
	comment               bool
	group                 group
}

// spread is the uncertainty of an amount.
type spread struct {
	kind           string // "1" lognormal, "2" normal, "3" triangular, "4" uniform
	deviation      *float64
	min, most, max *float64
}

// group is the side and role of an exchange.
type group struct {
	input bool
	code  string
}

var (
	outReference = group{false, "0"}
	outAvoided   = group{false, "1"}
	outCoProduct = group{false, "2"}
	outWaste     = group{false, "3"}
	outNature    = group{false, "4"}
	inNature     = group{true, "4"}
)

// sharing is a co-product's share of some exchanges.
type sharing struct {
	line     int
	product  string // number of its exchange
	fraction float64
	to       []string // numbers of exchanges
}
