package test

import (
	"archive/zip"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// smallLibrary has no deleted rows, so that counts are simple.
func smallLibrary() library {
	return library{
		materials: []material{{ID: steel, Name: "Steel"}, {ID: copper, Name: "Copper"}},
		properties: []property{
			{ID: density, Material: steel, Name: "Density", Value: "7850", Unit: "kg/m3"},
			{Material: steel, Name: "Carbon content", Value: "0.1", Unit: "%"},
			{ID: conductivity, Material: copper, Name: "Conductivity", Value: "5.96e7", Unit: "S/m"},
		},
		materialImpacts: []materialImpact{{Property: density, Method: ipcc, Indicator: "GWP100", Value: "2", Unit: "kg"}},
		methods:         []method{{ID: ipcc, Name: "IPCC", Version: "2021"}, {Name: "EF", Version: "3.1"}},
		indicators:      []indicator{{ID: uid("1d1d1d1d", 1), Method: ipcc, Category: "Climate change", Name: "GWP20", Unit: "kg CO2-eq"}},
		factors:         []factor{{Indicator: uid("1d1d1d1d", 1), Flow: co2, Value: "1"}},
		processes:       []process{{ID: rolling, Name: "Rolling", Source: "https://example.org/a;https://example.org/b"}, {Name: "Forging", ID: forging}},
		exchanges: []exchange{
			{Process: rolling, Direction: "output", Name: "Coil", Value: "1", Unit: "kg", Reference: "true"},
			{Process: rolling, Direction: "input", Material: steel, Name: "Slab", Value: "1.1", Unit: "kg"},
			{Process: rolling, Direction: "input", Flow: co2, Name: "Carbon dioxide", Value: "1.1", Unit: "kg", Type: "elementary", Mean: "1", Deviation: "0.1"},
			{Process: forging, Direction: "output", Flow: ingot, Name: "Ingot", Value: "1", Unit: "kg", Reference: "true", Provider: rolling},
		},
		impacts: []impact{{Process: rolling, Method: ipcc, Indicator: "GWP100", Value: "2", Unit: "kg CO2-eq"}},
	}
}

func (r importReport) counts() map[string]tally {
	return map[string]tally{"materials": r.Materials, "properties": r.Properties, "processes": r.Processes,
		"exchanges": r.Exchanges, "methods": r.Methods, "impacts": r.Impacts}
}

func added(materials, properties, processes, exchanges, methods, impacts int) map[string]tally {
	return map[string]tally{"materials": {Added: materials}, "properties": {Added: properties}, "processes": {Added: processes},
		"exchanges": {Added: exchanges}, "methods": {Added: methods}, "impacts": {Added: impacts}}
}

func checkCounts(t *testing.T, got importReport, want map[string]tally) {
	t.Helper()
	if !maps.Equal(got.counts(), want) {
		t.Errorf("the import says %+v, want %+v", got.counts(), want)
	}
}

func TestImport(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		all := added(2, 3, 2, 4, 2, 1)
		t.Run("a dry run changes nothing and says what would happen", func(t *testing.T) {
			for range 2 {
				checkCounts(t, in.load(t, smallLibrary(), "--dry-run"), all)
			}
		})
		t.Run("the first time everything is new", func(t *testing.T) {
			got := in.load(t, smallLibrary())
			checkCounts(t, got, all)
			if len(got.Warnings) != 0 {
				t.Errorf("warnings: %+v", got.Warnings)
			}
		})
		before := exported(t, in)
		t.Run("the second time nothing is", func(t *testing.T) {
			want := map[string]tally{}
			for kind, n := range all {
				want[kind] = tally{Unchanged: n.Added}
			}
			for _, flags := range [][]string{nil, {"--prune"}, {"--dry-run"}} {
				checkCounts(t, in.load(t, smallLibrary(), flags...), want)
			}
			if !maps.Equal(exported(t, in), before) {
				t.Error("the catalogue changed")
			}
		})
		t.Run("one change", func(t *testing.T) {
			l := smallLibrary()
			l.properties[0].Value = "7851"
			l.materials[1].Name = "Copper wire"
			want := map[string]tally{"materials": {Changed: 1, Unchanged: 1}, "properties": {Changed: 1, Unchanged: 2}, "processes": {Unchanged: 2},
				"exchanges": {Unchanged: 4}, "methods": {Unchanged: 2}, "impacts": {Unchanged: 1}}
			checkCounts(t, in.load(t, l, "--dry-run"), want)
			checkCounts(t, in.load(t, l), want)
			in.load(t, smallLibrary())
		})
		t.Run("a zip", func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "library.zip")
			writeZip(t, path, smallLibrary().files())
			if got := command[importReport](t, in, "import", path); got.Materials != (tally{Unchanged: 2}) {
				t.Errorf("got %+v", got)
			}
		})
		t.Run("several at once", func(t *testing.T) {
			a, b := library{materials: []material{{Name: "One"}}}, library{materials: []material{{Name: "Two"}}}
			if got := command[importReport](t, in, "import", a.write(t), b.write(t), "--dry-run"); got.Materials != (tally{Added: 2}) {
				t.Errorf("got %+v", got.Materials)
			}
		})
		t.Run("columns in any order, unknown ones with a warning", func(t *testing.T) {
			files := map[string]string{"materials.csv": "colour,name,id\nred,Steel," + steel + "\nblue,Copper," + copper + "\n"}
			got := command[importReport](t, in, "import", writeFiles(t, files), "--dry-run")
			if got.Materials != (tally{Unchanged: 2}) {
				t.Errorf("got %+v", got.Materials)
			}
			if len(got.Warnings) != 1 || got.Warnings[0].File != "materials.csv" || !strings.Contains(got.Warnings[0].Message, "colour") {
				t.Errorf("warnings: %+v", got.Warnings)
			}
		})
		t.Run("as spreadsheets write it", func(t *testing.T) {
			files := map[string]string{"materials.csv": "\ufeffid,name\r\n" + steel + ",\"Steel\"\r\n" + copper + ",Copper"}
			if got := command[importReport](t, in, "import", writeFiles(t, files)); got.Materials != (tally{Unchanged: 2}) {
				t.Errorf("got %+v", got.Materials)
			}
		})
		t.Run("truth values as spreadsheets write them", func(t *testing.T) {
			l := smallLibrary()
			l.materials[0].Deleted, l.exchanges[0].Reference, l.exchanges[1].Reference, l.exchanges[3].Reference = "FALSE", "TRUE", "False", "True"
			got := in.load(t, l)
			if got.Materials != (tally{Unchanged: 2}) || got.Exchanges != (tally{Unchanged: 4}) {
				t.Errorf("got %+v", got)
			}
		})
		t.Run("errors", func(t *testing.T) { checkImportErrors(t, in) })
		t.Run("arguments", func(t *testing.T) { checkImportArguments(t, in) })
		if !maps.Equal(exported(t, in), before) {
			t.Error("a refused import or a dry run changed the catalogue")
		}
	})
}

func writeZip(t testing.TB, path string, files map[string]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entry, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// Each is one error in an otherwise valid bundle; want is file, line, column.
func checkImportErrors(t *testing.T, in *installation) {
	ofProperty := func(change func(p *property)) func(l *library) {
		return func(l *library) { change(&l.properties[1]) }
	}
	for _, test := range []struct {
		name   string
		change func(l *library)
		want   [3]string
	}{
		{"no name", func(l *library) { l.materials[1].Name = "" }, [3]string{"materials.csv", "3", "name"}},
		{"no UUID", func(l *library) { l.materials[0].ID = "steel" }, [3]string{"materials.csv", "2", "id"}},
		{"an id twice", func(l *library) { l.materials[1].ID = steel }, [3]string{"materials.csv", "3", "id"}},
		{"no boolean", func(l *library) { l.materials[1].Deleted = "yes" }, [3]string{"materials.csv", "3", "deleted"}},
		{"no date", func(l *library) { l.materials[1].Date = "2023-02-29" }, [3]string{"materials.csv", "3", "date_published"}},
		{"a date otherwise written", func(l *library) { l.materials[1].Date = "1.2.2023" }, [3]string{"materials.csv", "3", "date_published"}},
		{"no value", ofProperty(func(p *property) { p.Value = "" }), [3]string{"properties.csv", "3", "value"}},
		{"a decimal comma", ofProperty(func(p *property) { p.Value = "1,5" }), [3]string{"properties.csv", "3", "value"}},
		{"not a number", ofProperty(func(p *property) { p.Value = "NaN" }), [3]string{"properties.csv", "3", "value"}},
		{"infinite", ofProperty(func(p *property) { p.Value = "-Inf" }), [3]string{"properties.csv", "3", "value"}},
		{"too large a number", ofProperty(func(p *property) { p.Value = "1e999" }), [3]string{"properties.csv", "3", "value"}},
		{"a mean that is none", ofProperty(func(p *property) { p.Mean = "about 3" }), [3]string{"properties.csv", "3", "mean"}},
		{"a price below 0", ofProperty(func(p *property) { p.Price = "-1" }), [3]string{"properties.csv", "3", "price"}},
		{"a price too high", ofProperty(func(p *property) { p.Price = "1000001" }), [3]string{"properties.csv", "3", "price"}},
		{"half a credit", ofProperty(func(p *property) { p.Price = "0.5" }), [3]string{"properties.csv", "3", "price"}},
		{"a material that is not there", ofProperty(func(p *property) { p.Material = unknown }), [3]string{"properties.csv", "3", "material_id"}},
		{"a method that is not there", func(l *library) { l.impacts[0].Method = unknown }, [3]string{"impacts.csv", "2", "method_id"}},
		{"a process that is not there", func(l *library) { l.impacts[0].Process = unknown }, [3]string{"impacts.csv", "2", "process_id"}},
		{"a boundary that is none", func(l *library) { l.processes[0].Boundary = "Cradle to gate" }, [3]string{"processes.csv", "2", "boundary"}},
		{"a direction that is none", func(l *library) { l.exchanges[1].Direction = "sideways" }, [3]string{"exchanges.csv", "3", "direction"}},
		{"a type that is none", func(l *library) { l.exchanges[1].Type = "energy" }, [3]string{"exchanges.csv", "3", "type"}},
		{"an unlinked exchange", func(l *library) { l.exchanges[1].Material = unknown }, [3]string{"exchanges.csv", "3", "material_id"}},
		{"no reference product", func(l *library) { l.exchanges[3].Reference = "" }, [3]string{"exchanges.csv", "5", "reference"}},
		{"no exchange at all", func(l *library) { l.processes = append(l.processes, process{ID: unknown, Name: "Idle"}) }, [3]string{"processes.csv", "4", ""}},
		{"a property of a material impact", func(l *library) { l.materialImpacts[0].Property = unknown }, [3]string{"material_impacts.csv", "2", "property_id"}},
		{"a method of an indicator", func(l *library) { l.indicators[0].Method = unknown }, [3]string{"indicators.csv", "2", "method_id"}},
		{"an indicator of a factor", func(l *library) { l.factors[0].Indicator = unknown }, [3]string{"factors.csv", "2", "indicator_id"}},
		{"text that is not UTF-8", func(l *library) { l.materials[1].Name = "K\xfcpfer" }, [3]string{"materials.csv", "3", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := smallLibrary()
			test.change(&l)
			checkPlace(t, in.refused(t, "import", l.write(t)), test.want)
		})
	}
	for _, test := range []struct {
		name, file, content string
		want                [3]string
	}{
		{"a required column is missing", "materials.csv", "id\n" + steel + "\n", [3]string{"materials.csv", "1", "name"}},
		{"a column twice", "materials.csv", "id,name,name\n" + steel + ",a,b\n", [3]string{"materials.csv", "1", "name"}},
		{"a cell too many", "materials.csv", "id,name\n" + steel + ",Steel\n" + copper + ",Copper,red\n", [3]string{"materials.csv", "3", ""}},
		{"a quote that does not end", "materials.csv", "id,name\n" + steel + ",\"Steel\n", [3]string{"materials.csv", "", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := smallLibrary().files()
			files[test.file] = test.content
			checkPlace(t, in.refused(t, "import", writeFiles(t, files)), test.want)
		})
	}
	t.Run("every error is listed, by a dry run too", func(t *testing.T) {
		l := smallLibrary()
		l.materials[0].Name, l.properties[2].Value, l.impacts[0].Unit = "", "much", ""
		for _, said := range []string{in.refused(t, "import", l.write(t)), in.refused(t, "import", l.write(t), "--dry-run")} {
			for _, want := range [][3]string{{"materials.csv", "2", "name"}, {"properties.csv", "4", "value"}, {"impacts.csv", "2", "unit"}} {
				checkPlace(t, said, want)
			}
		}
	})
	t.Run("the first fifty, and how many more", func(t *testing.T) {
		var l library
		for i := range 73 {
			l.materials = append(l.materials, material{ID: uid("99999999", i), Name: "x", Date: "soon"})
		}
		said := in.refused(t, "import", l.write(t))
		if n := strings.Count(said, "date_published"); n != 50 {
			t.Errorf("%d errors are listed, want 50", n)
		}
		if !regexp.MustCompile(`\b23\b`).MatchString(said) {
			t.Errorf("it is not said that 23 more were found:\n%s", said)
		}
	})
}

// checkPlace looks for a line that names file, line and column in this order.
func checkPlace(t *testing.T, said string, want [3]string) {
	t.Helper()
	pattern := regexp.QuoteMeta(want[0])
	for _, part := range want[1:] {
		if part != "" {
			pattern += `.*\b` + regexp.QuoteMeta(part) + `\b`
		}
	}
	if !regexp.MustCompile(pattern).MatchString(said) {
		t.Errorf("no error at %v:\n%s", want, said)
	}
}

func checkImportArguments(t *testing.T, in *installation) {
	in.refused(t, "import", filepath.Join(t.TempDir(), "nothing"))
	in.refused(t, "import", t.TempDir())
	in.refused(t, "import", smallLibrary().write(t), "--visible-to", unknown)
	for _, args := range [][]string{{"import"}, {"import", "x", "--nonsense"}, {"nonsense"}, {"credits", "grant"}} {
		if got := in.run(t, args...); got.status != 2 || got.stdout != "" || got.stderr == "" {
			t.Errorf("cradle %s: %+v", strings.Join(args, " "), got)
		}
	}
}

// An import while the server runs is visible to the next request.
func TestImportIsSeenAtOnce(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, smallLibrary())
		c := s.as(t, s.home)
		s.grant(t, c.team, 100)
		product := column(c.get("/public/processes?search=rolling").items(), "referenceProductId")[0]

		t.Run("a derived id can be pulled and stays the same", func(t *testing.T) {
			c := c.in(t)
			pullProcess(c, rolling, 1, product).says(obj{"processId": rolling, "pulledReferenceProductIds": ids(product), "revealedCount": 1.0})
			s.load(t, smallLibrary())
			if again := column(c.get("/public/processes?search=rolling").items(), "referenceProductId")[0]; again != product {
				t.Errorf("it was %s and is %s", product, again)
			}
		})
		t.Run("a changed value is shown to who has pulled it", func(t *testing.T) {
			c := c.in(t)
			pullProperties(c, steel, 1, density).is(200)
			l := smallLibrary()
			l.properties[0].Value, l.materials[0].Name = "7851", "Steel, better"
			s.load(t, l)
			got := c.get("/public/materials/" + steel + "/properties/" + density).is(200).object()
			if got["value"] != 7851.0 {
				t.Errorf("got %v", got)
			}
			if got := c.get("/public/materials?search=better").items(); len(got) != 1 {
				t.Errorf("the new name finds %d", len(got))
			}
			s.load(t, smallLibrary())
		})
		t.Run("prune deletes what the bundle does not hold", func(t *testing.T) {
			c := c.in(t)
			l := smallLibrary()
			l.materials, l.properties, l.materialImpacts = l.materials[1:], l.properties[2:], nil
			l.exchanges[1].Material = ""
			l.processes, l.exchanges = l.processes[:1], l.exchanges[:3]
			before := exported(t, s.installation)
			if got := s.load(t, l, "--prune", "--dry-run"); got.Materials.Deleted != 1 || !maps.Equal(exported(t, s.installation), before) {
				t.Errorf("dry run: %+v", got)
			}
			got := s.load(t, l, "--prune")
			if got.Materials.Deleted != 1 || got.Processes.Deleted != 1 {
				t.Errorf("got %+v", got)
			}
			c.get("/public/materials/" + steel).refuses(404)
			c.get("/public/materials/" + steel + "/properties/" + density).refuses(404)
			pullDatapoints(c, steel).refuses(404)
			c.get("/public/processes/" + forging).refuses(404)
			if names := column(c.get("/public/materials").items(), "name"); !slices.Equal(names, []string{"Copper"}) {
				t.Errorf("left: %q", names)
			}
			if got := s.load(t, l, "--prune"); got.Materials.Deleted != 0 || got.Processes.Deleted != 0 {
				t.Errorf("again: %+v", got)
			}
		})
		t.Run("what comes back is still the team's", func(t *testing.T) {
			c := c.in(t)
			s.load(t, smallLibrary())
			if got := c.get("/public/materials/" + steel + "/properties/" + density).is(200).object(); got["revealed"] != true || got["value"] != 7850.0 {
				t.Errorf("got %v", got)
			}
			pullProperties(c, steel, 1, density).says(obj{"materialId": steel, "pulledPropertyIds": ids(density), "creditsDebited": 0.0})
		})
		t.Run("visibility", func(t *testing.T) { checkImportVisibility(t, s) })
	})
}

func checkImportVisibility(t *testing.T, s *service) {
	in, out := s.as(t, s.home), s.buyer(t, 0)
	l := library{materials: []material{{ID: alloy, Name: "Alloy"}}}
	seen := func(name string, inside, outside int) {
		t.Helper()
		for c, status := range map[*client]int{in: inside, out: outside} {
			if got := c.get("/public/materials/" + alloy); got.status != status {
				t.Errorf("%s: answered %d, want %d", name, got.status, status)
			}
		}
	}
	s.load(t, l, "--visible-to", s.home)
	seen("restricted", 200, 404)
	s.load(t, l)
	seen("imported again", 200, 404)
	checkRestrictedFlow(t, s, in, out)
	s.load(t, l, "--visible-to", s.home, "--visible-to", out.team)
	seen("for two teams", 200, 200)
	s.load(t, l, "--visible-to", out.team)
	seen("for the other", 404, 200)
	s.load(t, l, "--public")
	seen("public", 200, 200)
	s.load(t, l)
	seen("imported again", 200, 200)
}

// An input that is a restricted material without its own flow id does not reveal
// the material's id.
func checkRestrictedFlow(t *testing.T, s *service, in, out *client) {
	t.Helper()
	s.load(t, library{
		processes: []process{{ID: mixing, Name: "Mixing", Price: "0"}},
		exchanges: []exchange{
			{Process: mixing, Direction: "output", Flow: mixture, Name: "Mixture", Value: "1", Unit: "kg", Reference: "true"},
			{Process: mixing, Direction: "input", Material: alloy, Name: "Additive", Value: "0.1", Unit: "kg"},
		},
	})
	for c, same := range map[*client]bool{in: true, out: false} {
		pullProcess(c, mixing, 1, mixture).is(200)
		input := c.get("/public/processes/" + mixing).is(200).object()["inputs"].(list)[0].(obj)
		if id := input["referenceId"]; id == alloy != same || id == "" {
			t.Errorf("the input's referenceId is %v; the material %s is visible: %v", id, alloy, same)
		}
	}
}
