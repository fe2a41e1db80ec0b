package ecospold1

import (
	"math"

	"cradle/internal/ingest"
	"cradle/internal/ingest/inventory"
)

// shares are the products' shares of each exchange, by number.
func (a *adapter) shares(d *dataset) map[string][]inventory.Share {
	if len(d.allocations) == 0 {
		return nil
	}
	products := map[string]string{} // an exchange's number: its flow
	for i := range d.exchanges {
		if x := &d.exchanges[i]; x.group == outReference || x.group == outCoProduct {
			products[x.number] = d.product(x).key()
		}
	}
	scale := d.fractionScale()
	shares := map[string][]inventory.Share{}
	for _, al := range d.allocations {
		at := a.where(d, al.line, "allocation to "+al.product)
		product, ok := products[al.product]
		if !ok {
			a.to.Note(ingest.Missing, at, "the co-product of the allocation is not a product of the dataset", "correct referenceToCoProduct")
			continue
		}
		for _, number := range al.to {
			shares[number] = append(shares[number], inventory.Share{Product: product, Share: al.fraction / scale})
		}
	}
	return shares
}

// fractionScale is the sum of an exchange's allocation fractions: 100 for
// percentages, or 1 if someone wrote fractions.
func (d *dataset) fractionScale() float64 {
	sums := map[string]float64{}
	for _, al := range d.allocations {
		for _, number := range al.to {
			sums[number] += al.fraction
		}
	}
	for _, sum := range sums {
		if sum > 1.5 {
			return 100
		}
	}
	return 1
}

// isEmpty reports whether only the name of a distribution is given.
func (s spread) isEmpty() bool {
	switch s.kind {
	case "1", "2":
		return s.deviation == nil || *s.deviation == 0
	case "3", "4":
		return s.min == nil && s.max == nil
	}
	return false
}

// of returns the uncertainty of a mean. A lognormal deviation is the square of
// the geometric one, a normal deviation twice the standard one: both bound 95 %
// of the values.
func (s spread) of(mean float64) inventory.Uncertainty {
	nan := math.NaN()
	or := func(v *float64) float64 {
		if v == nil {
			return nan
		}
		return *v
	}
	switch {
	case s.isEmpty():
		return inventory.Uncertainty{}
	case s.kind == "1" && *s.deviation == 1:
		return inventory.Uncertainty{} // it is certain
	}
	switch s.kind {
	case "1":
		return inventory.Lognormal(mean, math.Sqrt(*s.deviation))
	case "2":
		return inventory.Normal(mean, *s.deviation/2)
	case "3":
		most := or(s.most)
		if s.most == nil {
			most = 3*mean - or(s.min) - or(s.max)
		}
		return inventory.Triangular(or(s.min), most, or(s.max))
	case "4":
		return inventory.Uniform(or(s.min), or(s.max))
	}
	return inventory.Uncertainty{}
}
