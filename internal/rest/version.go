package rest

import (
	"strconv"
	"strings"

	"cradle/internal/gateway"
	"cradle/internal/library"
)

// version is everything that differs between versions of the interface. Handlers
// are written for the current version; older ones are described only here.
type version struct {
	materials list[library.Material]
	processes list[library.Process]
	// The single reads.
	material func(*library.Material) any
	property func(*library.Property) any
	process  func(*library.Process) any
	impact   func(*library.Impact) any
	// userCountOptional lets a pull leave userCount out; it counts as 1.
	userCountOptional bool
}

var versions = map[gateway.Version]version{
	gateway.Arrakis: {
		materials: list[library.Material]{item: as(materialItemOf), tail: totalAndMore},
		processes: list[library.Process]{item: as(processItemOf), tail: totalAndMore},
		material:  as(singleMaterialOf),
		property:  as(singlePropertyOf),
		process:   as(singleProcessOf),
		impact:    as(singleImpactOf),
	},
	gateway.Obsidian: {
		materials:         list[library.Material]{item: as(obsidianMaterialOf), tail: totalOnly},
		processes:         list[library.Process]{item: as(obsidianProcessOf), tail: moreOnly},
		material:          as(singleMaterialOf),
		property:          as(singlePropertyOf),
		process:           as(singleProcessOf),
		impact:            as(singleImpactOf),
		userCountOptional: true,
	},
}

// as makes a shape usable by any version.
func as[V, S any](shape func(*V) S) func(*V) any { return func(view *V) any { return shape(view) } }

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
