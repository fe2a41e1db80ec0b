package source

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxSeen is how many entries are examined to describe a source.
const maxSeen = 200

// Seen describes in a line what the source contains, for users who expected it
// to be recognised as something else.
func (s *Source) Seen() string {
	if len(s.Entries) == 0 {
		return "nothing"
	}
	counts := map[string]int{}
	for _, e := range s.Entries[:min(len(s.Entries), maxSeen)] {
		counts[e.Seen()]++
	}
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	const named = 4
	var parts []string
	for _, kind := range kinds[:min(len(kinds), named)] {
		parts = append(parts, fmt.Sprintf("%s (%s)", kind, files(counts[kind])))
	}
	if len(kinds) > named || len(s.Entries) > maxSeen {
		parts = append(parts, "and more")
	}
	if len(s.Entries) == 1 {
		return s.Entries[0].Seen()
	}
	return files(len(s.Entries)) + ": " + strings.Join(parts, ", ")
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// Seen describes what the entry contains.
func (e *Entry) Seen() string {
	c, err := e.Sniff()
	switch {
	case err != nil:
		return "damaged data"
	case c.Kind == XML && c.Root != "" && c.Namespace != "":
		return fmt.Sprintf("XML with root element %s in namespace %s", Printable(c.Root), Printable(c.Namespace))
	case c.Kind == XML && c.Root != "":
		return fmt.Sprintf("XML with root element %s", Printable(c.Root))
	case c.Kind == XML:
		return fmt.Sprintf("XML that cannot be read (%s)", c.Flaw)
	case c.Kind == Table:
		return fmt.Sprintf("a table that begins with %q", shortened(c.Line))
	case c.Kind == Zip:
		return "a zip inside it, which you can import separately"
	}
	return string(c.Kind)
}

func shortened(line string) string {
	const most = 80
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
