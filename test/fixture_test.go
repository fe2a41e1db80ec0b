package test

// The ids of the library that most tests run on.
var (
	steel  = uid("a0a0a0a0", 1) // every cell filled
	water  = uid("a0a0a0a0", 2) // only a name, no properties
	scrap  = uid("a0a0a0a0", 3) // deleted
	copper = uid("a0a0a0a0", 4)
	alloy  = uid("a0a0a0a0", 5) // restricted to one team

	density      = uid("b0b0b0b0", 1) // of steel, costs 2
	carbon       = uid("b0b0b0b0", 2) // of steel, costs the default
	strength     = uid("b0b0b0b0", 3) // of steel, costs 5
	ghost        = uid("b0b0b0b0", 4) // of steel, deleted
	conductivity = uid("b0b0b0b0", 5) // of copper, costs 1
	freebie      = uid("b0b0b0b0", 6) // of copper, costs 0
	scrapShare   = uid("b0b0b0b0", 7) // of scrap
	hardness     = uid("b0b0b0b0", 8) // of alloy

	rolling  = uid("c0c0c0c0", 1) // aggregated, one product, costs 3
	refinery = uid("c0c0c0c0", 2) // disaggregated, three products, each costs 1
	blending = uid("c0c0c0c0", 3) // only what is required; one product, which is also one of refinery
	oldMill  = uid("c0c0c0c0", 4) // deleted
	newMill  = uid("c0c0c0c0", 5) // restricted to one team
	mixing   = uid("c0c0c0c0", 6) // consumes a restricted material
	forging  = uid("c0c0c0c0", 7) // its product is a material without a flow id

	coil     = uid("f0f0f0f0", 1) // product of rolling
	diesel   = uid("f0f0f0f0", 2) // products of refinery
	petrol   = uid("f0f0f0f0", 3)
	naphtha  = uid("f0f0f0f0", 4)
	coke     = uid("f0f0f0f0", 5) // product of oldMill
	ingot    = uid("f0f0f0f0", 6) // product of newMill
	mixture  = uid("f0f0f0f0", 7) // product of mixing
	co2      = uid("f0f0f0f0", 20)
	slag     = uid("f0f0f0f0", 21)
	crude    = uid("f0f0f0f0", 22)
	river    = uid("f0f0f0f0", 23)
	steelIn  = uid("f0f0f0f0", 24)
	scrapIn  = uid("f0f0f0f0", 25)
	alloyIn  = uid("f0f0f0f0", 26)
	sulphur  = uid("f0f0f0f0", 27)
	copperIn = uid("f0f0f0f0", 28)

	ipcc   = uid("d0d0d0d0", 1) // two rows on rolling, one on refinery
	ef31   = uid("d0d0d0d0", 2) // one row on rolling, two on refinery
	ef30   = uid("d0d0d0d0", 3) // one row on rolling, which is deleted
	recipe = uid("d0d0d0d0", 4) // no rows

	gwpRolling    = uid("e0e0e0e0", 1)
	gtpRolling    = uid("e0e0e0e0", 2)
	acidRolling   = uid("e0e0e0e0", 3)
	deletedImpact = uid("e0e0e0e0", 4)
	gwpRefinery   = uid("e0e0e0e0", 5)
	acidRefinery  = uid("e0e0e0e0", 6)
	ozoneRefinery = uid("e0e0e0e0", 7)
	gwpNewMill    = uid("e0e0e0e0", 8)

	unknown = uid("deadbeef", 1) // nothing has this id
)

// publicLibrary is what every team sees. In exchanges.csv references come after
// other outputs on purpose: answers put them first.
func publicLibrary() library {
	return library{
		materials: []material{
			{ID: steel, Name: "Steel, hot rolled coil", Source: "https://example.org/steel", Organization: "Institute of Metals",
				FunctionalUnit: "1 kg", Compartment: "Technosphere", Regions: "RNA", Date: "2020-07-01"},
			{ID: water, Name: "Water"},
			{ID: scrap, Name: "Scrap", Deleted: "true"},
			{ID: copper, Name: "Copper, \"cathode\"", Deleted: "false"},
		},
		properties: []property{
			{ID: density, Material: steel, Name: "Density", Value: "7850", Unit: "kg/m3", Mean: "7840.5", Deviation: "12.25",
				Description: "Mass by volume,\nat 20 °C", Source: "https://example.org/density", Organization: "Bureau of Measures", Date: "2019-12-31", Price: "2"},
			{ID: carbon, Material: steel, Name: "Carbon content", Value: "0.1", Unit: "%"},
			{ID: strength, Material: steel, Name: "Yield strength", Value: "-1.7976931348623157e308", Unit: "Pa", Mean: "5e-324", Price: "5"},
			{ID: ghost, Material: steel, Name: "Ghost", Value: "666", Unit: "1", Deleted: "true"},
			{ID: conductivity, Material: copper, Name: "Conductivity", Value: "59600000.123456789", Unit: "S/m", Price: "1"},
			{ID: freebie, Material: copper, Name: "Atomic number", Value: "29", Unit: "1", Price: "0"},
			{ID: scrapShare, Material: scrap, Name: "Share", Value: "0.5", Unit: "1"},
		},
		materialImpacts: []materialImpact{
			{ID: uid("adadadad", 1), Property: density, Method: ipcc, Category: "Climate change", Indicator: "GWP100", Value: "2.125", Unit: "kg CO2-eq"},
			{ID: uid("adadadad", 2), Property: density, Method: ef31, Indicator: "AP", Value: "0.01", Unit: "mol H+-eq"},
			{ID: uid("adadadad", 3), Property: carbon, Method: ipcc, Category: "Climate change", Indicator: "GWP100", Value: "0", Unit: "kg CO2-eq"},
		},
		methods: []method{
			{ID: recipe, Name: "ReCiPe", Version: "2016"},
			{ID: ef31, Name: "EF", Version: "3.1"},
			{ID: ef30, Name: "ef", Version: "3.0"},
			{ID: ipcc, Name: "IPCC", Version: "2021"},
		},
		processes: []process{
			{ID: rolling, Name: "Hot rolling, steel", Description: "From slab to coil", Source: "https://example.org/a;https://example.org/b",
				Organization: "Institute of Metals", Region: "RNA", Boundary: "Aggregated", FunctionalUnit: "1 kg of coil", Date: "2021-02-03", Price: "3"},
			{ID: refinery, Name: "Refinery", Boundary: "Disaggregated"},
			{ID: blending, Name: "Blending"},
			{ID: oldMill, Name: "Old mill", Deleted: "true"},
			{ID: forging, Name: "Forging"},
		},
		exchanges: []exchange{
			{ID: uid("ecececec", 1), Process: rolling, Direction: "output", Flow: slag, Name: "Slag", Value: "0.03", Unit: "kg", Type: "waste"},
			{ID: uid("ecececec", 2), Process: rolling, Direction: "input", Flow: steelIn, Material: steel, Name: "Steel slab", Value: "1.05", Unit: "kg", Mean: "1.04", Deviation: "0.002"},
			{ID: uid("ecececec", 3), Process: rolling, Direction: "input", Flow: scrapIn, Material: scrap, Name: "Scrap", Value: "0.2", Unit: "kg"},
			{ID: uid("ecececec", 4), Process: rolling, Direction: "input", Flow: river, Name: "Water, river", Value: "3.5", Unit: "m3", Type: "elementary"},
			{ID: uid("ecececec", 5), Process: rolling, Direction: "output", Flow: coil, Material: steel, Name: "Coil", Value: "1", Unit: "kg", Type: "intermediate", Reference: "true", Mean: "1.5", Deviation: "0.5"},
			{ID: uid("ecececec", 6), Process: rolling, Direction: "output", Flow: co2, Name: "Carbon dioxide", Value: "0.4", Unit: "kg", Type: "elementary"},

			{ID: uid("ecececec", 10), Process: refinery, Direction: "output", Flow: co2, Name: "Carbon dioxide", Value: "12", Unit: "kg", Type: "elementary"},
			{ID: uid("ecececec", 11), Process: refinery, Direction: "output", Flow: petrol, Name: "Petrol", Value: "40", Unit: "kg", Reference: "true"},
			{ID: uid("ecececec", 12), Process: refinery, Direction: "output", Flow: sulphur, Name: "Sulphur", Value: "2", Unit: "kg", Reference: "false"},
			{ID: uid("ecececec", 13), Process: refinery, Direction: "output", Flow: diesel, Name: "Diesel", Value: "55", Unit: "kg", Reference: "true"},
			{ID: uid("ecececec", 14), Process: refinery, Direction: "input", Flow: crude, Name: "Crude oil", Value: "110", Unit: "kg"},
			{ID: uid("ecececec", 15), Process: refinery, Direction: "output", Flow: naphtha, Name: "Naphtha", Value: "5", Unit: "kg", Reference: "true"},
			{ID: uid("ecececec", 16), Process: refinery, Direction: "input", Flow: steelIn, Material: steel, Name: "Steel, for pipes", Value: "0.5", Unit: "kg"},
			{ID: uid("ecececec", 17), Process: refinery, Direction: "input", Flow: steelIn, Material: steel, Name: "Steel, for tanks", Value: "0.25", Unit: "kg"},

			{ID: uid("ecececec", 20), Process: blending, Direction: "output", Flow: diesel, Name: "Diesel", Value: "1", Unit: "l", Reference: "true"},
			{ID: uid("ecececec", 21), Process: blending, Direction: "input", Flow: petrol, Name: "Petrol", Value: "0.1", Unit: "l", Provider: refinery},

			{ID: uid("ecececec", 30), Process: oldMill, Direction: "output", Flow: coke, Material: copper, Name: "Coke", Value: "1", Unit: "kg", Reference: "true"},
			{ID: uid("ecececec", 31), Process: oldMill, Direction: "input", Flow: steelIn, Material: steel, Name: "Steel", Value: "1", Unit: "kg"},

			{ID: uid("ecececec", 40), Process: forging, Direction: "output", Material: copper, Name: "Copper, forged", Value: "1", Unit: "kg", Reference: "true"},
			{ID: uid("ecececec", 41), Process: forging, Direction: "output", Flow: steelIn, Material: steel, Name: "Steel swarf", Value: "0.01", Unit: "kg", Type: "waste"},
		},
		impacts: []impact{
			{ID: gwpRolling, Process: rolling, Method: ipcc, Category: "Climate change", Indicator: "GWP100", Value: "2.5", Unit: "kg CO2-eq"},
			{ID: acidRolling, Process: rolling, Method: ef31, Indicator: "AP", Value: "0", Unit: "mol H+-eq"},
			{ID: gtpRolling, Process: rolling, Method: ipcc, Category: "Climate change", Indicator: "GTP100", Value: "-0.75", Unit: "kg CO2-eq"},
			{ID: deletedImpact, Process: rolling, Method: ef30, Indicator: "AP", Value: "9", Unit: "mol H+-eq", Deleted: "true"},
			{ID: gwpRefinery, Process: refinery, Method: ipcc, Category: "Climate change", Indicator: "GWP100", Value: "30", Unit: "kg CO2-eq"},
			{ID: acidRefinery, Process: refinery, Method: ef31, Category: "Acidification", Indicator: "AP", Value: "0.3", Unit: "mol H+-eq"},
			{ID: ozoneRefinery, Process: refinery, Method: ef31, Category: "Ozone depletion", Indicator: "ODP", Value: "1e-7", Unit: "kg CFC11-eq"},
		},
	}
}

// restrictedLibrary is imported for one team alone.
func restrictedLibrary() library {
	return library{
		materials:  []material{{ID: alloy, Name: "Alloy, secret"}},
		properties: []property{{ID: hardness, Material: alloy, Name: "Hardness", Value: "60", Unit: "HRC"}},
		processes:  []process{{ID: newMill, Name: "New mill"}},
		exchanges: []exchange{
			{ID: uid("ecececec", 50), Process: newMill, Direction: "output", Flow: ingot, Material: copper, Name: "Ingot", Value: "1", Unit: "kg", Reference: "true"},
			{ID: uid("ecececec", 51), Process: newMill, Direction: "input", Flow: steelIn, Material: steel, Name: "Steel", Value: "2", Unit: "kg"},
		},
		impacts: []impact{{ID: gwpNewMill, Process: newMill, Method: ipcc, Category: "Climate change", Indicator: "GWP100", Value: "4", Unit: "kg CO2-eq"}},
	}
}

// laterLibrary is public and refers to restricted records.
func laterLibrary() library {
	return library{
		processes: []process{{ID: mixing, Name: "Mixing", Price: "0"}},
		exchanges: []exchange{
			{ID: uid("ecececec", 60), Process: mixing, Direction: "output", Flow: mixture, Name: "Mixture", Value: "1", Unit: "kg", Reference: "true"},
			{ID: uid("ecececec", 61), Process: mixing, Direction: "input", Flow: alloyIn, Material: alloy, Name: "Additive", Value: "0.1", Unit: "kg"},
			{ID: uid("ecececec", 62), Process: mixing, Direction: "input", Flow: copperIn, Material: copper, Name: "Copper", Value: "0.9", Unit: "kg"},
		},
	}
}

func wholeLibrary() library {
	return publicLibrary().plus(restrictedLibrary()).plus(laterLibrary())
}
