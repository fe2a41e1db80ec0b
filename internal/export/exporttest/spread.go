package exporttest

import (
	"math"
	"testing"

	"cradle/internal/lci"
)

// Spreads checks that uncertainties survive being written and read again.
func (f Format) Spreads(t *testing.T) {
	t.Helper()
	from := Hard()
	n := func(v float64) *float64 { return &v }
	want := map[lci.ID]lci.Exchange{}
	for i, spread := range []lci.Exchange{
		{Distribution: lci.Normal, Mean: n(4), StandardDeviation: n(0.5)},
		{Distribution: lci.Triangular, Mean: n(5), Minimum: n(2), Maximum: n(9)},
		{Distribution: lci.Uniform, Minimum: n(3), Maximum: n(7)},
		{Distribution: lci.Normal}, // without parameters
	} {
		x := &from.Exchanges[4+i] // exchanges of Mill in the units of their flows
		x.Distribution, x.Mean, x.StandardDeviation, x.Minimum, x.Maximum = spread.Distribution, spread.Mean, spread.StandardDeviation, spread.Minimum, spread.Maximum
		if i < 3 {
			want[x.ID] = *x
		}
	}
	from.Processes[0].Region = ""
	for _, x := range f.Read(t, f.AsStored(t, &from.Rows)).Exchanges {
		w, spread := want[x.ID]
		if spread && (x.Distribution != w.Distribution || !near(x.Minimum, w.Minimum) || !near(x.Maximum, w.Maximum) || w.StandardDeviation != nil && !near(x.StandardDeviation, w.StandardDeviation)) {
			t.Errorf("%s: %s %v %v %v, want %s", x.Name, x.Distribution, x.Minimum, x.Maximum, x.StandardDeviation, w.Distribution)
		}
		delete(want, x.ID)
	}
	for _, x := range want {
		t.Errorf("%s is not read again", x.Name)
	}
}

func near(a, b *float64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(*a-*b) < 1e-9
}
