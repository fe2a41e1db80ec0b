package tables

import (
	"path/filepath"
	"reflect"
	"testing"

	"cradle/internal/lca/synth"
)

func TestLibraryIsReadAsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "library")
	entries, err := Write(path, 500, 4)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c, err := read(path, 4)
	if err != nil {
		t.Fatal(err)
	}
	want := synth.Make(500, 4, 1)
	if entries != want.A.Entries() || !reflect.DeepEqual(a, want.A) || !reflect.DeepEqual(b, want.B) || !reflect.DeepEqual(c, want.C) {
		t.Error("the library that was read is not the one written")
	}
	if _, _, c, err = read(path, 2); err != nil || c.Rows() != 2 {
		t.Errorf("the first indicators: %v", err)
	}
}
