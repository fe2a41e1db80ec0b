package test

import (
	"encoding/csv"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The formats for Brightway have no allocation. The exports still give the same
// scores, under the same ids.
func TestExportsForBrightwayKeepTheScores(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		in.load(t, refineryBundle(true).plus(climate()))
		want := scoresOf(t, exported(t, in)["impacts.csv"])
		spold, workbook := filepath.Join(t.TempDir(), "spold.zip"), filepath.Join(t.TempDir(), "brightway.xlsx")
		command[obj](t, in, "export", spold, "--format", "ecospold2")
		command[obj](t, in, "export", workbook, "--format", "xlsx")
		methods := map[string]string{}
		for name, content := range unzip(t, spold) {
			if strings.HasPrefix(name, "LCIA/") {
				methods[name] = content
			}
		}
		for name, paths := range map[string][]string{"EcoSpold 2": {spold}, "the workbook with the methods of EcoSpold 2": {folder(t, methods), workbook}} {
			t.Run(name, func(t *testing.T) {
				other := install(t, e)
				for _, path := range paths {
					command[importReport](t, other, "import", path)
				}
				got := scoresOf(t, exported(t, other)["impacts.csv"])
				for key, w := range want {
					if g, there := got[key]; !there || math.Abs(g-w) > max(1e-12, 1e-6*math.Abs(w)) {
						t.Fatalf("%s is %v (there: %v), want %v", key, g, there, w)
					}
				}
				other.check(t)
			})
		}
	})
}

// scoresOf are the values of impact rows by what they are of.
func scoresOf(t testing.TB, table string) map[string]float64 {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	all := map[string]float64{}
	for _, row := range rows[1:] {
		key := ""
		for _, column := range []string{"process_id", "method_id", "impact_category", "indicator"} {
			key += row[slices.Index(rows[0], column)] + " "
		}
		all[key] = number(row[slices.Index(rows[0], "value")], true).(float64)
	}
	return all
}
