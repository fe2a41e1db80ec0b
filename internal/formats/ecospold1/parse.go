package ecospold1

import (
	"io"
	"strings"

	"cradle/internal/ingest/document"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/xmlstream"
)

// The namespaces of process and of impact assessment files.
const (
	processSpace = "http://www.EcoInvent.org/EcoSpold01"
	impactSpace  = "http://www.EcoInvent.org/EcoSpold01Impact"
)

func isEcoSpold1(space string) bool { return space == processSpace || space == impactSpace }

// parse reads a document and passes its datasets to visit one by one, and those
// with errors to unreadable. It returns the name of the root element.
func parse(in io.Reader, visit func(*dataset), unreadable func(*dataset, *xmlstream.Error)) (string, error) {
	r, err := xmlstream.NewReader(in)
	if err != nil {
		return "", err
	}
	root, err := r.Root()
	if err != nil {
		return "", err
	}
	name, space := root.Name, root.Space
	if space != "" && !isEcoSpold1(space) {
		return name, root.Errorf("%s of the namespace %q is not EcoSpold 1", name, space)
	}
	err = root.Each(func(e *xmlstream.Element) error {
		if e.Name != "dataset" {
			return nil
		}
		d := &dataset{line: e.Line, number: e.Attr("number"), timestamp: e.Attr("timestamp"), impact: space == impactSpace}
		err := d.read(e)
		if wrong := document.Flaw(err); wrong != nil {
			unreadable(d, wrong)
			return nil
		}
		if err == nil {
			visit(d)
		}
		return err
	})
	if err != nil {
		return name, err
	}
	return name, r.Close()
}

func (d *dataset) read(e *xmlstream.Element) error {
	return e.Each(func(e *xmlstream.Element) error {
		switch e.Name {
		case "metaInformation":
			return e.Each(func(e *xmlstream.Element) error { return e.Each(d.meta) })
		case "flowData":
			return e.Each(d.flowData)
		}
		return nil
	})
}

// meta reads the elements of processInformation, modellingAndValidation and
// administrativeInformation; their names are distinct.
func (d *dataset) meta(e *xmlstream.Element) error {
	switch e.Name {
	case "referenceFunction":
		return d.referenceFunction(e)
	case "geography":
		d.location = e.Attr("location")
		d.describe("Geography", e.Attr("text"))
	case "technology":
		d.describe("Technology", e.Attr("text"))
	case "timePeriod":
		return d.timePeriod(e)
	case "dataSetInformation":
		d.info = information{
			kind: kind(e.Attr("type")), results: flag(e, "impactAssessmentResult"), version: e.Attr("version"),
			timestamp: e.Attr("timestamp"), language: e.Attr("languageCode"),
		}
	case "representativeness":
		d.describe("Production volume", e.Attr("productionVolume"))
		d.describe("Sampling", e.Attr("samplingProcedure"))
		d.describe("Extrapolations", e.Attr("extrapolations"))
		d.describe("Uncertainty adjustments", e.Attr("uncertaintyAdjustments"))
	case "source":
		d.sources = append(d.sources, publication{
			number: e.Attr("number"), author: e.Attr("firstAuthor"), authors: e.Attr("additionalAuthors"), year: e.Attr("year"),
			title: e.Attr("title"), journal: e.Attr("journal"), publisher: e.Attr("publisher"),
		})
	case "dataGeneratorAndPublication":
		d.generator, d.published = e.Attr("person"), e.Attr("referenceToPublishedSource")
	case "person":
		d.persons = append(d.persons, person{number: e.Attr("number"), name: e.Attr("name"), company: e.Attr("companyCode")})
	}
	return nil
}

func (d *dataset) referenceFunction(e *xmlstream.Element) error {
	amount, ok, err := e.Number("amount")
	if err != nil {
		return err
	}
	if !ok {
		amount = 1
	}
	d.reference = referenceFunction{
		name: inventory.First(e.Attr("name"), e.Attr("localName")), localName: e.Attr("localName"), category: e.Attr("category"), subCategory: e.Attr("subCategory"),
		unit: e.Attr("unit"), amount: amount, infrastructure: flag(e, "infrastructureProcess"), cas: known(e.Attr("CASNumber")),
	}
	d.describe("", e.Attr("generalComment"))
	d.describe("Included processes", e.Attr("includedProcesses"))
	return e.Each(func(e *xmlstream.Element) error {
		if e.Name != "synonym" {
			return nil
		}
		synonym, err := e.Text()
		if synonym != "" {
			d.reference.synonyms = append(d.reference.synonyms, synonym)
		}
		return err
	})
}

func (d *dataset) timePeriod(e *xmlstream.Element) error {
	d.describe("Time", e.Attr("text"))
	return e.Each(func(e *xmlstream.Element) error {
		text, err := e.Text()
		switch e.Name {
		case "startYear", "startYearMonth", "startDate":
			d.start = text
		case "endYear", "endYearMonth", "endDate":
			d.end = text
		}
		return err
	})
}

func (d *dataset) describe(label, text string) {
	if text != "" && text != "0" {
		d.texts = append(d.texts, inventory.Text{Label: label, Text: text})
	}
}

func (d *dataset) flowData(e *xmlstream.Element) error {
	switch e.Name {
	case "exchange":
		return d.exchange(e)
	case "allocation":
		return d.allocation(e)
	}
	d.strange = append(d.strange, e.Name)
	return nil
}

func (d *dataset) exchange(e *xmlstream.Element) error {
	x := exchange{
		line: e.Line, number: e.Attr("number"), name: inventory.First(e.Attr("name"), e.Attr("localName")), localName: e.Attr("localName"),
		category: e.Attr("category"), subCategory: e.Attr("subCategory"), location: e.Attr("location"), unit: e.Attr("unit"),
		infrastructure: flag(e, "infrastructureProcess"), cas: known(e.Attr("CASNumber")), comment: e.Has("generalComment"),
	}
	mean, ok, err := e.Number("meanValue")
	if err != nil {
		return err
	}
	x.mean, x.noMean = mean, !ok
	x.spread = readSpread(e)
	err = e.Each(func(e *xmlstream.Element) error {
		if e.Name != "inputGroup" && e.Name != "outputGroup" {
			return nil
		}
		code, err := e.Text()
		x.group = group{input: e.Name == "inputGroup", code: code}
		return err
	})
	d.exchanges = append(d.exchanges, x)
	return err
}

// readSpread reads the uncertainty of an amount. Invalid numbers do not
// invalidate the amount.
func readSpread(e *xmlstream.Element) spread {
	s := spread{kind: e.Attr("uncertaintyType")}
	for _, field := range []struct {
		name string
		to   **float64
	}{
		{"standardDeviation95", &s.deviation}, {"minValue", &s.min}, {"mostLikelyValue", &s.most}, {"maxValue", &s.max},
	} {
		if value, ok, err := e.Number(field.name); ok && err == nil {
			*field.to = &value
		}
	}
	return s
}

func (d *dataset) allocation(e *xmlstream.Element) error {
	fraction, _, err := e.Number("fraction")
	if err != nil {
		return err
	}
	a := sharing{line: e.Line, product: e.Attr("referenceToCoProduct"), fraction: fraction}
	err = e.Each(func(e *xmlstream.Element) error {
		number, err := e.Text()
		if e.Name == "referenceToInputOutput" {
			a.to = append(a.to, number)
		}
		return err
	})
	d.allocations = append(d.allocations, a)
	return err
}

func flag(e *xmlstream.Element, name string) bool {
	switch strings.ToLower(e.Attr(name)) {
	case "true", "1", "yes":
		return true
	}
	return false
}

// known returns a value, or "" for a tool's placeholder.
func known(s string) string {
	switch strings.ToLower(s) {
	case "nan", "null", "none", "unknown", "unspecified", "n/a", "-":
		return ""
	}
	return s
}
