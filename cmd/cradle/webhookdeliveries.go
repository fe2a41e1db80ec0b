package main

import (
	"errors"
	"strconv"
	"time"

	"cradle/internal/webhook"
)

type webhookDeliveries struct {
	Team     idValue       `placeholder:"TEAM" help:"The team whose deliveries to show."`
	Endpoint endpointValue `placeholder:"ID" help:"Show only deliveries to this endpoint."`
	Since    durationValue `placeholder:"TIME" help:"Show only deliveries of events of this period: 90s, 1h, 7d."`
	State    stateValue    `placeholder:"S" help:"Show only deliveries in this state: waiting, held, delivered, dropped or cancelled."`
	Limit    limitValue    `default:"100" placeholder:"${default}" help:"How many to show, newest first."`
	Advance  bool          `help:"First make the endpoint's waiting sandbox deliveries due now. The service then makes their next attempt."`
}

func (webhookDeliveries) Help() string {
	return `Examples:

    cradle webhook deliveries --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 --since 1h
    cradle webhook deliveries --endpoint wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22 --state dropped
    cradle webhook deliveries --endpoint wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22 --advance

--json shows each attempt with the first 4 kB of its response.`
}

// Validate checks that one of two flags is given, which flags cannot express.
func (c *webhookDeliveries) Validate() error {
	switch {
	case c.Advance && c.Endpoint == "":
		return errors.New("missing flags: --advance needs --endpoint=ID")
	case c.Endpoint == "" && c.Team.id().IsZero():
		return errors.New("missing flags: --team=TEAM or --endpoint=ID")
	}
	return nil
}

func (c *webhookDeliveries) Run(a *app) error {
	o, err := a.openEndpoints()
	if err != nil {
		return err
	}
	defer o.Close()
	if c.Advance {
		n, err := o.webhooks.Advance(a.ctx, string(c.Endpoint))
		if err != nil {
			return err
		}
		a.hint("Sandbox deliveries made due now: %d.", n)
	}
	found, err := c.find(a, o)
	if err != nil {
		return err
	}
	if a.global.JSON {
		return a.printJSON(deliveryDocuments(found))
	}
	return a.table(deliveryRows(found))
}

// find refuses an unknown team or endpoint; a removed endpoint still has its
// deliveries.
func (c *webhookDeliveries) find(a *app, o *endpoints) ([]webhook.Delivery, error) {
	f := webhook.Filter{Team: c.Team.id(), Endpoint: string(c.Endpoint), State: webhook.State(c.State), Limit: int(c.Limit)}
	if c.Since > 0 {
		f.Since = time.Now().Add(-time.Duration(c.Since))
	}
	if !f.Team.IsZero() {
		if _, err := o.accounts.Team(a.ctx, f.Team); err != nil {
			return nil, err
		}
	}
	found, err := o.webhooks.Deliveries(a.ctx, f)
	if err == nil && len(found) == 0 && f.Endpoint != "" {
		_, err = o.webhooks.Endpoint(a.ctx, f.Endpoint)
	}
	return found, err
}

type deliveryDocument struct {
	ID         string            `json:"id"`
	EndpointID string            `json:"endpointId"`
	EventID    string            `json:"eventId"`
	Type       string            `json:"type"`
	Livemode   bool              `json:"livemode"`
	State      webhook.State     `json:"state"`
	Attempts   []attemptDocument `json:"attempts"`
	Due        *stamp            `json:"due"`
	CreatedAt  stamp             `json:"createdAt"`
	FinishedAt *stamp            `json:"finishedAt"`
}

// attemptDocument has a status and a response if there was an answer, else an
// error.
type attemptDocument struct {
	Number     int     `json:"number"`
	Time       stamp   `json:"time"`
	DurationMs float64 `json:"durationMs"`
	Status     *int    `json:"status"`
	Error      *string `json:"error"`
	Response   *string `json:"response"`
}

func attemptDocumentOf(attempt webhook.Attempt) attemptDocument {
	d := attemptDocument{Number: attempt.Number, Time: stamp(attempt.Time), DurationMs: milliseconds(attempt.Duration), Error: textOrNull(attempt.Error)}
	if attempt.Status != 0 {
		d.Status, d.Response = &attempt.Status, &attempt.Response
	}
	return d
}

func deliveryDocumentOf(d webhook.Delivery) deliveryDocument {
	attempts := make([]attemptDocument, len(d.Log))
	for i, attempt := range d.Log {
		attempts[i] = attemptDocumentOf(attempt)
	}
	return deliveryDocument{d.ID, d.Endpoint, d.EventID, d.EventType, d.Livemode, d.State, attempts, stampOf(d.Due), stamp(d.CreatedAt), stampOf(d.FinishedAt)}
}

func deliveryDocuments(list []webhook.Delivery) []deliveryDocument {
	documents := make([]deliveryDocument, len(list))
	for i, d := range list {
		documents[i] = deliveryDocumentOf(d)
	}
	return documents
}

func deliveryRows(list []webhook.Delivery) [][]string {
	rows := [][]string{{"CREATED", "STATE", "ATTEMPTS", "LAST", "NEXT", "MODE", "TYPE", "ID", "EVENT", "ENDPOINT"}}
	for _, d := range list {
		mode := "sandbox"
		if d.Livemode {
			mode = "live"
		}
		rows = append(rows, []string{
			clock(&d.CreatedAt), string(d.State), strconv.Itoa(d.Attempts), outcomeOf(lastOf(d)), clock(d.Due), mode, d.EventType, d.ID, d.EventID, d.Endpoint,
		})
	}
	return rows
}

type webhookResend struct {
	Delivery deliveryValue `arg:"" optional:"" help:"The delivery's id, as shown by webhook deliveries."`
	Endpoint endpointValue `placeholder:"ID" help:"Resend all dropped deliveries to this endpoint instead."`
	Since    durationValue `placeholder:"TIME" help:"Only those dropped in this period: 90s, 1h, 7d."`
}

func (webhookResend) Help() string {
	return `Examples:

    cradle webhook resend dlv_5b0e3a94-33d3-4a0e-9f35-3a52f4b0c6de
    cradle webhook resend --endpoint wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22 --since 24h

The service sends it at once, and retries it on the usual schedule. If the endpoint is disabled, it is sent once you enable it.`
}

// Validate refuses a command line that does not say what to send.
func (c *webhookResend) Validate() error {
	switch {
	case c.Delivery == "" && c.Endpoint == "":
		return errors.New("missing argument: DELIVERY, or --endpoint=ID --since=TIME")
	case c.Endpoint != "" && c.Since == 0 && c.Delivery == "":
		return errors.New("missing flags: --since=TIME")
	case c.Delivery != "" && (c.Endpoint != "" || c.Since != 0):
		return wrongValue("DELIVERY cannot be used with --endpoint or --since")
	}
	return nil
}

func (c *webhookResend) Run(a *app) error {
	o, err := a.openEndpoints()
	if err != nil {
		return err
	}
	defer o.Close()
	if c.Delivery == "" {
		return c.resendFailed(a, o)
	}
	d, err := o.webhooks.Resend(a.ctx, string(c.Delivery))
	if err != nil {
		return err
	}
	return a.print(deliveryDocumentOf(d), "Delivery %s is %s and will be sent again.", d.ID, d.State)
}

func (c *webhookResend) resendFailed(a *app, o *endpoints) error {
	n, err := o.webhooks.ResendFailed(a.ctx, string(c.Endpoint), time.Now().Add(-time.Duration(c.Since)))
	if err != nil {
		return err
	}
	document := struct {
		EndpointID string `json:"endpointId"`
		Resent     int64  `json:"resent"`
	}{string(c.Endpoint), n}
	return a.print(document, "Deliveries that will be sent again: %d.", n)
}
