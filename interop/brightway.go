package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// python is the interpreter with Brightway.
var python = filepath.Join(workspace, "brightway", "bin", "python")

// brightway lets Brightway calculate the workbooks and the EcoSpold 2 exports.
func brightway(exports []export) error {
	if err := installBrightway(); err != nil {
		return err
	}
	var failed error
	for _, e := range exports {
		want, err := cradleScores(e.path("bundle"))
		if err != nil {
			return err
		}
		if err := e.calculateInBrightway(); err != nil {
			return err
		}
		for _, of := range []struct{ format, table string }{{"workbook", "workbook.csv"}, {"EcoSpold 2", "ecospold2.csv"}} {
			got, err := unrounded(want, e.path(of.table))
			if err != nil {
				return err
			}
			failed = errors.Join(failed, compare(fmt.Sprintf("Brightway, %s of %s", of.format, e.name), want, got))
		}
	}
	return errors.Join(failed, brightwayOriginals())
}

// brightwayOriginals lets Brightway read the files that Cradle reads, and
// compares. It prints its own lines, with the causes of differences.
func brightwayOriginals() error {
	run := exec.Command(python, "-B", "interop/brightway/originals.py", cradle, filepath.Join(workspace, "originals"), sharedData)
	run.Stdout, run.Stderr = os.Stdout, os.Stderr
	if err := run.Run(); err != nil {
		return fmt.Errorf("original files: %w", err)
	}
	return nil
}

// installBrightway gets Brightway from PyPI, unless it is already there.
func installBrightway() error {
	if _, err := exec.LookPath("python3"); err != nil {
		return errors.New("python3 is missing; run scripts/setup --interop")
	}
	const requirements = "interop/brightway/requirements.txt"
	want, err := os.ReadFile(requirements)
	if err != nil {
		return err
	}
	installed := filepath.Join(workspace, "brightway", "installed.txt")
	if have, _ := os.ReadFile(installed); bytes.Equal(have, want) {
		return nil
	}
	folder := filepath.Dir(installed)
	if err := command("python3", "-m", "venv", "--clear", folder); err != nil {
		return err
	}
	if err := command(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements); err != nil {
		return fmt.Errorf("install Brightway from PyPI: %w", err)
	}
	return os.WriteFile(installed, want, 0o644)
}

// calculateInBrightway writes workbook.csv and ecospold2.csv, both at the same time.
func (e export) calculateInBrightway() error {
	if err := unpack(e.path("ecospold2.zip"), e.path("ecospold2")); err != nil {
		return err
	}
	var all [2]error
	var done sync.WaitGroup
	for i, arguments := range [][]string{
		{"workbook", e.path("brightway.xlsx"), e.path("workbook.csv")}, {"ecospold2", e.path("ecospold2"), e.path("ecospold2.csv")},
	} {
		done.Go(func() {
			all[i] = command(python, append([]string{"-B", "interop/brightway/calculate.py"}, arguments...)...)
		})
	}
	done.Wait()
	return errors.Join(all[:]...)
}

// unrounded reads Brightway's scores. Brightway rounds amounts to single
// precision for its matrices: a score that differs because of this is taken from
// the same equations with the amounts in its database.
func unrounded(want scores, path string) (scores, error) {
	got, exact := scores{}, scores{}
	err := eachRow(path, func(r row) error {
		at := place{r["process"], r["indicator"]}
		return errors.Join(got.add(at, r["value"]), exact.add(at, r["exact"]))
	})
	rounded := differing(want, got)
	for _, at := range rounded {
		if value, there := exact[at]; there {
			got[at] = value
		}
	}
	if len(rounded) > 0 {
		fmt.Printf("%s: %d scores differ by Brightway's rounding to single precision, or more; they are compared without it\n", path, len(rounded))
	}
	return got, err
}

func unpack(archive, folder string) error {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, f := range r.File {
		path := filepath.Join(folder, filepath.FromSlash(f.Name))
		if !strings.HasPrefix(path, folder+string(filepath.Separator)) {
			return fmt.Errorf("%s holds a file outside of it: %s", archive, f.Name)
		}
		if err := writeFile(path, f); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, f *zip.File) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
