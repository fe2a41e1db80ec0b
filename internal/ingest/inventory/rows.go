package inventory

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// emit passes on every row, parents first.
func (b *Builder) emit(to ingest.Writer) error {
	for _, step := range []func(ingest.Writer) error{
		b.emitFlows, b.emitMethods, b.emitFactors, b.emitMaterials, b.emitProperties, b.emitProcesses, b.emitExchanges, b.emitAllocations, b.emitImpacts,
	} {
		if err := step(to); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) emitFlows(to ingest.Writer) error {
	for _, f := range b.flows {
		// Another library may know more about a flow of which only the id is
		// known, so it is not stored.
		if f.Mentioned && (f.Kind == Unknown || !f.traded && (!f.used || f.nameless)) {
			continue
		}
		if err := to.Flow(f.row()); err != nil {
			return err
		}
	}
	return nil
}

func (f *flow) row() lci.Flow {
	row := lci.Flow{
		ID: f.id, Name: f.name(), Type: f.Kind.flowType(), CAS: cas(f.CAS), Synonyms: list(f.Synonyms), Unit: f.unit, Edition: f.edition(),
	}
	if f.Mentioned && f.Unit == "" {
		row.Unit = "" // an exchange's unit need not be the flow's own
	}
	if f.Kind == Elementary {
		row.Compartment = compartment(f.Compartment)
	} else {
		row.Classification = path(f.Classification)
	}
	return row
}

// name is the flow's name, "" if only its id is known: another library may know
// more.
func (f *flow) name() string {
	if f.Mentioned && f.Name == f.Key {
		return ""
	}
	return f.Name
}

func (b *Builder) emitMethods(to ingest.Writer) error {
	for _, m := range b.methods {
		if err := to.Method(lci.Method{ID: m.id, Name: m.Name, Version: m.Version, Changed: m.edition().Changed}); err != nil {
			return err
		}
	}
	for _, i := range b.indicators {
		if err := to.Indicator(lci.Indicator{ID: i.id, MethodID: i.method.id, Category: i.Category, Name: i.Name, Unit: i.Unit, Edition: i.edition()}); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) emitFactors(to ingest.Writer) error {
	for _, i := range b.indicators {
		for _, f := range i.factors {
			if f.skip {
				continue
			}
			if err := to.Factor(lci.Factor{IndicatorID: i.id, FlowID: b.flows[f.flow].id, Value: f.amount, Unit: b.flows[f.flow].unit}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *Builder) emitMaterials(to ingest.Writer) error {
	regions := b.regions()
	for i, f := range b.flows {
		if !f.material || b.materialAt[f.id] != nil {
			continue
		}
		row := lci.Material{
			ID: f.id, Name: f.Name, Source: f.Source, FunctionalUnit: functionalUnit(1, f.unit),
			RegionalScopes: sorted(list(append([]string{f.Location}, regions[uint32(i)]...))), Classification: path(f.Classification), Traded: true,
		}
		if err := to.Material(row); err != nil {
			return err
		}
	}
	for _, m := range b.materials {
		if err := to.Material(m.row()); err != nil {
			return err
		}
	}
	return nil
}

func (m *material) row() lci.Material {
	return lci.Material{
		ID: m.id, Name: m.Name, Source: m.Source, SourceOrganization: m.Organization, FunctionalUnit: m.FunctionalUnit,
		RegionalScopes: list(m.Locations), DatePublished: date(m.Date), Classification: path(m.Classification),
	}
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}

// regions are the regions where the materials are made.
func (b *Builder) regions() map[uint32][]string {
	made := map[uint32][]string{}
	for _, p := range b.processes {
		for _, e := range b.exchanges[p.first:p.last] {
			if (e.role == Reference || e.role == CoProduct) && !e.input && p.Location != "" && b.flows[e.flow].material {
				made[e.flow] = append(made[e.flow], p.Location)
			}
		}
	}
	return made
}

func (b *Builder) emitProperties(to ingest.Writer) error {
	for _, f := range b.flows {
		if !f.material || b.materialAt[f.id] != nil {
			continue
		}
		for n, row := range b.knownOf(f) {
			row.Position = n
			if err := to.Property(row); err != nil {
				return err
			}
		}
	}
	for _, m := range b.materials {
		for n, p := range m.Properties {
			if err := to.Property(m.property(n, p)); err != nil {
				return err
			}
		}
	}
	return nil
}

// knownOf are properties computed from the amounts of other quantities in one
// unit of a material: its density, its calorific value.
func (b *Builder) knownOf(f *flow) []lci.Property {
	var rows []lci.Property
	for _, p := range f.Properties {
		property := b.properties[p.Property]
		if p == f.ref || property == nil || property.Name == "" || b.unitOf(p.Property) == "" {
			continue
		}
		value := p.Factor / f.refFactor() / b.unitsPerReference(f)
		if !finite(value) || slices.ContainsFunc(rows, func(r lci.Property) bool { return r.Name == property.Name }) {
			continue
		}
		rows = append(rows, lci.Property{
			ID: lci.DerivedID("property", f.id.String(), property.Name), MaterialID: f.id, Name: property.Name,
			Value: value, Unit: b.unitOf(p.Property) + "/" + f.unit, Price: lci.DefaultPrice,
		})
	}
	of := &material{id: f.id}
	for _, p := range f.known {
		if !slices.ContainsFunc(rows, func(r lci.Property) bool { return r.Name == p.Name }) {
			rows = append(rows, of.property(0, p))
		}
	}
	return rows
}

func (m *material) property(n int, p Property) lci.Property {
	id, ok := lci.ParseID(p.Key)
	if !ok || id.IsZero() {
		key := p.Key
		if key == "" {
			key = p.Name
		}
		id = lci.DerivedID("property", m.id.String(), key)
	}
	return lci.Property{
		ID: id, MaterialID: m.id, Position: n, Name: p.Name, Value: p.Value, Unit: p.Unit, Mean: p.Mean, StandardDeviation: p.SD,
		Description: p.Description, Source: p.Source, DatePublished: date(p.Date), Price: lci.DefaultPrice,
	}
}

func (b *Builder) emitProcesses(to ingest.Writer) error {
	for _, p := range b.processes {
		row := lci.Process{
			ID: p.id, Name: p.Name, Description: p.Description, Sources: list(p.Sources), SourceOrganization: p.Organization,
			Region: p.Location, Boundary: lci.Disaggregated, DatePublished: date(p.Date), Classification: path(p.Classification), Price: lci.DefaultPrice,
			Edition: p.edition(), Sharing: p.sharing,
		}
		if p.System {
			row.Boundary = lci.Aggregated
		}
		if i := b.referenceOf(p); i >= 0 {
			ref := b.row(p, p.first+uint32(i))
			row.FunctionalUnit = functionalUnit(math.Abs(ref.Value), ref.Unit)
		}
		if err := to.Process(row); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) referenceOf(p *process) int {
	return slices.IndexFunc(b.exchanges[p.first:p.last], func(e exchange) bool { return e.role == Reference && !e.skip })
}

// emitExchanges passes on each process's quantitative reference first.
func (b *Builder) emitExchanges(to ingest.Writer) error {
	for _, p := range b.processes {
		position := 0
		write := func(i uint32) error {
			if b.exchanges[i].skip {
				return nil
			}
			row := b.row(p, i)
			row.Position = position
			position++
			return to.Exchange(row)
		}
		reference := b.referenceOf(p)
		if reference >= 0 {
			if err := write(p.first + uint32(reference)); err != nil {
				return err
			}
		}
		for i := p.first; i < p.last; i++ {
			if int(i-p.first) == reference {
				continue
			}
			if err := write(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// row converts an exchange.
func (b *Builder) row(p *process, i uint32) lci.Exchange {
	e := &b.exchanges[i]
	f := b.flows[e.flow]
	row := lci.Exchange{
		ID: e.id, ProcessID: p.id, Direction: lci.Output, FlowID: f.id, Name: f.Name, Unit: f.unit, Type: f.Kind.flowType(),
		Reference: e.role == Reference || e.role == CoProduct, ProviderID: b.providers[e.provider],
	}
	if f.material {
		row.MaterialID = f.id
	}
	k, ok := b.factor(f, b.texts.all[e.unit], b.texts.all[e.property])
	if !ok {
		k, row.Unit = 1, b.unitName(b.texts.all[e.unit])
	}
	per := k // the sign of a worth or a share does not count
	switch {
	case (row.Reference || e.role == more) && e.input:
		k, row.Type = -k, lci.Waste
	case e.role == Avoided && f.Kind == Waste:
		k = -k // it reduces an output
	case e.role == Avoided:
		row.Direction, row.Avoided = lci.Input, true
	case e.input:
		row.Direction = lci.Input
	}
	row.Value = e.amount * k
	if e.spread > 0 {
		b.spreads[e.spread-1].apply(&row, k)
	}
	if e.extra > 0 {
		x := b.extras[e.extra-1]
		row.Share = x.share
		if x.worth != nil {
			row.Worth = pointer(*x.worth / per)
		}
	}
	return row
}

func (b *Builder) emitAllocations(to ingest.Writer) error {
	for _, p := range b.processes {
		products := map[string]bool{}
		for _, i := range b.productsOf(p) {
			products[b.flows[b.exchanges[i].flow].Key] = true
		}
		for i := p.first; i < p.last; i++ {
			e := &b.exchanges[i]
			if e.extra == 0 || e.skip {
				continue
			}
			for _, s := range b.extras[e.extra-1].shares {
				if !products[s.Product] {
					continue
				}
				row := lci.Allocation{ProcessID: p.id, ProductID: identify("flow", s.Product), ExchangeID: e.id, Share: s.Share}
				if err := to.Allocation(row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *Builder) emitImpacts(to ingest.Writer) error {
	for _, p := range b.processes {
		for n, r := range p.Results {
			i := b.indicatorAt[r.Indicator]
			row := lci.Impact{
				ID:        lci.DerivedID("impact", p.id.String(), i.method.id.String(), i.Category, i.Name),
				ProcessID: p.id, MethodID: i.method.id, Position: n, Category: i.Category, Indicator: i.Name, Value: r.Amount, Unit: i.Unit,
			}
			if err := to.Impact(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func functionalUnit(amount float64, unit string) string {
	return strings.TrimSpace(strconv.FormatFloat(amount, 'g', -1, 64) + " " + unit)
}

// list keeps each text once, in a form that can be joined with ";".
func list(texts []string) []string {
	var kept []string
	seen := map[string]bool{"": true}
	for _, t := range texts {
		t = strings.Join(strings.Fields(strings.ReplaceAll(t, ";", ",")), " ")
		if !seen[t] {
			seen[t] = true
			kept = append(kept, t)
		}
	}
	return kept
}

func path(parts []string) string {
	var kept []string
	for _, p := range parts {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			kept = append(kept, strings.ReplaceAll(p, "/", "-"))
		}
	}
	return strings.Join(kept, "/")
}

// cas formats a CAS number without leading zeros.
func cas(s string) string {
	s = strings.TrimSpace(s)
	if t := strings.TrimLeft(s, "0"); t != "" && t[0] != '-' {
		return t
	}
	return s
}

// date returns the day of a date or time, and the first day of a year or month.
func date(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 10 {
		s = s[:10]
	}
	for _, layout := range []string{time.DateOnly, "2006-01", "2006", "02.01.2006", "2006/01/02"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}
