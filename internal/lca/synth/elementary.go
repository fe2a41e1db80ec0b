package synth

import (
	"math"

	"cradle/internal/lca"
)

// elementary writes the flows of every process.
func (g *generator) elementary() *lca.Matrix {
	b := lca.NewBuilder(Flows, g.n)
	popular := zipf(Flows, 1.1)
	for j, p := range g.processes {
		for range int(g.lognormal(2.9, 0.9)) {
			b.Add(draw(g.random, popular), j, g.lognormal(-3, 3)*p.price)
		}
	}
	return must(b)
}

// factors writes the characterization factors.
func (g *generator) factors(indicators int) *lca.Matrix {
	c := lca.NewBuilder(indicators, Flows)
	for k := range indicators {
		count := int(math.Min(Flows, 1+g.lognormal(4.5, 1.5)))
		for _, flow := range g.random.Perm(Flows)[:count] {
			factor := g.lognormal(0, 3)
			if g.chance(0.02) {
				factor = -factor
			}
			c.Add(k, flow, factor)
		}
	}
	return must(c)
}
