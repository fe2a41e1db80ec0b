package report

import (
	"encoding/json"
	"fmt"
	"testing"

	"cradle/internal/ingest"
)

func reportOf(warnings, notes []ingest.Warning) ingest.Report {
	return ingest.Report{Warnings: warnings, Calculation: &ingest.Calculation{Notes: notes}}
}

// one returns the only cause of some notes.
func one(t *testing.T, warnings, notes []ingest.Warning) Cause {
	t.Helper()
	all := Causes(reportOf(warnings, notes))
	if len(all) != 1 {
		t.Fatalf("%d causes: %+v", len(all), all)
	}
	return all[0]
}

func TestWhatLeavesProcessesWithoutImpactsComesFirst(t *testing.T) {
	var order []ingest.Class
	for _, c := range Causes(reportOf([]ingest.Warning{
		{Class: ingest.Dropped, Message: "9 comments have no place in the catalogue"},
		{Class: "other", Message: "a class of another version"},
		{Class: ingest.Outdated, Record: "Steel", Message: "version 1 is older than 2"},
		{Class: ingest.Unreadable, File: "a.json", Message: "is no JSON"},
		{Class: ingest.Regional, Message: "9 factors are for single locations"},
	}, []ingest.Warning{
		{Class: ingest.Uncharacterised, Record: "TRACI", Message: "has no factors"},
		{Class: ingest.Doubtful, Record: "Steel", Message: "odd"},
		{Class: ingest.Shared, Record: "Refinery", Message: "allocated by mass"},
		{Class: ingest.Unlinked, Record: "Pump", In: []string{"A", "B"}, Message: "nobody makes it"},
		{Class: ingest.Absent, Record: "Valve", In: []string{"A", "B", "C"}, Message: "its provider is absent"},
		{Class: ingest.Unshared, Record: "Refinery", Message: "cannot be shared"},
		{Class: ingest.Unproductive, Record: "Mill", Message: "takes too much"},
	})) {
		order = append(order, c.Class)
	}
	want := []ingest.Class{ingest.Unproductive, ingest.Unshared, ingest.Unreadable, ingest.Absent, ingest.Unlinked, ingest.Shared,
		ingest.Doubtful, ingest.Uncharacterised, ingest.Regional, ingest.Outdated, ingest.Dropped, "other"}
	if fmt.Sprint(order) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", order, want)
	}
}

func TestProcessesAreCountedOnce(t *testing.T) {
	for name, test := range map[string]struct {
		warnings, notes []ingest.Warning
		processes       int
	}{
		"two inputs of the same processes": {nil, []ingest.Warning{
			{Class: ingest.Unlinked, Record: "Pump", In: []string{"A", "B"}}, {Class: ingest.Unlinked, Record: "Valve", In: []string{"B", "C"}}}, 3},
		"found when read and when calculated": {[]ingest.Warning{
			{Class: ingest.Productless, File: "a.json", Record: "A"}, {Class: ingest.Productless, File: "b.json", Record: "B"}},
			[]ingest.Warning{{Class: ingest.Productless, Record: "A"}, {Class: ingest.Productless, Record: "B"}}, 2},
		"of one name in two files": {[]ingest.Warning{
			{Class: ingest.Productless, File: "a.json", Record: "A"}, {Class: ingest.Productless, File: "b.json", Record: "A"}}, nil, 2},
		"a network that says how many": {nil, []ingest.Warning{
			{Class: ingest.Unproductive, Record: "A, B", In: []string{"A", "B"}, Processes: 40}, {Class: ingest.Unproductive, Record: "C, D", Processes: 5}}, 45},
		"a process that is odd to a calculation": {nil, []ingest.Warning{{Class: ingest.Doubtful, Record: "A"}}, 1},
		"a unit that is odd to an importer":      {[]ingest.Warning{{Class: ingest.Doubtful, File: "units.json", Record: "Units of mass"}}, nil, 0},
		"a record that is no process":            {[]ingest.Warning{{Class: ingest.Dropped, Record: "Contacts"}}, nil, 0},
	} {
		if c := one(t, test.warnings, test.notes); c.Processes != test.processes {
			t.Errorf("%s: %d processes, want %d", name, c.Processes, test.processes)
		}
	}
}

func TestMessagesThatDifferInNamesAndNumbersAreOneCause(t *testing.T) {
	c := one(t, nil, []ingest.Warning{
		{Class: ingest.Doubtful, Message: `it is taken from "Landfill \"North\", 2", which treats it as a waste (12, in "A", "B", "C" and others)`, Suggestion: "check it"},
		{Class: ingest.Doubtful, Message: `it is taken from "Kiln", which treats it as a waste (1, in "A")`, Suggestion: "check it"},
		{Class: ingest.Doubtful, Message: `it is taken from "Kiln", which treats it as a waste (2, in "A" and others)`, Suggestion: "check it"},
	})
	if c.Text != "it is taken from …, which treats it as a waste" || c.Suggestion != "check it" || len(c.Notes) != 3 {
		t.Errorf("%+v", c)
	}
	if all := Causes(reportOf([]ingest.Warning{{Class: ingest.Doubtful, Message: "the CO2 is 3.5e-7 kg"}, {Class: ingest.Doubtful, Message: "the CH4 is 1,000 kg"}}, nil)); len(all) != 2 {
		t.Errorf("%+v", all)
	}
	if c := one(t, []ingest.Warning{{Message: `the column "colour" is not known`}}, nil); c.Text != `the column "colour" is not known` {
		t.Errorf("a message that is alone loses %q", c.Text)
	}
}

func TestCausesInJSONCountTheirNotes(t *testing.T) {
	text, err := json.Marshal(Causes(reportOf(nil, []ingest.Warning{{Class: ingest.Unlinked, Record: "Pump", In: []string{"A", "B"}, Suggestion: "import it"}})))
	if err != nil || string(text) != `[{"class":"unlinked","cause":"inputs that no process supplies, or wastes that none treats; cut off","suggestion":"import it","processes":2,"notes":1}]` {
		t.Errorf("%s %v", text, err)
	}
	if text, _ := json.Marshal(Causes(ingest.Report{})); string(text) != "[]" {
		t.Errorf("of nothing: %s", text)
	}
}
