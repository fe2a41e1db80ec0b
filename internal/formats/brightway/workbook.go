package brightway

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cradle/internal/ingest/sheet"
)

// A Database is the content of one workbook or CSV file.
type Database struct {
	Database   string
	Fields     Fields // of the database
	Project    []Parameter
	Parameters []Parameter // of the database
	Activities []*Activity
	Odd        []Oddity
}

// An Activity is a process, or an elementary flow.
type Activity struct {
	Place
	Name       string
	Fields     Fields
	Parameters []Parameter
	Exchanges  []Exchange
}

// An Exchange is one line of an activity's table.
type Exchange struct {
	Place
	Fields Fields
}

// A Parameter is a name used in formulas.
type Parameter struct {
	Place
	Name   string
	Fields Fields
}

// Fields are cells by their labels in lower case, without empty ones.
type Fields map[string]string

// A Place is a row of a sheet; a CSV file has one sheet without a name.
type Place struct {
	Sheet string
	Line  int
}

func (p Place) String() string {
	if p.Sheet == "" {
		return "line " + strconv.Itoa(p.Line)
	}
	return fmt.Sprintf("sheet %s, row %d", p.Sheet, p.Line)
}

// An Oddity is a deviation from the format.
type Oddity struct {
	Place
	What string
}

// A reader goes through the rows of a library's sheets. The meaning of a row
// depends on the heading above it.
type reader struct {
	lib      *Database
	place    Place
	cutoff   int // columns that are read, 0 for all
	begun    bool
	section  section
	labels   []string // of the table being read
	activity *Activity
	found    bool // a heading was seen in this sheet
	skip     bool
	flat     *flatTable
}

type section int

const (
	nowhere            section = iota
	databaseFields             // label and value, up to a blank row
	projectParameters          // a table up to a blank row
	databaseParameters         // a table up to a blank row
	activityFields             // label and value
	activityParameters         // a table
	activityExchanges          // a table
)

// beginSheet is called before the rows of a sheet.
func (r *reader) beginSheet(name string) {
	*r = reader{lib: r.lib, place: Place{Sheet: name}}
}

// row reads one row that is not blank.
func (r *reader) row(row sheet.Row) {
	first := !r.begun
	r.begun, r.place.Line = true, row.Line
	for i, c := range row.Cells {
		row.Cells[i] = tidy(c)
	}
	head := strings.ToLower(row.Cell(0))
	switch {
	case r.skip:
		return
	case first && row.Line == 1 && head == "skip":
		r.skip = true
		return
	case first && row.Line == 1 && head == "cutoff":
		if n, err := strconv.Atoi(row.Cell(1)); err == nil && n > 0 {
			r.cutoff = n
		} else {
			r.odd("the cutoff %q is not a number of columns", row.Cell(1))
		}
		return
	case !r.found && r.flat == nil:
		r.flat = newFlatTable(row)
		if r.flat != nil {
			return
		}
	}
	if r.flat != nil {
		r.flat.row(r, row)
		return
	}
	if r.cutoff > 0 && len(row.Cells) > r.cutoff {
		row.Cells = row.Cells[:r.cutoff]
	}
	if r.heading(head, row) {
		r.found, r.labels = true, nil
		return
	}
	if row.Gap && (r.section == databaseFields || (r.section == projectParameters || r.section == databaseParameters) && r.labels != nil) {
		r.section = nowhere
	}
	r.content(row)
}

// heading reports whether a row begins a section.
func (r *reader) heading(head string, row sheet.Row) bool {
	second := row.Cell(1)
	inActivity := r.activity != nil
	switch {
	case head == "database" && second != "" && r.section != activityExchanges && r.section != activityFields:
		if r.lib.Database != "" && r.lib.Database != second {
			r.odd("a second database %q: its activities are read as those of %q", second, r.lib.Database)
		} else {
			r.lib.Database = second
		}
		r.section, r.activity = databaseFields, nil
	case head == "project parameters":
		r.section, r.activity = projectParameters, nil
	case head == "database parameters":
		r.section, r.activity = databaseParameters, nil
	case head == "activity" && second != "":
		r.activity = &Activity{Place: r.place, Name: second, Fields: Fields{}}
		r.lib.Activities = append(r.lib.Activities, r.activity)
		r.section = activityFields
	case head == "exchanges" && inActivity:
		r.section = activityExchanges
	case head == "parameters" && inActivity:
		r.section = activityParameters
	case head == "parameters" && r.found && !inActivity:
		r.section = databaseParameters
	default:
		return false
	}
	return true
}

// content reads a row below a heading.
func (r *reader) content(row sheet.Row) {
	switch r.section {
	case nowhere: // free text is allowed there
	case databaseFields:
		if r.lib.Fields == nil {
			r.lib.Fields = Fields{}
		}
		r.lib.Fields.set(row.Cell(0), row.Cell(1))
	case activityFields:
		r.activity.Fields.set(row.Cell(0), row.Cell(1))
	default:
		if r.labels == nil {
			r.labels = labels(row)
			return
		}
		r.tableRow(labelled(r.labels, row))
	}
}

func (r *reader) tableRow(fields Fields) {
	switch r.section {
	case activityExchanges:
		r.activity.Exchanges = append(r.activity.Exchanges, Exchange{r.place, fields})
	case activityParameters:
		r.activity.Parameters = append(r.activity.Parameters, Parameter{r.place, fields["name"], fields})
	case projectParameters:
		r.lib.Project = append(r.lib.Project, Parameter{r.place, fields["name"], fields})
	case databaseParameters:
		r.lib.Parameters = append(r.lib.Parameters, Parameter{r.place, fields["name"], fields})
	}
}

func (r *reader) odd(format string, args ...any) {
	r.lib.Odd = append(r.lib.Odd, Oddity{r.place, fmt.Sprintf(format, args...)})
}

func labels(row sheet.Row) []string {
	list := make([]string, len(row.Cells))
	for i := range row.Cells {
		list[i] = label(row.Cell(i))
	}
	return list
}

func label(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

func labelled(labels []string, row sheet.Row) Fields {
	fields := make(Fields, len(labels))
	for i, l := range labels {
		if l != "" && l != "skip" {
			fields.set(l, row.Cell(i))
		}
	}
	return fields
}

// set keeps the first value of a label.
func (f Fields) set(name, value string) {
	name = label(name)
	if _, again := f[name]; name == "" || value == "" || value == "(Unknown)" || again {
		return
	}
	f[name] = value
}

// names returns the labels, sorted.
func (f Fields) names() []string { return slices.Sorted(maps.Keys(f)) }

// first returns the value of the first label that has one.
func (f Fields) first(labels ...string) string {
	for _, l := range labels {
		if v := f[l]; v != "" {
			return v
		}
	}
	return ""
}

// path splits a value that has several parts: "air::urban air".
func (f Fields) path(name string) []string {
	return tuple(f[name])
}

// tuple parses "a::b" and Python's "('a', 'b')".
func tuple(text string) []string {
	var parts []string
	if inner, ok := strings.CutPrefix(text, "("); ok && strings.HasSuffix(inner, ")") && strings.ContainsAny(inner, `'"`) {
		for p := range strings.SplitSeq(strings.TrimSuffix(inner, ")"), ",") {
			parts = append(parts, strings.Trim(strings.TrimSpace(p), `'"`))
		}
	} else {
		parts = strings.Split(text, "::")
	}
	kept := parts[:0]
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

// tidy removes byte order marks from copied cells.
func tidy(cell string) string { return strings.TrimSpace(strings.ReplaceAll(cell, "\ufeff", "")) }
