package lci

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

func TestFold(t *testing.T) {
	for name, c := range map[string]struct{ a, b string }{
		"ASCII case":              {"STEEL", "steel"},
		"umlauts":                 {"ÄTHYLEN", "äthylen"},
		"sharp s":                 {"Weißblech", "WEISSBLECH"},
		"capital sharp s":         {"WEIẞBLECH", "weissblech"},
		"composed and decomposed": {"Äthylen", "A\u0308thylen"},
		"Greek final sigma":       {"ΧΆΛΥΒΑΣ", "χάλυβας"},
		"ligature":                {"ﬁbre", "FIBRE"},
		"Cyrillic":                {"СТАЛЬ", "сталь"},
		"dotted capital I":        {"İ", "i\u0307"},
		"Kelvin sign":             {"5 K", "5 k"},
		"caron without capital":   {"ǰ", "J\u030c"},
	} {
		t.Run(name, func(t *testing.T) {
			if Fold(c.a) != Fold(c.b) {
				t.Errorf("%q folds to %q, %q to %q", c.a, Fold(c.a), c.b, Fold(c.b))
			}
		})
	}
	for name, c := range map[string]struct{ a, b string }{
		"an umlaut is no plain vowel":   {"ä", "a"},
		"no dot is not a dot":           {"ı", "i"},
		"compatibility is not equality": {"m²", "m2"},
	} {
		t.Run(name, func(t *testing.T) {
			if Fold(c.a) == Fold(c.b) {
				t.Errorf("%q and %q both fold to %q", c.a, c.b, Fold(c.a))
			}
		})
	}
}

func TestFoldOfPlainNamesIsTheFullFold(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	slow := cases.Fold()
	for range 20_000 {
		name := make([]byte, random.IntN(12))
		for i := range name {
			name[i] = byte(random.IntN(0x80))
		}
		if got, want := Fold(string(name)), slow.String(norm.NFC.String(string(name))); got != want {
			t.Fatalf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestFoldFoldsNothingTwice(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		name := make([]rune, 1+random.IntN(4))
		for i := range name {
			name[i] = rune(random.IntN(0x1300)) // Cherokee, above, is folded to and fro by x/text
			if random.IntN(4) == 0 {
				name[i] = rune(0x300 + random.IntN(0x70))
			}
		}
		once := norm.NFC.String(Fold(string(name)))
		if twice := norm.NFC.String(Fold(once)); twice != once {
			t.Fatalf("%q folds to %q, and that to %q", string(name), once, twice)
		}
	}
}
