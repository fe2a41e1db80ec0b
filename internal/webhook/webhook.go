// Package webhook sends events to teams' endpoints: signed, retried on a fixed
// schedule, and never to an address that is not public.
//
// A delivery is a row written in the transaction that it reports. The workers of
// any number of servers claim due deliveries, send them and record the attempts.
package webhook

import (
	"crypto/rand"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"cradle/internal/event"
	"cradle/internal/fault"
	"cradle/internal/lci"
)

// Status is whether an endpoint receives deliveries.
type Status string

const (
	Enabled  Status = "enabled"
	Disabled Status = "disabled" // deliveries wait until it is enabled again
)

// MostFailures is how many consecutive failures disable an endpoint.
const MostFailures = 20

// An Endpoint is where a team wants its events sent.
type Endpoint struct {
	ID          string // wh_<uuid>
	Team        lci.ID
	URL         string
	Description string
	Events      []string // the types it is subscribed to; empty: all, including those of later versions
	Status      Status
	Failures    int // consecutive failed attempts
	CreatedAt   time.Time
	// ListenUntil is set for the endpoint of a developer's listener; the
	// endpoint is removed if the listener does not extend it in time.
	ListenUntil *time.Time
}

// EventTypes are the types that the endpoint receives in this version.
func (e Endpoint) EventTypes() []string {
	if len(e.Events) == 0 {
		return event.Types
	}
	return e.Events
}

// NewEndpointID returns a new endpoint id.
func NewEndpointID() string { return "wh_" + lci.NewID().String() }

// NewDeliveryID returns a new id for a delivery created at a time.
func NewDeliveryID(at time.Time) string { return "dlv_" + lci.NewIDAt(at).String() }

const secretPrefix = "whsec_"

// NewSecret returns a new signing secret.
func NewSecret() string {
	var random [32]byte
	rand.Read(random[:])
	return secretPrefix + base64.StdEncoding.EncodeToString(random[:])
}

// normalEvents checks the types that an endpoint subscribes to, and sorts them.
func normalEvents(types []string) ([]string, error) {
	for _, t := range types {
		if !slices.Contains(event.Types, t) {
			return nil, fault.Fieldf("event", "%q is not an event type; the types are %s", t, strings.Join(event.Types, ", "))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(types))), nil
}

// State is the state of a delivery.
type State string

const (
	Waiting   State = "waiting"   // for its time or a worker
	Held      State = "held"      // until its endpoint is enabled
	Delivered State = "delivered" // answered with a 2xx
	Dropped   State = "dropped"   // the last attempt failed
	Cancelled State = "cancelled" // its endpoint was removed
)

// A Delivery is the delivery of one event to one endpoint.
type Delivery struct {
	ID         string // dlv_<uuid>
	Endpoint   string
	EventID    string
	EventType  string
	Livemode   bool
	State      State
	Attempts   int
	Due        *time.Time // while waiting
	CreatedAt  time.Time
	FinishedAt *time.Time
	Log        []Attempt
}

// An Attempt is one attempt to deliver.
type Attempt struct {
	Number   int
	Time     time.Time
	Duration time.Duration
	Status   int    // of the answer, 0 without one
	Error    string // why there was no answer
	Response string // the first bytes of the answer
}

// Succeeded reports whether the receiver accepted the event.
func (a Attempt) Succeeded() bool { return a.Status >= 200 && a.Status < 300 }

// Ended is when the attempt ended.
func (a Attempt) Ended() time.Time { return a.Time.Add(a.Duration) }
