package inventory

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cradle/internal/ingest"
	"cradle/internal/lci"
)

// Key makes a key of a record's natural identifiers, such as its name and
// location.
func Key(parts ...string) string { return strings.Join(parts, "\x1f") }

// UnitRef refers to a unit by its key or, if the library has no unit with that
// key, by its name.
func UnitRef(key, name string) string { return key + unitSeparator + name }

const unitSeparator = "\x1e"

// identify returns a record's id in the catalogue.
func identify(kind, key string) lci.ID {
	if id, ok := lci.ParseID(key); ok && !id.IsZero() {
		return id
	}
	return lci.DerivedID(kind, strings.Split(key, "\x1f")...)
}

// interned numbers texts that occur often.
type interned struct {
	places map[string]uint32
	all    []string
}

func (t *interned) at(s string) uint32 {
	if i, ok := t.places[s]; ok {
		return i
	}
	if t.places == nil {
		t.places = map[string]uint32{}
	}
	s = strings.Clone(s)
	i := uint32(len(t.all))
	t.all = append(t.all, s)
	t.places[s] = i
	return i
}

const maxNameChars = 1_000

// title makes a name a single line of bounded length.
func (b *Builder) title(s string, at Where) string {
	s = strings.Join(strings.Fields(strings.Map(printable, b.text(s, at))), " ")
	if utf8.RuneCountInString(s) > maxNameChars {
		b.Note(ingest.Dropped, at, fmt.Sprintf("the name is cut after %d characters", maxNameChars), "")
		s = string([]rune(s)[:maxNameChars])
	}
	return s
}

func printable(r rune) rune {
	if unicode.IsControl(r) && !unicode.IsSpace(r) {
		return -1
	}
	return r
}

// maxTextBytes is the longest text in a cell of the plain bundle.
const maxTextBytes = 100_000

// newlines normalises line breaks to LF, the only one that tables keep.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// text removes what the catalogue cannot store.
func (b *Builder) text(s string, at Where) string {
	s = strings.TrimSpace(newlines.Replace(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")))
	if len(s) > maxTextBytes {
		b.Note(ingest.Dropped, at, fmt.Sprintf("a text is cut after %d bytes", maxTextBytes), "")
		s = strings.ToValidUTF8(s[:maxTextBytes], "")
	}
	return s
}
