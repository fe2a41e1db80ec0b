package report

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

func example() Document {
	carbon := flowmatch.NewCoverage(lci.Method{Name: "IPCC <b>", Version: "2021"})
	carbon.Add(lci.Flow{Name: "Carbon dioxide"}, 30, flowmatch.ByName)
	carbon.Add(lci.Flow{Name: "Methane"}, 10, flowmatch.ByID)
	carbon.Add(lci.Flow{Name: "Dust & <script>alert(1)</script>", Compartment: "air"}, 60, "")
	carbon.Finish()
	return Document{Libraries: []string{"library.zip"}, Report: ingest.Report{
		Processes: ingest.Tally{Added: 2},
		Account:   ingest.Account{ingest.Processes: {Read: 3, Stored: 2, Skipped: 1}, "product systems": {Read: 1, Skipped: 1}},
		Warnings: []ingest.Warning{
			{File: "a.json", Line: 3, Record: "Steel", Message: "is given in <barn>", Class: ingest.UnknownUnit, Suggestion: "add the unit"},
			{Message: "something else"},
		},
		Calculation: &ingest.Calculation{Rows: 4, Coverage: []flowmatch.Coverage{*carbon},
			Notes: []ingest.Warning{{Class: ingest.Unlinked, Record: "Water", Message: "nobody makes it", In: []string{"P1", "P2", "P3", "P4"}}}},
	}}
}

func written(t *testing.T, name string, d Document) string {
	t.Helper()
	folder := t.TempDir()
	if err := Write(filepath.Join(folder, name), d); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Fatalf("left behind: %v, %v", entries, err)
	}
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPageTellsEverything(t *testing.T) {
	page := written(t, "report.html", example())
	for _, want := range []string{
		"Import of library.zip",
		"<td>processes</td><td class=\"n\">3</td><td class=\"n\">2</td><td class=\"n\">1</td><td class=\"n\">2</td>",
		"<td>product systems</td>", "not kept",
		"Unknown units (1)", "a.json:3, Steel", "is given in &lt;barn&gt;", "add the unit",
		"Unlinked inputs (1)", "all 4 processes", "P4",
		"Other (1)", "something else",
		"40.0 %", "name: 30 exchanges of 1 flows", `width="96.00"`, // three tenths of the bar
		"1 flows have no factor", "Dust &amp; &lt;script&gt;", "IPCC &lt;b&gt; 2021",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"<script", "http://", "https://", "<barn>", "<link", "src="} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %q", never)
		}
	}
	chart := page[strings.Index(page, "<svg") : strings.Index(page, "</svg>")+6]
	if err := xml.Unmarshal([]byte(chart), new(struct{})); err != nil {
		t.Errorf("the chart: %v", err)
	}
}

func TestPageOfNothing(t *testing.T) {
	if page := written(t, "report", Document{DryRun: true}); !strings.Contains(page, "nothing to complain about") || !strings.Contains(page, "dry run") {
		t.Error(page)
	}
}

func TestJSONIsWhole(t *testing.T) {
	var got struct {
		Libraries   []string
		Account     map[string]ingest.Count
		Warnings    []ingest.Warning
		Calculation struct {
			Coverage []flowmatch.Coverage
			Notes    []ingest.Warning
		}
	}
	if err := json.Unmarshal([]byte(written(t, "report.JSON", example())), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Warnings) != 2 || len(got.Calculation.Notes[0].In) != 4 || got.Account["processes"].Skipped != 1 ||
		len(got.Calculation.Coverage[0].Missing) != 1 || got.Calculation.Coverage[0].Exchanges.Matched != 40 {
		t.Errorf("got %+v", got)
	}
}

func TestWriteLeavesWhatIsThereWhenItFails(t *testing.T) {
	if err := Write(filepath.Join(t.TempDir(), "none", "report.html"), example()); err == nil {
		t.Error("written into no folder")
	}
}
