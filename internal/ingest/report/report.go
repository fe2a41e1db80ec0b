// Package report writes the report of an import, for people (HTML) and for
// programs (JSON).
package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"cradle/internal/ingest"
)

// A Document is an import's report and its subject.
type Document struct {
	Libraries []string `json:"libraries"` // as given
	DryRun    bool     `json:"dryRun"`
	ingest.Report
}

// Write writes the whole report to a file: JSON if its name ends in ".json",
// else a self-contained HTML page. The file appears at path only when it is
// complete.
func Write(path string, d Document) (err error) {
	folder, base := filepath.Split(path)
	f, err := os.CreateTemp(folder, "."+base+"-*")
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		os.Remove(f.Name()) // fails if it was renamed
	}()
	buffered := bufio.NewWriter(f)
	write := writePage
	if strings.EqualFold(filepath.Ext(path), ".json") {
		write = writeJSON
	}
	if err := errors.Join(write(buffered, d), buffered.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeJSON(w io.Writer, d Document) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Causes []Cause `json:"causes"`
		Document
	}{Causes(d.Report), d})
}
