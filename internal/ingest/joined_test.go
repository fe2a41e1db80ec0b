package ingest

import (
	"context"
	"errors"
	"testing"

	"cradle/internal/lci"
)

// one is a library of one material or one property, which checks that the
// property's material is known.
type one struct {
	material lci.ID
	property *lci.Property
	err      error
	closed   bool
}

func (s *one) Check(ctx context.Context, known Existing, _ Progress) ([]Warning, error) {
	if s.err != nil || s.property == nil {
		return []Warning{{File: "materials.csv", Line: 1, Message: "odd"}}, s.err
	}
	parents, err := known.Parents(ctx, Materials, []lci.ID{s.property.MaterialID})
	if err == nil && len(parents) == 0 {
		err = &Errors{List: []Error{{File: "properties.csv", Line: 2, Message: "no such material"}}}
	}
	return nil, err
}

func (s *one) Read(_ context.Context, to Writer, _ Progress) error {
	if s.property != nil {
		return to.Property(*s.property)
	}
	return to.Material(lci.Material{ID: s.material})
}

func (s *one) Close() error { s.closed = true; return nil }

// nothing is an empty catalogue.
type nothing struct{}

func (nothing) Parents(context.Context, Kind, []lci.ID) (map[lci.ID]lci.ID, error) { return nil, nil }

func (nothing) WithReference(context.Context, []lci.ID) (map[lci.ID]bool, error) { return nil, nil }

func TestJoinedLibraryMayNameWhatOnesBeforeHold(t *testing.T) {
	first := &one{material: lci.NewID()}
	second := &one{property: &lci.Property{ID: lci.NewID(), MaterialID: first.material}}
	a, b := Part{"a", first}, Part{"b", second}
	warnings, err := Join([]Part{a, b}).Check(t.Context(), nothing{}, nil)
	if err != nil || len(warnings) != 1 || warnings[0].File != "a/materials.csv" {
		t.Errorf("in order: %v, %v", warnings, err)
	}
	_, err = Join([]Part{b, a}).Check(t.Context(), nothing{}, nil)
	var errs *Errors
	if !errors.As(err, &errs) || errs.List[0].File != "b/properties.csv" {
		t.Errorf("out of order: %v", err)
	}
	if _, err := Join([]Part{b}).Check(t.Context(), nothing{}, nil); err == nil {
		t.Error("alone the second is accepted")
	}
}

func TestJoinedLibraryIsReadWholeAndClosed(t *testing.T) {
	first := &one{material: lci.NewID()}
	second := &one{property: &lci.Property{ID: lci.NewID(), MaterialID: first.material}}
	lib := Join([]Part{{"a", first}, {"b", second}})
	seen := newForeseen(nothing{})
	if err := lib.Read(t.Context(), seen, nil); err != nil {
		t.Fatal(err)
	}
	found, err := seen.Parents(t.Context(), Properties, []lci.ID{second.property.ID, lci.NewID()})
	if err != nil || len(found) != 1 || found[second.property.ID] != first.material {
		t.Errorf("read %v, %v", found, err)
	}
	if err := lib.Close(); err != nil || !first.closed || !second.closed {
		t.Error("not every part is closed")
	}
}

func TestProcessHasAReferenceByWhatWasReadLast(t *testing.T) {
	made, bare := lci.NewID(), lci.NewID()
	f := newForeseen(nothing{})
	f.Exchange(lci.Exchange{ID: lci.NewID(), ProcessID: made, Direction: lci.Output, Reference: true})
	f.Exchange(lci.Exchange{ID: lci.NewID(), ProcessID: made, Direction: lci.Input})
	f.Exchange(lci.Exchange{ID: lci.NewID(), ProcessID: bare, Direction: lci.Output})
	found, err := f.WithReference(t.Context(), []lci.ID{made, bare})
	if err != nil || !found[made] || found[bare] {
		t.Errorf("%v, %v", found, err)
	}
}
