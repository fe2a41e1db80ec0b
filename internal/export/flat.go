package export

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"cradle/internal/lci"
)

// writeFlat writes one table for each kind of records, for spreadsheets and
// scripts: names stand beside ids, so that no table has to be joined.
func writeFlat(ctx context.Context, w io.Writer, from Source) (Counts, error) {
	c, err := newCatalogue(ctx, from)
	if err != nil {
		return Counts{}, err
	}
	f := &flat{catalogue: c, to: newArchive(w)}
	for _, step := range []func() error{f.writeMaterials, f.writeProcesses, f.writeExchanges, f.writeImpacts, f.writeFactors, f.writeFlows, f.to.Close} {
		if err := step(); err != nil {
			return Counts{}, err
		}
	}
	return f.counts, nil
}

type flat struct {
	*catalogue
	to *archive
}

// table writes a table whose rows come by yield.
func (f *flat) table(name, header string, rows func(yield func(cells ...string) error) error) error {
	w, err := f.to.Create(name)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	out.Write(strings.Split(header, ","))
	if err := rows(func(cells ...string) error { return out.Write(safe(cells)) }); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// safe keeps a spreadsheet from taking a text for a formula.
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

const materialHeader = "material_id,material,classification,functional_unit,regions,source,organization,date,property_id,property,value,unit,mean,standard_deviation,description"

func (f *flat) writeMaterials() error {
	return f.table("material_properties.csv", materialHeader, f.eachMaterialRow)
}

// eachMaterialRow yields a row for each property, and one for a material that has
// none.
func (c *catalogue) eachMaterialRow(yield func(...string) error) error {
	for _, m := range c.materials {
		head := []string{m.ID.String(), m.Name, m.Classification, m.FunctionalUnit, strings.Join(m.RegionalScopes, "; "), m.Source, m.SourceOrganization, m.DatePublished}
		properties := c.properties[m.ID]
		if len(properties) == 0 {
			if err := yield(append(head, "", "", "", "", "", "", "")...); err != nil {
				return err
			}
		}
		for _, p := range properties {
			row := append(head[:len(head):len(head)], p.ID.String(), p.Name, number(p.Value), p.Unit, optional(p.Mean), optional(p.StandardDeviation), p.Description)
			if err := yield(row...); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *flat) writeProcesses() error {
	const header = "process_id,process,region,boundary,functional_unit,classification,description,sources,organization,date"
	return f.table("processes.csv", header, func(yield func(...string) error) error {
		for _, p := range f.processes {
			err := yield(p.ID.String(), p.Name, p.Region, string(p.Boundary), p.FunctionalUnit, p.Classification, p.Description, strings.Join(p.Sources, "; "), p.SourceOrganization, p.DatePublished)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *flat) writeExchanges() error {
	const header = "process_id,process,region,exchange_id,direction,type,reference,avoided,flow_id,flow,compartment,cas,value,unit,provider_id,provider,mean,standard_deviation,distribution,minimum,maximum,share"
	return f.table("process_exchanges.csv", header, func(yield func(...string) error) error {
		return f.eachProcess(func(p lci.Process, exchanges []lci.Exchange) error {
			for _, x := range exchanges {
				flow := f.flows[x.FlowID]
				err := yield(p.ID.String(), p.Name, p.Region, x.ID.String(), string(x.Direction), string(x.Type), strconv.FormatBool(isProduct(x)), strconv.FormatBool(x.Avoided),
					x.FlowID.String(), x.Name, flow.Compartment, flow.CAS, number(x.Value), x.Unit, x.ProviderID.String(), f.names[x.ProviderID],
					optional(x.Mean), optional(x.StandardDeviation), string(x.Distribution), optional(x.Minimum), optional(x.Maximum), optional(x.Share))
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

const impactHeader = "record_id,record,method_id,method,version,category,indicator,value,unit"

func (f *flat) writeImpacts() error {
	return f.table("impacts.csv", impactHeader, f.eachImpactRow)
}

// eachImpactRow yields the impacts of processes, then those of materials.
func (c *catalogue) eachImpactRow(yield func(...string) error) error {
	methods := map[lci.ID]lci.Method{}
	for _, m := range c.methods {
		methods[m.ID] = m
	}
	for _, p := range c.processes {
		for _, i := range c.impacts[p.ID] {
			m := methods[i.MethodID]
			if err := yield(p.ID.String(), p.Name, i.MethodID.String(), m.Name, m.Version, i.Category, i.Indicator, number(i.Value), i.Unit); err != nil {
				return err
			}
		}
	}
	for _, material := range c.materials {
		for _, p := range c.properties[material.ID] {
			for _, i := range c.effects[p.ID] {
				m := methods[i.MethodID]
				if err := yield(material.ID.String(), material.Name, i.MethodID.String(), m.Name, m.Version, i.Category, i.Indicator, number(i.Value), i.Unit); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (f *flat) writeFactors() error {
	const header = "method_id,method,version,category,indicator,indicator_unit,flow_id,flow,compartment,cas,value,flow_unit"
	return f.table("factors.csv", header, func(yield func(...string) error) error {
		return f.eachIndicator(func(m lci.Method, i lci.Indicator, factors []lci.Factor) error {
			for _, one := range factors {
				flow := f.flows[one.FlowID]
				err := yield(m.ID.String(), m.Name, m.Version, i.Category, i.Name, i.Unit, one.FlowID.String(), flow.Name, flow.Compartment, flow.CAS, number(one.Value), flow.Unit)
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (f *flat) writeFlows() error {
	const header = "flow_id,flow,type,compartment,cas,unit,synonyms,classification"
	return f.table("flows.csv", header, func(yield func(...string) error) error {
		for _, id := range f.flowIDs() {
			one := f.flows[id]
			f.counts.Flows++
			if err := yield(id.String(), one.Name, string(one.Type), one.Compartment, one.CAS, one.Unit, strings.Join(one.Synonyms, "; "), one.Classification); err != nil {
				return err
			}
		}
		return nil
	})
}
