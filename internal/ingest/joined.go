package ingest

import (
	"context"
	"errors"

	"cradle/internal/lci"
)

// A Part is one of several libraries imported as one.
type Part struct {
	Name string // prefixed to its files' names in errors and warnings
	Package
}

// Join joins libraries into one that is accepted or refused as a whole. Each may
// refer to those before it.
func Join(parts []Part) Package {
	if len(parts) == 1 {
		return parts[0].Package
	}
	return joined(parts)
}

type joined []Part

// Parts returns the libraries that a library was joined from, or just the
// library itself.
func Parts(lib Package) []Package {
	several, ok := lib.(joined)
	if !ok {
		return []Package{lib}
	}
	all := make([]Package, len(several))
	for i, p := range several {
		all[i] = p.Package
	}
	return all
}

// Check stops at the first part that is refused, because later parts may miss
// what that one should have contained.
func (j joined) Check(ctx context.Context, known Existing, progress Progress) ([]Warning, error) {
	var all []Warning
	seen := newForeseen(known)
	for _, p := range j {
		warnings, err := p.Check(ctx, seen, progress)
		if err != nil {
			return nil, p.named(err)
		}
		for _, w := range warnings {
			w.File = p.place(w.File)
			all = append(all, w)
		}
		if err := p.Read(ctx, seen, func(int64, int64) {}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// named adds the part's name to its errors.
func (p Part) named(err error) error {
	var errs *Errors
	if !errors.As(err, &errs) {
		return err
	}
	named := &Errors{More: errs.More}
	for _, e := range errs.List {
		e.File = p.place(e.File)
		named.Add(e)
	}
	return named
}

func (p Part) place(file string) string {
	if file == "" {
		return p.Name
	}
	return p.Name + "/" + file
}

func (j joined) Read(ctx context.Context, to Writer, progress Progress) error {
	for _, p := range j {
		if err := p.Read(ctx, to, progress); err != nil {
			return err
		}
	}
	return nil
}

func (j joined) Close() error {
	var errs []error
	for _, p := range j {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

// foreseen is a catalogue as it will be after some libraries are imported.
type foreseen struct {
	under     Existing
	parents   map[Kind]map[lci.ID]lci.ID
	reference map[lci.ID]bool // of processes whose exchanges are read
}

func newForeseen(under Existing) *foreseen {
	return &foreseen{under: under, parents: map[Kind]map[lci.ID]lci.ID{}, reference: map[lci.ID]bool{}}
}

func (f *foreseen) Parents(ctx context.Context, kind Kind, ids []lci.ID) (map[lci.ID]lci.ID, error) {
	parents, err := f.under.Parents(ctx, kind, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[lci.ID]lci.ID, len(parents))
	for _, id := range ids {
		if parent, ok := f.parents[kind][id]; ok {
			found[id] = parent
		} else if parent, ok := parents[id]; ok {
			found[id] = parent
		}
	}
	return found, nil
}

func (f *foreseen) WithReference(ctx context.Context, processes []lci.ID) (map[lci.ID]bool, error) {
	under, err := f.under.WithReference(ctx, processes)
	if err != nil {
		return nil, err
	}
	found := map[lci.ID]bool{}
	for _, id := range processes {
		read, again := f.reference[id]
		if again && read || !again && under[id] {
			found[id] = true
		}
	}
	return found, nil
}

func (f *foreseen) note(kind Kind, id, parent lci.ID) error {
	if f.parents[kind] == nil {
		f.parents[kind] = map[lci.ID]lci.ID{}
	}
	f.parents[kind][id] = parent
	return nil
}

func (f *foreseen) Material(m lci.Material) error   { return f.note(Materials, m.ID, m.ID) }
func (f *foreseen) Property(p lci.Property) error   { return f.note(Properties, p.ID, p.MaterialID) }
func (f *foreseen) Process(p lci.Process) error     { return f.note(Processes, p.ID, p.ID) }
func (f *foreseen) Method(m lci.Method) error       { return f.note(Methods, m.ID, m.ID) }
func (f *foreseen) Indicator(i lci.Indicator) error { return f.note(Indicators, i.ID, i.MethodID) }
func (f *foreseen) Impact(i lci.Impact) error       { return f.note(Impacts, i.ID, i.ProcessID) }
func (f *foreseen) Flow(lci.Flow) error             { return nil } // nothing has to refer to it
func (f *foreseen) Allocation(lci.Allocation) error { return nil }
func (f *foreseen) Factor(lci.Factor) error         { return nil } // nothing refers to it
func (f *foreseen) MaterialImpact(i lci.MaterialImpact) error {
	return f.note(MaterialImpacts, i.ID, i.PropertyID)
}

func (f *foreseen) Exchange(e lci.Exchange) error {
	f.reference[e.ProcessID] = f.reference[e.ProcessID] || e.IsProduct()
	return f.note(Exchanges, e.ID, e.ProcessID)
}
