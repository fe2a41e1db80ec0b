package inventory

import (
	"strings"
	"testing"
)

func TestCompartment(t *testing.T) {
	for path, want := range map[string]string{
		"air|urban air close to ground":                            "air/urban air close to ground",
		"Elementary flows|Emission to air|unspecified":             "air/unspecified",
		"Elementary flows|emission|air|troposphere|rural":          "air/troposphere/rural",
		"NETL Coal Elementary Flows|air|unspecified":               "air/unspecified",
		"Emissions|Emissions to air|Emissions to air, unspecified": "air/unspecified",
		"Emissions|Emissions to water|Emissions to fresh water":    "water/fresh water",
		"Resources|Resources from ground|Renewable from ground":    "resource/ground/Renewable from ground",
		"Elementary flows|Resource|in ground":                      "resource/in ground",
		"natural resource|in water":                                "resource/in water",
		"Raw|land":                                                 "resource/land",
		"Airborne emissions|high. pop.":                            "air/high. pop.",
		"Land use|Land occupation":                                 "resource/land/Land occupation",
		"Elementary flows|Something else":                          "something else",
		"Emissions|Emissions to industrial soil":                   "emissions/emissions to industrial soil",
		" Air / Water |x":                                          "air water/x",
		"":                                                         "",
	} {
		if got := compartment(strings.Split(path, "|")); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
