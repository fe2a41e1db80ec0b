package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var exportFormats = []string{"bundle", "jsonld", "ecospold2", "csv", "xlsx"}

// download asks for the team's own data and returns the files in the answer.
func download(t *testing.T, c *client, format string) map[string]string {
	t.Helper()
	got := c.get("/public/export?format=" + format).is(200)
	want := "application/zip"
	if format == "xlsx" {
		want = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	if kind := got.header.Get("Content-Type"); kind != want {
		t.Errorf("%s is %s", format, kind)
	}
	path := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(path, got.body, 0o600); err != nil {
		t.Fatal(err)
	}
	return unzip(t, path)
}

// A team gets what it pulled, in the mode of its key, in every format, and
// nothing else.
func TestExportOfOwnData(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary().plus(smallIndicators()))
		c := s.buyer(t, 100).in(t)
		if files := download(t, c, "bundle"); len(cells(t, files["properties.csv"], "id", "id")) > 0 {
			t.Errorf("before anything was pulled: %v", files)
		}
		pullProperties(c, steel, 1, density).is(200)
		pullProcess(c, refinery, 1, diesel).is(200)
		pullImpacts(c, rolling, 1, ef31).is(200)
		sandbox := c.withKey(s.test)
		pullProperties(sandbox, steel, 1, carbon).is(200)

		live := download(t, c, "bundle")
		checkIDs(t, live, "properties.csv", density)
		checkIDs(t, live, "impacts.csv", acidRolling)
		checkIDs(t, download(t, sandbox, "bundle"), "properties.csv", carbon)

		hidden := map[string]bool{}
		for _, p := range publicLibrary().properties {
			if p.ID != density {
				hidden[p.ID] = true
			}
		}
		for _, format := range []string{"jsonld", "ecospold2", "csv"} {
			files := download(t, c, format)
			all := ""
			for _, content := range files {
				all += content
			}
			if !strings.Contains(all, diesel) || !strings.Contains(all, refinery) {
				t.Errorf("%s lacks what was pulled", format)
			}
			for id := range hidden {
				if strings.Contains(all, id) {
					t.Errorf("%s has the property %s, which was not pulled", format, id)
				}
			}
			for _, x := range publicLibrary().exchanges {
				if strings.Contains(all, x.ID) != (strings.Contains(live["exchanges.csv"], x.ID)) {
					t.Errorf("%s and the bundle disagree on the exchange %s", format, x.ID)
				}
			}
		}
		if book := download(t, c, "xlsx"); len(book) == 0 {
			t.Error("a workbook is empty")
		}

		t.Run("the same again is not sent", func(t *testing.T) {
			c := c.in(t)
			first := c.get("/public/export").is(200)
			c.get("/public/export", "If-None-Match", first.header.Get("ETag")).is(304)
			if name := first.header.Get("Content-Disposition"); !strings.Contains(name, "cradle-bundle.zip") {
				t.Errorf("it is called %q", name)
			}
			pullProperties(c, steel, 1, carbon).is(200)
			c.get("/public/export", "If-None-Match", first.header.Get("ETag")).is(200)
		})
		t.Run("refusals", func(t *testing.T) {
			c := c.in(t)
			c.get("/public/export?format=docx").is(400)
			c.get("/public/export?format=csv&format=xlsx").is(400)
			c.post("/public/export", "{}").is(405)
			c.withKey("").get("/public/export").is(401)
		})
		t.Run("the command writes the same", func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "own.zip")
			command[obj](t, s.installation, "export", path, "--format", "jsonld", "--team", c.team)
			files, want := unzip(t, path), download(t, c.in(t), "jsonld")
			if len(files) == 0 || len(files) != len(want) {
				t.Errorf("%d files, want %d", len(files), len(want))
			}
		})
	})
}
