package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	reports "cradle/internal/ingest/report"
)

// What a terminal shows of a report, so that it fits one screen; the file of
// --report, or --json, has all of it.
const (
	maxCauses    = 10
	maxExamples  = 3 // of one cause
	longExample  = 40
	shortExample = 10 // the fewest columns worth an example
	maxMethods   = 3  // whose coverage is shown
	maxMissing   = 3  // flows without a factor, of one method
)

func (a *app) showReport(r ingest.Report, whole string, dryRun bool) error {
	a.showCauses(reports.Causes(r), whole)
	for _, line := range counts(&r) {
		fmt.Fprintln(a.out, line)
	}
	if c := r.Calculation; c != nil && c.Indicators > 0 {
		fmt.Fprintf(a.out, "%s.\n", calculated(c))
		a.showGaps(c)
		a.showCoverage(c.Coverage, whole)
	}
	_, err := fmt.Fprintln(a.out, outcome(touched(&r), dryRun))
	return err
}

// counts lists, one line each, how many rows of each kind were added, changed
// and so on.
func counts(r *ingest.Report) []string {
	titles := []string{"Added", "Changed", "Unchanged", "Deleted", "Skipped"}
	of := make([][]string, len(titles))
	count := func(kind ingest.Kind, all ...int) {
		for i, n := range all {
			if n > 0 {
				of[i] = append(of[i], fmt.Sprintf("%s %d", kind, n))
			}
		}
	}
	known := map[ingest.Kind]bool{}
	for kind, t := range r.Tallies() {
		known[kind] = true
		count(kind, t.Added, t.Changed, t.Unchanged, t.Deleted, r.Outcome[kind].Skipped)
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Outcome)) {
		if !known[kind] {
			count(kind, 0, 0, 0, 0, r.Outcome[kind].Skipped)
		}
	}
	var lines []string
	for i, title := range titles {
		if len(of[i]) > 0 {
			lines = append(lines, title+": "+strings.Join(of[i], ", "))
		}
	}
	return lines
}

func touched(r *ingest.Report) bool {
	for _, t := range r.Tallies() {
		if t.Touched() {
			return true
		}
	}
	return false
}

// showCauses shows what makes numbers wrong or missing, one line each, and where
// to find all notes.
func (a *app) showCauses(all []reports.Cause, whole string) {
	notes := 0
	for i, c := range all {
		if notes += len(c.Notes); i < maxCauses {
			a.hint("%s", causeLine(c, a.width()))
		}
	}
	if more := len(all) - maxCauses; more > 0 {
		a.hint("and %s", plural(more, "more cause", "more causes"))
	}
	if notes > 0 {
		a.hint("%s lists every note (%d)", whole, notes)
	}
}

// causeLine is a cause with as many examples as there is room for.
func causeLine(c reports.Cause, width int) string {
	count := plural(c.Processes, "process", "processes")
	if c.Processes == 0 {
		count = plural(len(c.Notes), "note", "notes")
	}
	line := count + ": " + c.Text
	open := " ("
	if len(c.Notes) > maxExamples {
		open = " (e.g. "
	}
	next := open
	for _, example := range c.Examples(maxExamples) {
		room := width - utf8.RuneCountInString(line+next+")")
		if room < shortExample {
			break
		}
		line += next + shorten(example, min(room, longExample))
		next = ", "
	}
	if next != open {
		line += ")"
	}
	return cut(printable(line), width)
}

// shorten cuts a text, which may be quoted.
func shorten(text string, width int) string {
	if !strings.HasPrefix(text, `"`) || utf8.RuneCountInString(text) <= width {
		return cut(text, width)
	}
	return cut(text, width-1) + `"`
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// printable removes control characters, which a library's names must not send to
// the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

func calculated(of *ingest.Calculation) string {
	return fmt.Sprintf("Calculated %s of %s under %s", plural(of.Rows, "impact row", "impact rows"), plural(of.Processes, "process", "processes"), plural(of.Indicators, "indicator", "indicators"))
}

// showGaps shows how much is missing from the impacts.
func (a *app) showGaps(of *ingest.Calculation) {
	if of.CutOffs+of.Uncalculated+of.Uncharacterised > 0 {
		fmt.Fprintf(a.out, "Inputs cut off %d, processes without impacts %d, elementary flows without a factor %d.\n", of.CutOffs, of.Uncalculated, of.Uncharacterised)
	}
}

// showCoverage shows for each method how much of the inventory has factors.
func (a *app) showCoverage(all []flowmatch.Coverage, whole string) {
	for _, c := range all[:min(len(all), maxMethods)] {
		var missing []string
		for _, m := range c.Missing[:min(len(c.Missing), maxMissing)] {
			missing = append(missing, fmt.Sprintf("%s (%d)", m.Name, m.Exchanges))
		}
		line := fmt.Sprintf("%s has factors for %d of %d elementary flows, %.1f %% of their exchanges", strings.TrimSpace(c.Name+" "+c.Version), c.Flows.Matched, c.Flows.All, 100*c.Exchanges.Of())
		if len(missing) > 0 {
			line += "; without: " + strings.Join(missing, ", ")
			if len(c.Missing) > maxMissing {
				line += ", …"
			}
		}
		a.hint("%s", cut(printable(line), a.width()))
	}
	if more := len(all) - maxMethods; more > 0 {
		a.hint("and %s; %s lists all", plural(more, "more method", "more methods"), whole)
	}
}

func outcome(touched, dryRun bool) string {
	switch {
	case !touched:
		return "Nothing changed: the catalogue already has all of it."
	case dryRun:
		return "Nothing was changed: this was a dry run."
	}
	return "Imported."
}
