package formats

import (
	"context"
	"fmt"
	"os"
	"sync"

	"cradle/internal/ingest"
	"cradle/internal/ingest/source"
)

// opened is a library with its source.
type opened struct {
	ingest.Package
	format string
	src    *source.Source
}

// Check implements ingest.Package. It notes the files that were left out.
func (o *opened) Check(ctx context.Context, known ingest.Existing, progress ingest.Progress) ([]ingest.Warning, error) {
	warnings, err := o.Package.Check(ctx, known, progress)
	if passed := o.src.Passed; passed.Count > 0 {
		warnings = append(warnings, ingest.Warning{
			File: source.Printable(passed.First), Class: ingest.Dropped,
			Message: fmt.Sprintf("is a system or tool file, not part of a library: %d such files and folders are not read", passed.Count),
		})
	}
	return warnings, err
}

// Digest implements ingest.Digester: the same bytes, read by the same program in
// the same format, are the same library.
func (o *opened) Digest(ctx context.Context) (string, error) {
	if program() == "" {
		return "", nil
	}
	digest, err := o.src.Digest(ctx)
	return fmt.Sprintf("%s %s %s", o.format, digest, program()), err
}

// Outcome implements ingest.OutcomeReporter if the format does.
func (o *opened) Outcome() ingest.Outcome {
	if a, ok := o.Package.(ingest.OutcomeReporter); ok {
		return a.Outcome()
	}
	return nil
}

// program identifies this program, because others may read a library
// differently.
var program = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
})
