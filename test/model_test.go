package test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A view is what one team, in one mode, must see of a library: an independent
// implementation of masking and visibility, written to be readable.
type view struct {
	library
	hidden map[string]bool // records restricted to other teams
	owned  map[string]bool // property ids; "<process>,<product>"; "<method>,<process>"
}

func outsider() view {
	return view{wholeLibrary(), map[string]bool{alloy: true, newMill: true}, map[string]bool{}}
}

func insider() view {
	v := outsider()
	v.hidden = nil
	return v
}

// with is the view after a pull of some items.
func (v view) with(items ...string) view {
	v.owned = maps.Clone(v.owned)
	for _, item := range items {
		v.owned[item] = true
	}
	return v
}

func pair(a, b string) string { return a + "," + b }

func (v view) sees(id, deleted string) bool { return deleted != "true" && !v.hidden[id] }

func (v view) visibleMaterials() []material {
	return keep(v.materials, func(m material) bool { return v.sees(m.ID, m.Deleted) })
}

func (v view) visibleProcesses() []process {
	return keep(v.processes, func(p process) bool { return v.sees(p.ID, p.Deleted) })
}

func (v view) propertiesOf(materialID string) []property {
	return keep(v.properties, func(p property) bool { return p.Material == materialID && p.Deleted != "true" })
}

func (v view) impactsOf(processID string) []impact {
	return keep(v.impacts, func(i impact) bool { return i.Process == processID && i.Deleted != "true" })
}

func keep[T any](rows []T, good func(T) bool) []T {
	var kept []T
	for _, r := range rows {
		if good(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// each renders rows as a JSON array.
func each[T any](rows []T, render func(T) obj) list {
	all := list{}
	for _, r := range rows {
		all = append(all, render(r))
	}
	return all
}

// number reads a cell that is shown only when revealed.
func number(cell string, revealed bool) any {
	if cell == "" || !revealed {
		return nil
	}
	value, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		panic(err)
	}
	return value
}

func date(cell string) any {
	if cell == "" {
		return nil
	}
	return cell
}

func (v view) materialRevealed(id string) bool {
	return slices.ContainsFunc(v.propertiesOf(id), func(p property) bool { return v.owned[p.ID] })
}

func (v view) materialItem(m material) obj {
	return obj{
		"id": m.ID, "name": m.Name, "source": m.Source, "sourceOrganization": m.Organization, "functionalUnit": m.FunctionalUnit,
		"compartment": m.Compartment, "regionalScopes": m.Regions, "datePublished": date(m.Date), "revealed": v.materialRevealed(m.ID),
		"deleted": false, "isFavorite": false, "inputTo": v.namesWith(m.ID, "input"), "outputOf": v.namesWith(m.ID, "output"),
		"properties": each(v.propertiesOf(m.ID), v.propertyItem),
	}
}

func (v view) material(m material) obj {
	o := without(v.materialItem(m), "regionalScopes", "inputTo", "outputOf", "isFavorite")
	rows := keep(v.materialImpacts, func(i materialImpact) bool {
		return slices.ContainsFunc(v.propertiesOf(m.ID), func(p property) bool { return p.ID == i.Property })
	})
	o["impacts"] = each(rows, v.materialImpact)
	return o
}

func (v view) materialItemObsidian(m material) obj {
	return without(v.materialItem(m), "regionalScopes", "deleted", "isFavorite", "inputTo", "outputOf", "properties")
}

func without(o obj, fields ...string) obj {
	o = maps.Clone(o)
	for _, f := range fields {
		delete(o, f)
	}
	return o
}

// namesWith are the names of the processes that have a material on one side.
func (v view) namesWith(materialID, direction string) list {
	names := map[string]bool{}
	for _, p := range v.visibleProcesses() {
		for _, e := range v.exchanges {
			if e.Process == p.ID && e.Material == materialID && e.Direction == direction {
				names[p.Name] = true
			}
		}
	}
	sorted := list{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		sorted = append(sorted, name)
	}
	return sorted
}

func (v view) propertyItem(p property) obj {
	revealed := v.owned[p.ID]
	o := obj{"id": p.ID, "name": p.Name, "value": number(p.Value, revealed), "unit": p.Unit,
		"revealed": revealed, "deleted": false, "revealType": nil}
	if revealed {
		o["revealType"] = "pulled"
	}
	return o
}

func (v view) property(p property) obj {
	o := v.propertyItem(p)
	o["mean"], o["standardDeviation"] = number(p.Mean, v.owned[p.ID]), number(p.Deviation, v.owned[p.ID])
	o["description"], o["source"], o["sourceOrganization"] = p.Description, p.Source, p.Organization
	o["datePublished"] = date(p.Date)
	return o
}

// withMethod says of an impact row which version of which method it is of.
func (v view) withMethod(row obj, id string) obj {
	for _, m := range v.methods {
		if m.ID == id {
			row["method"], row["methodId"], row["methodVersion"] = m.Name, m.ID, m.Version
		}
	}
	return row
}

func (v view) materialImpact(i materialImpact) obj {
	revealed := v.owned[i.Property]
	return v.withMethod(obj{"id": i.ID, "propertyId": i.Property, "impactCategory": i.Category,
		"indicator": i.Indicator, "value": number(i.Value, revealed), "unit": i.Unit, "revealed": revealed, "deleted": false}, i.Method)
}

// product is a reference product's id.
func (e exchange) product() string {
	if e.Flow == "" {
		return e.Material
	}
	return e.Flow
}

func (e exchange) isReference() bool { return e.Reference == "true" && e.Direction == "output" }

func (v view) side(processID, direction string) []exchange {
	return keep(v.exchanges, func(e exchange) bool { return e.Process == processID && e.Direction == direction })
}

func (v view) ownsProduct(processID string) bool {
	return slices.ContainsFunc(v.side(processID, "output"), func(e exchange) bool {
		return e.isReference() && v.owned[pair(processID, e.product())]
	})
}

// outputs are sorted with the reference products first, otherwise as in the
// file.
func (v view) outputs(processID string) list {
	rows := v.side(processID, "output")
	slices.SortStableFunc(rows, func(a, b exchange) int {
		switch {
		case a.isReference() == b.isReference():
			return 0
		case a.isReference():
			return -1
		}
		return 1
	})
	return each(rows, v.exchange)
}

func (v view) inputs(processID string) list {
	if !v.ownsProduct(processID) {
		return list{}
	}
	return each(v.side(processID, "input"), v.exchange)
}

func (v view) exchangeRevealed(e exchange) bool {
	if e.isReference() {
		return v.owned[pair(e.Process, e.product())]
	}
	return v.ownsProduct(e.Process)
}

func (v view) exchange(e exchange) obj {
	revealed := v.exchangeRevealed(e)
	kind := e.Type
	if kind == "" {
		kind = "intermediate"
	}
	return obj{"id": e.ID, "referenceId": v.referenceID(e), "name": e.Name, "value": number(e.Value, revealed),
		"mean": number(e.Mean, revealed), "standardDeviation": number(e.Deviation, revealed), "unit": e.Unit, "exchangeTypeDetails": kind}
}

func (v view) referenceID(e exchange) string {
	if e.isReference() {
		return e.product()
	}
	if slices.ContainsFunc(v.visibleMaterials(), func(m material) bool { return m.ID == e.Material }) {
		return e.Material
	}
	return e.Flow
}

func (v view) processRevealed(id string) bool {
	return v.ownsProduct(id) || slices.ContainsFunc(v.impactsOf(id), func(i impact) bool { return v.owned[pair(i.Method, i.Process)] })
}

func (v view) processItem(p process) obj {
	links := list{}
	for _, link := range splitCell(p.Source) {
		links = append(links, obj{"link": link})
	}
	boundary := p.Boundary
	if boundary == "" {
		boundary = "Aggregated"
	}
	return obj{
		"id": p.ID, "name": p.Name, "description": p.Description, "source": links, "sourceOrganization": p.Organization,
		"regionRegionalScope": p.Region, "processBoundary": boundary, "datePublished": date(p.Date), "revealed": v.processRevealed(p.ID),
		"deleted": false, "favorite": false, "inputs": v.inputs(p.ID), "outputs": v.outputs(p.ID), "impacts": each(v.impactsOf(p.ID), v.impactItem),
		"referenceProductId": v.outputs(p.ID)[0].(obj)["referenceId"],
	}
}

func (v view) process(p process) obj {
	return obj{
		"id": p.ID, "name": p.Name, "source": strings.Join(splitCell(p.Source), "; "), "sourceOrganization": p.Organization,
		"regionRegionalScope": p.Region, "functionalUnit": p.FunctionalUnit, "datePublished": date(p.Date), "revealed": v.processRevealed(p.ID),
		"deleted": false, "inputs": v.inputs(p.ID), "outputs": v.outputs(p.ID),
		"impacts": each(v.impactsOf(p.ID), func(i impact) obj { return without(v.impact(i), "mean", "standardDeviation") }),
	}
}

func (v view) processItemObsidian(p process) obj {
	return obj{"id": p.ID, "name": p.Name, "source": strings.Join(splitCell(p.Source), "; "), "region": p.Region,
		"functionalUnit": p.FunctionalUnit, "datePublished": date(p.Date), "revealed": v.processRevealed(p.ID)}
}

func splitCell(cell string) []string {
	if cell == "" {
		return nil
	}
	return strings.Split(cell, ";")
}

func (v view) impactItem(i impact) obj {
	revealed := v.owned[pair(i.Method, i.Process)]
	return v.withMethod(obj{"id": i.ID, "indicator": i.Indicator, "value": number(i.Value, revealed),
		"unit": i.Unit, "revealed": revealed}, i.Method)
}

// impact is a row as in single reads, where those of a flow-based process stay
// masked.
func (v view) impact(i impact) obj {
	if v.isFlowBased(i.Process) {
		v.owned = nil
	}
	o := v.impactItem(i)
	o["impactCategory"], o["deleted"], o["mean"], o["standardDeviation"] = i.Category, false, nil, nil
	return o
}

func (v view) isFlowBased(processID string) bool {
	return slices.ContainsFunc(v.processes, func(p process) bool { return p.ID == processID && p.Boundary == "Disaggregated" })
}

// Lists. The fixture's names are plain, so that lower case is enough for
// folding.

func (v view) materialsInOrder(pulled bool) []material {
	rows := keep(v.visibleMaterials(), func(m material) bool { return !pulled || v.materialRevealed(m.ID) })
	slices.SortFunc(rows, func(a, b material) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return rows
}

func (v view) processesInOrder(pulled bool) []process {
	rows := keep(v.visibleProcesses(), func(p process) bool { return !pulled || v.processRevealed(p.ID) })
	slices.SortFunc(rows, func(a, b process) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return rows
}

func page(items list) obj {
	return obj{"items": items, "total": float64(len(items)), "hasMore": false}
}

// checkReads compares every read there is with the view.
func (v view) checkReads(t *testing.T, c *client) {
	t.Helper()
	v.checkLists(t, c)
	for _, m := range v.materials {
		v.checkMaterial(c, m)
	}
	for _, p := range v.processes {
		v.checkProcess(c, p)
	}
}

func (v view) checkLists(t *testing.T, c *client) {
	t.Helper()
	old := c.withVersion(obsidian)
	for path, pulled := range map[string]bool{"": false, "?pulled=false": false, "?pulled=true": true, "/pulled": true, "/pulled?pulled=false": true} {
		materials, processes := v.materialsInOrder(pulled), v.processesInOrder(pulled)
		c.get("/public/materials" + path).says(page(each(materials, v.materialItem)))
		c.get("/public/processes" + path).says(page(each(processes, v.processItem)))
		old.get("/public/materials" + path).says(without(page(each(materials, v.materialItemObsidian)), "hasMore"))
		old.get("/public/processes" + path).says(without(page(each(processes, v.processItemObsidian)), "total"))
	}
}

func (v view) checkMaterial(c *client, m material) {
	c.t.Helper()
	path := "/public/materials/" + m.ID
	if !v.sees(m.ID, m.Deleted) {
		c.get(path).refuses(404)
	} else {
		c.get(path).says(v.material(m))
		c.withVersion(obsidian).get(path).says(v.material(m))
	}
	for _, p := range keep(v.properties, func(p property) bool { return p.Material == m.ID }) {
		if !v.sees(m.ID, m.Deleted) || p.Deleted == "true" {
			c.get(path + "/properties/" + p.ID).refuses(404)
		} else {
			c.get(path + "/properties/" + p.ID).says(v.property(p))
		}
	}
}

func (v view) checkProcess(c *client, p process) {
	c.t.Helper()
	path := "/public/processes/" + p.ID
	if !v.sees(p.ID, p.Deleted) {
		c.get(path).refuses(404)
	} else {
		c.get(path).says(v.process(p))
		c.withVersion(obsidian).get(path).says(v.process(p))
	}
	for _, i := range keep(v.impacts, func(i impact) bool { return i.Process == p.ID }) {
		if !v.sees(p.ID, p.Deleted) || i.Deleted == "true" {
			c.get(path + "/impacts/" + i.ID).refuses(404)
		} else {
			c.get(path + "/impacts/" + i.ID).says(v.impact(i))
		}
	}
}
