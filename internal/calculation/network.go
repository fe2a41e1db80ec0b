package calculation

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// A Network is an inventory as calculated: which process supplies which, how
// exchanges are allocated, and which factors count. Exporters write it for
// programs with rules of their own.
type Network struct {
	// Indicators are those with scores, in the order of their rows.
	Indicators []lci.Indicator
	// Flows are the elementary flows in exchanges.
	Flows     []ElementaryFlow
	s         *solution
	processAt map[lci.ID]int32
	flowAt    []int32 // index in Flows of each of the model's flows
}

// ElementaryFlow is an elementary flow with its factors, however they were
// found.
type ElementaryFlow struct {
	ID       lci.ID // different from that of every product and every flow with other factors
	Flow     lci.ID // its id in exchanges
	Unit     string // of its amounts
	Resource bool   // it counts as an input, others as an output
	Factors  []Weight
}

// Weight is a factor, or a score, under an indicator.
type Weight struct {
	Indicator int // among the network's
	Value     float64
}

// An Activity is a process as calculated.
type Activity struct {
	ID         lci.ID
	Calculated bool      // it has calculated rows
	Products   []Product // the first has the scores
	Entries    []Entry   // of all its exchanges, in their order
	Stated     []Weight  // the first product's scores, if the process has no inventory
}

// A Product is a product that a process makes, or a waste that it treats.
type Product struct {
	Exchange lci.ID
	Flow     lci.ID
	Name     string
	Unit     string
	Amount   float64 // total; negative for many treatments
	Batch    float64 // the part in the reference exchange, which the scores are for
	Treats   bool    // it is a waste input
	Supplies bool    // others can take it
	Shares   []float64
}

// Share is the part of an exchange allocated to a product.
func (p *Product) Share(entry int) float64 {
	if p.Shares == nil {
		return 1
	}
	return p.Shares[entry]
}

// Role is the part that an exchange has in the equations.
type Role uint8

const (
	Reference     Role = iota // a product, or more of it
	Supplied                  // taken from another process, or treated by it
	Nature                    // exchanged with nature
	ByProduct                 // an output that no one has to take: not counted
	Unlinked                  // without a supplier: cut off
	Unsupplied                // its supplier has no scores: cut off
	Inconvertible             // an elementary flow in an incompatible unit: left out
)

// An Entry is an exchange as calculated.
type Entry struct {
	Exchange lci.ID
	Name     string
	Role     Role
	Supplier lci.ID // the process that makes the product
	Product  lci.ID // its reference exchange
	Flow     lci.ID // of the product; for an exchange with nature the elementary flow's ID
	Unit     string // of that flow
	// Amount is in Unit. It is positive for a product that is made, negative for
	// one that is used, and positive for an elementary flow on its own side.
	Amount float64
	Times  float64 // converts the exchange's unit to Unit
}

// Omission is an exchange that is not counted or, without an exchange, a process
// without scores.
type Omission struct {
	ProcessID  lci.ID
	Process    string
	ExchangeID lci.ID
	Name       string
	Role       Role
}

// Network links an inventory and calculates it.
func (c *Calculator) Network(ctx context.Context, from ingest.Inventory) (*Network, error) {
	m, err := c.model(ctx, from, nil, false)
	if err != nil {
		return nil, err
	}
	s, err := solve(ctx, m, none)
	if err != nil {
		return nil, err
	}
	n := &Network{s: s, processAt: make(map[lci.ID]int32, len(m.processes)), flowAt: make([]int32, len(m.flows))}
	for i := range m.processes {
		n.processAt[m.processes[i].id] = int32(i)
	}
	for _, of := range m.indicators {
		n.Indicators = append(n.Indicators, of.Indicator)
	}
	n.addFlows()
	return n, nil
}

// addFlows lists the elementary flows. A flow with the id of a product, or of
// another flow with other factors, gets a new id.
func (n *Network) addFlows() {
	products := map[int32]bool{}
	for i := range n.s.exchanges {
		if x := &n.s.exchanges[i]; x.reference || x.kind != lci.Elementary {
			products[x.flow] = true
		}
	}
	taken := map[lci.ID]int{}
	for i := range products {
		taken[n.s.flows[i].id] = 1
	}
	known := map[lci.ID][]int32{} // by the id in exchanges
	for i := range n.s.flows {
		f := &n.s.flows[i]
		n.flowAt[i] = none
		if f.inputs+f.outputs == 0 {
			continue
		}
		flow := ElementaryFlow{ID: f.id, Flow: f.id, Unit: n.s.texts.all[f.unit], Resource: f.resource, Factors: weights(f.factors)}
		if same := slices.IndexFunc(known[f.id], func(at int32) bool { return n.Flows[at].countsAs(&flow) }); same >= 0 {
			n.flowAt[i] = known[f.id][same]
			continue
		}
		if again := taken[f.id]; again > 0 {
			flow.ID = lci.DerivedID("elementary flow", f.id.String(), strconv.Itoa(again))
		}
		taken[f.id]++
		n.flowAt[i] = int32(len(n.Flows))
		known[f.id] = append(known[f.id], n.flowAt[i])
		n.Flows = append(n.Flows, flow)
	}
}

func weights(factors []factor) []Weight {
	var all []Weight
	for _, f := range factors {
		all = append(all, Weight{int(f.indicator), f.value})
	}
	return all
}

func (f *ElementaryFlow) countsAs(other *ElementaryFlow) bool {
	return f.Unit == other.Unit && f.Resource == other.Resource && slices.Equal(f.Factors, other.Factors)
}

// Activity returns a process as calculated, or false if there is none.
func (n *Network) Activity(id lci.ID) (Activity, bool) {
	at, ok := n.processAt[id]
	if !ok {
		return Activity{}, false
	}
	p := &n.s.processes[at]
	a := Activity{ID: id, Calculated: n.calculated(p)}
	for c := p.columns.from; c < p.columns.to; c++ {
		a.Products = append(a.Products, n.product(c))
	}
	for i := p.exchanges.from; i < p.exchanges.to; i++ {
		a.Entries = append(a.Entries, n.entry(&n.s.exchanges[i]))
	}
	for k := range n.Indicators {
		if given, ok := n.s.stated[cell{at, int32(k)}]; ok && !given.deleted && !p.inventory {
			a.Stated = append(a.Stated, Weight{k, given.value})
		}
	}
	return a, true
}

func (n *Network) calculated(p *process) bool {
	return p.inventory && p.columns.len() > 0 && n.s.fate[p.columns.from] != unsolved
}

func (n *Network) product(c int32) Product {
	col := &n.s.columns[c]
	x := &n.s.exchanges[col.exchange]
	return Product{Exchange: x.id, Flow: n.s.flows[x.flow].id, Name: n.s.texts.all[x.name], Unit: n.s.unitOf(x), Amount: col.amount, Batch: x.value,
		Treats: n.s.treats(c), Supplies: n.supplies(c), Shares: col.shares}
}

func (n *Network) supplies(c int32) bool {
	p := &n.s.processes[n.s.columns[c].process]
	return n.s.fate[c] != unsolved && n.s.fate[c] != idle && (p.inventory || c == p.columns.from)
}

func (n *Network) entry(x *exchange) Entry {
	e := Entry{Exchange: x.id, Name: n.s.texts.all[x.name], Role: n.role(x), Times: x.times}
	switch e.Role {
	case Reference:
		if product := n.productOf(x); product != nil {
			times, _ := convert(n.s.unitOf(x), n.s.unitOf(product))
			e.made(n.s, product)
			e.Amount, e.Times = x.value*times, times
		}
	case Supplied:
		e.made(n.s, &n.s.exchanges[n.s.columns[x.supplier].exchange])
		e.Amount = n.s.coefficient(x)
	case Nature:
		flow := &n.Flows[n.flowAt[x.flow]]
		e.Flow, e.Unit, e.Amount = flow.ID, flow.Unit, n.s.natural(x)
	}
	return e
}

// made sets the product that an exchange uses or makes.
func (e *Entry) made(s *solution, product *exchange) {
	e.Supplier, e.Product = s.processes[product.process].id, product.id
	e.Flow, e.Unit = s.flows[product.flow].id, s.unitOf(product)
}

// productOf finds the product that an exchange is, or adds to.
func (n *Network) productOf(x *exchange) *exchange {
	if x.moreOf != none {
		return &n.s.exchanges[n.s.columns[x.moreOf].exchange]
	}
	p := &n.s.processes[x.process]
	for c := p.columns.from; c < p.columns.to; c++ {
		if product := &n.s.exchanges[n.s.columns[c].exchange]; product == x {
			return product
		}
	}
	return nil
}

func (n *Network) role(x *exchange) Role {
	switch {
	case x.reference || n.productOf(x) != nil:
		return Reference
	case x.kind == lci.Elementary && x.unlinked:
		return Inconvertible
	case x.kind == lci.Elementary:
		return Nature
	case x.unlinked:
		return Unlinked
	case x.supplier == none:
		return ByProduct
	case !n.supplies(x.supplier):
		return Unsupplied
	}
	return Supplied
}

// Omissions lists what is not counted, by process.
func (n *Network) Omissions() []Omission {
	var all []Omission
	for i := range n.s.processes {
		p := &n.s.processes[i]
		if p.inventory && !n.calculated(p) {
			all = append(all, Omission{ProcessID: p.id, Process: p.name})
		}
		for at := p.exchanges.from; at < p.exchanges.to; at++ {
			x := &n.s.exchanges[at]
			if role := n.role(x); role >= Unlinked {
				all = append(all, Omission{p.id, p.name, x.id, n.s.texts.all[x.name], role})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Omission) int { return cmp.Compare(lci.Fold(a.Process), lci.Fold(b.Process)) })
	return all
}
