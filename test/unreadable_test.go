package test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// broken is the textbook's system with a stray file, a flow and a process that
// cannot be read.
func broken() map[string]string {
	files := jsonld(2)
	files["flows/markdown.md"] = "# Flows\n\nWhat they are."
	files["flows/.DS_Store"], files["__MACOSX/flows/._b.json"] = "x", "x"
	files["flows/f.json"] = "{\"@type\": \"Flow\",\n\"@id\": "
	files["processes/g.json"] = `{"@type": "Process", "@id": "` + uid("99999999", 1) + `", "name": "Mine", "exchanges": [
		{"flow": {"@id": "` + uid("dddddddd", 1) + `"}, "unit": {"name": "l"}, "amount": 100, "isQuantitativeReference": true},
		{"flow": {"@id": "` + uid("eeeeeeee", 1) + `"}, "unit": {"name": "kg"}, "amount": "a lot"}]}`
	return files
}

// Unreadable records are left out and listed, also in a dry run, and the rest is
// imported.
func TestUnreadableRecords(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		empty := exported(t, in)
		path := folder(t, broken())
		said := in.refused(t, "import", path, "--strict")
		for _, want := range [][3]string{{"flows/markdown.md"}, {"flows/f.json", "2"}, {"processes/g.json", "3", "amount"}} {
			checkPlace(t, said, want)
		}
		checkUnread(t, command[importReport](t, in, "import", path, "--dry-run"))
		if !maps.Equal(exported(t, in), empty) {
			t.Error("a refused import or a dry run changed the catalogue")
		}
		checkUnread(t, command[importReport](t, in, "import", path))
		got := exported(t, in)
		if scores := values(t, got["impacts.csv"]); !slices.Equal(scores, []string{"1.2", "10"}) || strings.Contains(got["processes.csv"], "Mine") {
			t.Errorf("the scores are %v, the processes %s", scores, got["processes.csv"])
		}
		in.check(t)
		if again := command[importReport](t, in, "import", path); again.Processes.Unchanged != 2 {
			t.Errorf("importing again says %+v", again)
		}
		if said := in.refused(t, "import", path, "--strict"); !strings.Contains(said, "nothing was imported: 3 errors") {
			t.Errorf("after an import that was not strict: %s", said)
		}
	})
}

func checkUnread(t *testing.T, r importReport) {
	t.Helper()
	if r.Processes.Added != 2 || r.Account["processes"].Skipped != 1 || r.Account["flows"].Skipped != 1 || r.Account["files"].Skipped != 1 {
		t.Errorf("the import says %+v", r)
	}
	var named []string
	for _, w := range r.Warnings {
		if w.Class == "unreadable" && w.Message != "" {
			named = append(named, strings.TrimSpace(w.File+":"+itoa(w.Line)+" "+w.Record))
		}
	}
	slices.Sort(named)
	if !slices.ContainsFunc(r.Warnings, func(w warning) bool {
		return w.Class == "dropped" && strings.Contains(w.Message, "2 such files and folders")
	}) {
		t.Errorf("what systems leave behind is not named: %+v", r.Warnings)
	}
	if want := []string{"flows/f.json:2", "flows/markdown.md:0", "processes/g.json:3 Mine"}; !slices.Equal(named, want) {
		t.Errorf("named are %q, want %q", named, want)
	}
}

// A library without anything readable, or damaged as a whole, is refused.
func TestNothingReadable(t *testing.T) {
	in := install(t, engines[0])
	checkPlace(t, in.refused(t, "import", folder(t, map[string]string{
		"processes/a.json": `{"@type": "Process", "@id": "` + uid("aaaaaaaa", 1) + `", "name": ""}`,
	})), [3]string{"processes/a.json"})
	checkPlace(t, in.refused(t, "import", folder(t, map[string]string{
		"all.xml": `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold01">` + spold1("1", "Electricity", "kWh", "10", "", "1")[:300],
	})), [3]string{"all.xml"})
	path := filepath.Join(t.TempDir(), "library.zip")
	writeZip(t, path, broken())
	if err := os.Truncate(path, 500); err != nil {
		t.Fatal(err)
	}
	if said := in.refused(t, "import", path); !strings.Contains(said, "damaged zip") {
		t.Error(said)
	}
}

// A bundle is all or nothing, strict or not.
func TestBundlesAreStrict(t *testing.T) {
	in := install(t, engines[0])
	l := smallLibrary()
	l.materials[1].Name = ""
	checkPlace(t, in.refused(t, "import", l.write(t)), [3]string{"materials.csv", "3", "name"})
	if got := in.load(t, smallLibrary(), "--strict"); got.Materials.Added != 2 {
		t.Errorf("a sound library: %+v", got)
	}
}
