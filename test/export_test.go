package test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exported are the files of an export by name.
func exported(t testing.TB, in *installation, flags ...string) map[string]string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "export")
	command[obj](t, in, append([]string{"export", folder}, flags...)...)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(content)
	}
	return files
}

func TestExport(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary().plus(smallIndicators()))
		c := s.buyer(t, 100)
		first := exported(t, s.installation)

		t.Run("imports again to the same catalogue", func(t *testing.T) {
			twin := install(t, e)
			command[importReport](t, twin, "import", writeFiles(t, first))
			if second := exported(t, twin); !maps.Equal(first, second) {
				for name := range first {
					if first[name] != second[name] {
						t.Errorf("%s differs:\n%s\n%s", name, first[name], second[name])
					}
				}
			}
			report := command[importReport](t, s.installation, "import", writeFiles(t, first))
			for kind, n := range report.counts() {
				if n.Added+n.Changed+n.Deleted > 0 {
					t.Errorf("importing the export changes %s: %+v", kind, n)
				}
			}
		})
		t.Run("as a zip with the same files and always the same bytes", func(t *testing.T) {
			a, b := filepath.Join(t.TempDir(), "a.zip"), filepath.Join(t.TempDir(), "b.zip")
			command[obj](t, s.installation, "export", a)
			command[obj](t, s.installation, "export", b)
			if !bytes.Equal(readFile(t, a), readFile(t, b)) {
				t.Error("two exports differ")
			}
			if files := unzip(t, a); !maps.Equal(files, first) {
				t.Errorf("the zip holds %v, the folder %v", files, first)
			}
		})
		t.Run("holds every value", func(t *testing.T) {
			got := cells(t, first["properties.csv"], "id", "value")
			for _, p := range publicLibrary().properties {
				if p.Deleted != "true" && number(got[p.ID], true) != number(p.Value, true) {
					t.Errorf("the value %s became %q", p.Value, got[p.ID])
				}
			}
		})
		t.Run("of a team holds what was revealed to it live", func(t *testing.T) {
			c := c.in(t)
			pullProperties(c, steel, 1, density).is(200)
			pullProperties(c.withKey(s.test), steel, 1, carbon).is(200)
			pullProcess(c, refinery, 1, diesel).is(200)
			pullImpacts(c, rolling, 1, ef31).is(200)
			files := exported(t, s.installation, "--team", c.team)
			checkIDs(t, files, "properties.csv", density)
			checkIDs(t, files, "material_impacts.csv", uid("adadadad", 1), uid("adadadad", 2))
			checkIDs(t, files, "impacts.csv", acidRolling)
			v := view{library: publicLibrary(), owned: map[string]bool{pair(refinery, diesel): true}}
			var rows []string
			for _, e := range v.exchanges {
				if v.exchangeRevealed(e) {
					rows = append(rows, e.ID)
				}
			}
			checkIDs(t, files, "exchanges.csv", rows...)
		})
	})
}

func smallIndicators() library {
	l := smallLibrary()
	return library{indicators: l.indicators, factors: l.factors}
}

// checkIDs compares the ids of a file's rows, whatever their order.
func checkIDs(t *testing.T, files map[string]string, name string, want ...string) {
	t.Helper()
	got := slices.Sorted(maps.Keys(cells(t, files[name], "id", "id")))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s holds %v, want %v", name, got, want)
	}
}

// cells maps one column of a CSV file to another.
func cells(t testing.TB, content, key, value string) map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	if len(rows) == 0 {
		return found
	}
	k, v := slices.Index(rows[0], key), slices.Index(rows[0], value)
	for _, row := range rows[1:] {
		found[row[k]] = row[v]
	}
	return found
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func unzip(t testing.TB, path string) map[string]string {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files := map[string]string{}
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(all)
	}
	return files
}

// An export for openLCA gives Cradle the same scores again, and the command
// reports what is not in it.
func TestExportForOpenLCA(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		refining := uid("c1c1c1c1", 6)
		l := heijungsLibrary()
		l.processes = append(l.processes, process{ID: refining, Name: "Refining"})
		l.exchanges = append(l.exchanges,
			exchange{Process: refining, Direction: "output", Flow: petrol, Name: "Petrol", Value: "1", Unit: "kg", Reference: "true"},
			exchange{Process: refining, Direction: "output", Flow: diesel, Name: "Diesel", Value: "3", Unit: "kg", Reference: "true"},
			exchange{Process: refining, Direction: "input", Flow: power, Name: "Electricity", Value: "36", Unit: "MJ"},
			exchange{Process: refining, Direction: "input", Flow: steel, Name: "Steel", Value: "1", Unit: "kg"})
		first := install(t, e)
		command[importReport](t, first, "import", l.write(t))
		pack := filepath.Join(t.TempDir(), "openlca.zip")
		done := command[struct {
			Exchanges int
			LeftOut   []struct{ ProcessID, Process, ExchangeID, Exchange, Reason string }
		}](t, first, "export", pack, "--format", "jsonld")
		if len(done.LeftOut) != 1 || done.LeftOut[0].ProcessID != refining || done.LeftOut[0].Exchange != "Steel" || done.LeftOut[0].Reason != "cut_off" {
			t.Errorf("left out %+v", done.LeftOut)
		}
		if done.Exchanges != len(l.exchanges)-1 {
			t.Errorf("%d exchanges were written", done.Exchanges)
		}
		second := install(t, e)
		command[importReport](t, second, "import", pack)
		want, got := impacts(t, first), impacts(t, second)
		if len(want) != 12 || !maps.Equal(want, got) {
			t.Errorf("%v\nbecame\n%v", want, got)
		}
	})
}

// impacts are an installation's impact rows by process and indicator.
func impacts(t testing.TB, in *installation) map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(exported(t, in)["impacts.csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, row := range rows[1:] {
		all[row[1]+" "+row[4]] = row[5]
	}
	return all
}
