package export

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"cradle/internal/lci"
	"cradle/internal/units"
)

// catalogue is what is held of a library while its exchanges, which are most of
// it, go by. What is deleted is not in it.
type catalogue struct {
	ctx         context.Context
	from        Source
	counts      Counts
	flows       map[lci.ID]lci.Flow
	materials   []lci.Material
	properties  map[lci.ID][]lci.Property
	effects     map[lci.ID][]lci.MaterialImpact // by property
	processes   []lci.Process                   // by id
	names       map[lci.ID]string               // of processes
	allocations map[lci.ID][]lci.Allocation
	impacts     map[lci.ID][]lci.Impact
	methods     []lci.Method
	indicators  map[lci.ID][]lci.Indicator // by method
	products    map[lci.ID]product         // of processes, and
	makers      map[lci.ID][]lci.ID        // of flows, once they are looked for
}

func newCatalogue(ctx context.Context, from Source) (*catalogue, error) {
	c := &catalogue{ctx: ctx, from: from, flows: map[lci.ID]lci.Flow{}, properties: map[lci.ID][]lci.Property{}, effects: map[lci.ID][]lci.MaterialImpact{},
		names: map[lci.ID]string{}, allocations: map[lci.ID][]lci.Allocation{}, impacts: map[lci.ID][]lci.Impact{}, indicators: map[lci.ID][]lci.Indicator{}}
	err := cmp.Or(
		each(from.Flows(ctx), func(f lci.Flow) { c.flows[f.ID] = f }),
		each(from.Methods(ctx), func(m lci.Method) { c.methods = append(c.methods, m) }),
		each(from.Indicators(ctx), func(i lci.Indicator) { c.indicators[i.MethodID] = append(c.indicators[i.MethodID], i) }),
		each(from.Materials(ctx), c.addMaterial),
		each(from.Properties(ctx), c.addProperty),
		each(from.MaterialImpacts(ctx), func(i lci.MaterialImpact) {
			c.effects[i.PropertyID] = append(c.effects[i.PropertyID], i)
			c.counts.MaterialImpacts++
		}),
		each(from.Processes(ctx), c.addProcess),
		each(from.Allocations(ctx), func(a lci.Allocation) { c.allocations[a.ProcessID] = append(c.allocations[a.ProcessID], a) }),
		each(from.Impacts(ctx), c.addImpact),
	)
	slices.SortFunc(c.processes, func(a, b lci.Process) int { return a.ID.Compare(b.ID) })
	c.counts.Methods = len(c.methods)
	return c, err
}

// each goes through rows; every step of newCatalogue starts only when the one
// before it is through, as a transaction has one result open at a time.
func each[T any](rows iter.Seq2[T, error], do func(T)) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		do(row)
	}
	return nil
}

func (c *catalogue) addMaterial(m lci.Material) {
	if m.Deleted {
		return
	}
	c.materials = append(c.materials, m)
	c.counts.Materials++
	if _, known := c.flows[m.ID]; !known {
		c.flows[m.ID] = lci.Flow{ID: m.ID, Name: m.Name, Type: lci.Intermediate, Unit: unitOf(m.FunctionalUnit), Classification: m.Classification}
	}
}

// unitOf is the unit in a functional unit: "1 kg" is per kg.
func unitOf(functional string) string {
	_, unit, _ := strings.Cut(strings.TrimSpace(functional), " ")
	if _, known := units.Find(unit); known {
		return unit
	}
	return ""
}

func (c *catalogue) addProperty(p lci.Property) {
	if p.Deleted {
		return
	}
	c.properties[p.MaterialID] = append(c.properties[p.MaterialID], p)
	c.counts.Properties++
}

// inventory counts what a format keeps that has no place for properties.
func (c *catalogue) inventory() Counts {
	counts := c.counts
	counts.Properties, counts.MaterialImpacts = 0, 0
	return counts
}

func (c *catalogue) addProcess(p lci.Process) {
	if p.Deleted {
		return
	}
	c.processes = append(c.processes, p)
	c.names[p.ID] = p.Name
	c.counts.Processes++
}

// addImpact keeps what is stated. What was calculated here is calculated again
// from the exchanges and factors that are written.
func (c *catalogue) addImpact(i lci.Impact) {
	if i.Deleted || i.Completeness != nil {
		return
	}
	c.impacts[i.ProcessID] = append(c.impacts[i.ProcessID], i)
	c.counts.Impacts++
}

// eachProcess hands over every process with its exchanges, which come in the
// order of their processes' ids.
func (c *catalogue) eachProcess(do func(lci.Process, []lci.Exchange) error) error {
	next, stop := iter.Pull2(c.from.Exchanges(c.ctx))
	defer stop()
	x, err, more := next()
	for _, p := range c.processes {
		var own []lci.Exchange
		for ; more && err == nil && x.ProcessID.Compare(p.ID) <= 0; x, err, more = next() {
			if x.ProcessID == p.ID {
				own = append(own, c.inFlowUnit(x))
			}
		}
		if err := cmp.Or(err, c.ctx.Err()); err != nil {
			return err
		}
		c.counts.Exchanges += len(own)
		if err := do(p, own); err != nil {
			return err
		}
	}
	return err
}

// inFlowUnit gives an exchange in the unit of its flow, and makes a flow of what
// nothing more is known of.
func (c *catalogue) inFlowUnit(x lci.Exchange) lci.Exchange {
	f, known := c.flows[x.FlowID]
	if !known || f.Unit == "" {
		if !known {
			f = lci.Flow{ID: x.FlowID, Name: x.Name, Type: x.Type}
		}
		f.Unit = x.Unit
		c.flows[x.FlowID] = f
	}
	if x.Unit == f.Unit {
		return x
	}
	k, ok := units.Factor(x.Unit, f.Unit)
	if !ok {
		return x
	}
	x = scaled(x, k)
	x.Unit = f.Unit
	return x
}

// scaled is an exchange whose amount is so many times as large.
func scaled(x lci.Exchange, times float64) lci.Exchange {
	product := func(n *float64, times float64) *float64 {
		if n == nil {
			return nil
		}
		larger := *n * times
		return &larger
	}
	x.Value *= times
	x.Mean, x.StandardDeviation = product(x.Mean, times), product(x.StandardDeviation, math.Abs(times))
	x.Minimum, x.Maximum = product(x.Minimum, times), product(x.Maximum, times)
	if times < 0 {
		x.Minimum, x.Maximum = x.Maximum, x.Minimum
	}
	x.Worth = product(x.Worth, 1/times)
	return x
}

// flowIDs are the ids of all flows, in order.
func (c *catalogue) flowIDs() []lci.ID { return slices.SortedFunc(maps.Keys(c.flows), lci.ID.Compare) }

// eachIndicator hands over every indicator with its factors.
func (c *catalogue) eachIndicator(do func(lci.Method, lci.Indicator, []lci.Factor) error) error {
	factors := map[lci.ID][]lci.Factor{}
	err := each(c.from.Factors(c.ctx), func(f lci.Factor) { factors[f.IndicatorID] = append(factors[f.IndicatorID], f) })
	if err != nil {
		return err
	}
	for _, m := range c.methods {
		for _, i := range c.indicators[m.ID] {
			c.counts.Indicators++
			c.counts.Factors += len(factors[i.ID])
			for _, f := range factors[i.ID] {
				if _, known := c.flows[f.FlowID]; !known {
					c.flows[f.FlowID] = lci.Flow{ID: f.FlowID, Name: f.FlowID.String(), Type: lci.Elementary}
				}
			}
			if err := do(m, i, factors[i.ID]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *catalogue) method(id lci.ID) lci.Method {
	at := slices.IndexFunc(c.methods, func(m lci.Method) bool { return m.ID == id })
	if at < 0 {
		return lci.Method{ID: id}
	}
	return c.methods[at]
}

// indicatorID is the id of the indicator that an impact row is of; where the
// indicator is not among what is written, one that says which it is.
func (c *catalogue) indicatorID(i lci.Impact) lci.ID {
	for _, of := range c.indicators[i.MethodID] {
		if of.Name == i.Indicator && (i.Category == "" || of.Category == i.Category) {
			return of.ID
		}
	}
	return lci.DerivedID("indicator", i.MethodID.String(), i.Category, i.Indicator)
}
