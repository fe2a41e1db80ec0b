package export

import (
	"strings"

	"cradle/internal/lci"
)

const naturalResource = "natural resource"

// Medium is a compartment in ecoinvent's words, and its subcompartment.
func Medium(f lci.Flow) (medium, part string) {
	medium, part, _ = strings.Cut(f.Compartment, "/")
	if medium == "resource" {
		medium = naturalResource
	}
	return medium, part
}

// IsResource reports whether a flow's compartment is that of a resource.
func IsResource(f lci.Flow) bool {
	medium, _ := Medium(f)
	return medium == naturalResource
}
