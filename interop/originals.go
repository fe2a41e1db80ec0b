package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// openLCAOriginals lets openLCA calculate the files that a library was imported
// from. Cradle has rules where openLCA has none; every difference must be
// explained by one of them.
func openLCAOriginals(exports []export) error {
	var failed error
	for _, e := range exports {
		if len(e.original) == 0 {
			continue
		}
		if err := e.compareOriginal(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("the original of %s: %w", e.name, err))
		}
	}
	return failed
}

func (e export) compareOriginal() error {
	arguments := []string{"--by-flow"}
	if e.bare {
		arguments = append(arguments, e.path("units"))
		if err := copyUnits(e.path("units")); err != nil {
			return err
		}
	}
	methods := e.path("methods.zip")
	if err := part(e.path("openlca.zip"), methods, "unit_groups", "flow_properties", "flows", "lcia_methods", "lcia_categories"); err != nil {
		return err
	}
	arguments = append(append(arguments, e.original...), methods)
	got, err := engineScores(e.path("original"), arguments...)
	if err != nil {
		return err
	}
	want, err := cradleScores(e.path("bundle"))
	if err != nil {
		return err
	}
	facts, err := readFacts(e.path("original/facts.csv"))
	if err != nil {
		return err
	}
	return explain("openLCA, the original of "+e.name, want, got, facts)
}

// copyUnits copies the units of openLCA's reference data, which packs without
// units rely on.
func copyUnits(to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"units.csv", "unit_groups.csv", "flow_properties.csv"} {
		content, err := os.ReadFile(shared(filepath.Join("lcia/olca-refdata", name)))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// part copies some folders of a pack.
func part(from, to string, folders ...string) error {
	in, err := zip.OpenReader(from)
	if err != nil {
		return err
	}
	defer in.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	out := zip.NewWriter(f)
	for _, file := range in.File {
		folder, _, inside := strings.Cut(file.Name, "/")
		if inside && !slices.Contains(folders, folder) || strings.HasSuffix(file.Name, "/") {
			continue
		}
		if err := out.Copy(file); err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), f.Close())
}

// facts are what openLCA has no rule for, by process, and the suppliers of
// processes.
type facts struct {
	of    map[string]map[string]bool
	takes map[string][]string
}

// causes are why scores may differ; the first that applies counts.
var causes = []struct{ fact, text string }{
	{"no product", "the reference is no product or treated waste to openLCA, which calculates nothing"},
	{"no allocation", "several products and no factors to share by: openLCA charges all to each"},
	{"several makers", "several processes make an input: Cradle takes the one of the region or the market"},
}

func readFacts(path string) (*facts, error) {
	all := &facts{of: map[string]map[string]bool{}, takes: map[string][]string{}}
	return all, eachRow(path, func(r row) error {
		if r["fact"] == "takes from" {
			all.takes[r["process"]] = append(all.takes[r["process"]], r["of"])
			return nil
		}
		if all.of[r["process"]] == nil {
			all.of[r["process"]] = map[string]bool{}
		}
		all.of[r["process"]][r["fact"]] = true
		return nil
	})
}

// cause is why the scores of a process differ: something about it or its
// suppliers; "" if unknown.
func (f *facts) cause(process string) string {
	met, seen := map[string]bool{}, map[string]bool{}
	for next := []string{process}; len(next) > 0; {
		one := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[one] {
			continue
		}
		seen[one] = true
		for fact := range f.of[one] {
			met[fact] = true
		}
		next = append(next, f.takes[one]...)
	}
	for _, c := range causes {
		if met[c.fact] && (c.fact != "no product" || f.of[process][c.fact]) {
			return c.text
		}
	}
	return ""
}

// explain prints how many scores are equal, and for each cause how many
// processes differ. A difference without a cause is a failure.
func explain(what string, want, got scores, f *facts) error {
	wrong := differing(want, got)
	processes := map[string]bool{}
	for _, at := range wrong {
		processes[at.process] = true
	}
	counts := map[string]int{}
	var unexplained []string
	for process := range processes {
		cause := f.cause(process)
		if counts[cause]++; cause == "" {
			unexplained = append(unexplained, process)
		}
	}
	fmt.Printf("%s: %d scores, %d equal, %d explained\n", what, len(want), len(want)-len(wrong), len(wrong)-unexplainedScores(wrong, unexplained))
	for _, c := range causes {
		if n := counts[c.text]; n > 0 {
			fmt.Printf("  %d processes: %s\n", n, c.text)
		}
	}
	switch {
	case len(want) == len(wrong):
		return errors.New("nothing is equal")
	case len(unexplained) > 0:
		slices.Sort(unexplained)
		return fmt.Errorf("%d processes differ without a known cause: %s", len(unexplained), strings.Join(unexplained[:min(len(unexplained), examples)], ", "))
	}
	return nil
}

func unexplainedScores(wrong []place, processes []string) int {
	n := 0
	for _, at := range wrong {
		if slices.Contains(processes, at.process) {
			n++
		}
	}
	return n
}
