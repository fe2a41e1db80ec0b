package library

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// Query asks for one page of a list.
type Query struct {
	Search string // found in names, by folding; trimmed; "" finds all
	Limit  int
	Offset int
	Pulled bool // only records of which the team has revealed something
	// Starred asks for the viewer's favourites, Region and Organization for the
	// records that name them; "" asks for all.
	Starred      bool
	Region       string
	Organization string
}

// A page has DefaultLimit records unless it is asked for another number.
const (
	DefaultLimit = 25
	mostLimit    = 100
)

// Check refuses a query that cannot be answered. Errors name the field.
func (q Query) Check() error {
	if q.Limit < 1 || q.Limit > mostLimit {
		return fault.Invalidf("limit must be an integer from 1 to %d", mostLimit)
	}
	if q.Offset < 0 {
		return fault.Invalidf("offset must be an integer of at least 0")
	}
	if !utf8.ValidString(q.Search) {
		return fault.Invalidf("search is not valid UTF-8")
	}
	return nil
}

// Ref names one record as one viewer sees it. Equal refs mean equal views: what
// a face made of the view may be kept under the ref.
type Ref struct {
	ID lci.ID
	// Place is where the record stands among all of its kind in its edition.
	Place   uint32
	edition int64
	lens    *lens // nil where everybody sees the same
}

// lens is what makes a viewer's view of a record its own.
type lens struct {
	user       lci.ID
	reveals    int64
	favourites int64
}

// Shared says whether every viewer sees the same of the record: nothing of it
// is revealed then.
func (r Ref) Shared() bool { return r.lens == nil }

// Page is one page of a list.
type Page struct {
	Refs    []Ref
	Total   int
	HasMore bool
	// Edition numbers the catalogue the page is of; Size is how many records
	// of the kind stand in it, seen by the viewer or not.
	Edition int64
	Size    int
	eye     *eye
}

// Materials lists the materials that a viewer can see.
func (l *Library) Materials(ctx context.Context, v account.Viewer, q Query) (Page, error) {
	return l.list(ctx, v, q, func(e *edition) *shelf { return &e.materials })
}

// Processes lists the processes that a viewer can see.
func (l *Library) Processes(ctx context.Context, v account.Viewer, q Query) (Page, error) {
	return l.list(ctx, v, q, func(e *edition) *shelf { return &e.processes })
}

func (l *Library) list(ctx context.Context, v account.Viewer, q Query, of func(*edition) *shelf) (Page, error) {
	eye, err := l.eye(ctx, v)
	if err != nil {
		return Page{}, err
	}
	s := of(eye.edition)
	matches, err := l.filtered(ctx, eye, s, q)
	if err != nil {
		return Page{}, err
	}
	page := Page{Total: matches.len(), Edition: eye.edition.generation, Size: len(s.ids), eye: eye}
	from := min(q.Offset, page.Total)
	to := min(from+q.Limit, page.Total)
	page.Refs = make([]Ref, 0, to-from)
	for i := from; i < to; i++ {
		page.Refs = append(page.Refs, eye.ref(s, matches.at(i)))
	}
	page.HasMore = to < page.Total
	return page, nil
}

// ref names a record as the eye sees it.
func (e *eye) ref(s *shelf, place uint32) Ref {
	r := Ref{ID: s.ids[place], Place: place, edition: e.edition.generation}
	if e.owns(r.ID) {
		r.lens = e.lens()
	}
	return r
}

// owns says whether the viewer's view of a record may differ from another's.
func (e *eye) owns(id lci.ID) bool {
	if e.holdings.upTo > 0 && e.holdings.hasRecord(id) || len(e.favourites) > 0 && e.favourite(id) {
		return true
	}
	if len(e.edition.contested) == 0 {
		return false
	}
	_, contested := e.edition.contested[id]
	return contested
}

// lens returns the viewer's own lens, the same one as long as nothing changes.
func (e *eye) lens() *lens {
	v := e.viewer
	return e.holdings.intern(lens{user: v.User, reveals: v.At.Reveals, favourites: v.At.Favourites})
}

// positions are places on a shelf, in order: some of them, or all.
type positions struct {
	all  int
	some []uint32
}

func (p positions) len() int {
	if p.some == nil {
		return p.all
	}
	return len(p.some)
}

func (p positions) at(i int) uint32 {
	if p.some == nil {
		return uint32(i)
	}
	return p.some[i]
}

// matches returns where the records stand that a query asks for.
func (l *Library) matches(e *eye, s *shelf, q Query) positions {
	needle := lci.Fold(strings.TrimSpace(q.Search))
	if q.Pulled {
		return positions{some: e.pulled(s, []byte(needle))}
	}
	if needle == "" && len(e.edition.restricted) == 0 {
		return positions{all: len(s.ids)}
	}
	key := search{e.edition.generation, s == &e.edition.processes, e.audience(), needle}
	if places, ok := l.searches.GetIfPresent(key); ok {
		return positions{some: places}
	}
	places := e.keepVisible(s, s.search([]byte(needle)))
	l.searches.Set(key, places)
	return positions{some: places}
}

// search names a result that is the same for a whole audience.
type search struct {
	generation int64
	processes  bool
	audience   lci.ID
	needle     string
}

// audience is who sees the same records: all teams without a grant, or one
// team that has some.
func (e *eye) audience() lci.ID {
	if len(e.edition.grants[e.viewer.Team]) == 0 {
		return lci.ID{}
	}
	return e.viewer.Team
}

// keepVisible drops the places of records the viewer cannot see.
func (e *eye) keepVisible(s *shelf, places []uint32) []uint32 {
	if len(e.edition.restricted) == 0 && places != nil {
		return places
	}
	kept := make([]uint32, 0, len(places))
	for _, at := range places {
		if e.edition.visible(s.ids[at], e.viewer.Team) {
			kept = append(kept, at)
		}
	}
	return kept
}

// pulled returns the records of the viewer's holdings whose name has the needle.
func (e *eye) pulled(s *shelf, needle []byte) []uint32 {
	hits := []uint32{}
	for _, at := range e.holdings.positions(s, s == &e.edition.processes) {
		if e.edition.visible(s.ids[at], e.viewer.Team) && bytes.Contains(s.name(at), needle) {
			hits = append(hits, at)
		}
	}
	return hits
}
