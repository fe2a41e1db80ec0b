package test

import (
	"path/filepath"
	"strings"
	"testing"
)

// A smelter and a power plant take more of each other's products than they make:
// m = 1 + 2p and p = 1 + m have a solution, a negative one. The foundry takes from
// the smelter, the fair from the foundry. A collector of scrap is credited with
// twice the alloy that is made of it, which takes nothing from anybody:
// a = 3 + s, s = 1 − 2a.
func unproductiveLibrary() library {
	return climate().
		with("Smelter", makes("Metal", "1 kg"), takes("Power", "2 kWh"), emits("1 kg")).
		with("Power plant", makes("Power", "1 kWh"), takes("Metal", "1 kg"), emits("1 kg")).
		with("Foundry", makes("Bell", "1 p"), takes("Metal", "1 kg"), emits("1 kg")).
		with("Fair", makes("Show", "1 p"), takes("Bell", "1 p"), takes("Tent", "1 p")).
		with("Tent maker", makes("Tent", "1 p"), takes("Alloy", "3 kg"), emits("5 kg")).
		with("Recycler", makes("Alloy", "1 kg"), takes("Scrap", "1 kg"), emits("3 kg")).
		with("Collector", makes("Scrap", "1 kg"), avoids("Alloy", "2 kg"), emits("1 kg"))
}

func TestUnproductiveNetworksHaveNoRows(t *testing.T) {
	healthy := map[string]float64{"Tent maker/CO2": 9, "Recycler/CO2": 4.0 / 3, "Collector/CO2": -5.0 / 3}
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		in.imports(t, unproductiveLibrary().write(t))
		checkNumbers(t, in, healthy)

		t.Run("until they are mended", func(t *testing.T) {
			in.imports(t, library{}.with("Smelter", makes("Metal", "1 kg"), takes("Power", "0.5 kWh"), emits("1 kg")).write(t))
			want := map[string]float64{"Smelter/CO2": 3, "Power plant/CO2": 4, "Foundry/CO2": 4, "Fair/CO2": 13}
			for name, score := range healthy {
				want[name] = score
			}
			checkNumbers(t, in, want)
			in.imports(t, unproductiveLibrary().write(t))
			checkNumbers(t, in, healthy)
			in.check(t)
		})
		t.Run("and nor have those without a solution", func(t *testing.T) {
			in.imports(t, library{}.with("Smelter", makes("Metal", "1 kg"), takes("Power", "1 kWh"), emits("1 kg")).write(t))
			checkNumbers(t, in, healthy)
		})
	})
}

func TestUnproductiveNetworksLeadTheReport(t *testing.T) {
	l := unproductiveLibrary()
	for i := range 3 {
		parts := []exchange{makes("Machine "+itoa(i), "1 p")}
		for j := range 1000 {
			parts = append(parts, takes("Part "+itoa(j)+" of machine "+itoa(i), "1 p"))
		}
		l = l.with("Assembly "+itoa(i), parts...)
	}
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e, "CRADLE_SECRET=0123456789abcdef") // without one a command warns where it is kept
		path, page := l.write(t), filepath.Join(t.TempDir(), "report.html")
		for _, args := range [][]string{{"import", path, "--report", page}, {"calculate"}} {
			shown := in.run(t, args...)
			if first, _, _ := strings.Cut(shown.stderr, "\n"); shown.status != 0 || !strings.Contains(first, "Smelter") || !strings.HasPrefix(first, "4 processes") {
				t.Errorf("%s: status %d, the first line is %q", args[0], shown.status, first)
			}
		}
		text := string(readFile(t, page))
		if worst, other := strings.Index(text, "Smelter"), strings.Index(text, "Part 0 of machine 0"); worst < 0 || other < worst {
			t.Errorf("the page has the smelter at %d and a part at %d", worst, other)
		}
		got := in.imports(t, path)
		if c := got.Causes; len(c) != 2 || c[0].Class != "unproductive" || c[0].Processes != 4 || c[1].Class != "unlinked" || c[1].Notes != 3000 {
			t.Errorf("causes: %+v", c)
		}
		if got.Calculation.CutOffs != 3000 {
			t.Errorf("%d inputs are cut off", got.Calculation.CutOffs)
		}
	})
}
