package ingest

import (
	"context"
	"iter"

	"cradle/internal/flowmatch"
	"cradle/internal/lci"
)

// A Calculator calculates the impact rows that follow from an inventory.
type Calculator interface {
	// Calculate reads the inventory and then calls to with the rows: for a
	// process with an inventory one for every indicator of every method with
	// factors, except those the provider states. If methods are given, only
	// theirs.
	Calculate(ctx context.Context, from Inventory, methods []lci.ID, to func(lci.Impact) error, progress Progress) (Calculation, error)
}

// An Inventory is the part of a catalogue that scores depend on, without deleted
// rows. What belongs to a process comes in the order of processes and positions.
type Inventory interface {
	Flows(context.Context) iter.Seq2[lci.Flow, error]
	Methods(context.Context) iter.Seq2[lci.Method, error]
	Indicators(context.Context) iter.Seq2[lci.Indicator, error]
	Factors(context.Context) iter.Seq2[lci.Factor, error]
	Processes(context.Context) iter.Seq2[lci.Process, error]
	// Origins returns which libraries brought the processes and methods, in the order
	// of records and libraries.
	Origins(context.Context) iter.Seq2[Origin, error]
	// Mappings returns the mappings of flows.
	Mappings(context.Context) iter.Seq2[flowmatch.Mapping, error]
	// Audiences returns who may see restricted processes.
	Audiences(context.Context) iter.Seq2[Audience, error]
	Exchanges(context.Context) iter.Seq2[lci.Exchange, error]
	Allocations(context.Context) iter.Seq2[lci.Allocation, error]
	// Stated returns the impacts that the provider states, and those it marks as
	// deleted, which must not be calculated either.
	Stated(context.Context) iter.Seq2[lci.Impact, error]
}

// An Origin tells that a library brought a process or a method unchanged.
type Origin struct{ Record, Library lci.ID }

// An Audience is the teams that may see a process.
type Audience struct {
	ProcessID lci.ID
	Teams     []lci.ID // in order
}

// Calculation is the result of a calculation.
type Calculation struct {
	Processes       int                  `json:"processes"`       // with calculated rows
	Indicators      int                  `json:"indicators"`      // with calculated rows
	Rows            int                  `json:"rows"`            // in total
	CutOffs         int                  `json:"cutOffs"`         // inputs that no process supplies
	Uncalculated    int                  `json:"uncalculated"`    // processes that cannot be calculated
	Uncharacterised int                  `json:"uncharacterised"` // elementary flows without any factor
	Coverage        []flowmatch.Coverage `json:"coverage"`        // of the inventory by each method
	Notes           []Warning            `json:"notes"`           // what is cut off, left out or doubtful, and why
}
