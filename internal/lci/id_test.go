package lci

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseID(t *testing.T) {
	const text = "0f8fad5b-d9cb-469f-a165-70867728950e"
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"lower case":              {text, true},
		"upper case":              {strings.ToUpper(text), true},
		"mixed case":              {"0F8fAD5b-d9cB-469f-A165-70867728950E", true},
		"all zeros":               {"00000000-0000-0000-0000-000000000000", true},
		"empty":                   {"", false},
		"without hyphens":         {strings.ReplaceAll(text, "-", ""), false},
		"braces":                  {"{" + text + "}", false},
		"URN":                     {"urn:uuid:" + text, false},
		"one digit short":         {text[:35], false},
		"one digit long":          {text + "0", false},
		"hyphens at other places": {"0f8fad5bd-9cb-469f-a165-70867728950e", false},
		"a hyphen for a digit":    {"0f8fad5b-d9cb-469f-a165-7086772895-e", false},
		"not hexadecimal":         {"0f8fad5b-d9cb-469f-a165-70867728950g", false},
		"space around":            {" " + text[:35], false},
		"a wide digit":            {"0f8fad5b-d9cb-469f-a165-708677289é0", false},
	} {
		t.Run(name, func(t *testing.T) {
			id, ok := ParseID(c.text)
			if ok != c.ok {
				t.Fatalf("%q: %v", c.text, ok)
			}
			if !ok && !id.IsZero() {
				t.Errorf("%q gives %x", c.text, id)
			}
		})
	}
}

var spelling = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

func FuzzParseID(f *testing.F) {
	for _, seed := range []string{
		"", "0f8fad5b-d9cb-469f-a165-70867728950e", "0F8FAD5B-D9CB-469F-A165-70867728950E",
		"00000000-0000-0000-0000-000000000000", "0f8fad5bd9cb469fa16570867728950e",
		"0f8fad5b-d9cb-469f-a165-70867728950e\n", "0f8fad5b--9cb-469f-a165-70867728950e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, ok := ParseID(text)
		if ok != spelling.MatchString(text) || ok && len(text) != 36 {
			t.Fatalf("%q: %v", text, ok)
		}
		if !ok || id.IsZero() {
			return
		}
		if id.String() != strings.ToLower(text) {
			t.Errorf("%q reads back as %q", text, id)
		}
		if again, ok := ParseID(id.String()); !ok || again != id {
			t.Errorf("%q does not survive", text)
		}
	})
}

func TestZeroIDReadsAsNothing(t *testing.T) {
	var id ID
	if id.String() != "" {
		t.Errorf("text %q", id)
	}
	if v, err := id.Value(); v != nil || err != nil {
		t.Errorf("stored as %v, %v", v, err)
	}
	id = NewID()
	if err := id.Scan(nil); err != nil || !id.IsZero() {
		t.Errorf("read as %v, %v", id, err)
	}
}

func TestIDSurvivesStorage(t *testing.T) {
	id := NewID()
	stored, err := id.Value()
	if err != nil {
		t.Fatal(err)
	}
	for _, as := range []any{stored, []byte(stored.(string))} {
		var read ID
		if err := read.Scan(as); err != nil || read != id {
			t.Errorf("from %T: %v, %v", as, read, err)
		}
	}
	var read ID
	for _, bad := range []any{"nonsense", int64(1)} {
		if err := read.Scan(bad); err == nil {
			t.Errorf("%v was read", bad)
		}
	}
}

func TestIDsAreOrderedAsTheirTexts(t *testing.T) {
	ids := make([]ID, 200)
	for i := range ids {
		ids[i] = NewID()
	}
	slices.SortFunc(ids, ID.Compare)
	if !slices.IsSortedFunc(ids, func(a, b ID) int { return strings.Compare(a.String(), b.String()) }) {
		t.Error("not in order")
	}
	if ids[0].Compare(ids[0]) != 0 {
		t.Error("an id differs from itself")
	}
}

func TestNewIDIsAVersion4UUID(t *testing.T) {
	seen := map[ID]bool{}
	for range 100 {
		id := NewID()
		if text := id.String(); text[14] != '4' || !strings.ContainsRune("89ab", rune(text[19])) || seen[id] {
			t.Fatalf("%s", text)
		}
		seen[id] = true
	}
}

func TestNewIDAtIsOrderedByTime(t *testing.T) {
	at := time.UnixMilli(1_778_500_800_123)
	earlier, later := NewIDAt(at), NewIDAt(at.Add(time.Millisecond))
	if text := later.String(); text[14] != '7' || !strings.ContainsRune("89ab", rune(text[19])) || earlier.Compare(later) >= 0 {
		t.Errorf("%s, then %s", earlier, later)
	}
	if again := NewIDAt(at); again == earlier {
		t.Errorf("%s twice", again)
	}
}

// The literal must not change: stored rows without a provider's id are found by
// it.
func TestDerivedIDNeverChanges(t *testing.T) {
	if got, want := DerivedID("material", "Steel", "kg").String(), "868aa8db-f4aa-8a0f-9eaa-4dcd305ae3e7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDerivedIDDependsOnWhereItsPartsEnd(t *testing.T) {
	seen := map[ID]int{}
	for i, id := range []ID{
		DerivedID("material"), DerivedID("material", ""), DerivedID("material", "", ""), DerivedID("material", "ab", "c"),
		DerivedID("material", "a", "bc"), DerivedID("material", "abc"), DerivedID("materia", "labc"),
		DerivedID("material", "a\x001\x00b"), DerivedID("material", "a", "b"), DerivedID("process", "ab", "c"),
	} {
		if j, again := seen[id]; again {
			t.Errorf("%d and %d are the same", i, j)
		}
		seen[id] = i
		if text := id.String(); text[14] != '8' {
			t.Errorf("%s is no version 8 UUID", text)
		}
	}
}
