// Package ingest is what every import format shares: the words in which a
// library is handed over, what an import did, and how its errors read.
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
	// Check reads the whole library and writes nothing. It returns Errors
	// when the library must be refused; warnings are no reason for that.
	Check(ctx context.Context, known Existing, progress Progress) ([]Warning, error)
	// Read hands every row over, parents before the rows that name them.
	// It is called after Check accepted the library.
	Read(ctx context.Context, to Writer, progress Progress) error
	Close() error
}

// Kind names one of the kinds of rows.
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

// Existing tells what is there already, so that a library may refer to it.
type Existing interface {
	// Parents returns, for those of the ids that exist as records of the kind,
	// the record each belongs to (itself where it belongs to none).
	Parents(ctx context.Context, kind Kind, ids []lci.ID) (map[lci.ID]lci.ID, error)
	// WithReference returns those of the processes that have a reference product.
	WithReference(ctx context.Context, processes []lci.ID) (map[lci.ID]bool, error)
}

// A Writer takes a library's rows. What a row replaces is found by its id.
// The exchanges and allocations of a process, the factors of an indicator and the impacts of a
// property are taken as a whole: those that are there and are not handed over
// again are removed. They come grouped by nothing; the writer keeps account.
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

// Progress is told how many bytes of how many were read.
type Progress func(done, total int64)

// Options say how an import treats what it reads and what it does not.
type Options struct {
	VisibleTo []lci.ID            // restrict what is read to these teams
	Public    bool                // open what is read to every team
	Prune     bool                // delete what the library does not hold
	Strict    bool                // refuse a library of which something cannot be read
	DryRun    bool                // find out what would happen and change nothing
	Mappings  []flowmatch.Mapping // remembered for this and later calculations
	// Calculator makes the impact rows that follow from what is read; without one
	// those that are there stay.
	Calculator Calculator
}

// Tally counts what became of one kind of rows.
type Tally struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Deleted   int `json:"deleted"`
}

// Touched says whether any row of the kind is different now.
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
	Calculated      Tally `json:"calculated"` // impacts that were calculated here
	// Calculation tells of the calculation, nil where none was needed.
	Calculation *Calculation `json:"calculation,omitempty"`
	// Outcome tells what became of everything that the library holds.
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

// Warning is something a provider should know about and no reason to refuse.
type Warning struct {
	File       string   `json:"file"` // "" where it concerns the whole library
	Line       int      `json:"line"` // 0 where it concerns the whole file
	Message    string   `json:"message"`
	Class      Class    `json:"class,omitempty"`
	Record     string   `json:"record,omitempty"`     // the dataset or row it concerns, where lines do not say
	Suggestion string   `json:"suggestion,omitempty"` // what to do about it
	In         []string `json:"in,omitempty"`         // the processes that have it, where several can
	Processes  int      `json:"processes,omitempty"`  // how many processes it concerns, where In and Record do not tell
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

// Unread lists what could not be read and was left out, as the Errors for which
// a strict import refuses the library; nil where all of it was read.
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

// Error is one thing wrong at one place of a library.
type Error struct {
	File    string // "" where it concerns the whole library
	Line    int    // 0 where it concerns the whole file
	Column  string // the column's name, "" where it concerns the whole line
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

// MaxErrors is how many errors of a library are listed; the rest is counted.
const MaxErrors = 50

// Errors are why a library was refused.
type Errors struct {
	List []Error
	More int
}

// Add notes an error, or only counts it when enough are listed.
func (e *Errors) Add(err Error) {
	if len(e.List) >= MaxErrors {
		e.More++
		return
	}
	e.List = append(e.List, err)
}

// Err returns the errors as an error, nil when there are none.
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
