package formats

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenSaysWhatItLookedFor(t *testing.T) {
	folder := t.TempDir()
	zip := filepath.Join(folder, "a.zip")
	if err := os.WriteFile(zip, []byte("PK\x03\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, format, want string }{
		{"nothing known", folder, "", "is in no format that is known here: it holds a zip within it, to be imported by itself; the formats are bundle"},
		{"damaged zip", zip, "", "a.zip is a damaged zip: "},
		{"not what it is said to be", folder, "bundle", "is no bundle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(c.path, c.format)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := Open(filepath.Join(folder, "missing"), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}
