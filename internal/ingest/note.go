package ingest

// Class is the kind of a warning.
type Class string

const (
	Unreadable      Class = "unreadable"      // a record that could not be read and was left out
	Unlinked        Class = "unlinked"        // an input whose supplier is missing
	Ambiguous       Class = "ambiguous"       // an input that several could supply
	UnknownUnit     Class = "unit"            // a unit that cannot be converted
	Missing         Class = "missing"         // a record that is referred to but missing
	Dropped         Class = "dropped"         // something the catalogue has no place for
	Formula         Class = "formula"         // an expression that cannot be evaluated
	Uncharacterised Class = "uncharacterised" // a flow without a factor
	Doubtful        Class = "doubtful"        // something accepted that may be a mistake
	Uncalculated    Class = "uncalculated"    // a process whose impacts have no solution
	Unproductive    Class = "unproductive"    // a network that takes more of its own products than it makes, and what depends on it: no impacts
	Unshared        Class = "unshared"        // a process with several products that cannot be allocated: no impacts, supplies no one
	Productless     Class = "productless"     // a process that has no product, or uses all of it itself: no impacts
	Absent          Class = "absent"          // an input whose named provider is missing: cut off
	Regional        Class = "regional"        // a factor for one place only: left out
	Shared          Class = "shared"          // a process allocated to its products in a way that it does not state
	Outdated        Class = "outdated"        // the older of two versions of a record: left out
)

// Count counts what happened to the records of one kind in a library.
type Count struct {
	Read    int `json:"read"`
	Stored  int `json:"stored"`
	Skipped int `json:"skipped"`
}

// Outcome is what happened to everything in a library, by kind. Kinds that the
// catalogue does not have, such as "product systems", are only skipped.
type Outcome map[Kind]Count

// Add adds the counts of another part of the library.
func (a Outcome) Add(other Outcome) {
	for kind, c := range other {
		sum := a[kind]
		a[kind] = Count{sum.Read + c.Read, sum.Stored + c.Stored, sum.Skipped + c.Skipped}
	}
}

// An OutcomeReporter is a Package that can report its outcome after Check.
type OutcomeReporter interface{ Outcome() Outcome }

// Outcome implements OutcomeReporter for the parts that do.
func (j joined) Outcome() Outcome {
	sum := Outcome{}
	for _, p := range j {
		if a, ok := p.Package.(OutcomeReporter); ok {
			sum.Add(a.Outcome())
		}
	}
	return sum
}
