package library

import (
	"hash/fnv"
	"slices"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// mask decides what one viewer sees of one edition.
type mask struct {
	viewer     account.Viewer
	edition    *edition
	holdings   owned
	favourites map[lci.ID]struct{}
	synthetic  bool // this viewer gets stand-ins for the numbers it revealed
}

// number returns the value if it is revealed and hides it otherwise.
func (k *mask) number(revealed bool, id lci.ID, value float64, mean, deviation *float64) Number {
	if !revealed {
		return Number{}
	}
	if k.synthetic {
		return Number{Value: standIn(id, "value"), Mean: replaced(mean, id, "mean"), StandardDeviation: replaced(deviation, id, "deviation")}
	}
	return Number{Value: &value, Mean: mean, StandardDeviation: deviation}
}

// standIn is a number between 1 and 100 that depends only on the row.
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

func (k *mask) favourite(record lci.ID) bool {
	_, ok := k.favourites[record]
	return ok
}

func (k *mask) material(r *MaterialRecord) Material {
	m := Material{
		ID:                 r.ID,
		Name:               r.Name,
		Source:             r.Source,
		SourceOrganization: r.SourceOrganization,
		FunctionalUnit:     r.FunctionalUnit,
		Compartment:        r.Compartment,
		RegionalScopes:     r.RegionalScopes,
		DatePublished:      r.DatePublished,
		Favourite:          k.favourite(r.ID),
		InputTo:            k.processNames(r.InputTo),
		OutputOf:           k.processNames(r.OutputOf),
		Properties:         make([]Property, 0, len(r.Properties)),
	}
	for i := range r.Properties {
		p := k.property(&r.Properties[i])
		m.Revealed = m.Revealed || p.Revealed
		m.Properties = append(m.Properties, p)
	}
	return m
}

func (k *mask) processNames(links []Link) []string {
	names := make([]string, 0, len(links))
	for _, l := range links {
		if k.edition.visible(l.Process, k.viewer.Team) {
			names = append(names, l.Name)
		}
	}
	slices.SortFunc(names, compareNames)
	return slices.Compact(names)
}

func (k *mask) property(p *lci.Property) Property {
	revealed := k.holdings.has(PropertyReveal, p.MaterialID, p.ID)
	return Property{
		ID:                 p.ID,
		Name:               p.Name,
		Number:             k.number(revealed, p.ID, p.Value, p.Mean, p.StandardDeviation),
		Unit:               p.Unit,
		Revealed:           revealed,
		Description:        p.Description,
		Source:             p.Source,
		SourceOrganization: p.SourceOrganization,
		DatePublished:      p.DatePublished,
	}
}

func (k *mask) propertyImpact(material lci.ID, r *lci.MaterialImpact) PropertyImpact {
	revealed := k.holdings.has(PropertyReveal, material, r.PropertyID)
	return PropertyImpact{
		ID:         r.ID,
		PropertyID: r.PropertyID,
		Method:     k.edition.method(r.MethodID),
		Category:   r.Category,
		Indicator:  r.Indicator,
		Value:      k.number(revealed, r.ID, r.Value, nil, nil).Value,
		Unit:       r.Unit,
		Revealed:   revealed,
	}
}

func (k *mask) process(r *ProcessRecord) Process {
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
		Favourite:          k.favourite(r.ID),
		Inputs:             []Exchange{},
		Outputs:            []Exchange{},
		Impacts:            make([]Impact, 0, len(r.Impacts)),
	}
	k.exchanges(r, &p)
	for i := range r.Impacts {
		row := k.impact(&r.Impacts[i])
		p.Revealed = p.Revealed || row.Revealed
		p.Impacts = append(p.Impacts, row)
	}
	return p
}

// exchanges fills a process's rows: a reference product shows its number once it
// is pulled itself, all other rows once any reference product is.
func (k *mask) exchanges(r *ProcessRecord, p *Process) {
	var products, others []Exchange
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.Direction == lci.Output && x.Reference {
			pulled := k.holdings.has(ProductReveal, r.ID, x.FlowID)
			p.Revealed = p.Revealed || pulled
			products = append(products, k.exchange(x, pulled))
		}
	}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		switch {
		case x.Direction == lci.Input && p.Revealed:
			p.Inputs = append(p.Inputs, k.exchange(x, true))
		case x.Direction == lci.Output && !x.Reference:
			others = append(others, k.exchange(x, p.Revealed))
		}
	}
	if len(products) > 0 {
		p.ReferenceProduct = products[0].Reference
	}
	p.Outputs = append(append(p.Outputs, products...), others...)
}

func (k *mask) exchange(x *lci.Exchange, revealed bool) Exchange {
	return Exchange{
		ID:        x.ID,
		Reference: k.reference(x),
		Product:   x.Direction == lci.Output && x.Reference,
		Name:      x.Name,
		Number:    k.number(revealed, x.ID, x.Value, x.Mean, x.StandardDeviation),
		Unit:      x.Unit,
		Type:      x.Type,
	}
}

// reference is the id that an exchange shows for its flow.
func (k *mask) reference(x *lci.Exchange) lci.ID {
	product := x.Direction == lci.Output && x.Reference
	if !product && !x.MaterialID.IsZero() && k.materialVisible(x.MaterialID) {
		return x.MaterialID
	}
	return x.FlowID
}

func (k *mask) materialVisible(id lci.ID) bool {
	_, there := k.edition.names[Materials].position(id)
	return there && k.edition.visible(id, k.viewer.Team)
}

func (k *mask) impact(r *lci.Impact) Impact {
	revealed := k.holdings.has(ImpactReveal, r.ProcessID, r.ID)
	return Impact{
		ID:        r.ID,
		Method:    k.edition.method(r.MethodID),
		Category:  r.Category,
		Indicator: r.Indicator,
		Number:    k.number(revealed, r.ID, r.Value, nil, nil),
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
