package ecospold1

import (
	"slices"

	"cradle/internal/ingest/inventory"
)

// date is when the dataset was last written, else the end of its validity.
func (d *dataset) date() string {
	return inventory.First(d.info.timestamp, d.timestamp, d.end, d.start)
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

// links are the dataset's sources, its publication first.
func (d *dataset) links() []string {
	sorted := slices.Clone(d.sources)
	slices.SortStableFunc(sorted, func(a, b publication) int {
		return rank(a.number == d.published) - rank(b.number == d.published)
	})
	var links []string
	for _, s := range sorted {
		links = append(links, s.String())
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
	return inventory.Citation(known(s.author), known(s.authors), s.year, known(s.title), known(s.journal), known(s.publisher))
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
