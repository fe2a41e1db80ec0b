package jsonld

import (
	"fmt"

	"cradle/internal/lci"
	"cradle/internal/units"
)

// A quantity is a flow property of openLCA with its group of units.
type quantity struct {
	property, name   string
	group, groupName string
	unit, unitID     string // the reference unit
}

// standardQuantities are the quantities that every openLCA database has.
var standardQuantities = []quantity{
	{"93a60a56-a3c8-11da-a746-0800200b9a66", "Mass", "93a60a57-a4c8-11da-a746-0800200c9a66", "Units of mass", "kg", "20aadc24-a391-41cf-b340-3e4529f44bde"},
	{"f6811440-ee37-11de-8a39-0800200c9a66", "Energy", "93a60a57-a3c8-11da-a746-0800200c9a66", "Units of energy", "MJ", "52765a6c-3896-43c2-b2f4-c679acf13efe"},
	{"93a60a56-a3c8-22da-a746-0800200c9a66", "Volume", "93a60a57-a3c8-12da-a746-0800200c9a66", "Units of volume", "m3", "1c3a9695-398d-4b1f-b07e-a8715b610f70"},
	{"93a60a56-a3c8-19da-a746-0800200c9a66", "Area", "93a60a57-a3c8-18da-a746-0800200c9a66", "Units of area", "m2", "3ce61faa-5716-41c1-aef6-b5920054acc9"},
	{"93a60a56-a3c8-21da-a746-0800200c9a66", "Area*Time", "93a60a57-a3c8-20da-a746-0800200c9a66", "Units of area*time", "m2*a", "c7266b67-4ea2-457f-b391-9b94e26e195a"},
	{"838aaa23-0117-11db-92e3-0800200c9a66", "Length", "838aaa22-0117-11db-92e3-0800200c9a66", "Units of length", "m", "3d314eab-ef11-4ff3-a35e-9bc5cd858694"},
	{"838aaa20-0117-11db-92e3-0800200c9a66", "Mass transport", "838aaa21-0117-11db-92e3-0800200c9a66", "Units of mass*length", "t*km", "0dea4ed8-bb6b-4049-b2b4-b2c413ef2180"},
	{"8766e10f-9f41-4db0-8173-ad0d002a5b98", "Person transport", "11d161f0-37e3-4d49-bf7a-ff4f31a9e5c7", "Units of person*length", "p*km", "fe8da65d-f0ea-4496-b13e-1955aaa412d7"},
	{"93a60a56-a3c8-17da-a746-0800200c9a66", "Radioactivity", "93a60a57-a3c8-16da-a746-0800200c9a66", "Units of radioactivity", "kBq", "e9773595-284e-46dd-9671-5fc9ff406833"},
	{"441238a3-ba09-46ec-b35b-c30cfba746d1", "Volume*Time", "93a60a57-a3c8-23da-a746-0800200c9a66", "Units of volume*time", "m3*a", "ee5f2241-18af-4444-b457-b275660e5a20"},
	{"0ddc622a-bc4a-4cf8-a551-9e112864b77f", "Item transport", "5454b231-270e-45e6-89b2-7f4f3e482245", "Units of number*length", "Items*km", "2abb86b6-e71b-4de5-a766-a20e80e59b6d"},
	{"b7ffb330-95a8-4815-a78c-47fcdee3b768", "Length*Time", "326eb58b-e5b3-4cea-b45a-2398c25109f8", "Units of length*time", "km*a", "8cbb4edb-d76c-41f7-8b30-cc789217c954"},
}

// quantityOf is what a unit measures. A flow in a unit other than the standard
// one, such as kWh, has its own quantity, so that its amounts stay unchanged;
// its unit group links to the standard one.
func quantityOf(unit string) quantity {
	if unit == "" {
		unit = "Item(s)"
	}
	q := quantity{name: unit, groupName: "Units of " + unit, unit: unit}
	for _, s := range standardQuantities {
		if s.unit == unit {
			return s
		}
		if _, same := units.Factor(unit, s.unit); same {
			q.name = fmt.Sprintf("%s (%s)", s.name, unit)
			q.groupName = fmt.Sprintf("%s (%s)", s.groupName, unit)
		}
	}
	q.property = lci.DerivedID("flow property", unit).String()
	q.group = lci.DerivedID("unit group", unit).String()
	q.unitID = lci.DerivedID("unit", unit).String()
	return q
}

// further is the standard unit that a quantity's unit can be converted to.
func (q quantity) further() (name string, factor float64, ok bool) {
	for _, s := range standardQuantities {
		if s.unit == q.unit {
			return "", 0, false
		}
		if k, same := units.Factor(s.unit, q.unit); same {
			return s.unit, k, true
		}
	}
	return "", 0, false
}
