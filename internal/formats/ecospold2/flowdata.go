package ecospold2

import (
	"cradle/internal/ingest/document"
	"cradle/internal/ingest/xmlstream"
)

func (d *dataset) flowData(e *xmlstream.Element) error {
	switch e.Name {
	case "intermediateExchange", "elementaryExchange":
		return d.exchange(e)
	case "parameter":
		return d.parameter(e)
	case "impactIndicator":
		if d.skimmed {
			d.results = append(d.results, result{})
			return nil
		}
		return d.result(e)
	}
	d.strange = append(d.strange, e.Name)
	return nil
}

func (d *dataset) exchange(e *xmlstream.Element) error {
	x := exchange{
		line: e.Line, elementary: e.Name == "elementaryExchange", id: e.Attr("id"), variable: e.Attr("variableName"),
		relation: e.Attr("mathematicalRelation"), link: e.Attr("activityLinkId"), cas: e.Attr("casNumber"), flow: e.Attr(e.Name + "Id"),
	}
	var err error
	if x.amount, x.noAmount, err = amount(e, "amount"); err != nil {
		return err
	}
	x.volume = parameter{line: e.Line, name: e.Attr("productionVolumeVariableName"), relation: e.Attr("productionVolumeMathematicalRelation")}
	if x.volume.amount, x.volume.noAmount, err = amount(e, "productionVolumeAmount"); err != nil {
		return err
	}
	if d.skimmed {
		err = e.Each(x.skim)
	} else {
		err = e.Each(x.part)
	}
	d.exchanges = append(d.exchanges, x)
	return err
}

// skim reads the side and the group of the exchange.
func (x *exchange) skim(e *xmlstream.Element) error {
	switch e.Name {
	case "inputGroup", "outputGroup", "compartment":
		return x.part(e)
	}
	return nil
}

func (x *exchange) part(e *xmlstream.Element) error {
	switch e.Name {
	case "name":
		return document.English(e, &x.name)
	case "unitName":
		return document.English(e, &x.unit)
	case "synonym":
		return document.List(e, &x.synonyms)
	case "comment":
		text, err := e.Text()
		x.comment = x.comment || text != ""
		return err
	case "compartment":
		var err error
		x.compartment, err = readCompartment(e)
		return err
	case "classification":
		c, err := readClass(e)
		x.classes = append(x.classes, c)
		return err
	case "property":
		return x.property(e)
	case "uncertainty":
		return e.Each(x.spread.read)
	case "inputGroup", "outputGroup":
		x.input = e.Name == "inputGroup"
		var err error
		x.group, err = e.Text()
		return err
	}
	return nil
}

func readCompartment(e *xmlstream.Element) ([]string, error) {
	var top, below string
	err := e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "compartment":
			return document.English(e, &top)
		case "subcompartment":
			return document.English(e, &below)
		}
		return nil
	})
	var path []string
	for _, part := range []string{top, below} {
		if part != "" {
			path = append(path, part)
		}
	}
	return path, err
}

func (x *exchange) property(e *xmlstream.Element) error {
	p := property{id: e.Attr("propertyId"), variable: e.Attr("variableName"), relation: e.Attr("mathematicalRelation")}
	var err error
	if p.amount, p.noAmount, err = amount(e, "amount"); err != nil {
		return err
	}
	err = e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "name":
			return document.English(e, &p.name)
		case "unitName":
			return document.English(e, &p.unit)
		}
		return nil
	})
	x.properties = append(x.properties, p)
	return err
}

func (s *spread) read(e *xmlstream.Element) error {
	switch e.Name {
	case "pedigreeMatrix", "comment":
		return nil
	}
	s.kind = e.Name
	for _, field := range []struct {
		name string
		to   **float64
	}{
		{"mu", &s.mu}, {"meanValue", &s.mean}, {"variance", &s.variance}, {"varianceWithPedigreeUncertainty", &s.pedigree},
		{"minValue", &s.min}, {"mostLikelyValue", &s.most}, {"maxValue", &s.max},
	} {
		value, none, err := amount(e, field.name)
		switch {
		case err != nil:
			s.broken = true // openLCA writes Infinity; the amount is still valid
		case !none:
			*field.to = &value
		}
	}
	return nil
}

func (d *dataset) parameter(e *xmlstream.Element) error {
	p := parameter{line: e.Line, name: e.Attr("variableName"), relation: e.Attr("mathematicalRelation")}
	var err error
	p.amount, p.noAmount, err = amount(e, "amount")
	d.parameters = append(d.parameters, p)
	return err
}

func (d *dataset) result(e *xmlstream.Element) error {
	r := result{
		line: e.Line, indicatorID: e.Attr("impactIndicatorId"), methodID: e.Attr("impactMethodId"), categoryID: e.Attr("impactCategoryId"),
	}
	var err error
	if r.amount, r.noAmount, err = amount(e, "amount"); err != nil {
		return err
	}
	err = e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "impactMethodName":
			return document.English(e, &r.method)
		case "impactCategoryName":
			return document.English(e, &r.category)
		case "name":
			return document.English(e, &r.indicator)
		case "unitName":
			return document.English(e, &r.unit)
		}
		return nil
	})
	d.results = append(d.results, r)
	return err
}

func (m *method) read(e *xmlstream.Element) error {
	return e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "name":
			return document.English(e, &m.name)
		case "category":
			return m.category(e)
		}
		return nil
	})
}

func (m *method) category(e *xmlstream.Element) error {
	id, name, first := e.Attr("id"), "", len(m.indicators)
	err := e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "name":
			return document.English(e, &name)
		case "indicator":
			i := indicator{line: e.Line, id: e.Attr("id"), categoryID: id}
			err := i.read(e)
			m.indicators = append(m.indicators, i)
			return err
		}
		return nil
	})
	for i := first; i < len(m.indicators); i++ {
		m.indicators[i].category = name
	}
	return err
}

func (i *indicator) read(e *xmlstream.Element) error {
	return e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "name":
			return document.English(e, &i.name)
		case "unitName":
			return document.English(e, &i.unit)
		case "factor":
			return i.factor(e)
		}
		return nil
	})
}

func (i *indicator) factor(e *xmlstream.Element) error {
	f := factor{line: e.Line, flow: e.Attr("elementaryExchangeId")}
	var err error
	if f.amount, f.noAmount, err = amount(e, "amount"); err != nil {
		return err
	}
	err = e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "exchangeName", "name":
			return document.English(e, &f.name)
		case "unitName", "exchangeUnitName":
			return document.English(e, &f.unit)
		case "compartment":
			f.compartment, err = readCompartment(e)
			return err
		}
		return nil
	})
	i.factors = append(i.factors, f)
	return err
}

func amount(e *xmlstream.Element, name string) (value float64, none bool, err error) {
	value, ok, err := e.Number(name)
	return value, !ok, err
}
