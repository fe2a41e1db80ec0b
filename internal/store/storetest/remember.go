package storetest

import (
	"context"
	"testing"

	"cradle/internal/importing"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// digested is a library with a digest that counts how often it is read.
type digested struct {
	*library
	digest string
	checks *int
}

func (d digested) Digest(context.Context) (string, error) { return d.digest, nil }

func (d digested) Check(ctx context.Context, known ingest.Existing, progress ingest.Progress) ([]ingest.Warning, error) {
	*d.checks++
	return d.library.Check(ctx, known, progress)
}

func importRemembers(t *testing.T, open Open) {
	s := open(t)
	team := addBuyer(t, s, "a", 0).viewer.Team
	checks := 0
	imported := func(digest string, options ingest.Options, change ...func(*library)) ingest.Report {
		lib := example()
		for _, c := range change {
			c(lib)
		}
		r, err := importing.Import(t.Context(), s, digested{lib, digest, &checks}, options, func(int64, int64) {})
		must(t, err)
		return r
	}
	expectChecks := func(what string, want int) {
		t.Helper()
		if checks != want {
			t.Errorf("%s: read %d times, want %d", what, checks, want)
		}
		checks = 0
	}
	first := imported("x", ingest.Options{})
	expectChecks("first", 1)
	again := imported("x", ingest.Options{})
	expectChecks("again", 0)
	if !untouched(again) || again.Exchanges.Unchanged != first.Exchanges.Added || len(again.Warnings) != 1 {
		t.Errorf("again: %+v", again)
	}
	imported("x", ingest.Options{DryRun: true})
	expectChecks("whether it would change anything", 0)
	imported("x", ingest.Options{VisibleTo: []lci.ID{team}})
	expectChecks("with other options", 1)
	imported("y", ingest.Options{}, func(l *library) { l.materials[0].Name = "other" })
	expectChecks("another library", 1)
	imported("x", ingest.Options{VisibleTo: []lci.ID{team}})
	expectChecks("after another library", 1)
	imported("z", ingest.Options{DryRun: true})
	imported("z", ingest.Options{})
	expectChecks("after a dry run", 2)
	fewer := func(l *library) { l.exchanges = l.exchanges[:3] }
	imported("less", ingest.Options{}, fewer)
	less := imported("less", ingest.Options{}, fewer)
	expectChecks("after one that removed rows", 2)
	if !untouched(less) {
		t.Errorf("%+v", less)
	}
	expectSound(t, s)
}
