package portal

import (
	"net/http"
	"slices"
	"time"

	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/webhook"
)

type webhooksPage struct {
	Endpoints  []webhook.Endpoint
	Deliveries []webhook.Delivery
}

func (v *visit) webhooks() error {
	var page webhooksPage
	var err error
	if page.Endpoints, err = v.Webhooks.List(v.context(), v.viewer.Team); err != nil {
		return err
	}
	if page.Deliveries, err = v.lastDeliveries(page.Endpoints, pageRows); err != nil {
		return err
	}
	return v.show(http.StatusOK, "webhooks", "Webhooks", page)
}

// lastDeliveries returns the newest to some endpoints. It queries each endpoint
// because deliveries are indexed by endpoint, not by team.
func (v *visit) lastDeliveries(endpoints []webhook.Endpoint, most int) ([]webhook.Delivery, error) {
	var all []webhook.Delivery
	for _, e := range endpoints {
		some, err := v.Webhooks.Deliveries(v.context(), webhook.Filter{Endpoint: e.ID, Limit: most})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b webhook.Delivery) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return all[:min(len(all), most)], nil
}

type newWebhookPage struct {
	form
	Types  []string
	All    bool // every type, including those of later versions
	Chosen map[string]bool
}

func makeNewWebhookPage() newWebhookPage {
	return newWebhookPage{form: newForm("url", "description", "event"), Types: event.Types, All: true, Chosen: map[string]bool{}}
}

func (v *visit) newWebhook() error {
	return v.show(http.StatusOK, "newwebhook", "Add an endpoint", makeNewWebhookPage())
}

func (v *visit) addWebhook() error {
	page := makeNewWebhookPage()
	page.read(v)
	page.All = v.field("events") == "all"
	var events []string
	if !page.All {
		events = v.request.PostForm["event"]
	}
	for _, t := range events {
		page.Chosen[t] = true
	}
	if !page.All && len(events) == 0 {
		page.Error["event"] = "Select at least one event type"
		return v.show(http.StatusBadRequest, "newwebhook", "Add an endpoint", page)
	}
	e, secret, err := v.Webhooks.Add(v.context(), webhook.New{Team: v.viewer.Team, URL: page.Value["url"], Description: page.Value["description"], Events: events})
	if status := page.fail(err); status != 0 {
		return v.show(status, "newwebhook", "Add an endpoint", page)
	}
	if err != nil {
		return err
	}
	return v.showWebhook(webhookPage{Endpoint: e, Secret: secret, IsNew: true})
}

type webhookPage struct {
	webhook.Endpoint
	Deliveries []webhook.Delivery
	State      string
	States     []webhook.State
	Secret     string // a new one, shown this once
	IsNew      bool
	Grace      []choice
}

// choice is an option of a form.
type choice struct{ Value, Text string }

// graces are how long the old secret stays valid.
var graces = []choice{{"24h", "for 24 hours"}, {"1h", "for an hour"}, {"168h", "for 7 days"}, {"0s", "not at all (it has leaked)"}}

var deliveryStates = []webhook.State{webhook.Waiting, webhook.Held, webhook.Delivered, webhook.Dropped}

// endpoint returns the team's endpoint in the path. It treats another team's as
// missing.
func (v *visit) endpoint() (webhook.Endpoint, error) {
	e, err := v.Webhooks.Endpoint(v.context(), v.path("id"))
	if err == nil && e.Team != v.viewer.Team {
		err = fault.NotFoundf("There is no such endpoint")
	}
	return e, err
}

func (v *visit) webhook() error {
	e, err := v.endpoint()
	if err != nil {
		return err
	}
	return v.showWebhook(webhookPage{Endpoint: e})
}

func (v *visit) showWebhook(page webhookPage) error {
	filter := webhook.Filter{Team: v.viewer.Team, Endpoint: page.ID, Limit: 2 * pageRows}
	if state := webhook.State(v.asked("state")); slices.Contains(deliveryStates, state) {
		filter.State, page.State = state, string(state)
	}
	var err error
	if page.Deliveries, err = v.Webhooks.Deliveries(v.context(), filter); err != nil {
		return err
	}
	page.States, page.Grace = deliveryStates, graces
	return v.show(http.StatusOK, "webhook", "Endpoint", page)
}

func (v *visit) testWebhook() error {
	e, err := v.endpoint()
	if err != nil {
		return err
	}
	d, err := v.Webhooks.Test(v.context(), e.ID)
	if err != nil {
		return err
	}
	if d.State == webhook.Delivered {
		return v.send("/portal/deliveries/"+d.ID, "taken")
	}
	return v.send("/portal/deliveries/"+d.ID, "not-taken")
}

func (v *visit) switchWebhook() error {
	e, err := v.endpoint()
	if err != nil {
		return err
	}
	status := webhook.Status(v.field("status"))
	if status != webhook.Enabled && status != webhook.Disabled {
		return fault.Invalidf("The status must be enabled or disabled")
	}
	if _, err := v.Webhooks.SetStatus(v.context(), e.ID, status); err != nil {
		return err
	}
	return v.send("/portal/webhooks/"+e.ID, string(status))
}

func (v *visit) rotateWebhook() error {
	e, err := v.endpoint()
	if err != nil {
		return err
	}
	grace, err := time.ParseDuration(v.field("grace"))
	if err != nil || !slices.ContainsFunc(graces, func(c choice) bool { return c.Value == v.field("grace") }) {
		return fault.Invalidf("Select how long the old secret stays valid")
	}
	_, secret, err := v.Webhooks.Rotate(v.context(), e.ID, grace)
	if err != nil {
		return err
	}
	return v.showWebhook(webhookPage{Endpoint: e, Secret: secret})
}

// since are the periods whose dropped deliveries can be resent.
var since = map[string]time.Duration{"1h": time.Hour, "24h": 24 * time.Hour, "168h": 7 * 24 * time.Hour}

func (v *visit) resendFailed() error {
	e, err := v.endpoint()
	if err != nil {
		return err
	}
	back, ok := since[v.field("since")]
	if !ok {
		return fault.Invalidf("Select a period for the deliveries to resend")
	}
	if _, err := v.Webhooks.ResendFailed(v.context(), e.ID, v.Now().Add(-back)); err != nil {
		return err
	}
	return v.send("/portal/webhooks/"+e.ID, "resent")
}

func (v *visit) advanceWebhook() error {
	e, err := v.endpoint()
	if err != nil {
		return err
	}
	if _, err := v.Webhooks.Advance(v.context(), e.ID); err != nil {
		return err
	}
	return v.send("/portal/webhooks/"+e.ID, "advanced")
}

func (v *visit) removeWebhookPage() error {
	e, err := v.endpoint()
	if err != nil {
		return err
	}
	return v.confirm(confirmation{Title: "Remove this endpoint?", Action: "/portal/webhooks/" + e.ID + "/remove", Back: "/portal/webhooks/" + e.ID, Button: "Remove endpoint",
		Text: "No more events are sent to " + e.URL + ", and pending deliveries are cancelled. You cannot undo this."})
}

func (v *visit) removeWebhook() error {
	e, err := v.endpoint()
	if err != nil {
		return err
	}
	if _, err := v.Webhooks.Remove(v.context(), e.ID); err != nil {
		return err
	}
	return v.send("/portal/webhooks", "removed")
}

type deliveryPage struct {
	webhook.Delivery
	URL     string // "" when the endpoint was removed
	Body    string
	Removed bool
}

// teamDelivery returns the team's delivery in the path.
func (v *visit) teamDelivery() (webhook.Delivery, error) {
	found, err := v.Webhooks.Deliveries(v.context(), webhook.Filter{Team: v.viewer.Team, ID: v.path("id"), Limit: 1})
	if err != nil {
		return webhook.Delivery{}, err
	}
	if len(found) == 0 {
		return webhook.Delivery{}, fault.NotFoundf("There is no such delivery")
	}
	return found[0], nil
}

func (v *visit) delivery() error {
	d, err := v.teamDelivery()
	if err != nil {
		return err
	}
	page := deliveryPage{Delivery: d}
	body, err := v.Webhooks.Body(v.context(), d)
	if err != nil {
		return err
	}
	page.Body = indented(body)
	e, err := v.Webhooks.Endpoint(v.context(), d.Endpoint)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		page.Removed = true
	case err != nil:
		return err
	default:
		page.URL = e.URL
	}
	return v.show(http.StatusOK, "delivery", "Delivery", page)
}

func (v *visit) resend() error {
	d, err := v.teamDelivery()
	if err != nil {
		return err
	}
	if _, err := v.Webhooks.Resend(v.context(), d.ID); err != nil {
		return err
	}
	return v.send("/portal/deliveries/"+d.ID, "resent")
}
