package sample

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Write writes the library as a bundle into a folder.
func (l Library) Write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, t := range []struct {
		name   string
		header []string
		rows   func(add)
	}{
		{"materials.csv", []string{"id", "name", "source", "source_organization", "functional_unit", "compartment", "regional_scopes", "date_published"}, l.materials},
		{"properties.csv", []string{"id", "material_id", "name", "value", "unit", "mean", "standard_deviation", "description"}, l.properties},
		{"processes.csv", []string{"id", "name", "description", "source", "source_organization", "region", "boundary", "functional_unit", "date_published"}, l.processes},
		{"exchanges.csv", []string{"id", "process_id", "direction", "flow_id", "material_id", "name", "value", "unit", "type", "reference"}, l.exchanges},
		{"methods.csv", []string{"id", "name", "version"}, l.methods},
		{"indicators.csv", []string{"id", "method_id", "category", "name", "unit"}, l.indicators},
		{"impacts.csv", []string{"id", "process_id", "method_id", "impact_category", "indicator", "value", "unit"}, l.impacts},
	} {
		if err := writeTable(filepath.Join(folder, t.name), t.header, t.rows); err != nil {
			return fmt.Errorf("write %s: %w", t.name, err)
		}
	}
	return nil
}

// add adds a row to a table.
type add func(cells ...string)

func writeTable(path string, header []string, rows func(add)) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	buffer := bufio.NewWriterSize(file, 1<<20)
	w := csv.NewWriter(buffer)
	put := func(cells ...string) { _ = w.Write(cells) } // w.Error tells
	put(header...)
	rows(put)
	w.Flush()
	return errors.Join(w.Error(), buffer.Flush(), file.Close())
}

func (l Library) materials(row add) {
	for i := range l.Materials {
		d := roll(materialKind, i)
		row(id(materialKind, i, 0).String(), materialName(d),
			fmt.Sprintf("EPD %d-%05d", 2015+d.IntN(11), d.IntN(100_000)), d.pick(organizations),
			d.pick(functionalUnits), d.pick(compartments), d.pick(regions)+";"+d.pick(regions), date(d))
	}
}

func (l Library) properties(row add) {
	for i := range l.Materials {
		d := roll(propertyKind, i)
		first := d.IntN(len(propertyKinds))
		for j := range l.Properties {
			k := propertyKinds[(first+j)%len(propertyKinds)]
			value := d.Float64() * 1000
			row(id(propertyKind, i, j).String(), id(materialKind, i, 0).String(), k.name, number(value), k.unit,
				number(value*1.01), number(value/20), "Measured at 20 °C and 65 % relative humidity.")
		}
	}
}

func (l Library) processes(row add) {
	for i := range l.Processes {
		d := roll(processKind, i)
		boundary := "Aggregated"
		if d.IntN(4) == 0 {
			boundary = "Disaggregated"
		}
		row(id(processKind, i, 0).String(), processName(d), "Average technology of the region, reference year "+strconv.Itoa(2015+d.IntN(11))+".",
			fmt.Sprintf("https://data.example.org/processes/%d", i), d.pick(organizations), d.pick(regions), boundary, d.pick(functionalUnits), date(d))
	}
}

// A process has one output and some inputs. Some of these are materials of the
// library, the others are elementary flows.
const (
	inputs         = 5
	materialInputs = 2
)

func (l Library) exchanges(row add) {
	for i := range l.Processes {
		d := roll(exchangeKind, i)
		for j := range 1 + inputs {
			direction, reference := "input", "false"
			if j == 0 {
				direction, reference = "output", "true"
			}
			material, flow, nature := id(materialKind, d.IntN(l.Materials), 0).String(), "", "intermediate"
			if j > materialInputs {
				material, flow, nature = "", id(flowKind, d.IntN(flows), 0).String(), "elementary"
			}
			row(id(exchangeKind, i, j).String(), id(processKind, i, 0).String(), direction, flow, material,
				d.pick(substances), number(d.Float64()*10), "kg", nature, reference)
		}
	}
}

// flows is how many things are taken from nature.
const flows = 500

// methodCount is how many methods there are; each has every kind of impact.
const methodCount = 3

func (l Library) methods(row add) {
	for m := range methodCount {
		row(id(methodKind, m, 0).String(), "Sample method", strconv.Itoa(m+1)+".0")
	}
}

func (l Library) indicators(row add) {
	for m := range methodCount {
		for k, impact := range impactKinds {
			row(id(indicatorKind, m, k).String(), id(methodKind, m, 0).String(), impact.name, impact.name, impact.unit)
		}
	}
}

// impacts gives each process the results of one method.
func (l Library) impacts(row add) {
	for i := range l.Processes {
		d := roll(impactKind, i)
		method := id(methodKind, d.IntN(methodCount), 0).String()
		for k, impact := range impactKinds {
			row(id(impactKind, i, k).String(), id(processKind, i, 0).String(), method, impact.name, impact.name, number(d.Float64()*100), impact.unit)
		}
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

func date(d dice) string {
	return fmt.Sprintf("%d-%02d-%02d", 2015+d.IntN(11), 1+d.IntN(12), 1+d.IntN(28))
}
