package simapro

import (
	"strings"

	"cradle/internal/ingest/sheet"
)

// A Process is a dataset: a process, or a product stage.
type Process struct {
	Line         int
	PlatformID   string // a UUID, if the export has them
	Identifier   string // SimaPro's own: "Dev99229000009369600009"
	Name         string // often empty; then the first product's counts
	CategoryType string // "material", "waste treatment", "assembly"
	Type         string // "Unit process", "System", ""
	Geography    string
	Date         string // as written
	Comment      string
	Fields       []Field // other fields, in the order of the file
	Literature   []Reference
	Products     []Product
	Exchanges    []Exchange
	Fractions    []Fraction // of a waste scenario
	Inputs       []Parameter
	Calculated   []Parameter
	Odd          []Oddity // what could not be read
}

// A Field is a named text.
type Field struct{ Name, Text string }

// A Reference refers to literature or a system description.
type Reference struct{ Name, Comment string }

// A Product is what a process makes, or the waste it treats.
type Product struct {
	Line       int
	Section    string // "Products", "Waste treatment" or "Waste scenario"
	Name, Unit string
	Amount     Number
	Allocation Number // in percent, of "Products"
	WasteType  string
	Category   string // from coarse to fine, separated by backslashes
	Comment    string
	PlatformID string
}

// An Exchange is a line of any other section of flows.
type Exchange struct {
	Line           int
	Section        string
	Name           string
	Subcompartment string // of an elementary flow
	Unit           string
	Amount         Number
	Uncertainty    Uncertainty
	Comment        string
	PlatformID     string
}

// A Fraction sends a part of a scenario's waste to a treatment.
type Fraction struct {
	Line      int
	Remaining bool // of what other fractions leave
	Treatment string
	WasteType string
	Percent   Number
	Comment   string
}

// An Uncertainty is a distribution with its parameters as written.
type Uncertainty struct {
	Kind    string
	Spread  Number // the square of a geometric deviation, or twice a deviation
	Minimum Number
	Maximum Number
}

// A Parameter is a name used in formulas.
type Parameter struct {
	Line        int
	Name        string
	Value       Number
	Uncertainty Uncertainty
	Comment     string
}

// An Oddity is a deviation from the format in a block.
type Oddity struct {
	Line int
	What string
}

// natural are the sections of elementary exchanges, with their compartment.
var natural = map[string]string{
	"Resources":              "raw",
	"Emissions to air":       "air",
	"Emissions to water":     "water",
	"Emissions to soil":      "soil",
	"Final waste flows":      "waste",
	"Non material emissions": "non mat.",
	"Social issues":          "social",
	"Economic issues":        "economic",
}

// process reads a block of the kinds Process and Product stage.
func (h Header) process(b Block) Process {
	p := Process{Line: b.Line}
	for _, s := range b.Sections {
		if !s.Known {
			p.Odd = append(p.Odd, Oddity{s.Line, "there is no section " + quote(s.Name)})
			continue
		}
		h.section(&p, b.Kind, s)
	}
	return p
}

func (h Header) section(p *Process, kind string, s Section) {
	switch s.Name {
	case "PlatformId":
		p.PlatformID = s.text(h)
	case "Process identifier":
		p.Identifier = s.text(h)
	case "Process name":
		p.Name = s.text(h)
	case "Category type":
		p.CategoryType = s.text(h)
	case "Type":
		p.Type = s.text(h)
	case "Geography":
		p.Geography = s.text(h)
	case "Date":
		p.Date = s.text(h)
	case "Comment":
		p.Comment = s.text(h)
	case "Literature references":
		p.Literature = append(p.Literature, cited(s)...)
	case "System description":
		for _, r := range cited(s) {
			p.Fields = append(p.Fields, Field{s.Name, joined(": ", r.Name, r.Comment)})
		}
	case "Products", "Waste treatment", "Waste scenario":
		for _, row := range s.Rows {
			p.Products = append(p.Products, h.product(kind, s.Name, row))
		}
	case "Separated waste", "Remaining waste":
		for _, row := range s.Rows {
			p.Fractions = append(p.Fractions, h.fraction(s.Name == "Remaining waste", row))
		}
	case "Input parameters":
		p.Inputs = append(p.Inputs, h.inputs(s.Rows)...)
	case "Calculated parameters":
		p.Calculated = append(p.Calculated, h.formulas(s.Rows)...)
	default:
		h.others(p, s)
	}
}

// others reads sections of exchanges, and those that only document a process.
func (h Header) others(p *Process, s Section) {
	_, elementary := natural[s.Name]
	if !elementary && !technical[s.Name] {
		if text := s.text(h); text != "" && text != "Unspecified" {
			p.Fields = append(p.Fields, Field{s.Name, text})
		}
		return
	}
	for _, row := range s.Rows {
		p.Exchanges = append(p.Exchanges, h.exchange(s.Name, elementary, row))
	}
}

// technical are the sections of exchanges with other processes.
var technical = map[string]bool{
	"Avoided products": true, "Materials/fuels": true, "Electricity/heat": true, "Waste to treatment": true,
	"Assembly": true, "Reference assembly": true, "Materials/assemblies": true, "Processes": true,
	"Waste/Disposal scenario": true, "Additional life cycles": true, "Disposal scenarios": true,
	"Waste scenarios": true, "Disassemblies": true, "Reuses": true,
}

func (h Header) product(kind, section string, row sheet.Row) Product {
	p := Product{Line: row.Line, Section: section, Name: row.Cell(0), Unit: row.Cell(1), Amount: h.number(row.Cell(2))}
	rest := 3
	if section == "Products" && kind == processBlock {
		p.Allocation = h.number(strings.TrimSuffix(row.Cell(3), "%"))
		rest = 4
	}
	if kind == processBlock {
		p.WasteType = row.Cell(rest)
		rest++
	}
	p.Category, p.Comment, p.PlatformID = row.Cell(rest), lines(row.Cell(rest+1)), row.Cell(rest+2)
	return p
}

func (h Header) exchange(section string, elementary bool, row sheet.Row) Exchange {
	x := Exchange{Line: row.Line, Section: section, Name: row.Cell(0)}
	at := 1
	if elementary {
		x.Subcompartment = row.Cell(at)
		at++
	}
	x.Unit, x.Amount = row.Cell(at), h.number(row.Cell(at+1))
	x.Uncertainty = h.uncertainty(row, at+2)
	x.Comment, x.PlatformID = lines(row.Cell(at+6)), row.Cell(at+7)
	return x
}

func (h Header) fraction(remaining bool, row sheet.Row) Fraction {
	return Fraction{Line: row.Line, Remaining: remaining, Treatment: row.Cell(0), WasteType: row.Cell(1),
		Percent: h.number(strings.TrimSuffix(row.Cell(2), "%")), Comment: lines(row.Cell(3))}
}

func (h Header) uncertainty(row sheet.Row, at int) Uncertainty {
	kind := row.Cell(at)
	return Uncertainty{Kind: kind, Spread: h.number(row.Cell(at + 1)), Minimum: h.number(row.Cell(at + 2)), Maximum: h.number(row.Cell(at + 3))}
}

func (h Header) inputs(rows []sheet.Row) []Parameter {
	var list []Parameter
	for _, row := range rows {
		list = append(list, Parameter{Line: row.Line, Name: row.Cell(0), Value: h.number(row.Cell(1)),
			Uncertainty: h.uncertainty(row, 2), Comment: lines(row.Cell(7))})
	}
	return list
}

func (h Header) formulas(rows []sheet.Row) []Parameter {
	var list []Parameter
	for _, row := range rows {
		list = append(list, Parameter{Line: row.Line, Name: row.Cell(0), Value: h.number(row.Cell(1)), Comment: lines(row.Cell(2))})
	}
	return list
}

func cited(s Section) []Reference {
	var list []Reference
	for _, row := range s.Rows {
		if name := row.Cell(0); name != "" {
			list = append(list, Reference{Name: name, Comment: lines(row.Cell(1))})
		}
	}
	return list
}
