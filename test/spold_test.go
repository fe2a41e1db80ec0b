package test

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The textbook's system in the formats of the field: 10 kWh take 2 litres of
// fuel and emit 1 kg of carbon dioxide, 100 litres of fuel emit 10 kg. So 10 kWh
// have a score of 1.2 kg. The fuel is bought in a unit other than the one it is
// sold in.
var textbook = map[string]map[string]string{
	"openLCA, schema 1": jsonld(1),
	"openLCA, schema 2": jsonld(2),
	"EcoSpold 1": {
		"all.xml": `<?xml version="1.0" encoding="ISO-8859-1"?><ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold01">` +
			spold1("1", "Electricity", "kWh", "10", `<exchange number="2" name="Fuel" location="NL" unit="m3" meanValue="0.002"><inputGroup>5</inputGroup></exchange>`, "1") +
			spold1("2", "Fuel", "l", "100", "", "10") + `</ecoSpold>`,
		"impact.xml": `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold01Impact"><dataset number="3"><metaInformation><processInformation>
			<referenceFunction category="Textbook" subCategory="Climate change" name="GWP" unit="kg"/></processInformation></metaInformation>
			<flowData><exchange number="1" category="air" subCategory="unspecified" name="Carbon dioxide" unit="kg" meanValue="1"/></flowData></dataset></ecoSpold>`,
		"categories.xml": `<categories xmlns="http://www.EcoInvent.org/Categories"/>`,
	},
	"EcoSpold 2": {
		"a.spold": spold2("a", "Power plant", "b", "Electricity", "kWh", "10",
			`<intermediateExchange intermediateExchangeId="`+uid("dddddddd", 1)+`" activityLinkId="`+uid("cccccccc", 1)+`" amount="0.002"><name>Fuel</name><unitName>m3</unitName><inputGroup>5</inputGroup></intermediateExchange>`, "1"),
		"b.spold": spold2("c", "Refinery", "d", "Fuel", "l", "100", "", "10"),
		"m.xml": `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02"><impactMethod id="` + uid("11111111", 1) + `"><name>Textbook</name><category id="` + uid("22222222", 1) + `"><name>Climate change</name>
			<indicator id="` + uid("33333333", 1) + `"><name>GWP</name><unitName>kg</unitName><factor elementaryExchangeId="` + uid("eeeeeeee", 1) + `" amount="1"><exchangeName>Carbon dioxide</exchangeName><unitName>kg</unitName></factor></indicator></category></impactMethod></ecoSpold>`,
	},
	"ILCD": {
		"ILCD/unitgroups/kwh.xml": ilcd("unitGroupDataSet", "UnitGroup", `<unitGroupInformation><dataSetInformation><c:UUID>`+uid("77777777", 1)+`</c:UUID><c:name>Energy</c:name></dataSetInformation>
			<quantitativeReference><referenceToReferenceUnit>0</referenceToReferenceUnit></quantitativeReference></unitGroupInformation><units><unit dataSetInternalID="0"><name>kWh</name><meanValue>1</meanValue></unit></units>`),
		"ILCD/unitgroups/kg.xml": ilcd("unitGroupDataSet", "UnitGroup", `<unitGroupInformation><dataSetInformation><c:UUID>`+uid("88888888", 1)+`</c:UUID><c:name>Mass</c:name></dataSetInformation>
			<quantitativeReference><referenceToReferenceUnit>0</referenceToReferenceUnit></quantitativeReference></unitGroupInformation><units><unit dataSetInternalID="0"><name>kg</name><meanValue>1</meanValue></unit></units>`),
		"ILCD/flowproperties/energy.xml": ilcdProperty("44444444", "Energy", "77777777"),
		"ILCD/flowproperties/mass.xml":   ilcdProperty("55555555", "Mass", "88888888"),
		"ILCD/flows/electricity.xml":     ilcdFlow("bbbbbbbb", "Product flow", "Electricity", "44444444"),
		"ILCD/flows/fuel.xml":            ilcdFlow("dddddddd", "Product flow", "Fuel", "55555555"),
		"ILCD/flows/co2.xml":             ilcdFlow("eeeeeeee", "Elementary flow", "Carbon dioxide", "55555555"),
		"ILCD/processes/power.xml":       ilcdProcess("aaaaaaaa", "Power plant", ilcdExchange("0", "bbbbbbbb", "Output", "10")+ilcdExchange("1", "dddddddd", "Input", "2")+ilcdExchange("2", "eeeeeeee", "Output", "1")),
		"ILCD/processes/refinery.xml":    ilcdProcess("cccccccc", "Refinery", ilcdExchange("0", "dddddddd", "Output", "100")+ilcdExchange("2", "eeeeeeee", "Output", "10")),
		"ILCD/lciamethods/gwp.xml": ilcd("LCIAMethodDataSet", "LCIAMethod", `<LCIAMethodInformation><dataSetInformation><c:UUID>`+uid("33333333", 1)+`</c:UUID><c:name>GWP</c:name><methodology>Textbook</methodology>
			<impactCategory>Climate change</impactCategory></dataSetInformation><quantitativeReference><referenceQuantity refObjectId="`+uid("55555555", 1)+`"/></quantitativeReference></LCIAMethodInformation>
			<characterisationFactors><factor><referenceToFlowDataSet refObjectId="`+uid("eeeeeeee", 1)+`"/><location/><exchangeDirection>Output</exchangeDirection><meanValue>1</meanValue></factor></characterisationFactors>`),
	},
}

func spold1(number, name, unit, amount, inputs, emission string) string {
	return fmt.Sprintf(`<dataset number="%s"><metaInformation><processInformation><referenceFunction name="%s" unit="%s" amount="%s"/><geography location="NL"/><dataSetInformation type="1"/></processInformation></metaInformation>
		<flowData><exchange number="1" name="%[2]s" location="NL" unit="%[3]s" meanValue="%[4]s"><outputGroup>0</outputGroup></exchange>%[5]s
		<exchange number="9" name="Carbon dioxide" category="air" subCategory="unspecified" unit="kg" meanValue="%[6]s"><outputGroup>4</outputGroup></exchange></flowData></dataset>`, number, name, unit, amount, inputs, emission)
}

func spold2(activity, name, product, productName, unit, amount, inputs, emission string) string {
	return fmt.Sprintf(`<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02"><activityDataset><activityDescription><activity id="%s" type="1"><activityName>%s</activityName></activity><geography><shortname>NL</shortname></geography></activityDescription>
		<flowData><intermediateExchange intermediateExchangeId="%s" amount="%s"><name>%s</name><unitName>%s</unitName><outputGroup>0</outputGroup></intermediateExchange>%s
		<elementaryExchange elementaryExchangeId="%s" amount="%s"><name>Carbon dioxide</name><unitName>kg</unitName><compartment><compartment>air</compartment><subcompartment>unspecified</subcompartment></compartment><outputGroup>4</outputGroup></elementaryExchange>
		</flowData></activityDataset></ecoSpold>`, uid(strings.Repeat(activity, 8), 1), name, uid(strings.Repeat(product, 8), 1), amount, productName, unit, inputs, uid("eeeeeeee", 1), emission)
}

func ilcd(root, space, content string) string {
	return fmt.Sprintf(`<?xml version="1.0"?><%s xmlns="http://lca.jrc.it/ILCD/%s" xmlns:c="http://lca.jrc.it/ILCD/Common">%s</%s>`, root, space, content, root)
}

func ilcdProperty(id, name, group string) string {
	return ilcd("flowPropertyDataSet", "FlowProperty", `<flowPropertiesInformation><dataSetInformation><c:UUID>`+uid(id, 1)+`</c:UUID><c:name>`+name+`</c:name></dataSetInformation>
		<quantitativeReference><referenceToReferenceUnitGroup refObjectId="`+uid(group, 1)+`"/></quantitativeReference></flowPropertiesInformation>`)
}

func ilcdFlow(id, kind, name, property string) string {
	return ilcd("flowDataSet", "Flow", `<flowInformation><dataSetInformation><c:UUID>`+uid(id, 1)+`</c:UUID><name><baseName>`+name+`</baseName></name></dataSetInformation>
		<quantitativeReference><referenceToReferenceFlowProperty>0</referenceToReferenceFlowProperty></quantitativeReference></flowInformation><modellingAndValidation><LCIMethod><typeOfDataSet>`+kind+`</typeOfDataSet></LCIMethod></modellingAndValidation>
		<flowProperties><flowProperty dataSetInternalID="0"><referenceToFlowPropertyDataSet refObjectId="`+uid(property, 1)+`"/><meanValue>1</meanValue></flowProperty></flowProperties>`)
}

func ilcdProcess(id, name, exchanges string) string {
	return ilcd("processDataSet", "Process", `<processInformation><dataSetInformation><c:UUID>`+uid(id, 1)+`</c:UUID><name><baseName>`+name+`</baseName></name></dataSetInformation>
		<quantitativeReference><referenceToReferenceFlow>0</referenceToReferenceFlow></quantitativeReference></processInformation><exchanges>`+exchanges+`</exchanges>`)
}

func ilcdExchange(id, flow, direction, amount string) string {
	return `<exchange dataSetInternalID="` + id + `"><referenceToFlowDataSet refObjectId="` + uid(flow, 1) + `"/><exchangeDirection>` + direction + `</exchangeDirection><meanAmount>` + amount + `</meanAmount></exchange>`
}

// folder writes files below a new folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFormats(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		for format, files := range textbook {
			t.Run(format, func(t *testing.T) {
				in := install(t, e)
				path := folder(t, files)
				first := command[importReport](t, in, "import", path)
				if first.Processes.Added != 2 || first.Exchanges.Added != 5 || first.Methods.Added != 1 {
					t.Fatalf("the import says %+v", first)
				}
				before := exported(t, in)
				if got := values(t, before["impacts.csv"]); !slices.Equal(got, []string{"1.2", "10"}) {
					t.Errorf("the scores are %v", got)
				}
				again := command[importReport](t, in, "import", path)
				if again.Processes.Unchanged != 2 || again.Exchanges.Unchanged != 5 || !maps.Equal(exported(t, in), before) {
					t.Errorf("importing again says %+v", again)
				}
				in.check(t)
				other := install(t, e)
				command[importReport](t, other, "import", folder(t, before))
				if !maps.Equal(exported(t, other), before) {
					t.Error("what was exported is read as something else")
				}
			})
		}
	})
}

// values are those of a table's column of that name, sorted.
func values(t testing.TB, table string) []string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], "value")
	var all []string
	for _, row := range rows[1:] {
		all = append(all, row[at])
	}
	slices.Sort(all)
	return all
}

func TestHostileXMLIsRefused(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		before := exported(t, in)
		for format, files := range textbook {
			if strings.HasPrefix(format, "openLCA") {
				continue // no XML
			}
			for name, harm := range map[string]struct {
				old, new, want string
				flags          []string // with which it is refused
			}{
				"entities that grow": {"<", `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><`, "document types (DOCTYPE) are not allowed", nil},
				"another file":       {"Climate change", "&xxe;", "the entity &xxe; is not defined in XML", []string{"--strict"}},
				"deep nesting":       {"</", strings.Repeat("<a>", 100_000) + "</", "nested more than 64 levels deep", nil},
				"broken text":        {"Climate change", "\xff\xfe", "the text is not UTF-8", []string{"--strict"}},
			} {
				harmed := maps.Clone(files)
				for file, content := range files {
					if strings.Contains(content, "Climate change") {
						harmed[file] = strings.Replace(strings.Replace(content, `<?xml version="1.0"?>`, "", 1), harm.old, harm.new, 1)
					}
				}
				if said := in.refused(t, append([]string{"import", folder(t, harmed)}, harm.flags...)...); !strings.Contains(said, harm.want) || !strings.Contains(said, ".xml:") {
					t.Errorf("%s, %s: %s", format, name, said)
				}
			}
		}
		if !maps.Equal(exported(t, in), before) {
			t.Error("something was stored")
		}
	})
}
