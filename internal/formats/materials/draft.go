package materials

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// A draft is a material being built.
type draft struct {
	inventory.Material
	taken map[string]int // names of properties
}

func newDraft(name string, at inventory.Where) *draft {
	return &draft{Material: inventory.Material{Name: name, Where: at}, taken: map[string]int{}}
}

// add adds a property to the material. It numbers repeated names.
func (d *draft) add(p inventory.Property) {
	p.Name = strings.Join(strings.Fields(p.Name), " ")
	d.taken[p.Name]++
	if n := d.taken[p.Name]; n > 1 {
		p.Name += " (" + strconv.Itoa(n) + ")"
	}
	p.Key = inventory.Key("property", p.Name)
	d.Properties = append(d.Properties, p)
}

// A collector collects the materials of a library and makes their names unique.
type collector struct {
	to     *inventory.Builder
	keys   map[string]int
	surely bool // only certain materials are collected
}

func newCollector(to *inventory.Builder, surely bool) *collector {
	return &collector{to: to, keys: map[string]int{}, surely: surely}
}

// unsure is the suggestion for numbers that may not be properties.
const unsure = "give the unit of each property, as in \"Density (kg/m3)\", or import it separately with --format materials"

func (s *collector) put(d *draft) {
	if len(d.Properties) == 0 {
		s.to.Skip(ingest.Materials, d.Where, fmt.Sprintf("%q has no numeric property", d.Name), "")
		return
	}
	key := inventory.Key("material", stem(d.Where.File), d.Name)
	s.keys[key]++
	if n := s.keys[key]; n > 1 {
		s.to.Note(ingest.Doubtful, d.Where, fmt.Sprintf("there is another material %q in the file", d.Name), "give each material a unique name")
		key = inventory.Key("material", stem(d.Where.File), d.Name, strconv.Itoa(n))
	}
	d.Key = key
	s.to.Material(d.Material)
}

// stem is a file's name without folder and extension.
func stem(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

var underscores = regexp.MustCompile(`_+`)

// words makes a name from a key: "yield_str" is "yield str".
func words(key string) string {
	return strings.TrimSpace(underscores.ReplaceAllString(key, " "))
}
