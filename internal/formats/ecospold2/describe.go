package ecospold2

import (
	"strings"

	"cradle/internal/ingest/inventory"
)

// title is the activity's name, with the product's if the activity has several
// datasets.
func (d *dataset) title(ix *index) string {
	if main := d.main(); len(ix.activities[d.id]) > 1 && main >= 0 {
		return d.name + " | " + d.exchanges[main].name
	}
	return d.name
}

// describe joins the descriptions of a dataset.
func (d *dataset) describe() string {
	return inventory.Describe(append(d.texts,
		inventory.Text{Label: "System model", Text: d.systemModel}, inventory.Text{Label: "Synonyms", Text: strings.Join(d.synonyms, "; ")},
		inventory.Text{Label: "Tags", Text: strings.Join(d.tags, "; ")}))
}

// date is when the dataset was last changed, else the end of its validity.
func (d *dataset) date() string { return inventory.First(d.edited, d.end, d.start) }

// organization is the company that made the data, else the one that entered it,
// else the persons' names.
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
	if s := inventory.Citation(d.sourceAuthor, "", d.sourceYear); s != "" {
		return []string{s}
	}
	return nil
}
