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

// An Activity is a process as in ecoinvent and Brightway: it makes one product,
// or treats one waste, and has that product's share of the exchanges.
type Activity struct {
	ID      lci.ID
	Process lci.Process
	Product Line
	Lines   []Line
	Share   float64 // the product's share of all exchanges, NaN if they differ; 1 for a single product
	Idle    bool    // it has no scores, and supplies no one
}

// A Line is an exchange of an activity. Its value is negative for a waste to be
// treated, an avoided product, and an elementary flow opposite to its own side.
type Line struct {
	lci.Exchange
	Supplier Supplier // zero if there is none
	Resource bool     // an elementary flow that is taken from nature
}

// A Supplier is an activity as others refer to it.
type Supplier struct {
	ID                            lci.ID
	Name, Product, Unit, Location string
	turned                        bool // it treats what the library has as an output
}

// Activities split a catalogue into activities: as calculated, or one for each
// process as stored.
type Activities struct {
	*Catalogue
	Nature    map[lci.ID]calculation.ElementaryFlow // by its ID
	Stated    map[lci.ID]lci.Indicator              // with stated scores, by the flow that stands for them
	network   *calculation.Network
	suppliers map[lci.ID]Supplier // by the exchange of the product; by process if as stored
	makers    map[lci.ID][]lci.ID // of a flow, as stored
}

// unevaluated replaces parentheses in a location, which Brightway would evaluate
// as Python.
var unevaluated = strings.NewReplacer("(", "[", ")", "]")

// NewActivities finds the suppliers of all products.
func NewActivities(c *Catalogue, network *calculation.Network) (*Activities, error) {
	p := &Activities{Catalogue: c, network: network, Nature: map[lci.ID]calculation.ElementaryFlow{}, Stated: map[lci.ID]lci.Indicator{},
		suppliers: map[lci.ID]Supplier{}, makers: map[lci.ID][]lci.ID{}}
	for i := range c.Processes {
		c.Processes[i].Region = unevaluated.Replace(c.Processes[i].Region)
	}
	if network == nil {
		return p, p.findMakers()
	}
	for _, f := range network.Flows {
		p.Nature[f.ID] = f
	}
	for _, process := range c.Processes {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		p.add(process)
	}
	return p, nil
}

// findMakers finds what processes make as stored.
func (p *Activities) findMakers() error {
	for _, of := range p.Processes {
		p.suppliers[of.ID] = Supplier{ID: of.ID, Name: of.Name, Product: of.Name, Location: of.Region}
	}
	found := map[lci.ID]bool{}
	return each(p.from.Exchanges(p.ctx), func(x lci.Exchange) {
		of, there := p.suppliers[x.ProcessID]
		if !there || !x.IsProduct() {
			return
		}
		x = p.inFlowUnit(x)
		p.makers[x.FlowID] = append(p.makers[x.FlowID], x.ProcessID)
		if !found[x.ProcessID] {
			of.Product, of.Unit = x.Name, x.Unit
			p.suppliers[x.ProcessID], found[x.ProcessID] = of, true
		}
	})
}

// supplierOf is the supplier named by an exchange, else the only process that
// makes the flow.
func (p *Activities) supplierOf(x lci.Exchange) Supplier {
	if x.Type == lci.Elementary || x.IsProduct() {
		return Supplier{}
	}
	if named, there := p.suppliers[x.ProviderID]; there {
		return named
	}
	if makers := p.makers[x.FlowID]; len(makers) == 1 && x.ProviderID.IsZero() {
		return p.suppliers[makers[0]]
	}
	return Supplier{}
}

// add adds what a process makes, with flows for those unknown.
func (p *Activities) add(process lci.Process) {
	a, _ := p.network.Activity(process.ID)
	names := map[lci.ID]string{}
	for _, e := range a.Entries {
		names[e.Exchange] = e.Name
		if e.Role == calculation.Nature {
			p.addNature(e)
		}
	}
	for i, product := range a.Products {
		p.suppliers[product.Exchange] = Supplier{activityID(process.ID, i, product), process.Name, names[product.Exchange], product.Unit, process.Region, product.Treats && product.Amount > 0}
		if f, known := p.Flows[product.Flow]; known && f.Type == lci.Elementary {
			f.Type = lci.Intermediate // an elementary flow has its own id
			p.Flows[product.Flow] = f
		}
	}
	for _, w := range a.Stated {
		of := p.network.Indicators[w.Indicator]
		f := StatedFlow(of)
		p.Stated[f.ID], p.Flows[f.ID] = of, f
	}
}

// StatedFlow stands for a score stated under an indicator, with a factor of 1:
// other programs have no way to state scores.
func StatedFlow(of lci.Indicator) lci.Flow {
	return lci.Flow{ID: lci.DerivedID("stated impact", of.ID.String()), Name: of.Name + ", as stated", Type: lci.Elementary, Compartment: statedCompartment, Unit: of.Unit}
}

const statedCompartment = "Stated impacts"

func (p *Activities) addNature(e calculation.Entry) {
	of := p.Nature[e.Flow]
	f, known := p.Flows[of.Flow]
	if !known {
		f.Name = e.Name
	}
	f.ID, f.Type, f.Unit = of.ID, lci.Elementary, of.Unit
	p.Flows[of.ID] = f
}

// Factors are the effective factors under an indicator: for flows in exchanges
// those matched, for all others the method's own.
func (p *Activities) Factors(of lci.Indicator, own []lci.Factor) []lci.Factor {
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
	if f := StatedFlow(of); p.Stated[f.ID].ID == of.ID {
		all = append(all, lci.Factor{IndicatorID: of.ID, FlowID: f.ID, Value: 1})
	}
	slices.SortStableFunc(all, func(a, b lci.Factor) int { return a.FlowID.Compare(b.FlowID) })
	return all
}

// activityID is the process's id for the product with the scores, and a derived
// one for each further product.
func activityID(process lci.ID, n int, of calculation.Product) lci.ID {
	if n == 0 {
		return process
	}
	return lci.DerivedID("activity", process.String(), of.Exchange.String())
}

// Each calls do for the activities of every process, in the order of processes.
func (p *Activities) Each(do func(Activity) error) error {
	return p.EachProcess(func(process lci.Process, exchanges []lci.Exchange) error {
		for _, a := range p.activities(process, exchanges) {
			if err := do(a); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *Activities) activities(process lci.Process, exchanges []lci.Exchange) []Activity {
	if p.network == nil {
		return []Activity{p.asStored(process, exchanges, p.supplierOf)}
	}
	of, _ := p.network.Activity(process.ID)
	known := make(map[lci.ID]lci.Exchange, len(exchanges))
	for _, x := range exchanges {
		known[x.ID] = x
	}
	var all []Activity
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

// idle is a process without scores, as stored.
func (p *Activities) idle(process lci.Process, exchanges []lci.Exchange, of calculation.Activity) Activity {
	suppliers := map[lci.ID]lci.ID{}
	for _, e := range of.Entries {
		if e.Role == calculation.Supplied {
			suppliers[e.Exchange] = p.suppliers[e.Product].ID
		}
	}
	a := p.asStored(process, exchanges, func(x lci.Exchange) Supplier { return Supplier{ID: cmp.Or(suppliers[x.ID], x.ProviderID)} })
	a.Idle = true
	return a
}

func (p *Activities) asStored(process lci.Process, exchanges []lci.Exchange, supplier func(lci.Exchange) Supplier) Activity {
	a := Activity{ID: process.ID, Process: process, Share: 1, Idle: true}
	for _, x := range exchanges {
		l := Line{Exchange: x, Resource: IsResource(p.Flows[x.FlowID])}
		if x.IsProduct() && a.Product.ID.IsZero() {
			a.Product, a.Idle = l, false
			continue
		}
		l.Supplier = supplier(x)
		a.Lines = append(a.Lines, l)
	}
	return a
}

// activity is a process as the producer of one of its products.
func (p *Activities) activity(process lci.Process, of calculation.Activity, n int, known map[lci.ID]lci.Exchange) Activity {
	product := &of.Products[n]
	by := p.suppliers[product.Exchange]
	a := Activity{ID: by.ID, Process: process, Product: Line{Exchange: known[product.Exchange], Supplier: by}}
	if a.Product.Type == lci.Elementary {
		a.Product.Type = lci.Intermediate
	}
	a.amend(&a.Product, product.Flow, product.Unit, product.Amount)
	shares := map[float64]bool{}
	for i, e := range of.Entries {
		l := Line{Exchange: known[e.Exchange]}
		share := product.Share(i)
		switch e.Role {
		case calculation.Supplied:
			l.Supplier = p.suppliers[e.Product]
			l.Name, l.Direction, l.Type = l.Supplier.Product, lci.Input, lci.Intermediate
			if !l.Avoided {
				share = -share
			}
		case calculation.Nature:
			l.Resource, l.Direction, l.Avoided = p.Nature[e.Flow].Resource, lci.Output, false
			if l.Resource {
				l.Direction = lci.Input
			}
		default:
			continue
		}
		a.amend(&l, e.Flow, e.Unit, share*e.Amount)
		a.Lines = append(a.Lines, l)
		shares[math.Abs(share)] = true
	}
	if n == 0 {
		a.Lines = append(a.Lines, p.statedLines(process.ID, of.Stated)...)
	}
	a.Share = common(shares, len(of.Products))
	return a
}

// common is the share of all exchanges, NaN if they differ.
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

func (p *Activities) statedLines(process lci.ID, scores []calculation.Weight) []Line {
	var all []Line
	for _, w := range scores {
		f := StatedFlow(p.network.Indicators[w.Indicator])
		all = append(all, Line{Exchange: lci.Exchange{
			ID: lci.DerivedID("stated impact", process.String(), f.ID.String()), ProcessID: process, FlowID: f.ID, Name: f.Name, Unit: f.Unit,
			Type: lci.Elementary, Direction: lci.Output, Value: w.Value,
		}})
	}
	return all
}

// amend sets the effective flow, unit and amount of a line. For a further
// product it also gets a new id.
func (a *Activity) amend(l *Line, flow lci.ID, unit string, amount float64) {
	if l.Supplier.turned {
		amount = -amount
	}
	amount += 0 // no negative zero
	if l.Value == 0 {
		l.Distribution = lci.Certain
	} else {
		l.Exchange = scaledBy(l.Exchange, amount/l.Value)
	}
	if a.ID != a.Process.ID {
		l.ID = lci.DerivedID("exchange", a.ID.String(), l.ID.String())
	}
	l.ProcessID, l.FlowID, l.Unit, l.Value, l.Share = a.ID, flow, unit, amount, nil
}

// scaledBy is like Scaled, but a zero amount has no uncertainty and a worth has
// no sign.
func scaledBy(x lci.Exchange, k float64) lci.Exchange {
	scaled := Scaled(x, k)
	scaled.Worth = x.Worth
	if k == 0 {
		scaled.Distribution = lci.Certain
	} else if x.Worth != nil {
		worth := *x.Worth / math.Abs(k)
		scaled.Worth = &worth
	}
	return scaled
}
