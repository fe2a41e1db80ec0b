package importing

import (
	"context"
	"iter"

	"cradle/internal/account"
	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// A Store keeps the catalogue.
type Store interface {
	ingest.Existing
	// Team returns nil where there is none.
	Team(ctx context.Context, id lci.ID) (*account.Team, error)
	// LastImport returns what was remembered of an import, "" when nothing was, and
	// the generation of the catalogue.
	LastImport(ctx context.Context) (memory string, generation int64, err error)
	// WriteCatalogue lets do change the catalogue in one transaction, which happens
	// unless do returns an error, and which no other import writes beside.
	WriteCatalogue(ctx context.Context, do func(Catalogue) error) error
}

// A Catalogue is what is stored, as an import changes it.
type Catalogue struct {
	Flows           Table[lci.Flow]
	Mappings        OwnedTable[flowmatch.Mapping]
	Methods         MethodTable
	Indicators      MarkedTable[lci.Indicator]
	Factors         OwnedTable[lci.Factor]
	Materials       MarkedTable[lci.Material]
	Properties      MarkedTable[lci.Property]
	MaterialImpacts OwnedTable[lci.MaterialImpact]
	Processes       MarkedTable[lci.Process]
	Exchanges       OwnedTable[lci.Exchange]
	Allocations     OwnedTable[lci.Allocation]
	Impacts         ImpactTable

	Grants    Grants
	Libraries Libraries
	Inventory ingest.Inventory
	State     State
}

// Stored is a row as it is stored.
type Stored[T any] struct {
	Row        T
	Restricted bool // a material or a process that not every team may see
	Stale      bool // what is stored beside the row does not follow from it any more
}

// A Table keeps the rows of one kind.
type Table[T any] interface {
	// Find returns what is stored of rows, in their order, nil where nothing is.
	Find(ctx context.Context, rows []T) ([]*Stored[T], error)
	// Same says whether two rows are stored alike. The place of a property or an
	// impact among others is the one it was first given, and does not count.
	Same(a, b *T) bool
	// Write adds rows, and replaces others.
	Write(ctx context.Context, added, changed []Stored[T]) error
}

// An OwnedTable has rows that come and go with the record they belong to.
type OwnedTable[T any] interface {
	Table[T]
	// DeleteOf deletes the rows that belong to some records, but those to keep,
	// and says how many.
	DeleteOf(ctx context.Context, owners []lci.ID, keep func(lci.ID) bool) (int, error)
}

// A MarkedTable has rows that are marked when they are deleted, and stay.
type MarkedTable[T any] interface {
	Table[T]
	// Live returns the rows that are not deleted.
	Live(ctx context.Context) iter.Seq2[lci.ID, error]
	MarkDeleted(ctx context.Context, ids []lci.ID) error
}

// A MethodTable knows which methods are needed.
type MethodTable interface {
	MarkedTable[lci.Method]
	// InUse returns the methods by which the provider states impacts that are not
	// deleted, of processes or of properties.
	InUse(ctx context.Context) ([]lci.ID, error)
}

// An ImpactTable has the impacts that the provider states and those that were
// calculated. One that is marked as deleted counts as calculated: it may be
// calculated again.
type ImpactTable interface {
	MarkedTable[lci.Impact]
	LiveStated(ctx context.Context) iter.Seq2[lci.ID, error]
	// LiveCalculated returns those of some methods, of all where none is given.
	LiveCalculated(ctx context.Context, methods []lci.ID) iter.Seq2[lci.ID, error]
	CountCalculated(ctx context.Context) (int, error)
}

// Grants say which teams may see a restricted record.
type Grants interface {
	// Of returns the teams of records, in order.
	Of(ctx context.Context, records []lci.ID) (map[lci.ID][]lci.ID, error)
	// Replace leaves records to these teams.
	Replace(ctx context.Context, records, teams []lci.ID) error
}

// Libraries say which processes and methods came together.
type Libraries interface {
	// Members returns those of the records that a library has.
	Members(ctx context.Context, library lci.ID, records []lci.ID) (map[lci.ID]bool, error)
	Add(ctx context.Context, library lci.ID, records []lci.ID) error
	// Remove takes records out of every library.
	Remove(ctx context.Context, records []lci.ID) error
}

// State is what is known of the catalogue as a whole.
type State interface {
	Generation(ctx context.Context) (int64, error)
	// Publish makes what was written a new generation.
	Publish(ctx context.Context) error
	// Remember keeps what LastImport returns.
	Remember(ctx context.Context, memory string) error
}
