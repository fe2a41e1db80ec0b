package inventory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cradle/internal/ingest"
)

// places counts the factors for single places: the catalogue stores only global
// ones.
type places struct {
	first  Where
	counts map[string]int
	total  int
}

// IsEverywhere reports whether a location means the whole world.
func IsEverywhere(location string) bool {
	switch strings.ToLower(strings.TrimSpace(location)) {
	case "", "glo", "global", "globe", "world", "worldwide", "unspecified", "(unspecified)":
		return true
	}
	return false
}

func (p *places) add(location string, at Where) {
	if p.counts == nil {
		p.counts, p.first = map[string]int{}, at
	}
	p.counts[location]++
	p.total++
}

// shownPlaces is how many places a note lists.
const shownPlaces = 20

// String lists the places with the most factors.
func (p *places) String() string {
	names := slices.SortedFunc(maps.Keys(p.counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.counts[b], p.counts[a]), cmp.Compare(a, b))
	})
	var shown []string
	for _, name := range names[:min(len(names), shownPlaces)] {
		shown = append(shown, fmt.Sprintf("%s %d", name, p.counts[name]))
	}
	if rest := len(names) - len(shown); rest > 0 {
		shown = append(shown, fmt.Sprintf("and %d more locations", rest))
	}
	return strings.Join(shown, ", ")
}

// settlePlaces notes the factors for places, and how many flows have no other.
func (b *Builder) settlePlaces() {
	if b.places.total == 0 {
		return
	}
	message := fmt.Sprintf("%d factors are for single locations and are left out (%s)", b.places.total, b.places.String())
	if n := b.onlyLocal(); n > 0 {
		message += fmt.Sprintf("; %d flows have only such factors under an indicator, and count as 0 there", n)
	}
	b.Note(ingest.Regional, b.places.first, message, "")
}

// onlyLocal counts the flows with only factors for places.
func (b *Builder) onlyLocal() int {
	flows := map[string]bool{}
	for _, i := range b.indicators {
		if len(i.local) == 0 {
			continue
		}
		for _, f := range i.factors {
			delete(i.local, b.flows[f.flow].Key)
		}
		maps.Copy(flows, i.local)
	}
	return len(flows)
}
