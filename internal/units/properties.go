package units

import "strings"

// OfProperty returns the reference unit of a flow property that openLCA and ILCD
// share, by its id or else by its name, "" if unknown.
func OfProperty(id, name string) string {
	if unit := propertyByID[strings.ToLower(id)]; unit != "" {
		return unit
	}
	return propertyByName[strings.ToLower(strings.TrimSpace(name))]
}

// PropertyName returns the name that openLCA and ILCD give the flow property
// with an id, "" if unknown.
func PropertyName(id string) string {
	switch strings.ToLower(id) {
	case "93a60a56-a3c8-11da-a746-0800200b9a66":
		return "Mass"
	case "93a60a56-a3c8-11da-a746-0800200c9a66":
		return "Net calorific value"
	case "93a60a56-a3c8-14da-a746-0800200c9a66":
		return "Gross calorific value"
	case "f6811440-ee37-11de-8a39-0800200c9a66":
		return "Energy"
	case "93a60a56-a3c8-22da-a746-0800200c9a66":
		return "Volume"
	case "01846770-4cfe-4a25-8ad9-919d8d378345":
		return "Number of items"
	}
	return ""
}

var propertyByID = map[string]string{
	"93a60a56-a3c8-11da-a746-0800200b9a66": "kg",
	"93a60a56-a3c8-11da-a746-0800200c9a66": "MJ",
	"93a60a56-a3c8-14da-a746-0800200c9a66": "MJ",
	"f6811440-ee37-11de-8a39-0800200c9a66": "MJ",
	"93a60a56-a3c8-17da-a746-0800200c9a66": "kBq",
	"93a60a56-a3c8-19da-a746-0800200c9a66": "m2",
	"93a60a56-a3c8-21da-a746-0800200c9a66": "m2*a",
	"93a60a56-a3c8-22da-a746-0800200c9a66": "m3",
	"441238a3-ba09-46ec-b35b-c30cfba746d1": "m3*a",
	"838aaa23-0117-11db-92e3-0800200c9a66": "m",
	"b7ffb330-95a8-4815-a78c-47fcdee3b768": "km*a",
	"838aaa20-0117-11db-92e3-0800200c9a66": "t*km",
	"64771383-534c-4051-84ca-e195564d5425": "m3*km",
	"0ddc622a-bc4a-4cf8-a551-9e112864b77f": "Items*km",
	"8766e10f-9f41-4db0-8173-ad0d002a5b98": "p*km",
	"01846770-4cfe-4a25-8ad9-919d8d378345": "Item(s)",
	"c0447923-0e60-4b3c-97c2-a86dddd9eea5": "h",
	"4e10f566-0358-489a-8e3a-d687b66c50e6": "kg*d",
	"e406dc2a-a672-319e-a9b8-87d4cdd8593a": "guest night",
	"341fd786-b2ad-4552-a762-5eafcab45dee": "mol",
	"ca160e10-b3f9-4458-9077-0d15b8b31ae5": "W",
	"fdfecf14-ff8a-4e17-b2b2-f938c4b5cc27": "USD",
}

var propertyByName = map[string]string{
	"mass": "kg", "dry mass": "kg", "wet mass": "kg", "carbon content": "kg",
	"energy": "MJ", "net calorific value": "MJ", "gross calorific value": "MJ", "exergy": "MJ",
	"radioactivity": "kBq", "area": "m2", "area*time": "m2*a", "volume": "m3", "normal volume": "m3", "volume*time": "m3*a",
	"length": "m", "length*time": "km*a", "mass transport": "t*km", "goods transport (mass*distance)": "t*km", "volume transport": "m3*km",
	"item transport": "Items*km", "items*length": "Items*km", "person transport": "p*km", "vehicle transport": "v*km", "number": "Item(s)", "number of items": "Item(s)",
	"items": "Item(s)", "duration": "h", "time": "h", "mass*time": "kg*d", "guest night": "guest night", "mole": "mol", "amount of substance": "mol", "power": "W",
}
