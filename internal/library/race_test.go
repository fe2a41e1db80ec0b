package library

import (
	"testing"
)

// A pull that ends while a list is being read must not put what it revealed into
// a view that everybody shares.
func TestPullDuringAReadDoesNotReachTheSharedView(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel()}
	lib := New(store, Options{})
	before := viewer("team")
	page, err := lib.Materials(t.Context(), before, Query{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if !page.Refs[0].Shared() {
		t.Fatal("nothing is revealed, and the view is not shared")
	}
	store.onRecords = func() {
		after := before
		store.reveal(&after, PropertyReveal, id("steel"), id("density"))
		if _, err := lib.Materials(t.Context(), after, Query{Limit: 10}); err != nil {
			t.Error(err)
		}
	}
	seen, err := lib.MaterialsOf(t.Context(), page, page.Refs)
	if err != nil {
		t.Fatal(err)
	}
	if seen[0].Revealed || seen[0].Properties[0].Number.Value != nil {
		t.Errorf("the shared view shows %+v", seen[0].Properties[0])
	}
}
