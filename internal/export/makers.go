package export

import "cradle/internal/lci"

// product is what others know a process by.
type product struct{ activity, name, unit, location string }

// findMakers finds what processes make, for formats in which an input names its
// supplier.
func (c *catalogue) findMakers() error {
	c.products, c.makers = make(map[lci.ID]product, len(c.processes)), map[lci.ID][]lci.ID{}
	for _, p := range c.processes {
		c.products[p.ID] = product{activity: p.Name, name: p.Name, location: p.Region}
	}
	found := map[lci.ID]bool{}
	return each(c.from.Exchanges(c.ctx), func(x lci.Exchange) {
		of, there := c.products[x.ProcessID]
		if !there || !isProduct(x) {
			return
		}
		x = c.inFlowUnit(x)
		c.makers[x.FlowID] = append(c.makers[x.FlowID], x.ProcessID)
		if !found[x.ProcessID] {
			of.name, of.unit = x.Name, x.Unit
			c.products[x.ProcessID], found[x.ProcessID] = of, true
		}
	})
}

// supplierOf is the process that an exchange names as its supplier, else the only
// one that makes what is exchanged.
func (c *catalogue) supplierOf(x lci.Exchange) lci.ID {
	if x.Type == lci.Elementary || isProduct(x) {
		return lci.ID{}
	}
	if _, there := c.products[x.ProviderID]; there {
		return x.ProviderID
	}
	if makers := c.makers[x.FlowID]; len(makers) == 1 && x.ProviderID.IsZero() {
		return makers[0]
	}
	return lci.ID{}
}
