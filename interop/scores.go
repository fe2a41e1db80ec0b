package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A place is where a score stands: its process and its indicator.
type place struct{ process, indicator string }

type scores map[place]float64

// cradleScores reads the calculated rows of a bundle.
func cradleScores(bundle string) (scores, error) {
	ids := map[[3]string]string{}
	err := eachRow(filepath.Join(bundle, "indicators.csv"), func(r row) error {
		ids[[3]string{r["method_id"], r["category"], r["name"]}] = r["id"]
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := scores{}
	return all, eachRow(filepath.Join(bundle, "impacts.csv"), func(r row) error {
		if r["calculated"] != "true" || r["deleted"] == "true" {
			return nil
		}
		at := place{r["process_id"], ids[[3]string{r["method_id"], r["impact_category"], r["indicator"]}]}
		return all.add(at, r["value"])
	})
}

// foreignScores reads a table of process, indicator and value.
func foreignScores(path string) (scores, error) {
	all := scores{}
	return all, eachRow(path, func(r row) error { return all.add(place{r["process"], r["indicator"]}, r["value"]) })
}

func (s scores) add(at place, text string) error {
	value, err := strconv.ParseFloat(text, 64)
	s[at] = value
	return err
}

// row is a line of a table by its headings.
type row map[string]string

func eachRow(path string, do func(row) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) == 0 {
		return err
	}
	for _, line := range lines[1:] {
		r := row{}
		for i, heading := range lines[0] {
			r[heading] = line[i]
		}
		if err := do(r); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// equal reports whether two scores are equal: to a millionth, and near zero to
// 1e-12.
func equal(a, b float64) bool {
	return math.Abs(a-b) <= max(1e-6*max(math.Abs(a), math.Abs(b)), 1e-12)
}

// differing lists where a program's score differs from Cradle's or is missing.
func differing(want, got scores) []place {
	var all []place
	for at, value := range want {
		if other, ok := got[at]; !ok || !equal(value, other) {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, func(a, b place) int {
		return strings.Compare(a.process+a.indicator, b.process+b.indicator)
	})
	return all
}

// examples is how many differences are shown.
const examples = 10

var errDiffer = errors.New("scores differ")

// compare prints how many of Cradle's scores a program reproduces.
func compare(what string, want, got scores) error {
	wrong := differing(want, got)
	fmt.Printf("%s: %d scores, %d equal\n", what, len(want), len(want)-len(wrong))
	for _, at := range wrong[:min(len(wrong), examples)] {
		fmt.Printf("  process %s, indicator %s: %v, Cradle has %v\n", at.process, at.indicator, found(got, at), want[at])
	}
	switch {
	case len(want) == 0:
		return errors.New("there is nothing to compare in " + what)
	case len(wrong) > 0:
		return errDiffer
	}
	return nil
}

func found(in scores, at place) any {
	if value, ok := in[at]; ok {
		return value
	}
	return "nothing"
}
