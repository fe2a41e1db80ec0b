package main

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"cradle/internal/event"
	"cradle/internal/lci"
	"cradle/internal/webhook"
)

// endpointValue is the id of a webhook endpoint.
type endpointValue string

func (v *endpointValue) UnmarshalText(text []byte) error {
	id, ok := prefixedID("wh_", string(text))
	if !ok {
		return wrongValue("%q is not an endpoint id, which is wh_ and a UUID; see cradle webhook list", text)
	}
	*v = endpointValue(id)
	return nil
}

// deliveryValue is the id of a delivery.
type deliveryValue string

func (v *deliveryValue) UnmarshalText(text []byte) error {
	id, ok := prefixedID("dlv_", string(text))
	if !ok {
		return wrongValue("%q is not a delivery id, which is dlv_ and a UUID; see cradle webhook deliveries", text)
	}
	*v = deliveryValue(id)
	return nil
}

func prefixedID(prefix, text string) (string, bool) {
	rest, found := strings.CutPrefix(text, prefix)
	id, ok := lci.ParseID(rest)
	return prefix + id.String(), found && ok
}

// allowValue is an address that webhooks may reach: a host, an address or a
// range.
type allowValue string

func (v *allowValue) UnmarshalText(text []byte) error {
	if _, err := webhook.NewGuard([]string{string(text)}); err != nil {
		return wrongValue("%q is not a host, address or range such as 10.0.0.0/8", text)
	}
	*v = allowValue(text)
	return nil
}

// eventValue is an event type.
type eventValue string

func (v *eventValue) UnmarshalText(text []byte) error {
	return choose((*string)(v), text, event.Types...)
}

func typesOf(values []eventValue) []string {
	types := make([]string, len(values))
	for i, v := range values {
		types[i] = string(v)
	}
	return types
}

// stateValue is the state of a delivery, "" for any.
type stateValue string

func (v *stateValue) UnmarshalText(text []byte) error {
	return choose((*string)(v), text, string(webhook.Waiting), string(webhook.Held), string(webhook.Delivered), string(webhook.Dropped), string(webhook.Cancelled))
}

// graceValue is a duration that may be 0.
type graceValue time.Duration

func (v *graceValue) UnmarshalText(text []byte) error {
	d, err := parseDuration(string(text))
	if err != nil || d < 0 {
		return wrongValue("%q is not a duration such as 0s, 1h or 7d", text)
	}
	*v = graceValue(d)
	return nil
}

// mostDeliveries is the most deliveries shown at once.
const mostDeliveries = 1000

// limitValue is how many deliveries are shown.
type limitValue int

func (v *limitValue) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > mostDeliveries {
		return wrongValue("%q is not a whole number between 1 and %d", text, mostDeliveries)
	}
	*v = limitValue(n)
	return nil
}

// forwardValue is the address that events are forwarded to.
type forwardValue string

func (v *forwardValue) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return wrongValue("%q is not an address such as http://127.0.0.1:9000/hooks", text)
	}
	*v = forwardValue(text)
	return nil
}
