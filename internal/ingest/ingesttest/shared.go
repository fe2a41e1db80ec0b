package ingesttest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// LeftOut is the environment variable with the file to which each skipped test
// adds a line. scripts/left-out prints them.
const LeftOut = "CRADLE_TEST_LEFT_OUT"

// Shared returns the path of one of the real files in the folder shared/data
// beside the project. If the folder is missing the test is skipped and recorded;
// if only the file is missing the test fails.
func Shared(t testing.TB, name string) string {
	t.Helper()
	project, folder := projectOf(t)
	data := filepath.Join(project, "..", "shared", "data")
	if _, err := os.Stat(data); os.IsNotExist(err) {
		if err := leaveOut(fmt.Sprintf("%s %s", filepath.ToSlash(folder), t.Name())); err != nil {
			t.Fatal(err)
		}
		t.Skip("LEFT OUT: needs the library files of ../shared/data")
	}
	path := filepath.Join(data, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("../shared/data is incomplete: %v", err)
	}
	return path
}

// projectOf finds the folder with go.mod above the test's folder, and the test's
// folder relative to it.
func projectOf(t testing.TB) (project, folder string) {
	t.Helper()
	within, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for project = within; ; project = filepath.Dir(project) {
		if _, err := os.Stat(filepath.Join(project, "go.mod")); err == nil {
			break
		}
		if project == filepath.Dir(project) {
			t.Fatal("the tests do not run inside the project")
		}
	}
	folder, err = filepath.Rel(project, within)
	if err != nil {
		t.Fatal(err)
	}
	return project, folder
}

// leaveOut adds a line in one write, because packages are tested concurrently.
func leaveOut(test string) error {
	path := os.Getenv(LeftOut)
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString(test + "\n")
	return err
}
