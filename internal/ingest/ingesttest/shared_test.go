package ingesttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ended records how a test would have ended.
type ended struct {
	testing.TB
	skipped, failed bool
}

func (e *ended) Skip(...any)           { e.skipped = true; panic(e) }
func (e *ended) Fatalf(string, ...any) { e.failed = true; panic(e) }

func ask(t *testing.T, name string) (path string, how *ended) {
	how = &ended{TB: t}
	defer func() {
		if r := recover(); r != nil && r != how {
			panic(r)
		}
	}()
	return Shared(how, name), how
}

// inProject changes to a package of an empty project.
func inProject(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	folder := filepath.Join(root, "project", "internal", "some")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "project", "go.mod"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	return root
}

func TestSharedFilesAreMissedAloud(t *testing.T) {
	script, err := filepath.Abs("../../../scripts/left-out")
	if err != nil {
		t.Fatal(err)
	}
	root := inProject(t)
	lines := filepath.Join(root, "lines")
	t.Setenv(LeftOut, lines)
	said := func() string {
		t.Helper()
		out, err := exec.Command(script, "sh", "-c", "! [ -e "+lines+" ] || cat "+lines+" > $"+LeftOut).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}

	if got := said(); !strings.Contains(got, "No tests were skipped") {
		t.Errorf("nothing was left out, and it says %q", got)
	}
	for range 2 {
		if _, how := ask(t, "a.zip"); !how.skipped {
			t.Error("without the folder the test is not left out")
		}
	}
	if got := said(); !strings.Contains(got, "SKIPPED: 1 tests") || !strings.Contains(got, "SKIPPED: internal/some "+t.Name()+"\n") {
		t.Errorf("one test was left out, and it says %q", got)
	}

	if err := exec.Command(script, "sh", "-c", "exit 3").Run(); err == nil || err.(*exec.ExitError).ExitCode() != 3 {
		t.Errorf("tests that fail with 3 end with %v", err)
	}

	data := filepath.Join(root, "shared", "data")
	if err := os.MkdirAll(data, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, how := ask(t, "a.zip"); !how.failed {
		t.Error("with the folder and without the file the test does not fail")
	}
	if err := os.WriteFile(filepath.Join(data, "a.zip"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if path, how := ask(t, "a.zip"); how.failed || how.skipped || filepath.Base(path) != "a.zip" {
		t.Errorf("the file is there: %q, %+v", path, how)
	}
}
