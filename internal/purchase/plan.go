package purchase

import (
	"context"

	"cradle/internal/fault"
	"cradle/internal/lci"
)

// methodPrice is the price of one method's impacts on one process.
const methodPrice = 1

// planned works out what an order reveals and costs, or which of its ids do not
// exist for the team.
func planned(ctx context.Context, c Offers, o Order) (plan, error) {
	o.Items = unique(o.Items)
	switch o.Kind {
	case Properties:
		return planProperties(ctx, c, o)
	case Products:
		return planProducts(ctx, c, o)
	case Impacts:
		return planImpacts(ctx, c, o)
	default:
		return planDatapoints(ctx, c, o)
	}
}

func planProperties(ctx context.Context, c Offers, o Order) (plan, error) {
	offers, found, err := c.Properties(ctx, []lci.ID{o.Record})
	if err != nil {
		return plan{}, err
	}
	if !found[o.Record] {
		return plan{}, fault.NotFoundf("There is no material %s, or it is not visible to this team", o.Record)
	}
	byID := make(map[lci.ID]Offer, len(offers))
	for _, offer := range offers {
		byID[offer.Item] = offer
	}
	p := plan{answered: o.Items}
	for _, id := range o.Items {
		offer, ok := byID[id]
		if !ok {
			return plan{}, fault.NotFoundf("Material %s has no property %s", o.Record, id)
		}
		p.sell(offer, offer.Price, o.UserCount)
	}
	return p, nil
}

func planDatapoints(ctx context.Context, c Offers, o Order) (plan, error) {
	offers, found, err := c.Properties(ctx, o.Items)
	if err != nil {
		return plan{}, err
	}
	for _, id := range o.Items {
		if !found[id] {
			return plan{}, fault.NotFoundf("There is no material %s, or it is not visible to this team", id)
		}
	}
	p := plan{answered: o.Items}
	for _, offer := range offers {
		p.sell(offer, offer.Price, o.UserCount)
	}
	return p, nil
}

func planProducts(ctx context.Context, c Offers, o Order) (plan, error) {
	offers, found, err := c.Products(ctx, o.Record)
	if err != nil {
		return plan{}, err
	}
	if !found {
		return plan{}, noProcess(o.Record)
	}
	byID := make(map[lci.ID]Offer, len(offers))
	for _, offer := range offers {
		byID[offer.Item] = offer
	}
	var p plan
	for _, id := range o.Items {
		if offer, ok := byID[id]; ok {
			p.answered = append(p.answered, id)
			p.sell(offer, offer.Price, o.UserCount)
		}
	}
	if len(p.answered) == 0 {
		return plan{}, fault.NotFoundf("Process %s has none of the requested reference products", o.Record)
	}
	return p, nil
}

func planImpacts(ctx context.Context, c Offers, o Order) (plan, error) {
	offers, found, err := c.Impacts(ctx, o.Record, o.Items)
	if err != nil {
		return plan{}, err
	}
	if !found {
		return plan{}, noProcess(o.Record)
	}
	known, err := c.Methods(ctx, o.Items)
	if err != nil {
		return plan{}, err
	}
	for _, id := range o.Items {
		if !known[id] {
			return plan{}, fault.NotFoundf("There is no characterization method %s", id)
		}
	}
	byMethod := map[lci.ID][]Offer{}
	for _, offer := range offers {
		byMethod[offer.Method] = append(byMethod[offer.Method], offer)
	}
	var p plan
	for _, method := range o.Items {
		if rows := byMethod[method]; len(rows) > 0 {
			p.answered = append(p.answered, method)
			p.sellMethod(rows, o.UserCount)
		}
	}
	if len(p.answered) == 0 {
		return plan{}, fault.NotFoundf("None of the requested methods has impacts on process %s", o.Record)
	}
	return p, nil
}

// sellMethod adds a method's rows: the first new row carries the price of the
// method, the others are free.
func (p *plan) sellMethod(rows []Offer, users int64) {
	price := int64(methodPrice)
	for _, row := range rows {
		p.sell(row, price, users)
		if !row.Owned {
			price = 0
		}
	}
}

func noProcess(id lci.ID) error {
	return fault.NotFoundf("There is no process %s, or it is not visible to this team", id)
}
