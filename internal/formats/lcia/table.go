package lcia

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/lci"
)

// A table is a factor table being read: its rows are grouped by indicator.
type table struct {
	to      *inventory.Builder
	file    string
	sheet   string
	columns *columns
	*methods
}

// methods are those of all tables of a library.
type methods struct {
	byKey      map[string]bool
	indicators map[string]*inventory.Indicator
	order      []string // of indicators, in order of appearance
	flows      map[string]bool
}

func newMethods() *methods {
	return &methods{byKey: map[string]bool{}, indicators: map[string]*inventory.Indicator{}, flows: map[string]bool{}}
}

// read reads the rows below the header.
func (t *table) read(from sheet.Table, h *header) error {
	whole := newProfile()
	for row, err := range from.Rows() {
		if err != nil {
			return err
		}
		if row.Line > h.last {
			whole.add(row)
		}
	}
	t.columns = newColumns(h, whole)
	at := inventory.Where{File: t.file, Line: h.last, Record: t.sheet}
	slices.Sort(t.columns.others)
	for _, heading := range t.columns.others {
		t.to.Note(ingest.Dropped, at, fmt.Sprintf("the column %q is not stored in the catalogue", heading), "")
	}
	t.nameColumns(at)
	for row, err := range from.Rows() {
		if err != nil {
			return err
		}
		if row.Line > h.last {
			t.row(row)
		}
	}
	return nil
}

// nameColumns makes the indicators of columns distinct.
func (t *table) nameColumns(at inventory.Where) {
	taken := map[string]int{}
	for i := range t.columns.factors {
		c := &t.columns.factors[i]
		c.name = cmp.Or(c.name, t.title())
		c.medium = cmp.Or(c.medium, mediumOf(c.name))
		key := inventory.Key(c.name, c.unit, c.perspective)
		if taken[key]++; taken[key] > 1 {
			t.to.Note(ingest.Doubtful, at, fmt.Sprintf("there are %d columns %q; this one is named %q", taken[key], c.heading, fmt.Sprintf("%s (%d)", c.name, taken[key])), "give each column a unique heading")
			c.name = fmt.Sprintf("%s (%d)", c.name, taken[key])
		}
	}
}

func (t *table) row(row sheet.Row) {
	at := inventory.Where{File: t.file, Line: row.Line, Record: t.sheet}
	if len(t.columns.factors) == 0 {
		t.factor(at, row, factorColumn{at: t.columns.at[factor][0]}, t.indicatorOf(row))
		return
	}
	for _, c := range t.columns.factors {
		if said(row.Cell(c.at)) != "" {
			t.factor(at, row, c, t.columnIndicator(row, c))
		}
	}
}

func (t *table) factor(at inventory.Where, row sheet.Row, column factorColumn, of naming) {
	text := said(row.Cell(column.at))
	value, ok := sheet.Number(text)
	flow := t.flowOf(row, column)
	switch {
	case flow.Key == "":
		t.to.Skip(ingest.Factors, at, "the row does not name a flow", "name the flow or give its UUID")
		return
	case text == "":
		t.to.Skip(ingest.Factors, at, fmt.Sprintf("%q has no factor under %q", flow.Name, of.name), "")
		return
	case !ok:
		t.to.Unreadable(ingest.Factors, at, "the factor %q of %q is not a number; write it with a decimal point", text, flow.Name)
		return
	}
	if !t.flows[flow.Key] {
		t.flows[flow.Key] = true
		flow.Where = at
		t.to.Flow(flow)
	}
	if t.columns.cell(row, remark) != "" {
		t.to.Drop("remarks on factors", at)
	}
	i := t.indicator(of, at)
	i.Factors = append(i.Factors, inventory.Factor{
		Flow: flow.Key, Amount: value, Unit: cmp.Or(t.unitOf(row), column.per), Location: t.columns.cell(row, location), Where: at,
	})
}

// A naming is the indicator and the method of a factor.
type naming struct {
	method, version, methodID string
	category, name, id, unit  string
}

func (t *table) indicatorOf(row sheet.Row) naming {
	n := t.methodOf(row)
	n.category, n.name = t.columns.cell(row, category), t.columns.cell(row, indicator)
	n.id, n.unit = t.columns.cell(row, indicatorID), t.columns.cell(row, indicatorUnit)
	if id, ok := lci.ParseID(n.category); ok && n.id == "" {
		n.id, n.category = id.String(), ""
	}
	if n.name == "" {
		n.name = n.category
	}
	if n.name == "" {
		n.name = t.title()
	}
	return n
}

func (t *table) methodOf(row sheet.Row) naming {
	n := naming{method: t.columns.cell(row, methodName), version: t.columns.cell(row, methodVersion), methodID: t.columns.cell(row, methodID)}
	if r := t.columns.cell(row, report); r != "" && n.method == "" {
		n.method, n.version = "IPCC", r
	}
	if n.method == "" {
		n.method = stem(t.file)
	}
	return n
}

// columnIndicator is the indicator of a factor column.
func (t *table) columnIndicator(row sheet.Row, c factorColumn) naming {
	n := t.methodOf(row)
	n.category, n.name, n.unit = c.category, c.name, c.unit
	if c.perspective != "" {
		n.method += " (" + c.perspective + ")"
	}
	return n
}

// title is the title of a table without names of indicators.
func (t *table) title() string {
	if t.sheet != "" && !regexp.MustCompile(`(?i)^(sheet|tabelle|feuil|hoja|foglio|table)\s*\d*$`).MatchString(t.sheet) {
		return t.sheet
	}
	return stem(t.file)
}

func stem(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

// indicator returns the named indicator. It adds it the first time.
func (t *table) indicator(n naming, at inventory.Where) *inventory.Indicator {
	methodKey := keyOr(n.methodID, "lcia", n.method, n.version)
	key := keyOr(n.id, "lcia", n.method, n.version, n.category, n.name, n.unit)
	if i := t.indicators[methodKey+"\x00"+key]; i != nil {
		return i
	}
	if !t.byKey[methodKey] {
		t.byKey[methodKey] = true
		t.to.Method(inventory.Method{Key: methodKey, Name: n.method, Version: n.version, Where: at})
	}
	unit := n.unit
	if unit == "" {
		if unit = unitOf(n); unit == "" {
			t.to.Note(ingest.Missing, at, fmt.Sprintf("the unit of the indicator %q is not given", n.name), "add a column \"indicator unit\"")
		}
	}
	i := &inventory.Indicator{Key: key, Method: methodKey, Category: n.category, Name: n.name, Unit: unit, Where: at}
	t.indicators[methodKey+"\x00"+key] = i
	t.order = append(t.order, methodKey+"\x00"+key)
	return i
}

// unitOf is the unit of indicators that imply one.
func unitOf(n naming) string {
	switch name := strings.ToUpper(n.name); {
	case strings.HasPrefix(name, "GWP"), strings.HasPrefix(name, "GTP"), strings.HasPrefix(name, "GLOBAL WARMING"), strings.Contains(name, "_GWP"):
		return "kg CO2 eq"
	case strings.HasPrefix(name, "ODP"):
		return "kg CFC-11 eq"
	}
	return ""
}

func keyOr(id string, parts ...string) string {
	if _, ok := lci.ParseID(id); ok {
		return id
	}
	if id != "" {
		parts = append(parts, id)
	}
	return inventory.Key(parts...)
}

// unitOf is the flow's unit, also from "kg CO2 eq/kg".
func (t *table) unitOf(row sheet.Row) string {
	text := t.columns.cell(row, flowUnit)
	if unit, per := splitUnit(text); per != "" && inventory.IsEquivalent(unit) {
		return per
	}
	return text
}

// casOf returns a CAS number, also from its digits: 7664417 is 7664-41-7.
func casOf(cells []string) string {
	for _, c := range cells {
		if strings.Count(c, "-") == 2 {
			return c
		}
	}
	for _, c := range cells {
		if n := len(c); n >= 5 && n <= 10 && strings.Trim(c, "0123456789") == "" {
			return c[:n-3] + "-" + c[n-3:n-1] + "-" + c[n-1:]
		}
	}
	return strings.Join(cells, ", ")
}

// flowOf reads the flow in a row. The key is "" if there is none. A missing
// compartment or unit is that of the column.
func (t *table) flowOf(row sheet.Row, column factorColumn) inventory.Flow {
	f := inventory.Flow{
		Kind: inventory.Elementary, Name: t.columns.cell(row, flowName), CAS: casOf(t.columns.cells(row, cas)),
		Unit: t.unitOf(row), Synonyms: t.columns.cells(row, synonym),
	}
	id := t.columns.cell(row, flowID)
	if _, ok := lci.ParseID(f.Name); ok && id == "" {
		id, f.Name = f.Name, "" // a column "Flow" may hold ids
	}
	f.Compartment = t.compartmentOf(row)
	if len(f.Compartment) == 0 && column.medium != "" {
		f.Compartment = []string{column.medium}
	}
	if t.columns.at[report] != nil && f.Unit == "" {
		f.Unit = "kg" // the IPCC compares masses
	}
	if _, ok := lci.ParseID(id); ok {
		f.Key, f.Mentioned = id, f.Name == ""
		return f
	}
	if f.Name == "" && f.CAS == "" && id == "" {
		return inventory.Flow{}
	}
	if f.Name == "" {
		f.Name = strings.TrimSpace(id + " " + f.CAS)
	}
	f.Key = inventory.Key(append([]string{"lcia", id, f.Name, f.CAS, f.Unit}, f.Compartment...)...)
	f.Unit = cmp.Or(f.Unit, column.per)
	return f
}

// compartmentOf parses "air::urban air", "emission/air/troposphere" and separate
// columns. The IPCC's tables are of emissions to air without stating it.
func (t *table) compartmentOf(row sheet.Row) []string {
	text := t.columns.cell(row, compartment)
	parts := strings.Split(text, "::")
	if len(parts) == 1 {
		parts = strings.Split(text, "/")
	}
	if text == "" {
		parts = nil
	}
	if t.columns.at[report] != nil && parts == nil {
		parts = []string{"air"}
	}
	return append(parts, t.columns.cells(row, subcompartment)...)
}
