package export

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/lci"
)

// writeEcoSpold2 writes a .spold file for each process and one with the methods.
func writeEcoSpold2(ctx context.Context, w io.Writer, from Source, _ *calculation.Network) (Counts, error) {
	c, err := newCatalogue(ctx, from)
	if err != nil {
		return Counts{}, err
	}
	if err := c.findMakers(); err != nil {
		return Counts{}, err
	}
	s := &spold{catalogue: c, to: newArchive(w)}
	if err := s.eachProcess(s.writeProcess); err != nil {
		return Counts{}, err
	}
	if err := s.writeMethods(); err != nil {
		return Counts{}, err
	}
	return s.inventory(), s.to.Close()
}

type spold struct {
	*catalogue
	to  *archive
	out bytes.Buffer
}

const spoldHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02">` + "\n"

func esc(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}

func (s *spold) line(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = esc(text)
		}
	}
	fmt.Fprintf(&s.out, format+"\n", args...)
}

// text writes an element in English.
func (s *spold) text(name, content string) {
	if content != "" {
		s.line(`<`+name+` xml:lang="en">%s</`+name+`>`, content)
	}
}

func (s *spold) writeProcess(p lci.Process, exchanges []lci.Exchange) error {
	s.out.Reset()
	s.out.WriteString(spoldHead)
	s.line("<activityDataset>\n<activityDescription>")
	kind, nameID := "1", lci.DerivedID("activity name", p.Name)
	if p.Boundary == lci.Aggregated {
		kind = "2"
	}
	s.line(`<activity id="%s" activityNameId="%s" type="%s" specialActivityType="0" inheritanceDepth="0">`, p.ID.String(), nameID.String(), kind)
	s.text("activityName", p.Name)
	if p.Description != "" {
		s.line(`<generalComment><text xml:lang="en" index="1">%s</text></generalComment>`, p.Description)
	}
	s.line("</activity>")
	if p.Classification != "" {
		s.line(`<classification><classificationSystem xml:lang="en">EcoSpold01Categories</classificationSystem><classificationValue xml:lang="en">%s</classificationValue></classification>`, p.Classification)
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
	s.line("</activityDescription>\n<flowData>")
	first := true
	for _, elementary := range []bool{false, true} {
		for _, x := range exchanges {
			if (x.Type == lci.Elementary) == elementary {
				s.exchange(x, first)
				first = first && !isProduct(x)
			}
		}
	}
	for _, i := range s.impacts[p.ID] {
		s.result(i)
	}
	s.line("</flowData>\n<administrativeInformation>")
	person := p.SourceOrganization
	id := lci.DerivedID("person", person).String()
	s.line(`<dataEntryBy personId="%s" personName="%s" personEmail=""/>`, id, person)
	s.line(`<dataGeneratorAndPublication personId="%s" personName="%s" personEmail="" isCopyrightProtected="true" accessRestrictedTo="0" dataPublishedIn="0"/>`, id, person)
	s.out.WriteString(`<fileAttributes majorRelease="1" minorRelease="0" majorRevision="1" minorRevision="0" defaultLanguage="en"`)
	if p.DatePublished != "" {
		s.attribute("creationTimestamp", p.DatePublished+"T00:00:00")
		s.attribute("lastEditTimestamp", p.DatePublished+"T00:00:00")
	}
	s.line("/>")
	s.line("</administrativeInformation>\n</activityDataset>\n</ecoSpold>")
	return s.to.put("datasets/"+p.ID.String()+".spold", s.out.Bytes())
}

// exchange writes an exchange as ecoinvent does: an avoided product is less than
// none of an input.
func (s *spold) exchange(x lci.Exchange, first bool) {
	f := s.flows[x.FlowID]
	amount, element := x.Value, "intermediateExchange"
	if x.Type == lci.Elementary {
		element = "elementaryExchange"
	}
	if x.Avoided {
		amount = -amount
	}
	s.out.WriteString("<" + element)
	s.attribute("id", x.ID.String())
	s.attribute("unitId", lci.DerivedID("unit", x.Unit).String())
	s.attribute("amount", number(amount))
	s.attribute(element+"Id", x.FlowID.String())
	s.attribute("casNumber", f.CAS)
	s.attribute("activityLinkId", s.supplierOf(x).String())
	s.out.WriteString(">\n")
	s.text("name", x.Name)
	s.text("unitName", x.Unit)
	for _, synonym := range f.Synonyms {
		s.text("synonym", synonym)
	}
	s.uncertainty(x)
	s.sort(x, f, first)
	s.line("</" + element + ">")
}

func (s *spold) attribute(name, value string) {
	if value != "" {
		fmt.Fprintf(&s.out, ` %s="%s"`, name, esc(value))
	}
}

// sort says what an exchange is: its price, class or compartment, and its group.
func (s *spold) sort(x lci.Exchange, f lci.Flow, first bool) {
	if isProduct(x) && x.Worth != nil {
		s.line(`<property propertyId="38f94dd1-d5aa-41b8-b182-c0c42985d9dc" amount="%s" unitId="%s"><name xml:lang="en">price</name><unitName xml:lang="en">EUR</unitName></property>`, number(*x.Worth), lci.DerivedID("unit", "EUR").String())
	}
	switch {
	case x.Type == lci.Elementary:
		medium, part, _ := strings.Cut(f.Compartment, "/")
		if medium == "" {
			medium = map[lci.Direction]string{lci.Input: "natural resource", lci.Output: "unspecified"}[x.Direction]
		}
		if part == "" {
			part = "unspecified"
		}
		s.line(`<compartment subcompartmentId="%s"><compartment xml:lang="en">%s</compartment><subcompartment xml:lang="en">%s</subcompartment></compartment>`,
			lci.DerivedID("compartment", f.Compartment).String(), medium, part)
		s.line(`<%s>4</%s>`, group(x), group(x))
		return
	case x.Type == lci.Waste && x.Direction == lci.Output && !isProduct(x):
		s.line(`<classification><classificationSystem xml:lang="en">By-product classification</classificationSystem><classificationValue xml:lang="en">Waste</classificationValue></classification>`)
	case f.Classification != "":
		s.line(`<classification><classificationSystem xml:lang="en">EcoSpold01Categories</classificationSystem><classificationValue xml:lang="en">%s</classificationValue></classification>`, f.Classification)
	}
	switch {
	case isProduct(x) && first:
		s.line("<outputGroup>0</outputGroup>")
	case x.Direction == lci.Output:
		s.line("<outputGroup>2</outputGroup>")
	default:
		s.line("<inputGroup>5</inputGroup>")
	}
}

func group(x lci.Exchange) string {
	if x.Direction == lci.Input {
		return "inputGroup"
	}
	return "outputGroup"
}

func (s *spold) uncertainty(x lci.Exchange) {
	switch x.Distribution {
	case lci.Lognormal:
		if mean, sd, ok := geometric(&x); ok && sd > 1 {
			v := math.Pow(math.Log(sd), 2)
			s.line(`<uncertainty><lognormal meanValue="%s" mu="%s" variance="%s" varianceWithPedigreeUncertainty="%s"/></uncertainty>`,
				number(mean), number(math.Log(math.Abs(mean))), number(v), number(v))
		}
	case lci.Normal:
		if x.Mean != nil && x.StandardDeviation != nil {
			v := *x.StandardDeviation * *x.StandardDeviation
			s.line(`<uncertainty><normal meanValue="%s" variance="%s" varianceWithPedigreeUncertainty="%s"/></uncertainty>`, number(*x.Mean), number(v), number(v))
		}
	case lci.Triangular:
		s.line(`<uncertainty><triangular minValue="%s" mostLikelyValue="%s" maxValue="%s"/></uncertainty>`, optional(x.Minimum), optional(mode(&x)), optional(x.Maximum))
	case lci.Uniform:
		s.line(`<uncertainty><uniform minValue="%s" maxValue="%s"/></uncertainty>`, optional(x.Minimum), optional(x.Maximum))
	}
}

// named is a method's name with its version, for which the format has no place;
// one that an importer found to have none is called unspecified.
func named(m lci.Method) string {
	if m.Version == "" || m.Version == "unspecified" {
		return m.Name
	}
	return m.Name + " " + m.Version
}

func (s *spold) result(i lci.Impact) {
	method := ""
	for _, m := range s.methods {
		if m.ID == i.MethodID {
			method = named(m)
		}
	}
	category := i.Category
	if category == "" {
		category = i.Indicator
	}
	s.line(`<impactIndicator impactIndicatorId="%s" impactMethodId="%s" impactCategoryId="%s" amount="%s"><impactMethodName xml:lang="en">%s</impactMethodName><impactCategoryName xml:lang="en">%s</impactCategoryName><name xml:lang="en">%s</name><unitName xml:lang="en">%s</unitName></impactIndicator>`,
		s.indicatorID(i).String(), i.MethodID.String(), lci.DerivedID("category", i.MethodID.String(), category).String(),
		number(i.Value), method, category, i.Indicator, i.Unit)
}

// writeMethods writes a file for each method that has indicators.
func (s *spold) writeMethods() error {
	s.out.Reset()
	var open lci.ID
	finish := func() error {
		if open.IsZero() {
			return nil
		}
		s.line("</impactMethod>\n</ecoSpold>")
		return s.to.put("LCIA/"+open.String()+".xml", s.out.Bytes())
	}
	err := s.eachIndicator(func(m lci.Method, i lci.Indicator, factors []lci.Factor) error {
		if m.ID != open {
			if err := finish(); err != nil {
				return err
			}
			open = m.ID
			s.out.Reset()
			s.out.WriteString(spoldHead)
			s.line(`<impactMethod id="%s">`, m.ID.String())
			s.text("name", named(m))
		}
		s.line(`<category id="%s">`, lci.DerivedID("category", m.ID.String(), i.Category).String())
		s.text("name", i.Category)
		s.line(`<indicator id="%s">`, i.ID.String())
		s.text("name", i.Name)
		s.text("unitName", i.Unit)
		for _, f := range factors {
			s.factor(f)
		}
		s.line("</indicator>\n</category>")
		return nil
	})
	if err != nil {
		return err
	}
	return finish()
}

func (s *spold) factor(f lci.Factor) {
	of := s.flows[f.FlowID]
	s.line(`<factor elementaryExchangeId="%s" amount="%s">`, f.FlowID.String(), number(f.Value))
	s.text("name", of.Name)
	s.text("unitName", of.Unit)
	if medium, part, _ := strings.Cut(of.Compartment, "/"); medium != "" {
		if part == "" {
			part = "unspecified"
		}
		s.line(`<compartment><compartment xml:lang="en">%s</compartment><subcompartment xml:lang="en">%s</subcompartment></compartment>`, medium, part)
	}
	s.line("</factor>")
}
