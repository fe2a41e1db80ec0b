package library

import (
	"slices"

	"cradle/internal/lci"
)

// Rows are built from views only, never from records: a number that a view hides
// has no row.

func (p *Pulled) addMaterial(r *wholeMaterial) {
	m := p.mask.material(&r.MaterialRecord)
	if !m.Revealed {
		return
	}
	p.has[record{Materials, m.ID}] = true
	p.materials = append(p.materials, lci.Material{
		ID:                 m.ID,
		Name:               m.Name,
		Source:             m.Source,
		SourceOrganization: m.SourceOrganization,
		FunctionalUnit:     m.FunctionalUnit,
		Compartment:        m.Compartment,
		RegionalScopes:     m.RegionalScopes,
		DatePublished:      m.DatePublished,
	})
	for i, row := range m.Properties {
		if row.Number.Value != nil {
			p.properties = append(p.properties, propertyRow(m.ID, row, &r.Properties[i]))
		}
	}
	for i := range r.impacts {
		if row := p.mask.propertyImpact(m.ID, &r.impacts[i]); row.Value != nil {
			p.materialImpacts = append(p.materialImpacts, materialImpactRow(row, &r.impacts[i]))
		}
	}
}

func propertyRow(material lci.ID, row Property, of *lci.Property) lci.Property {
	return lci.Property{
		ID:                 row.ID,
		MaterialID:         material,
		Position:           of.Position,
		Name:               row.Name,
		Value:              *row.Number.Value,
		Unit:               row.Unit,
		Mean:               row.Number.Mean,
		StandardDeviation:  row.Number.StandardDeviation,
		Description:        row.Description,
		Source:             row.Source,
		SourceOrganization: row.SourceOrganization,
		DatePublished:      row.DatePublished,
		Price:              of.Price,
	}
}

func materialImpactRow(row PropertyImpact, of *lci.MaterialImpact) lci.MaterialImpact {
	return lci.MaterialImpact{
		ID:         row.ID,
		PropertyID: row.PropertyID,
		MethodID:   row.Method.ID,
		Position:   of.Position,
		Category:   row.Category,
		Indicator:  row.Indicator,
		Value:      *row.Value,
		Unit:       row.Unit,
	}
}

func (p *Pulled) addProcess(r *ProcessRecord) {
	view := p.mask.process(r)
	if !view.Revealed {
		return
	}
	p.has[record{Processes, view.ID}] = true
	p.processes = append(p.processes, lci.Process{
		ID:                 view.ID,
		Name:               view.Name,
		Description:        view.Description,
		Sources:            view.Sources,
		SourceOrganization: view.SourceOrganization,
		Region:             view.Region,
		Boundary:           view.Boundary,
		FunctionalUnit:     view.FunctionalUnit,
		DatePublished:      view.DatePublished,
		Price:              r.Price,
	})
	if slices.ContainsFunc(view.Outputs, func(x Exchange) bool { return x.Number.Value != nil }) {
		p.inventory.Refs = append(p.inventory.Refs, Ref{ID: view.ID})
	}
	for i, row := range view.Impacts {
		if row.Number.Value != nil {
			p.impacts = append(p.impacts, impactRow(view.ID, row, r.Impacts[i].Position))
		}
	}
}

func impactRow(process lci.ID, row Impact, position int) lci.Impact {
	return lci.Impact{
		ID:        row.ID,
		ProcessID: process,
		MethodID:  row.Method.ID,
		Position:  position,
		Category:  row.Category,
		Indicator: row.Indicator,
		Value:     *row.Number.Value,
		Unit:      row.Unit,
	}
}

// exchanges returns the rows of a process in the provider's order.
func (p *Pulled) exchanges(r *ProcessRecord) []lci.Exchange {
	view := p.mask.process(r)
	shown := make(map[lci.ID]Exchange, len(r.Exchanges))
	for _, side := range [][]Exchange{view.Inputs, view.Outputs} {
		for _, x := range side {
			shown[x.ID] = x
		}
	}
	rows := make([]lci.Exchange, 0, len(shown))
	for i := range r.Exchanges {
		if row := shown[r.Exchanges[i].ID]; row.Number.Value != nil {
			rows = append(rows, p.exchangeRow(view.ID, row, &r.Exchanges[i]))
		}
	}
	return rows
}

// exchangeRow names a material or a provider only where the export includes it.
func (p *Pulled) exchangeRow(process lci.ID, row Exchange, of *lci.Exchange) lci.Exchange {
	x := lci.Exchange{
		ID:                row.ID,
		ProcessID:         process,
		Position:          of.Position,
		Direction:         of.Direction,
		FlowID:            of.FlowID,
		Name:              row.Name,
		Value:             *row.Number.Value,
		Unit:              row.Unit,
		Type:              row.Type,
		Reference:         of.Reference,
		Mean:              row.Number.Mean,
		StandardDeviation: row.Number.StandardDeviation,
	}
	if p.has[record{Materials, of.MaterialID}] {
		x.MaterialID = of.MaterialID
	}
	if p.has[record{Processes, of.ProviderID}] {
		x.ProviderID = of.ProviderID
	}
	return x
}
