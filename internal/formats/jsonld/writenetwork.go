package jsonld

import (
	"math"

	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/lci"
)

// network is the part of a pack that depends on the calculation.
type network struct {
	*calculation.Network
	goods     map[lci.ID]good // by the exchange of the product
	nature    map[lci.ID]calculation.ElementaryFlow
	effective map[lci.ID][]lci.Factor // by indicator
}

func (j *writer) readNetwork(of *calculation.Network) {
	n := &network{Network: of, goods: j.goods(of), nature: map[lci.ID]calculation.ElementaryFlow{}, effective: map[lci.ID][]lci.Factor{}}
	for _, f := range of.Flows {
		n.nature[f.ID] = f
		for _, w := range f.Factors {
			id := of.Indicators[w.Indicator].ID
			n.effective[id] = append(n.effective[id], lci.Factor{IndicatorID: id, FlowID: f.ID, Value: w.Value})
		}
	}
	j.network = n
}

// linked writes the effective exchanges of a process, each with its supplier,
// and the products' shares of them.
func (j *writer) linked(out *olcaProcess, p lci.Process, exchanges []lci.Exchange) {
	a, _ := j.network.Activity(p.ID)
	var bears []int // the entries to allocate, by the index of their written exchanges
	for i, x := range exchanges {
		var written olcaExchange
		switch e := &a.Entries[i]; e.Role {
		case calculation.Reference:
			written = j.reference(x, e, &a)
		case calculation.Supplied:
			written = j.supplied(x, e, len(a.Products) == 1)
		case calculation.Nature:
			written = j.natural(x, e)
		case calculation.ByProduct:
			written = j.exchange(j.byProduct(x, &a), false)
		case calculation.Unsupplied:
			if a.Calculated {
				continue
			}
			// It is the reason why the process has no scores, so it is written.
			written = j.exchange(x, false)
			written.Provider = nil
		default:
			continue
		}
		out.Exchanges = append(out.Exchanges, written)
		bears = append(bears, i)
	}
	j.addStated(out, &a)
	for n := range out.Exchanges {
		out.Exchanges[n].InternalID = n + 1
	}
	out.LastID = len(out.Exchanges)
	j.Counts.Exchanges += len(out.Exchanges) - len(exchanges)
	if a.Calculated {
		j.share(out, &a, bears)
	}
}

// reference writes a product, or more of it, as an output, and a treated waste
// as an input.
func (j *writer) reference(x lci.Exchange, e *calculation.Entry, a *calculation.Activity) olcaExchange {
	g, isProduct := j.network.goods[e.Product]
	if !isProduct {
		return j.exchange(x, false)
	}
	amount := e.Amount * g.times
	if g.waste {
		amount = math.Abs(amount)
	}
	out := j.sized(x, g.flow, amount)
	out.Input, out.Reference = g.waste, a.Products[0].Exchange == x.ID
	return out
}

// supplied writes an exchange with another process: an input, or an output of
// waste. openLCA charges every product with all of an avoided one, so that
// beside other products it is written as a negative input.
func (j *writer) supplied(x lci.Exchange, e *calculation.Entry, alone bool) olcaExchange {
	g := j.network.goods[e.Product]
	amount := e.Amount * g.times * g.sides
	avoided := alone && x.Avoided && x.Direction == lci.Input && !g.waste
	if avoided {
		amount = -amount
	}
	out := j.sized(x, g.flow, amount)
	out.Input, out.Avoided = !g.waste, avoided
	out.Provider = &olcaRef{Type: "Process", ID: e.Supplier.String(), Name: j.ProcessNames[e.Supplier]}
	return out
}

// natural writes an elementary exchange on its flow's own side: openLCA takes a
// flow's side from its first exchange.
func (j *writer) natural(x lci.Exchange, e *calculation.Entry) olcaExchange {
	if f := j.Flows[e.Flow]; f.Name == "" {
		f.Name = x.Name
		j.Flows[e.Flow] = f
	}
	out := j.sized(x, e.Flow, e.Amount)
	out.Input = j.network.nature[e.Flow].Resource
	return out
}

// byProduct gives an output without a share its own flow, if the original flow
// is one of the process's products or a waste that another process treats.
func (j *writer) byProduct(x lci.Exchange, a *calculation.Activity) lci.Exchange {
	own := j.Flows[x.FlowID].Type == lci.Waste
	for i := range a.Products {
		own = own || a.Products[i].Flow == x.FlowID
	}
	if own {
		flow := j.Flows[x.FlowID]
		flow.ID, flow.Type = lci.DerivedID("by-product", x.ID.String()), lci.Intermediate
		j.Flows[flow.ID], x.FlowID = flow, flow.ID
	}
	return x
}

// addStated writes the scores of a process without an inventory as flows of
// their own, so that its users get them, too.
func (j *writer) addStated(out *olcaProcess, a *calculation.Activity) {
	for _, w := range a.Stated {
		f := export.StatedFlow(j.network.Indicators[w.Indicator])
		j.Flows[f.ID] = f
		x := lci.Exchange{ID: lci.DerivedID("stated impact", a.ID.String(), f.ID.String()), Direction: lci.Output, FlowID: f.ID, Type: lci.Elementary, Value: w.Value}
		out.Exchanges = append(out.Exchanges, j.sized(x, f.ID, w.Value))
	}
}

// sized writes an exchange as an output of a flow, in that flow's unit.
func (j *writer) sized(x lci.Exchange, flow lci.ID, amount float64) olcaExchange {
	x.Direction, x.FlowID, x.Unit, x.Avoided = lci.Output, flow, j.Flows[flow].Unit, false
	out := j.exchange(x, false)
	out.Input, out.Provider = false, nil
	j.size(&out, x, amount)
	return out
}

// size sets an exchange's amount and scales its uncertainty.
func (j *writer) size(out *olcaExchange, x lci.Exchange, amount float64) {
	out.Amount = amount + 0 // no negative zero
	if x.Value != 0 && amount != x.Value {
		out.Uncertainty = olcaUncertain(export.Scaled(x, amount/x.Value))
	}
}

// share writes the products' shares: one factor for each product or, if they
// differ, one for each exchange. By-products have a share of 0.
func (j *writer) share(out *olcaProcess, a *calculation.Activity, entries []int) {
	products := j.products(out, a)
	if len(products) < 2 {
		return
	}
	method := "PHYSICAL_ALLOCATION"
	for _, p := range products {
		if !p.even(a, entries) {
			method = "CAUSAL_ALLOCATION"
		}
	}
	out.Allocation = method
	for _, p := range products {
		if method == "PHYSICAL_ALLOCATION" {
			out.Allocations = append(out.Allocations, olcaAllocation{"AllocationFactor", method, p.flow, nil, p.share(a, entries)})
			continue
		}
		for n, i := range entries {
			if isShared(a.Entries[i].Role) {
				out.Allocations = append(out.Allocations, olcaAllocation{"AllocationFactor", method, p.flow, &olcaInternal{n + 1}, p.of(i)})
				j.Counts.Allocations++
			}
		}
	}
}

func isShared(role calculation.Role) bool {
	return role == calculation.Supplied || role == calculation.Nature
}

// bearer is a product with a share, or a by-product without one.
type bearer struct {
	flow    olcaRef
	product *calculation.Product
}

func (j *writer) products(out *olcaProcess, a *calculation.Activity) []bearer {
	var all []bearer
	seen := map[string]bool{}
	add := func(flow olcaRef, p *calculation.Product) {
		if !seen[flow.ID] {
			all, seen[flow.ID] = append(all, bearer{flow, p}), true
		}
	}
	for i := range a.Products {
		add(j.flowRef(j.network.goods[a.Products[i].Exchange].flow), &a.Products[i])
	}
	for _, x := range out.Exchanges {
		if !x.Input && x.Flow.FlowType == olcaFlowTypes[lci.Intermediate] {
			add(x.Flow, nil)
		}
	}
	return all
}

func (b bearer) of(entry int) float64 {
	if b.product == nil {
		return 0
	}
	return b.product.Share(entry)
}

// share is a product's share of every exchange; if none counts, of those left
// out.
func (b bearer) share(a *calculation.Activity, entries []int) float64 {
	for _, i := range entries {
		if isShared(a.Entries[i].Role) {
			return b.of(i)
		}
	}
	for i := range a.Entries {
		if a.Entries[i].Role != calculation.Reference {
			return b.of(i)
		}
	}
	return b.of(0)
}

func (b bearer) even(a *calculation.Activity, entries []int) bool {
	share := b.share(a, entries)
	for _, i := range entries {
		if isShared(a.Entries[i].Role) && b.of(i) != share {
			return false
		}
	}
	return true
}
