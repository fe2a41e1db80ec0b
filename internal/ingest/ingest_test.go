package ingest

import (
	"reflect"
	"testing"
)

func TestPlacesAsTheyArePrinted(t *testing.T) {
	for _, c := range []struct {
		error Error
		want  string
	}{
		{Error{File: "a.csv", Line: 2, Column: "name", Message: "odd"}, "a.csv:2: column name: odd"},
		{Error{File: "a.csv", Line: 2, Message: "odd"}, "a.csv:2: odd"},
		{Error{File: "a.csv", Message: "odd"}, "a.csv: odd"},
		{Error{Message: "odd"}, "odd"},
	} {
		if got := c.error.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if got := (Warning{File: "notes.txt", Message: "ignored"}).String(); got != "notes.txt: ignored" {
		t.Errorf("got %q", got)
	}
}

func TestErrorsAreCounted(t *testing.T) {
	for _, c := range []struct {
		errors Errors
		want   string
	}{
		{Errors{List: make([]Error, 1)}, "\nnothing was imported: 1 error"},
		{Errors{List: make([]Error, 2)}, "\n\nnothing was imported: 2 errors"},
		{Errors{List: make([]Error, 1), More: 1}, "\nand 1 more\nnothing was imported: 2 errors"},
	} {
		if got := c.errors.Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestPartNamesWhereItsFilesAre(t *testing.T) {
	p := Part{Name: "library"}
	if got := p.place("a.csv"); got != "library/a.csv" {
		t.Errorf("got %q", got)
	}
	if got := p.place(""); got != "library" {
		t.Errorf("got %q", got)
	}
}

func TestTalliesAreAll(t *testing.T) {
	fields := 0
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Report]()) {
		if f.Type == reflect.TypeFor[Tally]() {
			fields++
		}
	}
	seen := map[*Tally]Kind{}
	for kind, tally := range new(Report).Tallies() {
		seen[tally] = kind
	}
	if len(seen) != fields {
		t.Errorf("%v of %d", seen, fields)
	}
}
