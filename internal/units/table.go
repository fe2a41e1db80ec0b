package units

import (
	"maps"
	"slices"
	"strings"
)

// dimension holds the exponents of a unit's base quantities. Counted things are
// kept apart: a vehicle is not a person.
type dimension struct {
	mass, length, time, amount, count, person, vehicle, activity, separation int8
}

func (d dimension) plus(e dimension) dimension {
	return dimension{d.mass + e.mass, d.length + e.length, d.time + e.time, d.amount + e.amount, d.count + e.count,
		d.person + e.person, d.vehicle + e.vehicle, d.activity + e.activity, d.separation + e.separation}
}

func (d dimension) minus(e dimension) dimension {
	return dimension{d.mass - e.mass, d.length - e.length, d.time - e.time, d.amount - e.amount, d.count - e.count,
		d.person - e.person, d.vehicle - e.vehicle, d.activity - e.activity, d.separation - e.separation}
}

var (
	mass          = dimension{mass: 1}
	length        = dimension{length: 1}
	area          = dimension{length: 2}
	volume        = dimension{length: 3}
	duration      = dimension{time: 1}
	energy        = dimension{mass: 1, length: 2, time: -2}
	power         = dimension{mass: 1, length: 2, time: -3}
	amount        = dimension{amount: 1}
	number        = dimension{count: 1}
	ratio         = dimension{}
	persons       = dimension{person: 1}
	vehicles      = dimension{vehicle: 1}
	radioactivity = dimension{activity: 1}
	separative    = dimension{separation: 1}
)

// Coherent units are kg, m, s, J, W, mol, Bq and single things.
const (
	inch   = 0.0254
	foot   = 0.3048
	mile   = 1609.344
	pound  = 0.45359237
	gallon = 0.003785411784 // of the US, for liquids
	bushel = 0.03523907016688
	hour   = 3600
	day    = 24 * hour
	year   = 365 * day
)

// metric units take prefixes.
var metric = []struct {
	dim      dimension
	factor   float64
	prefixes string
	names    string // the symbol, then words
}{
	{mass, 1e-3, "p n u m c d da h k M G T", "g|gram|grams"},
	{mass, 1e3, "k M G", "t|tonne|tonnes|metric ton|metric tons|ton|tons"},
	{length, 1, "n u m c d da h k", "m|meter|meters"},
	{volume, 1e-3, "u m c d da h k M G", "l|liter|liters"},
	{energy, 1, "m k M G T P E", "J|joule|joules"},
	{energy, hour, "k M G T", "Wh|watt hour|watt hours|watthour"},
	{power, 1, "m k M G T", "W|watt|watts"},
	{power, 1, "k M G", "Wp|watt peak"},
	{radioactivity, 1, "n u m k M G T P", "Bq|becquerel|bequerel|becquerels"},
	{radioactivity, 3.7e10, "p n u m k", "Ci|curie|curies"},
	{amount, 1, "n u m c k M", "mol|mole|moles"},
	{duration, 1, "m u n", "s|second|seconds"},
}

var prefixes = map[string]struct {
	word   string
	factor float64
}{
	"p": {"pico", 1e-12}, "n": {"nano", 1e-9}, "u": {"micro", 1e-6}, "m": {"milli", 1e-3}, "c": {"centi", 1e-2}, "d": {"deci", 1e-1},
	"da": {"deca", 1e1}, "h": {"hecto", 1e2}, "k": {"kilo", 1e3}, "M": {"mega", 1e6}, "G": {"giga", 1e9}, "T": {"tera", 1e12},
	"P": {"peta", 1e15}, "E": {"exa", 1e18},
}

// others take no prefixes.
var others = []struct {
	dim    dimension
	factor float64
	names  string
}{
	{mass, pound, "lb|lb av|lbs|pound|pounds|lbm"},
	{mass, pound / 16, "oz|oz av|ounce|ounces"},
	{mass, 2000 * pound, "sh tn|short ton|short tons|tn.sh|ton (US)|US ton|ton (short)|short tn"},
	{mass, 2240 * pound, "long tn|long ton|long tons|tn.lg|ton (UK)|ton (long)|imperial ton"},
	{mass, 100 * pound, "cwt|short hundredweight"},
	{mass, 112 * pound, "long hundredweight|cwt (UK)"},
	{mass, pound / 7000, "grain|gr|grains"},
	{mass, pound / 256, "dr (Av)|dram"},
	{mass, 24 * pound / 7000, "dwt|pennyweight"},
	{mass, 480 * pound / 7000, "oz t|troy ounce|ounce (troy)"},
	{mass, 2e-4, "ct|carat"},
	{separative, 1, "kg SWU|SWU|kgSWU"},
	{separative, 1e3, "t SWU"},

	{energy, 4186.8, "kcal|kilocalorie|kilocalories|kcal (IT)"},
	{energy, 4.1868, "cal|calorie|calories"},
	{energy, 4184, "kcal (th)"},
	{energy, 1055.05585262, "btu|Btu|BTU|british thermal unit|british thermal units"},
	{energy, 1055.05585262e3, "MBtu|kBtu|thousand btu"},
	{energy, 1055.05585262e6, "MMBtu|mmbtu|million btu"},
	{energy, 1055.05585262e15, "quad"},
	{energy, 1.05505585262e8, "therm|therms"},
	{energy, 29.3076e9, "TCE|tce|tonne coal equivalent"},
	{energy, 41.868e9, "TOE|toe|tonne oil equivalent|ton oil equivalent"},
	{energy, 41.868e6, "kgoe"},
	{power, 745.69987158227022, "hp|horsepower"},

	{length, inch, "in|inch|inches"},
	{length, foot, "ft|foot|feet"},
	{length, 3 * foot, "yd|yard|yards"},
	{length, mile, "mi|mile|miles"},
	{length, 1852, "nmi|nautical mile|nautical miles"},
	{length, 66 * foot, "ch|chain"},
	{length, 660 * foot, "fur|furlong"},
	{length, 6 * foot, "ftm|fathom"},
	{length, 4 * inch, "hh"},
	{length, 1e-6, "micron|um"},

	{area, 1e4, "ha|hectare|hectares"},
	{area, 100, "are|ares"},
	{area, 4046.8564224, "ac|acre|acres"},
	{area, inch * inch, "in2|square inch|square inches|sq.in"},
	{area, foot * foot, "ft2|square foot|square feet|sq.ft|sq ft"},
	{area, 9 * foot * foot, "yd2|square yard|square yards|sq.yd"},
	{area, mile * mile, "mi2|square mile|square miles|sq.mi"},
	{area, 1852 * 1852, "nmi2"},

	{volume, 1, "Nm3|normal cubic meter|Sm3|standard cubic meter|stere|st|m3 (n)"},
	{volume, inch * inch * inch, "in3|cubic inch|cubic inches|cu.in|cuin"},
	{volume, foot * foot * foot, "ft3|cubic foot|cubic feet|cu ft|cuft|cf|scf"},
	{volume, 1e3 * foot * foot * foot, "Mcf|mcf"},
	{volume, 27 * foot * foot * foot, "yd3|cubic yard|cubic yards|cu.yd|cuyd"},
	{volume, foot * foot * foot / 12, "board foot|board feet|bd ft|bdft|fbm"},
	{volume, 1e3 * foot * foot * foot / 12, "MBF|thousand board feet"},
	{volume, gallon, "gal|gal (US liq)|gal (US fl)|gal*|gallon|gallons|US gallon|gallon (US)"},
	{volume, 0.00440488377086, "gal (US dry)"},
	{volume, 0.00454609, "gal (Imp)|imperial gallon|gallon (UK)|UK gallon"},
	{volume, gallon / 4, "qt|qt (US liq)|quart"},
	{volume, bushel / 32, "qt (US dry)"},
	{volume, gallon / 8, "pt|pt (US fl)|pint"},
	{volume, bushel / 64, "pt (US dry)"},
	{volume, 0.00454609 / 8, "pt (Imp)"},
	{volume, gallon / 32, "gill"},
	{volume, gallon / 128, "US fl oz|fl oz|fluid ounce|fl oz (US)"},
	{volume, 0.00454609 / 160, "fl oz (Imp)"},
	{volume, gallon / 1024, "dr (Fl)"},
	{volume, 42 * gallon, "bbl|barrel|barrels|barrel (petroleum)"},
	{volume, 31 * gallon, "bl (US beer)"},
	{volume, 31.5 * gallon, "bl (US fl)"},
	{volume, 0.115627123584, "bl (US dry)"},
	{volume, 36 * 0.00454609, "bl (Imp)"},
	{volume, bushel, "bsh (US)|bushel|bu"},
	{volume, 8 * 0.00454609, "bsh (Imp)"},
	{volume, bushel / 4, "pk|peck"},
	{volume, 0.00454609 / 76800, "Imp.min."},
	{volume, 1233.48183754752, "acre foot|acre feet|ac ft"},

	{duration, 60, "min|minute|minutes"},
	{duration, hour, "h|hr|hrs|hour|hours"},
	{duration, day, "d|day|days"},
	{duration, 7 * day, "week|weeks|wk"},
	{duration, year / 12, "month|months|mo"},
	{duration, year, "a|y|yr|yrs|year|years|annum"},

	{radioactivity, 1e6, "Rutherford"},

	{number, 1, "Item(s)|item|items|p|piece|pieces|unit|units|u|pcs|pc|no|number|each|ea|LU|pig place|animal|head"},
	{number, 12, "Dozen(s)|dozen"},
	{number, 100, "hundred"},
	{number, 1000, "thousand items|1000 p|kp"},
	{ratio, 1, "dimensionless|-|1|ratio|fraction|kg/kg|mol/mol"},
	{ratio, 0.01, "%|percent|per cent"},
	{ratio, 1e-6, "ppm"},
	{ratio, 1e-9, "ppb"},
	{persons, 1, "person|persons|person(s)|people|capita|passenger|passengers|guest"},
	{vehicles, 1, "vehicle|vehicles|v|car"},
}

// short are names of products written without an operator, and of those whose
// parts alone mean something else.
var short = map[string]string{
	"t*km": "tkm|ton kilometer|ton km|tonkm|metric ton*km|tonne kilometer|tonnekilometer|ton-kilometer|t.km",
	"t*mi": "tmi|ton mile|ton-mile|tonne mile", "short ton*mi": "short ton mile|sh tn*mi|stmi", "t*nmi": "tnmi",
	"kg*km": "kgkm|kilogram kilometer", "kt*km": "ktkm", "lb*mi": "lbmi", "lb*nmi": "lbnmi",
	"person*km": "pkm|p*km|personkm|person kilometer|person-kilometer|passenger km|passenger kilometer|pass*km",
	"person*mi": "pmi|p*mi|personmi|person mile|passenger mile", "person*d": "guest night|person day|overnight stay",
	"vehicle*km": "vkm|v*km|vehicle kilometer|vehicle-kilometer|vehiclekm", "vehicle*mi": "vmi|v*mi|vehicle mile|VMT",
	"Item(s)*km": "Items*km|Item*km", "Item(s)*mi": "Items*mi|Item*mi", "Item(s)*nmi": "Items*nmi|Item*nmi",
	"m2*a":  "m2a|m2y|m2yr|m2year|square meter year|square meter-year|sqm a",
	"cm2*a": "cm2a|cm2y", "mm2*a": "mm2a", "km2*a": "km2a|km2y", "ha*a": "haa|hay|hectare year", "ft2*a": "ft2a", "mi2*a": "mi2a",
	"m2*d": "m2d|m2day", "acre*a": "acrea|acre year|acrey",
	"m3*a": "m3a|m3y|m3yr|m3year|cubic meter year|cubic meter-year", "m3*d": "m3d|m3day", "l*a": "la|ly|liter year", "l*d": "ld|lday", "cm3*a": "cm3a|cm3y",
	"m*a": "ma|my|meter year|meter-year", "km*a": "kma|kmy|kilometer year|kilometer-year", "mi*a": "mia|miy",
	"kg*a": "kga|kgy|kilogram year|kilogram-year", "kg*d": "kgd|kgday|kg*day", "g*a": "ga", "t*a": "ta|ty",
	"m3*km": "m3km", "l*km": "lkm", "person*a": "persona|person year", "person*h": "personh|person hour|working hour|labour hour",
	"Item(s)*a": "item year|unit*a|p*a",
}

const currencies = " $ € £ ¥ AUD BGN BRL CAD CHF CNY CZK DKK DOLLAR EEK EUR EURO EURO GBP HKD HRK HUF IDR INR ISK JPY KRW LTL LVL MXN MYR NOK NZD PLN RMB RON RUB SEK SGD THB TRY TWD US$ USD YEN YUAN ZAR "

func build() names {
	n := names{exact: map[string]Unit{}, folded: map[string]Unit{}}
	for _, o := range others {
		n.named(o.dim, o.factor, strings.Split(o.names, "|"))
	}
	for _, m := range metric {
		symbolAndWords := strings.Split(m.names, "|")
		n.named(m.dim, m.factor, symbolAndWords)
		for _, p := range strings.Fields(m.prefixes) {
			n.named(m.dim, m.factor*prefixes[p].factor, prefixed(p, symbolAndWords))
		}
	}
	for _, p := range strings.Fields("n u m c d da h k") {
		n.powers(p, prefixes[p].word, prefixes[p].factor)
	}
	n.powers("", "", 1)
	for _, expression := range slices.Sorted(maps.Keys(short)) {
		u, ok := n.expression(expression)
		if !ok {
			panic("units: " + expression)
		}
		u.Name = expression
		for _, name := range append(strings.Split(short[expression], "|"), expression) {
			n.add(u, name)
		}
	}
	return n
}

// named adds a unit under its names; the first is its canonical name.
func (n *names) named(d dimension, factor float64, all []string) {
	for _, name := range all {
		n.add(Unit{Name: all[0], Factor: factor, dim: d}, name)
	}
}

func prefixed(p string, symbolAndWords []string) []string {
	all := []string{p + symbolAndWords[0]}
	for _, word := range symbolAndWords[1:] {
		all = append(all, prefixes[p].word+word)
	}
	return all
}

// powers adds the areas and volumes of a metre with a prefix.
func (n *names) powers(symbol, word string, factor float64) {
	m, meter := symbol+"m", word+"meter"
	n.named(area, factor*factor, []string{m + "2", "square " + meter, "square " + meter + "s", "sq " + m, m + " sq"})
	n.named(volume, factor*factor*factor, []string{m + "3", "cubic " + meter, "cubic " + meter + "s", "cu " + m, "cb" + m})
}
