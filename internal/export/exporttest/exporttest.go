// Package exporttest writes libraries in a format and reads them again, for the
// tests of the formats.
package exporttest

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cradle/internal/calculation"
	"cradle/internal/demo"
	"cradle/internal/export"
	"cradle/internal/formats/bundle"
	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/ingest/source"
	"cradle/internal/lci"
)

// A Format reads and writes a format.
type Format struct {
	Open  func(*source.Source) (ingest.Package, error)
	Write func(context.Context, io.Writer, export.Source, *calculation.Network) (export.Counts, error)
}

// AsStored writes a library as stored.
func (f Format) AsStored(t testing.TB, from *ingesttest.Rows) []byte { return f.written(t, from, nil) }

// AsCalculated writes a library for programs that calculate.
func (f Format) AsCalculated(t testing.TB, from *ingesttest.Rows) []byte {
	t.Helper()
	network, err := new(calculation.Calculator).Network(t.Context(), from.Source())
	if err != nil {
		t.Fatal(err)
	}
	return f.written(t, from, network)
}

func (f Format) written(t testing.TB, from *ingesttest.Rows, as *calculation.Network) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := f.Write(t.Context(), &out, from.Source(), as); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Read reads what was written.
func (f Format) Read(t testing.TB, content []byte) *ingesttest.Rows {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return ingesttest.MustRead(t, f.Open, ingesttest.Open(t, path))
}

// Samples are the demonstration library, and real ones if they are available,
// opened with open.
func Samples(t *testing.T, open map[string]func(*source.Source) (ingest.Package, error)) map[string]*ingesttest.Rows {
	t.Helper()
	files, err := source.OpenFS(demo.Files())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*ingesttest.Rows{"demo": ingesttest.MustRead(t, bundle.Open, files)}
	for name, open := range open {
		t.Run(name, func(t *testing.T) { // skips only this one if its files are missing
			all[name] = ingesttest.MustRead(t, open, ingesttest.Open(t, ingesttest.Shared(t, name)))
		})
	}
	return all
}

// Scores are the calculated and the stated impacts of a library, by the ids of
// processes and indicators.
func Scores(t testing.TB, of *ingesttest.Rows) map[string]float64 {
	t.Helper()
	type name struct {
		method              lci.ID
		category, indicator string
	}
	ids := map[name]lci.ID{}
	for _, i := range of.Indicators {
		ids[name{i.MethodID, i.Category, i.Name}] = i.ID
	}
	all := map[string]float64{}
	add := func(i lci.Impact) error {
		all[i.ProcessID.String()+" "+ids[name{i.MethodID, i.Category, i.Indicator}].String()] = i.Value
		return nil
	}
	for _, i := range of.Impacts {
		add(i)
	}
	if _, err := new(calculation.Calculator).Calculate(t.Context(), of.Source(), nil, add, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	return all
}

// SameScores fails if a wanted score is missing or different.
func SameScores(t testing.TB, got, want map[string]float64) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("there are no scores")
	}
	wrong := 0
	for key, w := range want {
		g, there := got[key]
		if !there || math.Abs(g-w) > 1e-9*max(math.Abs(w), 1e-3) {
			if wrong++; wrong < 4 {
				t.Errorf("%s: %v (there: %v), want %v", key, g, there, w)
			}
		}
	}
}

// Unzipped are the texts in a zip by name.
func Unzipped(t testing.TB, content []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(all)
	}
	return files
}

// SafeLocations checks that a location cannot be code: Brightway evaluates
// parentheses as Python.
func (f Format) SafeLocations(t *testing.T) {
	t.Helper()
	from := &Hard().Rows
	for i := range from.Processes {
		from.Processes[i].Region = "United States (__import__('os').abort())"
	}
	for _, content := range [][]byte{f.AsCalculated(t, from), f.AsStored(t, from)} {
		found := false
		for name, text := range Unzipped(t, content) {
			found = found || strings.Contains(text, "States [")
			if strings.Contains(text, "States (") {
				t.Errorf("%s:\n%s", name, text)
			}
		}
		if !found {
			t.Error("no location is written")
		}
	}
}
