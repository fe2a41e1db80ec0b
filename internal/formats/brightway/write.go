package brightway

import (
	"context"
	"io"
	"math"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/lci"
)

// database is the name of the database in the workbook.
const database = "cradle"

// Write writes a workbook for Brightway's ExcelImporter: a sheet of activities
// with their exchanges, in which elementary flows are activities, too. The
// importer skips the other sheets.
func Write(ctx context.Context, w io.Writer, from export.Source, as *calculation.Network) (export.Counts, error) {
	c, err := export.NewCatalogue(ctx, from)
	if err != nil {
		return export.Counts{}, err
	}
	p, err := export.NewActivities(c, as)
	if err != nil {
		return export.Counts{}, err
	}
	b := &writer{p, newBook(w)}
	for _, step := range []func() error{
		b.writeActivities, b.writeFactors,
		func() error { return b.writeTable("materials", c.MaterialTable()) },
		func() error { return b.writeTable("impacts", c.ImpactTable()) },
		b.close,
	} {
		if err := step(); err != nil {
			return export.Counts{}, err
		}
	}
	return c.Counts, nil
}

type writer struct {
	*export.Activities
	*book
}

// beginSkipped begins a sheet that Brightway skips.
func (b *writer) beginSkipped(name, header string) error {
	b.sheet(name)
	b.row("skip")
	return b.row(cells(strings.Split(header, ","))...)
}

func (b *writer) writeTable(name string, t export.Table) error {
	if err := b.beginSkipped(name, t.Header); err != nil {
		return err
	}
	if err := t.Rows(func(row ...string) error { return b.row(cells(row)...) }); err != nil {
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

func (b *writer) writeActivities() error {
	b.sheet("processes")
	b.row("Database", database)
	err := b.Each(func(a export.Activity) error {
		b.writeActivity(a)
		return b.err
	})
	if err != nil {
		return err
	}
	for _, id := range b.FlowIDs() {
		if f := b.Flows[id]; f.Type == lci.Elementary {
			b.Counts.Flows++
			b.writeFlow(id, f)
		}
	}
	return b.endSheet()
}

// exchangeColumns start with input instead of name because a row that begins
// with "Activity" would be a heading.
var exchangeColumns = []any{"input", "name", "amount", "unit", "database", "location", "type", "reference product", "categories", "code", "flow", "exchange id",
	"uncertainty type", "loc", "scale", "minimum", "maximum"}

// writeActivity writes an activity. One without scores has no exchanges, and a
// type that Brightway does not treat as a process, so that it has no scores
// there either.
func (b *writer) writeActivity(a export.Activity) {
	of := a.Product
	flow, kind := "", "process"
	if !of.ID.IsZero() {
		flow = of.FlowID.String()
	}
	if a.Idle {
		kind = "uncalculated"
	}
	b.row()
	b.row("Activity", plain(a.Process.Name))
	b.fields("code", a.ID.String(), "flow", flow, "location", a.Process.Region, "unit", of.Unit, "reference product", plain(of.Name), "type", kind,
		"comment", plain(a.Process.Description), "source", plain(strings.Join(a.Process.Sources, "; ")))
	if a.Idle {
		return
	}
	b.row("Exchanges")
	b.row(exchangeColumns...)
	b.row(b.exchangeRow(a, of)...)
	for _, l := range a.Lines {
		b.row(b.exchangeRow(a, l)...)
	}
}

func (b *writer) writeFlow(id lci.ID, f lci.Flow) {
	b.row()
	b.row("Activity", plain(f.Name))
	kind := "emission"
	if export.IsResource(f) || b.Nature[id].Resource {
		kind = "natural resource"
	}
	b.fields("code", id.String(), "unit", f.Unit, "type", kind, "categories", categories(f), "CAS number", f.CAS)
	if of, stated := b.Stated[id]; stated {
		m := b.Method(of.MethodID)
		b.fields("method id", m.ID.String(), "method", plain(m.Name), "method version", m.Version,
			"impact category", plain(of.Category), "indicator id", of.ID.String(), "indicator", plain(of.Name))
	}
}

// plain keeps Brightway from splitting a text into parts.
func plain(text string) string { return strings.ReplaceAll(text, "::", ": :") }

func categories(f lci.Flow) string {
	medium, part := export.Medium(f)
	if part == "" {
		return medium
	}
	return medium + "::" + strings.ReplaceAll(part, "/", "::")
}

// exchangeRow is a line of an activity's table.
func (b *writer) exchangeRow(a export.Activity, l export.Line) []any {
	kind, home, location, product, amount := "technosphere", database, l.Supplier.Location, l.Supplier.Product, l.Value
	name, code, where := l.Supplier.Name, l.Supplier.ID.String(), ""
	switch {
	case l.Type == lci.Elementary:
		f := b.Flows[l.FlowID]
		kind, name, code, where = "biosphere", f.Name, l.FlowID.String(), categories(f)
		if l.Resource != (l.Direction == lci.Input) {
			amount = -amount
		}
	case l.ID == a.Product.ID:
		kind, name, product, location, code = "production", a.Process.Name, l.Name, a.Process.Region, a.ID.String()
	case l.IsProduct():
		kind, name, product = "production", l.Name, l.Name // a co-product
	case l.Avoided:
		kind = "substitution"
	case l.Direction == lci.Output:
		amount = -amount // given to a treatment
	}
	input := database + "::" + code
	if code == "" {
		input, home = "", "" // it has no supplier
		if name == "" {
			name, product = l.Name, l.Name
		}
	}
	return append([]any{input, plain(name), amount, l.Unit, home, location, kind, plain(product), where, code, l.FlowID.String(), l.ID.String()}, uncertaintyCells(l.Exchange)...)
}

// writeFactors writes the factors that count.
func (b *writer) writeFactors() error {
	err := b.beginSkipped("factors", "method_id,method,version,category,indicator_id,indicator,indicator_unit,flow_id,flow,categories,value,flow_unit")
	if err != nil {
		return err
	}
	err = b.EachIndicator(func(m lci.Method, i lci.Indicator, own []lci.Factor) error {
		for _, one := range b.Factors(i, own) {
			f := b.Flows[one.FlowID]
			if err := b.row(m.ID.String(), m.Name, m.Version, i.Category, i.ID.String(), i.Name, i.Unit, one.FlowID.String(), f.Name, categories(f), one.Value, f.Unit); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.endSheet()
}

// uncertaintyCells are the columns of stats_arrays: type, loc, scale, minimum,
// maximum.
func uncertaintyCells(x lci.Exchange) []any {
	switch x.Distribution {
	case lci.Lognormal:
		if mean, sd, ok := export.Geometric(&x); ok && sd > 1 {
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
			return []any{5.0, *export.Mode(&x), "", *x.Minimum, *x.Maximum}
		}
	}
	return nil
}
