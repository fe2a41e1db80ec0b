package brightway

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cradle/internal/allocation"
	"cradle/internal/formula"
	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/ingest/sheet"
)

// A dataset is an activity being adapted.
type dataset struct {
	*adapter
	*supplier
	file  *file
	scope *formula.Scope
	out   inventory.Process
}

// used are the fields of activities and exchanges that are imported.
var (
	usedOfActivity = []string{"database", "code", "location", "unit", "reference product", "product", "type", "categories", "classifications", "comment",
		"source", "production amount", "amount", "name", "worksheet name", "flow"}
	usedOfExchange = []string{"name", "amount", "unit", "database", "location", "type", "categories", "reference product", "product", "formula", "input",
		"code", "uncertainty type", "loc", "scale", "shape", "minimum", "maximum", "negative", "allocation", "allocation factor", "flow", "exchange id"}
)

func (d *dataset) handOver() {
	at := d.file.at(d.Place, d.Name)
	d.out = inventory.Process{
		Allocation: allocation.Physical,
		Key:        d.process, Name: d.Name, Description: d.Fields["comment"], Location: d.Fields["location"], Date: d.Fields.first("date", "date published", "publication date"),
		Classification: d.Fields.path("categories"), System: strings.Contains(strings.ToLower(d.Fields["type"]), "system"), Where: at,
	}
	if s := d.Fields["source"]; s != "" {
		d.out.Sources = []string{s}
	}
	for _, name := range d.Fields.names() {
		if !slices.Contains(usedOfActivity, name) && name != "date" {
			d.to.Drop(fmt.Sprintf("fields %q of activities", name), at)
		}
	}
	d.reference()
	for _, x := range d.Exchanges {
		d.exchange(x)
	}
	d.to.Process(d.out)
}

// reference finds the exchange that is the activity's product: the production
// exchange with its name, else the first production exchange. Without one the
// activity makes its product in the amount of "production amount".
func (d *dataset) reference() {
	if main := d.main(); main >= 0 {
		x := d.Exchanges[main]
		d.Exchanges = slices.Concat([]Exchange{x}, d.Exchanges[:main], d.Exchanges[main+1:])
		return
	}
	amount := 1.0
	if text := d.Fields.first("production amount", "amount"); text != "" {
		if v, ok := sheet.Number(text); ok {
			amount = v
		}
	}
	d.declareProduct(amount, d.file.at(d.Place, d.Name))
	d.out.Exchanges = append(d.out.Exchanges, inventory.Exchange{Flow: d.flow, Amount: amount, Unit: d.Fields["unit"], Role: inventory.Reference, Where: d.file.at(d.Place, d.Name)})
}

// main is the index of the exchange that is the product, or -1.
func (d *dataset) main() int {
	main := -1
	for i, x := range d.Exchanges {
		if !produces(x) {
			continue
		}
		if main < 0 || d.isSelf(x) && !d.isSelf(d.Exchanges[main]) {
			main = i
		}
	}
	return main
}

func produces(x Exchange) bool {
	switch lower(x.Fields["type"]) {
	case "production", "generic production":
		return true
	}
	return false
}

// isSelf reports whether an exchange refers to its own activity.
func (d *dataset) isSelf(x Exchange) bool {
	if in := tuple(x.Fields["input"]); len(in) > 0 {
		last := in[len(in)-1]
		return last == d.Fields["code"] || lower(last) == lower(d.Name)
	}
	name := lower(x.Fields["name"])
	return name == lower(d.Name) || d.product != "" && name == lower(d.product)
}

func (d *dataset) declareProduct(amount float64, at inventory.Where) {
	name := d.product
	if name == "" {
		name = d.Name
	}
	kind := inventory.Product
	if amount < 0 {
		kind = inventory.Waste
	}
	d.declare(inventory.Flow{Key: d.flow, Name: name, Kind: kind, Classification: d.Fields.path("categories"), Location: d.Fields["location"], Unit: d.Fields["unit"], Where: at})
}

func (d *dataset) exchange(x Exchange) {
	at := d.file.at(x.Place, d.Name)
	amount, why := d.amount(x, at)
	if why != "" {
		d.flaw(at, why)
		return
	}
	for _, name := range x.Fields.names() {
		if !slices.Contains(usedOfExchange, name) {
			d.to.Drop(fmt.Sprintf("fields %q of exchanges", name), at)
		}
	}
	if of := d.indicators[x.Fields["code"]]; of != "" {
		d.out.Results = append(d.out.Results, inventory.Result{Indicator: of, Amount: amount, Where: at})
		return
	}
	out := inventory.Exchange{ID: x.Fields["exchange id"], Amount: amount, Unit: x.Fields["unit"], Uncertainty: d.uncertainty(x, amount, at), Where: at}
	switch kind := lower(x.Fields["type"]); kind {
	case "production", "generic production":
		d.production(x, &out)
	case "biosphere", "emission", "natural resource":
		d.biosphere(x, &out)
	case "technosphere", "generic consumption", "":
		d.technosphere(x, &out)
	case "substitution":
		d.technosphere(x, &out)
		out.Role = inventory.Avoided
	default:
		d.to.Skip(ingest.Exchanges, at, fmt.Sprintf("the type %q of %q is not a type of Brightway", kind, x.Fields["name"]), "use technosphere, biosphere, production or substitution")
		return
	}
	if out.Flow == "" {
		d.flaw(at, "the exchange has neither a name nor an input")
		return
	}
	d.out.Exchanges = append(d.out.Exchanges, out)
}

// flaw adds an exchange that cannot be read.
func (d *dataset) flaw(at inventory.Where, why string) {
	d.out.Exchanges = append(d.out.Exchanges, inventory.Exchange{Flaw: why, Where: at})
}

// amount is the value of the formula, as in Brightway, else the number. A cell
// may have a formula that the spreadsheet has not evaluated.
func (d *dataset) amount(x Exchange, at inventory.Where) (amount float64, why string) {
	text := x.Fields["amount"]
	amount, isNumber := sheet.Number(text)
	expression := strings.TrimPrefix(x.Fields["formula"], "=")
	if expression == "" && !isNumber {
		expression = strings.TrimPrefix(text, "=")
	}
	if expression == "" {
		if !isNumber {
			return 0, fmt.Sprintf("%q has no amount", x.Fields["name"])
		}
		return amount, ""
	}
	value, err := d.scope.Eval(expression)
	if err == nil {
		return value, ""
	}
	if !isNumber {
		return 0, fmt.Sprintf("the amount %q of %q is not a number and cannot be evaluated: %v", expression, x.Fields["name"], err)
	}
	d.to.Note(ingest.Formula, at, fmt.Sprintf("the formula %q cannot be evaluated: %v; the amount next to it is used", expression, err), "add the parameter")
	return amount, ""
}

// production is the activity's product, or one of several. The first is the
// reference.
func (d *dataset) production(x Exchange, out *inventory.Exchange) {
	node, several := d.productNode(x)
	d.ambiguousProduct(x, several, out.Where)
	if node != nil {
		d.makesNode(node, out)
	} else if len(d.out.Exchanges) == 0 {
		out.Role, out.Flow = inventory.Reference, d.flow
		d.declareProduct(out.Amount, out.Where)
	} else {
		name := x.Fields.first("reference product", "product", "name")
		out.Role, out.Flow = inventory.CoProduct, x.product(x.Fields["name"])
		d.declare(inventory.Flow{Key: out.Flow, Name: name, Kind: inventory.Product, Location: x.Fields["location"], Unit: x.Fields["unit"], Where: out.Where})
	}
	if share, ok := sheet.Number(x.Fields.first("allocation", "allocation factor")); ok {
		out.Share = &share
	}
}

func (d *dataset) biosphere(x Exchange, out *inventory.Exchange) {
	name, categories := x.Fields["name"], x.Fields.path("categories")
	if known := d.find(x, true); known != nil {
		out.Flow = known.flow
		categories = known.Fields.path("categories")
		out.Input = lower(known.Fields["type"]) == "natural resource"
		d.declareElementary(known.flow, known.Name, known.Fields, out.Where)
	} else {
		code := x.Fields["code"]
		if in := tuple(x.Fields["input"]); len(in) > 0 {
			code = in[len(in)-1]
		}
		id, isID := uuid(code)
		if name == "" {
			name = code
		}
		switch {
		case isID:
			out.Flow = id
		case name != "":
			out.Flow = elementaryKey(name, categories, x.Fields["unit"])
		default:
			return
		}
		d.declare(inventory.Flow{Key: out.Flow, Name: name, Kind: inventory.Elementary, Compartment: categories, CAS: x.Fields.first("cas number", "cas"),
			Unit: x.Fields["unit"], Mentioned: x.Fields["name"] == "", Where: out.Where})
	}
	out.Input = out.Input || len(categories) > 0 && strings.Contains(lower(categories[0]), "resource")
}

func (d *dataset) technosphere(x Exchange, out *inventory.Exchange) {
	out.Input = true
	if s := d.find(x, false); s != nil {
		out.Flow, out.Provider = s.flow, s.process
		if makers := d.makers[s]; len(makers) == 1 {
			out.Provider = makers[0].process
		}
		if s.elementary {
			out.Provider = ""
			d.declareElementary(s.flow, s.Name, s.Fields, out.Where)
		}
		return
	}
	name, product, location, unit := x.Fields["name"], x.Fields.first("reference product", "product"), x.Fields["location"], x.Fields["unit"]
	code := x.Fields["code"]
	if in := tuple(x.Fields["input"]); len(in) > 0 {
		code = in[len(in)-1]
	}
	if name == "" {
		name = code
	}
	if name == "" {
		return
	}
	out.Flow = x.product(name)
	out.Provider = activityKey(name, product, location, unit)
	if id, ok := uuid(code); ok {
		out.Provider = id
	}
	title := product
	if title == "" {
		title = name
	}
	d.declare(inventory.Flow{Key: out.Flow, Name: title, Kind: inventory.Product, Location: location, Unit: unit, Where: out.Where})
}

// product is the key of an exchange's product.
func (x Exchange) product(name string) string {
	if id, ok := uuid(x.Fields["flow"]); ok {
		return id
	}
	return productKey(name, x.Fields.first("reference product", "product"), x.Fields["location"], x.Fields["unit"])
}

// maxNamesakes is how many activities with one name are compared by an
// exchange's other fields. This bounds the cost per exchange.
const maxNamesakes = 1000

// input is the code that an exchange gives, with its database.
func (x Exchange) input() (database, code string) {
	database, code = x.Fields["database"], x.Fields["code"]
	if in := tuple(x.Fields["input"]); len(in) > 0 {
		code = in[len(in)-1]
		if len(in) > 1 {
			database = in[0]
		}
	}
	return database, code
}

// coded returns the activity with an exchange's code.
func (d *dataset) coded(x Exchange) *supplier {
	database, code := x.input()
	if code == "" {
		return nil
	}
	list := d.byCode[code]
	if within := filter(list, func(s *supplier) bool { return s.database == database }); len(within) > 0 {
		list = within
	}
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// find returns the library's activity that an exchange refers to: by its input
// or code, else by name, product, location and unit as far as given. Several
// matches are ambiguous.
func (d *dataset) find(x Exchange, elementary bool) *supplier {
	if s := d.coded(x); s != nil {
		return s
	}
	_, code := x.input()
	name := cmp.Or(x.Fields["name"], code) // an activity without a code goes by its name
	if name == "" {
		return nil
	}
	list := d.exact[productKey(name, x.Fields.first("reference product", "product"), x.Fields["location"], x.Fields["unit"])]
	if len(list) != 1 || list[0].elementary != elementary {
		list = d.byName[lower(name)]
		if len(list) <= maxNamesakes { // more are ambiguous without comparing
			list = d.narrow(filter(list, func(s *supplier) bool { return s.elementary == elementary }), x)
		}
	}
	if list = d.withoutMakers(list); len(list) > 1 {
		d.to.Note(ingest.Ambiguous, d.file.at(x.Place, d.Name), fmt.Sprintf("%q could be any of %d activities of the library", name, len(list)), "give its location, reference product or code")
		return nil
	}
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// narrow keeps those that agree with the exchange. A location that is missing on
// one side does not disagree, but equal locations are preferred.
func (d *dataset) narrow(list []*supplier, x Exchange) []*supplier {
	fields := []struct {
		said string
		of   func(*supplier) string
		same func(a, b string) bool
	}{
		{x.Fields.first("reference product", "product"), func(s *supplier) string { return s.product }, sameName},
		{x.Fields["location"], func(s *supplier) string { return s.Fields["location"] }, sameName},
		{x.Fields["unit"], func(s *supplier) string { return s.Fields["unit"] }, sameUnit},
	}
	for _, f := range fields {
		if f.said == "" {
			continue
		}
		list = filter(list, func(s *supplier) bool { return f.of(s) == "" || f.same(f.of(s), f.said) })
		if exact := filter(list, func(s *supplier) bool { return f.of(s) != "" }); len(exact) > 0 {
			list = exact
		}
	}
	if len(list) > 1 {
		if same := filter(list, func(s *supplier) bool { return lower(s.Name) == lower(x.Fields["name"]) }); len(same) > 0 {
			list = same
		}
	}
	if len(list) > 1 { // the same name in another database of the library
		if same := filter(list, func(s *supplier) bool { return s.database == x.Fields["database"] }); len(same) > 0 {
			list = same
		}
	}
	return list
}

func sameName(a, b string) bool { return lower(a) == lower(b) }

func filter(list []*supplier, keep func(*supplier) bool) []*supplier {
	var kept []*supplier
	for _, s := range list {
		if keep(s) {
			kept = append(kept, s)
		}
	}
	return kept
}
