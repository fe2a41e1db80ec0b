package purchase

import (
	"encoding/json"
	"time"

	"cradle/internal/account"
	"cradle/internal/lci"
)

// PulledEvent is the type of the event that every successful pull emits.
const PulledEvent = "datapoint.pulled"

// An Event tells a team's webhook endpoints what happened. Body is the envelope
// as it is sent, byte for byte, at every attempt.
type Event struct {
	ID       string
	Type     string
	Time     time.Time
	Livemode bool
	Team     lci.ID
	Body     []byte
}

type envelope struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Created  int64  `json:"created"`
	Livemode bool   `json:"livemode"`
	TeamID   lci.ID `json:"teamId"`
	Data     any    `json:"data"`
}

// pulled is the event of a pull that was carried out.
func pulled(v account.Viewer, kind Kind, a Answer, now time.Time) Event {
	e := Event{ID: "evt_" + lci.NewIDAt(now).String(), Type: PulledEvent, Time: now, Livemode: v.Mode == account.Live, Team: v.Team}
	e.Body, _ = json.Marshal(envelope{ID: e.ID, Type: e.Type, Created: now.Unix(), Livemode: e.Livemode, TeamID: e.Team, Data: pulledData(v, kind, a)})
	return e
}

func pulledData(v account.Viewer, kind Kind, a Answer) map[string]any {
	data := map[string]any{"userId": v.User, "creditsDebited": a.Credits}
	switch kind {
	case Datapoints:
		data["materialIds"] = a.Items
		return data
	case Properties:
		data["materialId"], data["propertyIds"] = a.Record, a.Items
	case Products:
		data["processId"], data["referenceProductIds"] = a.Record, a.Items
	case Impacts:
		data["processId"], data["characterizationFactorIds"] = a.Record, a.Composites()
	}
	data["unit"] = kind
	return data
}

// Composites returns the items of an impacts pull as (method, process) pairs.
func (a Answer) Composites() []string {
	pairs := make([]string, len(a.Items))
	for i, method := range a.Items {
		pairs[i] = method.String() + "," + a.Record.String()
	}
	return pairs
}
