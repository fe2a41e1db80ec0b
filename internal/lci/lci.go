// Package lci holds the nouns of a life-cycle inventory library as a provider
// publishes it, with all values. Package library decides what a team may see of
// them.
package lci

// Boundary is what a process dataset covers.
type Boundary string

const (
	Aggregated    Boundary = "Aggregated"    // a system process: the supply chain is folded in
	Disaggregated Boundary = "Disaggregated" // a unit process, flow-based: suppliers are exchanges
)

// Direction is the side of a process that an exchange is on.
type Direction string

const (
	Input  Direction = "input"
	Output Direction = "output"
)

// FlowType is what an exchange is with.
type FlowType string

const (
	Intermediate FlowType = "intermediate" // another process
	Elementary   FlowType = "elementary"   // the environment
	Waste        FlowType = "waste"        // a waste treatment
)

// Unspecified replaces a required text that a library does not state: a unit,
// the version of a method.
const Unspecified = "unspecified"

// DefaultPrice is the price in credits of items without one of their own.
const DefaultPrice = 1

// MaxPrice is the highest price of a property or a process.
const MaxPrice = 1_000_000

// Distribution is the distribution of an uncertain amount.
type Distribution string

const (
	Certain    Distribution = ""
	Normal     Distribution = "normal"
	Lognormal  Distribution = "lognormal"
	Triangular Distribution = "triangular" // between minimum and maximum, most likely at the value
	Uniform    Distribution = "uniform"    // between minimum and maximum
)

// A Flow is what processes exchange and factors characterize, if more is known
// of it than its id.
type Flow struct {
	ID             ID
	Name           string
	Type           FlowType
	Compartment    string // of an elementary flow, from coarse to fine: "air/urban"
	CAS            string
	Synonyms       []string
	Unit           string // of its exchanges and factors
	Classification string // from coarse to fine: "Metals/Steel"
	Edition        Edition
}

// A Material is a good with numeric properties.
type Material struct {
	ID                 ID
	Name               string
	Source             string
	SourceOrganization string
	FunctionalUnit     string
	Compartment        string
	RegionalScopes     []string
	DatePublished      string // YYYY-MM-DD, "" when unknown
	Classification     string
	Deleted            bool
	Traded             bool // known from processes that trade it: other libraries may trade it too
}

// A Property is one number of a material.
type Property struct {
	ID                 ID
	MaterialID         ID
	Position           int // among the material's rows, as the provider ordered them
	Name               string
	Value              float64
	Unit               string
	Mean               *float64
	StandardDeviation  *float64
	Description        string
	Source             string
	SourceOrganization string
	DatePublished      string
	Price              int64
	Deleted            bool
}

// A MaterialImpact is an impact of one property of a material.
type MaterialImpact struct {
	ID         ID
	PropertyID ID
	MethodID   ID
	Position   int
	Category   string
	Indicator  string
	Value      float64
	Unit       string
}

// A Process turns inputs into outputs.
type Process struct {
	ID                 ID
	Name               string
	Description        string
	Sources            []string // links
	SourceOrganization string
	Region             string
	Boundary           Boundary
	FunctionalUnit     string
	DatePublished      string
	Classification     string
	Price              int64 // of each reference product
	Deleted            bool
	Edition            Edition
	Sharing            Sharing
}

// Sharing is how the exchanges of a process are allocated to its products, if
// more is known than its exchanges and allocations tell.
type Sharing struct {
	By     string // the basis, "" if it follows from the rows
	Stated bool   // the dataset itself names that method
}

// An Exchange is one flow into or out of a process.
type Exchange struct {
	ID                ID
	ProcessID         ID
	Position          int
	Direction         Direction
	FlowID            ID // the flow exchanged; of a reference product, the product's id
	MaterialID        ID // zero if the flow is not a material of the library
	Name              string
	Value             float64
	Unit              string
	Type              FlowType
	Reference         bool // a reference product; the first of a process is its quantitative reference
	ProviderID        ID   // the process that supplies it, zero when unknown
	Mean              *float64
	StandardDeviation *float64
	Distribution      Distribution
	Minimum, Maximum  *float64
	Avoided           bool     // an input that stands for a product made unnecessary elsewhere
	Worth             *float64 // of a product: money per unit
	Share             *float64 // of a product: the share allocated to it
}

// IsProduct reports whether it is a product of its process.
func (x *Exchange) IsProduct() bool { return x.Reference && x.Direction == Output }

// An Allocation is the share of one exchange allocated to one of several
// products, if it is not the same for all exchanges.
type Allocation struct {
	ProcessID  ID
	ProductID  ID // the flow id of the reference product
	ExchangeID ID
	Share      float64
}

// ID is derived from exchange and product.
func (a Allocation) ID() ID {
	return DerivedID("allocation", a.ProductID.String(), a.ExchangeID.String())
}

// A Method is a characterization method in one version.
type Method struct {
	ID      ID
	Name    string
	Version string
	Deleted bool
	Changed string // as in Edition
}

// An Indicator is one impact category indicator of a method.
type Indicator struct {
	ID       ID
	MethodID ID
	Category string
	Name     string
	Unit     string
	Edition  Edition
	Deleted  bool
}

// A Factor characterizes a flow under an indicator.
type Factor struct {
	IndicatorID ID
	FlowID      ID
	Value       float64
	Unit        string // of the flow, "" for the flow's own
}

// ID is derived from indicator and flow.
func (f Factor) ID() ID { return DerivedID("factor", f.IndicatorID.String(), f.FlowID.String()) }

// An Impact is one result of a process under a method's indicator.
type Impact struct {
	ID           ID
	ProcessID    ID
	MethodID     ID
	Position     int
	Category     string
	Indicator    string
	Value        float64
	Unit         string
	Deleted      bool
	Completeness *Completeness // how it was calculated; nil if the provider states it
}

// Completeness is how far a calculated impact can be trusted.
type Completeness struct {
	Coverage float64 // the share of the elementary exchanges upstream that have a factor
	CutOffs  int     // inputs upstream that no process supplies
	Residual float64 // the backward error of the solution
}
