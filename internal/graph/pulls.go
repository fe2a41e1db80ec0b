package graph

import (
	"context"

	"cradle/internal/fault"
	"cradle/internal/gql"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

// pull describes how the schema writes one of the pulls.
type pull struct {
	kind   purchase.Kind
	record string // the field that names the record, "" where there is none
}

var (
	properties = pull{purchase.Properties, "materialId"}
	products   = pull{purchase.Products, "processId"}
	impacts    = pull{purchase.Impacts, "processId"}
	datapoints = pull{kind: purchase.Datapoints}
)

func (a *API) mutation() gql.Object[gql.Root] {
	return gql.Bind("Mutation", gql.Fields[gql.Root]{
		"pullProperties": root(a.pull(properties), propertiesPulled),
		"pullProcess":    root(a.pull(products), productsPulled),
		"pullImpacts":    root(a.pull(impacts), impactsPulled),
		"pullDatapoints": root(a.pull(datapoints), datapointsPulled),
	})
}

var propertiesPulled = gql.Bind("PullPropertiesResult", gql.Fields[purchase.Answer]{
	"materialId":        record(),
	"pulledPropertyIds": items(),
	"creditsDebited":    credits(),
})

var productsPulled = gql.Bind("PullProcessResult", gql.Fields[purchase.Answer]{
	"processId":                 record(),
	"pulledReferenceProductIds": items(),
	"revealedCount":             revealed(),
})

var impactsPulled = gql.Bind("PullImpactsResult", gql.Fields[purchase.Answer]{
	"processId":                       record(),
	"pulledCharacterizationFactorIds": gql.Get(func(a *purchase.Answer) []string { return a.Composites() }, gql.List(gql.ID)),
	"revealedImpactCount":             revealed(),
})

var datapointsPulled = gql.Bind("PullDatapointsResult", gql.Fields[purchase.Answer]{
	"pulledMaterialIds": items(),
	"creditsDebited":    credits(),
})

func record() gql.Field[purchase.Answer] {
	return id(func(a *purchase.Answer) lci.ID { return a.Record })
}

func items() gql.Field[purchase.Answer] {
	return gql.Get(func(a *purchase.Answer) []string {
		texts := make([]string, len(a.Items))
		for i, item := range a.Items {
			texts[i] = item.String()
		}
		return texts
	}, gql.List(gql.ID))
}

func credits() gql.Field[purchase.Answer] {
	return gql.Get(func(a *purchase.Answer) int { return int(a.Credits) }, gql.Int)
}

func revealed() gql.Field[purchase.Answer] {
	return gql.Get(func(a *purchase.Answer) int { return a.Revealed }, gql.Int)
}

var quote = gql.Bind("PullQuote", gql.Fields[purchase.Quote]{
	"credits":      gql.Get(func(q *purchase.Quote) int { return int(q.Credits) }, gql.Int),
	"newItems":     gql.Get(func(q *purchase.Quote) int { return q.NewItems }, gql.Int),
	"ownedItems":   gql.Get(func(q *purchase.Quote) int { return q.OwnedItems }, gql.Int),
	"balance":      gql.Get(func(q *purchase.Quote) int { return int(q.Balance) }, gql.Int),
	"balanceAfter": gql.Get(func(q *purchase.Quote) int { return int(q.BalanceAfter) }, gql.Int),
})

func (a *API) pull(p pull) func(context.Context, *call, gql.Ask) (*purchase.Answer, error) {
	return func(ctx context.Context, c *call, ask gql.Ask) (*purchase.Answer, error) {
		order, err := p.order(ask.Args.Object("input"))
		if err != nil {
			return nil, err
		}
		answer, replayed, err := a.purchases.Pull(ctx, purchase.Request{Viewer: c.Viewer, ID: c.RequestID, Idempotency: c.idempotency}, order)
		if err != nil {
			return nil, err
		}
		if replayed {
			c.Header().Set("Idempotent-Replayed", "true")
		} else {
			c.Credits += answer.Credits
		}
		return &answer, nil
	}
}

func (a *API) quote(p pull) func(context.Context, *call, gql.Ask) (*purchase.Quote, error) {
	return func(ctx context.Context, c *call, ask gql.Ask) (*purchase.Quote, error) {
		order, err := p.order(ask.Args.Object("input"))
		if err != nil {
			return nil, err
		}
		q, err := a.purchases.Quote(ctx, c.Viewer, order)
		return &q, err
	}
}

// order parses the input of a pull. Errors name the field.
func (p pull) order(input gql.Args) (purchase.Order, error) {
	o := purchase.Order{Kind: p.kind, UserCount: 1}
	if p.record != "" {
		var ok bool
		if o.Record, ok = lci.ParseID(input.Text(p.record)); !ok {
			return o, fault.Fieldf(p.record, "is not a UUID: %s", fault.Quoted(input.Text(p.record)))
		}
	}
	var err error
	if o.Items, err = p.kind.ParseItems(input.Texts(p.kind.ItemsField()), o.Record); err != nil {
		return o, err
	}
	if users, given := input.Int("userCount"); given {
		o.UserCount = int64(users)
	}
	if o.UserCount < 1 {
		return o, fault.Fieldf("userCount", "must be an integer of at least 1")
	}
	if most, given := input.Int("maxCredits"); given {
		if most < 0 {
			return o, fault.Fieldf("maxCredits", "must be an integer of at least 0")
		}
		limit := int64(most)
		o.MaxCredits = &limit
	}
	return o, nil
}
