package test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wantingLibrary has 40 machines with 5 inputs each that no process makes, and a
// mill and a kiln that use up all of each other's products.
func wantingLibrary() (l library, cutOff []string) {
	l = heijungsLibrary()
	for i := range 40 {
		id := uid("c2c2c2c2", i)
		l.processes = append(l.processes, process{ID: id, Name: fmt.Sprintf("Machine %d", i)})
		l.exchanges = append(l.exchanges, exchange{Process: id, Direction: "output", Name: fmt.Sprintf("Machine %d", i), Value: "1", Unit: "item", Reference: "true"})
		for j := range 5 {
			part := fmt.Sprintf("Part %d of machine %d, ordered by its number", j, i)
			cutOff = append(cutOff, part)
			l.exchanges = append(l.exchanges, exchange{Process: id, Direction: "input", Name: part, Value: "1", Unit: "item"})
		}
	}
	for i, name := range []string{"Mill", "Kiln"} {
		id, makes, takes := uid("c3c3c3c3", i), uid("f3f3f3f3", i), uid("f3f3f3f3", 1-i)
		l.processes = append(l.processes, process{ID: id, Name: name})
		l.exchanges = append(l.exchanges, exchange{Process: id, Direction: "output", Flow: makes, Name: name + " product", Value: "1", Unit: "kg", Reference: "true"},
			exchange{Process: id, Direction: "input", Flow: takes, Name: "Raw material", Value: "1", Unit: "kg"})
	}
	return l, cutOff
}

func TestReportLeadsWithWhatHasNoImpactsAndListsEverything(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		l, cutOff := wantingLibrary()
		folder, page := l.write(t), filepath.Join(t.TempDir(), "report.html")
		for _, args := range [][]string{{"import", folder, "--report", page}, {"calculate"}} {
			t.Run(args[0], func(t *testing.T) {
				// Without a secret a command warns where it is kept.
				checkReport(t, install(t, e, "CRADLE_SECRET=0123456789abcdef"), folder, args, cutOff)
			})
		}
		checkPage(t, page, cutOff)
	})
}

func checkPage(t *testing.T, path string, cutOff []string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, after, worst := strings.Cut(string(text), "Mill")
	if counts := strings.Contains(after, "Records read and stored"); !worst || !counts {
		t.Error("the page does not begin with the mill")
	}
	for _, name := range cutOff {
		if !strings.Contains(after, name) {
			t.Errorf("%q comes before the mill, or not at all", name)
		}
	}
}

func checkReport(t *testing.T, in *installation, folder string, args, cutOff []string) {
	type cause struct {
		Class     string
		Processes int
		Notes     int
	}
	type note struct{ Record string }
	if args[0] == "calculate" {
		in.run(t, "import", folder)
	}
	shown := in.run(t, args...)
	if first, _, _ := strings.Cut(shown.stderr, "\n"); shown.status != 0 || !strings.Contains(first, "Mill") {
		t.Errorf("status %d, the first line is %q", shown.status, first)
	}
	if lines := strings.Count(shown.stderr+shown.stdout, "\n"); lines > 24 {
		t.Errorf("%d lines:\n%s%s", lines, shown.stderr, shown.stdout)
	}
	document := command[struct {
		Causes      []cause
		Notes       []note
		Calculation struct{ Notes []note }
	}](t, in, args...)
	listed := map[string]bool{}
	for _, n := range append(document.Notes, document.Calculation.Notes...) {
		listed[n.Record] = true
	}
	for _, name := range cutOff {
		if !listed[name] {
			t.Errorf("%q is not listed", name)
		}
	}
	if c := document.Causes; len(c) < 2 || c[0].Class != "unproductive" && c[0].Class != "uncalculated" || c[1] != (cause{"unlinked", 40, 200}) {
		t.Errorf("causes: %+v", c)
	}
}
