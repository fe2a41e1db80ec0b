package ecospold1

import "strings"

// parents are the parts of media in the nomenclatures that openLCA exports. It
// writes the last two words of a path, the first of which may be one of these.
var parents = map[string]string{
	"troposphere": "air", "stratosphere": "air", "rural": "air/troposphere", "urban": "air/troposphere", "indoor": "air",
	"fresh water body": "water", "saline water body": "water", "lake": "water", "river": "water", "ocean": "water",
	"human-dominated": "ground", "terrestrial": "ground", "subterranean": "ground",
}

// compartment is the path of an elementary flow. An input is a resource, unless
// its category is that of an emission: then it is a negative emission.
func compartment(category, subCategory string, input bool) []string {
	var path []string
	top, below := strings.ToLower(category), strings.ToLower(subCategory)
	if medium, ok := parents[top]; ok {
		path = strings.Split(medium, "/")
	}
	for _, part := range []string{category, subCategory} {
		if known(part) != "" {
			path = append(path, part)
		}
	}
	if input && !isResource(top) && !isEmission(top, below) {
		path = append([]string{"resource"}, path...)
	}
	return path
}

func isResource(category string) bool {
	return strings.HasPrefix(category, "resource") || strings.HasPrefix(category, "natural resource") || strings.HasPrefix(category, "raw")
}

func isEmission(category, subCategory string) bool {
	switch category {
	case "air", "water", "soil", "ground":
		_, cut := parents[subCategory]
		return !cut
	}
	return strings.HasPrefix(category, "emission")
}
