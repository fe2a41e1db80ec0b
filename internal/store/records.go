package store

import (
	"cradle/internal/flowmatch"
	"cradle/internal/lci"
)

// The kinds of rows in a catalogue. A field of a record is stored if its column
// is listed here. A property or impact keeps the position it was first given.

var flowTable = tableOf(table{name: "flows"},
	func(f *lci.Flow) []column {
		return []column{
			{"id", &f.ID},
			{"name", &f.Name},
			{"type", &f.Type},
			{"compartment", &f.Compartment},
			{"cas", &f.CAS},
			{"synonyms", (*texts)(&f.Synonyms)},
			{"unit", &f.Unit},
			{"classification", &f.Classification},
			{"version", &f.Edition.Version},
			{"changed", &f.Edition.Changed},
		}
	})

var mappingTable = tableOf(table{name: "mappings", owner: "source_key"},
	func(m *flowmatch.Mapping) []column {
		return []column{
			{"id", derived(func() any { return m.ID().String() })},
			{"source_key", derived(func() any { return m.SourceID().String() })},
			{"source_id", (*optionalID)(&m.Source.ID)},
			{"source_name", &m.Source.Name},
			{"source_compartment", &m.Source.Compartment},
			{"source_unit", &m.Source.Unit},
			{"target_id", &m.Target.ID},
			{"target_name", &m.Target.Name},
			{"target_compartment", &m.Target.Compartment},
			{"target_unit", &m.Target.Unit},
			{"factor", &m.Factor},
			{"exact", &m.Exact},
		}
	})

var methodTable = tableOf(table{name: "methods", mark: "deleted = TRUE"},
	func(m *lci.Method) []column {
		return []column{
			{"id", &m.ID},
			{"name", &m.Name},
			{"version", &m.Version},
			{"changed", &m.Changed},
			{"deleted", &m.Deleted},
		}
	})

var indicatorTable = tableOf(table{name: "indicators", mark: "deleted = TRUE"},
	func(i *lci.Indicator) []column {
		return []column{
			{"id", &i.ID},
			{"method_id", &i.MethodID},
			{"category", &i.Category},
			{"name", &i.Name},
			{"unit", &i.Unit},
			{"version", &i.Edition.Version},
			{"changed", &i.Edition.Changed},
			{"deleted", &i.Deleted},
		}
	})

var factorTable = tableOf(table{name: "factors", key: []string{"indicator_id", "flow_id"}, id: factorID, owner: "indicator_id"},
	func(f *lci.Factor) []column {
		return []column{
			{"indicator_id", &f.IndicatorID},
			{"flow_id", &f.FlowID},
			{"value", &f.Value},
			{"unit", &f.Unit},
		}
	})

func factorID(key []string) lci.ID {
	var f lci.Factor
	f.IndicatorID, _ = lci.ParseID(key[0])
	f.FlowID, _ = lci.ParseID(key[1])
	return f.ID()
}

var materialTable = tableOf(table{name: "materials", restricted: true, mark: "deleted = TRUE"},
	func(m *lci.Material) []column {
		return []column{
			{"id", &m.ID},
			{"name", &m.Name},
			{"fold", derived(func() any { return lci.Fold(m.Name) })},
			{"source", &m.Source},
			{"source_organization", &m.SourceOrganization},
			{"functional_unit", &m.FunctionalUnit},
			{"compartment", &m.Compartment},
			{"regional_scopes", (*texts)(&m.RegionalScopes)},
			{"date_published", &m.DatePublished},
			{"classification", &m.Classification},
			{"deleted", &m.Deleted},
		}
	})

var propertyTable = tableOf(table{name: "properties", first: "position", mark: "deleted = TRUE"},
	func(p *lci.Property) []column {
		return []column{
			{"id", &p.ID},
			{"material_id", &p.MaterialID},
			{"position", &p.Position},
			{"name", &p.Name},
			{"value", &p.Value},
			{"unit", &p.Unit},
			{"mean", &p.Mean},
			{"standard_deviation", &p.StandardDeviation},
			{"description", &p.Description},
			{"source", &p.Source},
			{"source_organization", &p.SourceOrganization},
			{"date_published", &p.DatePublished},
			{"price", &p.Price},
			{"deleted", &p.Deleted},
		}
	})

var materialImpactTable = tableOf(table{name: "material_impacts", owner: "property_id"},
	func(i *lci.MaterialImpact) []column {
		return []column{
			{"id", &i.ID},
			{"property_id", &i.PropertyID},
			{"method_id", &i.MethodID},
			{"position", &i.Position},
			{"category", &i.Category},
			{"indicator", &i.Indicator},
			{"value", &i.Value},
			{"unit", &i.Unit},
		}
	})

var processTable = tableOf(table{name: "processes", restricted: true, mark: "deleted = TRUE"},
	func(p *lci.Process) []column {
		return []column{
			{"id", &p.ID},
			{"name", &p.Name},
			{"fold", derived(func() any { return lci.Fold(p.Name) })},
			{"description", &p.Description},
			{"sources", (*texts)(&p.Sources)},
			{"source_organization", &p.SourceOrganization},
			{"region", &p.Region},
			{"boundary", &p.Boundary},
			{"functional_unit", &p.FunctionalUnit},
			{"date_published", &p.DatePublished},
			{"classification", &p.Classification},
			{"price", &p.Price},
			{"version", &p.Edition.Version},
			{"changed", &p.Edition.Changed},
			{"shared_by", &p.Sharing.By},
			{"sharing_stated", &p.Sharing.Stated},
			{"deleted", &p.Deleted},
		}
	})

var exchangeTable = tableOf(table{name: "exchanges", owner: "process_id"},
	func(x *lci.Exchange) []column {
		return []column{
			{"id", &x.ID},
			{"process_id", &x.ProcessID},
			{"position", &x.Position},
			{"direction", &x.Direction},
			{"flow_id", &x.FlowID},
			{"material_id", (*optionalID)(&x.MaterialID)},
			{"name", &x.Name},
			{"value", &x.Value},
			{"unit", &x.Unit},
			{"type", &x.Type},
			{"reference", &x.Reference},
			{"provider_id", (*optionalID)(&x.ProviderID)},
			{"mean", &x.Mean},
			{"standard_deviation", &x.StandardDeviation},
			{"distribution", &x.Distribution},
			{"minimum", &x.Minimum},
			{"maximum", &x.Maximum},
			{"avoided", &x.Avoided},
			{"worth", &x.Worth},
			{"share", &x.Share},
		}
	})

var allocationTable = tableOf(table{name: "allocations", owner: "process_id"},
	func(a *lci.Allocation) []column {
		return []column{
			{"id", derived(func() any { return a.ID().String() })},
			{"process_id", &a.ProcessID},
			{"product_id", &a.ProductID},
			{"exchange_id", &a.ExchangeID},
			{"share", &a.Share},
		}
	})

var impactTable = tableOf(table{name: "impacts", first: "position", mark: "deleted = TRUE, calculated = TRUE"},
	func(i *lci.Impact) []column {
		of := &i.Completeness
		return []column{
			{"id", &i.ID},
			{"process_id", &i.ProcessID},
			{"method_id", &i.MethodID},
			{"position", &i.Position},
			{"category", &i.Category},
			{"indicator", &i.Indicator},
			{"value", &i.Value},
			{"unit", &i.Unit},
			{"calculated", calculated{of}},
			{"coverage", measure[float64]{of, func(c *lci.Completeness) *float64 { return &c.Coverage }}},
			{"cut_offs", measure[int]{of, func(c *lci.Completeness) *int { return &c.CutOffs }}},
			{"residual", measure[float64]{of, func(c *lci.Completeness) *float64 { return &c.Residual }}},
			{"deleted", &i.Deleted},
		}
	})

// The columns that lists and records show; the others are for calculations and
// exports.
var (
	shownMaterial       = materialTable.without("classification")
	shownProperty       = propertyTable.without()
	shownMaterialImpact = materialImpactTable.without()
	shownProcess        = processTable.without("classification", "version", "changed", "shared_by", "sharing_stated")
	shownExchange       = exchangeTable.without("distribution", "minimum", "maximum", "avoided", "worth", "share")
	shownImpact         = impactTable.without("calculated", "coverage", "cut_offs", "residual")
)
