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

// A Catalogue is the part of a library kept in memory while its exchanges, which
// are most of it, are streamed. It has no deleted rows. Counts grow as exchanges
// and factors are read.
type Catalogue struct {
	Counts       Counts
	Flows        map[lci.ID]lci.Flow
	Materials    []lci.Material
	Properties   map[lci.ID][]lci.Property // by material
	Processes    []lci.Process             // by id
	ProcessNames map[lci.ID]string
	Allocations  map[lci.ID][]lci.Allocation // by process
	Impacts      map[lci.ID][]lci.Impact     // by process
	Methods      []lci.Method
	Indicators   map[lci.ID][]lci.Indicator // by method

	ctx     context.Context
	from    Source
	effects map[lci.ID][]lci.MaterialImpact // by property
}

// NewCatalogue reads all of a library except its exchanges and factors.
func NewCatalogue(ctx context.Context, from Source) (*Catalogue, error) {
	c := &Catalogue{ctx: ctx, from: from, Flows: map[lci.ID]lci.Flow{}, Properties: map[lci.ID][]lci.Property{}, effects: map[lci.ID][]lci.MaterialImpact{},
		ProcessNames: map[lci.ID]string{}, Allocations: map[lci.ID][]lci.Allocation{}, Impacts: map[lci.ID][]lci.Impact{}, Indicators: map[lci.ID][]lci.Indicator{}}
	err := cmp.Or(
		each(from.Flows(ctx), func(f lci.Flow) { c.Flows[f.ID] = f }),
		each(from.Methods(ctx), func(m lci.Method) { c.Methods = append(c.Methods, m) }),
		each(from.Indicators(ctx), func(i lci.Indicator) { c.Indicators[i.MethodID] = append(c.Indicators[i.MethodID], i) }),
		each(from.Materials(ctx), c.addMaterial),
		each(from.Properties(ctx), c.addProperty),
		each(from.MaterialImpacts(ctx), func(i lci.MaterialImpact) {
			c.effects[i.PropertyID] = append(c.effects[i.PropertyID], i)
			c.Counts.MaterialImpacts++
		}),
		each(from.Processes(ctx), c.addProcess),
		each(from.Allocations(ctx), func(a lci.Allocation) { c.Allocations[a.ProcessID] = append(c.Allocations[a.ProcessID], a) }),
		each(from.Impacts(ctx), c.addImpact),
	)
	slices.SortFunc(c.Processes, func(a, b lci.Process) int { return a.ID.Compare(b.ID) })
	c.Counts.Methods = len(c.Methods)
	return c, err
}

// each calls do for all rows; each step of NewCatalogue starts only when the
// previous one is finished, because a transaction has only one open result.
func each[T any](rows iter.Seq2[T, error], do func(T)) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		do(row)
	}
	return nil
}

func (c *Catalogue) addMaterial(m lci.Material) {
	if m.Deleted {
		return
	}
	c.Materials = append(c.Materials, m)
	c.Counts.Materials++
	if _, known := c.Flows[m.ID]; !known {
		c.Flows[m.ID] = lci.Flow{ID: m.ID, Name: m.Name, Type: lci.Intermediate, Unit: unitOf(m.FunctionalUnit), Classification: m.Classification}
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

func (c *Catalogue) addProperty(p lci.Property) {
	if p.Deleted {
		return
	}
	c.Properties[p.MaterialID] = append(c.Properties[p.MaterialID], p)
	c.Counts.Properties++
}

// InventoryCounts are the counts of a format without properties.
func (c *Catalogue) InventoryCounts() Counts {
	counts := c.Counts
	counts.Properties, counts.MaterialImpacts = 0, 0
	return counts
}

func (c *Catalogue) addProcess(p lci.Process) {
	if p.Deleted {
		return
	}
	c.Processes = append(c.Processes, p)
	c.ProcessNames[p.ID] = p.Name
	c.Counts.Processes++
}

// addImpact keeps stated impacts. Calculated ones can be recalculated from the
// exported exchanges and factors.
func (c *Catalogue) addImpact(i lci.Impact) {
	if i.Deleted || i.Completeness != nil {
		return
	}
	c.Impacts[i.ProcessID] = append(c.Impacts[i.ProcessID], i)
	c.Counts.Impacts++
}

// EachProcess calls do for every process with its exchanges, which come in the
// order of their processes' ids.
func (c *Catalogue) EachProcess(do func(lci.Process, []lci.Exchange) error) error {
	next, stop := iter.Pull2(c.from.Exchanges(c.ctx))
	defer stop()
	x, err, more := next()
	for _, p := range c.Processes {
		var own []lci.Exchange
		for ; more && err == nil && x.ProcessID.Compare(p.ID) <= 0; x, err, more = next() {
			if x.ProcessID == p.ID {
				own = append(own, c.inFlowUnit(x))
			}
		}
		if err := cmp.Or(err, c.ctx.Err()); err != nil {
			return err
		}
		c.Counts.Exchanges += len(own)
		if err := do(p, own); err != nil {
			return err
		}
	}
	return err
}

// inFlowUnit converts an exchange to the unit of its flow, and adds a flow if it
// is unknown.
func (c *Catalogue) inFlowUnit(x lci.Exchange) lci.Exchange {
	f, known := c.Flows[x.FlowID]
	if !known || f.Unit == "" {
		if !known {
			f = lci.Flow{ID: x.FlowID, Name: x.Name, Type: x.Type}
		}
		f.Unit = x.Unit
		c.Flows[x.FlowID] = f
	}
	if x.Unit == f.Unit {
		return x
	}
	k, ok := units.Factor(x.Unit, f.Unit)
	if !ok {
		return x
	}
	x = Scaled(x, k)
	x.Unit = f.Unit
	return x
}

// Scaled returns an exchange with its amount multiplied.
func Scaled(x lci.Exchange, times float64) lci.Exchange {
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

// FlowIDs are the ids of all flows, sorted.
func (c *Catalogue) FlowIDs() []lci.ID { return slices.SortedFunc(maps.Keys(c.Flows), lci.ID.Compare) }

// EachIndicator calls do for every indicator with its factors.
func (c *Catalogue) EachIndicator(do func(lci.Method, lci.Indicator, []lci.Factor) error) error {
	factors := map[lci.ID][]lci.Factor{}
	err := each(c.from.Factors(c.ctx), func(f lci.Factor) { factors[f.IndicatorID] = append(factors[f.IndicatorID], f) })
	if err != nil {
		return err
	}
	for _, m := range c.Methods {
		for _, i := range c.Indicators[m.ID] {
			c.Counts.Indicators++
			c.Counts.Factors += len(factors[i.ID])
			for _, f := range factors[i.ID] {
				if _, known := c.Flows[f.FlowID]; !known {
					c.Flows[f.FlowID] = lci.Flow{ID: f.FlowID, Name: f.FlowID.String(), Type: lci.Elementary}
				}
			}
			if err := do(m, i, factors[i.ID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Method returns the method with the id.
func (c *Catalogue) Method(id lci.ID) lci.Method {
	at := slices.IndexFunc(c.Methods, func(m lci.Method) bool { return m.ID == id })
	if at < 0 {
		return lci.Method{ID: id}
	}
	return c.Methods[at]
}

// IndicatorID is the id of an impact row's indicator, or a derived one if the
// indicator is not exported.
func (c *Catalogue) IndicatorID(i lci.Impact) lci.ID {
	for _, of := range c.Indicators[i.MethodID] {
		if of.Name == i.Indicator && (i.Category == "" || of.Category == i.Category) {
			return of.ID
		}
	}
	return lci.DerivedID("indicator", i.MethodID.String(), i.Category, i.Indicator)
}
