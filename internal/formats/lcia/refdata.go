package lcia

import (
	"fmt"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/ingest/source"
)

// A refdata is a folder of openLCA's reference data: one CSV file per kind of
// record, and one with the factors of each impact category.
type refdata struct {
	to         *inventory.Builder
	files      map[string]*source.Entry // by base name
	methods    map[string]string        // name or id to id
	names      map[string]string        // of methods by id
	categories map[string]record
	ofMethod   map[string][]string // categories by method id
	properties map[string]string   // name or id of flow properties to id
	groups     map[string]string   // name or id of unit groups to id
	factors    map[string][]inventory.Factor
	flows      map[string]bool
}

// A record is a row of reference data.
type record struct {
	inventory.Where
	row     sheet.Row
	columns map[string]int // by their headings in lower case
}

func (r record) cell(heading string) string {
	if i, ok := r.columns[heading]; ok {
		return r.row.Cell(i)
	}
	return ""
}

const (
	categoriesFile = "lcia_categories.csv"
	methodsFile    = "lcia_methods.csv"
	linksFile      = "lcia_method_categories.csv"
)

// refdataFiles are those read besides the factors; others are only listed.
var refdataFiles = map[string]bool{
	categoriesFile: true, methodsFile: true, linksFile: true, "unit_groups.csv": true, "units.csv": true,
	"flow_properties.csv": true, "flow_property_factors.csv": true, "flows.csv": true,
}

// isRefdata reports whether the entries are openLCA's reference data with factors.
func isRefdata(entries []*source.Entry) bool {
	has := map[string]bool{}
	for _, e := range entries {
		has[e.Base()] = true
	}
	return has[categoriesFile] && has[linksFile]
}

func (r *refdata) read() error {
	for _, step := range []func() error{r.readUnits, r.readProperties, r.readFlows, r.readMethods, r.readCategories, r.readFactors} {
		if err := step(); err != nil {
			return err
		}
	}
	r.handOver()
	return nil
}

// each reads the records of a file that may be missing.
func (r *refdata) each(name string, take func(record)) error {
	e := r.files[name]
	if e == nil {
		return nil
	}
	return eachRecord(e, take)
}

func eachRecord(e *source.Entry, take func(record)) error {
	tables, err := sheet.Open(e)
	if err != nil {
		return err
	}
	var columns map[string]int
	for row, err := range tables[0].Rows() {
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		if columns == nil {
			columns = map[string]int{}
			for i := range row.Cells {
				columns[strings.ToLower(row.Cell(i))] = i
			}
			continue
		}
		take(record{inventory.Where{File: e.Name, Line: row.Line}, row, columns})
	}
	return nil
}

func (r *refdata) readUnits() error {
	type group struct {
		inventory.UnitGroup
		reference string
	}
	byName := map[string]*group{}
	var order []*group
	err := r.each("unit_groups.csv", func(rec record) {
		id, name := rec.cell("id"), rec.cell("name")
		g := &group{inventory.UnitGroup{Key: id, Name: name, Where: rec.Where}, rec.cell("reference unit")}
		byName[name], byName[id], r.groups[name], r.groups[id] = g, g, id, id
		order = append(order, g)
	})
	if err != nil {
		return err
	}
	err = r.each("units.csv", func(rec record) {
		g := byName[rec.cell("unit group")]
		k, ok := sheet.Number(rec.cell("conversion factor"))
		if g == nil || !ok {
			r.to.Skip("units", rec.Where, fmt.Sprintf("the unit %q has no group or no factor", rec.cell("name")), "")
			return
		}
		g.Units = append(g.Units, inventory.Unit{Key: rec.cell("id"), Name: rec.cell("name"), Factor: k,
			Synonyms: strings.Split(rec.cell("synonyms"), ";"), Reference: g.reference == rec.cell("name") || g.reference == rec.cell("id")})
	})
	for _, g := range order {
		r.to.UnitGroup(g.UnitGroup)
	}
	return err
}

func (r *refdata) readProperties() error {
	return r.each("flow_properties.csv", func(rec record) {
		id, name := rec.cell("id"), rec.cell("name")
		r.properties[id], r.properties[name] = id, id
		r.to.FlowProperty(inventory.FlowProperty{Key: id, Name: name, UnitGroup: r.groups[rec.cell("unit group")], Where: rec.Where})
	})
}

func (r *refdata) readFlows() error {
	more := map[string][]inventory.FlowAmount{}
	err := r.each("flow_property_factors.csv", func(rec record) {
		if k, ok := sheet.Number(rec.cell("conversion factor")); ok && k != 0 {
			more[rec.cell("flow")] = append(more[rec.cell("flow")], inventory.FlowAmount{Property: r.properties[rec.cell("flow property")], Factor: k})
		}
	})
	if err != nil {
		return err
	}
	return r.each("flows.csv", func(rec record) {
		f := inventory.Flow{Key: rec.cell("id"), Name: rec.cell("name"), CAS: rec.cell("cas number"), Where: rec.Where}
		path := strings.Split(rec.cell("category"), "/")
		switch kind := strings.ToLower(rec.cell("flow type")); {
		case strings.HasPrefix(kind, "product"):
			f.Kind, f.Classification = inventory.Product, path
		case strings.HasPrefix(kind, "waste"):
			f.Kind, f.Classification = inventory.Waste, path
		default:
			f.Kind, f.Compartment = inventory.Elementary, path
		}
		if formula := rec.cell("chem. formula"); formula != "" {
			f.Synonyms = []string{formula}
		}
		f.Properties = append([]inventory.FlowAmount{{Property: r.properties[rec.cell("reference flow property")], Factor: 1, Reference: true}}, more[f.Key]...)
		r.flows[f.Key] = true
		r.to.Flow(f)
	})
}

func (r *refdata) readMethods() error {
	return r.each(methodsFile, func(rec record) {
		id, name := rec.cell("id"), rec.cell("name")
		r.methods[id], r.methods[name], r.names[id] = id, id, name
		r.ofMethod[id] = nil
	})
}

func (r *refdata) readCategories() error {
	if err := r.each(categoriesFile, func(rec record) { r.categories[rec.cell("id")] = rec }); err != nil {
		return err
	}
	return r.each(linksFile, func(rec record) {
		name := rec.cell("lcia method")
		id, ok := r.methods[name]
		if !ok {
			r.to.Skip("categories of methods", rec.Where, fmt.Sprintf("there is no method %q", name), "add it to "+methodsFile)
			return
		}
		r.ofMethod[id] = append(r.ofMethod[id], rec.cell("lcia category"))
	})
}

// readFactors reads every file with the columns of factors.
func (r *refdata) readFactors() error {
	for _, name := range sortedNames(r.files) {
		e := r.files[name]
		if !isFactorFile(e) {
			continue
		}
		err := eachRecord(e, func(rec record) {
			category := rec.cell("lcia category")
			value, ok := sheet.Number(rec.cell("factor"))
			if !ok {
				r.to.Skip(ingest.Factors, rec.Where, fmt.Sprintf("the factor %q is not a number", rec.cell("factor")), "")
				return
			}
			if _, known := r.categories[category]; !known {
				r.to.Skip(ingest.Factors, rec.Where, fmt.Sprintf("there is no category %q", category), "add it to "+categoriesFile)
				return
			}
			r.mention(rec)
			r.factors[category] = append(r.factors[category], inventory.Factor{Flow: rec.cell("flow"), Amount: value,
				Unit: rec.cell("flow unit"), Property: r.properties[rec.cell("flow property")], Location: rec.cell("location"), Where: rec.Where})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// mention passes on what a factor states about a flow without a record: the
// package need not include the flows.
func (r *refdata) mention(rec record) {
	id := rec.cell("flow")
	if r.flows[id] {
		return
	}
	r.flows[id] = true
	r.to.Flow(inventory.Flow{Key: id, Kind: inventory.Elementary, Unit: rec.cell("flow unit"), Mentioned: true, Where: rec.Where})
}

func isFactorFile(e *source.Entry) bool {
	c, err := e.Sniff()
	line := strings.ToLower(c.Line)
	return err == nil && strings.Contains(line, "lcia category") && strings.Contains(line, "factor") && strings.Contains(line, "flow")
}

func (r *refdata) handOver() {
	taken := map[string]bool{}
	for _, id := range sortedNames(r.ofMethod) {
		where := inventory.Where{File: methodsFile, Record: r.names[id]}
		var with, without []string
		for _, c := range r.ofMethod[id] {
			if len(r.factors[c]) > 0 {
				with = append(with, c)
			} else {
				without = append(without, r.categories[c].cell("name"))
			}
		}
		r.to.SkipAll(ingest.Indicators, len(without), where, "there is no file with factors for "+some(without))
		if len(with) == 0 {
			r.to.Skip(ingest.Methods, where, "there are no factors for the method", "")
			continue
		}
		r.to.Method(inventory.Method{Key: id, Name: r.names[id], Where: where})
		for _, c := range with {
			rec := r.categories[c]
			r.to.Indicator(inventory.Indicator{Key: c, Method: id, Name: rec.cell("name"), Unit: rec.cell("reference unit"), Factors: r.factors[c], Where: rec.Where})
			taken[c] = true
		}
	}
	for _, c := range sortedNames(r.factors) {
		if !taken[c] {
			r.to.SkipAll(ingest.Factors, len(r.factors[c]), r.categories[c].Where, fmt.Sprintf("no method has the category %q", r.categories[c].cell("name")))
		}
	}
}

func sortedNames[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// some lists the first few names.
func some(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}
