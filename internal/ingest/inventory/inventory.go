// Package inventory is what the formats of life-cycle inventories share: the
// field's own words, in which a format's reader hands a library over, and the
// Builder that makes the catalogue's rows of them.
//
// # Writing a format
//
// A format is a package with a Reader: it parses files into the format's own
// structs and hands each record to the Builder as soon as it is parsed, in any
// order, in the format's own units, directions and signs:
//
//	func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
//		to.Flow(inventory.Flow{Key: "co2", Name: "Carbon dioxide", Kind: inventory.Elementary, …})
//		to.Process(inventory.Process{Key: …, Exchanges: []inventory.Exchange{{Flow: "co2", …}}})
//		return nil
//	}
//
//	func Open(files …) ingest.Library { return inventory.New(&reader{…}) }
//
// Records name each other by keys. A key is the format's own id where it is a
// UUID, which then stays the id in the catalogue; else Key of what identifies
// the record by nature, from which an id is derived, the same at every import.
// A key that no record has is no error: it is noted as missing.
//
// Everything handed over is counted as read. What the format holds and the
// reader cannot hand over goes to Skip (a whole record) or Drop (a field), so
// that nothing is lost in silence. A record or a file that is not what it should
// be goes to Unreadable: it is left out whole, and a strict import refuses the
// library. Read returns an error only where going on is of no use (a reader's own
// I/O errors, limits that are exceeded, ctx).
//
// The Builder converts amounts to the flow's reference unit, evaluates formulas
// where the amount is missing, turns references that stand on the input side
// (waste treatments), finds providers here and in the catalogue, and makes
// materials of traded goods. It keeps records compactly until the library was
// read: some hundred bytes per exchange.
package inventory

import (
	"cradle/internal/allocation"
	"cradle/internal/lci"
)

// Where is the place of a record in the library, for notes and errors.
type Where struct {
	File   string // as the user sees it: the path within the folder or archive
	Line   int    // 0 where the format has no lines
	Record string // what a reader would look for in the file: a dataset's name or id, "exchange 12"
	// Process is the name of the process that it is in, known once the process was taken.
	Process string
}

// Kind says what a flow is.
type Kind string

const (
	Unknown    Kind = ""           // taken for a product, and noted
	Elementary Kind = "elementary" // exchanged with the environment
	Product    Kind = "product"    // a good or a service: told apart by unit and name
	Good       Kind = "good"
	Service    Kind = "service"
	Waste      Kind = "waste"
)

// A Flow is something that processes exchange. A flow that is handed over again
// under the same key is the same flow: the first description counts.
type Flow struct {
	Key            string
	Name           string
	Kind           Kind
	Compartment    []string // of an elementary flow, from the coarse to the fine, in the format's words
	CAS            string
	Synonyms       []string
	Classification []string // of a product, from the coarse to the fine
	Location       string
	Source         string
	Version        string // as the dataset states it, "" where it states none
	Changed        string // when it was last changed, as the dataset states it
	// Unit is the reference unit by name or key. Where it is "", it is that of the
	// reference property's unit group, else of the first process that produces the
	// flow, else of the first exchange or factor.
	Unit       string
	Properties []FlowAmount // of which at most one is the reference
	Mentioned  bool         // all that is known is what another record says of it: its own, if one comes, counts
	Where      Where
}

// A FlowAmount says how much of a flow property one unit of a flow's reference
// property has: 35.8 MJ "Net calorific value" for 1 m3 "Volume".
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

// A UnitGroup holds units that can be converted into each other. What a library
// says of its units counts for it more than the table in package units.
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
	Version        string // as the dataset states it, "" where it states none
	Changed        string // when it was last changed, as the dataset states it
	System         bool   // a system process or result: the supply chain is folded in
	Exchanges      []Exchange
	// EveryProduct says that the format does not tell co-products from other
	// exchanges: every output of a product and every input of a waste that is no
	// reference is then a co-product.
	EveryProduct bool
	// Allocation is the method that the dataset names for sharing exchanges among
	// its products: Causal, Physical or Economic, Unknown where it names none.
	Allocation allocation.Basis
	Shares     []ProductShare
	Parameters []Parameter
	Results    []Result
	Where      Where
}

// An Exchange is one flow into or out of a process, amounts and sides as the
// format gives them.
type Exchange struct {
	ID          string // where the format gives one; kept where it is a UUID of this exchange alone
	Flow        string // key
	Input       bool
	Amount      float64
	Formula     string // evaluated where NoAmount is set; else the amount counts
	NoAmount    bool
	Flaw        string // why it cannot be read, "" where it can: the process is then left out
	Variable    string // under which formulas of the process know the amount
	Unit        string // name or key; "" is the flow's reference unit
	Property    string // key of the flow property measured; "" follows from the unit
	Role        Role
	Provider    string // key of the process that supplies it, or takes it where it is a waste
	Uncertainty Uncertainty
	Worth       *float64 // of a product: money per unit as given
	Share       *float64 // of a product: the part it bears by the physical method, 0…1
	Shares      []Share  // of an exchange that is no product: the part each product bears, where they differ
	Where       Where
}

// Role says what an exchange is to its process.
type Role uint8

const (
	Plain     Role = iota
	Reference      // the quantitative reference, on either side
	CoProduct      // another product of the process, or another waste it treats
	Avoided        // a product made unnecessary elsewhere, on either side: a credit
	more           // more of a product that another exchange stands for
)

// A ProductShare is the part of all exchanges that a product bears by a method,
// in formats that give it by the product's flow.
type ProductShare struct {
	Product string // key of the product's flow
	Basis   allocation.Basis
	Share   float64
}

// A Share is the part of an exchange that a product bears.
type Share struct {
	Product string // key of the product's flow
	Share   float64
}

// A Result is an impact that the provider states, per the reference's amount.
type Result struct {
	Indicator string // key
	Amount    float64
	Where     Where
}

// A Parameter is a name that formulas use. Of a process it stands in Process,
// of the whole library it is handed to Builder.Parameter.
type Parameter struct {
	Name    string
	Value   float64
	Formula string // counts more than Value where it is not ""
	Project bool   // of a library: goes before one of the same name that is not (SimaPro's project parameters)
	Where   Where
}

// A Method is a characterization method.
type Method struct {
	Key, Name string
	Version   string // as the dataset states it, "" where it states none
	Changed   string // when it was last changed, as the dataset states it
	Where     Where
}

// An Indicator is an impact category of a method, with its factors. One that
// several methods share is handed over once for each, Key being the same.
type Indicator struct {
	Key      string
	Method   string // key
	Category string // Name counts where it is ""
	Name     string
	Unit     string
	Version  string // as the dataset states it, "" where it states none
	Changed  string // when it was last changed, as the dataset states it
	Factors  []Factor
	Where    Where
}

// A Factor characterizes a flow.
type Factor struct {
	Flow     string // key
	Amount   float64
	Formula  string // evaluated where NoAmount is set
	NoAmount bool
	Flaw     string // why it cannot be read, "" where it can: the indicator is then left out
	Unit     string // of the flow, name or key; "" is its reference unit
	Property string
	Location string // "", GLO and the like are everywhere; factors of places are counted and not stored
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

// A Property is one number known of a material.
type Property struct {
	Key         string // "" derives the id of material and name
	Name        string
	Value       float64
	Unit        string
	Mean, SD    *float64
	Description string
	Source      string
	Date        string
	Where       Where
}

// flowType is how the catalogue calls a kind.
func (k Kind) flowType() lci.FlowType {
	switch k {
	case Elementary:
		return lci.Elementary
	case Waste:
		return lci.Waste
	}
	return lci.Intermediate
}
