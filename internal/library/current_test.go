package library

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// A pull that finishes during a read must not leak its reveals into the view that
// all viewers share.
func TestPullDuringAReadDoesNotReachTheSharedView(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel()}
	l := New(store, Options{Memory: 1 << 20})
	before := viewer("team")
	page, err := l.List(t.Context(), before, Materials, all)
	if err != nil {
		t.Fatal(err)
	}
	if !page.Refs[0].Shared() {
		t.Fatal("nothing is revealed, and the view is not shared")
	}
	store.onRecords = func() {
		after := before
		store.reveal(&after, PropertyReveal, id("steel"), id("density"))
		if _, err := l.List(t.Context(), after, Materials, all); err != nil {
			t.Error(err)
		}
	}
	seen, err := page.Materials(t.Context(), page.Refs)
	if err != nil {
		t.Fatal(err)
	}
	if seen[0].Revealed || seen[0].Properties[0].Number.Value != nil {
		t.Errorf("the shared view shows %+v", seen[0].Properties[0])
	}
	if again, err := l.List(t.Context(), before, Materials, Query{Limit: 1, Pulled: true}); err != nil || again.Total != 0 {
		t.Errorf("before the pull %d were pulled, %v", again.Total, err)
	}
}

func TestHoldingsGrowAsTheWalletBuys(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel()}
	l := New(store, Options{Memory: 1 << 20})
	v := viewer("team")
	for n, item := range []lci.ID{{}, id("density"), id("modulus")} {
		if !item.IsZero() {
			store.reveal(&v, PropertyReveal, id("steel"), item)
		}
		seen, _ := materials(t, l, v, all)
		shown := 0
		for _, p := range seen[0].Properties {
			if p.Revealed {
				shown++
			}
		}
		if shown != n {
			t.Errorf("after %d pulls %d are revealed", n, shown)
		}
	}
	if store.loads != 1 {
		t.Errorf("the catalogue was read %d times", store.loads)
	}
}

func TestReadIsRefusedWhenAnImportCameBetween(t *testing.T) {
	for _, c := range []struct {
		name string
		read func(t *testing.T, l *Library, v account.Viewer) error
	}{
		{"materials of a page", func(t *testing.T, l *Library, v account.Viewer) error {
			page, _ := l.List(t.Context(), v, Materials, all)
			_, err := page.Materials(t.Context(), page.Refs)
			return err
		}},
		{"processes of a page", func(t *testing.T, l *Library, v account.Viewer) error {
			page, _ := l.List(t.Context(), v, Processes, all)
			_, err := page.Processes(t.Context(), page.Refs)
			return err
		}},
		{"one material", func(t *testing.T, l *Library, v account.Viewer) error {
			page, _ := l.Find(t.Context(), v, Materials, id("steel").String())
			_, err := page.Material(t.Context())
			return err
		}},
		{"one property", func(t *testing.T, l *Library, v account.Viewer) error {
			page, _ := l.Find(t.Context(), v, Materials, id("steel").String())
			_, err := page.Property(t.Context(), id("density").String())
			return err
		}},
		{"one impact", func(t *testing.T, l *Library, v account.Viewer) error {
			page, _ := l.Find(t.Context(), v, Processes, id("smelting").String())
			_, err := page.Impact(t.Context(), id("gwp").String())
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := newFakeStore()
			store.materials = []MaterialRecord{steel()}
			store.processes = []ProcessRecord{smelting(lci.Aggregated)}
			l := New(store, Options{Memory: 1 << 20})
			v := viewer("team")
			store.onRecords = func() { store.setGeneration(2) }
			if err := c.read(t, l, v); !errors.Is(err, ErrMoved) || fault.KindOf(err) != fault.Unavailable {
				t.Errorf("got %v", err)
			}
			if err := c.read(t, l, v); err != nil {
				t.Errorf("read again: %v", err)
			}
			if store.loads != 2 {
				t.Errorf("the catalogue was read %d times", store.loads)
			}
		})
	}
}

func TestHoldingsOfAnotherGenerationAreRefused(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel()}
	l := New(store, Options{Memory: 1 << 20})
	v := viewer("team")
	store.reveal(&v, PropertyReveal, id("steel"), id("density"))
	store.onReveals = func() { store.setGeneration(2) }
	if _, err := l.List(t.Context(), v, Materials, all); !errors.Is(err, ErrMoved) {
		t.Errorf("got %v", err)
	}
	if seen, _ := materials(t, l, v, all); !seen[0].Revealed {
		t.Error("what was bought is hidden afterwards")
	}
}

func TestRecordThatIsGoneIsAMovedCatalogue(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel(), ore()}
	l := New(store, Options{Memory: 1 << 20})
	page, err := l.List(t.Context(), viewer("team"), Materials, all)
	if err != nil {
		t.Fatal(err)
	}
	store.materials = store.materials[:1]
	if _, err := page.Materials(t.Context(), page.Refs); !errors.Is(err, ErrMoved) {
		t.Errorf("got %v", err)
	}
}

func TestNewGenerationIsReadOnceByAllWhoAskForIt(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel()}
	l := New(store, Options{Memory: 1 << 20})
	if err := l.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	store.materials = append(store.materials, ore())
	store.setGeneration(2)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			v := viewer("team")
			v.At.Catalogue = 2
			if page, err := l.List(t.Context(), v, Materials, all); err != nil || page.Total != 2 {
				t.Errorf("%d materials, %v", page.Total, err)
			}
		})
	}
	wg.Wait()
	if store.loads != 2 {
		t.Errorf("the catalogue was read %d times", store.loads)
	}
}

func TestWhoGoesAwayDoesNotStopTheCatalogueFromBeingRead(t *testing.T) {
	store := newFakeStore()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	store.checksContext = true
	if err := New(store, Options{Memory: 1 << 20}).Warm(ctx); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestFailedReadOfTheCatalogueIsTriedAgain(t *testing.T) {
	store := newFakeStore()
	store.err = errors.New("broken")
	l := New(store, Options{Memory: 1 << 20})
	if err := l.Warm(t.Context()); !errors.Is(err, store.err) {
		t.Errorf("got %v", err)
	}
	store.err = nil
	if err := l.Warm(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestFavouritesArePerUserAndTeam(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{steel(), ore()}
	l := New(store, Options{Memory: 1 << 20})
	mine := viewer("team")
	store.star(&mine, id("ore"))
	another := mine
	another.User = id("another user")
	elsewhere := mine
	elsewhere.Team = id("another team")
	for name, c := range map[string]struct {
		viewer account.Viewer
		want   bool
	}{"mine": {mine, true}, "another user's": {another, false}, "on another team": {elsewhere, false}} {
		for range 2 {
			seen, _ := materials(t, l, c.viewer, all)
			expect(t, name, seen[0].Favourite, c.want)
			expect(t, name+" other record", seen[1].Favourite, false)
		}
	}
	store.favourites[seat{mine.User, mine.Team}] = nil
	mine.At.Favourites++
	seen, _ := materials(t, l, mine, all)
	expect(t, "after it was taken back", seen[0].Favourite, false)
}

func TestOvertakenReaderOfFavouritesStoresNothing(t *testing.T) {
	store := newFakeStore()
	store.materials = []MaterialRecord{ore()}
	l := New(store, Options{Memory: 1 << 20})
	early := viewer("team")
	store.star(&early, id("ore"))
	late := early
	late.At.Favourites++
	store.onStarring = func() {
		other := late
		other.User = id("another user")
		materials(t, l, other, all)
	}
	materials(t, l, early, all)
	store.favourites[seat{early.User, early.Team}] = nil
	seen, _ := materials(t, l, late, all)
	expect(t, "favourite", seen[0].Favourite, false)
}

// Concurrent buyers and readers, for the race detector: no reader sees a reveal
// newer than its own snapshot.
func TestReadersSeeWhatWasBoughtAtTheirMoment(t *testing.T) {
	store := newFakeStore()
	record := MaterialRecord{Material: lci.Material{ID: id("m"), Name: "M"}}
	for i := range 50 {
		record.Properties = append(record.Properties, lci.Property{ID: id(string(rune('A' + i))), MaterialID: id("m"), Value: 1})
	}
	store.materials = []MaterialRecord{record}
	l := New(store, Options{Memory: 1 << 20})
	buyer := viewer("team")
	var wg sync.WaitGroup
	for i := range record.Properties {
		store.reveal(&buyer, PropertyReveal, id("m"), record.Properties[i].ID)
		for _, at := range []int64{int64(i), int64(i) + 1} {
			v := buyer
			v.At.Reveals = at
			wg.Go(func() {
				seen, _ := materials(t, l, v, all)
				shown := int64(0)
				for _, p := range seen[0].Properties {
					if p.Revealed {
						shown++
					}
				}
				if shown != at {
					t.Errorf("at %d reveals %d are seen", at, shown)
				}
			})
		}
	}
	wg.Wait()
}

func TestReadFollowsACatalogueThatMoves(t *testing.T) {
	for _, c := range []struct {
		name  string
		moves int
		err   error
		tries int
		want  error
	}{
		{"it stands still", 0, nil, 1, nil},
		{"it moves once", 1, nil, 2, nil},
		{"it keeps moving", 100, nil, mostTries, ErrMoved},
		{"something else is wrong", 1, io.EOF, 2, io.EOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			tries := 0
			err := UntilStill(func() error {
				if tries++; tries <= c.moves {
					return ErrMoved
				}
				return c.err
			})
			if tries != c.tries || !errors.Is(err, c.want) {
				t.Errorf("%d tries, %v", tries, err)
			}
		})
	}
	if fault.KindOf(ErrMoved) != fault.Unavailable {
		t.Error("a catalogue that keeps moving is an internal error")
	}
}
