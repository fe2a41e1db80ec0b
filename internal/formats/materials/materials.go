// Package materials reads materials with numeric properties: tables, and JSON
// and YAML documents in which objects have numbers with units. It knows the
// layouts of the material properties interchange format and of
// refractiveindex.info; in others it detects which objects are materials.
package materials

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/ingest/source"
)

// Detect reports whether a source certainly holds materials.
func Detect(src *source.Source) bool { return holds(src, true) }

// Resembles reports whether a source holds names and numbers that may be
// materials or something else.
func Resembles(src *source.Source) bool { return holds(src, false) }

func holds(src *source.Source, surely bool) bool {
	return slices.ContainsFunc(src.Entries, func(e *source.Entry) bool { return holdsMaterials(e, surely) })
}

func holdsMaterials(e *source.Entry, surely bool) bool {
	switch kindOf(e) {
	case source.JSON, source.YAML:
		root, err := parse(e)
		return err == nil && isDocument(root, surely)
	case source.Table, source.Workbook:
		tables, err := sheet.Open(e)
		if err != nil {
			return false
		}
		for _, t := range tables {
			if l, err := survey(t); err == nil && l != nil && (l.sure || !surely) {
				return true
			}
		}
	}
	return false
}

func isDocument(root *node, surely bool) bool {
	return !isLinkedData(root) && (isInterchange(root) || isOptics(root) || hasMeasures(root, surely))
}

func kindOf(e *source.Entry) source.Kind {
	c, err := e.Sniff()
	if err != nil {
		return source.Binary
	}
	return c.Kind
}

// isLinkedData excludes openLCA's documents, which are not materials.
func isLinkedData(root *node) bool {
	first := root
	if root.list && len(root.items) > 0 {
		first = root.items[0]
	}
	return first.get("@type", "@id", "@context") != nil
}

// hasMeasures looks for an object with a number near the root: deeply nested
// ones are not what the document is about.
func hasMeasures(root *node, surely bool) bool {
	seen := map[*node]bool{}
	var look func(n *node, depth int) bool
	look = func(n *node, depth int) bool {
		if seen[n] || depth > 6 {
			return false
		}
		seen[n] = true
		if n.object && (isSureMaterial(n) || !surely && (&walk{}).isMaterial(n)) {
			return true
		}
		for _, f := range n.fields {
			if look(f.node, depth+1) {
				return true
			}
		}
		for _, item := range n.items {
			if look(item, depth+1) {
				return true
			}
		}
		return false
	}
	return look(root, 0)
}

func parse(e *source.Entry) (*node, error) {
	if e.Size > maxDocument {
		return nil, fmt.Errorf("larger than %d MB", maxDocument>>20)
	}
	in, err := e.Text()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	content, err := readAll(in)
	if err != nil {
		return nil, err
	}
	if kindOf(e) == source.JSON {
		return parseJSON(content)
	}
	return parseYAML(content)
}

// Open opens a source of materials. If nothing in it certainly is one, it trusts
// the caller.
func Open(src *source.Source) (ingest.Package, error) {
	surely := Detect(src)
	if !surely && !Resembles(src) {
		return nil, fmt.Errorf("%s contains no materials: no table, JSON or YAML document with names and numbers", src.Path)
	}
	return inventory.New(&reader{src, surely}), nil
}

type reader struct {
	src    *source.Source
	surely bool // only certain materials are read
}

func (r *reader) Close() error { return r.src.Close() }

// Read implements inventory.Reader.
func (r *reader) Read(ctx context.Context, to *inventory.Builder) error {
	on := newCollector(to, r.surely)
	done := int64(0)
	for _, e := range r.src.Entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := on.entry(e); err != nil {
			to.Unreadable("files", inventory.Where{File: source.Printable(e.Name)}, "%s", strings.TrimPrefix(err.Error(), e.Name+":"))
		}
		done += e.Size
		to.Progress(done, r.src.Size)
	}
	return nil
}

func (s *collector) entry(e *source.Entry) error {
	name := source.Printable(e.Name)
	switch kindOf(e) {
	case source.JSON, source.YAML:
		root, err := parse(e)
		if err != nil {
			return err
		}
		return s.document(&walk{collector: s, file: name, met: map[*node]bool{}}, root)
	case source.Table, source.Workbook:
		return s.tables(e, name)
	}
	s.to.Skip("files", inventory.Where{File: name}, "it contains no materials", "")
	return nil
}

func (s *collector) document(w *walk, root *node) error {
	switch {
	case isLinkedData(root):
		s.to.Skip("files", inventory.Where{File: w.file}, "it contains linked data, not materials", "import it separately")
		return nil
	case isInterchange(root):
		return w.interchange(root)
	case isOptics(root):
		return w.optics(root)
	case !hasMeasures(root, s.surely):
		s.to.Skip("files", inventory.Where{File: w.file}, "it has no objects with properties", unsure)
		return nil
	}
	return w.node(root, nil, 0)
}
