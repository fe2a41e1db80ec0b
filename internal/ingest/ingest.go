// Package ingest is what all import formats share: how a library is passed on,
// the report of an import, and its errors.
package ingest

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"cradle/internal/flowmatch"
	"cradle/internal/lci"
)

// A Package is a provider's data in one of the formats, opened and recognised.
type Package interface {
	// Check reads the whole library and writes nothing. It returns Errors if the
	// library must be refused, which warnings are no reason for.
	Check(ctx context.Context, known Existing, progress Progress) ([]Warning, error)
	// Read passes on every row, parents first. It is called after Check accepted
	// the library.
	Read(ctx context.Context, to Writer, progress Progress) error
	Close() error
}

// Kind is a kind of rows.
type Kind string

const (
	Materials       Kind = "materials"
	Properties      Kind = "properties"
	MaterialImpacts Kind = "material impacts"
	Processes       Kind = "processes"
	Exchanges       Kind = "exchanges"
	Methods         Kind = "methods"
	Indicators      Kind = "indicators"
	Factors         Kind = "factors"
	Impacts         Kind = "impacts"
	Flows           Kind = "flows"
	Allocations     Kind = "allocations"
	Calculated      Kind = "calculated impacts"
	Mappings        Kind = "mappings"
)

// Existing tells what the catalogue has, so that a library may refer to it.
type Existing interface {
	// Parents returns, for those of the ids that exist as records of the kind,
	// the record each belongs to (itself if it belongs to none).
	Parents(ctx context.Context, kind Kind, ids []lci.ID) (map[lci.ID]lci.ID, error)
	// WithReference returns which of the processes have a reference product.
	WithReference(ctx context.Context, processes []lci.ID) (map[lci.ID]bool, error)
}

// A Writer takes a library's rows. A row replaces the stored one with its id.
// The exchanges and allocations of a process, the factors of an indicator and
// the impacts of a property are replaced as a whole: stored ones that do not
// come again are removed. They come in no particular order.
type Writer interface {
	Flow(lci.Flow) error
	Material(lci.Material) error
	Property(lci.Property) error
	MaterialImpact(lci.MaterialImpact) error
	Process(lci.Process) error
	Exchange(lci.Exchange) error
	Allocation(lci.Allocation) error
	Method(lci.Method) error
	Indicator(lci.Indicator) error
	Factor(lci.Factor) error
	Impact(lci.Impact) error
}

// Progress receives how many bytes of how many were read.
type Progress func(done, total int64)

// Options configure an import.
type Options struct {
	VisibleTo []lci.ID            // restrict the records to these teams
	Public    bool                // make the records public
	Prune     bool                // delete what is not in the library
	Strict    bool                // refuse a library that cannot be read completely
	DryRun    bool                // report what would happen and change nothing
	Mappings  []flowmatch.Mapping // stored for this and later calculations
	// Calculator calculates the impact rows that follow from the import; without
	// one the stored ones stay.
	Calculator Calculator
}

// Tally counts what happened to one kind of rows.
type Tally struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Deleted   int `json:"deleted"`
}

// Touched reports whether any row of the kind has changed.
func (t Tally) Touched() bool { return t.Added+t.Changed+t.Deleted > 0 }

// Report is what an import did.
type Report struct {
	Materials       Tally `json:"materials"`
	Properties      Tally `json:"properties"`
	MaterialImpacts Tally `json:"materialImpacts"`
	Processes       Tally `json:"processes"`
	Exchanges       Tally `json:"exchanges"`
	Methods         Tally `json:"methods"`
	Indicators      Tally `json:"indicators"`
	Factors         Tally `json:"factors"`
	Impacts         Tally `json:"impacts"`
	Flows           Tally `json:"flows"`
	Allocations     Tally `json:"allocations"`
	Mappings        Tally `json:"mappings"`   // of flows
	Calculated      Tally `json:"calculated"` // impacts calculated here
	// Calculation is nil if none was needed.
	Calculation *Calculation `json:"calculation,omitempty"`
	// Outcome is what happened to everything in the library.
	Outcome  Outcome   `json:"account"`
	Warnings []Warning `json:"warnings"`
}

// Tallies returns the counts of every kind of rows, in the order of reading.
func (r *Report) Tallies() iter.Seq2[Kind, *Tally] {
	return func(yield func(Kind, *Tally) bool) {
		for _, of := range []struct {
			kind  Kind
			tally *Tally
		}{
			{Flows, &r.Flows}, {Mappings, &r.Mappings}, {Materials, &r.Materials}, {Properties, &r.Properties}, {MaterialImpacts, &r.MaterialImpacts},
			{Processes, &r.Processes}, {Exchanges, &r.Exchanges}, {Allocations, &r.Allocations}, {Methods, &r.Methods},
			{Indicators, &r.Indicators}, {Factors, &r.Factors}, {Impacts, &r.Impacts}, {Calculated, &r.Calculated},
		} {
			if !yield(of.kind, of.tally) {
				return
			}
		}
	}
}

// Warning is something a provider should know that is no reason to refuse a
// library.
type Warning struct {
	File       string   `json:"file"` // "" if it concerns the whole library
	Line       int      `json:"line"` // 0 if it concerns the whole file
	Message    string   `json:"message"`
	Class      Class    `json:"class,omitempty"`
	Record     string   `json:"record,omitempty"`     // the dataset or row it concerns, if lines do not tell
	Suggestion string   `json:"suggestion,omitempty"` // what to do about it
	In         []string `json:"in,omitempty"`         // the processes it occurs in, if there can be several
	Processes  int      `json:"processes,omitempty"`  // how many processes it concerns, if In and Record do not tell
}

func (w Warning) String() string { return w.asError().Error() }

func (w Warning) asError() Error {
	message := w.Message
	if w.Record != "" {
		message = w.Record + ": " + message
	}
	if w.Suggestion != "" {
		message += "; " + w.Suggestion
	}
	return Error{File: w.File, Line: w.Line, Message: message}
}

// Unread returns what could not be read and was left out as Errors, with which a
// strict import refuses the library; nil if all of it was read.
func Unread(warnings []Warning) error {
	var errs Errors
	for _, w := range warnings {
		if w.Class == Unreadable {
			w.Suggestion = ""
			errs.Add(w.asError())
		}
	}
	return errs.Err()
}

// Error is one error at one place in a library.
type Error struct {
	File    string // "" if it concerns the whole library
	Line    int    // 0 if it concerns the whole file
	Column  string // the column's name, "" if it concerns the whole line
	Message string
}

func (e Error) Error() string {
	if e.File == "" {
		return e.Message
	}
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ": column %s", e.Column)
	}
	b.WriteString(": ")
	b.WriteString(e.Message)
	return b.String()
}

// MaxErrors is how many errors of a library are listed; the rest are only
// counted.
const MaxErrors = 50

// Errors are why a library was refused.
type Errors struct {
	List []Error
	More int
}

// Add adds an error, or only counts it if enough are listed.
func (e *Errors) Add(err Error) {
	if len(e.List) >= MaxErrors {
		e.More++
		return
	}
	e.List = append(e.List, err)
}

// Err returns the errors as an error, or nil if there are none.
func (e *Errors) Err() error {
	if len(e.List) == 0 {
		return nil
	}
	return e
}

func (e *Errors) Error() string {
	var b strings.Builder
	for _, one := range e.List {
		b.WriteString(one.Error())
		b.WriteByte('\n')
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "and %d more\n", e.More)
	}
	b.WriteString("nothing was imported: ")
	if n := len(e.List) + e.More; n == 1 {
		b.WriteString("1 error")
	} else {
		fmt.Fprintf(&b, "%d errors", n)
	}
	return b.String()
}
