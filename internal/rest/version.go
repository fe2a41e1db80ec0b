package rest

import (
	"strconv"
	"strings"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

// version is everything in which a version of the interface differs. Handlers
// are written for the current version; an older one is described here and
// nowhere else.
type version struct {
	material      func(*library.Material) any // an item of the list
	process       func(*library.Process) any
	materialsTail func(library.Page) []byte // what follows a list's items
	processesTail func(library.Page) []byte
	// userCountOptional lets a pull leave userCount out; it counts as 1.
	userCountOptional bool
}

var versions = map[gateway.Version]version{
	gateway.Arrakis: {
		material:      func(m *library.Material) any { return materialItemOf(m) },
		process:       func(p *library.Process) any { return processItemOf(p) },
		materialsTail: totalAndMore,
		processesTail: totalAndMore,
	},
	gateway.Obsidian: {
		material:          func(m *library.Material) any { return obsidianMaterialOf(m) },
		process:           func(p *library.Process) any { return obsidianProcessOf(p) },
		materialsTail:     totalOnly,
		processesTail:     moreOnly,
		userCountOptional: true,
	},
}

func totalAndMore(p library.Page) []byte {
	tail := append([]byte(`],"total":`), strconv.Itoa(p.Total)...)
	tail = append(tail, `,"hasMore":`...)
	return append(strconv.AppendBool(tail, p.HasMore), '}')
}

func totalOnly(p library.Page) []byte {
	return append(strconv.AppendInt([]byte(`],"total":`), int64(p.Total), 10), '}')
}

func moreOnly(p library.Page) []byte {
	return append(strconv.AppendBool([]byte(`],"hasMore":`), p.HasMore), '}')
}

// obsidianMaterial is the older, shorter item of the list of materials.
type obsidianMaterial struct {
	ID                 string  `json:"id"`
	Name               string  `json:"name"`
	Source             string  `json:"source"`
	SourceOrganization string  `json:"sourceOrganization"`
	FunctionalUnit     string  `json:"functionalUnit"`
	Compartment        string  `json:"compartment"`
	DatePublished      *string `json:"datePublished"`
	Revealed           bool    `json:"revealed"`
}

func obsidianMaterialOf(m *library.Material) obsidianMaterial {
	return obsidianMaterial{
		ID: m.ID.String(), Name: m.Name, Source: m.Source, SourceOrganization: m.SourceOrganization,
		FunctionalUnit: m.FunctionalUnit, Compartment: m.Compartment, DatePublished: date(m.DatePublished), Revealed: m.Revealed,
	}
}

// obsidianProcess is the older, shorter item of the list of processes.
type obsidianProcess struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	Source         string  `json:"source"`
	Region         string  `json:"region"`
	FunctionalUnit string  `json:"functionalUnit"`
	DatePublished  *string `json:"datePublished"`
	Revealed       bool    `json:"revealed"`
}

func obsidianProcessOf(p *library.Process) obsidianProcess {
	return obsidianProcess{
		ID: p.ID.String(), Name: p.Name, Source: joinedSources(p), Region: p.Region,
		FunctionalUnit: p.FunctionalUnit, DatePublished: date(p.DatePublished), Revealed: p.Revealed,
	}
}

func joinedSources(p *library.Process) string { return strings.Join(p.Sources, "; ") }
