package inventory

import (
	"slices"
	"strconv"

	"cradle/internal/ingest"
)

// Material adds a material with its properties.
func (b *Builder) Material(m Material) {
	b.count(ingest.Materials, 1, 0, 0)
	b.count(ingest.Properties, len(m.Properties), 0, 0)
	if flaw := m.flaw(); flaw != "" {
		b.unread(m.Where, "%s", flaw)
		return
	}
	id := identify("material", m.Key)
	if old := b.materialAt[id]; old != nil {
		b.unread(m.Where, "is the same material as %s: ids must be unique", old.Where.place())
		return
	}
	m.Name, m.Source, m.Organization = b.title(m.Name, m.Where), b.title(m.Source, m.Where), b.title(m.Organization, m.Where)
	m.Properties = b.soundProperties(m)
	kept := &material{Material: m, id: id}
	b.materials = append(b.materials, kept)
	b.materialAt[id] = kept
}

// soundProperties are those that can be read. It makes properties with the same
// name and no key distinct.
func (b *Builder) soundProperties(m Material) []Property {
	kept, named := slices.DeleteFunc(slices.Clone(m.Properties), func(p Property) bool {
		flaw := p.flaw()
		if flaw != "" {
			b.unread(orElse(p.Where, m.Where), "%s", flaw)
		}
		return flaw != ""
	}), map[string]int{}
	for i := range kept {
		p := &kept[i]
		at := orElse(p.Where, m.Where)
		p.Name, p.Unit, p.Source = b.title(p.Name, at), b.title(p.Unit, at), b.title(p.Source, at)
		p.Description = b.text(p.Description, at)
		if named[p.Name]++; p.Key == "" && named[p.Name] > 1 {
			p.Key = Key(p.Name, strconv.Itoa(named[p.Name]))
		}
	}
	return kept
}
