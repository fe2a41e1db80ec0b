package test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// The rows of a bundle's files. Every cell is text, "" is unknown.
type (
	material struct {
		ID             string `csv:"id"`
		Name           string `csv:"name"`
		Source         string `csv:"source"`
		Organization   string `csv:"source_organization"`
		FunctionalUnit string `csv:"functional_unit"`
		Compartment    string `csv:"compartment"`
		Regions        string `csv:"regional_scopes"`
		Date           string `csv:"date_published"`
		Deleted        string `csv:"deleted"`
	}
	property struct {
		ID           string `csv:"id"`
		Material     string `csv:"material_id"`
		Name         string `csv:"name"`
		Value        string `csv:"value"`
		Unit         string `csv:"unit"`
		Mean         string `csv:"mean"`
		Deviation    string `csv:"standard_deviation"`
		Description  string `csv:"description"`
		Source       string `csv:"source"`
		Organization string `csv:"source_organization"`
		Date         string `csv:"date_published"`
		Price        string `csv:"price"`
		Deleted      string `csv:"deleted"`
	}
	materialImpact struct {
		ID        string `csv:"id"`
		Property  string `csv:"property_id"`
		Method    string `csv:"method_id"`
		Category  string `csv:"impact_category"`
		Indicator string `csv:"indicator"`
		Value     string `csv:"value"`
		Unit      string `csv:"unit"`
	}
	process struct {
		ID             string `csv:"id"`
		Name           string `csv:"name"`
		Description    string `csv:"description"`
		Source         string `csv:"source"`
		Organization   string `csv:"source_organization"`
		Region         string `csv:"region"`
		Boundary       string `csv:"boundary"`
		FunctionalUnit string `csv:"functional_unit"`
		Date           string `csv:"date_published"`
		Price          string `csv:"price"`
		Deleted        string `csv:"deleted"`
	}
	exchange struct {
		ID        string `csv:"id"`
		Process   string `csv:"process_id"`
		Direction string `csv:"direction"`
		Flow      string `csv:"flow_id"`
		Material  string `csv:"material_id"`
		Name      string `csv:"name"`
		Value     string `csv:"value"`
		Unit      string `csv:"unit"`
		Type      string `csv:"type"`
		Reference string `csv:"reference"`
		Provider  string `csv:"provider_id"`
		Mean      string `csv:"mean"`
		Deviation string `csv:"standard_deviation"`
		Avoided   string `csv:"avoided"`
		Worth     string `csv:"worth"`
		Share     string `csv:"share"`
	}
	allocation struct {
		Process  string `csv:"process_id"`
		Product  string `csv:"product_id"`
		Exchange string `csv:"exchange_id"`
		Share    string `csv:"share"`
	}
	flow struct {
		ID          string `csv:"id"`
		Name        string `csv:"name"`
		Compartment string `csv:"compartment"`
		Unit        string `csv:"unit"`
	}
	method struct {
		ID      string `csv:"id"`
		Name    string `csv:"name"`
		Version string `csv:"version"`
	}
	indicator struct {
		ID       string `csv:"id"`
		Method   string `csv:"method_id"`
		Category string `csv:"category"`
		Name     string `csv:"name"`
		Unit     string `csv:"unit"`
	}
	factor struct {
		Indicator string `csv:"indicator_id"`
		Flow      string `csv:"flow_id"`
		Value     string `csv:"value"`
	}
	impact struct {
		ID        string `csv:"id"`
		Process   string `csv:"process_id"`
		Method    string `csv:"method_id"`
		Category  string `csv:"impact_category"`
		Indicator string `csv:"indicator"`
		Value     string `csv:"value"`
		Unit      string `csv:"unit"`
		Deleted   string `csv:"deleted"`
	}
)

// A library is what a bundle holds.
type library struct {
	materials       []material
	properties      []property
	materialImpacts []materialImpact
	processes       []process
	exchanges       []exchange
	allocations     []allocation
	flows           []flow
	methods         []method
	indicators      []indicator
	factors         []factor
	impacts         []impact
}

// plus is a library with the rows of another after its own.
func (l library) plus(m library) library {
	return library{
		slices.Concat(l.materials, m.materials),
		slices.Concat(l.properties, m.properties),
		slices.Concat(l.materialImpacts, m.materialImpacts),
		slices.Concat(l.processes, m.processes),
		slices.Concat(l.exchanges, m.exchanges),
		slices.Concat(l.allocations, m.allocations),
		slices.Concat(l.flows, m.flows),
		slices.Concat(l.methods, m.methods),
		slices.Concat(l.indicators, m.indicators),
		slices.Concat(l.factors, m.factors),
		slices.Concat(l.impacts, m.impacts),
	}
}

// files are the bundle's files by name; empty ones are left out.
func (l library) files() map[string]string {
	files := map[string]string{}
	for name, rows := range map[string]any{
		"materials.csv": l.materials, "properties.csv": l.properties, "material_impacts.csv": l.materialImpacts,
		"processes.csv": l.processes, "exchanges.csv": l.exchanges, "allocations.csv": l.allocations, "flows.csv": l.flows, "methods.csv": l.methods,
		"indicators.csv": l.indicators, "factors.csv": l.factors, "impacts.csv": l.impacts,
	} {
		if reflect.ValueOf(rows).Len() > 0 {
			files[name] = table(rows)
		}
	}
	return files
}

// write writes the bundle to a folder of the test.
func (l library) write(t testing.TB) string {
	t.Helper()
	return writeFiles(t, l.files())
}

func writeFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// table renders a slice of rows as CSV with a header.
func table(rows any) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	slice := reflect.ValueOf(rows)
	var header []string
	for i := range slice.Type().Elem().NumField() {
		header = append(header, slice.Type().Elem().Field(i).Tag.Get("csv"))
	}
	_ = w.Write(header)
	for i := range slice.Len() {
		var cells []string
		for j := range slice.Index(i).NumField() {
			cells = append(cells, slice.Index(i).Field(j).String())
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return b.String()
}

// uid makes a readable UUID with letters in it: kind is eight hexadecimal digits.
func uid(kind string, n int) string { return fmt.Sprintf("%s-0000-4000-8000-%012d", kind, n) }

func itoa(n int) string { return strconv.Itoa(n) }
