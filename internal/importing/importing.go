// Package importing imports a library: it checks it, compares it with the
// catalogue, writes what differs, calculates what follows and publishes the
// result as a new generation. All decisions are made here; a Store only keeps
// rows.
package importing

import (
	"context"
	"errors"
	"fmt"

	"cradle/internal/fault"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// errDryRun rolls back a dry run.
var errDryRun = errors.New("dry run")

// Import imports a library into the catalogue in one transaction and one new
// generation. It returns ingest.Errors if the library must be refused.
func Import(ctx context.Context, store Store, lib ingest.Package, options ingest.Options, progress ingest.Progress) (ingest.Report, error) {
	if err := teamsExist(ctx, store, options.VisibleTo); err != nil {
		return ingest.Report{}, err
	}
	digest, err := ingest.Digest(ctx, lib, options)
	if err != nil {
		return ingest.Report{}, err
	}
	if report, same, err := recall(ctx, store, digest); err != nil || same {
		return report, err
	}
	warnings, err := lib.Check(ctx, store, progress)
	if err == nil && options.Strict {
		err = ingest.Unread(warnings)
	}
	if err != nil {
		return ingest.Report{}, err
	}
	var report ingest.Report
	err = store.WriteCatalogue(ctx, func(to Catalogue) error {
		w := newImporter(ctx, to, options)
		if err := w.run(lib, progress); err != nil {
			return err
		}
		if err := w.follow(progress); err != nil {
			return err
		}
		report = w.report
		report.Warnings = append(append([]ingest.Warning{}, warnings...), w.older...)
		report.Outcome = outcomeOf(lib)
		if options.DryRun {
			return errDryRun
		}
		if err := w.publish(); err != nil {
			return err
		}
		return w.remember(digest, report)
	})
	if err != nil && !errors.Is(err, errDryRun) {
		return ingest.Report{}, fmt.Errorf("import: %w", err)
	}
	return report, nil
}

func teamsExist(ctx context.Context, store Store, teams []lci.ID) error {
	for _, id := range teams {
		team, err := store.Team(ctx, id)
		if err != nil {
			return err
		}
		if team == nil {
			return fault.NotFoundf("No team has the id %s", id)
		}
	}
	return nil
}

func outcomeOf(lib ingest.Package) ingest.Outcome {
	if a, ok := lib.(ingest.OutcomeReporter); ok {
		return a.Outcome()
	}
	return ingest.Outcome{}
}
