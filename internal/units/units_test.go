package units

import "testing"

func TestFactor(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     float64
	}{
		{"g", "kg", 1e-3}, {"kilogram", "kg", 1}, {"Mg", "mg", 1e9}, {"lb", "kg", 0.45359237}, {"short ton", "t", 0.90718474}, {"µg", "g", 1e-6},
		{"kWh", "MJ", 3.6}, {"kilowatt hour", "megajoule", 3.6}, {"MJ", "kWh", 1 / 3.6}, {"Btu", "kJ", 1.05505585262}, {"MMBtu", "MJ", 1055.05585262}, {"kW*h", "kWh", 1},
		{"m³", "l", 1000}, {"Nm3", "m3", 1}, {"gal", "l", 3.785411784}, {"cubic meter", "m3", 1}, {"cm3", "ml", 1}, {"bbl", "gal", 42},
		{"ha", "m2", 1e4}, {"ft2", "m2", 0.09290304}, {"square meter", "m2", 1}, {"m²", "cm2", 1e4}, {"km2*a", "m2a", 1e6},
		{"m2*a", "m2a", 1}, {"square meter-year", "m2*a", 1}, {"m2*year", "m2a", 1}, {"m2*a", "m2*d", 365}, {"ha a", "m2a", 1e4},
		{"ton kilometer", "t*km", 1}, {"tkm", "kg*km", 1000}, {"t*mi", "tkm", 1.609344}, {"metric ton*km", "tkm", 1}, {"kgkm", "tkm", 1e-3}, {"ton-mile", "tkm", 1.609344},
		{"pkm", "person kilometer", 1}, {"p*km", "person*km", 1}, {"vkm", "vehicle*km", 1}, {"Item(s)", "p", 1}, {"unit", "Item(s)", 1}, {"Dozen(s)", "item", 12},
		{"kBq", "Bq", 1000}, {"kilo Becquerel", "kBq", 1}, {"Ci", "kBq", 3.7e7}, {"h", "min", 60}, {"a", "d", 365}, {"year", "h", 8760}, {"hr", "h", 1},
		{"m3*a", "m3y", 1}, {"kg/m3", "g/l", 1}, {"MJ/kg", "GJ/t", 1}, {"EUR2003", "EUR2003", 1}, {"km", "m", 1000}, {"mile", "km", 1.609344}, {"my", "m*a", 1},
		{"KG", "kg", 1}, {"Kg", "g", 1000}, {"TOE", "MJ", 41868}, {"MW", "kW", 1000}, {"guest night", "person*d", 1}, {" kg ", "kg", 1},
	} {
		if got, ok := Factor(c.from, c.to); !ok || abs(got-c.want) > 1e-14*c.want {
			t.Errorf("%s in %s: %v, %v, want %v", c.from, c.to, got, ok, c.want)
		}
	}
}

func abs(v float64) float64 { return max(v, -v) }

func TestWhatCannotBeConverted(t *testing.T) {
	for _, c := range [][2]string{
		{"kg", "m3"}, {"vkm", "pkm"}, {"vkm", "km"}, {"kWh", "kW"}, {"EUR", "USD"}, {"EUR2003", "EUR2005"}, {"nonsense", "kg"}, {"", "kg"},
		{"mj", "kJ"}, {"kg SWU", "kg"}, {"kg", "kg/kg"}, {"t*t*t*t*t*t*t*t", "kg"}, {"/", "kg"}, {"kg/", "kg"}, {"Bq", "1/s"},
	} {
		if got, ok := Factor(c[0], c[1]); ok {
			t.Errorf("%s in %s: %v", c[0], c[1], got)
		}
	}
}

func TestMoney(t *testing.T) {
	for name, want := range map[string]bool{
		"EUR": true, "EUR2003": true, "USD 2002": true, "M$ 2000": true, "$": true, "CHF 2005": true, "euro": true,
		"kg": false, "": false, "2000": false, "m3": false, "kWh": false,
	} {
		if IsMoney(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{"kg", "t*km", "kg/(m2*a)", "m²·a", "-", "a-a-a-a-a-a-a", "\xff", "/", "*/*"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		u, ok := Find(name)
		if !ok {
			return
		}
		if !(u.Factor > 0) {
			t.Errorf("%q: %v", name, u.Factor)
		}
		if k, ok := Factor(name, u.Name); u.Name != "" && ok && abs(k-1) > 1e-12 {
			t.Errorf("%q is %v of %q", name, k, u.Name)
		}
	})
}
