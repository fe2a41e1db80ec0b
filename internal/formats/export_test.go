package formats

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"cradle/internal/export/exporttest"
	"cradle/internal/ingest/ingesttest"
)

func TestWriteFileReplacesOnlyItsOwn(t *testing.T) {
	from := exporttest.Every().Source()
	folder := t.TempDir()
	foreign := filepath.Join(folder, "notes.zip")
	if err := os.WriteFile(foreign, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"jsonld", "ecospold2", "csv", "xlsx"} {
		format, _ := FindExport(name)
		path := filepath.Join(folder, name+format.Extension)
		for range 2 {
			if _, err := format.WriteFile(t.Context(), path, from, nil); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, bad := range []string{foreign, folder, filepath.Join(folder, "x.txt")} {
			if _, err := format.WriteFile(t.Context(), bad, from, nil); err == nil {
				t.Errorf("%s was written to %s", name, bad)
			}
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 5 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// An export made before the first pull can be replaced after it.
func TestAnExportOfLittleIsReplaced(t *testing.T) {
	material := exporttest.Library{}
	material.Materials = exporttest.Every().Materials[:1]
	for name, first := range map[string]*exporttest.Library{"nothing": {}, "a material": &material} {
		for _, format := range ExportNames() {
			e, _ := FindExport(format)
			path := filepath.Join(t.TempDir(), "export"+e.Extension)
			for _, from := range []*exporttest.Library{first, exporttest.Every()} {
				if _, err := e.WriteFile(t.Context(), path, from.Source(), nil); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// A user's own workbook is not an export.
func TestAnotherWorkbookIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.xlsx")
	if err := os.WriteFile(path, []byte(ingesttest.Workbook(t, ingesttest.Sheet{Name: "Budget", Lines: []string{"Month|Euro", "May|12"}})), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _ := FindExport("xlsx")
	if _, err := e.WriteFile(t.Context(), path, exporttest.Every().Source(), nil); err == nil {
		t.Error("it was replaced")
	}
}

// Only rows that a format can hold are counted.
func TestCountsAreOfWhatIsWritten(t *testing.T) {
	from := &exporttest.Every().Rows
	for name, properties := range map[string]int{"csv": len(from.Properties), "xlsx": len(from.Properties), "jsonld": 1, "ecospold2": 0, "bundle": len(from.Properties)} {
		format, _ := FindExport(name)
		counts, err := format.Write(t.Context(), io.Discard, from.Source(), nil)
		if err != nil || counts.Properties != properties || counts.Exchanges != len(from.Exchanges) {
			t.Errorf("%s: %+v, %v; want properties %d, exchanges %d", name, counts, err, properties, len(from.Exchanges))
		}
	}
}
