package ecospold2

import "cradle/internal/ingest/inventory"

// A dataset is one <activityDataset> or <childActivityDataset>, with the fields
// that are imported.
type dataset struct {
	line int

	id, nameID   string
	parent       string // the activity it inherits from
	name         string
	kind         string // "1" a unit process, "2" a result
	special      string // the kind of activity: "0" ordinary, "1" a market, …
	synonyms     []string
	tags         []string
	classes      []class
	geography    string // the short name
	start, end   string // of its validity
	systemModel  string
	texts        []inventory.Text
	generator    person // who made the data
	author       person // who entered it
	sourceID     string // where it was published
	sourceAuthor string
	sourceYear   string
	edited       string // when it was last changed
	version      string
	exchanges    []exchange
	parameters   []parameter
	results      []result
	strange      []string // elements of flowData that are none of these
	master       master
	skimmed      bool // only its identity and exchanges were read
}

type class struct{ system, value string }

type person struct{ id, name string }

// exchange is an intermediate or an elementary exchange.
type exchange struct {
	line        int
	elementary  bool
	id          string // of the exchange
	flow        string // of what is exchanged
	name        string
	unit        string
	amount      float64
	noAmount    bool
	variable    string
	relation    string // mathematicalRelation
	link        string // activityLinkId
	cas         string
	synonyms    []string
	compartment []string
	classes     []class
	properties  []property
	spread      spread
	comment     bool
	input       bool
	group       string
	volume      parameter // the production volume, if it has a variable
}

// Groups of outputs.
const (
	referenceProduct = "0"
	byProduct        = "2"
	forTreatment     = "3"
	toEnvironment    = "4"
	stockAddition    = "5"
)

// property is a property of an exchange, per unit.
type property struct {
	id, name, unit string
	amount         float64
	noAmount       bool
	variable       string
	relation       string
}

type parameter struct {
	line     int
	name     string // of the variable
	amount   float64
	noAmount bool
	relation string
}

// spread is the uncertainty of an amount.
type spread struct {
	kind               string // the element's name: lognormal, normal, …
	mu, mean           *float64
	variance, pedigree *float64 // without and with the pedigree's uncertainty
	min, most, max     *float64
	broken             bool // one of its numbers is invalid
}

// result is an impact stated by the provider.
type result struct {
	line                              int
	indicatorID, methodID, categoryID string
	method, category, indicator, unit string
	amount                            float64
	noAmount                          bool
}

// A method is an <impactMethod>.
type method struct {
	line              int
	id, name, version string
	indicators        []indicator
}

type indicator struct {
	line           int
	id, name, unit string
	categoryID     string
	category       string
	factors        []factor
}

type factor struct {
	line        int
	flow        string
	name        string
	unit        string
	compartment []string
	amount      float64
	noAmount    bool
}

// master is a file's master data.
type master struct {
	sources   map[string]string // by id
	companies map[string]string // by the ids of persons
}
