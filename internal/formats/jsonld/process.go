package jsonld

import (
	"slices"
	"strconv"

	"cradle/internal/allocation"
	"cradle/internal/ingest/inventory"
)

func (r *reader) process(p *process, at inventory.Where) {
	d := p.Documentation
	out := inventory.Process{
		Key: p.ID, Name: p.Name, Description: firstOf(p.Description, d.Technology), Location: r.place(p.Location),
		Date: firstOf(d.CreationDate, p.LastChange, d.ValidFrom), Sources: r.cite(d), Organization: r.organization(d), Classification: r.path(p.Category),
		Version: p.Version, Changed: p.LastChange, System: p.ProcessType == "LCI_RESULT", EveryProduct: true, Where: at,
	}
	for i := range p.Parameters {
		out.Parameters = append(out.Parameters, p.Parameters[i].adapted(at))
	}
	out.Exchanges = make([]inventory.Exchange, len(p.Exchanges))
	for i := range p.Exchanges {
		out.Exchanges[i] = r.exchange(&p.Exchanges[i], at)
	}
	r.allocate(p, &out, at)
	r.dropRest(p, at)
	r.to.Process(out)
}

func (r *reader) exchange(x *exchange, at inventory.Where) inventory.Exchange {
	if x.Flow.id() == "" {
		return inventory.Exchange{Flaw: "the exchange does not name a flow"}
	}
	r.mentioned(x.Flow, at)
	r.property(x.FlowProperty, at)
	out := inventory.Exchange{
		ID: x.ID, Flow: x.Flow.id(), Input: x.Input1 || x.Input2, Formula: x.Formula, NoAmount: x.Amount == nil, Unit: unit(x.Unit), Property: x.FlowProperty.id(),
		Provider: x.DefaultProvider.id(), Uncertainty: x.Uncertainty.adapted(),
	}
	if x.Amount != nil {
		out.Amount = *x.Amount
	}
	switch {
	case x.Reference1 || x.Reference2:
		out.Role = inventory.Reference
	case x.Avoided1 || x.Avoided2:
		out.Role = inventory.Avoided
	}
	if x.CostValue != nil && out.Amount != 0 {
		worth := *x.CostValue / out.Amount
		out.Worth = &worth
	}
	return out
}

func (u *uncertainty) adapted() inventory.Uncertainty {
	if u == nil {
		return inventory.Uncertainty{}
	}
	number := func(v *float64) float64 {
		if v == nil {
			return 0
		}
		return *v
	}
	switch u.Distribution {
	case "LOG_NORMAL_DISTRIBUTION":
		return inventory.Lognormal(number(u.GeomMean), number(u.GeomSD))
	case "NORMAL_DISTRIBUTION":
		return inventory.Normal(number(u.Mean), number(u.SD))
	case "TRIANGLE_DISTRIBUTION":
		return inventory.Triangular(number(u.Minimum), number(u.Mode), number(u.Maximum))
	case "UNIFORM_DISTRIBUTION":
		return inventory.Uniform(number(u.Minimum), number(u.Maximum))
	}
	return inventory.Uncertainty{}
}

// cite lists the sources of a process's data.
func (r *reader) cite(d documentation) []string {
	var links []string
	add := func(s *ref) {
		if s != nil {
			links = append(links, firstOf(r.sources[s.ID], s.Name))
		}
	}
	add(d.Publication)
	for i := range d.Sources {
		add(&d.Sources[i])
	}
	return links
}

func (r *reader) organization(d documentation) string {
	name := func(a *ref) string { return firstOf(r.actors[a.id()], a.name()) }
	return firstOf(name(d.Owner), name(d.DataGenerator), name(d.Documentor))
}

// methods are openLCA's names of allocation methods.
var methods = map[string]allocation.Basis{
	"CAUSAL_ALLOCATION": allocation.Causal, "PHYSICAL_ALLOCATION": allocation.Physical, "ECONOMIC_ALLOCATION": allocation.Economic,
}

// allocate passes on a process's allocation: its method, and the factors of
// every method. A causal factor is for one exchange, the others are for a
// product.
func (r *reader) allocate(p *process, out *inventory.Process, at inventory.Where) {
	out.Allocation = methods[p.AllocationMethod]
	places := placesOf(p.Exchanges)
	for _, f := range p.AllocationFactors {
		basis := methods[f.Type]
		if basis == allocation.Unknown || f.Product.id() == "" || f.Value == nil {
			r.to.Drop("allocation factors without a known method, product or value", at)
			continue
		}
		if basis != allocation.Causal {
			out.Shares = append(out.Shares, inventory.ProductShare{Product: f.Product.ID, Basis: basis, Share: *f.Value})
			continue
		}
		i, found := places[named(f.Exchange)]
		if !found {
			r.to.Drop("allocation factors of missing exchanges", at)
			continue
		}
		out.Exchanges[i].Shares = append(out.Exchanges[i].Shares, inventory.Share{Product: f.Product.ID, Share: *f.Value})
	}
}

// A place is how causal factors refer to exchanges.
type place struct{ by, name string }

func named(e *ref) place {
	switch {
	case e == nil:
		return place{}
	case e.InternalID != nil:
		return place{"number", strconv.Itoa(*e.InternalID)}
	case e.ID != "":
		return place{"id", e.ID}
	}
	return place{"flow", e.Flow.id()}
}

// placesOf finds exchanges by any of their names; for a flow the first input,
// because products need no factor.
func placesOf(exchanges []exchange) map[place]int {
	places := map[place]int{}
	for i, x := range slices.Backward(exchanges) {
		if x.InternalID != nil {
			places[place{"number", strconv.Itoa(*x.InternalID)}] = i
		}
		if x.ID != "" {
			places[place{"id", x.ID}] = i
		}
		flow := place{"flow", x.Flow.id()}
		if _, taken := places[flow]; !taken || x.Input1 || x.Input2 {
			places[flow] = i
		}
	}
	return places
}

// dropRest counts fields that the catalogue does not have.
func (r *reader) dropRest(p *process, at inventory.Where) {
	drop := func(is bool, what string) {
		if is {
			r.to.Drop(what, at)
		}
	}
	for i := range p.Exchanges {
		x := &p.Exchanges[i]
		drop(x.Description != "", "comments on exchanges")
		drop(x.DQEntry != "" || x.Pedigree != "", "data quality entries of exchanges")
		drop(x.Location.id() != "", "locations of exchanges")
		drop(x.CostFormula != "" && x.CostValue == nil, "formulas of costs")
	}
	d := p.Documentation
	drop(p.Description != "" && d.Technology != "", "technology descriptions")
	drop(d.Geography != "", "geography descriptions")
	drop(d.Time != "", "time descriptions")
	drop(p.DQEntry != "", "data quality entries of processes")
	drop(len(p.SocialAspects) > 0, "social aspects")
	drop(len(p.ImpactResults) > 0, "impact results without a method")
}
