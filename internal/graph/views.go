package graph

import (
	"strings"

	"cradle/internal/gql"
	"cradle/internal/lci"
	"cradle/internal/library"
)

// The record types, with the fields that REST has. Their values come masked from
// library; none of them can fail.

var material = gql.Bind("PublicMaterial", gql.Fields[library.Material]{
	"id":                 id(func(m *library.Material) lci.ID { return m.ID }),
	"name":               text(func(m *library.Material) string { return m.Name }),
	"source":             text(func(m *library.Material) string { return m.Source }),
	"sourceOrganization": text(func(m *library.Material) string { return m.SourceOrganization }),
	"functionalUnit":     text(func(m *library.Material) string { return m.FunctionalUnit }),
	"compartment":        text(func(m *library.Material) string { return m.Compartment }),
	"regionalScopes":     text(func(m *library.Material) string { return strings.Join(m.RegionalScopes, ",") }),
	"datePublished":      date(func(m *library.Material) string { return m.DatePublished }),
	"revealed":           flag(func(m *library.Material) bool { return m.Revealed }),
	"deleted":            never[library.Material](),
	"isFavorite":         flag(func(m *library.Material) bool { return m.Favourite }),
	"inputTo":            gql.Get(func(m *library.Material) []string { return m.InputTo }, gql.List(gql.String)),
	"outputOf":           gql.Get(func(m *library.Material) []string { return m.OutputOf }, gql.List(gql.String)),
	"properties":         gql.Get(func(m *library.Material) []library.Property { return m.Properties }, gql.Objects(property)),
	"impacts":            gql.Get(func(m *library.Material) []library.PropertyImpact { return m.Impacts }, gql.Objects(propertyImpact)),
})

var property = gql.Bind("PublicMaterialProperty", gql.Fields[library.Property]{
	"id":                 id(func(p *library.Property) lci.ID { return p.ID }),
	"name":               text(func(p *library.Property) string { return p.Name }),
	"value":              number(func(p *library.Property) *float64 { return p.Number.Value }),
	"unit":               text(func(p *library.Property) string { return p.Unit }),
	"revealed":           flag(func(p *library.Property) bool { return p.Revealed }),
	"deleted":            never[library.Property](),
	"revealType":         gql.Get(revealType, gql.Optional(gql.String)),
	"description":        text(func(p *library.Property) string { return p.Description }),
	"source":             text(func(p *library.Property) string { return p.Source }),
	"sourceOrganization": text(func(p *library.Property) string { return p.SourceOrganization }),
	"datePublished":      date(func(p *library.Property) string { return p.DatePublished }),
	"mean":               number(func(p *library.Property) *float64 { return p.Number.Mean }),
	"standardDeviation":  number(func(p *library.Property) *float64 { return p.Number.StandardDeviation }),
})

var propertyImpact = gql.Bind("PublicMaterialImpact", gql.Fields[library.PropertyImpact]{
	"id":             id(func(i *library.PropertyImpact) lci.ID { return i.ID }),
	"propertyId":     id(func(i *library.PropertyImpact) lci.ID { return i.PropertyID }),
	"method":         text(func(i *library.PropertyImpact) string { return i.Method.Name }),
	"methodId":       id(func(i *library.PropertyImpact) lci.ID { return i.Method.ID }),
	"methodVersion":  text(func(i *library.PropertyImpact) string { return i.Method.Version }),
	"impactCategory": text(func(i *library.PropertyImpact) string { return i.Category }),
	"indicator":      text(func(i *library.PropertyImpact) string { return i.Indicator }),
	"value":          number(func(i *library.PropertyImpact) *float64 { return i.Value }),
	"unit":           text(func(i *library.PropertyImpact) string { return i.Unit }),
	"revealed":       flag(func(i *library.PropertyImpact) bool { return i.Revealed }),
	"deleted":        never[library.PropertyImpact](),
})

var process = gql.Bind("PublicProcess", gql.Fields[library.Process]{
	"id":                  id(func(p *library.Process) lci.ID { return p.ID }),
	"name":                text(func(p *library.Process) string { return p.Name }),
	"description":         text(func(p *library.Process) string { return p.Description }),
	"source":              gql.Get(func(p *library.Process) []string { return p.Sources }, gql.Objects(sourceLink)),
	"sourceOrganization":  text(func(p *library.Process) string { return p.SourceOrganization }),
	"regionRegionalScope": text(func(p *library.Process) string { return p.Region }),
	"processBoundary":     text(func(p *library.Process) string { return string(p.Boundary) }),
	"functionalUnit":      text(func(p *library.Process) string { return p.FunctionalUnit }),
	"datePublished":       date(func(p *library.Process) string { return p.DatePublished }),
	"revealed":            flag(func(p *library.Process) bool { return p.Revealed }),
	"deleted":             never[library.Process](),
	"favorite":            flag(func(p *library.Process) bool { return p.Favourite }),
	"inputs":              gql.Get(func(p *library.Process) []library.Exchange { return p.Inputs }, gql.Objects(exchange)),
	"outputs":             gql.Get(func(p *library.Process) []library.Exchange { return p.Outputs }, gql.Objects(exchange)),
	"impacts":             gql.Get(func(p *library.Process) []library.Impact { return p.Impacts }, gql.Objects(impact)),
	"referenceProductId":  id(func(p *library.Process) lci.ID { return p.ReferenceProduct }),
})

var sourceLink = gql.Bind("PublicSource", gql.Fields[string]{
	"link": text(func(link *string) string { return *link }),
})

var exchange = gql.Bind("PublicExchange", gql.Fields[library.Exchange]{
	"id":                  id(func(x *library.Exchange) lci.ID { return x.ID }),
	"referenceId":         id(func(x *library.Exchange) lci.ID { return x.Reference }),
	"name":                text(func(x *library.Exchange) string { return x.Name }),
	"value":               number(func(x *library.Exchange) *float64 { return x.Number.Value }),
	"mean":                number(func(x *library.Exchange) *float64 { return x.Number.Mean }),
	"standardDeviation":   number(func(x *library.Exchange) *float64 { return x.Number.StandardDeviation }),
	"unit":                text(func(x *library.Exchange) string { return x.Unit }),
	"exchangeTypeDetails": text(func(x *library.Exchange) string { return string(x.Type) }),
})

var impact = gql.Bind("PublicProcessImpact", gql.Fields[library.Impact]{
	"id":                id(func(i *library.Impact) lci.ID { return i.ID }),
	"method":            text(func(i *library.Impact) string { return i.Method.Name }),
	"methodId":          id(func(i *library.Impact) lci.ID { return i.Method.ID }),
	"methodVersion":     text(func(i *library.Impact) string { return i.Method.Version }),
	"impactCategory":    text(func(i *library.Impact) string { return i.Category }),
	"indicator":         text(func(i *library.Impact) string { return i.Indicator }),
	"value":             number(func(i *library.Impact) *float64 { return i.Number.Value }),
	"unit":              text(func(i *library.Impact) string { return i.Unit }),
	"revealed":          flag(func(i *library.Impact) bool { return i.Revealed }),
	"deleted":           never[library.Impact](),
	"mean":              number(func(i *library.Impact) *float64 { return i.Number.Mean }),
	"standardDeviation": number(func(i *library.Impact) *float64 { return i.Number.StandardDeviation }),
})

var method = gql.Bind("PublicImpactMethod", gql.Fields[library.Method]{
	"id":      id(func(m *library.Method) lci.ID { return m.ID }),
	"name":    text(func(m *library.Method) string { return m.Name }),
	"version": text(func(m *library.Method) string { return m.Version }),
})

func id[T any](of func(*T) lci.ID) gql.Field[T] {
	return gql.Get(func(v *T) string { return of(v).String() }, gql.ID)
}

func text[T any](of func(*T) string) gql.Field[T] { return gql.Get(of, gql.String) }

func flag[T any](of func(*T) bool) gql.Field[T] { return gql.Get(of, gql.Boolean) }

// never is a field that is always false.
func never[T any]() gql.Field[T] { return flag(func(*T) bool { return false }) }

func number[T any](of func(*T) *float64) gql.Field[T] { return gql.Get(of, gql.Optional(gql.Float)) }

// date is null when unknown.
func date[T any](of func(*T) string) gql.Field[T] {
	return gql.Get(func(v *T) *string {
		if text := of(v); text != "" {
			return &text
		}
		return nil
	}, gql.Optional(gql.String))
}

var pulled = "pulled"

func revealType(p *library.Property) *string {
	if !p.Revealed {
		return nil
	}
	return &pulled
}
