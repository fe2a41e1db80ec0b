package export

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/lci"
)

// An activity is a process as ecoinvent and Brightway have it: it makes one
// product, or treats one waste, and what it exchanges is what that product bears.
type activity struct {
	id      lci.ID
	process lci.Process
	product line
	lines   []line
	share   float64 // that its product bears of everything, NaN where it depends on what; 1 of a single product
	idle    bool    // it has no scores, and supplies nobody
}

// A line is an exchange of an activity. Its value is negative where a waste is
// given to treatment or a product avoided, and where an elementary flow goes
// against its nature.
type line struct {
	lci.Exchange
	supplier lci.ID // the activity; none of what nobody supplies
	by       made   // what the supplier is known by
	resource bool   // an elementary flow that is taken from nature
}

// made is what others know an activity by.
type made struct {
	activity                      lci.ID
	name, product, unit, location string
	turned                        bool // it treats what the library says it gives
}

// A plan says how a catalogue is cut into activities: as it is calculated, else
// one for each process as it is stored.
type plan struct {
	*catalogue
	network *calculation.Network
	made    map[lci.ID]made                       // by the exchange of the product
	nature  map[lci.ID]calculation.ElementaryFlow // by its ID
	stated  map[lci.ID]lci.Indicator              // of which scores are stated, by what stands for them
}

// unevaluated writes a location without parentheses: Brightway evaluates one that
// has them as Python.
var unevaluated = strings.NewReplacer("(", "[", ")", "]")

func newPlan(c *catalogue, network *calculation.Network) (*plan, error) {
	p := &plan{catalogue: c, network: network, made: map[lci.ID]made{}, nature: map[lci.ID]calculation.ElementaryFlow{}, stated: map[lci.ID]lci.Indicator{}}
	for i := range c.processes {
		c.processes[i].Region = unevaluated.Replace(c.processes[i].Region)
	}
	if network == nil {
		return p, c.findMakers()
	}
	for _, f := range network.Flows {
		p.nature[f.ID] = f
	}
	for _, process := range c.processes {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		p.add(process)
	}
	return p, nil
}

// add finds out what a process makes, and makes flows of what nothing is known of.
func (p *plan) add(process lci.Process) {
	a, _ := p.network.Activity(process.ID)
	names := map[lci.ID]string{}
	for _, e := range a.Entries {
		names[e.Exchange] = e.Name
		if e.Role == calculation.Nature {
			p.addNature(e)
		}
	}
	for i, product := range a.Products {
		p.made[product.Exchange] = made{activityID(process.ID, i, product), process.Name, names[product.Exchange], product.Unit, process.Region, product.Treats && product.Amount > 0}
		if f, known := p.flows[product.Flow]; known && f.Type == lci.Elementary {
			f.Type = lci.Intermediate // of nature it has an id of its own
			p.flows[product.Flow] = f
		}
	}
	for _, w := range a.Stated {
		of := p.network.Indicators[w.Indicator]
		f := statedFlow(of)
		p.stated[f.ID], p.flows[f.ID] = of, f
	}
}

// statedFlow stands for the score that is stated under an indicator, whose factor
// for it is 1: programs that calculate know no other way.
func statedFlow(of lci.Indicator) lci.Flow {
	return lci.Flow{ID: lci.DerivedID("stated impact", of.ID.String()), Name: of.Name + ", as stated", Type: lci.Elementary, Compartment: statedCompartment, Unit: of.Unit}
}

const statedCompartment = "Stated impacts"

func (p *plan) addNature(e calculation.Entry) {
	of := p.nature[e.Flow]
	f, known := p.flows[of.Flow]
	if !known {
		f.Name = e.Name
	}
	f.ID, f.Type, f.Unit = of.ID, lci.Elementary, of.Unit
	p.flows[of.ID] = f
}

// factors are those that count under an indicator: for the flows that are
// exchanged those that were found for them, for all others the method's own.
func (p *plan) factors(of lci.Indicator, own []lci.Factor) []lci.Factor {
	if p.network == nil {
		return own
	}
	at := slices.IndexFunc(p.network.Indicators, func(i lci.Indicator) bool { return i.ID == of.ID })
	exchanged := map[lci.ID]bool{}
	var all []lci.Factor
	for _, f := range p.network.Flows {
		exchanged[f.Flow] = true
		for _, w := range f.Factors {
			if w.Indicator == at {
				all = append(all, lci.Factor{IndicatorID: of.ID, FlowID: f.ID, Value: w.Value})
			}
		}
	}
	for _, f := range own {
		if !exchanged[f.FlowID] {
			all = append(all, f)
		}
	}
	if f := statedFlow(of); p.stated[f.ID].ID == of.ID {
		all = append(all, lci.Factor{IndicatorID: of.ID, FlowID: f.ID, Value: 1})
	}
	slices.SortStableFunc(all, func(a, b lci.Factor) int { return a.FlowID.Compare(b.FlowID) })
	return all
}

// activityID is the process's id for what its scores are for, and a derived one
// for each further product.
func activityID(process lci.ID, n int, of calculation.Product) lci.ID {
	if n == 0 {
		return process
	}
	return lci.DerivedID("activity", process.String(), of.Exchange.String())
}

// eachActivity hands over the activities of every process, in the order of
// processes.
func (p *plan) eachActivity(do func(activity) error) error {
	return p.eachProcess(func(process lci.Process, exchanges []lci.Exchange) error {
		for _, a := range p.activities(process, exchanges) {
			if err := do(a); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *plan) activities(process lci.Process, exchanges []lci.Exchange) []activity {
	if p.network == nil {
		return []activity{p.asStored(process, exchanges, p.supplierOf)}
	}
	of, _ := p.network.Activity(process.ID)
	known := make(map[lci.ID]lci.Exchange, len(exchanges))
	for _, x := range exchanges {
		known[x.ID] = x
	}
	var all []activity
	for i, product := range of.Products {
		if product.Supplies {
			all = append(all, p.activity(process, of, i, known))
		}
	}
	if len(of.Products) == 0 || !of.Products[0].Supplies {
		all = append(all, p.idle(process, exchanges, of))
	}
	return all
}

// idle is a process without scores, as it is stored.
func (p *plan) idle(process lci.Process, exchanges []lci.Exchange, of calculation.Activity) activity {
	suppliers := map[lci.ID]lci.ID{}
	for _, e := range of.Entries {
		if e.Role == calculation.Supplied {
			suppliers[e.Exchange] = p.made[e.Product].activity
		}
	}
	a := p.asStored(process, exchanges, func(x lci.Exchange) lci.ID { return cmp.Or(suppliers[x.ID], x.ProviderID) })
	a.idle = true
	return a
}

func (p *plan) asStored(process lci.Process, exchanges []lci.Exchange, supplier func(lci.Exchange) lci.ID) activity {
	a := activity{id: process.ID, process: process, share: 1, idle: true}
	for _, x := range exchanges {
		l := line{Exchange: x, resource: natureType(p.flows[x.FlowID]) == "natural resource"}
		if isProduct(x) && a.product.ID.IsZero() {
			a.product, a.idle = l, false
			continue
		}
		if l.supplier = supplier(x); !l.supplier.IsZero() {
			of := p.products[l.supplier]
			l.by = made{activity: l.supplier, name: of.activity, product: of.name, unit: of.unit, location: of.location}
		}
		a.lines = append(a.lines, l)
	}
	return a
}

// activity is a process as the maker of one of its products.
func (p *plan) activity(process lci.Process, of calculation.Activity, n int, known map[lci.ID]lci.Exchange) activity {
	product := &of.Products[n]
	by := p.made[product.Exchange]
	a := activity{id: by.activity, process: process, product: line{Exchange: known[product.Exchange], supplier: by.activity, by: by}}
	if a.product.Type == lci.Elementary {
		a.product.Type = lci.Intermediate
	}
	a.amend(&a.product, product.Flow, product.Unit, product.Amount)
	shares := map[float64]bool{}
	for i, e := range of.Entries {
		l := line{Exchange: known[e.Exchange]}
		share := product.Share(i)
		switch e.Role {
		case calculation.Supplied:
			l.by = p.made[e.Product]
			l.supplier, l.Name, l.Direction, l.Type = l.by.activity, l.by.product, lci.Input, lci.Intermediate
			if !l.Avoided {
				share = -share
			}
		case calculation.Nature:
			l.resource, l.Direction, l.Avoided = p.nature[e.Flow].Resource, lci.Output, false
			if l.resource {
				l.Direction = lci.Input
			}
		default:
			continue
		}
		a.amend(&l, e.Flow, e.Unit, share*e.Amount)
		a.lines = append(a.lines, l)
		shares[math.Abs(share)] = true
	}
	if n == 0 {
		a.lines = append(a.lines, p.statedLines(process.ID, of.Stated)...)
	}
	a.share = common(shares, len(of.Products))
	return a
}

// common is the share that everything is borne by, NaN where there are several.
func common(shares map[float64]bool, products int) float64 {
	if products == 1 || len(shares) == 0 {
		return 1
	}
	all := slices.Collect(maps.Keys(shares))
	if len(all) > 1 {
		return math.NaN()
	}
	return all[0]
}

func (p *plan) statedLines(process lci.ID, scores []calculation.Weight) []line {
	var all []line
	for _, w := range scores {
		f := statedFlow(p.network.Indicators[w.Indicator])
		all = append(all, line{Exchange: lci.Exchange{
			ID: lci.DerivedID("stated impact", process.String(), f.ID.String()), ProcessID: process, FlowID: f.ID, Name: f.Name, Unit: f.Unit,
			Type: lci.Elementary, Direction: lci.Output, Value: w.Value,
		}})
	}
	return all
}

// amend gives a line the flow, unit and amount that count. One of a further
// product has an id of its own.
func (a *activity) amend(l *line, flow lci.ID, unit string, amount float64) {
	if l.by.turned {
		amount = -amount
	}
	amount += 0 // no negative zero
	if l.Value == 0 {
		l.Distribution = lci.Certain
	} else {
		l.Exchange = scaledBy(l.Exchange, amount/l.Value)
	}
	if a.id != a.process.ID {
		l.ID = lci.DerivedID("exchange", a.id.String(), l.ID.String())
	}
	l.ProcessID, l.FlowID, l.Unit, l.Value, l.Share = a.id, flow, unit, amount, nil
}

// scaledBy multiplies an exchange's amount with its uncertainty.
func scaledBy(x lci.Exchange, k float64) lci.Exchange {
	if k == 0 {
		x.Distribution = lci.Certain
	}
	for _, n := range []struct {
		of    **float64
		times float64
	}{{&x.Mean, k}, {&x.StandardDeviation, math.Abs(k)}, {&x.Minimum, k}, {&x.Maximum, k}} {
		if *n.of != nil {
			scaled := **n.of * n.times
			*n.of = &scaled
		}
	}
	if x.Worth != nil && k != 0 {
		worth := *x.Worth / math.Abs(k)
		x.Worth = &worth
	}
	if k < 0 {
		x.Minimum, x.Maximum = x.Maximum, x.Minimum
	}
	return x
}
