package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
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
		Outcome:   ingest.Outcome{ingest.Processes: {Read: 3, Stored: 2, Skipped: 1}, "product systems": {Read: 1, Skipped: 1}},
		Warnings: []ingest.Warning{
			{File: "a.json", Line: 3, Record: "Steel", Message: "is given in <barn>", Class: ingest.UnknownUnit, Suggestion: "add the unit"},
			{Message: "something else"},
		},
		Calculation: &ingest.Calculation{Rows: 4, Coverage: []flowmatch.Coverage{*carbon},
			Notes: []ingest.Warning{
				{Class: ingest.Unlinked, Record: "Water", Message: "nobody makes it", In: []string{"P1", "P2", "P3", "P4"}},
				{Class: ingest.Unproductive, Record: "Mill", Message: "takes 2 of its 1 <ton>", Processes: 7},
			}},
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
		"<td>product systems</td>", "not stored",
		`<td class="n">7</td><td class="n">1</td><td><details><summary>networks that consume more`, "takes 2 of its 1 &lt;ton&gt;",
		"<summary>units that cannot be converted", "a.json:3, Steel", "is given in &lt;barn&gt;", "add the unit",
		`<td class="n">4</td><td class="n">1</td><td><details><summary>inputs that no process supplies`, "all 4 processes", "P4",
		`<td class="n">–</td><td class="n">1</td><td><details><summary>something else`,
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
	checkTags(t, page)
}

// checkTags fails if the tags of a page do not match.
func checkTags(t *testing.T, page string) {
	t.Helper()
	body := strings.ReplaceAll(page[strings.Index(page, "<body>"):strings.Index(page, "</html>")], "<br>", "<br/>")
	if err := xml.Unmarshal([]byte(body), new(struct{})); err != nil {
		t.Errorf("the page: %v", err)
	}
}

func TestPageLeadsWithNetworksThatTakeMoreThanTheyMake(t *testing.T) {
	page := written(t, "report.html", example())
	at := 0
	for _, next := range []string{"<h1>", "networks that consume more of their own products", "units that cannot", "something else", "Records read and stored", "Calculated impacts"} {
		found := strings.Index(page[at:], next)
		if found < 0 {
			t.Fatalf("%q does not come next", next)
		}
		at += found
	}
}

func TestPageHasEveryNoteOfAWrongLibrary(t *testing.T) {
	const n = 100_000
	var d Document
	for i := range n {
		d.Warnings = append(d.Warnings, ingest.Warning{Class: ingest.Unlinked, File: fmt.Sprintf("processes/%d.json", i), Record: fmt.Sprintf("Process %d, exchange 1", i),
			Message: fmt.Sprintf("%q is not made in RNA, but in US", fmt.Sprint("flow ", i)), Suggestion: "give the exchange the location of its supplier"})
	}
	page := written(t, "report.html", d)
	if rows := strings.Count(page, "is not made in RNA"); rows != n {
		t.Errorf("%d of %d notes", rows, n)
	}
	if suggestions := strings.Count(page, "location of its supplier"); suggestions != 1 {
		t.Errorf("the same suggestion %d times", suggestions)
	}
	if len(page) > n*200 {
		t.Errorf("%d bytes for %d notes", len(page), n)
	}
}

func TestPageOfNothing(t *testing.T) {
	if page := written(t, "report", Document{DryRun: true}); !strings.Contains(page, "No problems were found") || !strings.Contains(page, "dry run") {
		t.Error(page)
	}
}

func TestJSONIsWhole(t *testing.T) {
	var got struct {
		Libraries   []string
		Causes      []struct{ Processes, Notes int }
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
	if len(got.Causes) != 4 || got.Causes[0].Processes != 7 || len(got.Warnings) != 2 || len(got.Calculation.Notes) != 2 || len(got.Calculation.Notes[0].In) != 4 || got.Account["processes"].Skipped != 1 ||
		len(got.Calculation.Coverage[0].Missing) != 1 || got.Calculation.Coverage[0].Exchanges.Matched != 40 {
		t.Errorf("got %+v", got)
	}
}

func TestWriteLeavesWhatIsThereWhenItFails(t *testing.T) {
	if err := Write(filepath.Join(t.TempDir(), "none", "report.html"), example()); err == nil {
		t.Error("written into no folder")
	}
}
