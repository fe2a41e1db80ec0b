package materials

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/ingest/source"
	"cradle/internal/units"
)

func readAll(in io.Reader) ([]byte, error) {
	var b bytes.Buffer
	_, err := b.ReadFrom(io.LimitReader(in, 2*maxDocument))
	return b.Bytes(), err
}

// A layout describes the columns of a table of materials.
type layout struct {
	header  int // its line
	name    int
	units   int // the line of a row of units, 0 if there is none
	long    *longColumns
	columns []column
	about   map[string]int // columns that describe the material
	sure    bool           // the columns are properties
}

// A column holds a property.
type column struct {
	at         int
	name, unit string
	numeric    bool
	empty      bool
}

// longColumns are those of a table with one row per property.
type longColumns struct {
	property, value, unit, description, mean, deviation int
}

var (
	nameHeadings = []string{"name", "material", "material name", "materialname", "element", "alloy", "grade", "designation", "title", "substance", "polymer", "metal"}
	aboutColumns = map[string][]string{
		"source":       {"source", "reference", "references", "citation", "url", "link"},
		"organization": {"organization", "organisation", "source organization", "manufacturer", "supplier", "producer"},
		"class":        {"category", "class", "family", "material class", "type", "material type"},
		"region":       {"region", "location", "country", "regional scopes"},
		"date":         {"date", "date published", "published", "year published"},
		"unit":         {"functional unit"},
	}
	propertyHeadings    = []string{"property", "property name", "parameter", "characteristic", "quantity"}
	valueHeadings       = []string{"value", "val", "number", "amount", "magnitude", "property value"}
	unitHeadings        = []string{"unit", "units", "uom", "property unit"}
	descriptionHeadings = []string{"description", "condition", "conditions", "comment", "note", "notes", "remark"}
	deviationHeadings   = []string{"standard deviation", "std", "stdev", "sd", "standarddeviation"}
)

func heading(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(text, "_", " ")), " "))
}

func find(row sheet.Row, names []string) int {
	for _, name := range names {
		for i := range row.Cells {
			if heading(row.Cell(i)) == name {
				return i
			}
		}
	}
	return -1
}

// survey detects the layout of a table of materials; nil if it is not one.
func survey(t sheet.Table) (*layout, error) {
	var l *layout
	var numbers, texts []int
	var header sheet.Row
	given := map[int]string{} // units found in cells
	rows := 0
	for row, err := range t.Rows() {
		if err != nil {
			return nil, err
		}
		if l == nil {
			if l = readLayout(row); l != nil && l.long != nil {
				l.sure = l.isSure(row, nil)
				return l, nil
			}
			header = row
			if rows++; l == nil && rows == 20 {
				return nil, nil
			}
			numbers, texts = make([]int, len(row.Cells)), make([]int, len(row.Cells))
			rows = 0
			continue
		}
		if rows++; rows == 1 && isUnitRow(l, row) {
			l.takeUnits(row)
			continue
		}
		for i := range numbers {
			switch cell := said(row.Cell(i)); {
			case cell == "":
			case isNumeric(cell):
				numbers[i]++
				if m, ok := readMeasure(cell); ok && m.unit != "" {
					given[i] = m.unit
				}
			default:
				texts[i]++
			}
		}
	}
	if l == nil || rows == 0 {
		return nil, nil
	}
	some := false
	for i := range l.columns {
		c := &l.columns[i]
		c.numeric = numbers[c.at] > 0 && numbers[c.at] >= 4*texts[c.at]
		c.empty = numbers[c.at]+texts[c.at] == 0
		some = some || c.numeric
	}
	if !some {
		return nil, nil
	}
	l.sure = l.isSure(header, given)
	return l, nil
}

func readLayout(row sheet.Row) *layout {
	l := &layout{header: row.Line, name: find(row, nameHeadings), about: map[string]int{}}
	if l.name < 0 || len(row.Cells) < 2 {
		return nil
	}
	if p, v := find(row, propertyHeadings), find(row, valueHeadings); p >= 0 && v >= 0 && p != l.name {
		l.long = &longColumns{property: p, value: v, unit: find(row, unitHeadings), description: find(row, descriptionHeadings), mean: find(row, []string{"mean"}), deviation: find(row, deviationHeadings)}
	}
	for what, names := range aboutColumns {
		if i := find(row, names); i >= 0 && i != l.name {
			l.about[what] = i
		}
	}
	elements := find(row, []string{"atomic mass"}) >= 0 && find(row, []string{"molar heat"}) >= 0
	for i := range row.Cells {
		if i == l.name || row.Cell(i) == "" || l.isAbout(i) {
			continue
		}
		name, unit := splitHeading(row.Cell(i))
		if elements && unit == "" {
			unit = elementUnits[heading(name)]
		}
		l.columns = append(l.columns, column{at: i, name: words(name), unit: unit})
	}
	return l
}

// elementUnits are the units in the widespread periodic table, whose header
// lacks them.
var elementUnits = map[string]string{
	"atomic mass": "u", "boil": "K", "melt": "K", "density": "g/cm3", "molar heat": "J/(mol*K)",
	"electron affinity": "kJ/mol", "ionization energies": "kJ/mol",
}

func (l *layout) isAbout(i int) bool {
	for _, at := range l.about {
		if at == i {
			return true
		}
	}
	return false
}

// isUnitRow reports whether the first row has the columns' units.
func isUnitRow(l *layout, row sheet.Row) bool {
	if n := heading(row.Cell(l.name)); n == "unit" || n == "units" {
		return true
	} else if n != "" {
		return false
	}
	known := 0
	for _, c := range l.columns {
		cell := strings.Trim(row.Cell(c.at), "[]()")
		if _, ok := units.Find(cell); ok {
			known++
		} else if isNumeric(cell) {
			return false
		}
	}
	return known > 0
}

func (l *layout) takeUnits(row sheet.Row) {
	l.units = row.Line
	for i := range l.columns {
		if unit := strings.Trim(row.Cell(l.columns[i].at), "[]()"); unit != "" {
			l.columns[i].unit = unit
		}
	}
}

// said removes placeholders for unknown values.
func said(text string) string {
	switch strings.ToLower(text) {
	case "n/a", "na", "nan", "none", "null", "-", "--", "unknown", "?", "[]":
		return ""
	}
	return text
}

func isNumeric(cell string) bool {
	if _, ok := readMeasure(cell); ok {
		return true
	}
	return numbersOf(cell) != nil
}

// numbersOf reads a list of numbers in one cell: "[1312, 2372.3]".
func numbersOf(cell string) []float64 {
	var list []float64
	if !strings.HasPrefix(cell, "[") || json.Unmarshal([]byte(cell), &list) != nil {
		return nil
	}
	return list
}

func (s *collector) tables(e *source.Entry, file string) error {
	tables, err := sheet.Open(e)
	if err != nil {
		return err
	}
	for _, t := range tables {
		l, err := survey(t)
		if err != nil {
			return err
		}
		if l == nil {
			s.to.Skip("tables", inventory.Where{File: file, Record: t.Name}, "it has no column of names next to columns of numbers", "")
			continue
		}
		if s.surely && !l.sure {
			s.to.Skip("tables", inventory.Where{File: file, Record: t.Name}, "it is not clear that its numbers are properties of materials", unsure)
			continue
		}
		if l.long != nil {
			err = s.longTable(t, l, file)
		} else {
			err = s.wideTable(t, l, file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *collector) wideTable(t sheet.Table, l *layout, file string) error {
	for _, c := range l.columns {
		if !c.numeric && !c.empty {
			s.to.Note(ingest.Dropped, inventory.Where{File: file, Line: l.header, Record: t.Name}, fmt.Sprintf("the column %q contains text, which is not stored in the catalogue", c.name), "")
		}
	}
	for row, err := range t.Rows() {
		if err != nil {
			return err
		}
		if row.Line <= l.header || row.Line == l.units {
			continue
		}
		at := inventory.Where{File: file, Line: row.Line, Record: t.Name}
		name := said(row.Cell(l.name))
		if name == "" {
			s.to.Skip(ingest.Materials, at, "the row does not name a material", "")
			continue
		}
		d := l.draft(name, row, at)
		for _, c := range l.columns {
			if c.numeric {
				s.cell(d, c, row, at)
			}
		}
		s.put(d)
	}
	return nil
}

func (l *layout) draft(name string, row sheet.Row, at inventory.Where) *draft {
	cell := func(what string) string {
		if i, ok := l.about[what]; ok {
			return said(row.Cell(i))
		}
		return ""
	}
	d := newDraft(name, at)
	d.Source, d.Organization, d.FunctionalUnit, d.Date = cell("source"), cell("organization"), cell("unit"), cell("date")
	if c := cell("class"); c != "" {
		d.Classification = []string{c}
	}
	if r := cell("region"); r != "" {
		d.Locations = strings.Split(r, ",")
	}
	return d
}

func (s *collector) cell(d *draft, c column, row sheet.Row, at inventory.Where) {
	text := said(row.Cell(c.at))
	if text == "" {
		return
	}
	unit := c.unit
	if unit == "g/cm3" && c.name == "density" && slices.Contains(row.Cells, "Gas") {
		unit = "g/l" // as in the periodic table
	}
	if list := numbersOf(text); list != nil {
		for i, v := range list {
			d.add(inventory.Property{Name: fmt.Sprintf("%s %d", c.name, i+1), Value: v, Unit: unit, Where: at})
		}
		return
	}
	m, ok := readMeasure(text)
	if !ok {
		s.to.Skip(ingest.Properties, at, fmt.Sprintf("%s: %.60q is not a number", c.name, text), "")
		return
	}
	if m.unit != "" {
		unit = m.unit
	}
	d.add(inventory.Property{Name: c.name, Value: m.value, Unit: unit, Where: at})
}

// longTable reads a table with one row per property; the rows of a material need
// not be adjacent.
func (s *collector) longTable(t sheet.Table, l *layout, file string) error {
	byName := map[string]*draft{}
	var order []*draft
	for row, err := range t.Rows() {
		if err != nil {
			return err
		}
		if row.Line <= l.header {
			continue
		}
		at := inventory.Where{File: file, Line: row.Line, Record: t.Name}
		name := said(row.Cell(l.name))
		if name == "" {
			s.to.Skip(ingest.Properties, at, "the row does not name a material", "")
			continue
		}
		d := byName[name]
		if d == nil {
			d = l.draft(name, row, at)
			byName[name] = d
			order = append(order, d)
		}
		s.longRow(d, l.long, row, at)
	}
	for _, d := range order {
		s.put(d)
	}
	return nil
}

func (s *collector) longRow(d *draft, c *longColumns, row sheet.Row, at inventory.Where) {
	m, ok := readMeasure(row.Cell(c.value))
	name := row.Cell(c.property)
	if !ok || name == "" {
		s.to.Skip(ingest.Properties, at, fmt.Sprintf("%q: %.60q is not a number", name, row.Cell(c.value)), "")
		return
	}
	p := inventory.Property{Name: name, Value: m.value, Unit: m.unit, Description: row.Cell(c.description), Where: at}
	if unit := row.Cell(c.unit); unit != "" {
		p.Unit = unit
	}
	p.Mean, p.SD = number(row, c.mean), number(row, c.deviation)
	d.add(p)
}

func number(row sheet.Row, column int) *float64 {
	if v, ok := sheet.Number(row.Cell(column)); ok {
		return &v
	}
	return nil
}
