package storetest

import (
	"cmp"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/lci"
	"cradle/internal/store"
)

// Of two records with one id the newer stays, whichever comes first, with all
// that belongs to it; if neither has an edition, the later import stays.
func newerEditionsStay(t *testing.T, open Open) {
	of := func(version, changed string, value float64) *library {
		l := example()
		for i := range l.processes {
			l.processes[i].Edition = lci.Edition{Version: version, Changed: changed}
		}
		l.methods[0].Version, l.methods[0].Changed = cmp.Or(version, lci.Unspecified), changed
		l.indicators[0].Edition = lci.Edition{Version: version, Changed: changed}
		l.exchanges[1].Value, l.factors[0].Value = value, value
		return l
	}
	for name, c := range map[string]struct {
		old, new *library
		later    bool // the later import stays
	}{
		"a higher version":        {of("01.00.009", "2024-01-01", 1), of("01.00.010", "2020-01-01", 2), false},
		"a later change":          {of("", "2020-01-01T00:00:00.000Z", 1), of("", "2024-01-01T00:00:00.000Z", 2), false},
		"a version of only one":   {of("01.00.009", "", 1), of("", "", 2), true},
		"neither says":            {of("", "", 1), of("", "", 2), true},
		"both say the same thing": {of("1.0", "2024-01-01", 1), of("1.0", "2024-01-01", 2), true},
	} {
		t.Run(name, func(t *testing.T) {
			forth, back := open(t), open(t)
			load(t, forth, c.old, ingest.Options{})
			load(t, forth, c.new, ingest.Options{})
			load(t, back, c.new, ingest.Options{})
			report := load(t, back, c.old, ingest.Options{})
			want := 2.0
			if input, factor := numbersOf(t, forth); input != want || factor != want {
				t.Errorf("after the newer: an input of %v, a factor of %v", input, factor)
			}
			if c.later {
				want = 1
			}
			if input, factor := numbersOf(t, back); input != want || factor != want {
				t.Errorf("after the older: an input of %v, a factor of %v, want %v", input, factor, want)
			}
			told := 0
			for _, w := range report.Warnings {
				if w.Class == ingest.Outdated {
					told++
				}
			}
			if want := map[bool]int{true: 0, false: len(c.old.processes) + 1}[c.later]; told < want || c.later && told > 0 {
				t.Errorf("%d records are told of: %v", told, report.Warnings)
			}
			expectSound(t, back)
		})
	}
}

// numbersOf are the input and the factor that the editions differ in.
func numbersOf(t *testing.T, s *store.Store) (input, factor float64) {
	t.Helper()
	of, all := example(), whole(t, s)
	for _, x := range all.exchanges {
		if x.ID == of.exchanges[1].ID {
			input = x.Value
		}
	}
	for _, f := range all.factors {
		if f.IndicatorID == of.factors[0].IndicatorID && f.FlowID == of.factors[0].FlowID {
			factor = f.Value
		}
	}
	return input, factor
}
