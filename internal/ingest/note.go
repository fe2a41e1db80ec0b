package ingest

// Class says what kind of thing a warning tells.
type Class string

const (
	Unreadable      Class = "unreadable"      // a record that could not be read and was left out
	Unlinked        Class = "unlinked"        // an input whose supplier is not there
	Ambiguous       Class = "ambiguous"       // an input that several could supply
	UnknownUnit     Class = "unit"            // a unit that cannot be converted
	Missing         Class = "missing"         // a record that is named and is not there
	Dropped         Class = "dropped"         // something the catalogue has no place for
	Formula         Class = "formula"         // an expression that cannot be evaluated
	Uncharacterised Class = "uncharacterised" // a flow without a factor
	Doubtful        Class = "doubtful"        // something taken as it is that may be a mistake
	Uncalculated    Class = "uncalculated"    // a process whose impacts have no solution
	Unproductive    Class = "unproductive"    // a network that takes more of its own products than it makes, and what depends on it: no impacts
	Unshared        Class = "unshared"        // a process with several products that cannot be shared among them: no impacts, supplies nobody
	Productless     Class = "productless"     // a process that has no product, or whose own consumption leaves nothing of it: no impacts
	Absent          Class = "absent"          // an input whose named provider is not there: cut off
	Regional        Class = "regional"        // a factor that holds at one place only: left out
	Shared          Class = "shared"          // a process shared among its products in a way that it does not state
	Outdated        Class = "outdated"        // the older of two versions of a record: left out
)

// Count is what became of the records of one kind that a library holds.
type Count struct {
	Read    int `json:"read"`
	Stored  int `json:"stored"`
	Skipped int `json:"skipped"`
}

// Outcome tells by kind what became of everything a library holds. Kinds that
// the catalogue does not have, such as "product systems", are only skipped.
type Outcome map[Kind]Count

// Add counts what another part of the library holds.
func (a Outcome) Add(other Outcome) {
	for kind, c := range other {
		sum := a[kind]
		a[kind] = Count{sum.Read + c.Read, sum.Stored + c.Stored, sum.Skipped + c.Skipped}
	}
}

// An OutcomeReporter is a Package that can say what became of what it holds, once it
// was checked.
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
