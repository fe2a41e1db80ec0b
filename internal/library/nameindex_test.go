package library

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cradle/internal/lci"
)

func indexOf(names []string) *nameIndex {
	s := &nameIndex{}
	for _, name := range names {
		s.add(lci.NewID(), []byte(name))
	}
	s.finish()
	return s
}

func naive(names []string, needle string) []uint32 {
	var hits []uint32
	for i, name := range names {
		if strings.Contains(name, needle) {
			hits = append(hits, uint32(i))
		}
	}
	return hits
}

func TestSearchFindsWhatContainsTheNeedle(t *testing.T) {
	names := []string{"aluminium", "steel", "", "stainless steel", "eel", "e", "äthylen", "steel"}
	for name, needle := range map[string]string{
		"one character":      "e",
		"at the beginning":   "st",
		"at the end":         "eel",
		"a whole name":       "steel",
		"across two names":   "msteel",
		"within a character": "\xa4",
		"several bytes":      "äthyl",
		"overlapping itself": "ee",
		"nowhere":            "zinc",
		"longer than all":    strings.Repeat("e", 100),
		"empty":              "",
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := indexOf(names).search([]byte(needle)), naive(names, needle); !slices.Equal(got, want) {
				t.Errorf("%q: got %v, want %v", needle, got, want)
			}
		})
	}
	if hits := indexOf(nil).search([]byte("a")); len(hits) != 0 {
		t.Errorf("an empty nameIndex has %v", hits)
	}
}

func TestSearchAgreesWithTheNaiveOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	letters := []rune("aabä ")
	text := func(most int) string {
		out := make([]rune, random.IntN(most+1))
		for i := range out {
			out[i] = letters[random.IntN(len(letters))]
		}
		return string(out)
	}
	for range 300 {
		names := make([]string, random.IntN(120))
		for i := range names {
			names[i] = text(8)
		}
		s := indexOf(names)
		for range 20 {
			needle := text(4)
			if len(names) > 0 && random.IntN(3) == 0 { // the end of a name
				name := names[random.IntN(len(names))]
				needle = name[random.IntN(len(name)+1):]
			}
			if got, want := s.search([]byte(needle)), naive(names, needle); !slices.Equal(got, want) {
				t.Fatalf("%q in %q: got %v, want %v", needle, names, got, want)
			}
		}
	}
}

func TestIndexKnowsWhereEverythingStands(t *testing.T) {
	names := []string{"", "b", "", "dd", "e"}
	s := indexOf(names)
	for i, name := range names {
		if got := string(s.name(uint32(i))); got != name {
			t.Errorf("name %d is %q, want %q", i, got, name)
		}
		if at, ok := s.position(s.ids[i]); !ok || at != uint32(i) {
			t.Errorf("record %d stands at %d, %v", i, at, ok)
		}
	}
	if at, ok := s.position(lci.NewID()); ok {
		t.Errorf("a stranger stands at %d", at)
	}
	if _, ok := indexOf(nil).position(lci.NewID()); ok {
		t.Error("something stands on an empty nameIndex")
	}
}

func TestPartsOfASearchMakeTheWhole(t *testing.T) {
	names := []string{"aab", "ba", "", "abab", "b", "aa", "bab"}
	s := indexOf(names)
	for _, needle := range []string{"a", "ab", "b", "", "bb"} {
		for cut := range len(names) + 1 {
			parts := append(s.searchPart([]byte(needle), 0, cut), s.searchPart([]byte(needle), cut, len(names))...)
			if whole := s.search([]byte(needle)); !slices.Equal(parts, whole) {
				t.Errorf("%q cut at %d: %v, whole %v", needle, cut, parts, whole)
			}
		}
	}
}
