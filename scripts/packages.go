//go:build ignore

// Packages draws which package of the project imports which, from the imports
// themselves: go run scripts/packages.go > docs/packages.svg
//
// A package is above those it imports. Lines implied by others are omitted, and
// so are packages that only tests use.
package main

import (
	"cmp"
	"fmt"
	"log"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

var forTests = []string{"internal/contract", "internal/layering", "internal/pgtest", "internal/store/storetest",
	"internal/export/exporttest", "internal/ingest/ingesttest", "internal/lca/synth"}

const (
	boxWidth, boxHeight = 92, 26
	gapX, gapY          = 14, 46
	margin              = 16
)

type graph map[string]map[string]bool

func main() {
	imports, err := readImports()
	if err != nil {
		log.Fatal(err)
	}
	rows := imports.rows()
	imports.reduce()
	draw(rows, imports)
}

// readImports finds the imports of every package within the project; packages
// below a folder of internal count as that folder.
func readImports() (graph, error) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./cmd/...", "./client/...", "./internal/...").Output()
	if err != nil {
		return nil, err
	}
	g := graph{}
	for line := range strings.Lines(string(out)) {
		var all []string
		for _, path := range strings.Fields(line) {
			if path, own := strings.CutPrefix(path, "cradle/"); own && path != "docs" && !slices.ContainsFunc(forTests, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") }) {
				all = append(all, name(path))
			} else if len(all) == 0 {
				break // a package that only tests use
			}
		}
		for i, imported := range all {
			if i == 0 && g[imported] == nil {
				g[imported] = map[string]bool{}
			} else if imported != all[0] {
				g[all[0]][imported] = true
			}
		}
	}
	return g, nil
}

func name(path string) string {
	if inside, ok := strings.CutPrefix(path, "internal/"); ok {
		inside, _, _ = strings.Cut(inside, "/")
		return inside
	}
	return path
}

// rows puts every package one row above the highest that it imports.
func (g graph) rows() [][]string {
	level := map[string]int{}
	var of func(string) int
	of = func(p string) int {
		if known, ok := level[p]; ok {
			return known
		}
		level[p] = 0
		for imported := range g[p] {
			level[p] = max(level[p], of(imported)+1)
		}
		return level[p]
	}
	var rows [][]string
	for p := range g {
		for len(rows) <= of(p) {
			rows = append(rows, nil)
		}
		rows[of(p)] = append(rows[of(p)], p)
	}
	slices.Reverse(rows)
	g.order(rows)
	return rows
}

// order moves packages towards those that import them, so that fewer lines cross.
func (g graph) order(rows [][]string) {
	place := map[string]float64{}
	for _, row := range rows {
		middle := func(p string) float64 {
			sum, n := 0.0, 0.0
			for importer, imported := range g {
				if at, placed := place[importer]; placed && imported[p] {
					sum, n = sum+at, n+1
				}
			}
			return sum / max(n, 1)
		}
		slices.SortFunc(row, func(a, b string) int { return cmp.Or(cmp.Compare(middle(a), middle(b)), cmp.Compare(a, b)) })
		for i, p := range row {
			place[p] = (float64(i) + 0.5) / float64(len(row))
		}
	}
}

// reduce drops an import that another import brings with it.
func (g graph) reduce() {
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		for next := range g[from] {
			if next == to || reaches(next, to) {
				return true
			}
		}
		return false
	}
	for p, imported := range g {
		for direct := range imported {
			for other := range imported {
				if other != direct && reaches(other, direct) {
					delete(g[p], direct)
					break
				}
			}
		}
	}
}

func draw(rows [][]string, g graph) {
	widest := 0
	for _, row := range rows {
		widest = max(widest, len(row))
	}
	width := 2*margin + widest*(boxWidth+gapX) - gapX
	height := 2*margin + len(rows)*(boxHeight+gapY) - gapY
	type point struct{ x, y int }
	at := map[string]point{}
	for y, row := range rows {
		left := (width - len(row)*(boxWidth+gapX) + gapX) / 2
		for x, p := range row {
			at[p] = point{left + x*(boxWidth+gapX), margin + y*(boxHeight+gapY)}
		}
	}
	fmt.Printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" text-anchor="middle">`+"\n", width, height)
	fmt.Println(`<title>The packages of Cradle: each imports those below it that a line leads to</title>`)
	fmt.Printf(`<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	for _, row := range rows {
		for _, p := range row {
			for _, imported := range slices.Sorted(maps.Keys(g[p])) {
				a, b := at[p], at[imported]
				fmt.Printf(`<path d="M%d %dC%d %d %d %d %d %d" fill="none" stroke="#8a94a6"/>`+"\n", a.x+boxWidth/2, a.y+boxHeight,
					a.x+boxWidth/2, a.y+boxHeight+gapY, b.x+boxWidth/2, b.y-gapY, b.x+boxWidth/2, b.y)
			}
		}
	}
	for _, row := range rows {
		for _, p := range row {
			fmt.Printf(`<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="#eef3f8" stroke="#35506b"/><text x="%d" y="%d">%s</text>`+"\n",
				at[p].x, at[p].y, boxWidth, boxHeight, at[p].x+boxWidth/2, at[p].y+boxHeight/2+4, p)
		}
	}
	fmt.Println(`</svg>`)
}
