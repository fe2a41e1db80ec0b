package importing

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// editionOf is what decides between a row and another of the same key.
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

// isOlder says whether a row belongs to an older record than the one that is
// there. What states an edition speaks for itself.
func (l *load[T]) isOlder(row *T) bool {
	if len(l.of) == 0 || !l.of.has(l.parent(row)) {
		return false
	}
	_, edition := l.editionOf(row)
	return edition == lci.Edition{}
}

// settle decides between a row and the one that is there, and makes of the two
// what is to be stored. It says no where that stays as it is.
func (l *load[T]) settle(row *T, key lci.ID, old *T) bool {
	_, have := l.editionOf(old)
	name, read := l.editionOf(row)
	outdated := have.Compare(read) > 0
	if outdated {
		l.leaveOut(key, name, read, have)
	}
	gathered := l.gathered != nil && l.gathered(row)
	if outdated || l.isOlder(row) {
		if gathered { // what the older edition knows beside stays known, whichever came first
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

// leaveOut remembers that a row, and with it what belongs to it, is older than
// what is there.
func (l *load[T]) leaveOut(key lci.ID, name string, read, have lci.Edition) {
	l.outdated.add(key)
	l.w.older = append(l.w.older, ingest.Warning{Class: ingest.Outdated, Record: cmp.Or(name, key.String()),
		Message: fmt.Sprintf("older (%s) than what the catalogue has (%s); left out", read, have)})
}

// keepKnown fills what a row leaves open with what is known.
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

// uniteRegions makes a material one of all the regions that any library names.
func uniteRegions(row, known *lci.Material) {
	if len(row.RegionalScopes) == 0 {
		return
	}
	all := slices.Concat(known.RegionalScopes, row.RegionalScopes)
	slices.Sort(all)
	row.RegionalScopes = slices.Compact(all)
}
