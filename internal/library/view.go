package library

import "cradle/internal/lci"

// The views below are what a viewer may see, already masked. A hidden number is
// nil.

// Material is a material as a team sees it. Page.Materials leaves Impacts empty;
// RegionalScopes, Favourite, InputTo and OutputOf belong to the list.
type Material struct {
	ID                 lci.ID
	Name               string
	Source             string
	SourceOrganization string
	FunctionalUnit     string
	Compartment        string
	RegionalScopes     []string
	DatePublished      string
	Revealed           bool
	Favourite          bool
	InputTo            []string
	OutputOf           []string
	Properties         []Property
	Impacts            []PropertyImpact
}

// Property is a row of a material.
type Property struct {
	ID                 lci.ID
	Name               string
	Number             Number
	Unit               string
	Revealed           bool
	Description        string
	Source             string
	SourceOrganization string
	DatePublished      string
}

// Number is a value with its uncertainty; all nil while hidden.
type Number struct {
	Value             *float64
	Mean              *float64
	StandardDeviation *float64
}

// PropertyImpact is an impact row of a material, revealed with its property.
type PropertyImpact struct {
	ID         lci.ID
	PropertyID lci.ID
	Method     Method
	Category   string
	Indicator  string
	Value      *float64
	Unit       string
	Revealed   bool
}

// Process is a process as a team sees it.
type Process struct {
	ID                 lci.ID
	Name               string
	Description        string
	Sources            []string
	SourceOrganization string
	Region             string
	Boundary           lci.Boundary
	FunctionalUnit     string
	DatePublished      string
	Revealed           bool
	Favourite          bool
	ReferenceProduct   lci.ID
	Inputs             []Exchange
	Outputs            []Exchange
	Impacts            []Impact
}

// Exchange is a flow into or out of a process. A Product can be pulled by its
// Reference.
type Exchange struct {
	ID        lci.ID
	Reference lci.ID
	Product   bool
	Name      string
	Number    Number
	Unit      string
	Type      lci.FlowType
}

// Impact is a result of a process under a method's indicator.
type Impact struct {
	ID        lci.ID
	Method    Method
	Category  string
	Indicator string
	Number    Number
	Unit      string
	Revealed  bool
}

// Method is a characterization method in one version.
type Method struct {
	ID      lci.ID
	Name    string
	Version string
}
