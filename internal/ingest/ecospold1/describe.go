package ecospold1

import (
	"slices"
	"strings"
)

// description joins what is said of a dataset.
func (d *dataset) description() string {
	var b strings.Builder
	for _, t := range d.texts {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if t.label != "" {
			b.WriteString(t.label + ": ")
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// date is when the dataset was last written, else until when it is valid.
func (d *dataset) date() string {
	for _, s := range []string{d.info.timestamp, d.timestamp, d.end, d.start} {
		if s != "" {
			return s
		}
	}
	return ""
}

// organization is who made the data.
func (d *dataset) organization() string {
	for _, p := range d.persons {
		if p.number == d.generator || d.generator == "" {
			return p.name
		}
	}
	return ""
}

// links tell the dataset's sources, the one it was published in first.
func (d *dataset) links() []string {
	sorted := slices.Clone(d.sources)
	slices.SortStableFunc(sorted, func(a, b publication) int {
		return rank(a.number == d.published) - rank(b.number == d.published)
	})
	var links []string
	for _, s := range sorted {
		if link := s.String(); link != "" && !slices.Contains(links, link) {
			links = append(links, link)
		}
	}
	return links
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

func (s publication) String() string {
	author := s.author
	if s.authors != "" {
		author += ", " + s.authors
	}
	if s.year != "" {
		author = strings.TrimSpace(author + " (" + s.year + ")")
	}
	var parts []string
	for _, part := range []string{author, s.title, s.journal, s.publisher} {
		if known(part) != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

func path(category, subCategory string) []string {
	var path []string
	for _, part := range []string{category, subCategory} {
		if known(part) != "" {
			path = append(path, part)
		}
	}
	return path
}
