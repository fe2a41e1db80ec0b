package library

import (
	"fmt"
	"testing"

	"cradle/internal/lci"
)

func TestSweepGoesThroughWhatAllSeeAlike(t *testing.T) {
	store := newFakeStore()
	for i := range sweepChunk + 10 {
		store.materials = append(store.materials, namedMaterials(fmt.Sprintf("material %d", i))...)
	}
	contested := store.materials[3].ID
	store.contested = []lci.ID{contested}
	l := New(store, Options{Memory: 1 << 20})
	seen := map[lci.ID]bool{}
	for page, err := range l.Sweep(t.Context(), Materials) {
		if err != nil {
			t.Fatal(err)
		}
		views, err := page.Materials(t.Context(), page.Refs)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range views {
			if !page.Refs[i].Shared() || seen[m.ID] || page.Size != len(store.materials) || page.Edition != l.Edition() {
				t.Errorf("%v: %+v", m.ID, page.Refs[i])
			}
			seen[m.ID] = true
		}
	}
	if len(seen) != len(store.materials)-1 || seen[contested] {
		t.Errorf("%d of %d materials, contested %v", len(seen), len(store.materials), seen[contested])
	}
}

func TestSweepSeesWhatAViewerSees(t *testing.T) {
	store := newFakeStore()
	store.materials = namedMaterials("a", "b", "c")
	l := New(store, Options{Memory: 1 << 20})
	page, err := l.List(t.Context(), viewer("team"), Materials, Query{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[Ref]bool{}
	for _, r := range page.Refs {
		listed[r] = true
	}
	for swept, err := range l.Sweep(t.Context(), Materials) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range swept.Refs {
			if !listed[r] {
				t.Errorf("%+v is not what a viewer is given", r)
			}
		}
	}
}
