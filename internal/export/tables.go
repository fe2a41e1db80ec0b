package export

import (
	"strings"

	"cradle/internal/lci"
)

// A Table is a table for spreadsheets: it has names beside ids, so that no
// tables have to be joined.
type Table struct {
	Header string // the names of columns, separated by commas
	Rows   func(yield func(cells ...string) error) error
}

// MaterialTable has a row for each property, and one for a material without any.
func (c *Catalogue) MaterialTable() Table {
	return Table{Header: "material_id,material,classification,functional_unit,regions,source,organization,date,property_id,property,value,unit,mean,standard_deviation,description", Rows: c.eachMaterialRow}
}

func (c *Catalogue) eachMaterialRow(yield func(...string) error) error {
	for _, m := range c.Materials {
		head := []string{m.ID.String(), m.Name, m.Classification, m.FunctionalUnit, strings.Join(m.RegionalScopes, "; "), m.Source, m.SourceOrganization, m.DatePublished}
		properties := c.Properties[m.ID]
		if len(properties) == 0 {
			if err := yield(append(head, "", "", "", "", "", "", "")...); err != nil {
				return err
			}
		}
		for _, p := range properties {
			row := append(head[:len(head):len(head)], p.ID.String(), p.Name, Number(p.Value), p.Unit, Optional(p.Mean), Optional(p.StandardDeviation), p.Description)
			if err := yield(row...); err != nil {
				return err
			}
		}
	}
	return nil
}

// ImpactTable has the stated impacts of processes, then those of materials.
func (c *Catalogue) ImpactTable() Table {
	return Table{Header: "record_id,record,method_id,method,version,category,indicator,value,unit", Rows: c.eachImpactRow}
}

func (c *Catalogue) eachImpactRow(yield func(...string) error) error {
	methods := map[lci.ID]lci.Method{}
	for _, m := range c.Methods {
		methods[m.ID] = m
	}
	for _, p := range c.Processes {
		for _, i := range c.Impacts[p.ID] {
			m := methods[i.MethodID]
			if err := yield(p.ID.String(), p.Name, i.MethodID.String(), m.Name, m.Version, i.Category, i.Indicator, Number(i.Value), i.Unit); err != nil {
				return err
			}
		}
	}
	for _, material := range c.Materials {
		for _, p := range c.Properties[material.ID] {
			for _, i := range c.effects[p.ID] {
				m := methods[i.MethodID]
				if err := yield(material.ID.String(), material.Name, i.MethodID.String(), m.Name, m.Version, i.Category, i.Indicator, Number(i.Value), i.Unit); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
