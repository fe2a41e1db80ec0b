package simapro

import (
	"cmp"
	"regexp"
	"strings"

	"cradle/internal/formula"
	"cradle/internal/ingest/inventory"
	"cradle/internal/lci"
)

// references are the records that an export's processes and methods refer to.
// They come after these but are read first.
type references struct {
	*shared
	groups     []inventory.UnitGroup
	substances map[string]substance // by compartment and name
	literature map[string]*literature
	syntax     formula.Syntax
	database   *formula.Scope
	project    *formula.Scope
	systems    int
}

type substance struct {
	unit, cas, id string
	used          bool
}

type literature struct {
	link string
	used bool
}

// A producer is a process that makes a product or treats a waste.
type producer struct {
	key   string
	waste bool
	name  string
}

func newReferences(of *shared) *references {
	return &references{shared: of, substances: map[string]substance{}, literature: map[string]*literature{}}
}

// collect collects the content of a block.
func (r *references) collect(h Header, b Block) error {
	if r.database == nil {
		r.syntax = formula.SimaPro
		r.syntax.DecimalComma = h.Decimal == ','
		r.database = formula.NewScope(nil, r.syntax)
		r.project = formula.NewScope(r.database, r.syntax)
	}
	switch b.Kind {
	case unitsBlock:
		r.units(h, b)
	case literatureBlock:
		r.paper(h, b)
	case systemBlock:
		r.systems++
	case databaseInputs, databaseFormulas:
		r.define(r.database, h.formulas(b.Rows))
	case projectInputs, projectFormulas:
		r.define(r.project, h.formulas(b.Rows))
	case processBlock, stageBlock:
		r.produce(h.process(b))
	default:
		if c, ok := substanceBlocks[b.Kind]; ok {
			for _, row := range b.Rows {
				r.know(c, row.Cell(0), substance{unit: row.Cell(1), cas: row.Cell(2), id: row.Cell(4)})
			}
		}
	}
	return nil
}

// substanceBlocks are the blocks that list substances, with their compartment.
var substanceBlocks = map[string]string{
	"Raw materials": "raw", "Airborne emissions": "air", "Waterborne emissions": "water", "Emissions to soil": "soil",
	"Final waste flows": "waste", "Non material emissions": "non mat.", "Social issues": "social", "Economic issues": "economic",
}

// know collects the fields of a substance; the first value of each counts.
func (r *references) know(compartment, name string, s substance) {
	key := compartment + "\x00" + name
	if _, ok := lci.ParseID(s.id); !ok {
		s.id = ""
	}
	old := r.substances[key]
	r.substances[key] = substance{
		unit: cmp.Or(old.unit, s.unit), cas: cmp.Or(old.cas, s.cas), id: cmp.Or(old.id, s.id),
	}
}

func (r *references) units(h Header, b Block) {
	at := map[string]int{}
	for _, row := range b.Rows {
		quantity, factor := row.Cell(1), h.number(row.Cell(2))
		i, ok := at[quantity]
		if !ok {
			i = len(r.groups)
			at[quantity] = i
			reference := row.Cell(3)
			r.groups = append(r.groups, inventory.UnitGroup{Key: inventory.Key("simapro", "quantity", quantity), Name: quantity,
				Units: []inventory.Unit{{Key: inventory.Key("simapro", "unit", reference), Name: reference, Factor: 1, Reference: true}},
				Where: inventory.Where{Line: row.Line}})
		}
		g := &r.groups[i]
		if name := row.Cell(0); name != "" && name != g.Units[0].Name && factor.Formula == "" && factor.Value != 0 {
			g.Units = append(g.Units, inventory.Unit{Key: inventory.Key("simapro", "unit", name), Name: name, Factor: factor.Value})
		}
	}
}

func (r *references) paper(h Header, b Block) {
	l := &literature{}
	name := ""
	for _, s := range b.Sections {
		switch s.Name {
		case "Name":
			name = s.text(h)
		case "Documentation link":
			l.link = s.text(h)
		}
	}
	r.literature[name] = l
}

func (r *references) define(scope *formula.Scope, list []Parameter) {
	for _, p := range list {
		define(scope, p)
	}
}

func define(scope *formula.Scope, p Parameter) {
	if p.Value.Formula != "" {
		scope.Define(p.Name, p.Value.Formula)
	} else {
		scope.Set(p.Name, p.Value.Value)
	}
}

// produce records the products of a process, and the ids in its rows.
func (r *references) produce(p Process) {
	for _, product := range p.Products {
		if r.made[product.Name+"\x00"+p.key()] {
			continue // the same process in another export
		}
		r.made[product.Name+"\x00"+p.key()] = true
		r.producers[product.Name] = append(r.producers[product.Name], producer{key: p.key(), waste: product.waste(), name: p.name()})
	}
	for _, x := range p.Exchanges {
		if c, ok := natural[x.Section]; ok {
			r.know(c, x.Name, substance{id: x.PlatformID})
		}
	}
}

func (p Product) waste() bool { return p.Section != "Products" }

// key identifies a process: its UUID, SimaPro's own identifier, else its name.
func (p Process) key() string {
	if _, ok := lci.ParseID(p.PlatformID); ok {
		return p.PlatformID
	}
	if p.Identifier != "" {
		return inventory.Key("simapro", "process", p.Identifier)
	}
	return inventory.Key("simapro", "process", p.CategoryType, p.name())
}

// name is the process's own name or that of its product.
func (p Process) name() string {
	switch {
	case p.Name != "":
		return p.Name
	case len(p.Products) > 0 && p.Products[0].Name != "":
		return p.Products[0].Name
	}
	return p.Identifier
}

var (
	bracedPlace = regexp.MustCompile(`\{([A-Za-z][A-Za-z0-9 ,&+'()-]{0,60})\}`)
	endingPlace = regexp.MustCompile(`/([A-Z]{2,3}|RoW)(?: [US])?$`)
)

// place is the location of a process. SimaPro has no field for it; libraries
// write it into names: "Heat {CH}| market for | Cut-off, U", "Wool, at
// field/US".
func (p Process) place() string {
	names := []string{p.Name}
	for _, product := range p.Products {
		names = append(names, product.Name)
	}
	for _, name := range names {
		if m := bracedPlace.FindStringSubmatch(name); m != nil {
			return m[1]
		}
		if m := endingPlace.FindStringSubmatch(name); m != nil {
			return m[1]
		}
	}
	switch strings.ToLower(p.Geography) {
	case "unspecified", "unknown", "mixed data":
		return ""
	}
	return p.Geography
}

var casNumber = regexp.MustCompile(`^0*[1-9][0-9]{1,6}-[0-9]{2}-[0-9]$`)
