package brightway

import (
	"fmt"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/units"
)

// isProductNode reports whether an activity is a product that processes make and
// use, and not a process.
func isProductNode(act *Activity) bool { return lower(act.Fields["type"]) == "product" }

// settleProducts finds the activities that make product nodes.
func (a *adapter) settleProducts() {
	for _, f := range a.files {
		for _, act := range f.lib.Activities {
			s := f.own[act]
			if s.elementary || s.isProduct {
				continue
			}
			d := &dataset{adapter: a, file: f, supplier: s}
			made := d.productNodes()
			if len(made) > 0 && made[0] != nil {
				s.flow = made[0].flow
			}
			for _, node := range made {
				if node == nil {
					continue
				}
				if known := a.makers[node]; len(known) == 0 || known[len(known)-1] != s {
					a.makers[node] = append(known, s)
				}
			}
		}
	}
}

// productNodes are the product nodes in the activity's production exchanges, the
// reference first, or nil.
func (d *dataset) productNodes() []*supplier {
	var made []*supplier
	main := d.main()
	for i, x := range d.Exchanges {
		if !produces(x) {
			continue
		}
		node, _ := d.productNode(x)
		if i == main {
			made = append([]*supplier{node}, made...)
		} else {
			made = append(made, node)
		}
	}
	if main < 0 && d.product != "" {
		named := d.productsNamed(d.product, Exchange{Fields: Fields{"location": d.Fields["location"], "unit": d.Fields["unit"]}})
		if len(named) == 1 {
			made = named
		}
	}
	return made
}

// productNode is the product node of a production exchange, by input or code, by
// name, or by reference product. several is the number of matches.
func (d *dataset) productNode(x Exchange) (node *supplier, several int) {
	if s := d.coded(x); s != nil {
		if s.isProduct {
			return s, 0
		}
		return nil, 0
	}
	for _, name := range []string{x.Fields["name"], x.Fields.first("reference product", "product")} {
		switch list := d.productsNamed(name, x); len(list) {
		case 0:
		case 1:
			return list[0], 0
		default:
			return nil, len(list)
		}
	}
	return nil, 0
}

// productsNamed are the products with a name that agree with the exchange's
// other fields.
func (d *dataset) productsNamed(name string, x Exchange) []*supplier {
	list := d.products[lower(name)]
	if len(list) > maxNamesakes {
		return list
	}
	return d.narrow(list, x)
}

// makesNode sets an exchange to the production of a product node.
func (d *dataset) makesNode(node *supplier, out *inventory.Exchange) {
	out.Role, out.Flow = inventory.CoProduct, node.flow
	if len(d.out.Exchanges) == 0 {
		out.Role = inventory.Reference
	}
	kind := inventory.Product
	if out.Amount < 0 {
		kind = inventory.Waste
	}
	d.declareNode(node, kind, out.Where)
}

func (a *adapter) declareNode(node *supplier, kind inventory.Kind, at inventory.Where) {
	a.declare(inventory.Flow{Key: node.flow, Name: node.Name, Kind: kind, Classification: node.Fields.path("categories"), Location: node.Fields["location"], Unit: node.Fields["unit"], Where: at})
}

// ambiguousProduct notes a product that could be any of several.
func (d *dataset) ambiguousProduct(x Exchange, several int, at inventory.Where) {
	if several > 1 {
		d.to.Note(ingest.Ambiguous, at, fmt.Sprintf("%q could be any of %d products of the library", x.Fields["name"], several), "give its location, unit or code")
	}
}

// withoutMakers removes the activities whose products are in the list: taking
// from them means taking these.
func (a *adapter) withoutMakers(list []*supplier) []*supplier {
	if len(list) < 2 || len(list) > maxNamesakes || len(a.products) == 0 {
		return list
	}
	makes := map[*supplier]bool{}
	for _, node := range list {
		for _, maker := range a.makers[node] {
			makes[maker] = true
		}
	}
	return filter(list, func(s *supplier) bool { return !makes[s] })
}

// sameUnit compares units, ignoring spelling.
func sameUnit(a, b string) bool {
	if lower(a) == lower(b) {
		return true
	}
	x, known := units.Find(a)
	y, too := units.Find(b)
	return known && too && x.Same(y) && x.Factor == y.Factor
}
