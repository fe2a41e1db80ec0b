package test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// checkExport checks that a bundle has exactly the rows that a view shows.
func (v view) checkExport(t *testing.T, files map[string]string) {
	t.Helper()
	var materials, properties, materialImpacts, processes, exchanges, impacts []string
	for _, m := range v.materialsInOrder(true) {
		materials = append(materials, m.ID)
	}
	for _, p := range v.properties {
		if v.owned[p.ID] {
			properties = append(properties, p.ID)
		}
	}
	for _, i := range v.materialImpacts {
		if v.owned[i.Property] {
			materialImpacts = append(materialImpacts, i.ID)
		}
	}
	for _, p := range v.processesInOrder(true) {
		processes = append(processes, p.ID)
	}
	for _, x := range v.exchanges {
		if v.exchangeRevealed(x) {
			exchanges = append(exchanges, x.ID)
		}
	}
	for _, i := range v.impacts {
		if v.owned[pair(i.Method, i.Process)] {
			impacts = append(impacts, i.ID)
		}
	}
	checkIDs(t, files, "materials.csv", materials...)
	checkIDs(t, files, "properties.csv", properties...)
	checkIDs(t, files, "material_impacts.csv", materialImpacts...)
	checkIDs(t, files, "processes.csv", processes...)
	checkIDs(t, files, "exchanges.csv", exchanges...)
	checkIDs(t, files, "impacts.csv", impacts...)
}

// Two teams buy different things, each with a live and with a test key. Each of
// the four exports what it bought itself.
func TestExportsKeepTeamsAndModesApart(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary())
		a, b := s.buyer(t, 100), s.buyer(t, 100)
		buyers := []struct {
			*client
			material, property     string
			process, product       string
			calculated, calculator string
		}{
			{a, steel, density, rolling, coil, refinery, ipcc},
			{a.withKey(s.test), steel, carbon, refinery, petrol, rolling, ef31},
			{b, copper, conductivity, refinery, diesel, rolling, ipcc},
			{b.withKey(s.test), copper, freebie, blending, diesel, refinery, ef31},
		}
		for _, c := range buyers {
			pullProperties(c.client, c.material, 1, c.property).is(200)
			pullProcess(c.client, c.process, 1, c.product).is(200)
			pullImpacts(c.client, c.calculated, 1, c.calculator).is(200)
		}
		for _, c := range buyers {
			sees := s.contents.with(c.property, pair(c.process, c.product), pair(c.calculator, c.calculated))
			sees.checkExport(t, download(t, c.client, "bundle"))
			if c.key != s.test {
				sees.checkExport(t, exported(t, s.installation, "--team", c.team))
			}
		}
	})
}

// If test keys see stand-ins, so do their exports, without any real number.
func TestExportsOfStandIns(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary(), "CRADLE_SANDBOX_VALUES=synthetic")
		live := s.buyer(t, 100)
		sandbox := live.withKey(s.test)
		for _, c := range []*client{live, sandbox} {
			pullProperties(c, steel, 1, density).is(200)
			pullProcess(c, rolling, 1, coil).is(200)
			pullProcess(c, refinery, 1, diesel).is(200)
			pullImpacts(c, rolling, 1, ipcc).is(200)
			pullImpacts(c, refinery, 1, ef31).is(200)
		}
		sees := s.contents.with(density, pair(rolling, coil), pair(refinery, diesel), pair(ipcc, rolling), pair(ef31, refinery))
		before := map[string]map[string]string{}
		for _, format := range exportFormats {
			before[format] = download(t, sandbox, format)
		}
		for _, c := range []*client{live, sandbox} {
			files := download(t, c, "bundle")
			sees.checkExport(t, files)
			checkExportedNumbers(t, files, numbersShown(c))
		}
		for _, x := range exchangesShown(sandbox) {
			n := regexp.MustCompile(`\b` + regexp.QuoteMeta(strconv.FormatFloat(x["value"].(float64), 'g', -1, 64)) + `\b`)
			for format, files := range before {
				if !slices.ContainsFunc(slices.Collect(maps.Values(files)), n.MatchString) {
					t.Errorf("%s has no %v, which %v shows", format, n, x)
				}
			}
		}
		s.load(t, withOtherNumbers())
		for _, format := range exportFormats {
			if after := download(t, sandbox, format); !maps.Equal(after, before[format]) {
				t.Errorf("%s follows the real numbers: it was\n%v\nand is\n%v", format, before[format], after)
			}
		}
	})
}

// numbersShown are the numbers that reads show, each as a value, a mean and a
// standard deviation. Processes are from the list, which also shows the impacts
// of flow-based ones.
func numbersShown(c *client) map[string][3]any {
	numbers := map[string][3]any{}
	note := func(row obj) {
		if row["value"] != nil {
			numbers[row["id"].(string)] = [3]any{row["value"], row["mean"], row["standardDeviation"]}
		}
	}
	for _, m := range c.get("/public/materials?limit=100").is(200).items() {
		single := c.get("/public/materials/" + m["id"].(string)).is(200).object()
		for _, p := range single["properties"].(list) {
			note(c.get("/public/materials/" + m["id"].(string) + "/properties/" + p.(obj)["id"].(string)).is(200).object())
		}
		for _, i := range single["impacts"].(list) {
			note(i.(obj))
		}
	}
	for _, p := range c.get("/public/processes?limit=100").is(200).items() {
		for _, i := range p["impacts"].(list) {
			note(i.(obj))
		}
	}
	for _, x := range exchangesShown(c) {
		note(x)
	}
	return numbers
}

// exchangesShown are the exchanges whose number the list shows.
func exchangesShown(c *client) (shown []obj) {
	for _, p := range c.get("/public/processes?limit=100").is(200).items() {
		for _, x := range slices.Concat(p["inputs"].(list), p["outputs"].(list)) {
			if x := x.(obj); x["value"] != nil {
				shown = append(shown, x)
			}
		}
	}
	return shown
}

// checkExportedNumbers checks that a bundle has these numbers and no others.
func checkExportedNumbers(t *testing.T, files map[string]string, want map[string][3]any) {
	t.Helper()
	got := map[string][3]any{}
	for _, name := range []string{"properties.csv", "material_impacts.csv", "exchanges.csv", "impacts.csv"} {
		uncertain := name == "properties.csv" || name == "exchanges.csv"
		for id, value := range cells(t, files[name], "id", "value") {
			row := [3]any{number(value, true)}
			if uncertain {
				row[1] = number(cells(t, files[name], "id", "mean")[id], true)
				row[2] = number(cells(t, files[name], "id", "standard_deviation")[id], true)
			}
			got[id] = row
		}
	}
	if len(want) == 0 || !maps.Equal(got, want) {
		t.Errorf("exported\n%v\nreads show\n%v", got, want)
	}
}
