package library

import (
	"context"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// The records below hold unmasked values. They stay inside this package; callers
// get the views made in mask.go.

// MaterialRecord is a material with the rows that are listed with it.
type MaterialRecord struct {
	lci.Material
	Properties []lci.Property
	InputTo    []Link
	OutputOf   []Link
}

// Link is an undeleted process that a material is exchanged with.
type Link struct {
	Process lci.ID
	Name    string
}

// ProcessRecord is a process with its rows, in the provider's order.
type ProcessRecord struct {
	lci.Process
	Exchanges []lci.Exchange
	Impacts   []lci.Impact
}

// RevealKind says what kind of thing was bought.
type RevealKind string

const (
	PropertyReveal RevealKind = "property"
	ProductReveal  RevealKind = "product"
	ImpactReveal   RevealKind = "impact"
)

// of is the kind of record that the reveal belongs to.
func (k RevealKind) of() Kind {
	if k == PropertyReveal {
		return Materials
	}
	return Processes
}

// A Reveal is one thing a wallet has bought and that still exists.
type Reveal struct {
	Seq    int64
	Kind   RevealKind
	Record lci.ID // the material or process
	Item   lci.ID // the property, reference product or impact row
}

// Store reads the catalogue. It never returns deleted rows.
type Store interface {
	// Catalogue reads what lists and searches need of every record, at one
	// generation, in list order.
	Catalogue(ctx context.Context, into CatalogueReader) error
	// Generation returns the catalogue's current generation.
	Generation(ctx context.Context) (int64, error)
	// MaterialRecords and ProcessRecords return those that exist, in any order.
	MaterialRecords(ctx context.Context, ids []lci.ID) ([]MaterialRecord, error)
	ProcessRecords(ctx context.Context, ids []lci.ID) ([]ProcessRecord, error)
	// MaterialImpacts returns the impacts of materials' properties, in the
	// provider's order.
	MaterialImpacts(ctx context.Context, materials []lci.ID) (map[lci.ID][]lci.MaterialImpact, error)
	// Reveals returns a wallet's reveals after the given number, in order.
	Reveals(ctx context.Context, wallet account.Wallet, after int64) ([]Reveal, error)
	Favourites(ctx context.Context, user, team lci.ID) ([]lci.ID, error)
	SetFavourite(ctx context.Context, user, team, record lci.ID, on bool) error
	// Origins calls take with the origin of every record.
	Origins(ctx context.Context, take func(Origin) error) error
}

// Origin is where a record comes from.
type Origin struct {
	Kind         Kind
	Record       lci.ID
	Regions      string // several are separated by ";"
	Organization string
}

// CatalogueReader receives the catalogue row by row.
type CatalogueReader interface {
	Generation(int64)
	Material(id lci.ID, fold []byte, restricted bool)
	Process(id lci.ID, fold []byte, restricted bool)
	// Grant lets a team see a restricted record.
	Grant(record, team lci.ID)
	// Contested names a record with rows that refer to a restricted record.
	Contested(record lci.ID)
	Method(lci.Method)
}
