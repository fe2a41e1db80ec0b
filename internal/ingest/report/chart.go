package report

import (
	"fmt"

	"cradle/internal/flowmatch"
)

var colors = map[flowmatch.Route]string{
	flowmatch.ByID: "#1b5e4b", flowmatch.ByMapping: "#2f8f6f", flowmatch.ByCAS: "#3f7fbf", flowmatch.ByName: "#8ab4dc", flowmatch.BySynonym: "#d9a441",
}

var labels = map[flowmatch.Route]string{
	flowmatch.ByID: "the same id", flowmatch.ByMapping: "a mapping", flowmatch.ByCAS: "CAS number", flowmatch.ByName: "name", flowmatch.BySynonym: "a synonym",
}

// chart is a bar for each method: the share of the elementary exchanges with a
// factor, by route.
type chart struct {
	Height int
	Bars   []bar
}

type bar struct {
	Y, TextY int
	Name     string
	Percent  string
	Parts    []part
}

type part struct {
	X, Width string
	Color    string
	Title    string
}

// In the chart's own units, of which 600 make its width; page.html has them too.
const (
	barsAt   = 220.0
	barWidth = 320.0
	barPitch = 26
)

func newChart(all []flowmatch.Coverage) chart {
	c := chart{Height: len(all)*barPitch + 4}
	for i, of := range all {
		b := bar{Y: i*barPitch + 4, TextY: i*barPitch + 18, Name: shortened(of.Name + " " + of.Version), Percent: fmt.Sprintf("%.1f %%", 100*of.Exchanges.Of())}
		x := barsAt
		for _, r := range of.Routes {
			if r.Exchanges == 0 {
				continue
			}
			width := barWidth * float64(r.Exchanges) / float64(max(of.Exchanges.All, 1))
			b.Parts = append(b.Parts, part{X: fmt.Sprintf("%.2f", x), Width: fmt.Sprintf("%.2f", width), Color: colors[r.Route],
				Title: fmt.Sprintf("%s: %d exchanges of %d flows", labels[r.Route], r.Exchanges, r.Flows)})
			x += width
		}
		c.Bars = append(c.Bars, b)
	}
	return c
}

func shortened(name string) string {
	const most = 34
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}
