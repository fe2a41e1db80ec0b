package flowmatch

import (
	"slices"
	"strings"

	"cradle/internal/lci"
)

// compartment is where something is emitted to or taken from, independent of any
// nomenclature.
type compartment struct {
	medium   string // air, water, soil, resource; else the whole path unchanged, "" if there is none
	part     string // of the medium, "" if unspecified
	longTerm bool   // in more than a hundred years
}

// A rule maps a word in a path to a part of a medium. The first match counts.
type rule struct{ word, part string }

var parts = map[string][]rule{
	"air": {
		{"stratosphere", "stratosphere"}, {"indoor", "indoor"},
		{"non-urban", "rural"}, {"nonurban", "rural"}, {"rural", "rural"}, {"low pop", "rural"}, {"low. pop", "rural"},
		{"urban", "urban"}, {"high pop", "urban"}, {"high. pop", "urban"},
	},
	"water": {
		{"ground", "ground"}, {"subterranean", "ground"}, {"fossil", "fossil"},
		{"ocean", "ocean"}, {"sea", "ocean"}, {"saline", "ocean"}, {"salt", "ocean"}, {"marine", "ocean"},
		{"river", "fresh/river"}, {"lake", "fresh/lake"}, {"fresh", "fresh"}, {"surface", "fresh"},
	},
	"soil": {
		{"non-agricultur", "industrial"}, {"agricultur", "agricultural"}, {"forest", "forestry"}, {"industr", "industrial"}, {"urban", "urban"},
	},
	"resource": {
		{"land", "land"}, {"human-dominated", "land"}, {"terrestrial", "land"}, {"biotic", "biotic"},
		{"water", "water"}, {"air", "air"}, {"wind", "air"}, {"ground", "ground"}, {"subterranean", "ground"}, {"fossil", "ground"},
	},
}

// parseCompartment reads a path of any nomenclature: "Elementary flows/Emission
// to air/urban air", "emission/air/troposphere/urban", "air::urban air close to
// ground", "Airborne emissions/high. pop.", "Emissions to air, unspecified".
func parseCompartment(path string) compartment {
	s := lci.Fold(strings.TrimSpace(path))
	s = strings.NewReplacer("::", "/", "abiotic", "").Replace(s)
	c := compartment{medium: mediumOf(s), longTerm: strings.Contains(s, "long-term") || strings.Contains(s, "long term")}
	rest := s
	if c.medium == "resource" {
		rest = afterFirst(s, "resource", "raw")
	}
	for _, r := range parts[c.medium] {
		if strings.Contains(rest, r.word) {
			c.part = r.part
			break
		}
	}
	return c
}

// Side reports whether resources are taken from a compartment, as opposed to
// emissions going to it; known is false if the path does not tell.
func Side(path string) (resource, known bool) {
	switch parseCompartment(path).medium {
	case "resource":
		return true, true
	case "air", "water", "soil":
		return false, true
	}
	return false, false
}

// afterFirst is what follows the first of the words in a path.
func afterFirst(s string, words ...string) string {
	for _, w := range words {
		if _, after, found := strings.Cut(s, w); found {
			return after
		}
	}
	return s
}

func mediumOf(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("/ ,()[]-", r) })
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(words, w) })
	}
	switch {
	case has("resource", "resources", "raw") || strings.HasPrefix(s, "land use"):
		return "resource"
	case has("airborne", "atmosphere") || has("air") && !has("soil", "water"):
		return "air"
	case has("waterborne", "water", "freshwater", "seawater", "ocean", "river", "groundwater"):
		return "water"
	case has("soil", "ground"):
		return "soil"
	}
	return s
}

// places are the compartments whose factor may be used, nearest first: the
// compartment itself, then coarser ones, finally unspecified ones. A method with
// long-term emissions leaves out others on purpose. For a resource any place
// will do, because its name tells where it is taken from.
func (c compartment) places(longTermApart bool) []string {
	var places []string
	long := func(part string) string { return c.medium + "/" + part + "/long-term" }
	parts := []string{c.part}
	for part := c.part; part != ""; {
		if i := strings.LastIndex(part, "/"); i >= 0 {
			part = part[:i]
		} else {
			part = ""
		}
		parts = append(parts, part)
	}
	if c.longTerm {
		for _, p := range parts {
			places = append(places, long(p))
		}
	}
	if !c.longTerm || !longTermApart {
		for _, p := range parts {
			places = append(places, c.medium+"/"+p)
		}
	}
	switch {
	case c.medium == "resource":
		places = append(places, anyResource)
	case c.medium != "" && (!c.longTerm || !longTermApart):
		places = append(places, "/")
	}
	return places
}

const anyResource = "resource/*"

// is reports whether the compartment is the place.
func (c compartment) is(place string) bool {
	if place == anyResource {
		return c.medium == "resource"
	}
	own := c.medium + "/" + c.part
	if c.longTerm {
		own += "/long-term"
	}
	return own == place
}
