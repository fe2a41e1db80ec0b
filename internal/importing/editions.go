package importing

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// editionOf returns what decides between two rows with the same key.
func (l *load[T]) editionOf(row *T) (name string, edition lci.Edition) {
	if l.edition == nil {
		return "", lci.Edition{}
	}
	name, edition = l.edition(row)
	if edition.Version == lci.Unspecified {
		edition.Version = ""
	}
	return name, edition
}

// isOlder reports whether a row belongs to an older record than the stored one.
// A row with an edition of its own is judged by that instead.
func (l *load[T]) isOlder(row *T) bool {
	if len(l.of) == 0 || !l.of.has(l.parent(row)) {
		return false
	}
	_, edition := l.editionOf(row)
	return edition == lci.Edition{}
}

// settle decides between a row and the stored one, and makes row what is to be
// stored. It returns false if the stored row stays unchanged.
func (l *load[T]) settle(row *T, key lci.ID, old *T) bool {
	_, have := l.editionOf(old)
	name, read := l.editionOf(row)
	outdated := have.Compare(read) > 0
	if outdated {
		l.leaveOut(key, name, read, have)
	}
	gathered := l.gathered != nil && l.gathered(row)
	if outdated || l.isOlder(row) {
		if gathered { // details of the older edition are kept, whichever came first
			known := *old
			l.keepKnown(&known, row)
			*row = known
		}
		return gathered
	}
	if gathered {
		l.keepKnown(row, old)
	}
	return true
}

// leaveOut records that a row, with what belongs to it, is older than the stored
// one.
func (l *load[T]) leaveOut(key lci.ID, name string, read, have lci.Edition) {
	l.outdated.add(key)
	l.w.older = append(l.w.older, ingest.Warning{Class: ingest.Outdated, Record: cmp.Or(name, key.String()),
		Message: fmt.Sprintf("older (%s) than the record in the catalogue (%s); left out", read, have)})
}

// keepKnown fills a row's unknown fields with known values.
func (l *load[T]) keepKnown(row, known *T) {
	if l.unite != nil {
		l.unite(row, known)
	}
	fillTexts(reflect.ValueOf(row).Elem(), reflect.ValueOf(known).Elem())
}

func fillTexts(row, known reflect.Value) {
	for i := range row.NumField() {
		switch field := row.Field(i); field.Kind() {
		case reflect.String, reflect.Slice:
			if field.Len() == 0 {
				field.Set(known.Field(i))
			}
		case reflect.Struct:
			fillTexts(field, known.Field(i))
		}
	}
}

// uniteRegions gives a material the regions of all libraries.
func uniteRegions(row, known *lci.Material) {
	if len(row.RegionalScopes) == 0 {
		return
	}
	all := slices.Concat(known.RegionalScopes, row.RegionalScopes)
	slices.Sort(all)
	row.RegionalScopes = slices.Compact(all)
}
