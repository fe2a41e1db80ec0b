package importing

import (
	"slices"

	"cradle/internal/lci"
)

// decides reports whether the import changes who may see what it reads.
func (l *load[T]) decides() bool {
	return l.granted && (l.w.options.Public || len(l.w.options.VisibleTo) > 0)
}

// moves reports whether the import changes the audience of a stored record.
func (l *load[T]) moves(restricted bool, teams []lci.ID) bool {
	if !l.decides() {
		return false
	}
	if l.w.options.Public {
		return restricted
	}
	return !restricted || !slices.Equal(teams, l.w.audience())
}

// audience is the teams an import restricts its records to, sorted.
func (w *importer) audience() []lci.ID {
	teams := slices.Clone(w.options.VisibleTo)
	slices.SortFunc(teams, lci.ID.Compare)
	return slices.Compact(teams)
}

// restricted reports whether a record will be restricted.
func (l *load[T]) restricted(before bool) bool {
	if l.decides() {
		return !l.w.options.Public
	}
	return before
}

// grants returns which teams may see the pending restricted records.
func (l *load[T]) grants() (map[lci.ID][]lci.ID, error) {
	if !l.decides() {
		return nil, nil
	}
	return l.w.to.Grants.Of(l.w.ctx, l.keys)
}

// regrant gives the written records the audience that the import decided on.
func (l *load[T]) regrant(written []Stored[T]) error {
	if !l.decides() || len(written) == 0 {
		return nil
	}
	records := make([]lci.ID, len(written))
	for i := range written {
		records[i] = l.id(&written[i].Row)
	}
	return l.w.to.Grants.Replace(l.w.ctx, records, l.w.audience())
}
