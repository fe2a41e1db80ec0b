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
	Causes []Cause
	Kinds  []kind
	Chart  chart
	Routes []flowmatch.Route
}

// kind is a line of the table of counts.
type kind struct {
	Name ingest.Kind
	ingest.Count
	Tally *ingest.Tally // nil for kinds that the catalogue does not have
}

func writePage(w io.Writer, d Document) error {
	p := page{Document: d, Title: "Import of " + strings.Join(d.Libraries, ", "), Causes: Causes(d.Report), Kinds: kinds(d.Report), Routes: flowmatch.Routes()}
	if d.Calculation != nil {
		p.Chart = newChart(d.Calculation.Coverage)
	}
	return pageTemplate.Execute(w, p)
}

// kinds lists what was read and stored, without empty kinds.
func kinds(r ingest.Report) []kind {
	var all []kind
	known := map[ingest.Kind]bool{}
	for name, tally := range r.Tallies() {
		known[name] = true
		if r.Outcome[name] != (ingest.Count{}) || *tally != (ingest.Tally{}) {
			all = append(all, kind{name, r.Outcome[name], tally})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Outcome)) {
		if !known[name] {
			all = append(all, kind{Name: name, Count: r.Outcome[name]})
		}
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
