package test

import "testing"

// Who supplies a process with its own product.
func TestOwnConsumption(t *testing.T) {
	l := climate().
		with("Market for power", makes("Power", "1 kWh"), takes("Power", "1.1 kWh")).
		with("Power plant", makes("Power", "1 kWh"), emits("3 kg")).
		with("Town", makes("Light", "1 p"), takes("Power", "10 kWh")).
		with("Sugar mill", makes("Sugar", "2 kg"), takes("Sugar", "0.4 kg"), emits("4 kg")).
		with("Sweet shop", makes("Sweets", "1 kg"), takes("Sugar", "1 kg")).
		with("Named itself", makes("Heat", "2 MJ"), takes("Heat", "1 MJ").from("Named itself"), emits("1 kg")).
		with("Boiler", makes("Heat", "1 MJ"), emits("9 kg")).
		with("Blender", makes("Tea", "2 kg"), takes("Tea", "1 kg"), emits("1 kg")).
		with("Hill", makes("Tea", "1 kg"), emits("5 kg")).
		with("Garden", makes("Tea", "1 kg"), emits("6 kg")).
		with("Mine", makes("Ore", "1 kg"), takes("Ore", "0.9999995 kg"), emits("1 kg")).
		with("Greedy mine", makes("Gold", "1 kg"), takes("Gold", "2 kg"), emits("1 kg")).
		with("Better mine", makes("Salt", "1 kg"), takes("Salt", "0.999996185302734375 kg"), emits("1 kg"))
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		got := in.imports(t, l.write(t))
		checkNumbers(t, in, map[string]float64{
			"Market for power/CO2": 3.3, "Power plant/CO2": 3, "Town/CO2": 33,
			"Sugar mill/CO2": 5, "Sweet shop/CO2": 2.5,
			"Named itself/CO2": 2, "Boiler/CO2": 9,
			"Blender/CO2": 1, "Hill/CO2": 5, "Garden/CO2": 6,
			"Better mine/CO2": 1 << 18,
		})
		got.checkNoted(t, "ambiguous", "Tea")
		for _, mine := range []string{"Mine", "Greedy mine"} {
			if !got.names(mine) {
				t.Errorf("%s is not named: %+v", mine, got.Calculation.Notes)
			}
		}
	})
}

// Each case is one process, named for what it shows. It emits 10 kg besides.
func TestSigns(t *testing.T) {
	against := func(x exchange) exchange {
		x.Direction = map[string]string{"input": "output", "output": "input"}[x.Direction]
		return x
	}
	ore := exchange{Direction: "input", Flow: crude, Name: "Ore", Value: "5", Unit: "kg", Type: "elementary"}
	l := climate()
	l.factors = append(l.factors, factor{Indicator: l.indicators[0].ID, Flow: crude, Value: "100"})
	l.flows = append(l.flows, flow{ID: crude, Name: "Ore", Compartment: "resource/in ground", Unit: "kg"})
	l = l.
		with("Slag treatment", treats("Slag", "1 kg"), emits("2 kg")).
		with("Sludge treatment", treats("Sludge", "-1 kg"), emits("3 kg")).
		with("Ash treatment", treats("Ash", "1 kg"), wastes("Ash", "0.1 kg"), emits("9 kg")).
		with("Steel mill", makes("Steel", "1 kg"), emits("4 kg"))
	want := map[string]float64{"Slag treatment/CO2": 2, "Sludge treatment/CO2": 3, "Ash treatment/CO2": 10, "Steel mill/CO2": 4}
	for _, c := range []struct {
		name  string
		takes []exchange
		want  float64
	}{
		{"waste output", []exchange{wastes("Slag", "2 kg")}, 14},
		{"negative waste output", []exchange{wastes("Slag", "-2 kg")}, 6},
		{"waste output, treated as a negative amount", []exchange{wastes("Sludge", "2 kg")}, 16},
		{"negative waste output, treated as a negative amount", []exchange{wastes("Sludge", "-2 kg")}, 4},
		{"negative input of a waste", []exchange{takes("Slag", "-2 kg")}, 14},
		{"negative input of a waste, treated as a negative amount", []exchange{takes("Sludge", "-2 kg")}, 16},
		{"negative input", []exchange{takes("Steel", "-2 kg")}, 2},
		{"avoided product", []exchange{avoids("Steel", "2 kg")}, 2},
		{"negative avoided product", []exchange{avoids("Steel", "-2 kg")}, 18},
		{"inputs of both signs", []exchange{takes("Steel", "3 kg"), takes("Steel", "-2 kg")}, 14},
		{"emission taken in", []exchange{against(emits("4 kg"))}, 6},
		{"negative emission", []exchange{emits("-4 kg")}, 6},
		{"resource", []exchange{ore}, 510},
		{"resource given off", []exchange{against(ore)}, -490},
		{"resource taken in and given off", []exchange{ore, against(ore)}, 10},
		{"waste given off and avoided", []exchange{wastes("Slag", "2 kg"), wastes("Slag", "-1 kg")}, 12},
	} {
		l = l.with(c.name, append([]exchange{makes("Product: "+c.name, "1 kg"), emits("10 kg")}, c.takes...)...)
		want[c.name+"/CO2"] = c.want
	}
	l = l.with("more of one product", makes("Rope", "2 kg"), line("output", "Rope", "2 kg"), takes("Rope", "1 kg"), emits("6 kg"))
	want["more of one product/CO2"] = 4 // 3 kg are left, the row is for 2 kg
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		got := in.imports(t, l.write(t))
		checkNumbers(t, in, want)
		if got.Calculation.CutOffs != 0 {
			t.Errorf("cut off: %+v", got.Calculation.Notes)
		}
	})
}
