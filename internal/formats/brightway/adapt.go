package brightway

import (
	"encoding/hex"
	"fmt"
	"strings"

	"cradle/internal/formula"
	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
	"cradle/internal/lci"
)

// An adapter passes activities on to the Builder, once it knows all of them.
type adapter struct {
	to       *inventory.Builder
	files    []*file
	byCode   map[string][]*supplier // by code
	byName   map[string][]*supplier // by name of the activity or of its product, in lower case
	exact    map[string][]*supplier // by all identifying fields
	products map[string][]*supplier // product nodes, by name in lower case
	makers   map[*supplier][]*supplier
	declared map[string]bool
	// indicators are the flows that stand for stated impacts, by code.
	indicators map[string]string
}

type file struct {
	name string
	lib  *Database
	own  map[*Activity]*supplier
}

// A supplier is an activity that exchanges may refer to.
type supplier struct {
	*Activity
	database   string
	product    string
	process    string // key
	flow       string // key
	elementary bool   // an elementary flow, not a process
	isProduct  bool   // a product, not a process
}

func newAdapter(to *inventory.Builder) *adapter {
	return &adapter{to: to, byCode: map[string][]*supplier{}, byName: map[string][]*supplier{}, exact: map[string][]*supplier{}, products: map[string][]*supplier{}, makers: map[*supplier][]*supplier{}, declared: map[string]bool{}, indicators: map[string]string{}}
}

// natural are the types of activities that are elementary flows.
var natural = map[string]bool{"emission": true, "natural resource": true, "resource": true, "biosphere": true, "inventory indicator": true, "economic": true, "social": true}

// add adds the activities of a file.
func (a *adapter) add(name string, lib *Database) {
	f := &file{name: name, lib: lib, own: map[*Activity]*supplier{}}
	a.files = append(a.files, f)
	for _, odd := range lib.Odd {
		a.to.Note(ingest.Doubtful, f.at(odd.Place, ""), odd.What, "")
	}
	for _, act := range lib.Activities {
		s := &supplier{Activity: act, database: act.Fields["database"], product: act.Fields.first("reference product", "product")}
		if s.database == "" {
			s.database = lib.Database
		}
		s.elementary, s.isProduct = natural[strings.ToLower(act.Fields["type"])], isProductNode(act)
		s.process, s.flow = s.keys()
		f.own[act] = s
		if code := act.Fields["code"]; code != "" {
			if of := act.Fields["indicator id"]; of != "" {
				a.indicators[code] = of
			}
			a.byCode[code] = append(a.byCode[code], s)
		}
		exact := productKey(act.Name, s.product, act.Fields["location"], act.Fields["unit"])
		a.exact[exact] = append(a.exact[exact], s)
		a.byName[lower(act.Name)] = append(a.byName[lower(act.Name)], s)
		if s.isProduct {
			a.products[lower(act.Name)] = append(a.products[lower(act.Name)], s)
		}
		if s.product != "" && lower(s.product) != lower(act.Name) {
			a.byName[lower(s.product)] = append(a.byName[lower(s.product)], s)
		}
	}
}

func lower(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// keys identify the process and its product. A code that is a UUID stays the
// process's id; the product's key does not depend on the database's name.
func (s *supplier) keys() (process, flow string) {
	code := s.Fields["code"]
	if s.elementary {
		if id, ok := uuid(code); ok {
			return "", id
		}
		return "", elementaryKey(s.Name, s.Fields.path("categories"), s.Fields["unit"])
	}
	flow = productKey(s.Name, s.product, s.Fields["location"], s.Fields["unit"])
	if s.isProduct {
		if id, ok := uuid(code); ok {
			flow = id
		}
		return "", flow
	}
	if id, ok := uuid(s.Fields["flow"]); ok {
		flow = id
	}
	if id, ok := uuid(code); ok {
		return id, flow
	}
	if code != "" && code != s.Name {
		return inventory.Key("brightway", "activity", s.database, code), flow
	}
	return activityKey(s.Name, s.product, s.Fields["location"], s.Fields["unit"]), flow
}

func productKey(name, product, location, unit string) string {
	return inventory.Key("brightway", "product", name, product, location, unit)
}

func activityKey(name, product, location, unit string) string {
	return inventory.Key("brightway", "activity", name, product, location, unit)
}

func elementaryKey(name string, categories []string, unit string) string {
	return inventory.Key(append([]string{"brightway", "elementary", name, unit}, categories...)...)
}

// uuid parses a UUID with hyphens or, like Brightway's codes, without.
func uuid(text string) (string, bool) {
	if id, ok := lci.ParseID(text); ok {
		return id.String(), true
	}
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 16 {
		return "", false
	}
	return lci.ID(raw).String(), true
}

func (f *file) at(p Place, record string) inventory.Where {
	if p.Sheet != "" {
		if record != "" {
			record = p.Sheet + ", " + record
		} else {
			record = p.Sheet
		}
	}
	return inventory.Where{File: f.name, Line: p.Line, Record: record}
}

func (a *adapter) handOver() {
	taken := map[string]bool{}
	a.settleProducts()
	for _, f := range a.files {
		scope := f.scope(a)
		if n := len(f.lib.Fields); n > 0 {
			a.to.Drop("descriptions of databases", inventory.Where{File: f.name})
		}
		for _, act := range f.lib.Activities {
			s := f.own[act]
			if s.elementary && act.Fields["indicator id"] != "" {
				a.declareIndicator(act, f.at(act.Place, act.Name))
				continue
			}
			if s.elementary {
				a.declareElementary(s.flow, act.Name, act.Fields, f.at(act.Place, act.Name))
				a.to.SkipAll(ingest.Exchanges, len(act.Exchanges), f.at(act.Place, act.Name), "of a flow from or to nature")
				continue
			}
			if s.isProduct {
				if len(a.makers[s]) == 0 {
					a.declareNode(s, inventory.Product, f.at(act.Place, act.Name))
				}
				a.to.SkipAll(ingest.Exchanges, len(act.Exchanges), f.at(act.Place, act.Name), "of a product, which is not a process")
				continue
			}
			if taken[s.process] {
				a.to.Skip(ingest.Processes, f.at(act.Place, act.Name), "the library already contains this activity; the first one is used", "give it a unique code")
				a.to.SkipAll(ingest.Exchanges, len(act.Exchanges), f.at(act.Place, act.Name), "of an activity that was read already")
				continue
			}
			taken[s.process] = true
			d := &dataset{adapter: a, file: f, supplier: s, scope: a.scopeOf(act, f, scope)}
			d.handOver()
		}
	}
}

// scope holds the parameters of the project and, within, of the database.
func (f *file) scope(a *adapter) *formula.Scope {
	project := formula.NewScope(nil, formula.Brightway)
	a.define(project, f, f.lib.Project)
	database := formula.NewScope(project, formula.Brightway)
	a.define(database, f, f.lib.Parameters)
	return database
}

func (a *adapter) scopeOf(act *Activity, f *file, around *formula.Scope) *formula.Scope {
	if len(act.Parameters) == 0 {
		return around
	}
	scope := formula.NewScope(around, formula.Brightway)
	a.define(scope, f, act.Parameters)
	return scope
}

func (a *adapter) define(scope *formula.Scope, f *file, list []Parameter) {
	for _, p := range list {
		at := f.at(p.Place, p.Name)
		if p.Name == "" {
			a.to.Skip("parameters", at, "the parameter has no name", "")
			continue
		}
		if code := p.Fields["uncertainty type"]; code != "" && code != "0" && code != "1" {
			a.to.Drop("uncertainties of parameters", at)
		}
		amount, isNumber := sheet.Number(p.Fields["amount"])
		switch expression := strings.TrimPrefix(p.Fields["formula"], "="); {
		case expression != "":
			scope.Define(p.Name, expression)
		case isNumber:
			scope.Set(p.Name, amount)
		default:
			a.to.Skip("parameters", at, fmt.Sprintf("the parameter %q has neither a formula nor an amount that is a number", p.Name), "")
		}
	}
}

// declareIndicator adds a flow that stands for impacts stated under an
// indicator.
func (a *adapter) declareIndicator(act *Activity, at inventory.Where) {
	of := act.Fields
	if key := of["method id"]; !a.declared[key] {
		a.declared[key] = true
		a.to.Method(inventory.Method{Key: key, Name: of["method"], Version: of["method version"], Where: at})
	}
	a.to.Indicator(inventory.Indicator{Key: of["indicator id"], Method: of["method id"], Category: of["impact category"], Name: of["indicator"], Unit: of["unit"], Where: at})
}

func (a *adapter) declareElementary(key, name string, fields Fields, at inventory.Where) {
	a.declare(inventory.Flow{Key: key, Name: name, Kind: inventory.Elementary, Compartment: fields.path("categories"), CAS: fields.first("cas number", "cas"),
		Unit: fields["unit"], Where: at})
}

func (a *adapter) declare(f inventory.Flow) {
	if !a.declared[f.Key] {
		a.declared[f.Key] = true
		a.to.Flow(f)
	}
}
