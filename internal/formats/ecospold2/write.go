package ecospold2

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"

	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/lci"
)

// Write writes the methods, a .spold file for each activity and the flows as
// master data, in ecoinvent's folders. Activities without scores are in a
// separate folder, so that Brightway only finds what it can calculate.
func Write(ctx context.Context, w io.Writer, from export.Source, as *calculation.Network) (export.Counts, error) {
	c, err := export.NewCatalogue(ctx, from)
	if err != nil {
		return export.Counts{}, err
	}
	p, err := export.NewActivities(c, as)
	if err != nil {
		return export.Counts{}, err
	}
	s := &writer{Activities: p, to: export.NewArchive(w)}
	for _, step := range []func() error{s.writeMethods, s.writeActivities, s.writeElementaryFlows, s.writeProducts, s.to.Close} {
		if err := step(); err != nil {
			return export.Counts{}, err
		}
	}
	return s.InventoryCounts(), nil
}

type writer struct {
	*export.Activities
	to       *export.Archive
	out      bytes.Buffer
	products map[lci.ID]export.Line // of activities, by flow
}

const spoldHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02">` + "\n"

func (s *writer) line(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = export.EscapeXML(text)
		}
	}
	fmt.Fprintf(&s.out, format+"\n", args...)
}

// text writes an element in English.
func (s *writer) text(name, content string) {
	if content != "" {
		s.line(`<`+name+` xml:lang="en">%s</`+name+`>`, content)
	}
}

func (s *writer) writeActivities() error {
	s.products = map[lci.ID]export.Line{}
	return s.Each(func(a export.Activity) error {
		s.begin()
		s.line("<activityDataset>")
		s.describe(a)
		s.flowData(a)
		s.administration(a.Process)
		s.line("</activityDataset>")
		s.writeResults(a)
		return s.end(fileOf(a))
	})
}

// fileOf is the path of an activity's file. Its name has the activity and the
// product, as in ecoinvent, for readers that look up the product by it.
func fileOf(a export.Activity) string {
	switch {
	case a.Idle:
		return "uncalculated/" + a.ID.String() + ".spold"
	case a.Product.ID.IsZero():
		return "datasets/" + a.ID.String() + ".spold"
	}
	return "datasets/" + a.ID.String() + "_" + a.Product.FlowID.String() + ".spold"
}

func (s *writer) begin() {
	s.out.Reset()
	s.out.WriteString(spoldHead)
}

func (s *writer) end(name string) error {
	s.line("</ecoSpold>")
	return s.to.Put(name, s.out.Bytes())
}

func (s *writer) describe(a export.Activity) {
	p := a.Process
	kind, nameID := "1", lci.DerivedID("activity name", p.Name)
	if p.Boundary == lci.Aggregated {
		kind = "2"
	}
	s.line("<activityDescription>")
	s.line(`<activity id="%s" activityNameId="%s" type="%s" specialActivityType="0" inheritanceDepth="0">`, a.ID.String(), nameID.String(), kind)
	s.text("activityName", p.Name)
	if text := allocation(a); text != "" {
		s.line(`<allocationComment><text xml:lang="en" index="1">%s</text></allocationComment>`, text)
	}
	if p.Description != "" {
		s.line(`<generalComment><text xml:lang="en" index="1">%s</text></generalComment>`, p.Description)
	}
	s.line("</activity>")
	if p.Classification != "" {
		s.class("EcoSpold01Categories", p.Classification)
	}
	region := p.Region
	if region == "" {
		region = "GLO"
	}
	s.line(`<geography geographyId="%s"><shortname xml:lang="en">%s</shortname></geography>`, lci.DerivedID("geography", region).String(), region)
	s.line(`<technology technologyLevel="0"/>`)
	s.out.WriteString("<timePeriod")
	s.attribute("startDate", p.DatePublished)
	s.attribute("endDate", p.DatePublished)
	s.line(` isDataValidForEntirePeriod="true"/>`)
	s.line(`<macroEconomicScenario macroEconomicScenarioId="d9f57f0a-a01f-42eb-a57b-8f18d6635801"><name xml:lang="en">Business-as-Usual</name></macroEconomicScenario>`)
	s.line("</activityDescription>")
}

// allocation describes the activity's share of a process with several products.
func allocation(a export.Activity) string {
	switch {
	case a.Share == 1:
		return ""
	case math.IsNaN(a.Share):
		return "The amounts are the share of this product in each exchange of the process"
	}
	return fmt.Sprintf("The amounts are the share of this product: %s of the process", export.Number(export.Rounded(a.Share)))
}

func (s *writer) class(system, value string) {
	s.line(`<classification><classificationSystem xml:lang="en">%s</classificationSystem><classificationValue xml:lang="en">%s</classificationValue></classification>`, system, value)
}

func (s *writer) flowData(a export.Activity) {
	s.line("<flowData>")
	if !a.Product.ID.IsZero() {
		s.exchange(a.Product, "0")
		if _, known := s.products[a.Product.FlowID]; !known {
			s.products[a.Product.FlowID] = a.Product
		}
	}
	for _, elementary := range []bool{false, true} {
		for _, l := range a.Lines {
			if (l.Type == lci.Elementary) == elementary {
				s.exchange(l, "2")
			}
		}
	}
	s.line("</flowData>")
}

func (s *writer) administration(p lci.Process) {
	s.line("<administrativeInformation>")
	person := p.SourceOrganization
	id := lci.DerivedID("person", person).String()
	s.line(`<dataEntryBy personId="%s" personName="%s" personEmail=""/>`, id, person)
	s.line(`<dataGeneratorAndPublication personId="%s" personName="%s" personEmail="" isCopyrightProtected="true" accessRestrictedTo="0" dataPublishedIn="0"/>`, id, person)
	s.out.WriteString(`<fileAttributes majorRelease="1" minorRelease="0" majorRevision="1" minorRevision="0" defaultLanguage="en"`)
	if p.DatePublished != "" {
		s.attribute("creationTimestamp", p.DatePublished+"T00:00:00")
		s.attribute("lastEditTimestamp", p.DatePublished+"T00:00:00")
	}
	s.line("/>\n</administrativeInformation>")
}

// exchange writes an exchange as ecoinvent does: an avoided product is a
// negative input. An output other than an elementary one is of the given group.
func (s *writer) exchange(l export.Line, group string) {
	f := s.Flows[l.FlowID]
	amount, element := l.Value, "intermediateExchange"
	if l.Type == lci.Elementary {
		element = "elementaryExchange"
	}
	if l.Avoided {
		amount = -amount
	}
	s.out.WriteString("<" + element)
	s.attribute("id", l.ID.String())
	s.attribute("unitId", lci.DerivedID("unit", l.Unit).String())
	s.attribute("amount", export.Number(amount))
	s.attribute(element+"Id", l.FlowID.String())
	s.attribute("casNumber", f.CAS)
	if group != "0" {
		s.attribute("activityLinkId", l.Supplier.ID.String())
	}
	s.out.WriteString(">\n")
	s.text("name", l.Name)
	s.text("unitName", l.Unit)
	for _, synonym := range f.Synonyms {
		s.text("synonym", synonym)
	}
	s.uncertainty(l.Exchange)
	s.sort(l, f, group)
	s.line("</" + element + ">")
}

func (s *writer) attribute(name, value string) {
	if value != "" {
		fmt.Fprintf(&s.out, ` %s="%s"`, name, export.EscapeXML(value))
	}
}

// sort writes the details of an exchange: its price, class or compartment, and
// its group.
func (s *writer) sort(l export.Line, f lci.Flow, group string) {
	if l.IsProduct() && l.Worth != nil {
		s.line(`<property propertyId="38f94dd1-d5aa-41b8-b182-c0c42985d9dc" amount="%s" unitId="%s"><name xml:lang="en">price</name><unitName xml:lang="en">EUR</unitName></property>`, export.Number(*l.Worth), lci.DerivedID("unit", "EUR").String())
	}
	switch {
	case l.Type == lci.Elementary:
		s.compartment(f, l.Direction == lci.Input)
		group = "4"
	case l.Type == lci.Waste && l.Direction == lci.Output && !l.IsProduct():
		s.class("By-product classification", "Waste")
	case f.Classification != "":
		s.class("EcoSpold01Categories", f.Classification)
	}
	switch {
	case l.Direction == lci.Output:
		s.line("<outputGroup>%s</outputGroup>", group)
	case l.Type == lci.Elementary:
		s.line("<inputGroup>4</inputGroup>")
	default:
		s.line("<inputGroup>5</inputGroup>")
	}
}

// compartment writes the compartment of an elementary flow. Without one, an
// input is a resource.
func (s *writer) compartment(f lci.Flow, taken bool) {
	medium, part := export.Medium(f)
	switch {
	case medium == "" && taken:
		medium = "natural resource"
	case medium == "":
		medium = "unspecified"
	}
	if part == "" {
		part = "unspecified"
	}
	s.line(`<compartment subcompartmentId="%s"><compartment xml:lang="en">%s</compartment><subcompartment xml:lang="en">%s</subcompartment></compartment>`,
		lci.DerivedID("compartment", f.Compartment).String(), medium, part)
}

func (s *writer) uncertainty(x lci.Exchange) {
	switch x.Distribution {
	case lci.Lognormal:
		if mean, sd, ok := export.Geometric(&x); ok && sd > 1 {
			v := math.Pow(math.Log(sd), 2)
			s.line(`<uncertainty><lognormal meanValue="%s" mu="%s" variance="%s" varianceWithPedigreeUncertainty="%s"/></uncertainty>`,
				export.Number(mean), export.Number(math.Log(math.Abs(mean))), export.Number(v), export.Number(v))
		}
	case lci.Normal:
		if x.Mean != nil && x.StandardDeviation != nil {
			v := *x.StandardDeviation * *x.StandardDeviation
			s.line(`<uncertainty><normal meanValue="%s" variance="%s" varianceWithPedigreeUncertainty="%s"/></uncertainty>`, export.Number(*x.Mean), export.Number(v), export.Number(v))
		}
	case lci.Triangular:
		s.line(`<uncertainty><triangular minValue="%s" mostLikelyValue="%s" maxValue="%s"/></uncertainty>`, export.Optional(x.Minimum), export.Optional(export.Mode(&x)), export.Optional(x.Maximum))
	case lci.Uniform:
		s.line(`<uncertainty><uniform minValue="%s" maxValue="%s"/></uncertainty>`, export.Optional(x.Minimum), export.Optional(x.Maximum))
	}
}
