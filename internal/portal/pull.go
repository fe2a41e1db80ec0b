package portal

import (
	"net/http"
	"strconv"
	"strings"

	"cradle/internal/fault"
	"cradle/internal/lci"
	"cradle/internal/purchase"
	"cradle/internal/requestlog"
)

// mostItems is how many rows can be chosen at once.
const mostItems = 500

// kinds are the pulls that a record's page offers.
var kinds = map[string]purchase.Kind{
	"properties": purchase.Properties,
	"products":   purchase.Products,
	"impacts":    purchase.Impacts,
}

// order parses which rows were chosen, and for how many users.
func (v *visit) order() (purchase.Order, error) {
	record, ok := lci.ParseID(v.path("id"))
	if !ok {
		return purchase.Order{}, fault.NotFoundf("There is no such record, or it is not visible to this team")
	}
	o := purchase.Order{Kind: kinds[v.field("what")], Record: record}
	material := strings.HasPrefix(v.request.URL.Path, "/portal/materials/")
	if o.Kind == "" || material != (o.Kind == purchase.Properties) {
		return o, fault.Invalidf("The form is incomplete: it does not say what to pull")
	}
	users, err := strconv.ParseInt(v.field("users"), 10, 64)
	if err != nil || users < 1 {
		return o, fault.Invalidf("The number of users must be a whole number, 1 or more")
	}
	o.UserCount = users
	o.Items, err = ids(v.request.PostForm["item"])
	return o, err
}

func ids(texts []string) ([]lci.ID, error) {
	if len(texts) == 0 {
		return nil, fault.Invalidf("Select at least one row to pull")
	}
	if len(texts) > mostItems {
		return nil, fault.Invalidf("Select at most %d rows at once", mostItems)
	}
	all := make([]lci.ID, len(texts))
	for i, text := range texts {
		id, ok := lci.ParseID(text)
		if !ok {
			return nil, fault.Invalidf("The form is invalid: a selected row has no valid id")
		}
		all[i] = id
	}
	return all, nil
}

// pull buys the chosen rows for at most the price shown. It is logged like a
// request of the API, but without a key.
func (v *visit) pull() error {
	order, err := v.order()
	if err != nil {
		return err
	}
	shown, err := strconv.ParseInt(v.field("credits"), 10, 64)
	if err != nil {
		return fault.Invalidf("The form is incomplete: it does not contain the price")
	}
	order.MaxCredits = &shown
	answer, _, err := v.Purchases.Pull(v.context(), purchase.Request{Viewer: v.viewer, ID: v.id}, order)
	if err != nil {
		return err
	}
	v.Recorder.Record(requestlog.Row{
		Time: v.started, RequestID: v.id, UserID: v.viewer.User, TeamID: v.viewer.Team, Mode: v.viewer.Mode,
		Method: http.MethodPost, Path: v.request.URL.Path, Status: http.StatusOK, Duration: v.Now().Sub(v.started), Credits: answer.Credits, Client: v.client,
	})
	return v.send(strings.TrimSuffix(v.request.URL.Path, "/pull"), "pulled")
}
