package jsonld

import "cradle/internal/export/exporttest"

// shapes are libraries that other programs would calculate differently if
// written as stored.
func shapes() map[string]*exporttest.Library {
	return map[string]*exporttest.Library{
		"inputs without a provider": exporttest.NewLibrary().Process("Coal", "makes coal 1 t", "emits co2 5000 g").Process("Plant", "makes power 2 kWh", "takes coal 500 kg", "emits co2 1 kg"),
		"an input of a flow that the provider does not make": exporttest.NewLibrary().Process("Coal", "makes coal 1 t", "emits co2 5 kg").
			Process("Plant", "makes power 2 kWh", "takes fuel 500 kg from Coal"),
		"one flow made in two units": exporttest.NewLibrary().Process("A", "makes gas 1 kg", "emits co2 1 kg").Process("B", "makes gas 1 m3", "emits co2 7 kg").
			Process("User", "makes use 1 p", "takes gas 2 kg from A", "takes gas 3 m3 from B"),
		"one flow made in kilograms and tonnes": exporttest.NewLibrary().Process("A", "makes gas 1 kg", "emits co2 1 kg").Process("B", "makes gas 1 t", "emits co2 7 kg").
			Process("User", "makes use 1 p", "takes gas 2 g from A", "takes gas 3 kg from B"),
		"a by-product that is a waste elsewhere": exporttest.NewLibrary().Process("Burning", "treats ash 1 kg", "emits co2 2 kg").
			Process("Factory", "makes x 1 p", "gives ash 2 kg", "emits co2 1 kg").Process("Stove", "makes heat 1 MJ", "discards ash 1 kg"),
		"allocated by mass": exporttest.NewLibrary().Process("Plant", "makes a 1 kg", "makes b 3000 g", "emits co2 2 kg", "extracts ore 4 kg").Process("User", "makes use 1 p", "takes b 3 kg"),
		"allocated by shares that do not come to 1": exporttest.NewLibrary().Process("Plant", "makes a 1 p share 0.3", "makes b 1 p share 0.3", "emits co2 2 kg").
			Process("User", "makes use 1 p", "takes b 3 p"),
		"causal factors": exporttest.NewLibrary().Process("Plant", "makes a 1 kg", "makes b 3 kg", "emits co2 2 kg", "takes coal 1 kg", "extracts ore 1 kg").
			Process("Coal", "makes coal 1 kg", "emits co2 8 kg").Process("User", "makes use 1 p", "takes b 3 kg").
			Causal("Plant", "a", 0.9, 0.2, 0.4).Causal("Plant", "b", 0.1, 0.8, 0.6),
		"an avoided input of several products": exporttest.NewLibrary().Process("Coal", "makes coal 2 kg", "emits co2 6 kg").
			Process("Plant", "makes a 1 kg", "makes b 3 kg", "emits co2 2 kg", "avoids coal 1 kg").Process("User", "makes use 1 p", "takes b 3 kg"),
		"an avoided input": exporttest.NewLibrary().Process("Coal", "makes coal 2 kg", "emits co2 6 kg").Process("Recycling", "makes service 1 p", "avoids coal 1 kg"),
		"a by-product":     exporttest.NewLibrary().Process("Plant", "makes a 1 kg", "gives b 3 kg", "emits co2 2 kg"),
		"a by-product of several products": exporttest.NewLibrary().Process("Plant", "makes a 1 kg", "makes b 1 kg", "gives c 2 kg", "emits co2 2 kg").
			Process("User", "makes use 1 p", "takes b 3 kg"),
		"more of a product": exporttest.NewLibrary().Process("Plant", "makes a 1 kg", "gives a 3 kg", "emits co2 2 kg").Process("User", "makes use 1 p", "takes a 1 kg"),
		"a treatment": exporttest.NewLibrary().Process("Burning", "treats waste -1 kg", "emits co2 2 kg").
			Process("Factory", "makes x 1 p", "discards waste 2000 g", "emits co2 1 kg"),
		"a treatment as a service":    exporttest.NewLibrary().Process("Burning", "treats waste 1 kg", "emits co2 2 kg").Process("Factory", "makes x 1 p", "discards waste 2 kg"),
		"a waste as a negative input": exporttest.NewLibrary().Process("Burning", "treats waste -1 kg", "emits co2 2 kg").Process("Factory", "makes x 1 p", "takes waste -2 kg"),
		"another waste given to a treatment": exporttest.NewLibrary().Process("Burning", "treats waste -1 kg", "emits co2 2 kg").
			Process("Factory", "makes x 1 p", "discards rubbish 2 kg from Burning"),
		"a flow that is made here and treated there": exporttest.NewLibrary().Process("Scrapping", "makes scrap -1 kg", "emits co2 2 kg").Process("Collection", "makes scrap 1 kg", "emits co2 9 kg").
			Process("Factory", "makes x 1 p", "gives scrap 2 kg", "takes scrap 5 kg from Collection"),
		"a treatment with a product": exporttest.NewLibrary().Process("Burning", "treats waste -1 kg share 0.75", "makes heat 3 MJ share 0.25", "emits co2 2 kg").
			Process("Factory", "makes x 1 p", "discards waste 2 kg", "takes heat 1 MJ"),
		"own consumption":    exporttest.NewLibrary().Process("Grid", "makes power 1 kWh", "takes power 0.2 kWh", "emits co2 4 kg"),
		"against nature":     exporttest.NewLibrary().Process("Mine", "makes x 1 kg", "extracts ore 3 kg", "emits ore 1 kg", "emits co2 -2 kg", "extracts co2 1 kg"),
		"a negative input":   exporttest.NewLibrary().Process("Coal", "makes coal 2 kg", "emits co2 6 kg").Process("Grid", "makes power 1 kWh", "takes coal -1 kg", "emits co2 1 kg"),
		"a cut-off":          exporttest.NewLibrary().Process("User", "makes y 1 p", "takes x 1 kg", "emits co2 1 kg", "emits co2 1 m3", "discards waste 1 kg"),
		"an absent provider": exporttest.NewLibrary().Process("User", "makes y 1 p", "takes x 1 kg from Nobody", "emits co2 1 kg").Process("Maker", "makes x 1 kg", "emits co2 1 kg"),
		"what cannot be shared": exporttest.NewLibrary().Process("Plant", "makes a 1 kg", "makes b 3 kWh", "emits co2 2 kg").
			Process("User", "makes use 1 p", "takes b 3 kWh", "emits co2 1 kg"),
		"a network that makes less than it takes": exporttest.NewLibrary().Process("A", "makes a 1 kg", "takes b 2 kg", "emits co2 1 kg").Process("B", "makes b 1 kg", "takes a 2 kg").
			Process("User", "makes use 1 p", "takes a 1 kg", "emits co2 1 kg").Process("Other", "makes x 1 kg", "emits co2 1 kg"),
		"a supplier without an inventory": exporttest.NewLibrary().Process("Idea", "makes x 2 kg").States("Idea", "Indicator", 5).Process("User", "makes y 1 p", "takes x 1 kg", "emits co2 1 kg"),
		"an emission with the id of a product": exporttest.NewLibrary().Process("Gas", "makes co2 1 kg", "emits co2 3 kg").
			Process("User", "makes y 1 p", "takes co2 1 kg", "emits co2 1 kg"),
		"two processes that supply each other": exporttest.NewLibrary().Process("X", "makes x 1 kg", "takes y 0.5 kg", "emits co2 1 kg").
			Process("Y", "makes y 1 kg", "takes x 0.5 kg", "extracts ore 2 kg"),
	}
}
