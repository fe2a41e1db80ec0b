package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// wrongEverywhere is the report of a library with thousands of notes of every
// class, the decisive one last.
func wrongEverywhere() ingest.Report {
	notes := []ingest.Warning{}
	for i := range 3000 {
		in := fmt.Sprintf("Electricity, at grid, region %d, including transmission and distribution losses", i)
		notes = append(notes,
			ingest.Warning{Class: ingest.Unlinked, Record: fmt.Sprintf("Input %d, which has a name of some length", i%700), Message: fmt.Sprintf("no process makes it; cut off (1, in %q)", in), In: []string{in}},
			ingest.Warning{Class: ingest.Doubtful, Record: in, Message: strings.Repeat(fmt.Sprintf("odd in way %c; ", 'a'+i%20), 20)})
	}
	notes = append(notes, ingest.Warning{Class: ingest.Unproductive, Record: "Mill\x1b[2J", In: []string{"Mill", "Kiln"}, Processes: 17, Message: "takes too much"})
	r := ingest.Report{
		Outcome:     ingest.Outcome{"product systems": {Read: 9, Skipped: 9}, ingest.Processes: {Read: 9, Skipped: 2}},
		Calculation: &ingest.Calculation{Rows: 5, Processes: 5, Indicators: 1, CutOffs: 3000, Notes: notes},
	}
	for _, t := range r.Tallies() {
		*t = ingest.Tally{Added: 1, Changed: 2, Unchanged: 3, Deleted: 4}
	}
	for i := range 30 {
		c := flowmatch.NewCoverage(lci.Method{Name: fmt.Sprint("Method ", i)})
		c.Add(lci.Flow{Name: strings.Repeat("Dust ", 40)}, 60, "")
		c.Finish()
		r.Calculation.Coverage = append(r.Calculation.Coverage, *c)
	}
	return r
}

func TestReportFitsOneScreenAndLeadsWithWhatIsWorst(t *testing.T) {
	var screen strings.Builder
	a := &app{streams: streams{out: &screen, err: &screen}}
	if err := a.showReport(wrongEverywhere(), "--report FILE", false); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(screen.String(), "\n"), "\n")
	if len(lines) > 24 {
		t.Errorf("%d lines:\n%s", len(lines), screen.String())
	}
	for i, want := range []string{
		`17 processes: networks that consume more of their own products than they make; no impacts ("Mill`,
		`3000 processes: inputs that no process supplies, or wastes that none treats; cut off (e.g. "Input 0, `,
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d is %q", i+1, lines[i])
		}
	}
	for _, want := range []string{"\nand 12 more causes\n", "\n--report FILE lists every note (6001)\n", "\nSkipped: processes 2, product systems 9\n", "\nand 27 more methods; --report FILE lists all\n", "\nImported.\n"} {
		if !strings.Contains(screen.String(), want) {
			t.Errorf("%q is not in\n%s", want, screen.String())
		}
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > a.width() && !strings.Contains(line, ": flows ") || strings.ContainsRune(line, '\x1b') {
			t.Errorf("%d characters: %q", n, line)
		}
	}
}

func TestExamplesAreAsManyAsThereIsRoomFor(t *testing.T) {
	for text, want := range map[string]string{
		"short":                             `"short"`,
		"a name that is rather long indeed": `"a name that is…"`,
	} {
		if got := shorten(fmt.Sprintf("%q", text), 17); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
