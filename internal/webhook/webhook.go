// Package webhook tells teams' endpoints what happened: signed, retried on a
// fixed schedule, and never to an address that is not public.
//
// A delivery is a row written by the transaction it tells about. Workers of any
// number of servers claim what is due, send it and record the attempt.
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

// Status says whether an endpoint is sent to.
type Status string

const (
	Enabled  Status = "enabled"
	Disabled Status = "disabled" // deliveries wait until it is enabled again
)

// MostFailures in a row disable an endpoint.
const MostFailures = 20

// An Endpoint is where a team wants its events sent.
type Endpoint struct {
	ID          string // wh_<uuid>
	Team        lci.ID
	URL         string
	Description string
	Events      []string // the types it is subscribed to; none: all, those of later versions included
	Status      Status
	Failures    int // attempts that failed since the last that did not
	CreatedAt   time.Time
	// ListenUntil is set for an endpoint that a developer's own process stands
	// in for; it is gone when the process has not been heard of until then.
	ListenUntil *time.Time
}

// EventTypes are those that the endpoint gets as of this version.
func (e Endpoint) EventTypes() []string {
	if len(e.Events) == 0 {
		return event.Types
	}
	return e.Events
}

// NewEndpointID makes an endpoint's id.
func NewEndpointID() string { return "wh_" + lci.NewID().String() }

// NewDeliveryID makes the id of a delivery that begins at a time.
func NewDeliveryID(at time.Time) string { return "dlv_" + lci.NewIDAt(at).String() }

const secretPrefix = "whsec_"

// NewSecret makes a signing secret.
func NewSecret() string {
	var random [32]byte
	rand.Read(random[:])
	return secretPrefix + base64.StdEncoding.EncodeToString(random[:])
}

// normalEvents checks the types that an endpoint asks for, and returns them in
// order.
func normalEvents(types []string) ([]string, error) {
	for _, t := range types {
		if !slices.Contains(event.Types, t) {
			return nil, fault.Fieldf("event", "%q is no type of event; there are %s", t, strings.Join(event.Types, ", "))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(types))), nil
}

// State is what has become of a delivery.
type State string

const (
	Waiting   State = "waiting"   // for its time, or for a worker
	Held      State = "held"      // for its endpoint to be enabled
	Delivered State = "delivered" // answered with a 2xx
	Dropped   State = "dropped"   // tried for the last time
	Cancelled State = "cancelled" // its endpoint was removed
)

// A Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID         string // dlv_<uuid>
	Endpoint   string
	EventID    string
	EventType  string
	Livemode   bool
	State      State
	Attempts   int
	Due        *time.Time // when it waits
	CreatedAt  time.Time
	FinishedAt *time.Time
	Log        []Attempt
}

// An Attempt is one try to deliver.
type Attempt struct {
	Number   int
	Time     time.Time
	Duration time.Duration
	Status   int    // of the answer, 0 without one
	Error    string // why there was none
	Response string // the first bytes of the answer
}

// Succeeded says whether the receiver took the event.
func (a Attempt) Succeeded() bool { return a.Status >= 200 && a.Status < 300 }

// Ended is when the attempt was over.
func (a Attempt) Ended() time.Time { return a.Time.Add(a.Duration) }
