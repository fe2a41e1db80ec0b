package importing

import (
	"cradle/internal/flowmatch"
	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// A kind of rows, and how they are imported.
type kind[T any] struct {
	name    ingest.Kind
	id      func(*T) lci.ID
	parent  func(*T) lci.ID                             // the record a row belongs to
	edition func(*T) (name string, edition lci.Edition) // of two rows with one id the newer stays
	deleted func(*T) bool                               // a library can mark the row as deleted
	lasting bool                                        // rows of an older record are kept along with those of a newer one
	granted bool                                        // rows can be restricted to teams
	grouped bool                                        // rows belong to the library they came with

	// If several libraries describe a gathered row, unknown fields keep the
	// value of another library, and unite merges some fields of all.
	gathered func(*T) bool
	unite    func(row, known *T)
}

var (
	flowKind = kind[lci.Flow]{
		name:     ingest.Flows,
		id:       func(f *lci.Flow) lci.ID { return f.ID },
		edition:  func(f *lci.Flow) (string, lci.Edition) { return f.Name, f.Edition },
		gathered: func(*lci.Flow) bool { return true },
	}
	mappingKind = kind[flowmatch.Mapping]{
		name:   ingest.Mappings,
		id:     func(m *flowmatch.Mapping) lci.ID { return m.ID() },
		parent: func(m *flowmatch.Mapping) lci.ID { return m.SourceID() },
	}
	methodKind = kind[lci.Method]{
		name: ingest.Methods,
		id:   func(m *lci.Method) lci.ID { return m.ID },
		edition: func(m *lci.Method) (string, lci.Edition) {
			return m.Name, lci.Edition{Version: m.Version, Changed: m.Changed}
		},
		grouped: true,
	}
	indicatorKind = kind[lci.Indicator]{
		name:    ingest.Indicators,
		id:      func(i *lci.Indicator) lci.ID { return i.ID },
		parent:  func(i *lci.Indicator) lci.ID { return i.MethodID },
		edition: func(i *lci.Indicator) (string, lci.Edition) { return i.Name, i.Edition },
	}
	factorKind = kind[lci.Factor]{
		name:   ingest.Factors,
		id:     func(f *lci.Factor) lci.ID { return f.ID() },
		parent: func(f *lci.Factor) lci.ID { return f.IndicatorID },
	}
	materialKind = kind[lci.Material]{
		name:     ingest.Materials,
		id:       func(m *lci.Material) lci.ID { return m.ID },
		parent:   func(m *lci.Material) lci.ID { return m.ID }, // the flow that it is traded as
		deleted:  func(m *lci.Material) bool { return m.Deleted },
		lasting:  true,
		granted:  true,
		gathered: func(m *lci.Material) bool { return m.Traded },
		unite:    uniteRegions,
	}
	propertyKind = kind[lci.Property]{
		name:    ingest.Properties,
		id:      func(p *lci.Property) lci.ID { return p.ID },
		parent:  func(p *lci.Property) lci.ID { return p.MaterialID },
		deleted: func(p *lci.Property) bool { return p.Deleted },
		lasting: true,
	}
	materialImpactKind = kind[lci.MaterialImpact]{
		name:   ingest.MaterialImpacts,
		id:     func(i *lci.MaterialImpact) lci.ID { return i.ID },
		parent: func(i *lci.MaterialImpact) lci.ID { return i.PropertyID },
	}
	processKind = kind[lci.Process]{
		name:    ingest.Processes,
		id:      func(p *lci.Process) lci.ID { return p.ID },
		edition: func(p *lci.Process) (string, lci.Edition) { return p.Name, p.Edition },
		deleted: func(p *lci.Process) bool { return p.Deleted },
		granted: true,
		grouped: true,
	}
	exchangeKind = kind[lci.Exchange]{
		name:   ingest.Exchanges,
		id:     func(x *lci.Exchange) lci.ID { return x.ID },
		parent: func(x *lci.Exchange) lci.ID { return x.ProcessID },
	}
	allocationKind = kind[lci.Allocation]{
		name:   ingest.Allocations,
		id:     func(a *lci.Allocation) lci.ID { return a.ID() },
		parent: func(a *lci.Allocation) lci.ID { return a.ProcessID },
	}
	impactKind = kind[lci.Impact]{
		name:    ingest.Impacts,
		id:      func(i *lci.Impact) lci.ID { return i.ID },
		parent:  func(i *lci.Impact) lci.ID { return i.ProcessID },
		deleted: func(i *lci.Impact) bool { return i.Deleted },
	}
)
