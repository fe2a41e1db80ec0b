package test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// A refinery makes 2 kg of petrol, with a share of 60 %, and 4 kg of gas, takes
// in 1 kg of its own gas and emits 10 kg. A stove burns 4 kg of gas. So the
// score of gas is g = 4 + 0.4·g/4 and of petrol p = 6 + 0.6·g/4. In each format
// the gas input comes before the gas output.
var refineryScores = map[string]float64{"Refinery/CO2": 6 + 0.6*(4/0.9)/4, "Stove/CO2": 4 / 0.9}

var refineries = map[string]map[string]string{
	"openLCA, schema 1, physical": refineryPack("PHYSICAL_ALLOCATION", refineryShares("PHYSICAL_ALLOCATION")).inSchema1(),
	"openLCA, physical":           refineryPack("PHYSICAL_ALLOCATION", append(refineryShares("PHYSICAL_ALLOCATION"), factors("ECONOMIC_ALLOCATION", "Petrol", "0.1", "Gas", "0.9")...)),
	"openLCA, economic":           refineryPack("ECONOMIC_ALLOCATION", append(refineryShares("ECONOMIC_ALLOCATION"), factors("PHYSICAL_ALLOCATION", "Petrol", "0.1", "Gas", "0.9")...)),
	"openLCA, causal":             refineryPack("CAUSAL_ALLOCATION", append(causal(numbered(1, 4), "Petrol", "0.6", "Gas", "0.4"), factors("PHYSICAL_ALLOCATION", "Petrol", "0.1", "Gas", "0.9")...)),
	"openLCA, schema 1, causal":   refineryPack("CAUSAL_ALLOCATION", causal(numbered(1, 4), "Petrol", "0.6", "Gas", "0.4")).inSchema1(),
	"openLCA, causal by flow":     refineryPack("CAUSAL_ALLOCATION", causal([]obj{{"flow": named("flow", "Gas")}, {"flow": obj{"@id": co2}}}, "Petrol", "0.6", "Gas", "0.4")),
	"openLCA, costs":              refineryPack("ECONOMIC_ALLOCATION", nil),
	"bundle, shares":              refineryBundle(true).files(),
	"bundle, allocations":         refineryBundle(false).files(),
	"SimaPro CSV": {"export.csv": `{SimaPro 9.1.0.7}
{CSV separator: Semicolon}
{Decimal separator: .}

Process

Category type
material

Process name
Refinery

Products
Petrol;kg;2;60;not defined;Fuels;
Gas;kg;4;40;not defined;Fuels;

Materials/fuels
Gas;kg;1;Undefined;0;0;0;

Emissions to air
Carbon dioxide;;kg;10;Undefined;0;0;0;

End

Process

Category type
material

Process name
Stove

Products
Heat;MJ;1;100;not defined;Heat;

Materials/fuels
Gas;kg;4;Undefined;0;0;0;

End
`},
	"EcoSpold 1": {"refinery.xml": `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold01">` + refinerySpold("1", "Refinery", "kg", "2", `
		<exchange number="3" name="Gas" location="NL" unit="kg" meanValue="1"><inputGroup>5</inputGroup></exchange>
		<exchange number="1" name="Petrol" location="NL" unit="kg" meanValue="2"><outputGroup>2</outputGroup></exchange>
		<exchange number="2" name="Gas" location="NL" unit="kg" meanValue="4"><outputGroup>2</outputGroup></exchange>
		<exchange number="4" name="Carbon dioxide" category="air" subCategory="unspecified" unit="kg" meanValue="10"><outputGroup>4</outputGroup></exchange>
		<allocation referenceToCoProduct="1" allocationMethod="-1" fraction="60"><referenceToInputOutput>3</referenceToInputOutput><referenceToInputOutput>4</referenceToInputOutput></allocation>
		<allocation referenceToCoProduct="2" allocationMethod="-1" fraction="40"><referenceToInputOutput>3</referenceToInputOutput><referenceToInputOutput>4</referenceToInputOutput></allocation>`) +
		refinerySpold("2", "Stove", "MJ", "1", `<exchange number="5" name="Stove" location="NL" unit="MJ" meanValue="1"><outputGroup>0</outputGroup></exchange>
		<exchange number="6" name="Gas" location="NL" unit="kg" meanValue="4"><inputGroup>5</inputGroup></exchange>`) + `</ecoSpold>`},
	"ILCD": {
		"ILCD/unitgroups/kg.xml": ilcd("unitGroupDataSet", "UnitGroup", `<unitGroupInformation><dataSetInformation><c:UUID>`+uid("88888888", 1)+`</c:UUID><c:name>Mass</c:name></dataSetInformation>
			<quantitativeReference><referenceToReferenceUnit>0</referenceToReferenceUnit></quantitativeReference></unitGroupInformation><units><unit dataSetInternalID="0"><name>kg</name><meanValue>1</meanValue></unit></units>`),
		"ILCD/flowproperties/mass.xml": ilcdProperty("55555555", "Mass", "88888888"),
		"ILCD/flows/petrol.xml":        ilcdFlow("aaaaaaaa", "Product flow", "Petrol", "55555555"),
		"ILCD/flows/gas.xml":           ilcdFlow("bbbbbbbb", "Product flow", "Gas", "55555555"),
		"ILCD/flows/heat.xml":          ilcdFlow("dddddddd", "Product flow", "Heat", "55555555"),
		"ILCD/flows/co2.xml":           strings.ReplaceAll(ilcdFlow("eeeeeeee", "Elementary flow", "Carbon dioxide", "55555555"), uid("eeeeeeee", 1), co2),
		"ILCD/processes/refinery.xml": ilcdProcess("cccccccc", "Refinery", ilcdShared("1", "bbbbbbbb", "Input", "1")+ilcdExchange("0", "aaaaaaaa", "Output", "2")+
			ilcdExchange("2", "bbbbbbbb", "Output", "4")+strings.ReplaceAll(ilcdShared("3", "eeeeeeee", "Output", "10"), uid("eeeeeeee", 1), co2)),
		"ILCD/processes/stove.xml": ilcdProcess("99999999", "Stove", ilcdExchange("0", "dddddddd", "Output", "1")+ilcdExchange("1", "bbbbbbbb", "Input", "4")),
	},
	"Brightway CSV": {"db.csv": `Database,fuels

Activity,Petrol
type,product
unit,kilogram

Activity,Gas
type,product
unit,kilogram

Activity,Refinery
type,multifunctional
unit,kilogram
Exchanges
name,amount,unit,type,categories,allocation,input
Gas,1,kilogram,technosphere,,,
Petrol,2,kilogram,production,,0.6,
Gas,4,kilogram,production,,0.4,
Carbon dioxide,10,kilogram,biosphere,air,,biosphere::` + co2 + `

Activity,Stove
unit,megajoule
Exchanges
name,amount,unit,type,categories,allocation,input
Stove,1,megajoule,production,,,
Gas,4,kilogram,technosphere,,,
`},
}

// refineryPack is the refinery with a method and factors, and the worth of its
// products, which also gives petrol a share of 60 %.
func refineryPack(method string, allocated list) pack {
	p := pack{}.withCarbonDioxide()
	p.product("Petrol", "Mass")
	p.product("Gas", "Mass")
	p.product("Heat", "Energy")
	worth := func(costs string) obj { return obj{"costValue": costs} }
	p.process("Refinery", obj{"defaultAllocationMethod": method, "allocationFactors": allocated},
		input("Gas", "1 kg"), reference("Petrol", "2 kg", worth("3")), out("Gas", "4 kg", worth("2")), emission("10 kg"))
	p.process("Stove", nil, reference("Heat", "1 MJ"), input("Gas", "4 kg"))
	return p
}

func refineryShares(method string) list { return factors(method, "Petrol", "0.6", "Gas", "0.4") }

func refineryBundle(shares bool) library {
	petrol, gas := makes("Petrol", "2 kg"), makes("Gas", "4 kg")
	if shares {
		petrol, gas = petrol.bearing("0.6"), gas.bearing("0.4")
	}
	l := library{}.with("Refinery", takes("Gas", "1 kg"), petrol, gas, emits("10 kg")).with("Stove", makes("Heat", "1 MJ"), takes("Gas", "4 kg"))
	for _, x := range l.exchanges {
		if !shares && x.Reference == "" && x.Process == idOf("process", "Refinery") {
			l.allocations = append(l.allocations,
				allocation{Process: x.Process, Product: petrol.Flow, Exchange: x.ID, Share: "0.6"}, allocation{Process: x.Process, Product: gas.Flow, Exchange: x.ID, Share: "0.4"})
		}
	}
	return l
}

func refinerySpold(number, name, unit, amount, flowData string) string {
	return fmt.Sprintf(`<dataset number="%s"><metaInformation><processInformation><referenceFunction name="%s" unit="%s" amount="%s"/><geography location="NL"/><dataSetInformation type="1"/></processInformation></metaInformation>
		<flowData>%s</flowData></dataset>`, number, name, unit, amount, flowData)
}

func ilcdShared(id, flow, direction, amount string) string {
	shares := `<allocations><allocation internalReferenceToCoProduct="0" allocatedFraction="60"/><allocation internalReferenceToCoProduct="2" allocatedFraction="40"/></allocations></exchange>`
	return strings.Replace(ilcdExchange(id, flow, direction, amount), "</exchange>", shares, 1)
}

func TestSharesLandOnProducts(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		for format, files := range refineries {
			t.Run(format, func(t *testing.T) {
				in := install(t, e)
				got := in.imports(t, folder(t, files), climate().write(t))
				checkNumbers(t, in, refineryScores)
				got.checkNoted(t, "shared")
				got.checkNoted(t, "unshared")
				if got.Calculation.CutOffs != 0 {
					t.Errorf("cut off: %+v", got)
				}
			})
		}
	})
}

var (
	statedShares  = regexp.MustCompile(`<allocation (?s:.*?)</allocation>|<allocations>.*?</allocations>`)
	withoutShares = strings.NewReplacer("kg;2;60;", "kg;2;;", "kg;4;40;", "kg;4;;", ",0.6,", ",,", ",0.4,", ",,")
)

// Without shares the refinery is allocated by mass, two thirds to gas: g = 20/3
// + 2/3·g/4, p = 10/3 + 1/3·g/4. It is noted by name.
func TestSharingThatNoFormatStates(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		for _, format := range []string{"SimaPro CSV", "EcoSpold 1", "ILCD", "Brightway CSV", "bundle"} {
			t.Run(format, func(t *testing.T) {
				files := map[string]string{}
				for name, text := range refineries[format] {
					files[name] = withoutShares.Replace(statedShares.ReplaceAllString(text, ""))
				}
				if format == "bundle" {
					files = refineryBundle(false).files()
					delete(files, "allocations.csv")
				}
				in := install(t, e)
				got := in.imports(t, folder(t, files), climate().write(t))
				checkNumbers(t, in, map[string]float64{"Refinery/CO2": 4, "Stove/CO2": 8})
				got.checkNoted(t, "shared", "Refinery")
			})
		}
	})
}

// An incinerator treats 1 kg of waste, with a share of 70 %, makes heat, emits
// 10 kg and leaves 0.1 kg of the same waste: w = 7 + 0.7·0.1·w.
func TestSharesLandOnTreatedWaste(t *testing.T) {
	p := pack{}.withCarbonDioxide()
	p.flow("WASTE_FLOW", "Waste", "Mass")
	p.product("Heat", "Energy")
	p.product("Room", "Number of items")
	p.process("Incinerator", obj{"defaultAllocationMethod": "PHYSICAL_ALLOCATION", "allocationFactors": factors("PHYSICAL_ALLOCATION", "Waste", "0.7", "Heat", "0.3")},
		out("Waste", "0.1 kg"), input("Waste", "1 kg", obj{"isQuantitativeReference": true}), out("Heat", "2 MJ"), emission("10 kg"))
	p.process("Hotel", nil, reference("Room", "1 Item(s)"), out("Waste", "3 kg"), input("Heat", "2 MJ"))
	w := 7 / (1 - 0.07)
	heat := 3 + 0.3*0.1*w
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		got := in.imports(t, folder(t, p), climate().write(t))
		checkNumbers(t, in, map[string]float64{"Incinerator/CO2": w, "Hotel/CO2": 3*w + heat})
		got.checkNoted(t, "shared")
	})
}
