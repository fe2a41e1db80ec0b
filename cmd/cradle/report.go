package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
)

// What is shown of a report on a terminal; the file of --report, or --json, has all of it.
const (
	maxNotes   = 8  // of one class
	maxMethods = 10 // whose coverage is told
	maxMissing = 3  // flows without a factor, of one method
)

func (a *app) showReport(r ingest.Report, whole string, dryRun bool) error {
	a.warn("warning", r.Warnings, whole)
	if r.Calculation != nil {
		a.warn("note", r.Calculation.Notes, whole)
	}
	touched := false
	rows := [][]string{{"", "READ", "SKIPPED", "ADDED", "CHANGED", "UNCHANGED", "DELETED"}}
	for kind, t := range r.Tallies() {
		touched = touched || t.Touched()
		count := r.Account[kind]
		if count != (ingest.Count{}) || *t != (ingest.Tally{}) {
			rows = append(rows, numbers(string(kind), count.Read, count.Skipped, t.Added, t.Changed, t.Unchanged, t.Deleted))
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Account)) {
		if count := r.Account[kind]; count.Stored == 0 && count.Skipped == count.Read && count.Read > 0 && !known(&r, kind) {
			rows = append(rows, numbers(string(kind), count.Read, count.Skipped, 0, 0, 0, 0))
		}
	}
	if err := a.table(rows); err != nil {
		return err
	}
	if r.Calculation != nil {
		a.showCoverage(r.Calculation.Coverage, whole)
	}
	_, err := fmt.Fprintln(a.out, outcome(touched, dryRun))
	return err
}

func numbers(name string, all ...int) []string {
	row := []string{name}
	for _, n := range all {
		row = append(row, strconv.Itoa(n))
	}
	return row
}

func known(r *ingest.Report, kind ingest.Kind) bool {
	for k := range r.Tallies() {
		if k == kind {
			return true
		}
	}
	return false
}

// warn shows the first notes of each class, and says what has the whole report.
func (a *app) warn(as string, all []ingest.Warning, whole string) {
	count := map[ingest.Class]int{}
	for _, w := range all {
		if count[w.Class]++; count[w.Class] <= maxNotes {
			a.hint("%s: %s", as, printable(w.String()))
		}
	}
	var more []string
	for _, class := range slices.Sorted(maps.Keys(count)) {
		if n := count[class] - maxNotes; n > 0 {
			more = append(more, fmt.Sprintf("%s %d", cmp.Or(class, "other"), n))
		}
	}
	if len(more) > 0 {
		a.hint("and more: %s; %s tells them all", strings.Join(more, ", "), whole)
	}
}

// printable keeps control characters in a library's names from the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// showCoverage says for each method how much of the inventory has factors.
func (a *app) showCoverage(all []flowmatch.Coverage, whole string) {
	for _, c := range all[:min(len(all), maxMethods)] {
		var routes, missing []string
		for _, r := range c.Routes {
			if r.Exchanges > 0 {
				routes = append(routes, fmt.Sprintf("%s %d", r.Route, r.Exchanges))
			}
		}
		for _, m := range c.Missing[:min(len(c.Missing), maxMissing)] {
			missing = append(missing, fmt.Sprintf("%s (%d)", m.Name, m.Exchanges))
		}
		line := fmt.Sprintf("%s has factors for %d of %d elementary flows, %.1f %% of their exchanges", strings.TrimSpace(c.Name+" "+c.Version), c.Flows.Matched, c.Flows.All, 100*c.Exchanges.Of())
		if len(routes) > 0 {
			line += " (by " + strings.Join(routes, ", ") + ")"
		}
		if len(missing) > 0 {
			line += "; without: " + strings.Join(missing, ", ")
			if len(c.Missing) > maxMissing {
				line += ", …"
			}
		}
		a.hint("%s", printable(line))
	}
	if more := len(all) - maxMethods; more > 0 {
		a.hint("and %d methods more; %s tells of all", more, whole)
	}
}

// brief is a report without the long lists of flows that have no factor.
func brief(r ingest.Report) ingest.Report {
	const most = 20
	if r.Calculation == nil {
		return r
	}
	c := *r.Calculation
	c.Coverage = slices.Clone(c.Coverage)
	for i := range c.Coverage {
		c.Coverage[i].Missing = c.Coverage[i].Missing[:min(len(c.Coverage[i].Missing), most)]
	}
	r.Calculation = &c
	return r
}

func outcome(touched, dryRun bool) string {
	switch {
	case !touched:
		return "Nothing changed: the catalogue held all of it already."
	case dryRun:
		return "Nothing was changed: this was a dry run."
	}
	return "Imported."
}
