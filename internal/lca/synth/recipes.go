package synth

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"cradle/internal/lca"
)

// column is a process's inputs as shares of its price; so are the wastes it
// gives away.
type column map[int]float64

// fill writes the technosphere.
func (g *generator) fill() {
	g.a = lca.NewBuilder(g.n, g.n)
	hub := zipf(hubs, 1.15)
	for number := range g.products {
		g.products[number].recipe = g.recipe(number, hub)
	}
	for j, p := range g.processes {
		g.write(j, g.inputs(j, p, hub))
	}
}

// recipe is what the makers of a product have in common.
func (g *generator) recipe(number int, hub []float64) []ingredient {
	sector := number / sectorSize * sectorSize
	var recipe []ingredient
	for range 5 + int(g.lognormal(2.0, 0.7)) {
		from := g.ingredient(number, sector, hub)
		for !g.products[from].core {
			from = g.ingredient(number, sector, hub)
		}
		if from != number {
			recipe = append(recipe, ingredient{from, g.lognormal(0, 1.5)})
		}
	}
	return recipe
}

func (g *generator) ingredient(number, sector int, hub []float64) int {
	switch u := g.random.Float64(); {
	case u < 0.33:
		return draw(g.random, hub)
	case u < 0.83:
		return g.inSector(number, sector)
	default:
		return g.random.IntN(len(g.products))
	}
}

// inSector is mostly a product upstream, that is, with a smaller number.
func (g *generator) inSector(number, sector int) int {
	if number > sector && g.chance(0.85) {
		return sector + g.random.IntN(number-sector)
	}
	return min(sector+g.random.IntN(sectorSize), len(g.products)-1)
}

func (g *generator) inputs(j int, p process, hub []float64) column {
	in := column{}
	switch p.kind {
	case grid:
		g.gridInputs(in, p)
	case regionalGrid:
		for range g.between(8, 37) {
			in[g.grids[g.random.IntN(g.locations)][1]] += g.random.Float64()
		}
	case market:
		g.marketInputs(in, p)
	case plant, treatment:
		for range 3 + int(g.lognormal(1.0, 0.7)) {
			g.buy(in, p, draw(g.random, hub), g.lognormal(0, 1.5))
		}
		g.utilities(in, p)
	case transforming:
		for _, i := range g.products[p.product].recipe {
			if g.chance(0.97) {
				g.buy(in, p, i.product, i.share*(0.7+0.6*g.random.Float64()))
			}
		}
		g.utilities(in, p)
	}
	delete(in, j)
	return in
}

func (g *generator) gridInputs(in column, p process) {
	if p.level > 0 {
		in[g.grids[p.location][p.level-1]] = 1
		return
	}
	for _, plant := range g.plants[p.location] {
		in[plant] = g.random.Float64()
	}
	for range g.between(1, 4) {
		neighbour := (p.location + g.between(-6, 6) + g.locations) % g.locations
		in[g.grids[neighbour][0]] += 0.5 * g.random.Float64()
	}
}

func (g *generator) marketInputs(in column, p process) {
	for _, maker := range g.products[p.product].makers {
		in[maker] = 2 * g.random.Float64()
	}
	for range g.between(1, 5) {
		g.buy(in, p, g.random.IntN(transports), 0.05*g.random.Float64())
	}
}

// utilities are what nearly every process needs, and its wastes.
func (g *generator) utilities(in column, p process) {
	if g.chance(0.92) {
		in[g.electricity(p)] += g.lognormal(0, 1)
	}
	if g.chance(0.6) {
		g.buy(in, p, transports+g.random.IntN(heats), g.lognormal(0, 1))
	}
	if g.chance(0.7) {
		g.buy(in, p, hubs+g.random.IntN(factories), g.lognormal(-2, 1))
	}
	for range g.random.IntN(3) {
		in[g.wastes[g.random.IntN(len(g.wastes))]] += g.lognormal(-2, 1)
	}
}

func (g *generator) electricity(p process) int {
	if g.chance(0.15) {
		return g.regional[g.random.IntN(len(g.regional))]
	}
	return g.grids[p.location][1+g.random.IntN(2)]
}

// buy takes a product from the nearest market, or from its only producer.
func (g *generator) buy(in column, p process, number int, share float64) {
	if number >= len(g.products) {
		return
	}
	sellers := g.products[number].markets
	if len(sellers) == 0 {
		sellers = g.products[number].makers
	}
	if len(sellers) > 0 {
		in[sellers[p.location*len(sellers)/g.locations]] += share
	}
}

// write turns shares of the price into amounts.
func (g *generator) write(j int, in column) {
	p := g.processes[j]
	total := 0.2 + 0.79*g.random.Float64()
	switch p.kind {
	case market, regionalGrid:
		total = 0.9 + 0.09*g.random.Float64()
	case grid: // leaves room for the losses
		total = 0.9 + 0.06*g.random.Float64()
	}
	scale := 1.0
	if g.chance(0.02) {
		scale = math.Pow(10, float64(g.between(-3, 3)))
	}
	reference := scale
	if p.kind == treatment {
		reference = -scale
	}
	suppliers, sum := slices.Sorted(maps.Keys(in)), 0.0
	for _, i := range suppliers {
		sum += in[i]
	}
	avoided := g.chance(0.01)
	for _, i := range suppliers {
		amount := -in[i] / sum * total * p.price / g.processes[i].price * scale
		if g.processes[i].kind == treatment || avoided && g.chance(0.3) {
			amount = -amount
		}
		g.a.Add(i, j, amount)
	}
	g.a.Add(j, j, reference)
	if p.kind == grid {
		g.a.Add(j, j, -reference*(0.005+0.025*g.random.Float64()))
	} else if g.chance(0.01) {
		g.a.Add(j, j, -reference*(1-total)*g.random.Float64())
	}
}

// zipf returns the cumulative weights of ranks.
func zipf(n int, exponent float64) []float64 {
	weights, sum := make([]float64, n), 0.0
	for k := range weights {
		sum += math.Pow(float64(k+1), -exponent)
		weights[k] = sum
	}
	return weights
}

func draw(random *rand.Rand, cumulated []float64) int {
	u := random.Float64() * cumulated[len(cumulated)-1]
	low, high := 0, len(cumulated)-1
	for low < high {
		if mid := (low + high) / 2; cumulated[mid] < u {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
