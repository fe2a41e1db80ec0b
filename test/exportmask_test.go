package test

import "testing"

// checkExport checks that a bundle holds the rows that a view shows, no others.
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

// Two teams buy different things, each with a live and with a test key. Every one
// of the four exports what it bought itself.
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

// Where test keys see stand-ins, no real number leaves in an export either.
func TestExportsOfStandIns(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary(), "CRADLE_SANDBOX_VALUES=synthetic")
		live := s.buyer(t, 100)
		sandbox := live.withKey(s.test)
		for _, c := range []*client{live, sandbox} {
			pullProperties(c, steel, 1, density).is(200)
			pullImpacts(c, rolling, 1, ipcc).is(200)
		}
		s.contents.with(density, pair(ipcc, rolling)).checkExport(t, download(t, live, "bundle"))
		for _, format := range []string{"bundle", "jsonld", "ecospold2", "csv", "xlsx"} {
			sandbox.get("/public/export?format="+format).refuses(409, "use a live key")
		}
	})
}
