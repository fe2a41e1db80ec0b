package gateway

import (
	"strings"

	"cradle/internal/fault"
)

// Version is a version of the public interface. Each API describes in one place
// how versions differ.
type Version string

const (
	Obsidian Version = "2026-05-11.obsidian"
	Arrakis  Version = "2026-05-11.arrakis"
)

// Current is the version used for a request that names none.
const Current = Arrakis

// Versions are the known versions, oldest first.
var Versions = []Version{Obsidian, Arrakis}

// parseVersion parses the Svc-Version header.
func parseVersion(header string) (Version, error) {
	if header == "" {
		return Current, nil
	}
	known := make([]string, len(Versions))
	for i, v := range Versions {
		if string(v) == header {
			return v, nil
		}
		known[i] = string(v)
	}
	return Current, fault.New(fault.Invalid, "unknown_version", "Svc-Version is not a known version; known versions are %s", strings.Join(known, ", ")).In("Svc-Version")
}
