package ilcd

import (
	"io"
	"strings"

	"cradle/internal/ingest/document"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/xmlstream"
)

func parseProcess(in io.Reader) (*process, error) {
	r, root, err := open(in, "processDataSet")
	if err != nil {
		return nil, err
	}
	p := &process{head: head{line: root.Line}}
	err = root.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "exchanges":
			return e.Each(p.exchange)
		case "LCIAResults":
			return e.Each(p.result)
		}
		return e.Each(func(e *xmlstream.Element) error { return e.Each(p.field) })
	})
	if err != nil {
		return nil, err
	}
	return p, r.Close()
}

// field reads elements two levels below the root.
func (p *process) field(e *xmlstream.Element) (err error) {
	switch e.Name {
	case "name":
		var n names
		err := e.Each(n.read)
		n.settle(&p.head)
		return err
	case "classificationInformation":
		return e.Each(func(e *xmlstream.Element) (err error) {
			if e.Name == "classification" && p.classes == nil {
				p.classes, err = readClasses(e)
			}
			return err
		})
	case "generalComment":
		return p.say(e, "")
	case "technologyDescriptionAndIncludedProcesses":
		return p.say(e, "Technology")
	case "technologicalApplicability":
		return p.say(e, "Applicability")
	case "timeRepresentativenessDescription":
		return p.say(e, "Time")
	case "useAdviceForDataSet":
		return p.say(e, "Use")
	case "referenceToReferenceFlow":
		return document.List(e, &p.references)
	case "referenceYear":
		return document.English(e, &p.year)
	case "locationOfOperationSupplyOrProduction":
		p.location = e.Attr("location")
		return e.Each(func(e *xmlstream.Element) error {
			if e.Name == "descriptionOfRestrictions" {
				return p.say(e, "Geography")
			}
			return nil
		})
	case "typeOfDataSet":
		return document.English(e, &p.kind)
	case "referenceToDataSource":
		source, err := readReference(e)
		p.sources = append(p.sources, source)
		return err
	case "compliance":
		return e.Each(func(e *xmlstream.Element) error {
			if e.Name != "referenceToComplianceSystem" {
				return nil
			}
			system, err := readReference(e)
			p.compliances = append(p.compliances, system)
			return err
		})
	case "dateOfLastRevision":
		return document.English(e, &p.revised)
	case "referenceToOwnershipOfDataSet":
		p.owner, err = readReference(e)
		return err
	case "variableParameter":
		return p.variable(e)
	}
	return p.common(e)
}

// say reads a text that describes the process, in English if there are several
// languages.
func (p *process) say(e *xmlstream.Element, label string) error {
	english := document.IsEnglish(e)
	text, err := e.Text()
	if text == "" {
		return err
	}
	for i := range p.comment {
		if p.comment[i].Label == label {
			if english {
				p.comment[i].Text = text
			}
			return err
		}
	}
	p.comment = append(p.comment, inventory.Text{Label: label, Text: text})
	return err
}

func (p *process) variable(e *xmlstream.Element) error {
	v := variable{line: e.Line, name: e.Attr("name"), noMean: true}
	err := e.Each(func(e *xmlstream.Element) (err error) {
		switch e.Name {
		case "formula":
			return document.English(e, &v.formula)
		case "meanValue":
			v.mean, v.noMean, err = readNumber(e)
		}
		return err
	})
	p.variables = append(p.variables, v)
	return err
}

func (p *process) exchange(e *xmlstream.Element) error {
	if e.Name != "exchange" {
		return nil
	}
	x := exchange{
		line: e.Line, id: e.Attr("dataSetInternalID"), noMean: true, noResult: true,
		provider: strings.ToLower(e.Attr("defaultProvider")), avoided: e.Attr("avoidedProduct") == "true",
	}
	err := e.Each(x.field)
	p.exchanges = append(p.exchanges, x)
	return err
}

func (x *exchange) field(e *xmlstream.Element) (err error) {
	switch e.Name {
	case "referenceToFlowDataSet":
		x.flow, err = readReference(e)
	case "location":
		return document.English(e, &x.location)
	case "functionType":
		return document.English(e, &x.function)
	case "exchangeDirection":
		direction, err := e.Text()
		x.input, x.directed = strings.EqualFold(direction, "Input"), direction != ""
		return err
	case "referenceToVariable":
		return document.English(e, &x.variable)
	case "meanAmount":
		x.mean, x.noMean, err = readNumber(e)
	case "resultingAmount":
		x.resulting, x.noResult, err = readNumber(e)
	case "minimumAmount":
		return readBound(e, &x.spread.min)
	case "maximumAmount":
		return readBound(e, &x.spread.max)
	case "relativeStandardDeviation95In":
		return readBound(e, &x.spread.deviation)
	case "uncertaintyDistributionType":
		return document.English(e, &x.spread.kind)
	case "allocations":
		return e.Each(x.allocation)
	case "generalComment":
		text, err := e.Text()
		x.comment = x.comment || text != ""
		return err
	case "other":
		return e.Each(func(e *xmlstream.Element) error { return readModule(e, &x.modules, &x.unit) })
	default:
		return readModule(e, &x.modules, &x.unit) // some write it without the enclosing element
	}
	return err
}

// readBound reads a number of an uncertainty. An invalid one does not invalidate
// the amount.
func readBound(e *xmlstream.Element, to **float64) error {
	text, err := e.Text()
	if value, ok, wrong := xmlstream.ParseNumber(text); ok && wrong == nil {
		*to = &value
	}
	return err
}

func (x *exchange) allocation(e *xmlstream.Element) error {
	if e.Name != "allocation" {
		return nil
	}
	fraction, ok, err := e.Number("allocatedFraction")
	if ok {
		x.shares = append(x.shares, share{product: e.Attr("internalReferenceToCoProduct"), fraction: fraction})
	}
	return err
}

func (p *process) result(e *xmlstream.Element) error {
	if e.Name != "LCIAResult" {
		return nil
	}
	r := result{line: e.Line, noMean: true}
	err := e.Each(func(e *xmlstream.Element) (err error) {
		switch e.Name {
		case "referenceToLCIAMethodDataSet":
			r.method, err = readReference(e)
		case "meanAmount":
			r.mean, r.noMean, err = readNumber(e)
		case "other":
			return e.Each(func(e *xmlstream.Element) error { return readModule(e, &r.modules, &r.unit) })
		default:
			return readModule(e, &r.modules, &r.unit)
		}
		return err
	})
	p.results = append(p.results, r)
	return err
}

// readModule reads what an EPD declares for a module of the life cycle.
func readModule(e *xmlstream.Element, to *[]moduleAmount, unit *reference) (err error) {
	switch e.Name {
	case "amount":
		m := moduleAmount{module: e.Attr("module"), scenario: e.Attr("scenario")}
		m.text, err = e.Text()
		*to = append(*to, m)
	case "referenceToUnitGroupDataSet":
		*unit, err = readReference(e)
	}
	return err
}
