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
	// Team returns nil if there is none.
	Team(ctx context.Context, id lci.ID) (*account.Team, error)
	// LastImport returns what Remember stored, or "", and the generation of the
	// catalogue.
	LastImport(ctx context.Context) (memory string, generation int64, err error)
	// WriteCatalogue calls do in one transaction, which is rolled back if do
	// returns an error. No other import writes at the same time.
	WriteCatalogue(ctx context.Context, do func(Catalogue) error) error
}

// A Catalogue is the stored catalogue for an import to change.
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

// Stored is a stored row.
type Stored[T any] struct {
	Row        T
	Restricted bool // a material or process that only some teams may see
	Stale      bool // data stored beside the row are out of date
}

// A Table stores the rows of one kind.
type Table[T any] interface {
	// Find returns the stored rows for rows, in their order, nil if there is
	// none.
	Find(ctx context.Context, rows []T) ([]*Stored[T], error)
	// Same reports whether two rows are stored alike. It ignores the position of
	// a property or impact, which is never changed.
	Same(a, b *T) bool
	// Write adds and replaces rows.
	Write(ctx context.Context, added, changed []Stored[T]) error
}

// An OwnedTable has rows that are replaced along with their owner.
type OwnedTable[T any] interface {
	Table[T]
	// DeleteOf deletes the rows of some owners, except those to keep, and
	// returns how many.
	DeleteOf(ctx context.Context, owners []lci.ID, keep func(lci.ID) bool) (int, error)
}

// A MarkedTable has rows that are only marked when they are deleted.
type MarkedTable[T any] interface {
	Table[T]
	// Live returns the rows that are not deleted.
	Live(ctx context.Context) iter.Seq2[lci.ID, error]
	MarkDeleted(ctx context.Context, ids []lci.ID) error
}

// A MethodTable stores methods.
type MethodTable interface {
	MarkedTable[lci.Method]
	// InUse returns the methods of undeleted impacts, of processes or
	// properties, that the provider states.
	InUse(ctx context.Context) ([]lci.ID, error)
}

// An ImpactTable has stated and calculated impacts. An impact marked as deleted
// counts as calculated: it may be calculated again.
type ImpactTable interface {
	MarkedTable[lci.Impact]
	LiveStated(ctx context.Context) iter.Seq2[lci.ID, error]
	// LiveCalculated returns those of some methods, or of all if none is given.
	LiveCalculated(ctx context.Context, methods []lci.ID) iter.Seq2[lci.ID, error]
	CountCalculated(ctx context.Context) (int, error)
}

// Grants are the teams that may see restricted records.
type Grants interface {
	// Of returns the teams of records, in order.
	Of(ctx context.Context, records []lci.ID) (map[lci.ID][]lci.ID, error)
	// Replace restricts records to these teams.
	Replace(ctx context.Context, records, teams []lci.ID) error
}

// Libraries are the groups of processes and methods that came together.
type Libraries interface {
	// Members returns which of the records a library has.
	Members(ctx context.Context, library lci.ID, records []lci.ID) (map[lci.ID]bool, error)
	Add(ctx context.Context, library lci.ID, records []lci.ID) error
	// Remove removes records from every library.
	Remove(ctx context.Context, records []lci.ID) error
}

// State is the state of the catalogue as a whole.
type State interface {
	Generation(ctx context.Context) (int64, error)
	// Publish makes the changes a new generation.
	Publish(ctx context.Context) error
	// Remember stores what LastImport returns.
	Remember(ctx context.Context, memory string) error
}
