// Package inventory is what the formats of life-cycle inventories share: the
// types with which a format's reader passes on a library, and the Builder that
// turns them into the catalogue's rows.
//
// # Writing a format
//
// A format is a package with a Reader: it parses files into the format's own
// structs and passes each record to the Builder as soon as it is parsed, in any
// order, with the format's own units, directions and signs:
//
//	func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
//		to.Flow(inventory.Flow{Key: "co2", Name: "Carbon dioxide", Kind: inventory.Elementary, …})
//		to.Process(inventory.Process{Key: …, Exchanges: []inventory.Exchange{{Flow: "co2", …}}})
//		return nil
//	}
//
//	func Open(files …) ingest.Library { return inventory.New(&reader{…}) }
//
// Records refer to each other by keys. A key is the format's own id if it is a
// UUID, which then stays the id in the catalogue; else the Key of the record's
// natural identifiers, from which the same id is derived at every import. A key
// without a record is not an error: it is noted as missing.
//
// Everything passed on is counted as read. What the reader cannot pass on goes
// to Skip (a whole record) or Drop (a field), so that nothing is lost silently.
// An invalid record or file goes to Unreadable: it is left out completely, and a
// strict import refuses the library. Read returns an error only if it cannot go
// on (I/O errors, exceeded limits, ctx).
//
// The Builder converts amounts to the flow's reference unit, evaluates formulas
// for missing amounts, turns references on the input side (waste treatments),
// finds providers here and in the catalogue, and makes materials of traded
// goods. Until the library is read it keeps records in compact form: some
// hundred bytes per exchange.
package inventory

import (
	"cradle/internal/allocation"
	"cradle/internal/lci"
)

// Where is the place of a record in the library, for notes and errors.
type Where struct {
	File   string // as the user sees it: the path in the folder or archive
	Line   int    // 0 if the format has no lines
	Record string // what to look for in the file: a dataset's name or id, "exchange 12"
	// Process is the name of the process that it is in, set once the process is
	// added.
	Process string
}

// Kind is the kind of a flow.
type Kind string

const (
	Unknown    Kind = ""           // treated as a product, and noted
	Elementary Kind = "elementary" // exchanged with the environment
	Product    Kind = "product"    // a good or a service: distinguished by unit and name
	Good       Kind = "good"
	Service    Kind = "service"
	Waste      Kind = "waste"
)

// A Flow is something that processes exchange. If several have the same key, the
// first description counts.
type Flow struct {
	Key            string
	Name           string
	Kind           Kind
	Compartment    []string // of an elementary flow, from coarse to fine, in the format's words
	CAS            string
	Synonyms       []string
	Classification []string // of a product, from coarse to fine
	Location       string
	Source         string
	Version        string // as the dataset states it, or ""
	Changed        string // when it was last changed, as the dataset states it
	// Unit is the reference unit by name or key. "" means that of the reference
	// property's unit group, else of the first process that produces the flow,
	// else of the first exchange or factor.
	Unit       string
	Properties []FlowAmount // at most one is the reference
	Mentioned  bool         // described only by a record that refers to it: its own record, if there is one, counts
	Where      Where
}

// A FlowAmount is how much of a flow property there is in one unit of a flow's
// reference property: 35.8 MJ "Net calorific value" in 1 m3 "Volume".
type FlowAmount struct {
	Property  string // key
	Factor    float64
	Reference bool
}

// A FlowProperty is a quantity in which flows are measured.
type FlowProperty struct {
	Key, Name string
	UnitGroup string // key
	Where     Where
}

// A UnitGroup holds units that can be converted into each other. A library's own
// units take precedence over the table in package units.
type UnitGroup struct {
	Key, Name string
	Units     []Unit
	Where     Where
}

// A Unit is Factor of its group's reference unit, whose Factor is 1.
type Unit struct {
	Key, Name string
	Synonyms  []string
	Factor    float64
	Reference bool
}

// A Process is a dataset with exchanges.
type Process struct {
	Key            string
	Name           string
	Description    string
	Location       string // its code, else its name
	Date           string // when published, else when valid: a year, a day or a time; the day counts
	Sources        []string
	Organization   string
	Classification []string
	Version        string // as the dataset states it, or ""
	Changed        string // when it was last changed, as the dataset states it
	System         bool   // a system process or result: includes the supply chain
	Exchanges      []Exchange
	// EveryProduct means that the format does not distinguish co-products from
	// other exchanges: every output of a product and every input of a waste that
	// is not the reference is then a co-product.
	EveryProduct bool
	// Allocation is the allocation method that the dataset names: Causal,
	// Physical or Economic, or Unknown.
	Allocation allocation.Basis
	Shares     []ProductShare
	Parameters []Parameter
	Results    []Result
	Where      Where
}

// An Exchange is one flow into or out of a process, with amounts and sides as in
// the format.
type Exchange struct {
	ID          string // if the format has one; kept if it is a UUID of this exchange alone
	Flow        string // key
	Input       bool
	Amount      float64
	Formula     string // evaluated if NoAmount is set
	NoAmount    bool
	Flaw        string // why it cannot be read, or ""; the process is then left out
	Variable    string // the amount's name in formulas of the process
	Unit        string // name or key; "" is the flow's reference unit
	Property    string // key of the flow property measured; "" is derived from the unit
	Role        Role
	Provider    string // key of the process that supplies it, or treats it if it is a waste
	Uncertainty Uncertainty
	Worth       *float64 // of a product: money per unit as given
	Share       *float64 // of a product: its share by the physical method, 0…1
	Shares      []Share  // of other exchanges: the share of each product, if they differ
	Where       Where
}

// Role is the role of an exchange in its process.
type Role uint8

const (
	Plain     Role = iota
	Reference      // the quantitative reference, on either side
	CoProduct      // another product of the process, or another waste it treats
	Avoided        // a product made unnecessary elsewhere, on either side: a credit
	more           // more of a product that has another exchange
)

// A ProductShare is the share of all exchanges allocated to a product by a
// method, in formats that state it by the product's flow.
type ProductShare struct {
	Product string // key of the product's flow
	Basis   allocation.Basis
	Share   float64
}

// A Share is the share of an exchange allocated to a product.
type Share struct {
	Product string // key of the product's flow
	Share   float64
}

// A Result is an impact stated by the provider, per the reference's amount.
type Result struct {
	Indicator string // key
	Amount    float64
	Where     Where
}

// A Parameter is a name used in formulas. Those of a process are in Process,
// those of the whole library are passed to Builder.Parameter.
type Parameter struct {
	Name    string
	Value   float64
	Formula string // takes precedence over Value if it is not ""
	Project bool   // of a library: takes precedence over others of the same name (SimaPro's project parameters)
	Where   Where
}

// A Method is a characterization method.
type Method struct {
	Key, Name string
	Version   string // as the dataset states it, or ""
	Changed   string // when it was last changed, as the dataset states it
	Where     Where
}

// An Indicator is an impact category of a method, with its factors. One shared
// by several methods is passed on once for each, with the same Key.
type Indicator struct {
	Key      string
	Method   string // key
	Category string // "": Name
	Name     string
	Unit     string
	Version  string // as the dataset states it, or ""
	Changed  string // when it was last changed, as the dataset states it
	Factors  []Factor
	Where    Where
}

// A Factor characterizes a flow.
type Factor struct {
	Flow     string // key
	Amount   float64
	Formula  string // evaluated if NoAmount is set
	NoAmount bool
	Flaw     string // why it cannot be read, or ""; the indicator is then left out
	Unit     string // of the flow, name or key; "" is its reference unit
	Property string
	Location string // "", GLO and the like mean everywhere; factors for places are counted but not stored
	Where    Where
}

// A Material is a good known by its properties rather than by processes.
type Material struct {
	Key            string
	Name           string
	Source         string
	Organization   string
	FunctionalUnit string
	Locations      []string
	Date           string
	Classification []string
	Properties     []Property
	Where          Where
}

// A Property is one number of a material.
type Property struct {
	Key         string // if "", the id is derived from material and name
	Name        string
	Value       float64
	Unit        string
	Mean, SD    *float64
	Description string
	Source      string
	Date        string
	Where       Where
}

// flowType is the catalogue's type for a kind.
func (k Kind) flowType() lci.FlowType {
	switch k {
	case Elementary:
		return lci.Elementary
	case Waste:
		return lci.Waste
	}
	return lci.Intermediate
}
