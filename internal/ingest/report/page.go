package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": func(s flowmatch.Share) string { return fmt.Sprintf("%.1f %%", 100*s.Of()) },
	"place":   place,
	"color":   func(r flowmatch.Route) string { return colors[r] },
	"label":   func(r flowmatch.Route) string { return labels[r] },
}).Parse(pageText))

// page is what the template shows.
type page struct {
	Document
	Title  string
	Kinds  []kind
	Notes  []class
	Chart  chart
	Routes []flowmatch.Route
}

// kind is a line of the table of counts.
type kind struct {
	Name ingest.Kind
	ingest.Count
	Tally *ingest.Tally // nil for what the catalogue has no place for
}

// class is the notes of one kind.
type class struct {
	Title, About string
	Notes        []ingest.Warning
}

func writePage(w io.Writer, d Document) error {
	p := page{Document: d, Title: "Import of " + strings.Join(d.Libraries, ", "), Kinds: kinds(d.Report), Routes: flowmatch.Routes()}
	notes := d.Warnings
	if d.Calculation != nil {
		notes = slices.Concat(notes, d.Calculation.Notes)
		p.Chart = newChart(d.Calculation.Coverage)
	}
	p.Notes = classes(notes)
	return pageTemplate.Execute(w, p)
}

// kinds lists what was read and stored; a kind of which there is nothing is left
// out.
func kinds(r ingest.Report) []kind {
	var all []kind
	known := map[ingest.Kind]bool{}
	for name, tally := range r.Tallies() {
		known[name] = true
		if r.Account[name] != (ingest.Count{}) || *tally != (ingest.Tally{}) {
			all = append(all, kind{name, r.Account[name], tally})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Account)) {
		if !known[name] {
			all = append(all, kind{Name: name, Count: r.Account[name]})
		}
	}
	return all
}

// about says what the notes of a class tell.
var about = []struct {
	class        ingest.Class
	title, about string
}{
	{ingest.Unlinked, "Unlinked inputs", "No process supplies them; what lies upstream of them is not in the scores."},
	{ingest.Ambiguous, "Ambiguous providers", "Several processes could supply them; none was chosen."},
	{ingest.UnknownUnit, "Unknown units", "Amounts that could not be converted."},
	{ingest.Missing, "Missing records", "Something is named that is not there."},
	{ingest.Formula, "Formulas", "Amounts that could not be evaluated."},
	{ingest.Uncalculated, "Processes without scores", "Their impacts have no solution."},
	{ingest.Uncharacterised, "Flows without factors", ""},
	{ingest.Doubtful, "Doubtful", "Taken as it is; it may be a mistake."},
	{ingest.Dropped, "Left out", "What the catalogue has no place for."},
	{"", "Other", ""},
}

func classes(notes []ingest.Warning) []class {
	by := map[ingest.Class][]ingest.Warning{}
	for _, n := range notes {
		by[n.Class] = append(by[n.Class], n)
	}
	var all []class
	for _, a := range about {
		if len(by[a.class]) > 0 {
			all = append(all, class{a.title, a.about, by[a.class]})
			delete(by, a.class)
		}
	}
	for _, rest := range slices.Sorted(maps.Keys(by)) {
		all = append(all, class{Title: string(rest), Notes: by[rest]})
	}
	return all
}

func place(w ingest.Warning) string {
	at := w.File
	if w.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, w.Line)
	}
	if at != "" && w.Record != "" {
		at += ", "
	}
	return at + w.Record
}
