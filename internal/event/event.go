// Package event declares the events that are sent to webhook endpoints: their
// types and their envelope.
package event

import (
	"encoding/json"
	"time"

	"cradle/internal/lci"
)

// The types of events. A new type is declared here, created where it happens,
// and described in rest's OpenAPI document; all else follows from Types.
const (
	DatapointPulled = "datapoint.pulled"
	WebhookTest     = "webhook.test"
)

// Types are all types of events.
var Types = []string{DatapointPulled, WebhookTest}

// An Event tells a team's endpoints what happened. Body is the envelope exactly
// as it is sent at every attempt.
type Event struct {
	ID       string // evt_<uuid>
	Type     string
	Time     time.Time
	Livemode bool
	Team     lci.ID
	Body     []byte
}

// New returns an event about something that happened to a team at a time.
func New(eventType string, team lci.ID, livemode bool, at time.Time, data map[string]any) Event {
	e := Event{ID: "evt_" + lci.NewIDAt(at).String(), Type: eventType, Time: at, Livemode: livemode, Team: team}
	e.Body, _ = json.Marshal(struct {
		ID       string         `json:"id"`
		Type     string         `json:"type"`
		Created  int64          `json:"created"`
		Livemode bool           `json:"livemode"`
		TeamID   lci.ID         `json:"teamId"`
		Data     map[string]any `json:"data"`
	}{e.ID, e.Type, at.Unix(), livemode, team, data})
	return e
}
