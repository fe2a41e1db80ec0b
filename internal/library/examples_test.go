package library

import "cradle/internal/lci"

// steel is a material with two properties.
func steel() MaterialRecord {
	return MaterialRecord{
		Material: lci.Material{ID: id("steel"), Name: "Steel", RegionalScopes: []string{"RER"}},
		Properties: []lci.Property{
			{ID: id("density"), MaterialID: id("steel"), Name: "Density", Value: 7850, Unit: "kg/m3", Mean: pointer(7800), StandardDeviation: pointer(12), Price: 1},
			{ID: id("modulus"), MaterialID: id("steel"), Name: "Modulus", Value: 210, Unit: "GPa", Price: 1},
		},
	}
}
