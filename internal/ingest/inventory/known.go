package inventory

import "cradle/internal/ingest"

// maxKnown is how many properties are kept of a flow, because they are searched
// linearly.
const maxKnown = 1_000

// Known adds properties of a flow as a material, if it turns out to be one. The
// first value of a name counts.
func (b *Builder) Known(flow string, properties []Property) {
	for _, p := range properties {
		f := b.flows[b.flowKeyed(flow, p.Where)]
		if flaw := p.flaw(); flaw != "" {
			b.Unreadable(ingest.Properties, p.Where, "%s", flaw)
			continue
		}
		first := f.knownAs(p.Name)
		if first == nil && len(f.known) == maxKnown {
			b.Drop("properties of materials with too many properties", p.Where)
		} else if first == nil {
			f.known = append(f.known, p)
			b.count(ingest.Properties, 1, 0, 0)
		} else if first.Value != p.Value {
			b.Drop("properties for which another process gives a different value", p.Where)
		}
	}
}

func (f *flow) knownAs(name string) *Property {
	for i := range f.known {
		if f.known[i].Name == name {
			return &f.known[i]
		}
	}
	return nil
}

// dropUnknown notes properties of flows that are not materials.
func (b *Builder) dropUnknown() {
	for _, f := range b.flows {
		if f.material {
			continue
		}
		for _, p := range f.known {
			b.Drop("properties of products that are not goods", p.Where)
		}
	}
}
