package brightway

import (
	"fmt"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
	"cradle/internal/units"
)

// isProductNode says whether an activity is no process but a product, which
// processes make and take.
func isProductNode(act *Activity) bool { return lower(act.Fields["type"]) == "product" }

// settleProducts finds out who makes the products that stand for themselves.
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

// productNodes are what the activity's exchanges of the type production name,
// nil where that is no product of its own standing; the reference comes first.
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

// productNode is the product that an exchange of the type production names, by
// input or code, by name, or by its reference product. Several are how many fit.
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

// productsNamed are the products of a name that agree with the rest of what an
// exchange says.
func (d *dataset) productsNamed(name string, x Exchange) []*supplier {
	list := d.products[lower(name)]
	if len(list) > maxNamesakes {
		return list
	}
	return d.narrow(list, x)
}

// makesNode hands over that the activity makes a product of its own standing.
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

// ambiguousProduct tells of a product that is named and could be any of several.
func (d *dataset) ambiguousProduct(x Exchange, several int, at inventory.Where) {
	if several > 1 {
		d.to.Note(ingest.Ambiguous, at, fmt.Sprintf("%q could be any of %d products of the library", x.Fields["name"], several), "give its location, unit or code")
	}
}

// withoutMakers leaves out the activities whose products are in the list: to
// take from them is to take these.
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

// sameUnit compares units in the spellings that people use.
func sameUnit(a, b string) bool {
	if lower(a) == lower(b) {
		return true
	}
	x, known := units.Find(a)
	y, too := units.Find(b)
	return known && too && x.Same(y) && x.Factor == y.Factor
}
