package library

import (
	"context"
	"slices"
	"strings"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// origins tell the regions and organisations of the records of one kind. There are
// few of these for many records, so each text is stored once and records refer to
// it by number.
type origins struct {
	regions, organizations words
}

// words are the distinct texts of a column and which of them each record has.
type words struct {
	texts []string
	at    []uint32 // place → text
	known map[string]uint32
}

func newWords(places int) words {
	return words{texts: []string{""}, at: make([]uint32, places), known: map[string]uint32{"": 0}}
}

func (w *words) set(place uint32, text string) {
	n, ok := w.known[text]
	if !ok {
		n = uint32(len(w.texts))
		w.texts = append(w.texts, text)
		w.known[text] = n
	}
	w.at[place] = n
}

// with reports for each text whether it equals word or, if several is set,
// contains it as one of its parts.
func (w *words) with(word string, several bool) []bool {
	has := make([]bool, len(w.texts))
	for i, text := range w.texts {
		has[i] = text == word || several && slices.Contains(strings.Split(text, regionSeparator), word)
	}
	return has
}

// regionSeparator separates the regions of a record as stored.
const regionSeparator = ";"

// choiceKey identifies the choices of an audience.
type choiceKey struct {
	generation int64
	kind       Kind
	audience   lci.ID
}

// origins returns the origins of an edition's records. They are read on first use
// and kept with the edition.
func (l *Library) origins(ctx context.Context, e *edition) (*[kinds]origins, error) {
	if known := e.origins.Load(); known != nil {
		return known, nil
	}
	e.tracing.Lock()
	defer e.tracing.Unlock()
	if known := e.origins.Load(); known != nil {
		return known, nil
	}
	read, err := l.readOrigins(ctx, e)
	if err != nil {
		return nil, err
	}
	e.origins.Store(read)
	return read, nil
}

func (l *Library) readOrigins(ctx context.Context, e *edition) (*[kinds]origins, error) {
	var from [kinds]origins
	for kind := range from {
		records := len(e.names[kind].ids)
		from[kind] = origins{newWords(records), newWords(records)}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
	defer cancel()
	err := l.store.Origins(ctx, func(o Origin) error {
		if place, ok := e.names[o.Kind].position(o.Record); ok {
			from[o.Kind].regions.set(place, o.Regions)
			from[o.Kind].organizations.set(place, o.Organization)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &from, l.stillAt(ctx, e)
}

// filtered returns the positions of the records that match a query by name and by
// origin.
func (l *Library) filtered(ctx context.Context, by *mask, kind Kind, q Query) (positions, error) {
	found := l.matches(by, kind, q)
	if q.Starred {
		ids := by.edition.names[kind].ids
		found = found.keep(func(at uint32) bool { return by.favourite(ids[at]) })
	}
	if q.Region == "" && q.Organization == "" {
		return found, nil
	}
	all, err := l.origins(ctx, by.edition)
	if err != nil {
		return positions{}, err
	}
	from := &all[kind]
	if q.Region != "" {
		has := from.regions.with(q.Region, true)
		found = found.keep(func(at uint32) bool { return has[from.regions.at[at]] })
	}
	if q.Organization != "" {
		has := from.organizations.with(q.Organization, false)
		found = found.keep(func(at uint32) bool { return has[from.organizations.at[at]] })
	}
	return found, nil
}

// keep returns those of the positions that fit.
func (p positions) keep(fits func(uint32) bool) positions {
	kept := []uint32{}
	for i := range p.len() {
		if at := p.at(i); fits(at) {
			kept = append(kept, at)
		}
	}
	return positions{some: kept}
}

// Choices are the values that a list can be filtered by.
type Choices struct {
	Regions       []string
	Organizations []string
}

// Choices returns the regions and organisations of the records of a kind that a
// viewer can see. It does not wait for origins to be read, so right after an
// import it may return none.
func (l *Library) Choices(ctx context.Context, v account.Viewer, kind Kind) (Choices, error) {
	mask, err := l.maskFor(ctx, v)
	if err != nil {
		return Choices{}, err
	}
	from := mask.edition.origins.Load()
	if from == nil {
		return Choices{}, nil
	}
	key := choiceKey{mask.edition.generation, kind, mask.audience()}
	if known, ok := l.choices.Get(key); ok {
		return known, nil
	}
	made := mask.choices(kind, &from[kind])
	l.choices.Put(key, made)
	return made, nil
}

// WarmOrigins loads the origins of the current edition's records.
func (l *Library) WarmOrigins(ctx context.Context) error {
	e, err := l.at(ctx, 0)
	if err != nil {
		return err
	}
	_, err = l.origins(ctx, e)
	return err
}

func (k *mask) choices(kind Kind, from *origins) Choices {
	ids := k.edition.names[kind].ids
	seen := func(words *words) []bool {
		has := make([]bool, len(words.texts))
		for place, text := range words.at {
			if !has[text] && k.edition.visible(ids[place], k.viewer.Team) {
				has[text] = true
			}
		}
		return has
	}
	return Choices{
		Regions:       from.regions.list(seen(&from.regions), regionSeparator),
		Organizations: from.organizations.list(seen(&from.organizations), ""),
	}
}

// size is the approximate size of the choices in bytes.
func (c Choices) size() int {
	bytes := 0
	for _, text := range slices.Concat(c.Regions, c.Organizations) {
		bytes += 16 + len(text)
	}
	return bytes
}

// list returns the words of the seen texts, sorted.
func (w *words) list(seen []bool, separator string) []string {
	var all []string
	for i, text := range w.texts {
		switch {
		case !seen[i] || text == "":
		case separator == "":
			all = append(all, text)
		default:
			all = append(all, strings.Split(text, separator)...)
		}
	}
	slices.SortFunc(all, compareNames)
	return slices.Compact(all)
}

// Star marks a record as the viewer's favourite on the team, or unmarks it. It
// returns a NotFound fault if the viewer cannot see the record.
func (l *Library) Star(ctx context.Context, v account.Viewer, id string, on bool) error {
	record, _ := lci.ParseID(id)
	_, err := l.Find(ctx, v, Materials, id)
	if err != nil {
		_, err = l.Find(ctx, v, Processes, id)
	}
	if err != nil {
		return err
	}
	return l.store.SetFavourite(ctx, v.User, v.Team, record, on)
}
