package ecospold2

import "cradle/internal/ingest/inventory"

// An index knows what a library's activities make. An activity that a system
// model has split into one dataset for each product has its id several times;
// only the id and the product's together identify a dataset.
type index struct {
	activities map[string][]string // the products of each activity's datasets
	wastes     map[string]bool     // flows of which a treatment has a negative output
	taken      map[string]int      // how much more often an elementary flow is an input than an output
	last       *dataset
}

func newIndex() *index {
	return &index{activities: map[string][]string{}, wastes: map[string]bool{}, taken: map[string]int{}}
}

func (ix *index) add(d *dataset) {
	if ix.last != nil && d.isResultOf(ix.last) {
		return
	}
	ix.last = d
	main := d.main()
	product := ""
	if main >= 0 {
		product = d.exchanges[main].flow
	}
	ix.activities[d.id] = append(ix.activities[d.id], product)
	for i := range d.exchanges {
		switch x := &d.exchanges[i]; {
		case x.elementary && len(x.compartment) == 0:
			ix.take(x)
		case !x.elementary && !x.input && x.group == referenceProduct && x.amount < 0:
			ix.wastes[x.flow] = true
		}
	}
}

func (ix *index) take(x *exchange) {
	if x.input {
		ix.taken[x.flow]++
	} else {
		ix.taken[x.flow]--
	}
}

// process is the key of a dataset.
func (ix *index) process(d *dataset) string {
	main := d.main()
	if len(ix.activities[d.id]) < 2 || main < 0 {
		return d.id
	}
	return inventory.Key(d.id, d.exchanges[main].flow)
}

// provider is the key of the dataset for an activity link and a product. If no
// dataset of the library has that id, the catalogue may.
func (ix *index) provider(link, product string) string {
	if len(ix.activities[link]) < 2 {
		return link
	}
	return inventory.Key(link, product)
}

// main is the index of the quantitative reference: the first reference product
// with an amount, or -1.
func (d *dataset) main() int {
	for i := range d.exchanges {
		if x := &d.exchanges[i]; x.isProduct(referenceProduct) {
			return i
		}
	}
	return -1
}

// isProduct reports whether the exchange is a product of that group. A product
// made by another dataset of the same activity has amount 0.
func (x *exchange) isProduct(group string) bool {
	return !x.elementary && !x.input && x.group == group && (x.amount != 0 || x.noAmount && x.relation != "")
}

// isResultOf reports whether the dataset holds the results of another: the same
// activity and product, without other exchanges.
func (d *dataset) isResultOf(other *dataset) bool {
	return d.id == other.id && len(d.results) > 0 && len(d.exchanges) == 1 && d.main() == 0 && other.main() >= 0 && d.exchanges[0].flow == other.exchanges[other.main()].flow
}
