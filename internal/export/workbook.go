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
// activities, too. The sheets of materials and impacts it skips.
func writeWorkbook(ctx context.Context, w io.Writer, from Source, _ *calculation.Network) (Counts, error) {
	c, err := newCatalogue(ctx, from)
	if err != nil {
		return Counts{}, err
	}
	b := newBook(w)
	if err := writeActivities(c, b); err != nil {
		return Counts{}, err
	}
	for _, s := range []struct {
		name, header string
		rows         func(func(...string) error) error
	}{{"materials", materialHeader, c.eachMaterialRow}, {"impacts", impactHeader, c.eachImpactRow}} {
		if err := writeSkipped(b, s.name, s.header, s.rows); err != nil {
			return Counts{}, err
		}
	}
	return c.counts, b.close()
}

// writeSkipped writes a sheet that Brightway is told to leave alone.
func writeSkipped(b *book, name, header string, rows func(func(...string) error) error) error {
	if err := b.sheet(name); err != nil {
		return err
	}
	b.row("skip")
	b.row(cells(strings.Split(header, ","))...)
	err := rows(func(row ...string) error { return b.row(cells(row)...) })
	if err != nil {
		return err
	}
	return b.endSheet()
}

func cells(texts []string) []any {
	row := make([]any, len(texts))
	for i, t := range texts {
		row[i] = t
	}
	return row
}

func writeActivities(c *catalogue, b *book) error {
	if err := c.findMakers(); err != nil {
		return err
	}
	if err := b.sheet("processes"); err != nil {
		return err
	}
	b.row("Database", database)
	err := c.eachProcess(func(p lci.Process, exchanges []lci.Exchange) error {
		main := c.products[p.ID]
		b.row()
		b.row("Activity", p.Name)
		for _, field := range [][2]string{
			{"code", p.ID.String()}, {"location", main.location}, {"unit", main.unit}, {"reference product", main.name}, {"type", "process"},
			{"comment", p.Description}, {"source", strings.Join(p.Sources, "; ")},
		} {
			if field[1] != "" {
				b.row(field[0], field[1])
			}
		}
		b.row("Exchanges")
		b.row("name", "amount", "unit", "database", "location", "type", "reference product", "categories", "code",
			"uncertainty type", "loc", "scale", "minimum", "maximum")
		for _, x := range exchanges {
			b.row(c.brightwayExchange(p, x)...)
		}
		return b.err
	})
	if err != nil {
		return err
	}
	for _, id := range c.flowIDs() {
		f := c.flows[id]
		if f.Type != lci.Elementary {
			continue
		}
		c.counts.Flows++
		b.row()
		b.row("Activity", f.Name)
		b.row("code", id.String())
		b.row("unit", f.Unit)
		b.row("type", natureType(f))
		b.row("categories", strings.ReplaceAll(f.Compartment, "/", "::"))
		if f.CAS != "" {
			b.row("CAS number", f.CAS)
		}
	}
	return b.endSheet()
}

func natureType(f lci.Flow) string {
	if strings.HasPrefix(f.Compartment, "resource") || strings.HasPrefix(f.Compartment, "natural resource") {
		return "natural resource"
	}
	return "emission"
}

// brightwayExchange is a line of an activity's table.
func (c *catalogue) brightwayExchange(p lci.Process, x lci.Exchange) []any {
	name, kind, of, home, code := x.Name, "technosphere", x.Name, database, ""
	location, categories, amount := "", "", x.Value
	switch {
	case x.Type == lci.Elementary:
		kind, of, code = "biosphere", "", x.FlowID.String()
		categories = strings.ReplaceAll(c.flows[x.FlowID].Compartment, "/", "::")
		name = c.flows[x.FlowID].Name
		if resource := natureType(c.flows[x.FlowID]) == "natural resource"; resource != (x.Direction == lci.Input) {
			amount = -amount
		}
	case isProduct(x):
		kind, name, location, code = "production", p.Name, p.Region, p.ID.String()
		if c.products[p.ID].name != x.Name {
			name, code = x.Name, "" // a co-product
		}
	case x.Avoided:
		kind = "substitution"
	case x.Direction == lci.Output:
		amount = -amount // given to a treatment
	}
	if supplier := c.supplierOf(x); !supplier.IsZero() {
		maker := c.products[supplier]
		name, of, location, code = maker.activity, maker.name, maker.location, supplier.String()
	} else if kind == "technosphere" || kind == "substitution" {
		home = "" // nobody here makes it
	}
	return append([]any{name, amount, x.Unit, home, location, kind, of, categories, code}, brightwayUncertainty(x)...)
}

// brightwayUncertainty is how stats_arrays has it: type, loc, scale, minimum,
// maximum.
func brightwayUncertainty(x lci.Exchange) []any {
	switch x.Distribution {
	case lci.Lognormal:
		if mean, sd, ok := geometric(&x); ok && mean > 0 {
			return []any{2.0, math.Log(mean), math.Log(sd)}
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
