package rest

import (
	"strings"

	"cradle/internal/library"
)

// The shapes of the current version's answers.

type user struct {
	ID         string `json:"id"`
	Email      string `json:"email"`
	Firstname  string `json:"firstname"`
	Lastname   string `json:"lastname"`
	RecentTeam string `json:"recentTeam"`
}

type team struct {
	ID          string  `json:"id"`
	Label       string  `json:"label"`
	Description *string `json:"description"`
	Role        string  `json:"role"`
	IsRecent    bool    `json:"isRecent"`
}

type credits struct {
	Balance int64  `json:"balance"`
	Mode    string `json:"mode"`
}

type method struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

type items[T any] struct {
	Items []T `json:"items"`
	Total int `json:"total"`
}

type materialItem struct {
	ID                 string     `json:"id"`
	Name               string     `json:"name"`
	Source             string     `json:"source"`
	SourceOrganization string     `json:"sourceOrganization"`
	FunctionalUnit     string     `json:"functionalUnit"`
	Compartment        string     `json:"compartment"`
	RegionalScopes     string     `json:"regionalScopes"`
	DatePublished      *string    `json:"datePublished"`
	Revealed           bool       `json:"revealed"`
	Deleted            bool       `json:"deleted"`
	IsFavorite         bool       `json:"isFavorite"`
	InputTo            []string   `json:"inputTo"`
	OutputOf           []string   `json:"outputOf"`
	Properties         []property `json:"properties"`
}

func materialItemOf(m *library.Material) materialItem {
	return materialItem{
		ID: m.ID.String(), Name: m.Name, Source: m.Source, SourceOrganization: m.SourceOrganization,
		FunctionalUnit: m.FunctionalUnit, Compartment: m.Compartment, RegionalScopes: strings.Join(m.RegionalScopes, ","),
		DatePublished: date(m.DatePublished), Revealed: m.Revealed, IsFavorite: m.Favourite,
		InputTo: m.InputTo, OutputOf: m.OutputOf, Properties: mapped(m.Properties, propertyOf),
	}
}

type singleMaterial struct {
	ID                 string           `json:"id"`
	Name               string           `json:"name"`
	Source             string           `json:"source"`
	SourceOrganization string           `json:"sourceOrganization"`
	FunctionalUnit     string           `json:"functionalUnit"`
	Compartment        string           `json:"compartment"`
	DatePublished      *string          `json:"datePublished"`
	Revealed           bool             `json:"revealed"`
	Deleted            bool             `json:"deleted"`
	Properties         []property       `json:"properties"`
	Impacts            []propertyImpact `json:"impacts"`
}

func singleMaterialOf(m *library.Material) singleMaterial {
	return singleMaterial{
		ID: m.ID.String(), Name: m.Name, Source: m.Source, SourceOrganization: m.SourceOrganization,
		FunctionalUnit: m.FunctionalUnit, Compartment: m.Compartment, DatePublished: date(m.DatePublished), Revealed: m.Revealed,
		Properties: mapped(m.Properties, propertyOf), Impacts: mapped(m.Impacts, propertyImpactOf),
	}
}

type property struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Value      *float64 `json:"value"`
	Unit       string   `json:"unit"`
	Revealed   bool     `json:"revealed"`
	Deleted    bool     `json:"deleted"`
	RevealType *string  `json:"revealType"`
}

func propertyOf(p *library.Property) property {
	return property{ID: p.ID.String(), Name: p.Name, Value: p.Number.Value, Unit: p.Unit, Revealed: p.Revealed, RevealType: revealType(p.Revealed)}
}

type singleProperty struct {
	property
	Description        string   `json:"description"`
	Source             string   `json:"source"`
	SourceOrganization string   `json:"sourceOrganization"`
	DatePublished      *string  `json:"datePublished"`
	Mean               *float64 `json:"mean"`
	StandardDeviation  *float64 `json:"standardDeviation"`
}

func singlePropertyOf(p *library.Property) singleProperty {
	return singleProperty{
		property: propertyOf(p), Description: p.Description, Source: p.Source, SourceOrganization: p.SourceOrganization,
		DatePublished: date(p.DatePublished), Mean: p.Number.Mean, StandardDeviation: p.Number.StandardDeviation,
	}
}

type propertyImpact struct {
	ID             string   `json:"id"`
	PropertyID     string   `json:"propertyId"`
	Method         string   `json:"method"`
	MethodID       string   `json:"methodId"`
	MethodVersion  string   `json:"methodVersion"`
	ImpactCategory string   `json:"impactCategory"`
	Indicator      string   `json:"indicator"`
	Value          *float64 `json:"value"`
	Unit           string   `json:"unit"`
	Revealed       bool     `json:"revealed"`
	Deleted        bool     `json:"deleted"`
}

func propertyImpactOf(i *library.PropertyImpact) propertyImpact {
	return propertyImpact{
		ID: i.ID.String(), PropertyID: i.PropertyID.String(), Method: i.Method.Name, MethodID: i.Method.ID.String(), MethodVersion: i.Method.Version, ImpactCategory: i.Category,
		Indicator: i.Indicator, Value: i.Value, Unit: i.Unit, Revealed: i.Revealed,
	}
}

type processItem struct {
	ID                  string       `json:"id"`
	Name                string       `json:"name"`
	Description         string       `json:"description"`
	Source              []sourceLink `json:"source"`
	SourceOrganization  string       `json:"sourceOrganization"`
	RegionRegionalScope string       `json:"regionRegionalScope"`
	ProcessBoundary     string       `json:"processBoundary"`
	DatePublished       *string      `json:"datePublished"`
	Revealed            bool         `json:"revealed"`
	Deleted             bool         `json:"deleted"`
	Favorite            bool         `json:"favorite"`
	Inputs              []exchange   `json:"inputs"`
	Outputs             []exchange   `json:"outputs"`
	Impacts             []impact     `json:"impacts"`
	ReferenceProductID  string       `json:"referenceProductId"`
}

type sourceLink struct {
	Link string `json:"link"`
}

func processItemOf(p *library.Process) processItem {
	return processItem{
		ID: p.ID.String(), Name: p.Name, Description: p.Description,
		Source:             mapped(p.Sources, func(link *string) sourceLink { return sourceLink{*link} }),
		SourceOrganization: p.SourceOrganization, RegionRegionalScope: p.Region, ProcessBoundary: string(p.Boundary),
		DatePublished: date(p.DatePublished), Revealed: p.Revealed, Favorite: p.Favourite,
		Inputs: mapped(p.Inputs, exchangeOf), Outputs: mapped(p.Outputs, exchangeOf), Impacts: mapped(p.Impacts, impactOf),
		ReferenceProductID: p.ReferenceProduct.String(),
	}
}

type singleProcess struct {
	ID                  string       `json:"id"`
	Name                string       `json:"name"`
	Source              string       `json:"source"`
	SourceOrganization  string       `json:"sourceOrganization"`
	RegionRegionalScope string       `json:"regionRegionalScope"`
	FunctionalUnit      string       `json:"functionalUnit"`
	DatePublished       *string      `json:"datePublished"`
	Revealed            bool         `json:"revealed"`
	Deleted             bool         `json:"deleted"`
	Inputs              []exchange   `json:"inputs"`
	Outputs             []exchange   `json:"outputs"`
	Impacts             []processRow `json:"impacts"`
}

func singleProcessOf(p *library.Process) singleProcess {
	return singleProcess{
		ID: p.ID.String(), Name: p.Name, Source: joinedSources(p), SourceOrganization: p.SourceOrganization,
		RegionRegionalScope: p.Region, FunctionalUnit: p.FunctionalUnit, DatePublished: date(p.DatePublished), Revealed: p.Revealed,
		Inputs: mapped(p.Inputs, exchangeOf), Outputs: mapped(p.Outputs, exchangeOf), Impacts: mapped(p.Impacts, processRowOf),
	}
}

type exchange struct {
	ID                  string   `json:"id"`
	ReferenceID         string   `json:"referenceId"`
	Name                string   `json:"name"`
	Value               *float64 `json:"value"`
	Mean                *float64 `json:"mean"`
	StandardDeviation   *float64 `json:"standardDeviation"`
	Unit                string   `json:"unit"`
	ExchangeTypeDetails string   `json:"exchangeTypeDetails"`
}

func exchangeOf(x *library.Exchange) exchange {
	return exchange{
		ID: x.ID.String(), ReferenceID: x.Reference.String(), Name: x.Name, Value: x.Number.Value,
		Mean: x.Number.Mean, StandardDeviation: x.Number.StandardDeviation, Unit: x.Unit, ExchangeTypeDetails: string(x.Type),
	}
}

// impact is an impact row in a list.
type impact struct {
	ID            string   `json:"id"`
	Method        string   `json:"method"`
	MethodID      string   `json:"methodId"`
	MethodVersion string   `json:"methodVersion"`
	Indicator     string   `json:"indicator"`
	Value         *float64 `json:"value"`
	Unit          string   `json:"unit"`
	Revealed      bool     `json:"revealed"`
}

func impactOf(i *library.Impact) impact {
	return impact{ID: i.ID.String(), Method: i.Method.Name, MethodID: i.Method.ID.String(), MethodVersion: i.Method.Version, Indicator: i.Indicator, Value: i.Number.Value, Unit: i.Unit, Revealed: i.Revealed}
}

// processRow is an impact row in the single read of a process.
type processRow struct {
	ID             string   `json:"id"`
	Method         string   `json:"method"`
	MethodID       string   `json:"methodId"`
	MethodVersion  string   `json:"methodVersion"`
	ImpactCategory string   `json:"impactCategory"`
	Indicator      string   `json:"indicator"`
	Value          *float64 `json:"value"`
	Unit           string   `json:"unit"`
	Revealed       bool     `json:"revealed"`
	Deleted        bool     `json:"deleted"`
}

func processRowOf(i *library.Impact) processRow {
	return processRow{
		ID: i.ID.String(), Method: i.Method.Name, MethodID: i.Method.ID.String(), MethodVersion: i.Method.Version, ImpactCategory: i.Category, Indicator: i.Indicator,
		Value: i.Number.Value, Unit: i.Unit, Revealed: i.Revealed,
	}
}

type singleImpact struct {
	processRow
	Mean              *float64 `json:"mean"`
	StandardDeviation *float64 `json:"standardDeviation"`
}

func singleImpactOf(i *library.Impact) singleImpact {
	return singleImpact{processRow: processRowOf(i), Mean: i.Number.Mean, StandardDeviation: i.Number.StandardDeviation}
}

// date is null when unknown.
func date(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

var pulled = "pulled"

func revealType(revealed bool) *string {
	if !revealed {
		return nil
	}
	return &pulled
}

// mapped never returns nil: an empty list is [] in JSON.
func mapped[From, To any](from []From, to func(*From) To) []To {
	out := make([]To, len(from))
	for i := range from {
		out[i] = to(&from[i])
	}
	return out
}
