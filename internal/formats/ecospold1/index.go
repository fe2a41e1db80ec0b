package ecospold1

import (
	"strings"

	"cradle/internal/ingest/inventory"
	"cradle/internal/units"
)

// An index knows the names and products of a library's datasets, which are
// needed to identify inputs. EcoSpold 1 has no ids: an input refers to its
// supplier by name, location, unit and whether it is infrastructure.
type index struct {
	processes map[string]int      // how many datasets have a name
	numbers   map[string]string   // a dataset's number: its process key, "" if it is ambiguous
	products  map[string]bool     // keys of flows that are made
	places    map[string][]string // the flows made under a name, anywhere
	wastes    map[string]bool     // keys of flows that are left to be treated
	left      []left
}

// left is a waste that a dataset at a location leaves to be treated.
type left struct {
	product  product
	location string
}

func newIndex() *index {
	return &index{
		processes: map[string]int{}, numbers: map[string]string{}, products: map[string]bool{},
		places: map[string][]string{}, wastes: map[string]bool{},
	}
}

func (ix *index) add(d *dataset) {
	if d.isMethod() {
		return
	}
	ix.processes[d.name()]++
	ix.number(d)
	for i := range d.exchanges {
		switch x := &d.exchanges[i]; x.group {
		case outReference, outCoProduct:
			ix.product(d.product(x))
		case outWaste:
			ix.left = append(ix.left, left{d.product(x), d.location})
		}
	}
	if d.main() < 0 {
		ix.product(d.function())
	}
}

// settle must be called when all datasets are added.
func (ix *index) settle() {
	for _, l := range ix.left {
		key, _ := ix.supplied(l.product, l.location)
		ix.wastes[key] = true
	}
	ix.left = nil
}

func (ix *index) number(d *dataset) {
	if _, taken := ix.numbers[d.number]; taken {
		ix.numbers[d.number] = ""
		return
	}
	ix.numbers[d.number] = d.name()
}

func (ix *index) product(p product) {
	key := p.key()
	if !ix.products[key] {
		ix.products[key] = true
		ix.places[p.anywhere()] = append(ix.places[p.anywhere()], key)
	}
}

// process is the key of a dataset, with its number if several have its name.
func (ix *index) process(d *dataset) string {
	if ix.processes[d.name()] > 1 {
		return inventory.Key(d.name(), d.number)
	}
	return d.name()
}

// supplied is the key of an input's flow. Without a location it is the product
// with its name that is made at the dataset's location, or at only one.
func (ix *index) supplied(p product, location string) (key string, choices int) {
	key = p.key()
	if ix.products[key] || p.location != "" {
		return key, 1
	}
	p.location = location
	if ix.products[p.key()] {
		return p.key(), 1
	}
	made := ix.places[p.anywhere()]
	if len(made) == 1 {
		return made[0], 1
	}
	return key, len(made)
}

// maxPlaces is how many places a note lists.
const maxPlaces = 5

// elsewhere are the places where a product is made if not at the requested one.
func (ix *index) elsewhere(p product) []string {
	if ix.products[p.key()] {
		return nil
	}
	var places []string
	for _, key := range ix.places[p.anywhere()] {
		if len(places) == maxPlaces {
			return append(places, "…")
		}
		places = append(places, strings.Split(key, "\x1f")[2])
	}
	return places
}

// name is what a dataset is found by.
func (d *dataset) name() string {
	return inventory.Key("process", d.reference.name, d.location, dimension(d.reference.unit), infrastructure(d.reference.infrastructure))
}

// A product is what identifies a flow between processes.
type product struct {
	name, location, unit string
	infrastructure       bool
}

// product is the flow of an exchange. It is made at the dataset's location,
// unless the exchange states another.
func (d *dataset) product(x *exchange) product {
	p := product{x.name, x.location, x.unit, x.infrastructure}
	if p.location == "" && !x.isWanted() {
		p.location = d.location
	}
	return p
}

// isWanted reports whether another dataset supplies the exchange, or treats it.
func (x *exchange) isWanted() bool {
	return x.group.input || x.group == outAvoided || x.group == outWaste
}

// function is the product that the dataset is about.
func (d *dataset) function() product {
	return product{d.reference.name, d.location, d.reference.unit, d.reference.infrastructure}
}

func (p product) key() string {
	return inventory.Key("product", p.name, p.location, dimension(p.unit), infrastructure(p.infrastructure))
}

func (p product) anywhere() string {
	return inventory.Key(p.name, dimension(p.unit), infrastructure(p.infrastructure))
}

func infrastructure(is bool) string {
	if is {
		return "infrastructure"
	}
	return ""
}

// dimension is the same for units that can be converted into each other: kWh and
// MJ of electricity are one flow, kg and m3 of wood are two.
func dimension(unit string) string {
	for _, of := range []string{"kg", "MJ", "m3", "m2", "m", "t*km", "p", "kBq", "m2*a", "h", "person*km"} {
		if _, ok := units.Factor(unit, of); ok {
			return of
		}
	}
	return unit
}
