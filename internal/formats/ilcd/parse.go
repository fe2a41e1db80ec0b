package ilcd

import (
	"io"
	"strings"

	"cradle/internal/ingest/document"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/xmlstream"
)

// The common prefix of the namespaces of datasets.
const spaces = "http://lca.jrc.it/ILCD/"

// open begins to read a document, which must have the root element.
func open(in io.Reader, root string) (*xmlstream.Reader, *xmlstream.Element, error) {
	r, err := xmlstream.NewReader(in)
	if err != nil {
		return nil, nil, err
	}
	e, err := r.Root()
	if err == nil && e.Name != root {
		err = e.Errorf("the root element is %s, not %s", e.Name, root)
	}
	return r, e, err
}

// common reads the elements that every dataset has.
func (h *head) common(e *xmlstream.Element) error {
	switch e.Name {
	case "UUID":
		id, err := e.Text()
		h.id = strings.ToLower(id)
		return err
	case "dataSetVersion":
		return document.English(e, &h.version)
	case "timeStamp":
		return document.English(e, &h.entered)
	}
	return nil
}

func parseUnitGroup(in io.Reader) (*unitGroup, error) {
	r, root, err := open(in, "unitGroupDataSet")
	if err != nil {
		return nil, err
	}
	g := &unitGroup{head: head{line: root.Line}}
	err = root.Each(func(e *xmlstream.Element) error {
		if e.Name == "units" {
			return e.Each(g.unit)
		}
		return e.Each(func(e *xmlstream.Element) error { return e.Each(g.field) })
	})
	if err != nil {
		return nil, err
	}
	return g, r.Close()
}

func (g *unitGroup) field(e *xmlstream.Element) error {
	switch e.Name {
	case "name":
		return document.English(e, &g.name)
	case "referenceToReferenceUnit":
		return document.English(e, &g.main)
	}
	return g.common(e)
}

func (g *unitGroup) unit(e *xmlstream.Element) error {
	if e.Name != "unit" {
		return nil
	}
	u := unit{id: e.Attr("dataSetInternalID")}
	err := e.Each(func(e *xmlstream.Element) (err error) {
		switch e.Name {
		case "name":
			return document.English(e, &u.name)
		case "meanValue":
			u.factor, _, err = readNumber(e)
		}
		return err
	})
	g.units = append(g.units, u)
	return err
}

func parseFlowProperty(in io.Reader) (*flowProperty, error) {
	r, root, err := open(in, "flowPropertyDataSet")
	if err != nil {
		return nil, err
	}
	p := &flowProperty{head: head{line: root.Line}}
	err = root.Each(func(e *xmlstream.Element) error {
		return e.Each(func(e *xmlstream.Element) error { return e.Each(p.field) })
	})
	if err != nil {
		return nil, err
	}
	return p, r.Close()
}

func (p *flowProperty) field(e *xmlstream.Element) (err error) {
	switch e.Name {
	case "name":
		return document.English(e, &p.name)
	case "referenceToReferenceUnitGroup":
		p.group, err = readReference(e)
		return err
	}
	return p.common(e)
}

// parseCard reads a source or a contact.
func parseCard(in io.Reader, root string) (*card, error) {
	r, top, err := open(in, root)
	if err != nil {
		return nil, err
	}
	c := &card{head: head{line: top.Line}}
	err = top.Each(func(e *xmlstream.Element) error {
		return e.Each(func(e *xmlstream.Element) error { return e.Each(c.field) })
	})
	if err != nil {
		return nil, err
	}
	return c, r.Close()
}

func (c *card) field(e *xmlstream.Element) error {
	switch e.Name {
	case "shortName":
		return document.English(e, &c.name)
	case "name":
		return document.English(e, &c.text)
	case "sourceCitation":
		return document.English(e, &c.text)
	}
	return c.common(e)
}

// label is the name of a source or a contact.
func (c *card) label() string {
	return inventory.First(c.text, c.name)
}

func parseFlow(in io.Reader) (*flow, error) {
	r, root, err := open(in, "flowDataSet")
	if err != nil {
		return nil, err
	}
	f := &flow{head: head{line: root.Line}}
	err = root.Each(func(e *xmlstream.Element) error {
		if e.Name == "flowProperties" {
			return e.Each(f.property)
		}
		return e.Each(func(e *xmlstream.Element) error {
			if e.Name == "classificationInformation" { // where it does not belong
				return f.field(e)
			}
			return e.Each(f.field)
		})
	})
	if err != nil {
		return nil, err
	}
	return f, r.Close()
}

func (f *flow) field(e *xmlstream.Element) error {
	switch e.Name {
	case "name":
		var n names
		err := e.Each(n.read)
		n.settle(&f.head)
		return err
	case "synonyms":
		text, err := e.Text()
		f.synonyms = append(f.synonyms, list(text)...)
		return err
	case "classificationInformation":
		return e.Each(f.class)
	case "CASNumber":
		return document.English(e, &f.cas)
	case "referenceToReferenceFlowProperty":
		return document.English(e, &f.main)
	case "locationOfSupply":
		return document.English(e, &f.location)
	case "typeOfDataSet":
		return document.English(e, &f.kind)
	case "other":
		return e.Each(f.matML)
	}
	return f.common(e)
}

func (f *flow) class(e *xmlstream.Element) (err error) {
	switch {
	case e.Name == "elementaryFlowCategorization" && f.compartment == nil:
		f.compartment, err = readClasses(e)
	case e.Name == "classification" && f.classes == nil:
		f.classes, err = readClasses(e)
	}
	return err
}

func (f *flow) property(e *xmlstream.Element) error {
	if e.Name != "flowProperty" {
		return nil
	}
	p := flowAmount{id: e.Attr("dataSetInternalID"), noMean: true}
	err := e.Each(func(e *xmlstream.Element) (err error) {
		switch e.Name {
		case "referenceToFlowPropertyDataSet":
			p.property, err = readReference(e)
		case "meanValue":
			p.mean, p.noMean, err = readNumber(e)
		}
		return err
	})
	f.properties = append(f.properties, p)
	return err
}

// matML reads the numbers of an embedded material description: values, followed
// by what they measure.
func (f *flow) matML(e *xmlstream.Element) error {
	if e.Name != "MatML_Doc" {
		return nil
	}
	return e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "Material":
			return e.Each(func(e *xmlstream.Element) error {
				if e.Name != "BulkDetails" {
					return nil
				}
				return e.Each(f.matValue)
			})
		case "Metadata":
			return e.Each(f.matDetails)
		}
		return nil
	})
}

// maxMaterials is more than any material description has, because details are
// searched linearly.
const maxMaterials = 1_000

func (f *flow) matValue(e *xmlstream.Element) error {
	if e.Name != "PropertyData" || len(f.materials) == maxMaterials {
		return nil
	}
	p := matProperty{id: e.Attr("property"), noValue: true}
	err := e.Each(func(e *xmlstream.Element) error {
		if e.Name != "Data" {
			return nil
		}
		text, err := e.Text()
		if value, ok, wrong := xmlstream.ParseNumber(text); ok && wrong == nil {
			p.value, p.noValue = value, false
		}
		return err
	})
	f.materials = append(f.materials, p)
	return err
}

func (f *flow) matDetails(e *xmlstream.Element) error {
	if e.Name != "PropertyDetails" {
		return nil
	}
	id := e.Attr("id")
	var name, unit string
	err := e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "Name":
			return document.English(e, &name)
		case "Units":
			unit = e.Attr("name")
		case "Unitless":
			unit = "dimensionless"
		}
		return nil
	})
	for i := range f.materials {
		if f.materials[i].id == id {
			f.materials[i].name, f.materials[i].unit = name, unit
		}
	}
	return err
}

func parseMethod(in io.Reader) (*method, error) {
	r, root, err := open(in, "LCIAMethodDataSet")
	if err != nil {
		return nil, err
	}
	m := &method{head: head{line: root.Line}}
	err = root.Each(func(e *xmlstream.Element) error {
		if e.Name == "characterisationFactors" {
			return e.Each(m.factor)
		}
		return e.Each(func(e *xmlstream.Element) error { return e.Each(m.field) })
	})
	if err != nil {
		return nil, err
	}
	return m, r.Close()
}

func (m *method) field(e *xmlstream.Element) (err error) {
	switch e.Name {
	case "name":
		return document.English(e, &m.name)
	case "methodology":
		return document.List(e, &m.methodologies)
	case "impactCategory":
		return document.English(e, &m.category)
	case "impactIndicator":
		return document.English(e, &m.indicator)
	case "referenceQuantity":
		m.quantity, err = readReference(e)
		return err
	}
	return m.common(e)
}

func (m *method) factor(e *xmlstream.Element) error {
	if e.Name != "factor" {
		return nil
	}
	f := factor{line: e.Line, noMean: true}
	err := e.Each(func(e *xmlstream.Element) (err error) {
		switch e.Name {
		case "referenceToFlowDataSet":
			f.flow, err = readReference(e)
		case "location":
			return document.English(e, &f.location)
		case "exchangeDirection":
			direction, err := e.Text()
			f.input = strings.EqualFold(direction, "Input")
			return err
		case "meanValue":
			f.mean, f.noMean, err = readNumber(e)
		}
		return err
	})
	m.factors = append(m.factors, f)
	return err
}
