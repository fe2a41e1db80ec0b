package jsonld

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/lci"
	"cradle/internal/units"
)

// The records of openLCA's schema 2. Empty fields are omitted.

type olcaRef struct {
	Type     string `json:"@type"`
	ID       string `json:"@id"`
	Name     string `json:"name,omitempty"`
	Category string `json:"category,omitempty"`
	FlowType string `json:"flowType,omitempty"`
	RefUnit  string `json:"refUnit,omitempty"`
}

type olcaRecord struct {
	Type        string `json:"@type"`
	ID          string `json:"@id"`
	Name        string `json:"name"`
	Category    string `json:"category,omitempty"`
	Description string `json:"description,omitempty"`
}

type olcaUnit struct {
	olcaRecord
	Factor    float64 `json:"conversionFactor"`
	Reference bool    `json:"isRefUnit"`
}

type olcaUnitGroup struct {
	olcaRecord
	Default olcaRef    `json:"defaultFlowProperty"`
	Units   []olcaUnit `json:"units"`
}

type olcaProperty struct {
	olcaRecord
	Kind  string  `json:"flowPropertyType"`
	Group olcaRef `json:"unitGroup"`
}

type olcaFlow struct {
	olcaRecord
	FlowType   string         `json:"flowType"`
	CAS        string         `json:"cas,omitempty"`
	Synonyms   string         `json:"synonyms,omitempty"`
	Location   *olcaRef       `json:"location,omitempty"`
	Properties []olcaMeasured `json:"flowProperties"`
}

type olcaMeasured struct {
	Type      string  `json:"@type"`
	Property  olcaRef `json:"flowProperty"`
	Factor    float64 `json:"conversionFactor"`
	Reference bool    `json:"isRefFlowProperty"`
}

type olcaLocation struct {
	olcaRecord
	Code string `json:"code"`
}

type olcaSource struct {
	olcaRecord
	URL  string `json:"url,omitempty"`
	Text string `json:"textReference,omitempty"`
}

// writer writes a pack.
type writer struct {
	*export.Catalogue
	to         *export.Archive
	network    *network            // nil if the catalogue is not calculated
	quantities map[string]quantity // used, by unit
	measures   map[string]quantity // also used, by flow property
	locations  map[string]bool
	sources    map[string]bool
	actors     map[string]bool
	written    int // properties
}

// Write writes a pack: with a network in the form from which openLCA calculates
// the same scores, else as stored.
func Write(ctx context.Context, w io.Writer, from export.Source, as *calculation.Network) (export.Counts, error) {
	c, err := export.NewCatalogue(ctx, from)
	if err != nil {
		return export.Counts{}, err
	}
	j := &writer{Catalogue: c, to: export.NewArchive(w), quantities: map[string]quantity{}, measures: map[string]quantity{}, locations: map[string]bool{}, sources: map[string]bool{}, actors: map[string]bool{}}
	if as != nil {
		j.readNetwork(as)
	}
	for _, step := range []func() error{j.head, j.writeProcesses, j.writeMethods, j.writeFlows, j.writeQuantities, j.writeRest, j.to.Close} {
		if err := step(); err != nil {
			return export.Counts{}, err
		}
	}
	counts := j.InventoryCounts()
	counts.Properties = j.written
	return counts, nil
}

// put adds a record to the pack.
func (j *writer) put(name string, record any) error {
	w, err := j.to.Create(name)
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(record)
}

func (j *writer) head() error {
	return j.put(packFile, struct {
		Version int `json:"schemaVersion"`
	}{2})
}

var olcaFlowTypes = map[lci.FlowType]string{lci.Elementary: "ELEMENTARY_FLOW", lci.Intermediate: "PRODUCT_FLOW", lci.Waste: "WASTE_FLOW"}

func categoryOf(f lci.Flow) string {
	if f.Type == lci.Elementary && f.Compartment != "" {
		return "Elementary flows/" + f.Compartment
	}
	return f.Classification
}

func (j *writer) quantity(unit string) quantity {
	q := quantityOf(unit)
	j.quantities[q.unit] = q
	return q
}

func (q quantity) propertyRef() olcaRef {
	return olcaRef{Type: "FlowProperty", ID: q.property, Name: q.name}
}

func (j *writer) flowRef(id lci.ID) olcaRef {
	f := j.Flows[id]
	return olcaRef{Type: "Flow", ID: id.String(), Name: f.Name, Category: categoryOf(f), FlowType: olcaFlowTypes[f.Type], RefUnit: j.quantity(f.Unit).unit}
}

func (j *writer) writeFlows() error {
	regions := map[lci.ID]string{}
	for _, m := range j.Materials {
		if len(m.RegionalScopes) > 0 {
			regions[m.ID] = m.RegionalScopes[0]
		}
	}
	for _, id := range j.FlowIDs() {
		f := j.Flows[id]
		q := j.quantity(f.Unit)
		flow := olcaFlow{
			olcaRecord: olcaRecord{Type: "Flow", ID: id.String(), Name: f.Name, Category: categoryOf(f)},
			FlowType:   olcaFlowTypes[f.Type], CAS: f.CAS, Synonyms: strings.Join(f.Synonyms, ";"),
			Properties: []olcaMeasured{{"FlowPropertyFactor", q.propertyRef(), 1, true}},
		}
		flow.Properties = append(flow.Properties, j.measured(f)...)
		if region := regions[id]; region != "" {
			flow.Location = locationRef(region)
			j.locations[region] = true
		}
		if err := j.put("flows/"+id.String()+".json", flow); err != nil {
			return err
		}
		j.Counts.Flows++
	}
	return nil
}

// measured are the properties of a material that are quantities of one unit of
// it: its mass, its calorific value. A flow cannot hold others.
func (j *writer) measured(f lci.Flow) []olcaMeasured {
	var all []olcaMeasured
	for _, p := range j.Properties[f.ID] {
		unit, perUnit := strings.CutSuffix(p.Unit, "/"+f.Unit)
		if !perUnit || p.Value <= 0 || units.OfProperty("", p.Name) == "" || unit == f.Unit {
			continue
		}
		q := j.quantity(unit)
		q.property, q.name = lci.DerivedID("flow property", unit, p.Name).String(), p.Name
		j.measures[q.property] = q
		all = append(all, olcaMeasured{"FlowPropertyFactor", q.propertyRef(), p.Value, false})
		j.written++
	}
	return all
}

func (j *writer) writeQuantities() error {
	for _, unit := range slices.Sorted(maps.Keys(j.quantities)) {
		q := j.quantities[unit]
		group := olcaUnitGroup{olcaRecord: olcaRecord{Type: "UnitGroup", ID: q.group, Name: q.groupName}, Default: q.propertyRef(),
			Units: []olcaUnit{{olcaRecord{Type: "Unit", ID: q.unitID, Name: q.unit}, 1, true}}}
		if name, factor, ok := q.further(); ok {
			group.Units = append(group.Units, olcaUnit{olcaRecord{Type: "Unit", ID: lci.DerivedID("unit", q.unit, name).String(), Name: name}, factor, false})
		}
		if err := j.put("unit_groups/"+q.group+".json", group); err != nil {
			return err
		}
		if err := j.writeProperty(q); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(j.measures)) {
		if err := j.writeProperty(j.measures[id]); err != nil {
			return err
		}
	}
	return nil
}

func (j *writer) writeProperty(q quantity) error {
	return j.put("flow_properties/"+q.property+".json",
		olcaProperty{olcaRecord{Type: "FlowProperty", ID: q.property, Name: q.name}, "PHYSICAL_QUANTITY", olcaRef{Type: "UnitGroup", ID: q.group, Name: q.groupName}})
}

// writeRest writes what processes refer to: places, sources, organisations.
func (j *writer) writeRest() error {
	for _, name := range slices.Sorted(maps.Keys(j.locations)) {
		id := locationRef(name).ID
		if err := j.put("locations/"+id+".json", olcaLocation{olcaRecord{Type: "Location", ID: id, Name: name}, name}); err != nil {
			return err
		}
	}
	for _, link := range slices.Sorted(maps.Keys(j.sources)) {
		s := olcaSource{olcaRecord: olcaRecord{Type: "Source", ID: sourceRef(link).ID, Name: link}}
		if isAddress(link) {
			s.URL = link
		} else {
			s.Text = link
		}
		if err := j.put("sources/"+s.ID+".json", s); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.actors)) {
		id := actorRef(name).ID
		if err := j.put("actors/"+id+".json", olcaRecord{Type: "Actor", ID: id, Name: name}); err != nil {
			return err
		}
	}
	return nil
}

// isAddress reports whether a source is a URL short enough for openLCA.
func isAddress(link string) bool {
	return strings.Contains(link, "://") && len(link) <= 255 && !strings.ContainsAny(link, " \n")
}

func locationRef(name string) *olcaRef {
	return &olcaRef{Type: "Location", ID: lci.DerivedID("location", name).String(), Name: name}
}

func sourceRef(link string) olcaRef {
	return olcaRef{Type: "Source", ID: lci.DerivedID("source", link).String(), Name: link}
}

func actorRef(name string) *olcaRef {
	return &olcaRef{Type: "Actor", ID: lci.DerivedID("actor", name).String(), Name: name}
}
