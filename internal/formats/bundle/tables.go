package bundle

import (
	"strconv"

	"cradle/internal/export"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

var flows = table[lci.Flow]{
	file:  "flows.csv",
	kind:  ingest.Flows,
	extra: true,
	blank: lci.Flow{Type: lci.Elementary},
	columns: []column[lci.Flow]{
		required(uuid("id", func(f *lci.Flow) *lci.ID { return &f.ID })),
		title("name", func(f *lci.Flow) *string { return &f.Name }),
		oneOf("type", func(f *lci.Flow) *lci.FlowType { return &f.Type }, lci.Intermediate, lci.Elementary, lci.Waste),
		text("compartment", func(f *lci.Flow) *string { return &f.Compartment }),
		text("cas", func(f *lci.Flow) *string { return &f.CAS }),
		list("synonyms", func(f *lci.Flow) *[]string { return &f.Synonyms }),
		text("unit", func(f *lci.Flow) *string { return &f.Unit }),
		text("classification", func(f *lci.Flow) *string { return &f.Classification }),
	},
	id:  func(f *lci.Flow) *lci.ID { return &f.ID },
	key: func(f *lci.Flow) lci.ID { return f.ID },

	write: ingest.Writer.Flow,
	rows:  export.Source.Flows,
	count: func(c *export.Counts) *int { return &c.Flows },
}

var methods = table[lci.Method]{
	file:  "methods.csv",
	kind:  ingest.Methods,
	named: true,
	columns: []column[lci.Method]{
		uuid("id", func(m *lci.Method) *lci.ID { return &m.ID }),
		required(title("name", func(m *lci.Method) *string { return &m.Name })),
		required(text("version", func(m *lci.Method) *string { return &m.Version })),
	},
	id:  func(m *lci.Method) *lci.ID { return &m.ID },
	key: func(m *lci.Method) lci.ID { return lci.DerivedID("method", m.Name, m.Version) },

	write: ingest.Writer.Method,
	rows:  export.Source.Methods,
	count: func(c *export.Counts) *int { return &c.Methods },
}

var indicators = table[lci.Indicator]{
	file:  "indicators.csv",
	kind:  ingest.Indicators,
	named: true,
	columns: []column[lci.Indicator]{
		uuid("id", func(i *lci.Indicator) *lci.ID { return &i.ID }),
		required(reference("method_id", ingest.Methods, func(i *lci.Indicator) *lci.ID { return &i.MethodID })),
		required(text("category", func(i *lci.Indicator) *string { return &i.Category })),
		required(title("name", func(i *lci.Indicator) *string { return &i.Name })),
		required(text("unit", func(i *lci.Indicator) *string { return &i.Unit })),
	},
	id: func(i *lci.Indicator) *lci.ID { return &i.ID },
	key: func(i *lci.Indicator) lci.ID {
		return lci.DerivedID("indicator", i.MethodID.String(), i.Category, i.Name)
	},
	parent: func(i *lci.Indicator) lci.ID { return i.MethodID },

	write: ingest.Writer.Indicator,
	rows:  export.Source.Indicators,
	count: func(c *export.Counts) *int { return &c.Indicators },
}

var factors = table[lci.Factor]{
	file: "factors.csv",
	kind: ingest.Factors,
	columns: []column[lci.Factor]{
		required(reference("indicator_id", ingest.Indicators, func(f *lci.Factor) *lci.ID { return &f.IndicatorID })),
		required(uuid("flow_id", func(f *lci.Factor) *lci.ID { return &f.FlowID })),
		required(number("value", func(f *lci.Factor) *float64 { return &f.Value })),
		extra(text("unit", func(f *lci.Factor) *string { return &f.Unit })),
	},
	key: func(f *lci.Factor) lci.ID {
		return lci.DerivedID("factor", f.IndicatorID.String(), f.FlowID.String())
	},

	write: ingest.Writer.Factor,
	rows:  export.Source.Factors,
	count: func(c *export.Counts) *int { return &c.Factors },
}

var materials = table[lci.Material]{
	file:  "materials.csv",
	kind:  ingest.Materials,
	named: true,
	columns: []column[lci.Material]{
		uuid("id", func(m *lci.Material) *lci.ID { return &m.ID }),
		required(title("name", func(m *lci.Material) *string { return &m.Name })),
		text("source", func(m *lci.Material) *string { return &m.Source }),
		text("source_organization", func(m *lci.Material) *string { return &m.SourceOrganization }),
		text("functional_unit", func(m *lci.Material) *string { return &m.FunctionalUnit }),
		text("compartment", func(m *lci.Material) *string { return &m.Compartment }),
		list("regional_scopes", func(m *lci.Material) *[]string { return &m.RegionalScopes }),
		date("date_published", func(m *lci.Material) *string { return &m.DatePublished }),
		extra(text("classification", func(m *lci.Material) *string { return &m.Classification })),
		boolean("deleted", func(m *lci.Material) *bool { return &m.Deleted }),
	},
	id: func(m *lci.Material) *lci.ID { return &m.ID },
	key: func(m *lci.Material) lci.ID {
		return lci.DerivedID("material", m.Name, m.Compartment, formatList(m.RegionalScopes), m.FunctionalUnit)
	},

	write: ingest.Writer.Material,
	rows:  export.Source.Materials,
	count: func(c *export.Counts) *int { return &c.Materials },
}

var properties = table[lci.Property]{
	file:  "properties.csv",
	kind:  ingest.Properties,
	named: true,
	blank: lci.Property{Price: lci.DefaultPrice},
	columns: []column[lci.Property]{
		uuid("id", func(p *lci.Property) *lci.ID { return &p.ID }),
		required(reference("material_id", ingest.Materials, func(p *lci.Property) *lci.ID { return &p.MaterialID })),
		required(title("name", func(p *lci.Property) *string { return &p.Name })),
		required(number("value", func(p *lci.Property) *float64 { return &p.Value })),
		required(text("unit", func(p *lci.Property) *string { return &p.Unit })),
		maybeNumber("mean", func(p *lci.Property) **float64 { return &p.Mean }),
		deviation(func(p *lci.Property) **float64 { return &p.StandardDeviation }),
		text("description", func(p *lci.Property) *string { return &p.Description }),
		text("source", func(p *lci.Property) *string { return &p.Source }),
		text("source_organization", func(p *lci.Property) *string { return &p.SourceOrganization }),
		date("date_published", func(p *lci.Property) *string { return &p.DatePublished }),
		price(func(p *lci.Property) *int64 { return &p.Price }),
		boolean("deleted", func(p *lci.Property) *bool { return &p.Deleted }),
	},
	id: func(p *lci.Property) *lci.ID { return &p.ID },
	key: func(p *lci.Property) lci.ID {
		return lci.DerivedID("property", p.MaterialID.String(), p.Name, p.Unit)
	},
	parent:   func(p *lci.Property) lci.ID { return p.MaterialID },
	position: func(p *lci.Property) *int { return &p.Position },

	write: ingest.Writer.Property,
	rows:  export.Source.Properties,
	count: func(c *export.Counts) *int { return &c.Properties },
}

var materialImpacts = table[lci.MaterialImpact]{
	file: "material_impacts.csv",
	kind: ingest.MaterialImpacts,
	columns: []column[lci.MaterialImpact]{
		uuid("id", func(i *lci.MaterialImpact) *lci.ID { return &i.ID }),
		required(reference("property_id", ingest.Properties, func(i *lci.MaterialImpact) *lci.ID { return &i.PropertyID })),
		required(reference("method_id", ingest.Methods, func(i *lci.MaterialImpact) *lci.ID { return &i.MethodID })),
		text("impact_category", func(i *lci.MaterialImpact) *string { return &i.Category }),
		required(title("indicator", func(i *lci.MaterialImpact) *string { return &i.Indicator })),
		required(number("value", func(i *lci.MaterialImpact) *float64 { return &i.Value })),
		required(text("unit", func(i *lci.MaterialImpact) *string { return &i.Unit })),
	},
	id: func(i *lci.MaterialImpact) *lci.ID { return &i.ID },
	key: func(i *lci.MaterialImpact) lci.ID {
		return lci.DerivedID("material impact", i.PropertyID.String(), i.MethodID.String(), i.Category, i.Indicator)
	},
	parent:   func(i *lci.MaterialImpact) lci.ID { return i.PropertyID },
	position: func(i *lci.MaterialImpact) *int { return &i.Position },

	write: ingest.Writer.MaterialImpact,
	rows:  export.Source.MaterialImpacts,
	count: func(c *export.Counts) *int { return &c.MaterialImpacts },
}

var processes = table[lci.Process]{
	file:  "processes.csv",
	kind:  ingest.Processes,
	named: true,
	blank: lci.Process{Boundary: lci.Aggregated, Price: lci.DefaultPrice},
	columns: []column[lci.Process]{
		uuid("id", func(p *lci.Process) *lci.ID { return &p.ID }),
		required(title("name", func(p *lci.Process) *string { return &p.Name })),
		text("description", func(p *lci.Process) *string { return &p.Description }),
		list("source", func(p *lci.Process) *[]string { return &p.Sources }),
		text("source_organization", func(p *lci.Process) *string { return &p.SourceOrganization }),
		text("region", func(p *lci.Process) *string { return &p.Region }),
		oneOf("boundary", func(p *lci.Process) *lci.Boundary { return &p.Boundary }, lci.Aggregated, lci.Disaggregated),
		text("functional_unit", func(p *lci.Process) *string { return &p.FunctionalUnit }),
		date("date_published", func(p *lci.Process) *string { return &p.DatePublished }),
		extra(text("classification", func(p *lci.Process) *string { return &p.Classification })),
		extra(sharing(func(p *lci.Process) *lci.Sharing { return &p.Sharing })),
		price(func(p *lci.Process) *int64 { return &p.Price }),
		boolean("deleted", func(p *lci.Process) *bool { return &p.Deleted }),
	},
	id: func(p *lci.Process) *lci.ID { return &p.ID },
	key: func(p *lci.Process) lci.ID {
		return lci.DerivedID("process", p.Name, p.Region, string(p.Boundary))
	},
	inspect: (*checker).process,

	write: ingest.Writer.Process,
	rows:  export.Source.Processes,
	count: func(c *export.Counts) *int { return &c.Processes },
}

var exchanges = table[lci.Exchange]{
	file:  "exchanges.csv",
	kind:  ingest.Exchanges,
	named: true,
	blank: lci.Exchange{Type: lci.Intermediate},
	columns: []column[lci.Exchange]{
		uuid("id", func(x *lci.Exchange) *lci.ID { return &x.ID }),
		required(reference("process_id", ingest.Processes, func(x *lci.Exchange) *lci.ID { return &x.ProcessID })),
		required(oneOf("direction", func(x *lci.Exchange) *lci.Direction { return &x.Direction }, lci.Input, lci.Output)),
		uuid("flow_id", func(x *lci.Exchange) *lci.ID { return &x.FlowID }),
		reference("material_id", ingest.Materials, func(x *lci.Exchange) *lci.ID { return &x.MaterialID }),
		required(title("name", func(x *lci.Exchange) *string { return &x.Name })),
		required(number("value", func(x *lci.Exchange) *float64 { return &x.Value })),
		required(text("unit", func(x *lci.Exchange) *string { return &x.Unit })),
		oneOf("type", func(x *lci.Exchange) *lci.FlowType { return &x.Type }, lci.Intermediate, lci.Elementary, lci.Waste),
		boolean("reference", func(x *lci.Exchange) *bool { return &x.Reference }),
		uuid("provider_id", func(x *lci.Exchange) *lci.ID { return &x.ProviderID }),
		maybeNumber("mean", func(x *lci.Exchange) **float64 { return &x.Mean }),
		deviation(func(x *lci.Exchange) **float64 { return &x.StandardDeviation }),
		extra(oneOf("distribution", func(x *lci.Exchange) *lci.Distribution { return &x.Distribution },
			lci.Normal, lci.Lognormal, lci.Triangular, lci.Uniform)),
		extra(maybeNumber("minimum", func(x *lci.Exchange) **float64 { return &x.Minimum })),
		extra(maybeNumber("maximum", func(x *lci.Exchange) **float64 { return &x.Maximum })),
		extra(boolean("avoided", func(x *lci.Exchange) *bool { return &x.Avoided })),
		extra(maybeNumber("worth", func(x *lci.Exchange) **float64 { return &x.Worth })),
		extra(maybeShare(func(x *lci.Exchange) **float64 { return &x.Share })),
	},
	complete: nameFlow,
	id:       func(x *lci.Exchange) *lci.ID { return &x.ID },
	key: func(x *lci.Exchange) lci.ID {
		return lci.DerivedID("exchange", x.ProcessID.String(), string(x.Direction),
			x.FlowID.String(), x.MaterialID.String(), x.Name, x.Unit)
	},
	repeats:  true,
	parent:   func(x *lci.Exchange) lci.ID { return x.ProcessID },
	position: func(x *lci.Exchange) *int { return &x.Position },
	inspect:  (*checker).exchange,

	write: ingest.Writer.Exchange,
	rows:  export.Source.Exchanges,
	count: func(c *export.Counts) *int { return &c.Exchanges },
}

// nameFlow gives an exchange without a flow id one. Only a reference product
// gets its material's id: for other exchanges the material may be hidden from a
// team, and the flow's id must not reveal it.
func nameFlow(x *lci.Exchange) {
	switch {
	case !x.FlowID.IsZero():
	case x.Reference && !x.MaterialID.IsZero():
		x.FlowID = x.MaterialID
	default:
		x.FlowID = lci.DerivedID("flow", x.Name, x.Unit, string(x.Type))
	}
}

var allocations = table[lci.Allocation]{
	file:  "allocations.csv",
	kind:  ingest.Allocations,
	extra: true,
	columns: []column[lci.Allocation]{
		required(reference("process_id", ingest.Processes, func(a *lci.Allocation) *lci.ID { return &a.ProcessID })),
		required(uuid("product_id", func(a *lci.Allocation) *lci.ID { return &a.ProductID })),
		required(reference("exchange_id", ingest.Exchanges, func(a *lci.Allocation) *lci.ID { return &a.ExchangeID })),
		required(share(func(a *lci.Allocation) *float64 { return &a.Share })),
	},
	key: func(a *lci.Allocation) lci.ID {
		return lci.DerivedID("allocation", a.ProductID.String(), a.ExchangeID.String())
	},
	inspect: (*checker).allocation,

	write: ingest.Writer.Allocation,
	rows:  export.Source.Allocations,
	count: func(c *export.Counts) *int { return &c.Allocations },
}

var impacts = table[lci.Impact]{
	file: "impacts.csv",
	kind: ingest.Impacts,
	columns: []column[lci.Impact]{
		uuid("id", func(i *lci.Impact) *lci.ID { return &i.ID }),
		required(reference("process_id", ingest.Processes, func(i *lci.Impact) *lci.ID { return &i.ProcessID })),
		required(reference("method_id", ingest.Methods, func(i *lci.Impact) *lci.ID { return &i.MethodID })),
		text("impact_category", func(i *lci.Impact) *string { return &i.Category }),
		required(title("indicator", func(i *lci.Impact) *string { return &i.Indicator })),
		required(number("value", func(i *lci.Impact) *float64 { return &i.Value })),
		required(text("unit", func(i *lci.Impact) *string { return &i.Unit })),
		extra(calculated()),
		boolean("deleted", func(i *lci.Impact) *bool { return &i.Deleted }),
	},
	id: func(i *lci.Impact) *lci.ID { return &i.ID },
	key: func(i *lci.Impact) lci.ID {
		return lci.DerivedID("impact", i.ProcessID.String(), i.MethodID.String(), i.Category, i.Indicator)
	},
	parent:   func(i *lci.Impact) lci.ID { return i.ProcessID },
	position: func(i *lci.Impact) *int { return &i.Position },

	write: ingest.Writer.Impact,
	rows:  export.Source.Impacts,
	count: func(c *export.Counts) *int { return &c.Impacts },
}

// calculated marks a calculated row. Its completeness is not written because the
// next calculation determines it again.
func calculated() column[lci.Impact] {
	return column[lci.Impact]{
		name: "calculated",
		parse: func(i *lci.Impact, cell string) error {
			yes, err := parseBoolean(cell)
			if yes {
				i.Completeness = &lci.Completeness{}
			}
			return err
		},
		format: func(i *lci.Impact) string { return strconv.FormatBool(i.Completeness != nil) },
	}
}
