package inventory

import "testing"

// Global factors are stored; those for places are reported in one note.
func TestFactorsOfPlaces(t *testing.T) {
	r := built(t, there{}, func(b *Builder) {
		for _, key := range []string{"so2", "nox", "nh3"} {
			b.Flow(Flow{Key: key, Name: key, Kind: Elementary, Unit: "kg"})
		}
		b.Method(Method{Key: "m", Name: "M"})
		b.Indicator(Indicator{Key: "ap", Method: "m", Name: "AP", Unit: "mol H+ eq", Factors: []Factor{
			{Flow: "so2", Amount: 1, Location: "DE"}, {Flow: "so2", Amount: 2, Location: "GLO"}, {Flow: "so2", Amount: 3, Location: "FR"},
			{Flow: "nox", Amount: 4}, {Flow: "nox", Amount: 5, Location: "DE"}, {Flow: "nh3", Amount: 6, Location: "DE"},
		}})
		b.Indicator(Indicator{Key: "ep", Method: "m", Name: "EP", Unit: "mol N eq", Factors: []Factor{{Flow: "nh3", Amount: 7, Location: "World"}}})
	})
	if len(r.factors) != 3 || r.factors[0].Value != 2 || r.factors[1].Value != 4 || r.factors[2].Value != 7 {
		t.Errorf("%+v", r.factors)
	}
	const want = "4 factors are for single locations and are left out (DE 3, FR 1); 1 flows have only such factors under an indicator, and count as 0 there"
	if len(r.notes) != 1 || r.notes[0].Message != want {
		t.Errorf("%v", r.notes)
	}
}
