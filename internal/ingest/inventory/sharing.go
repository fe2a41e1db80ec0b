package inventory

import (
	"slices"
	"strings"

	"cradle/internal/allocation"
	"cradle/internal/lci"
	"cradle/internal/units"
)

// settleSharing decides how the exchanges of a process are allocated to its
// products, and keeps of the dataset's statements only those that count.
func (b *Builder) settleSharing(p *process) {
	products := b.productsOf(p)
	var by allocation.Basis
	var numbers []float64
	if len(products) > 1 {
		by, numbers, _ = allocation.Choose(p.Allocation, b.sets(p, products))
		p.sharing = lci.Sharing{By: string(by)}
		if allocation.IsStated(p.Allocation, by) {
			p.sharing = lci.Sharing{By: string(p.Allocation), Stated: true}
		}
	}
	if by != allocation.Causal {
		b.dropCausal(p)
	}
	switch by {
	case allocation.Unknown, allocation.Causal:
		numbers = nil
	case allocation.Physical, allocation.Economic:
	default:
		numbers = allocation.Shares(numbers)
	}
	b.setShares(p, products, numbers)
}

// productsOf returns the exchanges that are products, the quantitative reference
// first.
func (b *Builder) productsOf(p *process) []uint32 {
	var products []uint32
	for i := p.first; i < p.last; i++ {
		switch e := &b.exchanges[i]; {
		case e.skip:
		case e.role == Reference:
			products = slices.Insert(products, 0, i)
		case e.role == CoProduct:
			products = append(products, i)
		}
	}
	return products
}

func (b *Builder) sets(p *process, products []uint32) allocation.Sets {
	sets := allocation.Sets{
		allocation.Causal:   b.causal(p, products),
		allocation.Physical: b.numbers(products, func(i uint32) (float64, bool) { return b.shareOf(p, i, allocation.Physical) }),
		allocation.Economic: b.numbers(products, func(i uint32) (float64, bool) { return b.shareOf(p, i, allocation.Economic) }),
		allocation.Worth:    b.numbers(products, func(i uint32) (float64, bool) { return b.sumOf(p, i, b.worthOf) }),
	}
	for _, q := range allocation.Quantities() {
		sets[q.Basis] = b.numbers(products, func(i uint32) (float64, bool) {
			return b.sumOf(p, i, func(i uint32) (float64, bool) { return b.inQuantity(i, q) })
		})
	}
	return sets
}

// sumOf adds up a number over all exchanges of a product.
func (b *Builder) sumOf(p *process, product uint32, of func(uint32) (float64, bool)) (float64, bool) {
	sum, ok := of(product)
	for i := p.first; i < p.last && ok; i++ {
		if e := &b.exchanges[i]; e.role == more && !e.skip && e.flow == b.exchanges[product].flow {
			var n float64
			n, ok = of(i)
			sum += n
		}
	}
	return sum, ok
}

func (b *Builder) worthOf(i uint32) (float64, bool) {
	worth := b.extraOf(i).worth
	if worth == nil {
		return 0, false
	}
	return b.exchanges[i].amount * *worth, true
}

// numbers collects a number for every product, nil if one has none.
func (b *Builder) numbers(products []uint32, of func(uint32) (float64, bool)) []float64 {
	var all []float64
	for _, i := range products {
		n, ok := of(i)
		if !ok {
			return nil
		}
		all = append(all, n)
	}
	return all
}

func (b *Builder) extraOf(i uint32) extra {
	if at := b.exchanges[i].extra; at > 0 {
		return b.extras[at-1]
	}
	return extra{}
}

// shareOf is the share of a product in the dataset: on the exchange, or by the
// product's flow.
func (b *Builder) shareOf(p *process, i uint32, basis allocation.Basis) (float64, bool) {
	if share := b.extraOf(i).share; share != nil && basis == allocation.Physical {
		return *share, true
	}
	flow := b.flows[b.exchanges[i].flow].Key
	for _, s := range p.Shares {
		if s.Product == flow && s.Basis == basis {
			return s.Share, true
		}
	}
	return 0, false
}

// causal sums up each product's share of all exchanges, nil if one of them lacks
// a share for some product. Products and potential products are left out.
func (b *Builder) causal(p *process, products []uint32) []float64 {
	sums := make([]float64, len(products))
	for i := p.first; i < p.last; i++ {
		e := &b.exchanges[i]
		nothing := e.amount == 0 && e.role == Plain && b.givesProduct(e)
		if e.skip || nothing || e.role == more || slices.Contains(products, i) {
			continue
		}
		borne := 0.0
		for n, product := range products {
			key := b.flows[b.exchanges[product].flow].Key
			shares := b.extraOf(i).shares
			at := slices.IndexFunc(shares, func(s Share) bool { return s.Product == key })
			if at < 0 || !(shares[at].Share >= 0) {
				return nil
			}
			sums[n] += shares[at].Share
			borne += shares[at].Share
		}
		if borne == 0 {
			return nil
		}
	}
	return sums
}

func (b *Builder) dropCausal(p *process) {
	dropped := false
	for i := p.first; i < p.last; i++ {
		if at := b.exchanges[i].extra; at > 0 && len(b.extras[at-1].shares) > 0 {
			b.extras[at-1].shares, dropped = nil, true
		}
	}
	if dropped {
		b.Drop("processes' causal allocation factors that are incomplete or not used", p.Where)
	}
}

func (b *Builder) setShares(p *process, products []uint32, shares []float64) {
	for i := p.first; i < p.last; i++ {
		if at := b.exchanges[i].extra; at > 0 {
			b.extras[at-1].share = nil
		}
	}
	for n, share := range shares {
		e := &b.exchanges[products[n]]
		if e.extra == 0 {
			b.extras = append(b.extras, extra{})
			e.extra = uint32(len(b.extras))
		}
		b.extras[e.extra-1].share = &share
	}
}

// measures are the names of the flow properties that measure a quantity of a
// product. Others have the same units and mean something else, such as the mass
// of carbon in it.
var measures = map[allocation.Basis][]string{
	allocation.Mass:   {"mass"},
	allocation.Energy: {"energy", "net calorific value", "lower calorific value", "lower heating value", "gross calorific value", "upper calorific value", "higher heating value"},
	allocation.Volume: {"volume", "normal volume", "standard volume"},
	allocation.Pieces: {"number of items", "items"},
}

// inQuantity is a product's amount in a quantity, as given or by one of its flow
// properties.
func (b *Builder) inQuantity(i uint32, q allocation.Quantity) (float64, bool) {
	e := &b.exchanges[i]
	f := b.flows[e.flow]
	times, ok := b.factor(f, b.texts.all[e.unit], b.texts.all[e.property])
	if !ok {
		return 0, false
	}
	if k, ok := b.between(f.ref.Property, f.unit, q.Unit); ok || f.unit == q.Unit {
		if !ok {
			k = 1
		}
		return e.amount * times * k, true
	}
	for _, name := range measures[q.Basis] {
		for _, p := range f.Properties {
			if p.Property == f.ref.Property || !strings.EqualFold(b.propertyName(p.Property), name) {
				continue
			}
			if k, ok := b.between(p.Property, b.unitOf(p.Property), q.Unit); ok {
				return e.amount * times * p.Factor / f.refFactor() / b.unitsPerReference(f) * k, true
			}
		}
	}
	return 0, false
}

// propertyName is the name of a flow property, in the library or in openLCA.
func (b *Builder) propertyName(key string) string {
	if p := b.properties[key]; p != nil && p.Name != "" {
		return strings.TrimSpace(p.Name)
	}
	return units.PropertyName(key)
}
