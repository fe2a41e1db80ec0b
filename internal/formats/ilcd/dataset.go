package ilcd

import "cradle/internal/ingest/inventory"

// The datasets of ILCD, with the fields that are imported. Texts in several
// languages are in English, else in the first language.

// A head is what every dataset has.
type head struct {
	line    int
	id      string
	name    string
	others  []string // its names in other languages
	version string
	entered string // when it was last written
}

// A reference refers to another dataset.
type reference struct {
	id          string
	description string
}

// A unitGroup is a <unitGroupDataSet>.
type unitGroup struct {
	head
	main  string // internal id of the reference unit
	units []unit
}

type unit struct {
	id, name string
	factor   float64
}

// A flowProperty is a <flowPropertyDataSet>.
type flowProperty struct {
	head
	group reference
}

// A flow is a <flowDataSet>.
type flow struct {
	head
	kind        string // Elementary flow, Product flow, Waste flow, Other flow
	cas         string
	synonyms    []string
	compartment []string
	classes     []string
	location    string
	main        string // internal id of the reference flow property
	properties  []flowAmount
	materials   []matProperty // of an embedded MatML document
}

type flowAmount struct {
	id       string // internal
	property reference
	mean     float64
	noMean   bool
}

// A matProperty is a number in a MatML document.
type matProperty struct {
	id, name, unit string
	value          float64
	noValue        bool
}

// A process is a <processDataSet>.
type process struct {
	head
	kind        string // Unit process, single operation; LCI result; EPD; …
	comment     []inventory.Text
	classes     []string
	references  []string // internal ids of the reference flows
	location    string
	year        string
	revised     string // when it was last revised, or published
	owner       reference
	sources     []reference
	compliances []reference
	variables   []variable
	exchanges   []exchange
	results     []result

	// Set by settle, by the internal ids of exchanges.
	isMain map[string]bool   // it is a reference flow
	flows  map[string]string // its flow
	bears  map[string]bool   // a share of others is allocated to it
	whole  float64           // the sum of an exchange's shares: 100 for percentages, or 1 if someone wrote fractions
}

type variable struct {
	line    int
	name    string
	formula string
	mean    float64
	noMean  bool
}

type exchange struct {
	line      int
	id        string // internal
	flow      reference
	input     bool
	directed  bool // the side is stated
	location  string
	function  string // marks a reminder flow
	variable  string
	mean      float64
	noMean    bool
	resulting float64
	noResult  bool
	spread    spread
	shares    []share
	comment   bool
	provider  string // of openLCA's extension
	avoided   bool
	modules   []moduleAmount // of an EPD's indicator
	unit      reference
}

// spread is the uncertainty of an amount.
type spread struct {
	kind      string
	min, max  *float64
	deviation *float64
}

type share struct {
	product  string // internal id of its exchange
	fraction float64
}

// A result is an impact stated by the provider.
type result struct {
	line    int
	method  reference
	mean    float64
	noMean  bool
	unit    reference
	modules []moduleAmount
}

// A moduleAmount is what an EPD declares for one module of the life cycle.
type moduleAmount struct {
	module, scenario string
	text             string
}

// A method is a <LCIAMethodDataSet>: one impact category.
type method struct {
	head
	methodologies []string
	category      string
	indicator     string
	quantity      reference
	factors       []factor
}

type factor struct {
	line     int
	flow     reference
	input    bool
	location string
	mean     float64
	noMean   bool
}

// A card is a source or a contact.
type card struct {
	head
	text string // how it is cited, or what it is called
}
