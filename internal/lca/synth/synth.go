// Package synth makes technospheres with the shape of large inventory libraries,
// for tests and benchmarks: locations with grids that import from one another,
// products with several producers and markets, sectors that buy mostly upstream,
// a few hubs that everyone buys from, waste treatment, avoided products, loops
// and units that span many decades.
package synth

import (
	"math"
	"math/rand/v2"

	"cradle/internal/lca"
)

// System is a library in matrix form.
type System struct{ A, B, C *lca.Matrix }

// Flows is the number of elementary flows in a system.
const Flows = 4000

// Make makes a system of n processes, at least 400, and some indicators. The same
// arguments give the same system.
func Make(n, indicators int, seed uint64) System {
	g := &generator{random: rand.New(rand.NewPCG(seed, 7)), n: n}
	g.lay()
	g.fill()
	return System{A: must(g.a), B: g.elementary(), C: g.factors(indicators)}
}

func must(b *lca.Builder) *lca.Matrix {
	m, err := b.Matrix()
	if err != nil {
		panic(err)
	}
	return m
}

// kind is what a process does.
type kind int

const (
	transforming kind = iota
	market
	plant
	grid
	regionalGrid
	treatment
)

// process is a column; its reference product is the row of the same index.
type process struct {
	kind     kind
	product  int // of transforming activities and markets
	location int
	level    int     // of a grid: 0 high voltage, 1 medium, 2 low
	price    float64 // hidden, of a unit of the reference product
}

// product is what several activities make and markets sell.
type product struct {
	makers, markets []int // processes
	core            bool  // others buy it
	recipe          []ingredient
}

type ingredient struct {
	product int
	share   float64
}

type generator struct {
	random    *rand.Rand
	n         int
	a         *lca.Builder
	processes []process
	products  []product
	locations int
	grids     [][3]int // of each location
	plants    [][]int
	regional  []int
	wastes    []int
}

const (
	sectorSize  = 60
	hubs        = 52 // the first products
	transports  = 8  // the first hubs
	heats       = 4  // the next ones
	factories   = 30 // the products after the hubs
	coreShare   = 0.40
	wasteShare  = 0.08
	gridsPerRun = 10 // locations to a regional grid
)

// lay decides which processes exist.
func (g *generator) lay() {
	g.locations = max(10, g.n*150/20000)
	for location := range g.locations {
		g.layLocation(location)
	}
	for range max(1, g.locations/gridsPerRun) {
		g.regional = append(g.regional, g.add(process{kind: regionalGrid}))
	}
	for range int(wasteShare * float64(g.n)) {
		g.wastes = append(g.wastes, g.add(process{kind: treatment, location: g.random.IntN(g.locations)}))
	}
	for len(g.processes) < g.n {
		g.layProduct()
	}
}

func (g *generator) add(p process) int {
	if p.price == 0 {
		p.price = g.lognormal(0, 3)
	}
	g.processes = append(g.processes, p)
	return len(g.processes) - 1
}

func (g *generator) layLocation(location int) {
	var grids [3]int
	for level := range grids {
		grids[level] = g.add(process{kind: grid, location: location, level: level, price: 0.1 * (1 + 0.1*float64(level))})
	}
	var plants []int
	for range g.between(5, 18) {
		plants = append(plants, g.add(process{kind: plant, location: location, price: 0.1}))
	}
	g.grids, g.plants = append(g.grids, grids), append(g.plants, plants)
}

// layProduct adds a product with as many of its producers and markets as there
// is room for.
func (g *generator) layProduct() {
	number := len(g.products)
	p := product{core: number < hubs+factories || g.random.Float64() < coreShare}
	price := g.lognormal(0, 3)
	left := g.n - len(g.processes)
	makers := 1
	for makers < 12 && g.chance(0.75) {
		makers++
	}
	for range min(makers, left) {
		p.makers = append(p.makers, g.add(process{product: number, location: g.random.IntN(g.locations), price: price}))
	}
	left = g.n - len(g.processes)
	for range min(g.between(1, 2), left) {
		p.markets = append(p.markets, g.add(process{kind: market, product: number, location: g.random.IntN(g.locations), price: price * 1.1}))
	}
	g.products = append(g.products, p)
}

func (g *generator) between(low, high int) int { return low + g.random.IntN(high-low+1) }

func (g *generator) lognormal(mu, sigma float64) float64 {
	return math.Exp(mu + sigma*g.random.NormFloat64())
}

func (g *generator) chance(p float64) bool { return g.random.Float64() < p }
