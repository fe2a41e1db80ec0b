package library

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"cradle/internal/lci"
)

// edition is the catalogue at one generation: what can be listed and found, and by
// whom. It holds no values. Only its origins are filled in later; nothing else
// changes.
type edition struct {
	generation int64
	names      [kinds]nameIndex
	methods    []Method // in order of name
	methodAt   map[lci.ID]int
	restricted map[lci.ID]struct{}
	grants     map[lci.ID]map[lci.ID]struct{} // team → restricted records it may see
	contested  map[lci.ID]struct{}

	tracing sync.Mutex // origins are read once
	origins atomic.Pointer[[kinds]origins]
}

func readEdition(ctx context.Context, store Store) (*edition, error) {
	e := &edition{
		restricted: map[lci.ID]struct{}{},
		grants:     map[lci.ID]map[lci.ID]struct{}{},
		contested:  map[lci.ID]struct{}{},
		methodAt:   map[lci.ID]int{},
	}
	if err := store.Catalogue(ctx, editionReader{e}); err != nil {
		return nil, err
	}
	for kind := range e.names {
		e.names[kind].finish()
	}
	slices.SortFunc(e.methods, func(a, b Method) int {
		return cmp.Or(cmp.Compare(lci.Fold(a.Name), lci.Fold(b.Name)), cmp.Compare(a.Version, b.Version), a.ID.Compare(b.ID))
	})
	for at, m := range e.methods {
		e.methodAt[m.ID] = at
	}
	return e, nil
}

// method returns the method that impact rows name by its id.
func (e *edition) method(id lci.ID) Method {
	if at, known := e.methodAt[id]; known {
		return e.methods[at]
	}
	return Method{ID: id}
}

// visible reports whether a team may see a record of the edition.
func (e *edition) visible(record, team lci.ID) bool {
	if _, restricted := e.restricted[record]; !restricted {
		return true
	}
	_, granted := e.grants[team][record]
	return granted
}

// editionReader fills an edition.
type editionReader struct{ e *edition }

func (r editionReader) Generation(n int64) { r.e.generation = n }

func (r editionReader) Material(id lci.ID, fold []byte, restricted bool) {
	r.e.names[Materials].add(id, fold)
	r.restrict(id, restricted)
}

func (r editionReader) Process(id lci.ID, fold []byte, restricted bool) {
	r.e.names[Processes].add(id, fold)
	r.restrict(id, restricted)
}

func (r editionReader) restrict(id lci.ID, restricted bool) {
	if restricted {
		r.e.restricted[id] = struct{}{}
	}
}

func (r editionReader) Grant(record, team lci.ID) {
	if r.e.grants[team] == nil {
		r.e.grants[team] = map[lci.ID]struct{}{}
	}
	r.e.grants[team][record] = struct{}{}
}

func (r editionReader) Contested(record lci.ID) { r.e.contested[record] = struct{}{} }

func (r editionReader) Method(m lci.Method) {
	r.e.methods = append(r.e.methods, Method{ID: m.ID, Name: m.Name, Version: m.Version})
}
