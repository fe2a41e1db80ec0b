package library

import (
	"testing"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// steel is a material with two properties.
func steel() MaterialRecord {
	return MaterialRecord{
		Material: lci.Material{ID: id("steel"), Name: "Steel", RegionalScopes: []string{"RER"}},
		Properties: []lci.Property{
			{ID: id("density"), MaterialID: id("steel"), Name: "Density", Value: 7850, Unit: "kg/m3", Mean: pointer(7800), StandardDeviation: pointer(12), Price: 1},
			{ID: id("modulus"), MaterialID: id("steel"), Name: "Modulus", Value: 210, Unit: "GPa", Price: 1},
		},
		InputTo: []Link{{id("rolling"), "Rolling"}, {id("forging"), "forging"}, {id("rolling 2"), "Rolling"}},
	}
}

// smelting is a process with two reference products, an input that is a
// material, an emission and impacts under two methods.
func smelting(boundary lci.Boundary) ProcessRecord {
	return ProcessRecord{
		Process: lci.Process{ID: id("smelting"), Name: "Smelting", Boundary: boundary, Sources: []string{"https://a.example", "https://b.example"}},
		Exchanges: []lci.Exchange{
			{ID: id("x-emission"), ProcessID: id("smelting"), Position: 0, Direction: lci.Output, FlowID: id("co2"), Name: "CO2", Value: 2, Unit: "kg", Type: lci.Elementary},
			{ID: id("x-ore"), ProcessID: id("smelting"), Position: 1, Direction: lci.Input, FlowID: id("ore flow"), MaterialID: id("ore"), Name: "Ore", Value: 3, Unit: "kg", Type: lci.Intermediate, Mean: pointer(3.1)},
			{ID: id("x-steel"), ProcessID: id("smelting"), Position: 2, Direction: lci.Output, FlowID: id("steel product"), MaterialID: id("steel"), Name: "Steel", Value: 1, Unit: "kg", Reference: true},
			{ID: id("x-slag"), ProcessID: id("smelting"), Position: 3, Direction: lci.Output, FlowID: id("slag product"), Name: "Slag", Value: 0.5, Unit: "kg", Reference: true},
		},
		Impacts: []lci.Impact{
			{ID: id("gwp"), ProcessID: id("smelting"), MethodID: id("ef"), Indicator: "GWP", Value: 2.2},
			{ID: id("ap"), ProcessID: id("smelting"), MethodID: id("ef"), Indicator: "AP", Value: 0.2},
			{ID: id("toxic"), ProcessID: id("smelting"), MethodID: id("recipe"), Indicator: "HTP", Value: 9},
		},
	}
}

func ore() MaterialRecord {
	return MaterialRecord{Material: lci.Material{ID: id("ore"), Name: "Ore"}}
}

func materials(t *testing.T, l *Library, v account.Viewer, q Query) ([]Material, Page) {
	t.Helper()
	page, err := l.List(t.Context(), v, Materials, q)
	if err != nil {
		t.Fatal(err)
	}
	found, err := page.Materials(t.Context(), page.Refs)
	if err != nil {
		t.Fatal(err)
	}
	return found, page
}

func processes(t *testing.T, l *Library, v account.Viewer, q Query) ([]Process, Page) {
	t.Helper()
	page, err := l.List(t.Context(), v, Processes, q)
	if err != nil {
		t.Fatal(err)
	}
	found, err := page.Processes(t.Context(), page.Refs)
	if err != nil {
		t.Fatal(err)
	}
	return found, page
}

var all = Query{Limit: 100}
