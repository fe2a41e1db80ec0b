package inventory

import "strings"

// media are the formats' words for where something is emitted to or taken from,
// and the catalogue's word for each.
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

// compartment converts a path to the catalogue's form: the medium first, in one
// word, then the format's details. What precedes the medium, such as "Elementary
// flows" or the name of a flow list, is dropped.
func compartment(path []string) string {
	var parts []string
	for _, part := range path {
		if part = strings.Join(strings.Fields(strings.ReplaceAll(part, "/", " ")), " "); part != "" {
			parts = append(parts, part)
		}
	}
	for i, part := range parts {
		medium := mediumOf(part)
		if medium == "" {
			continue
		}
		kept := []string{medium}
		for _, fine := range parts[i+1:] {
			kept = append(kept, withoutMedium(fine))
		}
		return strings.Join(kept, "/")
	}
	if len(parts) > 1 && strings.EqualFold(parts[0], "elementary flows") {
		parts = parts[1:]
	}
	return strings.ToLower(strings.Join(parts, "/"))
}

func mediumOf(part string) string {
	for _, m := range media {
		if strings.EqualFold(part, m.word) {
			return m.medium
		}
	}
	return ""
}

// withoutMedium removes words that repeat the medium: "Emissions to urban air
// close to ground" becomes urban air close to ground.
func withoutMedium(part string) string {
	low := strings.ToLower(part)
	for _, prefix := range []string{"emissions to air, ", "emissions to water, ", "emissions to soil, ", "emissions to ", "emission to ", "resources from "} {
		if strings.HasPrefix(low, prefix) {
			return part[len(prefix):]
		}
	}
	return part
}
