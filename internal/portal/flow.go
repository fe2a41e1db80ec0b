package portal

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"cradle/internal/library"
)

// flowChart shows the inputs of a process on the left and its outputs on the
// right. The width of a band is its share of the amounts in its unit.
type flowChart struct {
	Height, Middle, BoxTop, BoxHeight float64
	Bands                             []flowBand
	LeftOut                           int // flows too many to draw
}

type flowBand struct {
	Name, Amount   string
	Full           string
	Right          bool
	Type           string
	Product        bool
	TextX, Y       float64
	FromX, ToX     float64
	FromY, ToY     float64
	BendX1, BendX2 float64
	Width          float64
}

const (
	mostBands  = 12 // on a side
	bandStep   = 40.0
	widestBand = 22.0
	leftEnd    = 230.0
	rightEnd   = 530.0
	boxLeft    = 330.0
	boxRight   = 430.0
	mostName   = 30
)

// newFlowChart draws the revealed exchanges; nil if there are none.
func newFlowChart(p library.Process) *flowChart {
	in, out := shown(p.Inputs), shown(p.Outputs)
	if len(in)+len(out) == 0 {
		return nil
	}
	widest := map[string]float64{}
	for _, x := range slices.Concat(in, out) {
		widest[x.Unit] = max(widest[x.Unit], math.Abs(*x.Number.Value))
	}
	c := &flowChart{LeftOut: max(0, len(in)-mostBands) + max(0, len(out)-mostBands)}
	in, out = in[:min(len(in), mostBands)], out[:min(len(out), mostBands)]
	c.Height = float64(max(len(in), len(out)))*bandStep + 16
	c.Middle = c.Height / 2
	c.BoxHeight = max(64, min(c.Height-16, 150))
	c.BoxTop = c.Middle - c.BoxHeight/2
	c.side(in, false, widest)
	c.side(out, true, widest)
	return c
}

// shown are the exchanges with a number, the largest of each kind first.
func shown(all []library.Exchange) []library.Exchange {
	var some []library.Exchange
	for _, x := range all {
		if x.Number.Value != nil {
			some = append(some, x)
		}
	}
	slices.SortStableFunc(some, func(a, b library.Exchange) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(math.Abs(*b.Number.Value), math.Abs(*a.Number.Value)))
	})
	return some
}

func rank(x library.Exchange) int {
	switch {
	case x.Product:
		return 0
	case x.Type == "intermediate":
		return 1
	case x.Type == "waste":
		return 2
	}
	return 3
}

func (c *flowChart) side(rows []library.Exchange, right bool, widest map[string]float64) {
	top := c.Middle - float64(len(rows))*bandStep/2 + bandStep/2
	gap := c.BoxHeight / float64(len(rows)+1)
	for i, x := range rows {
		value := *x.Number.Value
		b := flowBand{Name: clipped(x.Name), Full: x.Name, Amount: shortValue(&value) + " " + x.Unit, Right: right, Type: string(x.Type), Product: x.Product}
		if most := widest[x.Unit]; most > 0 {
			b.Width = max(1.5, math.Abs(value)/most*widestBand)
		}
		b.Y = top + float64(i)*bandStep
		edge := c.BoxTop + float64(i+1)*gap
		if right {
			b.FromX, b.FromY, b.ToX, b.ToY, b.TextX = boxRight, edge, rightEnd, b.Y, rightEnd+8
		} else {
			b.FromX, b.FromY, b.ToX, b.ToY, b.TextX = leftEnd, b.Y, boxLeft, edge, leftEnd-8
		}
		b.BendX1 = b.FromX + (b.ToX-b.FromX)/2
		b.BendX2 = b.BendX1
		c.Bands = append(c.Bands, b)
	}
}

func clipped(name string) string {
	if utf8.RuneCountInString(name) <= mostName {
		return name
	}
	return string([]rune(name)[:mostName-1]) + "…"
}
