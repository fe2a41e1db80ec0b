package purchase

import (
	"time"

	"cradle/internal/account"
	"cradle/internal/event"
)

// pulled is the event that announces a pull.
func pulled(v account.Viewer, kind Kind, a Answer, now time.Time) event.Event {
	return event.New(event.DatapointPulled, v.Team, v.Mode == account.Live, now, pulledData(v, kind, a))
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
