package ecospold2

import (
	"cradle/internal/export"
	"cradle/internal/lci"
)

// writeResults writes stated impacts as a separate dataset of results, as
// ecoinvent does: Brightway cannot read one with both.
func (s *writer) writeResults(a export.Activity) {
	stated := s.Impacts[a.Process.ID]
	if len(stated) == 0 || a.ID != a.Process.ID {
		return
	}
	s.line("<activityDataset>")
	s.describe(export.Activity{ID: a.ID, Process: a.Process, Share: 1})
	s.line("<flowData>")
	if !a.Product.ID.IsZero() {
		s.exchange(a.Product, "0")
	}
	for _, i := range stated {
		s.result(i)
	}
	s.line("</flowData>")
	s.administration(a.Process)
	s.line("</activityDataset>")
}

func (s *writer) result(i lci.Impact) {
	category := i.Category
	if category == "" {
		category = i.Indicator
	}
	s.line(`<impactIndicator impactIndicatorId="%s" impactMethodId="%s" impactCategoryId="%s" amount="%s"><impactMethodName xml:lang="en">%s</impactMethodName><impactCategoryName xml:lang="en">%s</impactCategoryName><name xml:lang="en">%s</name><unitName xml:lang="en">%s</unitName></impactIndicator>`,
		s.IndicatorID(i).String(), i.MethodID.String(), lci.DerivedID("category", i.MethodID.String(), category).String(),
		export.Number(i.Value), s.Method(i.MethodID).Name, category, i.Indicator, i.Unit)
}

// writeMethods writes a file for each method with indicators.
func (s *writer) writeMethods() error {
	var open lci.ID
	finish := func() error {
		if open.IsZero() {
			return nil
		}
		s.line("</impactMethod>")
		return s.end("LCIA/" + open.String() + ".xml")
	}
	err := s.EachIndicator(func(m lci.Method, i lci.Indicator, factors []lci.Factor) error {
		if m.ID != open {
			if err := finish(); err != nil {
				return err
			}
			open = m.ID
			s.begin()
			s.line(`<impactMethod id="%s" version="%s">`, m.ID.String(), m.Version)
			s.text("name", m.Name)
		}
		s.line(`<category id="%s">`, lci.DerivedID("category", m.ID.String(), i.Category).String())
		s.text("name", i.Category)
		s.line(`<indicator id="%s">`, i.ID.String())
		s.text("name", i.Name)
		s.text("unitName", i.Unit)
		for _, f := range s.Factors(i, factors) {
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

func (s *writer) factor(f lci.Factor) {
	of := s.Flows[f.FlowID]
	s.line(`<factor elementaryExchangeId="%s" amount="%s">`, f.FlowID.String(), export.Number(f.Value))
	s.text("name", of.Name)
	s.text("unitName", of.Unit)
	if of.Compartment != "" {
		s.compartment(of, false)
	}
	s.line("</factor>")
}

// writeElementaryFlows writes the elementary flows, from which Brightway makes
// its biosphere database.
func (s *writer) writeElementaryFlows() error {
	s.beginMaster("validElementaryExchanges")
	for _, id := range s.FlowIDs() {
		f := s.Flows[id]
		if f.Type != lci.Elementary {
			continue
		}
		s.masterFlow("elementaryExchange", id, f.Name, f.Unit, f.CAS)
		s.compartment(f, s.Nature[id].Resource)
		for _, synonym := range f.Synonyms {
			s.text("synonym", synonym)
		}
		s.line("</elementaryExchange>")
	}
	return s.endMaster("validElementaryExchanges", "ElementaryExchanges")
}

// writeProducts writes what the activities make or treat.
func (s *writer) writeProducts() error {
	s.beginMaster("validIntermediateExchanges")
	for _, id := range s.FlowIDs() {
		if made, ok := s.products[id]; ok {
			s.masterFlow("intermediateExchange", id, made.Name, made.Unit, s.Flows[id].CAS)
			s.line("</intermediateExchange>")
		}
	}
	return s.endMaster("validIntermediateExchanges", "IntermediateExchanges")
}

func (s *writer) beginMaster(root string) {
	s.out.Reset()
	s.out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	s.line("<" + root + ` xmlns="http://www.EcoInvent.org/EcoSpold02">`)
}

func (s *writer) endMaster(root, name string) error {
	s.line("</" + root + ">")
	return s.to.Put("MasterData/"+name+".xml", s.out.Bytes())
}

func (s *writer) masterFlow(element string, id lci.ID, name, unit, cas string) {
	s.out.WriteString("<" + element)
	s.attribute("id", id.String())
	s.attribute("unitId", lci.DerivedID("unit", unit).String())
	s.attribute("casNumber", cas)
	s.out.WriteString(">\n")
	s.text("name", name)
	s.line(`<unitName xml:lang="en">%s</unitName>`, unit) // Brightway requires one even if it is unknown
}
