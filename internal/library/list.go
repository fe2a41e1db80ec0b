package library

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"
	"unique"

	"cradle/internal/account"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// Kind is a kind of record.
type Kind uint8

const (
	Materials Kind = iota
	Processes
	kinds
)

// String returns the singular name of the kind.
func (k Kind) String() string { return [kinds]string{"material", "process"}[k] }

// Query asks for one page of a list.
type Query struct {
	Search string // substring of the folded name, trimmed; "" matches all
	Limit  int
	Offset int
	Pulled bool // only records of which the team has revealed something
	// Starred restricts the list to the viewer's favourites, Region and
	// Organization to the records that name them; "" means any.
	Starred      bool
	Region       string
	Organization string
}

// A page has DefaultLimit records unless the query sets a limit.
const (
	DefaultLimit = 25
	mostLimit    = 100
)

// Check refuses a query that cannot be answered. Errors name the field.
func (q Query) Check() error {
	if q.Limit < 1 || q.Limit > mostLimit {
		return fault.Fieldf("limit", "must be an integer from 1 to %d", mostLimit)
	}
	if q.Offset < 0 {
		return fault.Fieldf("offset", "must be an integer of at least 0")
	}
	if !utf8.ValidString(q.Search) {
		return fault.Fieldf("search", "is not valid UTF-8")
	}
	return nil
}

// Ref identifies one record as one viewer sees it. Equal refs mean equal views, so
// what was rendered from a view may be cached under its ref.
type Ref struct {
	ID lci.ID
	// Place is the record's position among all of its kind in its edition.
	Place   uint32
	edition int64
	view    unique.Handle[viewKey] // zero where everybody sees the same
}

// viewKey is what distinguishes a viewer's view of a record from others.
type viewKey struct {
	wallet     account.Wallet
	user       lci.ID
	reveals    int64
	favourites int64
}

// Shared reports whether every viewer sees the record alike, because none of it is
// revealed.
func (r Ref) Shared() bool { return r.view == unique.Handle[viewKey]{} }

// Page is one page of a list.
type Page struct {
	Kind    Kind
	Refs    []Ref
	Total   int
	HasMore bool
	// Edition is the number of the page's catalogue edition; Size is how many
	// records of the kind it has, visible to the viewer or not.
	Edition int64
	Size    int
	library *Library
	mask    *mask
}

// List returns the page of the records that match the query and that the viewer
// can see.
func (l *Library) List(ctx context.Context, v account.Viewer, kind Kind, q Query) (Page, error) {
	mask, err := l.maskFor(ctx, v)
	if err != nil {
		return Page{}, err
	}
	matches, err := l.filtered(ctx, mask, kind, q)
	if err != nil {
		return Page{}, err
	}
	page := l.page(mask, kind)
	page.Total = matches.len()
	from := min(q.Offset, page.Total)
	to := min(from+q.Limit, page.Total)
	page.Refs = make([]Ref, 0, to-from)
	for i := from; i < to; i++ {
		page.Refs = append(page.Refs, mask.ref(kind, matches.at(i)))
	}
	page.HasMore = to < page.Total
	return page, nil
}

// Find returns a page with just the record with the id, or a NotFound fault.
func (l *Library) Find(ctx context.Context, v account.Viewer, kind Kind, text string) (Page, error) {
	id, ok := lci.ParseID(text)
	if !ok {
		return Page{}, missing(kind, shortened(text))
	}
	mask, err := l.maskFor(ctx, v)
	if err != nil {
		return Page{}, err
	}
	place, there := mask.edition.names[kind].position(id)
	if !there || !mask.edition.visible(id, v.Team) {
		return Page{}, missing(kind, id.String())
	}
	page := l.page(mask, kind)
	page.Refs, page.Total = []Ref{mask.ref(kind, place)}, 1
	return page, nil
}

func missing(kind Kind, id string) error {
	return fault.NotFoundf("There is no %s %s, or it is not visible to this team", kind, id)
}

func (l *Library) page(by *mask, kind Kind) Page {
	return Page{Kind: kind, Edition: by.edition.generation, Size: len(by.edition.names[kind].ids), library: l, mask: by}
}

// ref returns the Ref of a record for the viewer.
func (k *mask) ref(kind Kind, place uint32) Ref {
	r := Ref{ID: k.edition.names[kind].ids[place], Place: place, edition: k.edition.generation}
	if k.owns(r.ID) {
		r.view = k.viewKey()
	}
	return r
}

// owns reports whether the viewer's view of a record may differ from others'
// views.
func (k *mask) owns(id lci.ID) bool {
	if k.holdings.upTo > 0 && k.holdings.hasRecord(id) || len(k.favourites) > 0 && k.favourite(id) {
		return true
	}
	if len(k.edition.contested) == 0 {
		return false
	}
	_, contested := k.edition.contested[id]
	return contested
}

func (k *mask) viewKey() unique.Handle[viewKey] {
	v := k.viewer
	return unique.Make(viewKey{wallet: v.Wallet(), user: v.User, reveals: v.At.Reveals, favourites: v.At.Favourites})
}

// positions are ascending places in a list: some of them, or all.
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

// matches returns the positions of the records that match a query.
func (l *Library) matches(by *mask, kind Kind, q Query) positions {
	needle := lci.Fold(strings.TrimSpace(q.Search))
	if q.Pulled {
		return positions{some: by.pulled(kind, []byte(needle))}
	}
	names := &by.edition.names[kind]
	if needle == "" && len(by.edition.restricted) == 0 {
		return positions{all: len(names.ids)}
	}
	key := search{by.edition.generation, kind, by.audience(), needle}
	if places, ok := l.searches.Get(key); ok {
		return positions{some: places}
	}
	places := by.keepVisible(kind, names.search([]byte(needle)))
	l.searches.Put(key, places)
	return positions{some: places}
}

// search identifies a result that is the same for a whole audience.
type search struct {
	generation int64
	kind       Kind
	audience   lci.ID
	needle     string
}

// audience identifies the viewers who see the same records: all teams without a
// grant, or one team with some.
func (k *mask) audience() lci.ID {
	if len(k.edition.grants[k.viewer.Team]) == 0 {
		return lci.ID{}
	}
	return k.viewer.Team
}

// keepVisible drops the places of records the viewer cannot see.
func (k *mask) keepVisible(kind Kind, places []uint32) []uint32 {
	if len(k.edition.restricted) == 0 && places != nil {
		return places
	}
	ids := k.edition.names[kind].ids
	kept := make([]uint32, 0, len(places))
	for _, at := range places {
		if k.edition.visible(ids[at], k.viewer.Team) {
			kept = append(kept, at)
		}
	}
	return kept
}

// pulled returns the records in the viewer's holdings whose name contains the
// needle.
func (k *mask) pulled(kind Kind, needle []byte) []uint32 {
	names := &k.edition.names[kind]
	hits := []uint32{}
	for _, at := range k.holdings.positions(names, kind) {
		if k.edition.visible(names.ids[at], k.viewer.Team) && bytes.Contains(names.name(at), needle) {
			hits = append(hits, at)
		}
	}
	return hits
}
