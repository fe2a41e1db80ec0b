package ecospold2

import "strings"

// title is the activity's name, with the product's where the activity has
// several datasets.
func (d *dataset) title(ix *index) string {
	if main := d.main(); len(ix.activities[d.id]) > 1 && main >= 0 {
		return d.name + " | " + d.exchanges[main].name
	}
	return d.name
}

// describe joins what is said of a dataset.
func (d *dataset) describe() string {
	texts := d.texts
	if d.systemModel != "" {
		texts = append(texts, labelled{"System model", d.systemModel})
	}
	if len(d.synonyms) > 0 {
		texts = append(texts, labelled{"Synonyms", strings.Join(d.synonyms, "; ")})
	}
	if len(d.tags) > 0 {
		texts = append(texts, labelled{"Tags", strings.Join(d.tags, "; ")})
	}
	var b strings.Builder
	for _, t := range texts {
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

// date is when the dataset was last changed, else until when it is valid.
func (d *dataset) date() string {
	for _, s := range []string{d.edited, d.end, d.start} {
		if s != "" {
			return s
		}
	}
	return ""
}

// organization is the company of who made the data, else of who entered it, else
// their names.
func (d *dataset) organization() string {
	for _, p := range []person{d.generator, d.author} {
		if c := d.master.companies[p.id]; c != "" && !strings.EqualFold(c, "UKNWN") && !strings.EqualFold(c, "unknown") {
			return c
		}
	}
	for _, p := range []person{d.generator, d.author} {
		if p.name != "" && !strings.ContainsAny(p.name, "@[") {
			return p.name
		}
	}
	return ""
}

func (d *dataset) sources() []string {
	if s := d.master.sources[d.sourceID]; s != "" {
		return []string{s}
	}
	if s := citation(d.sourceAuthor, "", d.sourceYear); s != "" {
		return []string{s}
	}
	return nil
}

// citation tells a source in a line: author (year): title.
func citation(author, authors, year string, more ...string) string {
	author, year = strings.TrimSpace(author), strings.TrimSpace(year)
	if authors != "" {
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
