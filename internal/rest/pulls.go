package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"cradle/internal/fault"
	"cradle/internal/gateway"
	"cradle/internal/lci"
	"cradle/internal/purchase"
)

const (
	mostItems     = 500
	mostMaterials = 100
)

func (f *Face) pullProperties(c *gateway.Call, at parameters) error {
	return f.pull(c, pull{
		kind: purchase.Properties, path: at["id"], record: "material", field: "propertyIds", most: mostItems, users: true,
		answer: func(a purchase.Answer) any {
			return propertiesPulled{a.Record.String(), idTexts(a.Items), a.Credits}
		},
	})
}

func (f *Face) pullProducts(c *gateway.Call, at parameters) error {
	return f.pull(c, pull{
		kind: purchase.Products, path: at["id"], record: "process", field: "referenceProductIds", most: mostItems, users: true,
		answer: func(a purchase.Answer) any {
			return productsPulled{a.Record.String(), idTexts(a.Items), a.Revealed}
		},
	})
}

func (f *Face) pullImpacts(c *gateway.Call, at parameters) error {
	return f.pull(c, pull{
		kind: purchase.Impacts, path: at["id"], record: "process", field: "characterizationFactorIds", most: mostItems, users: true,
		answer: func(a purchase.Answer) any {
			return impactsPulled{a.Record.String(), a.Composites(), a.Revealed}
		},
	})
}

func (f *Face) pullDatapoints(c *gateway.Call, _ parameters) error {
	return f.pull(c, pull{
		kind: purchase.Datapoints, field: "materialIds", most: mostMaterials,
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

// pull is how one of the pulls reads and answers.
type pull struct {
	kind   purchase.Kind
	path   string // the record's id as it stands in the path
	record string // what the path's id names, "" where the path has none
	field  string // the list of ids in the body
	most   int
	users  bool // the body has a userCount
	answer func(purchase.Answer) any
}

func (f *Face) pull(c *gateway.Call, p pull) error {
	body, err := readBody(c.Writer(), c.Request)
	if err != nil {
		return err
	}
	values, err := parseValues(c.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	quoting, err := flag(values, "quote")
	if err != nil {
		return err
	}
	order, err := p.order(body, versions[c.Version])
	if err != nil {
		return err
	}
	if quoting {
		return f.quote(c, order)
	}
	key, err := idempotency(c, body)
	if err != nil {
		return err
	}
	answer, replayed, err := f.desk.Pull(c.Request.Context(), purchase.Request{Viewer: c.Viewer, ID: c.RequestID, Idempotency: key}, order)
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

func (f *Face) quote(c *gateway.Call, o purchase.Order) error {
	q, err := f.desk.Quote(c.Request.Context(), c.Viewer, o)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, quote(q))
}

// order reads what a pull asks for. Errors name the field.
func (p pull) order(body []byte, v version) (purchase.Order, error) {
	o := purchase.Order{Kind: p.kind, UserCount: 1}
	if p.record != "" {
		var ok bool
		if o.Record, ok = lci.ParseID(p.path); !ok {
			return o, fault.Invalidf("the %s id in the path is not a UUID: %s", p.record, quoted(p.path))
		}
	}
	known := []string{p.field, "userCount", "maxCredits"}
	if !p.users {
		known = []string{p.field, "maxCredits"}
	}
	found, err := parseObject(body, known...)
	if err != nil {
		return o, err
	}
	if o.Items, err = p.items(found, o.Record); err != nil {
		return o, err
	}
	if _, given := found["userCount"]; given || p.users && !v.userCountOptional {
		if !given {
			return o, fault.Invalidf("userCount is required: the number of end users to license")
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

func (p pull) items(found fields, record lci.ID) ([]lci.ID, error) {
	if p.kind != purchase.Impacts {
		return found.ids(p.field, p.most)
	}
	texts, err := found.texts(p.field, p.most)
	if err != nil {
		return nil, err
	}
	methods := make([]lci.ID, len(texts))
	for i, text := range texts {
		if methods[i], err = methodOf(text, record); err != nil {
			return nil, fault.Invalidf("%s[%d] %s", p.field, i, err)
		}
	}
	return methods, nil
}

// methodOf reads a method's id, bare or as the composite "<method>,<process>".
func methodOf(text string, process lci.ID) (lci.ID, error) {
	bare, of, composite := strings.Cut(text, ",")
	method, ok := lci.ParseID(bare)
	if !ok {
		return method, fmt.Errorf("is not a UUID or <method_id>,<process_id>: %s", quoted(text))
	}
	if !composite {
		return method, nil
	}
	other, ok := lci.ParseID(of)
	if !ok {
		return method, fmt.Errorf("is not a UUID or <method_id>,<process_id>: %s", quoted(text))
	}
	if other != process {
		return method, fmt.Errorf("names process %s, not the process of the path", other)
	}
	return method, nil
}

// idempotency reads the client's own name for the request, nil without one.
func idempotency(c *gateway.Call, body []byte) (*purchase.Idempotency, error) {
	values, given := c.Request.Header["Idempotency-Key"]
	if !given {
		return nil, nil
	}
	if len(values) != 1 || len(values[0]) < 1 || len(values[0]) > 255 || !visible(values[0]) {
		return nil, fault.Invalidf("Idempotency-Key must be 1 to 255 visible characters")
	}
	digest := sha256.New()
	for _, part := range []string{c.Request.URL.EscapedPath(), c.Request.URL.RawQuery, string(c.Version), string(body)} {
		fmt.Fprintf(digest, "%d:%s", len(part), part)
	}
	return &purchase.Idempotency{Key: c.Viewer.Key, Team: c.Viewer.Team, Value: values[0], Digest: hex.EncodeToString(digest.Sum(nil))}, nil
}

func visible(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func idTexts(ids []lci.ID) []string {
	return mapped(ids, func(id *lci.ID) string { return id.String() })
}
