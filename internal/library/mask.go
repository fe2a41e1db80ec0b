package library

import (
	"hash/fnv"
	"slices"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// eye is what decides what one viewer sees of one edition.
type eye struct {
	viewer     account.Viewer
	edition    *edition
	holdings   owned
	favourites map[lci.ID]struct{}
	synthetic  bool // this viewer gets stand-ins for the numbers it revealed
}

// number shows a value that is revealed and hides any other.
func (e *eye) number(revealed bool, id lci.ID, value float64, mean, deviation *float64) Number {
	if !revealed {
		return Number{}
	}
	if e.synthetic {
		return Number{Value: standIn(id, "value"), Mean: replaced(mean, id, "mean"), StandardDeviation: replaced(deviation, id, "deviation")}
	}
	return Number{Value: &value, Mean: mean, StandardDeviation: deviation}
}

// standIn is a number between 1 and 100 that depends on nothing but the row.
func standIn(id lci.ID, of string) *float64 {
	h := fnv.New64a()
	h.Write(id[:])
	h.Write([]byte(of))
	n := float64(100+h.Sum64()%9900) / 100
	return &n
}

func replaced(n *float64, id lci.ID, of string) *float64 {
	if n == nil {
		return nil
	}
	return standIn(id, of)
}

func (e *eye) favourite(record lci.ID) bool {
	_, ok := e.favourites[record]
	return ok
}

func (e *eye) material(r *MaterialRecord) Material {
	m := Material{
		ID:                 r.ID,
		Name:               r.Name,
		Source:             r.Source,
		SourceOrganization: r.SourceOrganization,
		FunctionalUnit:     r.FunctionalUnit,
		Compartment:        r.Compartment,
		RegionalScopes:     r.RegionalScopes,
		DatePublished:      r.DatePublished,
		Favourite:          e.favourite(r.ID),
		InputTo:            e.processNames(r.InputTo),
		OutputOf:           e.processNames(r.OutputOf),
		Properties:         make([]Property, 0, len(r.Properties)),
	}
	for i := range r.Properties {
		p := e.property(&r.Properties[i])
		m.Revealed = m.Revealed || p.Revealed
		m.Properties = append(m.Properties, p)
	}
	return m
}

func (e *eye) processNames(links []Link) []string {
	names := make([]string, 0, len(links))
	for _, l := range links {
		if e.edition.visible(l.Process, e.viewer.Team) {
			names = append(names, l.Name)
		}
	}
	slices.SortFunc(names, compareNames)
	return slices.Compact(names)
}

func (e *eye) property(p *lci.Property) Property {
	revealed := e.holdings.has(PropertyReveal, p.MaterialID, p.ID)
	return Property{
		ID:                 p.ID,
		Name:               p.Name,
		Number:             e.number(revealed, p.ID, p.Value, p.Mean, p.StandardDeviation),
		Unit:               p.Unit,
		Revealed:           revealed,
		Description:        p.Description,
		Source:             p.Source,
		SourceOrganization: p.SourceOrganization,
		DatePublished:      p.DatePublished,
	}
}

func (e *eye) propertyImpact(material lci.ID, r *MaterialImpactRecord) PropertyImpact {
	revealed := e.holdings.has(PropertyReveal, material, r.PropertyID)
	return PropertyImpact{
		ID:         r.ID,
		PropertyID: r.PropertyID,
		Method:     r.Method,
		Category:   r.Category,
		Indicator:  r.Indicator,
		Value:      e.number(revealed, r.ID, r.Value, nil, nil).Value,
		Unit:       r.Unit,
		Revealed:   revealed,
	}
}

func (e *eye) process(r *ProcessRecord) Process {
	p := Process{
		ID:                 r.ID,
		Name:               r.Name,
		Description:        r.Description,
		Sources:            r.Sources,
		SourceOrganization: r.SourceOrganization,
		Region:             r.Region,
		Boundary:           r.Boundary,
		FunctionalUnit:     r.FunctionalUnit,
		DatePublished:      r.DatePublished,
		Favourite:          e.favourite(r.ID),
		Inputs:             []Exchange{},
		Outputs:            []Exchange{},
		Impacts:            make([]Impact, 0, len(r.Impacts)),
	}
	e.exchanges(r, &p)
	for i := range r.Impacts {
		row := e.impact(&r.Impacts[i])
		p.Revealed = p.Revealed || row.Revealed
		p.Impacts = append(p.Impacts, row)
	}
	return p
}

// exchanges fills a process's rows: a reference product shows its number once
// it is pulled itself, everything else once any of them is.
func (e *eye) exchanges(r *ProcessRecord, p *Process) {
	var products, others []Exchange
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.Direction == lci.Output && x.Reference {
			pulled := e.holdings.has(ProductReveal, r.ID, x.FlowID)
			p.Revealed = p.Revealed || pulled
			products = append(products, e.exchange(x, pulled))
		}
	}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		switch {
		case x.Direction == lci.Input && p.Revealed:
			p.Inputs = append(p.Inputs, e.exchange(x, true))
		case x.Direction == lci.Output && !x.Reference:
			others = append(others, e.exchange(x, p.Revealed))
		}
	}
	if len(products) > 0 {
		p.ReferenceProduct = products[0].Reference
	}
	p.Outputs = append(append(p.Outputs, products...), others...)
}

func (e *eye) exchange(x *lci.Exchange, revealed bool) Exchange {
	return Exchange{
		ID:        x.ID,
		Reference: e.reference(x),
		Product:   x.Direction == lci.Output && x.Reference,
		Name:      x.Name,
		Number:    e.number(revealed, x.ID, x.Value, x.Mean, x.StandardDeviation),
		Unit:      x.Unit,
		Type:      x.Type,
	}
}

// reference is the id that an exchange shows for what is exchanged.
func (e *eye) reference(x *lci.Exchange) lci.ID {
	product := x.Direction == lci.Output && x.Reference
	if !product && !x.MaterialID.IsZero() && e.materialVisible(x.MaterialID) {
		return x.MaterialID
	}
	return x.FlowID
}

func (e *eye) materialVisible(id lci.ID) bool {
	_, there := e.edition.materials.position(id)
	return there && e.edition.visible(id, e.viewer.Team)
}

func (e *eye) impact(r *ImpactRecord) Impact {
	revealed := e.holdings.has(ImpactReveal, r.ProcessID, r.ID)
	return Impact{
		ID:        r.ID,
		MethodID:  r.MethodID,
		Method:    r.Method,
		Category:  r.Category,
		Indicator: r.Indicator,
		Number:    e.number(revealed, r.ID, r.Value, nil, nil),
		Unit:      r.Unit,
		Revealed:  revealed,
	}
}

// hideFlowBased hides the impacts of a flow-based process on its single reads:
// pulled values do not surface there yet, as the interface documents.
func (p *Process) hideFlowBased() {
	if p.Boundary != lci.Disaggregated {
		return
	}
	for i := range p.Impacts {
		p.Impacts[i].Number, p.Impacts[i].Revealed = Number{}, false
	}
}
