// Package event declares what teams' webhook endpoints can be told: the types of
// events and the envelope that each is sent in.
package event

import (
	"encoding/json"
	"time"

	"cradle/internal/lci"
)

// The types of events. A new one is declared here, made where it happens, and
// described in rest's OpenAPI document; all else follows from Types.
const (
	DatapointPulled = "datapoint.pulled"
	WebhookTest     = "webhook.test"
)

// Types are all there are.
var Types = []string{DatapointPulled, WebhookTest}

// An Event tells a team's endpoints what happened. Body is the envelope as it is
// sent, byte for byte, at every attempt.
type Event struct {
	ID       string // evt_<uuid>
	Type     string
	Time     time.Time
	Livemode bool
	Team     lci.ID
	Body     []byte
}

// New makes an event of something that happened to a team at a time.
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
