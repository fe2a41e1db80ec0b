package report

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cradle/internal/ingest"
)

// A Cause groups notes that have the same cause.
type Cause struct {
	Class      ingest.Class
	Text       string // what is wrong and what was done about it, in one line
	Suggestion string // what to do about it, if all notes agree
	Processes  int    // affected processes, 0 if there are none or it is unknown
	Notes      []ingest.Warning

	kind      kindOfCause
	processes set // that notes name
}

// MarshalJSON omits the notes: the report has them as warnings and notes.
func (c Cause) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Class      ingest.Class `json:"class,omitempty"`
		Text       string       `json:"cause"`
		Suggestion string       `json:"suggestion,omitempty"`
		Processes  int          `json:"processes"`
		Notes      int          `json:"notes"`
	}{c.Class, c.Text, c.Suggestion, c.Processes, len(c.Notes)})
}

// kindOfCause is what is known of a class of notes.
type kindOfCause struct {
	rank int    // causes of wrong or missing numbers come first
	text string // "" if each kind of message is a cause of its own
	subject
}

// subject is what distinguishes the notes of a class.
type subject int

const (
	record     subject = iota // their records, which may be anything
	process                   // their records, which are processes if In names no others
	calculated                // their records, which are processes if a calculation reports them
	statement                 // their messages
)

var kindsOfCauses = map[ingest.Class]kindOfCause{
	ingest.Unproductive:    {0, "networks that consume more of their own products than they make; no impacts", process},
	ingest.Uncalculated:    {0, "", process},
	ingest.Unshared:        {1, "several products and no way to allocate burdens to them; no impacts, supply no other process", process},
	ingest.Productless:     {1, "no reference product, or nothing left of it after own consumption; no impacts", process},
	ingest.Unreadable:      {2, "records that cannot be read; left out", record},
	ingest.Formula:         {2, "formulas that cannot be evaluated", record},
	ingest.Absent:          {3, "inputs whose named provider is missing; cut off", process},
	ingest.Ambiguous:       {3, "inputs that several processes could supply; cut off", process},
	ingest.Unlinked:        {3, "inputs that no process supplies, or wastes that none treats; cut off", process},
	ingest.UnknownUnit:     {3, "units that cannot be converted", record},
	ingest.Missing:         {3, "", calculated},
	ingest.Shared:          {4, "", process},
	ingest.Doubtful:        {5, "", calculated},
	ingest.Uncharacterised: {6, "", record},
	ingest.Regional:        {7, "factors for single locations; left out", statement},
	ingest.Outdated:        {8, "older versions of records; left out", record},
	ingest.Dropped:         {9, "data that the catalogue does not store; left out", statement},
}

func kindOf(class ingest.Class) kindOfCause {
	if kind, known := kindsOfCauses[class]; known {
		return kind
	}
	return kindOfCause{rank: 9}
}

// Causes groups all notes of a report: first what leaves processes without
// impacts, then what is missing from impacts, then what may be wrong with them,
// last what the catalogue does not store; within each, the causes that affect
// most processes first.
func Causes(r ingest.Report) []Cause {
	g := grouping{at: map[causeKey]*Cause{}}
	for _, w := range r.Warnings {
		g.add(w)
	}
	if r.Calculation != nil {
		for _, w := range r.Calculation.Notes {
			g.add(w)
		}
	}
	return g.sorted()
}

type causeKey struct {
	class ingest.Class
	text  string
}

type grouping struct{ at map[causeKey]*Cause }

func (g grouping) add(w ingest.Warning) {
	kind := kindOf(w.Class)
	key := causeKey{w.Class, cmp.Or(kind.text, outline(w.Message))}
	c := g.at[key]
	if c == nil {
		c = &Cause{Class: w.Class, Text: key.text, Suggestion: w.Suggestion, kind: kind, processes: set{}}
		g.at[key] = c
	}
	if c.Suggestion != w.Suggestion {
		c.Suggestion = ""
	}
	c.Notes = append(c.Notes, w)
	c.concern(w)
}

// concern counts the processes that a note affects.
func (c *Cause) concern(w ingest.Warning) {
	switch {
	case w.Processes > 0:
		c.Processes += w.Processes
	case len(w.In) > 0:
		for _, name := range w.In {
			c.processes.add(w.File, name)
		}
	case w.Record != "" && (c.kind.subject == process || c.kind.subject == calculated && w.File == ""):
		c.processes.add(w.File, w.Record)
	}
}

// Examples returns the subjects of the first notes, each once.
func (c Cause) Examples(most int) []string {
	var all []string
	for i := 0; i < len(c.Notes) && len(all) < most; i++ {
		if one := c.example(c.Notes[i]); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

func (c Cause) example(w ingest.Warning) string {
	switch {
	case c.kind.subject == statement:
		return w.Message
	case strings.HasPrefix(w.Record, `"`): // several names
		return w.Record
	case w.Record != "":
		return strconv.Quote(w.Record)
	case len(w.In) > 0:
		return strconv.Quote(w.In[0])
	}
	return cmp.Or(place(w), w.Message)
}

func (g grouping) sorted() []Cause {
	all := make([]Cause, 0, len(g.at))
	for _, c := range g.at {
		c.Processes += c.processes.len()
		if len(c.Notes) == 1 && c.kind.text == "" {
			c.Text = c.Notes[0].Message
		}
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(a.kind.rank, b.kind.rank), cmp.Compare(b.Processes, a.Processes), cmp.Compare(len(b.Notes), len(a.Notes)), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Text, b.Text))
	})
	return all
}

// set is processes by file and name. Those named by a calculation have no file,
// and may be the same as those in the library's own notes.
type set map[[2]string]struct{}

func (s set) add(file, name string) { s[[2]string{file, name}] = struct{}{} }

func (s set) len() int {
	inFiles := 0
	for p := range s {
		if p[0] != "" {
			inFiles++
		}
	}
	return max(inFiles, len(s)-inFiles)
}

var (
	names  = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	digits = regexp.MustCompile(`[-+]?\b[0-9][0-9.,]*(?:e[-+]?[0-9]+)?\b`)
	lists  = regexp.MustCompile(`…(?:,? …)*(?: and others)?`)
	places = regexp.MustCompile(` \(…, in …\)$`)
)

// outline is a message without the names, numbers and processes of the
// particular case.
func outline(message string) string {
	message = names.ReplaceAllLiteralString(message, "…")
	message = digits.ReplaceAllLiteralString(message, "…")
	message = lists.ReplaceAllLiteralString(message, "…")
	return places.ReplaceAllLiteralString(message, "")
}
