package rest

import (
	"net/http"

	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

func (a *API) pullProperties(c *gateway.Call, at parameters) error {
	return a.pull(c, pull{
		kind: purchase.Properties, path: at["id"], record: "material", users: true,
		answer: func(a purchase.Answer) any {
			return propertiesPulled{a.Record.String(), idTexts(a.Items), a.Credits}
		},
	})
}

func (a *API) pullProducts(c *gateway.Call, at parameters) error {
	return a.pull(c, pull{
		kind: purchase.Products, path: at["id"], record: "process", users: true,
		answer: func(a purchase.Answer) any {
			return productsPulled{a.Record.String(), idTexts(a.Items), a.Revealed}
		},
	})
}

func (a *API) pullImpacts(c *gateway.Call, at parameters) error {
	return a.pull(c, pull{
		kind: purchase.Impacts, path: at["id"], record: "process", users: true,
		answer: func(a purchase.Answer) any {
			return impactsPulled{a.Record.String(), a.Composites(), a.Revealed}
		},
	})
}

func (a *API) pullDatapoints(c *gateway.Call, _ parameters) error {
	return a.pull(c, pull{
		kind:   purchase.Datapoints,
		answer: func(a purchase.Answer) any { return datapointsPulled{idTexts(a.Items), a.Credits} },
	})
}

type propertiesPulled struct {
	MaterialID        string   `json:"materialId"`
	PulledPropertyIDs []string `json:"pulledPropertyIds"`
	CreditsDebited    int64    `json:"creditsDebited"`
}

type productsPulled struct {
	ProcessID                 string   `json:"processId"`
	PulledReferenceProductIDs []string `json:"pulledReferenceProductIds"`
	RevealedCount             int      `json:"revealedCount"`
}

type impactsPulled struct {
	ProcessID                       string   `json:"processId"`
	PulledCharacterizationFactorIDs []string `json:"pulledCharacterizationFactorIds"`
	RevealedImpactCount             int      `json:"revealedImpactCount"`
}

type datapointsPulled struct {
	PulledMaterialIDs []string `json:"pulledMaterialIds"`
	CreditsDebited    int64    `json:"creditsDebited"`
}

type quote struct {
	Credits      int64 `json:"credits"`
	NewItems     int   `json:"newItems"`
	OwnedItems   int   `json:"ownedItems"`
	Balance      int64 `json:"balance"`
	BalanceAfter int64 `json:"balanceAfter"`
}

// pull describes how one of the pulls is parsed and answered.
type pull struct {
	kind   purchase.Kind
	path   string // the record's id in the path
	record string // what the id in the path identifies, "" if there is none
	users  bool   // the body has a userCount
	answer func(purchase.Answer) any
}

func (a *API) pull(c *gateway.Call, p pull) error {
	body, err := c.Body(mostBody)
	if err != nil {
		return err
	}
	quoting, err := parseQuote(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	order, err := p.order(body, versions[c.Version])
	if err != nil {
		return err
	}
	if quoting {
		return a.quote(c, order)
	}
	key, err := c.Idempotency(body)
	if err != nil {
		return err
	}
	answer, replayed, err := a.purchases.Pull(c.Request.Context(), purchase.Request{Viewer: c.Viewer, ID: c.RequestID, Idempotency: key}, order)
	if err != nil {
		return err
	}
	if replayed {
		c.Header().Set("Idempotent-Replayed", "true")
	} else {
		c.Credits = answer.Credits
	}
	return c.JSON(http.StatusOK, p.answer(answer))
}

func (a *API) quote(c *gateway.Call, o purchase.Order) error {
	q, err := a.purchases.Quote(c.Request.Context(), c.Viewer, o)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, quote(q))
}

// order parses the body of a pull. Errors name the field.
func (p pull) order(body []byte, v version) (purchase.Order, error) {
	o := purchase.Order{Kind: p.kind, UserCount: 1}
	if p.record != "" {
		var ok bool
		if o.Record, ok = lci.ParseID(p.path); !ok {
			return o, fault.Invalidf("The %s id in the path is not a UUID: %s", p.record, fault.Quoted(p.path))
		}
	}
	list := p.kind.ItemsField()
	known := []string{list, "userCount", "maxCredits"}
	if !p.users {
		known = []string{list, "maxCredits"}
	}
	found, err := parseObject(body, known...)
	if err != nil {
		return o, err
	}
	texts, err := found.texts(list)
	if err != nil {
		return o, err
	}
	if o.Items, err = p.kind.ParseItems(texts, o.Record); err != nil {
		return o, err
	}
	if _, given := found["userCount"]; given || p.users && !v.userCountOptional {
		if !given {
			return o, fault.Fieldf("userCount", "is required: the number of end users to license")
		}
		if o.UserCount, err = found.integer("userCount", 1); err != nil {
			return o, err
		}
	}
	if _, given := found["maxCredits"]; given {
		most, err := found.integer("maxCredits", 0)
		if err != nil {
			return o, err
		}
		o.MaxCredits = &most
	}
	return o, nil
}

func idTexts(ids []lci.ID) []string {
	return mapped(ids, func(id *lci.ID) string { return id.String() })
}
