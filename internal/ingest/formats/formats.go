// Package formats knows every format that a library can be imported from.
package formats

import (
	"fmt"
	"os"

	"cradle/internal/ingest"
	"cradle/internal/ingest/bundle"
)

// A format can say whether a path holds it, and open it.
type format struct {
	name   string
	detect func(path string) bool
	open   func(path string) (ingest.Library, error)
}

// all are asked in this order.
var all = []format{
	{"bundle", bundle.Detect, bundle.Open},
}

// Names lists the formats.
func Names() []string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.name
	}
	return names
}

// Open opens the library at path: in the named format, or with "" in the one
// that is recognised.
func Open(path, name string) (ingest.Library, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.name == name || name == "" && f.detect(path) {
			return f.open(path)
		}
	}
	return nil, unrecognised(path)
}

// unrecognised says for each format why the library is not in it.
func unrecognised(path string) error {
	err := fmt.Errorf("%s is in no format that is known here", path)
	for _, f := range all {
		err = fmt.Errorf("%w; %w", err, f.refusal(path))
	}
	return err
}

func (f format) refusal(path string) error {
	lib, err := f.open(path)
	if err == nil {
		lib.Close()
		return fmt.Errorf("it can be read with --format %s", f.name)
	}
	return err
}
