package simapro

import (
	"strings"
)

// A Method is a characterization method.
type Method struct {
	Line          int
	PlatformID    string
	Name, Version string
	Comment       string
	Categories    []ImpactCategory
	Damages       []DamageCategory
	Sets          []WeightingSet
	Fields        []Field
	Odd           []Oddity
}

// An ImpactCategory is an indicator with its factors.
type ImpactCategory struct {
	Line       int
	Name, Unit string
	Factors    []Factor
}

// A Factor characterizes a substance in a compartment.
type Factor struct {
	Line                        int
	Compartment, Subcompartment string
	Substance, CAS, Unit        string
	Amount                      Number
}

// A DamageCategory sums impact categories up.
type DamageCategory struct {
	Line       int
	Name, Unit string
	Factors    []Weight
}

// A WeightingSet holds normalization and weighting.
type WeightingSet struct {
	Line                     int
	Name                     string
	Normalization, Weighting []Weight
}

// A Weight is a number for an impact category.
type Weight struct {
	Line     int
	Category string
	Amount   Number
}

func (h Header) method(b Block) Method {
	m := Method{Line: b.Line}
	for _, s := range b.Sections {
		if !s.Known {
			m.Odd = append(m.Odd, Oddity{s.Line, "there is no section " + quote(s.Name)})
			continue
		}
		h.methodSection(&m, s)
	}
	return m
}

func (h Header) methodSection(m *Method, s Section) {
	switch s.Name {
	case "PlatformId":
		m.PlatformID = s.text(h)
	case "Name":
		m.Name = s.text(h)
	case "Version":
		m.Version = version(s, h)
	case "Comment":
		m.Comment = s.text(h)
	case "Impact category":
		for _, row := range s.Rows {
			m.Categories = append(m.Categories, ImpactCategory{Line: row.Line, Name: row.Cell(0), Unit: row.Cell(1)})
		}
	case "Substances":
		h.substances(m, s)
	case "Damage category":
		for _, row := range s.Rows {
			m.Damages = append(m.Damages, DamageCategory{Line: row.Line, Name: row.Cell(0), Unit: row.Cell(1)})
		}
	case "Impact categories":
		if n := len(m.Damages); n > 0 {
			m.Damages[n-1].Factors = append(m.Damages[n-1].Factors, h.weights(s)...)
		} else {
			m.misplaced(s, "damage category")
		}
	case "Normalization-Weighting set":
		for _, row := range s.Rows {
			m.Sets = append(m.Sets, WeightingSet{Line: row.Line, Name: row.Cell(0)})
		}
	case "Normalization", "Weighting":
		h.set(m, s)
	default:
		if text := s.text(h); text != "" {
			m.Fields = append(m.Fields, Field{s.Name, text})
		}
	}
}

func (h Header) substances(m *Method, s Section) {
	if len(m.Categories) == 0 {
		m.misplaced(s, "impact category")
		return
	}
	c := &m.Categories[len(m.Categories)-1]
	for _, row := range s.Rows {
		c.Factors = append(c.Factors, Factor{Line: row.Line, Compartment: row.Cell(0), Subcompartment: row.Cell(1),
			Substance: row.Cell(2), CAS: row.Cell(3), Amount: h.number(row.Cell(4)), Unit: row.Cell(5)})
	}
}

func (h Header) set(m *Method, s Section) {
	if len(m.Sets) == 0 {
		m.misplaced(s, "normalization-weighting set")
		return
	}
	set := &m.Sets[len(m.Sets)-1]
	if s.Name == "Normalization" {
		set.Normalization = append(set.Normalization, h.weights(s)...)
	} else {
		set.Weighting = append(set.Weighting, h.weights(s)...)
	}
}

func (h Header) weights(s Section) []Weight {
	var list []Weight
	for _, row := range s.Rows {
		list = append(list, Weight{Line: row.Line, Category: row.Cell(0), Amount: h.number(row.Cell(1))})
	}
	return list
}

func (m *Method) misplaced(s Section, after string) {
	m.Odd = append(m.Odd, Oddity{s.Line, "the section " + quote(s.Name) + " does not follow a " + after})
}

// version joins what SimaPro writes in two cells: "3;06".
func version(s Section, h Header) string {
	return strings.ReplaceAll(s.text(h), string(h.Separator), ".")
}
