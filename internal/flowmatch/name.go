package flowmatch

import (
	"regexp"
	"strings"

	"cradle/internal/lci"
)

// name is a flow's name, normalised across nomenclatures.
type name struct {
	key    string
	others []string // other names within the name: "Methane, bromotrifluoro-, Halon 1301"
	origin origin
}

// origin is where carbon comes from. Flows of different origins are different
// flows: a factor of one is used for another only as origins allows.
type origin uint8

const (
	plain    origin = iota
	fossil          // "Carbon dioxide, fossil"
	biogenic        // "Methane, biogenic", "Carbon dioxide, non-fossil"
	land            // "Carbon dioxide, land transformation"
	uptake          // "Carbon dioxide, to soil or biomass stock"
)

// carbon are the substances whose names tell their origin. In other names the
// same words mean something else: "Water, fossil" is deep groundwater.
var carbon = map[string]bool{"carbon dioxide": true, "carbon monoxide": true, "methane": true}

// origins are those whose factor may be used for a flow, nearest first.
//
// Without an origin a flow counts as fossil if the method has no plain flow, as
// in nomenclatures that have both. Fossil flows and those from land use may be
// characterized as plain. So may biogenic ones: methane acts the same wherever
// it comes from. Not so carbon dioxide: a method with one plain factor means
// additions to the atmosphere, and to count biogenic carbon dioxide under it
// would be wrong more often than right; users who want it can write a mapping.
func (n name) origins() []origin {
	switch n.origin {
	case plain:
		return []origin{plain, fossil}
	case fossil:
		return []origin{fossil, plain}
	case land:
		return []origin{land, plain}
	case biogenic:
		if n.key != "carbon dioxide" {
			return []origin{biogenic, plain}
		}
	}
	return []origin{n.origin}
}

var (
	uptakeWords   = regexp.MustCompile(`[ ,(]+(to soil or bio(mass|genic) stock|resource correction)\)?`)
	biogenicWords = regexp.MustCompile(`[ ,(]+(non-? ?fossil|biogenic(-100yr)?|from biomass|biotic)\)?`)
	landWords     = regexp.MustCompile(`[ ,(]+(land transformation|land use change|land use|luluc|luc|from soil or bio(mass|genic) stock|peat oxidation)\)?`)
	fossilWords   = regexp.MustCompile(`[ ,(]+fossil( origin)?\)?`)
)

var spelling = strings.NewReplacer(
	"\u00a0", " ", "µ", "u", "μ", "u", "≤", "<", "≥", ">", "–", "-", "‐", "-", "sulph", "sulf", "aluminium", "aluminum", "caesium", "cesium",
)

// parseName finds the key of a name: folded, without place and unit of counting,
// in one order and one spelling.
func parseName(text string) name {
	s := spelling.Replace(lci.Fold(strings.TrimSpace(text)))
	for again := true; again; {
		again = false
		for _, ending := range []string{", in ground", ", in water", ", in air", ", unspecified origin", ", unspecified", " (unspecified)"} {
			if cut := strings.TrimSuffix(s, ending); cut != s && !isCarbonDioxideTaken(cut, ending) {
				s, again = strings.TrimSpace(cut), true
			}
		}
	}
	s, of := parseOrigin(s)
	n := name{origin: of}
	n.key, n.others = uninverted(s)
	if particles, ok := particleSize(n.key); ok {
		n.key = particles
	}
	if common, ok := commonNames[n.key]; ok {
		n.key = common
	}
	for i, other := range n.others {
		if common, ok := commonNames[other]; ok {
			n.others[i] = common
		}
	}
	return n
}

// isCarbonDioxideTaken distinguishes carbon dioxide that plants take from the
// air from emissions.
func isCarbonDioxideTaken(cut, ending string) bool {
	return ending == ", in air" && cut == "carbon dioxide"
}

func parseOrigin(s string) (string, origin) {
	for _, of := range []struct {
		words  *regexp.Regexp
		origin origin
	}{{uptakeWords, uptake}, {biogenicWords, biogenic}, {landWords, land}, {fossilWords, fossil}} {
		at := of.words.FindStringIndex(s)
		if at == nil {
			continue
		}
		base := words(s[:at[0]])
		if common, ok := commonNames[base]; ok {
			base = common
		}
		if carbon[base] {
			return base, of.origin
		}
	}
	return s, plain
}

// uninverted turns a name in the order of an index ("Ethane, 1,2-dichloro-")
// into its usual order, and cuts further names off its end.
func uninverted(s string) (key string, others []string) {
	parts := strings.Split(s, ", ")
	if len(parts) > 1 && strings.HasSuffix(parts[1], "-") {
		key = words(strings.TrimSuffix(parts[1], "-") + parts[0])
		parts = parts[2:]
		for _, p := range parts {
			others = append(others, words(p))
		}
		return key, others
	}
	if len(parts) == 2 && isCode.MatchString(parts[1]) {
		others = append(others, words(parts[0]), words(parts[1]))
	}
	return words(s), others
}

// isCode matches the trade name of a refrigerant after its chemical one.
var isCode = regexp.MustCompile(`^(cfc|hcfc|hfc|pfc|fc|halon|r)[- ]?[0-9]+[a-z]*$`)

// words are a text's letters and digits separated by single spaces.
func words(s string) string {
	var b strings.Builder
	gap := false
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '+', r == '<', r == '>', r > 0x7f:
		case r == '.' && i > 0 && i+1 < len(s) && isDigit(s[i-1]) && isDigit(s[i+1]):
		default:
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

var particle = regexp.MustCompile(`^(particulate|particulates|particles|particulate matter|pm|dust)\b|^pm ?[0-9]`)

// particleSize gives the sizes of particles one spelling.
func particleSize(key string) (string, bool) {
	if !particle.MatchString(key) {
		return "", false
	}
	fine, coarse := strings.Contains(key, "2.5"), strings.Contains(key, "10")
	switch {
	case fine && coarse:
		return "particles 2.5 to 10", true
	case fine:
		return "particles 2.5", true
	case coarse && strings.Contains(key, ">"):
		return "particles over 10", true
	case coarse:
		return "particles 10", true
	}
	return "", false
}

// commonNames are the usual names of flows that nearly every process has.
var commonNames = map[string]string{
	"co2": "carbon dioxide", "ch4": "methane", "co": "carbon monoxide",
	"n2o": "dinitrogen monoxide", "nitrous oxide": "dinitrogen monoxide", "dinitrogen oxide": "dinitrogen monoxide",
	"nox": "nitrogen oxides", "oxides of nitrogen": "nitrogen oxides", "nitrogen oxide": "nitrogen oxides", "no2": "nitrogen dioxide",
	"so2": "sulfur dioxide", "sox": "sulfur oxides", "sulfur oxide": "sulfur oxides", "nh3": "ammonia", "sf6": "sulfur hexafluoride",
	"hydrochloric acid": "hydrogen chloride", "hydrofluoric acid": "hydrogen fluoride",
	"nmvoc non methane volatile organic compounds": "nmvoc", "non methane volatile organic compounds": "nmvoc",
	"nmvoc non methane volatile organic compounds unspecified origin": "nmvoc", "non methane volatile organic compound": "nmvoc",
	"voc volatile organic compounds": "voc", "volatile organic compounds": "voc", "volatile organic compound": "voc",
	"bod5 biological oxygen demand": "bod5", "biological oxygen demand": "bod5", "bod": "bod5", "biochemical oxygen demand": "bod5",
	"cod chemical oxygen demand": "cod", "chemical oxygen demand": "cod",
	"toc total organic carbon": "toc", "doc dissolved organic carbon": "doc",
}

var casNumber = regexp.MustCompile(`^0*([0-9]{2,7}-[0-9]{2}-[0-9])$`)

// casKey is a CAS number without leading zeros. That of water is ignored: it is
// the same for rain, a river and turbine water.
func casKey(cas string) (string, bool) {
	m := casNumber.FindStringSubmatch(strings.TrimSpace(cas))
	if m == nil || m[1] == "7732-18-5" {
		return "", false
	}
	return m[1], true
}
