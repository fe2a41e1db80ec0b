package sample

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"cradle/internal/lci"
)

func TestSameSizeSameBundle(t *testing.T) {
	library := Library{Materials: 200, Processes: 30, Properties: 3}
	folders := []string{t.TempDir(), t.TempDir()}
	for _, folder := range folders {
		if err := library.Write(folder); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(folders[0])
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		a, err1 := os.ReadFile(filepath.Join(folders[0], file.Name()))
		b, err2 := os.ReadFile(filepath.Join(folders[1], file.Name()))
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs", file.Name())
		}
	}
}

func TestIDsDiffer(t *testing.T) {
	seen := map[lci.ID]bool{}
	library := Library{}
	for i := range 10_000 {
		for _, id := range []lci.ID{library.MaterialID(i), library.PropertyID(i, 0), library.PropertyID(i, 1)} {
			if seen[id] {
				t.Fatalf("%s comes twice", id)
			}
			seen[id] = true
		}
	}
}
