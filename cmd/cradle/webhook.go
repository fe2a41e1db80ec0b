package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
	"cradle/internal/webhook"
)

type webhookCommands struct {
	Add        webhookAdd        `cmd:"" help:"Add an endpoint for a team's events. Its secret is shown only once."`
	List       webhookList       `cmd:"" help:"List a team's endpoints."`
	Enable     webhookEnable     `cmd:"" help:"Enable an endpoint, and send its queued events."`
	Disable    webhookDisable    `cmd:"" help:"Disable an endpoint. Its events are queued."`
	Test       webhookTest       `cmd:"" help:"Send a test event to an endpoint, even if it is disabled."`
	Rotate     webhookRotate     `cmd:"" help:"Give an endpoint a new secret. It is shown only once."`
	Remove     webhookRemove     `cmd:"" help:"Remove an endpoint and cancel its deliveries."`
	Deliveries webhookDeliveries `cmd:"" help:"Show deliveries with every attempt."`
	Resend     webhookResend     `cmd:"" help:"Resend deliveries, with the same event ids."`
}

func (webhookCommands) Help() string {
	return `Examples:

    cradle webhook add --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 --url https://example.org/hooks
    cradle webhook deliveries --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 --since 1h`
}

// reach is the flag of commands that send to endpoints or check their addresses.
type reach struct {
	WebhookAllow []allowValue `placeholder:"HOST" help:"Private hosts, addresses or CIDR ranges that webhooks may reach, also over http. For development."`
}

func (r reach) guard() (*webhook.Guard, error) {
	allowed := make([]string, len(r.WebhookAllow))
	for i, v := range r.WebhookAllow {
		allowed[i] = string(v)
	}
	return webhook.NewGuard(allowed)
}

// endpoints is an open database with its webhook endpoints.
type endpoints struct {
	*backend
	webhooks *webhook.Service
}

// openEndpoints is for commands that send nothing, so it allows no extra
// addresses.
func (a *app) openEndpoints() (*endpoints, error) {
	return a.openEndpointsWith(&webhook.Guard{}, time.Now)
}

func (a *app) openEndpointsWith(guard *webhook.Guard, now func() time.Time) (*endpoints, error) {
	o, err := a.open()
	if err != nil {
		return nil, err
	}
	return &endpoints{o, webhook.NewService(o.Store, guard, o.webhookSecrets, now)}, nil
}

type webhookAdd struct {
	Team        idValue      `required:"" placeholder:"TEAM" help:"The team whose events to send."`
	URL         string       `name:"url" required:"" placeholder:"U" help:"The https URL to send them to."`
	Description string       `placeholder:"D" help:"What the endpoint is for."`
	Event       []eventValue `placeholder:"T" help:"Send only events of this type (${event_types}). Can be repeated. Default: all types, including those of later versions."`
	reach
}

func (webhookAdd) Help() string {
	return `Examples:

    cradle webhook add --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 --url https://example.org/hooks
    cradle webhook add --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11 --url http://127.0.0.1:9000/hooks --webhook-allow 127.0.0.1`
}

func (c *webhookAdd) Run(a *app) error {
	guard, err := c.guard()
	if err != nil {
		return err
	}
	if err := guard.CheckURL(c.URL); err != nil {
		return err
	}
	description, err := account.OneLine("description", c.Description, mostDescription)
	if err != nil {
		return err
	}
	o, err := a.openEndpointsWith(guard, time.Now)
	if err != nil {
		return err
	}
	defer o.Close()
	e, secret, err := o.webhooks.Add(a.ctx, webhook.New{Team: c.Team.id(), URL: c.URL, Description: description, Events: typesOf(c.Event)})
	if err != nil {
		return err
	}
	if !a.global.JSON {
		a.hint("Added endpoint %s. Store its signing secret now: it will not be shown again.", e.ID)
	}
	document := struct {
		ID     string   `json:"id"`
		Secret string   `json:"secret"`
		URL    string   `json:"url"`
		Events []string `json:"events"`
	}{e.ID, secret, e.URL, e.EventTypes()}
	return a.print(document, "%s", secret)
}

// mostDescription is the longest description, in characters.
const mostDescription = 500

type webhookList struct {
	Team idValue `required:"" placeholder:"TEAM" help:"The team whose endpoints to list."`
}

func (webhookList) Help() string {
	return `Example:

    cradle webhook list --team 7d9f2f6e-0c7a-4c57-9d3c-0c2f8b4d3a11`
}

func (c *webhookList) Run(a *app) error {
	o, err := a.openEndpoints()
	if err != nil {
		return err
	}
	defer o.Close()
	if _, err := o.accounts.Team(a.ctx, c.Team.id()); err != nil {
		return err
	}
	found, err := o.webhooks.List(a.ctx, c.Team.id())
	if err != nil {
		return err
	}
	if a.global.JSON {
		return a.printJSON(endpointDocuments(found))
	}
	return a.table(endpointRows(found))
}

type endpointDocument struct {
	ID          string         `json:"id"`
	TeamID      lci.ID         `json:"teamId"`
	URL         string         `json:"url"`
	Description string         `json:"description"`
	Events      []string       `json:"events"`
	Status      webhook.Status `json:"status"`
	Failures    int            `json:"consecutiveFailures"`
	CreatedAt   stamp          `json:"createdAt"`
}

func endpointDocumentOf(e webhook.Endpoint) endpointDocument {
	return endpointDocument{e.ID, e.Team, e.URL, e.Description, e.EventTypes(), e.Status, e.Failures, stamp(e.CreatedAt)}
}

func endpointDocuments(list []webhook.Endpoint) []endpointDocument {
	documents := make([]endpointDocument, len(list))
	for i, e := range list {
		documents[i] = endpointDocumentOf(e)
	}
	return documents
}

func endpointRows(list []webhook.Endpoint) [][]string {
	rows := [][]string{{"ID", "STATUS", "FAILURES", "EVENTS", "CREATED", "URL", "DESCRIPTION"}}
	for _, e := range list {
		rows = append(rows, []string{
			e.ID, string(e.Status), strconv.Itoa(e.Failures), cmp.Or(strings.Join(e.Events, ","), "all"), clock(&e.CreatedAt), e.URL, orDash(e.Description),
		})
	}
	return rows
}

type webhookEnable struct {
	ID endpointValue `arg:"" help:"The endpoint's id, as shown by webhook list."`
}

func (webhookEnable) Help() string {
	return `Example:

    cradle webhook enable wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22

This also resets its count of failures.`
}

func (c *webhookEnable) Run(a *app) error {
	return a.setEndpointStatus(c.ID, webhook.Enabled, "Endpoint %s is enabled; what waited for it is sent now.")
}

type webhookDisable struct {
	ID endpointValue `arg:"" help:"The endpoint's id, as shown by webhook list."`
}

func (webhookDisable) Help() string {
	return `Example:

    cradle webhook disable wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22`
}

func (c *webhookDisable) Run(a *app) error {
	return a.setEndpointStatus(c.ID, webhook.Disabled, "Endpoint %s is disabled. Its events are queued until you enable it.")
}

func (a *app) setEndpointStatus(id endpointValue, status webhook.Status, text string) error {
	o, err := a.openEndpoints()
	if err != nil {
		return err
	}
	defer o.Close()
	e, err := o.webhooks.SetStatus(a.ctx, string(id), status)
	if err != nil {
		return err
	}
	return a.print(endpointDocumentOf(e), text, e.ID)
}

type webhookTest struct {
	ID endpointValue `arg:"" help:"The endpoint's id, as shown by webhook list."`
	reach
}

func (webhookTest) Help() string {
	return `Example:

    cradle webhook test wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22

The test is a single attempt from this machine. It does not change the endpoint's count of failures. The exit status is
1 if the response is not 2xx. --json prints the attempt in any case.`
}

func (c *webhookTest) Run(a *app) error {
	guard, err := c.guard()
	if err != nil {
		return err
	}
	o, err := a.openEndpointsWith(guard, time.Now)
	if err != nil {
		return err
	}
	defer o.Close()
	d, err := o.webhooks.Test(a.ctx, string(c.ID))
	if err != nil {
		return err
	}
	e, err := o.webhooks.Endpoint(a.ctx, string(c.ID))
	if err != nil {
		return err
	}
	return a.showTest(e, d)
}

func (a *app) showTest(e webhook.Endpoint, d webhook.Delivery) error {
	if a.global.JSON {
		document := struct {
			endpointDocument
			Delivery deliveryDocument `json:"delivery"`
		}{endpointDocumentOf(e), deliveryDocumentOf(d)}
		if err := a.printJSON(document); err != nil {
			return err
		}
	}
	last := lastOf(d)
	if !last.Succeeded() {
		return fmt.Errorf("the test failed: %s", outcomeOf(last))
	}
	if a.global.JSON {
		return nil
	}
	_, err := fmt.Fprintf(a.out, "Endpoint %s received the test: %s in %s.\n", e.ID, outcomeOf(last), last.Duration.Round(time.Microsecond))
	return err
}

// lastOf is the last attempt of a delivery, or an empty one without status and
// error.
func lastOf(d webhook.Delivery) webhook.Attempt {
	if len(d.Log) == 0 {
		return webhook.Attempt{}
	}
	return d.Log[len(d.Log)-1]
}

// outcomeOf is the outcome of an attempt in a few words.
func outcomeOf(attempt webhook.Attempt) string {
	if attempt.Status != 0 {
		return "answered " + strconv.Itoa(attempt.Status)
	}
	return cmp.Or(attempt.Error, "-")
}

type webhookRotate struct {
	ID    endpointValue `arg:"" help:"The endpoint's id, as shown by webhook list."`
	Grace graceValue    `default:"24h" placeholder:"${default}" help:"How long the old secret stays valid. Use 0s if it has leaked."`
}

func (webhookRotate) Help() string {
	return `Examples:

    cradle webhook rotate wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22
    cradle webhook rotate wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22 --grace 0s

If you rotate again within the grace period, only the last two secrets are valid.`
}

func (c *webhookRotate) Run(a *app) error {
	now := time.Now()
	o, err := a.openEndpointsWith(&webhook.Guard{}, func() time.Time { return now })
	if err != nil {
		return err
	}
	defer o.Close()
	e, secret, err := o.webhooks.Rotate(a.ctx, string(c.ID), time.Duration(c.Grace))
	if err != nil {
		return err
	}
	until := stamp(now.Add(time.Duration(c.Grace)))
	if !a.global.JSON {
		a.hint("Endpoint %s has a new secret. Store it now: it will not be shown again. The old secret stays valid until %s.", e.ID, until.clock())
	}
	document := struct {
		ID       string `json:"id"`
		Secret   string `json:"secret"`
		OldUntil stamp  `json:"oldSecretValidUntil"`
	}{e.ID, secret, until}
	return a.print(document, "%s", secret)
}

type webhookRemove struct {
	ID endpointValue `arg:"" help:"The endpoint's id, as shown by webhook list."`
}

func (webhookRemove) Help() string {
	return `Example:

    cradle webhook remove wh_3f0c9a52-5f0e-4f0b-8a54-0a8f7f0f6b22`
}

func (c *webhookRemove) Run(a *app) error {
	o, err := a.openEndpoints()
	if err != nil {
		return err
	}
	defer o.Close()
	e, err := o.webhooks.Remove(a.ctx, string(c.ID))
	if err != nil {
		return err
	}
	e.Status = "removed"
	return a.print(endpointDocumentOf(e), "Removed endpoint %s.", e.ID)
}
