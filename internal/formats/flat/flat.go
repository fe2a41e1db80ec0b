// Package flat writes a library as tables for spreadsheets and scripts. They
// cannot be imported again: bundles are for that.
package flat

import (
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"cradle/internal/calculation"
	"cradle/internal/export"
	"cradle/internal/ingest/source"
	"cradle/internal/lci"
)

const exchangesFile = "process_exchanges.csv"

// Detect reports whether a source was written by Write.
func Detect(src *source.Source) bool {
	return slices.ContainsFunc(src.Entries, func(e *source.Entry) bool { return e.Name == exchangesFile })
}

// Write writes one table for each kind of records. It always writes what is
// stored.
func Write(ctx context.Context, w io.Writer, from export.Source, _ *calculation.Network) (export.Counts, error) {
	c, err := export.NewCatalogue(ctx, from)
	if err != nil {
		return export.Counts{}, err
	}
	f := &writer{c}
	to := export.NewArchive(w)
	for _, t := range []struct {
		file  string
		table export.Table
	}{
		{"material_properties.csv", f.MaterialTable()}, {"processes.csv", f.processes()}, {exchangesFile, f.exchanges()},
		{"impacts.csv", f.ImpactTable()}, {"factors.csv", f.factors()}, {"flows.csv", f.flows()},
	} {
		if err := write(to, t.file, t.table); err != nil {
			return export.Counts{}, err
		}
	}
	return f.Counts, to.Close()
}

type writer struct{ *export.Catalogue }

func write(to *export.Archive, name string, t export.Table) error {
	w, err := to.Create(name)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.Write(strings.Split(t.Header, ","))
	if err := t.Rows(func(cells ...string) error { return out.Write(safe(cells)) }); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// safe keeps spreadsheets from treating a text as a formula.
func safe(cells []string) []string {
	for i, c := range cells {
		if c != "" && strings.ContainsRune("=+@\t\r", rune(c[0])) {
			cells[i] = "'" + c
		} else if strings.HasPrefix(c, "-") {
			if _, err := strconv.ParseFloat(c, 64); err != nil {
				cells[i] = "'" + c
			}
		}
	}
	return cells
}

func (w *writer) processes() export.Table {
	return export.Table{Header: "process_id,process,region,boundary,functional_unit,classification,description,sources,organization,date", Rows: func(yield func(...string) error) error {
		for _, p := range w.Processes {
			err := yield(p.ID.String(), p.Name, p.Region, string(p.Boundary), p.FunctionalUnit, p.Classification, p.Description, strings.Join(p.Sources, "; "), p.SourceOrganization, p.DatePublished)
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

func (w *writer) exchanges() export.Table {
	return export.Table{Header: "process_id,process,region,exchange_id,direction,type,reference,avoided,flow_id,flow,compartment,cas,value,unit,provider_id,provider,mean,standard_deviation,distribution,minimum,maximum,share", Rows: func(yield func(...string) error) error {
		return w.EachProcess(func(p lci.Process, exchanges []lci.Exchange) error {
			for _, x := range exchanges {
				flow := w.Flows[x.FlowID]
				err := yield(p.ID.String(), p.Name, p.Region, x.ID.String(), string(x.Direction), string(x.Type), strconv.FormatBool(x.IsProduct()), strconv.FormatBool(x.Avoided),
					x.FlowID.String(), x.Name, flow.Compartment, flow.CAS, export.Number(x.Value), x.Unit, x.ProviderID.String(), w.ProcessNames[x.ProviderID],
					export.Optional(x.Mean), export.Optional(x.StandardDeviation), string(x.Distribution), export.Optional(x.Minimum), export.Optional(x.Maximum), export.Optional(x.Share))
				if err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

func (w *writer) factors() export.Table {
	return export.Table{Header: "method_id,method,version,category,indicator,indicator_unit,flow_id,flow,compartment,cas,value,flow_unit", Rows: func(yield func(...string) error) error {
		return w.EachIndicator(func(m lci.Method, i lci.Indicator, factors []lci.Factor) error {
			for _, one := range factors {
				flow := w.Flows[one.FlowID]
				err := yield(m.ID.String(), m.Name, m.Version, i.Category, i.Name, i.Unit, one.FlowID.String(), flow.Name, flow.Compartment, flow.CAS, export.Number(one.Value), flow.Unit)
				if err != nil {
					return err
				}
			}
			return nil
		})
	}}
}

func (w *writer) flows() export.Table {
	return export.Table{Header: "flow_id,flow,type,compartment,cas,unit,synonyms,classification", Rows: func(yield func(...string) error) error {
		for _, id := range w.FlowIDs() {
			one := w.Flows[id]
			w.Counts.Flows++
			if err := yield(id.String(), one.Name, string(one.Type), one.Compartment, one.CAS, one.Unit, strings.Join(one.Synonyms, "; "), one.Classification); err != nil {
				return err
			}
		}
		return nil
	}}
}
