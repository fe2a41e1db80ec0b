package inventory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// batch is how many ids are looked up in the catalogue at once.
const batch = 1_000

// finish resolves everything once all records are read.
func (b *Builder) finish(ctx context.Context, known ingest.Existing) error {
	b.settleUnitRefs()
	for _, f := range b.flows {
		b.settleUnit(f)
	}
	b.evaluate()
	for _, p := range b.processes {
		b.settleRoles(p)
	}
	b.settleIndicators()
	b.settleUnits()
	for _, f := range b.flows {
		b.settleFlow(f)
	}
	b.leaveOutOverflows()
	if err := b.settleIDs(ctx, known); err != nil {
		return err
	}
	b.settleProviders()
	b.settleExchanges()
	for _, p := range b.processes {
		b.settleSharing(p)
	}
	b.settleFactors()
	b.settlePlaces()
	b.settleResults()
	b.settleMaterials()
	b.dropUnknown()
	b.countRest()
	return nil
}

// settleRoles decides which exchanges are products of a process, and turns those
// on the input side: a treatment has a negative output of waste.
func (b *Builder) settleRoles(p *process) {
	exchanges := b.exchanges[p.first:p.last]
	reference := slices.IndexFunc(exchanges, func(e exchange) bool { return e.role == Reference })
	products := map[uint32]bool{}
	if reference >= 0 {
		products[exchanges[reference].flow] = true
	}
	for i := range exchanges {
		e := &exchanges[i]
		b.flows[e.flow].traded = true
		if e.role == Plain && p.EveryProduct && b.givesProduct(e) {
			e.role = CoProduct
		}
		// A co-product needs an amount and a description.
		if e.role == CoProduct && (e.amount == 0 || b.flows[e.flow].Mentioned) {
			e.role = Plain
		}
		isProduct := e.role == CoProduct || e.role == Reference
		if !isProduct || i == reference {
			continue
		}
		if products[e.flow] {
			e.role = more // repeated exchanges are one product
			continue
		}
		products[e.flow], e.role = true, CoProduct
	}
	if reference < 0 {
		b.settleNoReference(p, exchanges)
	}
}

func (b *Builder) givesProduct(e *exchange) bool {
	switch b.flows[e.flow].Kind {
	case Elementary:
		return false
	case Waste:
		return e.input && e.amount > 0 // a negative input is an output
	}
	return !e.input
}

func (b *Builder) settleNoReference(p *process, exchanges []exchange) {
	first := slices.IndexFunc(exchanges, func(e exchange) bool { return e.role == CoProduct })
	if first < 0 {
		b.Note(ingest.Productless, p.Where, "the process has no reference product, so its inputs and outputs cannot be pulled", "state which product is the reference")
		return
	}
	exchanges[first].role = Reference
	b.Note(ingest.Doubtful, p.Where, fmt.Sprintf("no product is marked as the reference; the first one is used: %q", b.flows[exchanges[first].flow].Name), "")
}

// settleUnits gives a unit to flows without one: their producer's, else that of
// the first record that refers to them.
func (b *Builder) settleUnits() {
	take := func(f *flow, unit string) {
		if f.unit == "" && unit != "" {
			f.unit = b.title(b.unitName(unit), f.Where)
		}
	}
	for _, e := range b.exchanges {
		if e.role == Reference || e.role == CoProduct {
			take(b.flows[e.flow], b.texts.all[e.unit])
		}
	}
	for _, e := range b.exchanges {
		take(b.flows[e.flow], b.texts.all[e.unit])
	}
	for _, i := range b.indicators {
		for _, f := range i.factors {
			take(b.flows[f.flow], b.texts.all[f.unit])
		}
	}
}

// settleFlow completes a flow without a record of its own.
func (b *Builder) settleFlow(f *flow) {
	if f.Name == "" {
		f.Name, f.nameless = strings.ReplaceAll(f.Key, "\x1f", ", "), true
	}
	f.Name = b.title(f.Name, f.Where)
	if !f.traded {
		return
	}
	if f.unit == "" {
		f.unit = lci.Unspecified
	}
	if f.Mentioned {
		b.Note(ingest.Missing, f.Where, fmt.Sprintf("the flow %q is exchanged but not described", f.Name), "add it to the library; until then the data in its exchanges is used")
	} else if f.Kind == Unknown {
		b.Note(ingest.Doubtful, f.Where, fmt.Sprintf("the type of the flow %q is not known; it is used as a product", f.Name), "")
	}
}

// settleIndicators finds each indicator's method and each factor's flow.
func (b *Builder) settleIndicators() {
	taken := map[lci.ID]bool{}
	for _, i := range b.indicators {
		i.method = b.methodAt[i.Method]
		if i.method == nil {
			name := i.Method
			if _, isID := lci.ParseID(name); isID || name == "" {
				name = i.Name
			}
			i.method = b.addMethod(Method{Key: i.Method, Name: name, Where: i.Where})
			b.count(ingest.Methods, 1, 0, 0)
			b.Note(ingest.Missing, i.Where, fmt.Sprintf("the method of the indicator %q is not in the library; it is named %q", i.Name, name), "add the method")
		}
		i.id = identify("indicator", i.Key)
		if _, isID := lci.ParseID(i.Key); !isID || taken[i.id] {
			i.id = lci.DerivedID("indicator", i.method.id.String(), i.Key)
		}
		taken[i.id] = true
	}
}

// settleFactors converts the factors to their flows' units. If there are two for
// one flow, the first counts.
func (b *Builder) settleFactors() {
	for _, i := range b.indicators {
		seen, twice := make(map[uint32]bool, len(i.factors)), 0
		for n := range i.factors {
			f := &i.factors[n]
			if f.skip {
				continue
			}
			of := b.flows[f.flow]
			k, ok := b.factor(of, b.texts.all[f.unit], b.texts.all[f.property])
			switch {
			case !ok:
				f.skip = true
				b.Note(ingest.UnknownUnit, b.whereFactor(i, n), fmt.Sprintf("the factor of %q is per %q, which cannot be converted to %q; left out", of.Name, b.unitName(b.texts.all[f.unit]), of.unit),
					"add the unit or the flow property to the library")
			case seen[f.flow]:
				f.skip = true
				twice++
			default:
				f.amount /= k
			}
			seen[f.flow] = seen[f.flow] || ok
		}
		if twice > 0 {
			b.Note(ingest.Doubtful, i.Where, fmt.Sprintf("%d flows have more than one factor under %q; the first one is used", twice, i.Name), "")
		}
	}
}

// settleResults finds the indicators of stated results. If there are two under
// one indicator, the first counts.
func (b *Builder) settleResults() {
	for _, p := range b.processes {
		stated := map[string]bool{} // by the names of method and indicator
		p.Results = slices.DeleteFunc(p.Results, func(r Result) bool {
			i := b.indicatorAt[r.Indicator]
			switch {
			case i == nil:
				b.Note(ingest.Missing, orElse(r.Where, p.Where), fmt.Sprintf("the result is for the unknown indicator %q; left out", r.Indicator), "add the method")
			case stated[i.row()]:
				b.Note(ingest.Doubtful, orElse(r.Where, p.Where), fmt.Sprintf("another result for %q, %v %s, is left out; the first one is used", i.Name, r.Amount, i.Unit), "state it once")
			default:
				stated[i.row()] = true
				return false
			}
			return true
		})
	}
}

// row identifies an indicator's row among those of a process.
func (i *indicator) row() string { return Key(i.method.id.String(), i.Category, i.Name) }

// settleIDs keeps the exchanges' ids that are unique, and derives the others
// from the flow.
func (b *Builder) settleIDs(ctx context.Context, known ingest.Existing) error {
	seen := map[lci.ID]bool{}
	var given []lci.ID
	for _, p := range b.processes {
		for i := range b.exchanges[p.first:p.last] {
			e := &b.exchanges[p.first+uint32(i)]
			if seen[e.id] {
				e.id = lci.ID{}
			}
			if !e.id.IsZero() {
				seen[e.id] = true
				given = append(given, e.id)
			}
		}
	}
	elsewhere := map[lci.ID]lci.ID{}
	for ids := range slices.Chunk(given, batch) {
		parents, err := known.Parents(ctx, ingest.Exchanges, ids)
		if err != nil {
			return fmt.Errorf("look up exchanges: %w", err)
		}
		for id, parent := range parents {
			elsewhere[id] = parent
		}
	}
	for _, p := range b.processes {
		repeated := map[string]int{}
		for i := range b.exchanges[p.first:p.last] {
			e := &b.exchanges[p.first+uint32(i)]
			if parent, there := elsewhere[e.id]; !e.id.IsZero() && (!there || parent == p.id) {
				continue
			}
			key := fmt.Sprint(e.input, b.flows[e.flow].id)
			e.id = lci.DerivedID("exchange", p.id.String(), key, strconv.Itoa(repeated[key]))
			repeated[key]++
		}
	}
	return nil
}

// settleProviders finds the ids of the processes that exchanges name as
// suppliers, even missing ones, because they may come with another library.
func (b *Builder) settleProviders() {
	b.providers = map[uint32]lci.ID{}
	for _, e := range b.exchanges {
		if _, done := b.providers[e.provider]; !done && e.provider != 0 {
			b.providers[e.provider] = identify("process", b.texts.all[e.provider])
		}
	}
}

// settleExchanges notes what cannot be converted or linked.
func (b *Builder) settleExchanges() {
	for _, p := range b.processes {
		for i := p.first; i < p.last; i++ {
			e := &b.exchanges[i]
			if e.skip {
				continue
			}
			f := b.flows[e.flow]
			if _, ok := b.factor(f, b.texts.all[e.unit], b.texts.all[e.property]); !ok {
				b.Note(ingest.UnknownUnit, b.whereExchange(p, i),
					fmt.Sprintf("%q is given in %q, which cannot be converted to %q; it is kept as given", f.Name, b.unitName(b.texts.all[e.unit]), f.unit),
					"add the unit or the flow property to the library")
			}
		}
	}
}

func (b *Builder) whereExchange(p *process, i uint32) Where {
	at := p.Where
	at.Record = fmt.Sprintf("%s, exchange %d", p.Name, i-p.first+1)
	if line := b.exchanges[i].line; line > 0 {
		at.Line = int(line)
	}
	return at
}

func (b *Builder) whereFactor(i *indicator, n int) Where {
	return Where{File: i.Where.File, Line: max(int(i.factors[n].line), i.Where.Line), Record: fmt.Sprintf("%s, factor %d", i.Name, n+1)}
}

// settleMaterials makes a material of every traded good.
func (b *Builder) settleMaterials() {
	for _, f := range b.flows {
		if b.materialAt[f.id] != nil {
			f.material = true
			continue
		}
		if (f.traded || len(f.Properties) > 1 && len(b.processes) == 0) && f.Kind != Elementary && b.isGood(f) {
			f.material = true
		}
	}
}

// countRest counts what is stored, and notes dropped fields.
func (b *Builder) countRest() {
	rows := &tally{counts: map[ingest.Kind]int{}}
	b.emit(rows)
	for kind := range b.account {
		if _, stored := rows.counts[kind]; !stored {
			rows.counts[kind] = 0
		}
	}
	for kind, n := range rows.counts {
		// Materials and flows also result from records that refer to them.
		read := max(b.account[kind].Read, n)
		b.account[kind] = ingest.Count{Read: read, Stored: n, Skipped: read - n}
	}
	for _, field := range b.dropped {
		d := b.drops[field]
		d.first.Process = "" // it concerns all of them
		b.Note(ingest.Dropped, d.first, fmt.Sprintf("%d %s are not stored in the catalogue", d.count, field), "")
	}
}
