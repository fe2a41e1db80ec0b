//go:build unix

package pgtest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFindServer(t *testing.T) {
	installed := t.TempDir()
	for _, version := range []string{"9.6", "15", "100", "backup"} {
		addInitdb(t, filepath.Join(installed, version, "bin"))
	}
	packaged := filepath.Join(installed, "*", "bin", "initdb")
	inPath := filepath.Join(t.TempDir(), "own")
	addInitdb(t, inPath)
	empty := t.TempDir()

	for _, test := range []struct {
		name, path, packaged, want string
	}{
		{"the one in PATH comes first", inPath, packaged, inPath},
		{"else the newest packaged one by number", empty, packaged, filepath.Join(installed, "100", "bin")},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("PATH", test.path)
			got, err := findServer(test.packaged)
			if err != nil || got != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
	t.Run("none is an error of its own", func(t *testing.T) {
		t.Setenv("PATH", empty)
		if _, err := findServer(filepath.Join(empty, "*")); !errors.Is(err, ErrNotInstalled) {
			t.Errorf("got %v, want ErrNotInstalled", err)
		}
	})
}

func addInitdb(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "initdb"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
}
