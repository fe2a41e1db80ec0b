package export

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/lci"
)

// database is what the workbook's processes are called together.
const database = "cradle"

// writeWorkbook writes a workbook as Brightway's ExcelImporter reads it: a sheet
// of activities with their exchanges, in which the flows from and to nature are
// activities, too. The other sheets it skips.
func writeWorkbook(ctx context.Context, w io.Writer, from Source, as *calculation.Network) (Counts, error) {
	c, err := newCatalogue(ctx, from)
	if err != nil {
		return Counts{}, err
	}
	p, err := newPlan(c, as)
	if err != nil {
		return Counts{}, err
	}
	b := newBook(w)
	if err := p.writeActivities(b); err != nil {
		return Counts{}, err
	}
	for _, s := range []struct {
		name, header string
		rows         func(func(...any) error) error
	}{
		{"factors", "method_id,method,version,category,indicator_id,indicator,indicator_unit,flow_id,flow,categories,value,flow_unit", p.eachFactorRow},
		{"materials", materialHeader, texts(c.eachMaterialRow)},
		{"impacts", impactHeader, texts(c.eachImpactRow)},
	} {
		if err := writeSkipped(b, s.name, s.header, s.rows); err != nil {
			return Counts{}, err
		}
	}
	return c.counts, b.close()
}

// writeSkipped writes a sheet that Brightway is told to leave alone.
func writeSkipped(b *book, name, header string, rows func(func(...any) error) error) error {
	if err := b.sheet(name); err != nil {
		return err
	}
	b.row("skip")
	b.row(cells(strings.Split(header, ","))...)
	if err := rows(b.row); err != nil {
		return err
	}
	return b.endSheet()
}

func texts(rows func(func(...string) error) error) func(func(...any) error) error {
	return func(yield func(...any) error) error {
		return rows(func(row ...string) error { return yield(cells(row)...) })
	}
}

func cells(texts []string) []any {
	row := make([]any, len(texts))
	for i, t := range texts {
		row[i] = t
	}
	return row
}

func (p *plan) writeActivities(b *book) error {
	if err := b.sheet("processes"); err != nil {
		return err
	}
	b.row("Database", database)
	err := p.eachActivity(func(a activity) error {
		p.writeActivity(b, a)
		return b.err
	})
	if err != nil {
		return err
	}
	for _, id := range p.flowIDs() {
		if f := p.flows[id]; f.Type == lci.Elementary {
			p.counts.Flows++
			p.writeFlow(b, id, f)
		}
	}
	return b.endSheet()
}

// exchangeColumns begin with what no name can be taken for: a row that begins
// with "Activity" would be a heading.
var exchangeColumns = []any{"input", "name", "amount", "unit", "database", "location", "type", "reference product", "categories", "code", "flow", "exchange id",
	"uncertainty type", "loc", "scale", "minimum", "maximum"}

// writeActivity writes an activity. One without scores has no exchanges, and a
// type that Brightway makes no process of: it finds no scores either.
func (p *plan) writeActivity(b *book, a activity) {
	of := a.product
	flow, kind := "", "process"
	if !of.ID.IsZero() {
		flow = of.FlowID.String()
	}
	if a.idle {
		kind = "uncalculated"
	}
	b.row()
	b.row("Activity", plain(a.process.Name))
	b.fields("code", a.id.String(), "flow", flow, "location", a.process.Region, "unit", of.Unit, "reference product", plain(of.Name), "type", kind,
		"comment", plain(a.process.Description), "source", plain(strings.Join(a.process.Sources, "; ")))
	if a.idle {
		return
	}
	b.row("Exchanges")
	b.row(exchangeColumns...)
	b.row(p.brightwayLine(a, of)...)
	for _, l := range a.lines {
		b.row(p.brightwayLine(a, l)...)
	}
}

func (p *plan) writeFlow(b *book, id lci.ID, f lci.Flow) {
	b.row()
	b.row("Activity", plain(f.Name))
	kind := natureType(f)
	if of, exchanged := p.nature[id]; exchanged && of.Resource {
		kind = "natural resource"
	}
	b.fields("code", id.String(), "unit", f.Unit, "type", kind, "categories", categories(f), "CAS number", f.CAS)
	if of, stated := p.stated[id]; stated {
		m := p.method(of.MethodID)
		b.fields("method id", m.ID.String(), "method", plain(m.Name), "method version", m.Version,
			"impact category", plain(of.Category), "indicator id", of.ID.String(), "indicator", plain(of.Name))
	}
}

// plain keeps Brightway from taking a text for one of several parts.
func plain(text string) string { return strings.ReplaceAll(text, "::", ": :") }

func categories(f lci.Flow) string {
	medium, part := medium(f)
	if part == "" {
		return medium
	}
	return medium + "::" + strings.ReplaceAll(part, "/", "::")
}

func natureType(f lci.Flow) string {
	if medium, _ := medium(f); medium == "natural resource" {
		return "natural resource"
	}
	return "emission"
}

// brightwayLine is a line of an activity's table.
func (p *plan) brightwayLine(a activity, l line) []any {
	kind, home, location, product, amount := "technosphere", database, l.by.location, l.by.product, l.Value
	name, code, where := l.by.name, l.supplier.String(), ""
	switch {
	case l.Type == lci.Elementary:
		f := p.flows[l.FlowID]
		kind, name, code, where = "biosphere", f.Name, l.FlowID.String(), categories(f)
		if l.resource != (l.Direction == lci.Input) {
			amount = -amount
		}
	case l.ID == a.product.ID:
		kind, name, product, location, code = "production", a.process.Name, l.Name, a.process.Region, a.id.String()
	case isProduct(l.Exchange):
		kind, name, product = "production", l.Name, l.Name // a co-product
	case l.Avoided:
		kind = "substitution"
	case l.Direction == lci.Output:
		amount = -amount // given to a treatment
	}
	input := database + "::" + code
	if code == "" {
		input, home = "", "" // nobody here makes it
		if name == "" {
			name, product = l.Name, l.Name
		}
	}
	return append([]any{input, plain(name), amount, l.Unit, home, location, kind, plain(product), where, code, l.FlowID.String(), l.ID.String()}, brightwayUncertainty(l.Exchange)...)
}

// eachFactorRow yields the factors that count.
func (p *plan) eachFactorRow(yield func(...any) error) error {
	return p.eachIndicator(func(m lci.Method, i lci.Indicator, own []lci.Factor) error {
		for _, one := range p.factors(i, own) {
			f := p.flows[one.FlowID]
			if err := yield(m.ID.String(), m.Name, m.Version, i.Category, i.ID.String(), i.Name, i.Unit, one.FlowID.String(), f.Name, categories(f), one.Value, f.Unit); err != nil {
				return err
			}
		}
		return nil
	})
}

// brightwayUncertainty is how stats_arrays has it: type, loc, scale, minimum,
// maximum.
func brightwayUncertainty(x lci.Exchange) []any {
	switch x.Distribution {
	case lci.Lognormal:
		if mean, sd, ok := geometric(&x); ok && sd > 1 {
			return []any{2.0, math.Log(math.Abs(mean)), math.Log(sd)}
		}
	case lci.Normal:
		if x.Mean != nil && x.StandardDeviation != nil {
			return []any{3.0, *x.Mean, *x.StandardDeviation}
		}
	case lci.Uniform:
		if x.Minimum != nil && x.Maximum != nil {
			return []any{4.0, "", "", *x.Minimum, *x.Maximum}
		}
	case lci.Triangular:
		if x.Minimum != nil && x.Maximum != nil {
			return []any{5.0, *mode(&x), "", *x.Minimum, *x.Maximum}
		}
	}
	return nil
}

// book writes the parts of a workbook one after the other.
type book struct {
	to     *archive
	sheets []string
	out    io.Writer
	line   int
	err    error
}

func newBook(w io.Writer) *book { return &book{to: newArchive(w)} }

const sheetHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n" +
	`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`

func (b *book) sheet(name string) error {
	b.sheets, b.line = append(b.sheets, name), 0
	b.out, b.err = b.to.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(b.sheets)))
	b.print(sheetHead)
	return b.err
}

func (b *book) print(format string, args ...any) {
	if b.err == nil {
		_, b.err = fmt.Fprintf(b.out, format, args...)
	}
}

// row writes texts and numbers; one without cells is blank.
func (b *book) row(row ...any) error {
	b.line++
	if len(row) == 0 {
		return b.err
	}
	b.print(`<row r="%d">`, b.line)
	for i, cell := range row {
		at := fmt.Sprintf("%s%d", columnName(i), b.line)
		switch v := cell.(type) {
		case float64:
			b.print(`<c r="%s"><v>%s</v></c>`, at, number(v))
		case string:
			if v != "" {
				b.print(`<c r="%s" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, at, esc(v))
			}
		}
	}
	b.print("</row>\n")
	return b.err
}

// fields writes a row for each label that has a value.
func (b *book) fields(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			b.row(pairs[i], pairs[i+1])
		}
	}
}

func columnName(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnName(i/26-1) + columnName(i%26)
}

func (b *book) endSheet() error {
	b.print("</sheetData></worksheet>\n")
	return b.err
}

func (b *book) close() error {
	const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	var types, sheets, rels strings.Builder
	for i, name := range b.sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`, i+1)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, esc(name), i+1, i+1)
		fmt.Fprintf(&rels, `<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
	}
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` + types.String() + `</Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` + sheets.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + rels.String() + `</Relationships>`},
	} {
		if err := b.to.put(part[0], []byte(head+part[1]+"\n")); err != nil {
			return err
		}
	}
	return b.to.Close()
}
