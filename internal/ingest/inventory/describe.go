package inventory

import "strings"

// A Text is a text about a record, with a label.
type Text struct{ Label, Text string }

// Describe joins texts about a record into paragraphs.
func Describe(texts []Text) string {
	var b strings.Builder
	for _, t := range texts {
		if t.Text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if t.Label != "" {
			b.WriteString(t.Label + ": ")
		}
		b.WriteString(lineBreaks.Replace(t.Text))
	}
	return b.String()
}

// lineBreaks normalises line breaks to LF, the only one that tables have.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Citation cites a source in one line: author (year): title.
func Citation(author, authors, year string, more ...string) string {
	author, year = strings.TrimSpace(author), strings.TrimSpace(year)
	if authors = strings.TrimSpace(authors); authors != "" {
		author += ", " + authors
	}
	if year != "" {
		author = strings.TrimSpace(author + " (" + year + ")")
	}
	var parts []string
	for _, part := range append([]string{author}, more...) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

// First returns the first text that is not empty.
func First(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
