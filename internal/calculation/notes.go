package calculation

import (
	"fmt"
	"strings"

	"cradle/internal/ingest"
)

// notes are warnings to the provider. Equal ones are counted together.
type notes struct {
	list []*note
	at   map[noteKey]*note
}

type noteKey struct {
	class           ingest.Class
	record, message string
}

type note struct {
	noteKey
	suggestion string
	count      int      // how often it was met in other processes
	in         []string // the processes it concerns
}

// shown is how many processes a note lists.
const shown = 3

// add adds a note on a record found in a process, "" if the record is the
// process.
func (n *notes) add(class ingest.Class, record, message, suggestion, in string) {
	key := noteKey{class, record, message}
	if n.at == nil {
		n.at = map[noteKey]*note{}
	}
	known := n.at[key]
	if known == nil {
		known = &note{noteKey: key, suggestion: suggestion}
		n.at[key], n.list = known, append(n.list, known)
	}
	known.count++
	if in != "" && (len(known.in) == 0 || known.in[len(known.in)-1] != in) { // exchanges come process by process
		known.in = append(known.in, in)
	}
}

// addAll adds a note that concerns several processes.
func (n *notes) addAll(class ingest.Class, record, message, suggestion string, processes []string) {
	n.list = append(n.list, &note{noteKey: noteKey{class, record, message}, suggestion: suggestion, in: processes})
}

func (n *notes) warnings() []ingest.Warning {
	all := []ingest.Warning{}
	for _, one := range n.list {
		message := one.message
		if one.count > 0 && len(one.in) > 0 {
			message += fmt.Sprintf(" (%d, in %s)", one.count, some(one.in, one.count))
		}
		all = append(all, ingest.Warning{Class: one.class, Record: one.record, Message: message, Suggestion: one.suggestion, In: one.in})
	}
	return all
}

// some lists the first few names.
func some(names []string, of int) string {
	quoted := make([]string, 0, shown)
	for _, name := range names[:min(len(names), shown)] {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	list := strings.Join(quoted, ", ")
	if of > len(quoted) {
		list += " and others"
	}
	return list
}
