package materials

import (
	"fmt"
	"path"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
)

// Optical constants in the format of refractiveindex.info: tables of the
// refractive index n and the extinction coefficient k over the wavelength in
// micrometres, and coefficients of dispersion formulas.

// isOptics recognises the format.
func isOptics(root *node) bool {
	data := root.get("DATA")
	return data != nil && data.list && len(data.items) > 0 && data.items[0].get("type") != nil
}

type optics struct {
	*walk
	draft      *draft
	conditions string
}

func (w *walk) optics(root *node) error {
	name, class := opticsName(w.file)
	d := newDraft(name, inventory.Where{File: w.file, Line: root.line})
	d.Source, d.Classification = plainText(root.string("REFERENCES")), class
	o := &optics{walk: w, draft: d, conditions: circumstances(root)}
	for _, block := range root.get("DATA").items {
		o.block(block)
	}
	for _, f := range root.fields {
		switch strings.ToUpper(f.name) {
		case "REFERENCES", "COMMENTS", "DATA", "CONDITIONS":
		default:
			if err := w.property(d, root, f, "", 1); err != nil {
				return err
			}
		}
	}
	w.put(d)
	return nil
}

// opticsName is made from the path in the database, main/Co/nk/Werner.yml, whose
// parts may have been joined into one file name.
func opticsName(file string) (name string, class []string) {
	parts := strings.Split(strings.ReplaceAll(strings.TrimSuffix(file, path.Ext(file)), "__", "/"), "/")
	var kept []string
	for _, p := range parts {
		switch p {
		case "nk", "n", "k", "data", "data-nk", "data-n2", "database":
		default:
			kept = append(kept, words(p))
		}
	}
	n := len(kept)
	if n < 2 {
		return strings.Join(kept, " "), []string{"optical constants"}
	}
	return kept[n-2] + " (" + kept[n-1] + ")", append([]string{"optical constants"}, kept[:n-2]...)
}

// circumstances lists the conditions under which the constants were measured.
func circumstances(root *node) string {
	var parts []string
	if c := plainText(root.string("COMMENTS")); c != "" {
		parts = append(parts, c)
	}
	for _, f := range fieldsOf(root.get("CONDITIONS")) {
		if f.scalar() {
			text := words(f.name) + " " + f.text
			if f.name == "temperature" {
				text += " K"
			}
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}

func (o *optics) block(n *node) {
	kind := n.string("type")
	at := inventory.Where{File: o.file, Line: n.line, Record: kind}
	switch {
	case kind == "tabulated nk":
		o.table(n, at, "refractive index n", "extinction coefficient k")
	case kind == "tabulated n":
		o.table(n, at, "refractive index n")
	case kind == "tabulated k":
		o.table(n, at, "extinction coefficient k")
	case kind == "tabulated n2":
		o.table(n, at, "nonlinear refractive index n2")
	case strings.HasPrefix(kind, "formula"):
		o.formula(n, kind, at)
	default:
		o.to.Skip(ingest.Properties, at, fmt.Sprintf("the data type %q is not known", kind), "")
	}
}

func (o *optics) table(n *node, at inventory.Where, names ...string) {
	data := n.get("data")
	if data == nil || !data.scalar() {
		o.to.Skip(ingest.Properties, at, "the table has no data", "")
		return
	}
	line := data.line
	for text := range strings.SplitSeq(strings.TrimRight(data.text, "\n"), "\n") {
		line++
		cells := strings.Fields(text)
		if len(cells) == 0 {
			continue
		}
		row := at
		row.Line = line
		if len(cells) != 1+len(names) {
			o.to.Skip(ingest.Properties, row, fmt.Sprintf("the line %.60q does not have %d numbers", text, 1+len(names)), "")
			continue
		}
		for i, name := range names {
			o.value(fmt.Sprintf("%s at %s µm", name, cells[0]), cells[i+1], o.conditions, row)
		}
	}
}

// formula keeps the coefficients and the name of their formula.
func (o *optics) formula(n *node, kind string, at inventory.Where) {
	about := "coefficient of dispersion " + kind + " of refractiveindex.info, wavelength in µm"
	if r := strings.Fields(n.string("wavelength_range", "range")); len(r) == 2 {
		about += " from " + r[0] + " to " + r[1]
	}
	if o.conditions != "" {
		about += "; " + o.conditions
	}
	for i, c := range strings.Fields(n.string("coefficients")) {
		o.value(fmt.Sprintf("dispersion %s, C%d", kind, i+1), c, about, at)
	}
}

func (o *optics) value(name, text, about string, at inventory.Where) {
	v, ok := sheet.Number(text)
	if !ok {
		o.to.Skip(ingest.Properties, at, fmt.Sprintf("%s: %.40q is not a number", name, text), "")
		return
	}
	o.draft.add(inventory.Property{Name: name, Value: v, Unit: "1", Description: about, Source: o.draft.Source, Where: at})
}
