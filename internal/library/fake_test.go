package library

import (
	"context"
	"slices"
	"strings"
	"sync"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// seat is a user in a team.
type seat struct{ user, team lci.ID }

// fakeStore is a catalogue in memory. Its hooks let a test act between the
// steps of a read.
type fakeStore struct {
	mu         sync.Mutex
	generation int64
	materials  []MaterialRecord
	processes  []ProcessRecord
	impacts    map[lci.ID][]lci.MaterialImpact
	methods    []lci.Method
	restricted map[lci.ID]bool
	grants     [][2]lci.ID // record, team
	contested  []lci.ID
	reveals    map[account.Wallet][]Reveal
	favourites map[seat][]lci.ID
	err        error
	starred    int64 // the version of the favourites

	checksContext bool

	loads      int
	read       []lci.ID // the records that were requested
	onRecords  func()   // before records are returned
	onReveals  func()
	onStarring func()
}

func newFakeStore() *fakeStore {
	return &fakeStore{
		generation: 1,
		impacts:    map[lci.ID][]lci.MaterialImpact{},
		restricted: map[lci.ID]bool{},
		reveals:    map[account.Wallet][]Reveal{},
		favourites: map[seat][]lci.ID{},
	}
}

func (s *fakeStore) Catalogue(ctx context.Context, into CatalogueReader) error {
	if s.checksContext && ctx.Err() != nil {
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads++
	into.Generation(s.generation)
	materials := slices.Clone(s.materials)
	slices.SortFunc(materials, func(a, b MaterialRecord) int { return compareFolds(a.Name, a.ID, b.Name, b.ID) })
	for _, m := range materials {
		into.Material(m.ID, []byte(lci.Fold(m.Name)), s.restricted[m.ID])
	}
	processes := slices.Clone(s.processes)
	slices.SortFunc(processes, func(a, b ProcessRecord) int { return compareFolds(a.Name, a.ID, b.Name, b.ID) })
	for _, p := range processes {
		into.Process(p.ID, []byte(lci.Fold(p.Name)), s.restricted[p.ID])
	}
	for _, g := range s.grants {
		into.Grant(g[0], g[1])
	}
	for _, id := range s.contested {
		into.Contested(id)
	}
	for _, m := range s.methods {
		into.Method(m)
	}
	return s.err
}

func compareFolds(a string, aID lci.ID, b string, bID lci.ID) int {
	if x, y := lci.Fold(a), lci.Fold(b); x < y {
		return -1
	} else if x > y {
		return 1
	}
	return aID.Compare(bID)
}

func (s *fakeStore) Generation(context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.generation, s.err
}

// during runs a hook once.
func (s *fakeStore) during(hook *func()) {
	if run := *hook; run != nil {
		*hook = nil
		run()
	}
}

func (s *fakeStore) MaterialRecords(_ context.Context, ids []lci.ID) ([]MaterialRecord, error) {
	s.during(&s.onRecords)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read = append(s.read, ids...)
	var found []MaterialRecord
	for _, m := range s.materials {
		if slices.Contains(ids, m.ID) {
			found = append(found, m)
		}
	}
	return found, s.err
}

func (s *fakeStore) ProcessRecords(_ context.Context, ids []lci.ID) ([]ProcessRecord, error) {
	s.during(&s.onRecords)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read = append(s.read, ids...)
	var found []ProcessRecord
	for _, p := range s.processes {
		if slices.Contains(ids, p.ID) {
			found = append(found, p)
		}
	}
	return found, s.err
}

func (s *fakeStore) MaterialImpacts(context.Context, []lci.ID) (map[lci.ID][]lci.MaterialImpact, error) {
	return s.impacts, s.err
}

func (s *fakeStore) Reveals(_ context.Context, wallet account.Wallet, after int64) ([]Reveal, error) {
	s.during(&s.onReveals)
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []Reveal
	for _, r := range s.reveals[wallet] {
		if r.Seq > after {
			found = append(found, r)
		}
	}
	return found, s.err
}

func (s *fakeStore) Favourites(_ context.Context, user, team lci.ID) ([]lci.ID, error) {
	s.during(&s.onStarring)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.favourites[seat{user, team}], s.err
}

func (s *fakeStore) SetFavourite(_ context.Context, user, team, record lci.ID, on bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := seat{user, team}
	s.favourites[at] = slices.DeleteFunc(slices.Clone(s.favourites[at]), func(id lci.ID) bool { return id == record })
	if on {
		s.favourites[at] = append(s.favourites[at], record)
	}
	s.starred++
	return s.err
}

func (s *fakeStore) Origins(_ context.Context, take func(Origin) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.materials {
		if err := take(Origin{Materials, m.ID, strings.Join(m.RegionalScopes, ";"), m.SourceOrganization}); err != nil {
			return err
		}
	}
	for _, p := range s.processes {
		if err := take(Origin{Processes, p.ID, p.Region, p.SourceOrganization}); err != nil {
			return err
		}
	}
	return s.err
}

// reveal records a purchase by the viewer's wallet and updates the viewer.
func (s *fakeStore) reveal(v *account.Viewer, kind RevealKind, record lci.ID, items ...lci.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range items {
		w := v.Wallet()
		seq := int64(len(s.reveals[w])) + 1
		s.reveals[w] = append(s.reveals[w], Reveal{Seq: seq, Kind: kind, Record: record, Item: item})
		v.At.Reveals = seq
	}
}

// star makes a record a viewer's favourite.
func (s *fakeStore) star(v *account.Viewer, record lci.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := seat{v.User, v.Team}
	s.favourites[at] = append(s.favourites[at], record)
	s.starred++
	v.At.Favourites = s.starred
}

func (s *fakeStore) setGeneration(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generation = n
}

// id makes readable ids that sort like their names.
func id(name string) lci.ID {
	var made lci.ID
	copy(made[:], name)
	return made
}

func viewer(team string) account.Viewer {
	return account.Viewer{User: id("user of " + team), Team: id(team), Mode: account.Live, At: account.Versions{Catalogue: 1}}
}

func pointer(n float64) *float64 { return &n }
