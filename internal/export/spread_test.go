package export

import (
	"math"
	"testing"

	"cradle/internal/lci"
)

// How amounts spread comes back from every format, and how a process is classified
// from those that have a place for it.
func TestSpreadsAreReadAgain(t *testing.T) {
	from := hard()
	n := func(v float64) *float64 { return &v }
	spreads := []lci.Exchange{
		{Distribution: lci.Normal, Mean: n(4), StandardDeviation: n(0.5)},
		{Distribution: lci.Triangular, Mean: n(5), Minimum: n(2), Maximum: n(9)},
		{Distribution: lci.Uniform, Minimum: n(3), Maximum: n(7)},
		{Distribution: lci.Normal},
	}
	want := map[lci.ID]lci.Exchange{}
	for i := range spreads {
		x := &from.exchanges[4+i] // what Mill exchanges in the units of the flows
		x.Distribution, x.Mean, x.StandardDeviation, x.Minimum, x.Maximum = spreads[i].Distribution, spreads[i].Mean, spreads[i].StandardDeviation, spreads[i].Minimum, spreads[i].Maximum
		want[x.ID] = *x
	}
	from.processes[0].Classification, from.processes[0].Region = "metals", ""
	from.flows[0].Classification = "steels"
	for _, format := range []string{"jsonld", "ecospold2", "xlsx"} {
		t.Run(format, func(t *testing.T) {
			again := reread(t, format, written(t, format, from))
			found := 0
			for _, x := range again.exchanges {
				w, spread := want[x.ID]
				if !spread || w.Distribution == lci.Normal && w.Mean == nil {
					continue
				}
				found++
				if x.Distribution != w.Distribution || !same(x.Minimum, w.Minimum) || !same(x.Maximum, w.Maximum) || w.StandardDeviation != nil && !same(x.StandardDeviation, w.StandardDeviation) {
					t.Errorf("%s: %s %v %v %v, want %s", x.Name, x.Distribution, x.Minimum, x.Maximum, x.StandardDeviation, w.Distribution)
				}
			}
			for _, p := range again.processes {
				if p.ID == from.processes[0].ID && format != "xlsx" && p.Classification != "metals" {
					t.Errorf("%s is classified as %q", p.Name, p.Classification)
				}
			}
			if found != 3 {
				t.Errorf("%d of 3 exchanges with a spread", found)
			}
		})
	}
}

func same(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(*a-*b) < 1e-9
}
