package sample

// The words that names are made of. A few are not ASCII, as in real libraries.
var (
	substances = []string{
		"Steel", "Stainless steel", "Cast iron", "Aluminium", "Aluminium alloy", "Copper", "Brass", "Bronze", "Zinc", "Lead",
		"Nickel", "Tin", "Magnesium alloy", "β-titanium alloy", "Silicon", "Glass fibre", "Carbon fibre", "Flat glass", "Borosilicate glass", "Portland cement",
		"Blast furnace cement", "Concrete", "Mortar", "Gypsum", "Lime", "Clay brick", "Ceramic tile", "Sand-lime brick", "Gravel", "Limestone",
		"Polyethylene", "Polypropylene", "Polystyrene", "Polyvinyl chloride", "Polyamide 6", "Polyamide 66", "Polycarbonate", "Polyurethane", "Epoxy resin", "Polyester resin",
		"Ethylene-propylene rubber", "Natural rubber", "Silicone", "Acrylic", "Bitumen", "Sawn timber", "Glued laminated timber", "Plywood", "Particle board", "Medium density fibreboard",
		"Kraft paper", "Corrugated board", "Cotton", "Wool", "Viscose", "Flax", "Hemp", "Rapeseed oil", "Palm oil", "Soybean meal",
		"Ammonia", "Nitric acid", "Sulfuric acid", "Sodium hydroxide", "Chlorine", "Hydrogen", "Methanol", "Ethanol", "Ethylene oxide", "Phenol",
		"Acetone", "Toluene", "Urea", "Potassium chloride", "Titanium dioxide", "Carbon black", "Activated carbon", "Lithium carbonate", "Graphite", "Rock wool",
	}
	forms = []string{
		"sheet", "bar", "tube", "wire", "profile", "plate", "foil", "granulate", "powder", "pellets",
		"billet", "ingot", "casting", "forging", "extrusion", "film", "board", "panel", "block", "mat",
		"fabric", "yarn", "solution", "suspension", "coating", "adhesive", "sealant", "foam", "membrane", "mesh",
	}
	treatments = []string{
		"hot-rolled", "cold-rolled", "galvanized", "anodized", "powder coated", "primary", "secondary", "recycled", "unalloyed", "low-alloyed",
		"bleached", "unbleached", "kiln-dried", "air-dried", "impregnated", "reinforced", "virgin", "post-consumer", "technical grade", "food grade",
		"electrolytic", "bio-based", "fossil", "organic", "conventional", "double-glazed", "tempered", "annealed", "expanded", "extruded",
	}
	stages   = []string{"at plant", "at regional storage", "at farm", "at mine", "at sawmill", "at refinery", "cradle to gate", "average mix"}
	grades   = []string{"grade A", "grade B", "grade 304", "grade 316", "class C25/30", "class C30/37", "type I", "type II", "S235", "S355"}
	lengths  = []string{"mm", "µm", "kg/m²", "g/m²", "MPa", "kg/m³"}
	regions  = []string{"DE", "FR", "IT", "ES", "PL", "SE", "NO", "CH", "AT", "NL", "BE", "GB", "US", "CA", "BR", "CN", "IN", "JP", "AU", "ZA", "RER", "GLO", "RoW"}
	rarities = []string{"hafnium-doped", "ytterbium-doped", "gallium-arsenide", "xylitol-based", "Łódź pilot plant"}

	organizations = []string{
		"Institute for Building Materials", "European Plastics Association", "World Metals Council", "National Life Cycle Database",
		"Federal Environment Agency", "Timber Research Centre", "Cement Industry Federation", "Chemical Data Consortium",
	}
	functionalUnits = []string{"1 kg", "1 m2", "1 m3", "1 t", "1 piece"}
	compartments    = []string{"technosphere", "industry", "construction", "agriculture"}
	techniques      = []string{"production", "market for", "treatment of", "recycling of", "extraction of", "transport of"}
)

// quantity is a property that materials have, or an impact that processes have.
type quantity struct{ name, unit string }

var (
	propertyKinds = []quantity{
		{"Density", "kg/m3"}, {"Thermal conductivity", "W/(m.K)"}, {"Specific heat capacity", "J/(kg.K)"}, {"Lower heating value", "MJ/kg"},
		{"Carbon content", "kg/kg"}, {"Biogenic carbon content", "kg/kg"}, {"Water content", "kg/kg"}, {"Recycled content", "%"},
		{"Tensile strength", "MPa"}, {"Elastic modulus", "GPa"}, {"Price per mass", "EUR/kg"}, {"Ash content", "kg/kg"},
	}
	impactKinds = []quantity{
		{"Climate change", "kg CO2 eq"}, {"Acidification", "mol H+ eq"}, {"Ozone depletion", "kg CFC-11 eq"}, {"Freshwater eutrophication", "kg P eq"},
	}
)
