package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRecordReplacesFigures(t *testing.T) {
	document := filepath.Join(t.TempDir(), "document.md")
	if err := os.WriteFile(document, []byte("before\n"+recordBegins+recordEnds+"after\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, figures := range []string{"first\n", "second\n"} {
		if err := record(document, []byte(figures)); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(document)
		if want := "before\n" + recordBegins + figures + recordEnds + "after\n"; err != nil || string(text) != want {
			t.Errorf("got %q, %v, want %q", text, err, want)
		}
	}
	if err := os.WriteFile(document, []byte("no place"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := record(document, nil); err == nil {
		t.Error("a document without a place for figures is written to")
	}
}
