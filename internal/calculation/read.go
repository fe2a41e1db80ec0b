package calculation

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lca"
	"cradle/internal/lci"
)

// reader fills a model.
type reader struct {
	*model
	ctx       context.Context
	from      ingest.Inventory
	processAt map[lci.ID]int32
	flowAt    map[flowKey]int32
	audiences map[string]*audience
	originAt  map[string]int32
}

// flowKey identifies the model's flows; only an elementary flow has an origin.
type flowKey struct {
	id     lci.ID
	origin int32
}

// read reads an inventory.
func read(ctx context.Context, from ingest.Inventory, methods []lci.ID, scatter bool) (*model, error) {
	r := &reader{ctx: ctx, from: from, processAt: map[lci.ID]int32{}, flowAt: map[flowKey]int32{}, audiences: map[string]*audience{}, originAt: map[string]int32{},
		model: &model{
			worth: map[int32]float64{}, share: map[int32]float64{},
			allocated: map[allocated]float64{}, hasAllocated: map[lci.ID]struct{}{},
			described: map[lci.ID]lci.Flow{}, stated: map[cell]stated{}, broughtBy: map[lci.ID][]lci.ID{},
		}}
	if scatter {
		r.scatter = map[int32]lca.Distribution{}
	}
	if err := r.readFlows(); err != nil {
		return nil, fmt.Errorf("read flows: %w", err)
	}
	if err := r.readMethods(methods); err != nil {
		return nil, fmt.Errorf("read methods: %w", err)
	}
	for _, step := range []struct {
		what string
		read func() error
	}{
		{"mappings", r.readMappings}, {"origins", r.readOrigins}, {"processes", r.readProcesses}, {"audiences", r.readAudiences},
		{"exchanges", r.readExchanges}, {"allocations", r.readAllocations}, {"stated impacts", r.readStated},
	} {
		if err := step.read(); err != nil {
			return nil, fmt.Errorf("read %s: %w", step.what, err)
		}
	}
	return r.model, nil
}

func each[T any](rows iter.Seq2[T, error], do func(T) error) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := do(row); err != nil {
			return err
		}
	}
	return nil
}

// readMethods keeps the indicators of methods with factors, in the order of the
// methods.
func (r *reader) readMethods(wanted []lci.ID) error {
	all := map[lci.ID]lci.Method{}
	err := each(r.from.Methods(r.ctx), func(m lci.Method) error {
		if len(wanted) == 0 || slices.Contains(wanted, m.ID) {
			all[m.ID] = m
		}
		return nil
	})
	if err != nil {
		return err
	}
	methodOf := map[lci.ID]lci.ID{}
	var indicators []lci.Indicator
	err = each(r.from.Indicators(r.ctx), func(i lci.Indicator) error {
		if _, ok := all[i.MethodID]; ok {
			methodOf[i.ID] = i.MethodID
			indicators = append(indicators, i)
		}
		return nil
	})
	if err != nil {
		return err
	}
	factors := map[lci.ID][]lci.Factor{} // by indicator
	used := map[lci.ID]bool{}
	err = each(r.from.Factors(r.ctx), func(f lci.Factor) error {
		if method, ok := methodOf[f.IndicatorID]; ok {
			used[method] = true
			factors[f.IndicatorID] = append(factors[f.IndicatorID], f)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for id, m := range all {
		if used[id] {
			r.methods = append(r.methods, m)
		}
	}
	slices.SortFunc(r.methods, func(a, b lci.Method) int {
		return cmp.Or(cmp.Compare(lci.Fold(a.Name), lci.Fold(b.Name)), cmp.Compare(a.Version, b.Version), a.ID.Compare(b.ID))
	})
	r.keepIndicators(indicators, factors)
	return nil
}

func (r *reader) keepIndicators(all []lci.Indicator, factors map[lci.ID][]lci.Factor) {
	at := map[lci.ID]int{}
	for i, m := range r.methods {
		at[m.ID] = i
	}
	for _, i := range all {
		if method, ok := at[i.MethodID]; ok {
			r.indicators = append(r.indicators, indicator{i, method})
		}
	}
	slices.SortFunc(r.indicators, func(a, b indicator) int {
		return cmp.Or(a.method-b.method, cmp.Compare(a.Category, b.Category), cmp.Compare(a.Name, b.Name),
			cmp.Compare(len(factors[b.ID]), len(factors[a.ID])), a.ID.Compare(b.ID))
	})
	r.indicators = slices.CompactFunc(r.indicators, r.alike)
	r.factors = map[lci.ID][]factor{}
	for i, of := range r.indicators {
		for _, f := range factors[of.ID] {
			if value, ok := r.perOwnUnit(f); ok {
				r.factors[f.FlowID] = append(r.factors[f.FlowID], factor{int32(i), value})
			}
		}
	}
}

// perOwnUnit is a factor per unit of its flow as described, which may be by
// another library than the factor's.
func (r *reader) perOwnUnit(f lci.Factor) (float64, bool) {
	flow := r.described[f.FlowID]
	if f.Unit == "" || flow.Unit == "" {
		return f.Value, true
	}
	times, ok := convert(flow.Unit, f.Unit)
	if !ok {
		r.notes.add(ingest.UnknownUnit, cmp.Or(flow.Name, flow.ID.String()), fmt.Sprintf("the factors are per %q, but the flow is in %q; factors left out", f.Unit, flow.Unit),
			"use units of the same kind for both", "")
	}
	return f.Value * times, ok
}

// alike handles indicators whose rows would be the same; the one with the most
// factors is kept.
func (r *reader) alike(a, b indicator) bool {
	same := a.method == b.method && a.Category == b.Category && a.Name == b.Name
	if same {
		r.notes.add(ingest.Doubtful, a.Name, fmt.Sprintf("%q has several indicators with this name in %q; the one with the most factors is used", r.methods[a.method].Name, a.Category), "use one id for it", "")
	}
	return same
}

func (r *reader) readFlows() error {
	return each(r.from.Flows(r.ctx), func(f lci.Flow) error {
		r.described[f.ID] = f
		return nil
	})
}

func (r *reader) readMappings() error {
	return each(r.from.Mappings(r.ctx), func(m flowmatch.Mapping) error {
		r.mappings = append(r.mappings, m)
		return nil
	})
}

func (r *reader) readOrigins() error {
	return each(r.from.Origins(r.ctx), func(o ingest.Origin) error {
		r.broughtBy[o.Record] = append(r.broughtBy[o.Record], o.Library)
		return nil
	})
}

// origin numbers the libraries that brought a process.
func (r *reader) origin(process lci.ID) int32 {
	libraries := r.broughtBy[process]
	key := fmt.Sprint(libraries)
	at, ok := r.originAt[key]
	if !ok {
		at = int32(len(r.origins))
		r.originAt[key] = at
		r.origins = append(r.origins, libraries)
	}
	return at
}

// readProcesses distinguishes processes of the same name by their regions, else
// by their ids.
func (r *reader) readProcesses() error {
	if err := r.readNamed(); err != nil {
		return err
	}
	names, places := map[string]int{}, map[[2]string]int{}
	for _, p := range r.processes {
		names[p.name]++
		places[[2]string{p.name, p.region}]++
	}
	for i := range r.processes {
		p := &r.processes[i]
		switch {
		case names[p.name] == 1:
			p.label = p.name
		case places[[2]string{p.name, p.region}] == 1 && p.region != "":
			p.label = fmt.Sprintf("%s (%s)", p.name, p.region)
		default:
			p.label = fmt.Sprintf("%s (%s)", p.name, p.id)
		}
	}
	return nil
}

func (r *reader) readNamed() error {
	return each(r.from.Processes(r.ctx), func(p lci.Process) error {
		r.processAt[p.ID] = int32(len(r.processes))
		r.processes = append(r.processes, process{id: p.ID, name: p.Name, region: p.Region, origin: r.origin(p.ID), sharing: p.Sharing})
		return nil
	})
}

// readAudiences shares equal audiences between processes.
func (r *reader) readAudiences() error {
	return each(r.from.Audiences(r.ctx), func(a ingest.Audience) error {
		at, ok := r.processAt[a.ProcessID]
		if !ok {
			return nil
		}
		key := fmt.Sprint(a.Teams)
		if r.audiences[key] == nil {
			teams := map[lci.ID]struct{}{}
			for _, team := range a.Teams {
				teams[team] = struct{}{}
			}
			r.audiences[key] = &audience{teams}
		}
		r.processes[at].audience = r.audiences[key]
		return nil
	})
}

func (r *reader) flow(id lci.ID, origin int32) int32 {
	if id.IsZero() {
		return none
	}
	key := flowKey{id, origin}
	at, ok := r.flowAt[key]
	if !ok {
		at = int32(len(r.flows))
		r.flowAt[key] = at
		r.flows = append(r.flows, flow{id: id, origin: origin, row: none})
	}
	return at
}

func (r *reader) readExchanges() error {
	current := none
	err := each(r.from.Exchanges(r.ctx), func(x lci.Exchange) error {
		at, ok := r.processAt[x.ProcessID]
		if !ok {
			return nil
		}
		if at != current {
			if r.processes[at].exchanges.to > 0 {
				return fmt.Errorf("the exchanges of %s come in two parts", x.ProcessID)
			}
			current = at
			r.processes[at].exchanges = place{int32(len(r.exchanges)), int32(len(r.exchanges))}
		}
		r.addExchange(&r.processes[at], at, x)
		return nil
	})
	for i := range r.processes {
		r.addColumns(int32(i))
	}
	return err
}

func (r *reader) addExchange(p *process, at int32, x lci.Exchange) {
	n := int32(len(r.exchanges))
	reference := x.IsProduct()
	origin := int32(0)
	if x.Type == lci.Elementary && !reference {
		origin = p.origin
	}
	e := exchange{
		id: x.ID, value: x.Value, process: at, flow: r.flow(x.FlowID, origin), material: r.flow(x.MaterialID, 0),
		name: r.texts.number(x.Name), unit: r.texts.number(x.Unit), provider: none, supplier: none, moreOf: none, times: 1,
		kind: x.Type, direction: x.Direction, reference: reference, avoided: x.Avoided,
	}
	if !x.ProviderID.IsZero() {
		e.provider = absent
		if provider, ok := r.processAt[x.ProviderID]; ok {
			e.provider = provider
		}
	}
	if e.reference && x.Worth != nil {
		r.worth[n] = *x.Worth
	}
	if e.reference && x.Share != nil {
		r.share[n] = *x.Share
	}
	p.exchanges.to++
	r.exchanges = append(r.exchanges, e)
	if r.scatter != nil {
		r.addScatter(n, x)
	}
}

// addColumns adds a column for each reference product. A product with amount 0
// counts only if it is the quantitative reference.
func (r *reader) addColumns(at int32) {
	p := &r.processes[at]
	p.columns = place{int32(len(r.columns)), int32(len(r.columns))}
	for i := p.exchanges.from; i < p.exchanges.to; i++ {
		if x := &r.exchanges[i]; x.reference && (x.value != 0 || p.columns.len() == 0) {
			r.columns = append(r.columns, column{process: at, exchange: i, amount: x.value})
			p.columns.to++
		}
	}
	for i := p.exchanges.from; i < p.exchanges.to; i++ {
		r.addMore(p, &r.exchanges[i])
		p.inventory = p.inventory || !r.exchanges[i].reference && r.exchanges[i].moreOf == none
	}
}

// addMore adds what a process makes of a product, or treats of a waste, in
// exchanges other than the reference.
func (r *reader) addMore(p *process, x *exchange) {
	for c := p.columns.from; c < p.columns.to && !x.reference && x.direction == lci.Output; c++ {
		product := &r.exchanges[r.columns[c].exchange]
		same := x.flow == product.flow && x.kind == product.kind
		times, ok := convert(r.unitOf(x), r.unitOf(product))
		if same && ok && (x.kind == lci.Intermediate || x.kind == lci.Waste && x.value < 0 && product.value < 0) {
			r.columns[c].amount += x.value * times
			x.moreOf = c
			return
		}
	}
}

func (r *reader) readAllocations() error {
	return each(r.from.Allocations(r.ctx), func(a lci.Allocation) error {
		r.allocated[allocated{a.ProductID, a.ExchangeID}] = a.Share
		r.hasAllocated[a.ExchangeID] = struct{}{}
		return nil
	})
}

// readStated finds the indicators of stated scores. A row without a category
// applies to every indicator with its name.
func (r *reader) readStated() error {
	type key struct {
		method lci.ID
		name   string
	}
	named := map[key][]int32{}
	for i, of := range r.indicators {
		k := key{of.MethodID, of.Name}
		named[k] = append(named[k], int32(i))
	}
	return each(r.from.Stated(r.ctx), func(row lci.Impact) error {
		process, ok := r.processAt[row.ProcessID]
		if !ok {
			return nil
		}
		for _, i := range named[key{row.MethodID, row.Indicator}] {
			if row.Category == "" || row.Category == r.indicators[i].Category {
				r.stated[cell{process, i}] = stated{row.Value, row.Deleted}
			}
		}
		return nil
	})
}
