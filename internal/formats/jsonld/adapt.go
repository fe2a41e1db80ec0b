package jsonld

import (
	"fmt"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// record passes one record on by its type. It tries the type of its folder
// first, so that most records are parsed once.
func (r *reader) record(text []byte, promised string, at inventory.Where) {
	if r.adapt(header{Type: promised}, text, at) {
		return
	}
	var h header
	if err := decode(text, &h); err != nil {
		r.malformed(promised, text, at, err)
		return
	}
	at = h.place(at)
	rank, isRecord := ranks[h.Type]
	switch {
	case !isRecord:
		r.to.Skip(ingest.Kind("records of unknown type"), at, fmt.Sprintf("the type %q is not known", h.Type), "")
	case rank == 4:
		r.skip(plural(h.Type), at)
	default:
		r.adapt(h, text, at)
	}
}

// place adds the record to a place in notes.
func (h *header) place(at inventory.Where) inventory.Where {
	if name := strings.TrimSpace(h.Name); name != "" {
		at.Record = name
	}
	return at
}

func plural(kind string) ingest.Kind {
	switch kind {
	case "":
		return "files"
	case "Process":
		return ingest.Processes
	case "ImpactMethod", "LCIAMethod":
		return ingest.Methods
	case "ImpactCategory", "LCIACategory":
		return ingest.Indicators
	case "UnitGroup":
		return "unit groups"
	case "FlowProperty":
		return "flow properties"
	case "Category":
		return "categories"
	case "ProductSystem":
		return "product systems"
	case "DQSystem":
		return "data quality systems"
	case "SocialIndicator":
		return "social indicators"
	case "Currency":
		return "currencies"
	case "Epd":
		return "EPDs"
	case "NwSet":
		return "weighting sets"
	}
	return ingest.Kind(strings.ToLower(kind) + "s")
}

// adapt parses a record as its type and passes it on. It returns false if it is
// of another type.
func (r *reader) adapt(h header, text []byte, at inventory.Where) bool {
	switch h.Type {
	case "UnitGroup":
		return adapt(r, h, text, at, r.unitGroup)
	case "FlowProperty":
		return adapt(r, h, text, at, r.flowProperty)
	case "Flow":
		return adapt(r, h, text, at, r.flow)
	case "Process":
		return adapt(r, h, text, at, r.process)
	case "ImpactMethod", "LCIAMethod":
		return adapt(r, h, text, at, r.method)
	case "ImpactCategory", "LCIACategory":
		return adapt(r, h, text, at, r.impactCategory)
	case "Parameter":
		return adapt(r, h, text, at, func(p *parameter, at inventory.Where) { r.to.Parameter(p.adapted(at)) })
	case "Location":
		return adapt(r, h, text, at, func(l *location, _ inventory.Where) { r.locations[l.ID] = firstOf(l.Code, l.Name) })
	case "Actor":
		return adapt(r, h, text, at, func(a *header, _ inventory.Where) { r.actors[a.ID] = a.Name })
	case "Source":
		return adapt(r, h, text, at, func(s *cited, _ inventory.Where) { r.sources[s.ID] = s.link() })
	case "Category":
		return adapt(r, h, text, at, func(c *categoryRecord, _ inventory.Where) { r.categories[c.ID] = *c })
	}
	return false
}

// adapt parses a record and passes it to do, if it is of the expected type.
func adapt[T any, P interface {
	*T
	head() *header
}](r *reader, expected header, text []byte, at inventory.Where, do func(*T, inventory.Where)) bool {
	var record T
	if err := decode(text, &record); err != nil {
		r.malformed(expected.Type, text, P(&record).head().place(at), err)
		return true
	}
	h := P(&record).head()
	if h.Type != expected.Type {
		return false
	}
	at = h.place(at)
	if h.ID == "" && h.Type != "Parameter" {
		r.to.Unreadable(plural(h.Type), at, "the record has no @id")
		return true
	}
	do(&record, at)
	return true
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}

// link is a source's URL, or else its citation.
func (s *cited) link() string {
	doi := strings.TrimSpace(s.DOI)
	if doi != "" && !strings.Contains(doi, "://") {
		doi = "https://doi.org/" + doi
	}
	return firstOf(s.URL, doi, s.Text, s.Name)
}

func (r *reader) unitGroup(g *unitGroup, at inventory.Where) {
	group := inventory.UnitGroup{Key: g.ID, Name: g.Name, Where: at}
	for _, u := range g.Units {
		unit := inventory.Unit{Key: u.ID, Name: u.Name, Synonyms: u.Synonyms, Factor: 1, Reference: u.Reference1 || u.Reference2}
		if u.Factor != nil {
			unit.Factor = *u.Factor
		}
		group.Units = append(group.Units, unit)
	}
	r.to.UnitGroup(group)
}

func (r *reader) flowProperty(p *flowProperty, at inventory.Where) {
	r.to.FlowProperty(inventory.FlowProperty{Key: p.ID, Name: p.Name, UnitGroup: p.UnitGroup.id(), Where: at})
}

var kinds = map[string]inventory.Kind{
	"ELEMENTARY_FLOW": inventory.Elementary, "PRODUCT_FLOW": inventory.Product, "WASTE_FLOW": inventory.Waste,
}

func (r *reader) flow(f *flow, at inventory.Where) {
	out := inventory.Flow{
		Key: f.ID, Name: f.Name, Kind: kinds[f.FlowType], CAS: f.CAS, Synonyms: f.Synonyms, Location: r.place(f.Location),
		Version: f.Version, Changed: f.LastChange, Where: at,
	}
	if out.Kind == inventory.Elementary {
		out.Compartment = r.path(f.Category)
	} else {
		out.Classification = r.path(f.Category)
	}
	for _, p := range f.FlowProperties {
		if p.FlowProperty == nil {
			continue
		}
		amount := inventory.FlowAmount{Property: p.FlowProperty.ID, Factor: 1, Reference: p.Reference1 || p.Reference2}
		if p.Factor != nil {
			amount.Factor = *p.Factor
		}
		r.property(p.FlowProperty, at)
		out.Properties = append(out.Properties, amount)
	}
	if f.Description != "" {
		r.to.Drop("descriptions of flows", at)
	}
	if f.Formula != "" {
		r.to.Drop("chemical formulas of flows", at)
	}
	r.to.Flow(out)
}

// mentioned passes on what an exchange or a factor states about a flow.
func (r *reader) mentioned(f *ref, at inventory.Where) {
	out := inventory.Flow{Key: f.ID, Name: f.Name, Kind: kinds[f.FlowType], Unit: f.RefUnit, Mentioned: true, Where: at}
	path := f.CategoryPath
	if len(path) == 0 {
		path = r.path(f.Category)
	}
	if out.Kind == inventory.Elementary {
		out.Compartment = path
	} else {
		out.Classification = path
	}
	r.to.Flow(out)
}

// place is the code of a location, or else its name.
func (r *reader) place(l *ref) string {
	if l == nil {
		return ""
	}
	return firstOf(r.locations[l.ID], l.Name)
}

// path is the path of a category. In schema 1 each refers to its parent.
func (r *reader) path(c category) []string {
	if len(c.Path) > 0 || c.ID == "" {
		return c.Path
	}
	var path []string
	for id := c.ID; len(path) < 32; {
		one, known := r.categories[id]
		if !known {
			break
		}
		path = append([]string{one.Name}, path...)
		if id = one.Parent.id(); id == "" {
			break
		}
	}
	if len(path) == 0 && c.Name != "" {
		return []string{c.Name}
	}
	return path
}

func (p *parameter) adapted(at inventory.Where) inventory.Parameter {
	out := inventory.Parameter{Name: p.Name, Where: at}
	if p.Value != nil {
		out.Value = *p.Value
	}
	if isInput := p.Input1 != nil && *p.Input1 || p.Input2 != nil && *p.Input2; !isInput {
		out.Formula = p.Formula
	}
	return out
}

func (r *reader) method(m *method, at inventory.Where) {
	r.to.Method(inventory.Method{Key: m.ID, Name: m.Name, Version: m.Version, Changed: m.LastChange, Where: at})
	for _, c := range m.Categories {
		if !slices.Contains(r.methods[c.ID], m.ID) {
			r.methods[c.ID] = append(r.methods[c.ID], m.ID)
		}
	}
	for range m.NWSets {
		r.to.Drop("normalisation and weighting sets", at)
	}
}

// lone is the method of impact categories without one.
const lone = "Impact categories without a method"

func (r *reader) impactCategory(c *impactCategory, at inventory.Where) {
	methods := r.methods[c.ID]
	if len(methods) == 0 {
		methods = []string{inventory.Key(lone)}
	}
	factors := r.factors(c, at)
	for _, m := range methods {
		r.to.Indicator(inventory.Indicator{Key: c.ID, Method: m, Name: c.Name, Unit: firstOf(c.Unit1, c.Unit2), Version: c.Version, Changed: c.LastChange, Factors: factors, Where: at})
	}
	if len(c.Parameters) > 0 {
		r.to.Drop("parameters of impact categories", at)
	}
}

func (r *reader) factors(c *impactCategory, at inventory.Where) []inventory.Factor {
	factors := make([]inventory.Factor, 0, len(c.Factors))
	for i, f := range c.Factors {
		if f.Flow.id() == "" {
			r.to.Skip(ingest.Factors, at, fmt.Sprintf("factor %d does not name a flow", i+1), "")
			continue
		}
		r.mentioned(f.Flow, at)
		out := inventory.Factor{
			Flow: f.Flow.ID, Formula: f.Formula, NoAmount: f.Value == nil, Unit: unit(f.Unit), Property: f.FlowProperty.id(), Location: firstOf(r.place(f.Location), f.Location.id()),
		}
		if f.Value != nil {
			out.Amount = *f.Value
		}
		if f.Uncertainty != nil && f.Uncertainty.Distribution != "" && f.Uncertainty.Distribution != "NO_DISTRIBUTION" {
			r.to.Drop("uncertainties of factors", at)
		}
		r.property(f.FlowProperty, at)
		factors = append(factors, out)
	}
	return factors
}

// property passes on the name of a flow property, which may have no record.
func (r *reader) property(p *ref, at inventory.Where) {
	if p.id() != "" {
		r.to.FlowProperty(inventory.FlowProperty{Key: p.ID, Name: p.Name, Where: at})
	}
}

func unit(u *ref) string {
	if u == nil {
		return ""
	}
	return inventory.UnitRef(u.ID, u.Name)
}
