package inventory

import "strings"

// media are the words by which formats call where something is emitted or taken
// from, and the catalogue's one word for each.
var media = []struct{ word, medium string }{
	{"emissions to air", "air"}, {"emission to air", "air"}, {"airborne emissions", "air"}, {"air", "air"}, {"to air", "air"}, {"atmosphere", "air"},
	{"emissions to water", "water"}, {"emission to water", "water"}, {"waterborne emissions", "water"}, {"water", "water"}, {"to water", "water"},
	{"emissions to soil", "soil"}, {"emission to soil", "soil"}, {"soil", "soil"}, {"to soil", "soil"}, {"ground", "soil"}, {"emissions to ground", "soil"},
	{"natural resource", "resource"}, {"natural resources", "resource"}, {"resources", "resource"}, {"resource", "resource"}, {"raw", "resource"},
	{"raw materials", "resource"}, {"raw material", "resource"}, {"land use", "resource/land"}, {"inventory indicator", "inventory indicator"},
	{"final waste flows", "waste"}, {"waste", "waste"}, {"economic", "economic"}, {"social", "social"},
	{"non material emissions", "non-material"}, {"non mat.", "non-material"}, {"non-material emissions", "non-material"},
	{"social issues", "social"}, {"economic issues", "economic"},
}

// compartment writes a path in the catalogue's form: the medium first, in one
// word, then what the format says of it.
func compartment(path []string) string {
	var kept []string
	medium := ""
	for _, part := range path {
		part = strings.Join(strings.Fields(strings.ReplaceAll(part, "/", " ")), " ")
		low := strings.ToLower(part)
		switch {
		case part == "", medium == "" && (low == "elementary flows" || low == "emission" || low == "emissions" || low == "fedefl" || low == "biosphere"):
		case medium == "":
			medium = mediumOf(low)
			kept = append(kept, medium)
		default:
			if part = withoutMedium(part); part != "" {
				kept = append(kept, part)
			}
		}
	}
	return strings.Join(kept, "/")
}

func mediumOf(low string) string {
	for _, m := range media {
		if low == m.word {
			return m.medium
		}
	}
	return low
}

// withoutMedium shortens what repeats the medium: "Emissions to urban air close
// to ground" is urban air close to ground.
func withoutMedium(part string) string {
	low := strings.ToLower(part)
	for _, prefix := range []string{"emissions to air, ", "emissions to water, ", "emissions to soil, ", "emissions to ", "emission to ", "resources from "} {
		if strings.HasPrefix(low, prefix) {
			return part[len(prefix):]
		}
	}
	return part
}
