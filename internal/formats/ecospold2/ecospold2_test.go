package ecospold2

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

func file(datasets ...string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02">` + strings.Join(datasets, "") + `</ecoSpold>`
}

// uuid makes an id from a letter, so that ids in tests are easy to distinguish.
func uuid(c string) string { return strings.Repeat(c, 8) + "-0000-4000-8000-" + strings.Repeat(c, 12) }

func activity(id, name, flowData string) string {
	return fmt.Sprintf(`<activityDataset><activityDescription>
		<activity id=%q type="1" specialActivityType="0"><activityName xml:lang="de">Herstellung</activityName><activityName xml:lang="en">%s</activityName>
		<includedActivitiesStart xml:lang="en">the gate</includedActivitiesStart>
		<generalComment><text xml:lang="en" index="1">one</text><text xml:lang="en" index="2">two</text><imageUrl index="3">x.png</imageUrl></generalComment></activity>
		<classification><classificationSystem>EcoSpold01Categories</classificationSystem><classificationValue>metals/steel</classificationValue></classification>
		<classification><classificationSystem>ISIC rev.4 ecoinvent</classificationSystem><classificationValue>2410:Manufacture of basic iron and steel</classificationValue></classification>
		<geography><shortname xml:lang="en">CH</shortname></geography><timePeriod startDate="2010-01-01" endDate="2014-12-31"/>
		</activityDescription><flowData>%s</flowData><administrativeInformation>
		<dataGeneratorAndPublication personId="p1" personName="A. Person" publishedSourceId="s1"/>
		<fileAttributes majorRelease="3" minorRelease="1" lastEditTimestamp="2013-05-03T13:54:01"/></administrativeInformation></activityDataset>`, id, name, flowData)
}

const masterData = `<usedUserMasterData xmlns="http://www.EcoInvent.org/UsedUserMasterData"><person id="p1"><companyName xml:lang="en">The Institute</companyName></person>
	<source id="s1" year="2012" firstAuthor="Author" title="The steel book"/></usedUserMasterData>`

func between(flow, name, unit string, amount float64, rest string) string {
	return fmt.Sprintf(`<intermediateExchange intermediateExchangeId=%q amount="%g"><name xml:lang="en">%s</name><unitName xml:lang="en">%s</unitName>%s</intermediateExchange>`, flow, amount, name, unit, rest)
}

func nature(flow, name string, amount float64, rest string) string {
	return fmt.Sprintf(`<elementaryExchange elementaryExchangeId=%q amount="%g" casNumber="000124-38-9"><name xml:lang="en">%s</name><unitName xml:lang="en">kg</unitName>%s</elementaryExchange>`, flow, amount, name, rest)
}

const (
	ref    = "<outputGroup>0</outputGroup>"
	by     = "<outputGroup>2</outputGroup>"
	in     = "<inputGroup>5</inputGroup>"
	toAir  = "<compartment><compartment xml:lang=\"en\">air</compartment><subcompartment xml:lang=\"en\">urban air close to ground</subcompartment></compartment><outputGroup>4</outputGroup>"
	wasted = "<classification><classificationSystem>By-product classification</classificationSystem><classificationValue>Waste</classificationValue></classification>"
	reused = "<classification><classificationSystem>By-product classification</classificationSystem><classificationValue>Recyclable</classificationValue></classification>"
)

func read(t *testing.T, documents ...string) *ingesttest.Rows {
	t.Helper()
	files := map[string]string{}
	for i, d := range documents {
		files[fmt.Sprintf("%d.spold", i)] = d
	}
	return ingesttest.MustRead(t, Open, ingesttest.Files(t, files))
}

func line(x lci.Exchange) string {
	return fmt.Sprint(x.Direction, " ", x.Name, " ", x.Value, " ", x.Unit, " ", x.Type, " ", x.Reference)
}

func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		path                                     string
		processes, exchanges, flows, references  int
		elementary, waste, spread, withoutOutput int
	}{
		{"ecospold2/uslci_fy18_q1_01_olca1_5_ecospold2.zip", 767, 32_489, 4_643, 1_002, 24_950, 80, 415, 21},
		{"ecospold2/olca_sample_ecospold2.xml", 1, 5, 5, 1, 3, 0, 4, 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			src := ingesttest.Open(t, ingesttest.Shared(t, c.path))
			if !Detect(src) {
				t.Fatal("not recognised")
			}
			rows := ingesttest.MustRead(t, Open, src)
			all := ingest.Count{Read: c.exchanges, Stored: c.exchanges}
			if got := rows.Outcome[ingest.Exchanges]; got != all || len(rows.Exchanges) != c.exchanges {
				t.Errorf("exchanges: %+v, %d handed over", got, len(rows.Exchanges))
			}
			if len(rows.Processes) != c.processes || len(rows.Flows) != c.flows {
				t.Errorf("%d processes, %d flows", len(rows.Processes), len(rows.Flows))
			}
			references, elementary, waste, spread := 0, 0, 0, 0
			for _, x := range rows.Exchanges {
				if x.Reference {
					references++
				}
				if x.Distribution != lci.Certain {
					spread++
				}
				switch x.Type {
				case lci.Elementary:
					elementary++
				case lci.Waste:
					waste++
				}
			}
			if references != c.references || elementary != c.elementary || waste != c.waste || spread != c.spread {
				t.Errorf("%d reference products, %d elementary, %d waste, %d uncertain", references, elementary, waste, spread)
			}
			if got := rows.Classes()[ingest.Productless]; got != c.withoutOutput {
				t.Errorf("%d processes without a reference product", got)
			}
		})
	}
}

func TestActivity(t *testing.T) {
	rows := read(t, file(activity(uuid("a"), "steel production",
		between(uuid("1"), "steel", "kg", 2, "<classification><classificationSystem>CPC</classificationSystem><classificationValue>4121: Steel</classificationValue></classification>"+ref)+
			between(uuid("2"), "slag", "kg", 0.5, by)+
			between(uuid("3"), "dust", "kg", 0.1, wasted+by)+
			between(uuid("4"), "scrap", "kg", 0.2, reused+by)+
			between(uuid("5"), "sludge", "kg", 0.3, "<outputGroup>3</outputGroup>")+
			between(uuid("6"), "electricity", "kWh", 3, in)+
			nature(uuid("7"), "Carbon dioxide", 4, toAir)), masterData))
	want := []string{
		"output steel 2 kg intermediate true", "output slag 0.5 kg intermediate true", "output dust 0.1 kg waste false", "output scrap 0.2 kg intermediate false",
		"output sludge 0.3 kg waste false", "input electricity 3 kWh intermediate false", "output Carbon dioxide 4 kg elementary false",
	}
	for i, x := range rows.Exchanges {
		if got := line(x); got != want[i] {
			t.Errorf("exchange %d: %s, want %s", i, got, want[i])
		}
	}
	p := rows.Processes[0]
	if p.ID.String() != uuid("a") || p.Name != "steel production" || p.Region != "CH" || p.Boundary != lci.Disaggregated || p.DatePublished != "2013-05-03" ||
		p.Classification != "2410:Manufacture of basic iron and steel" || p.SourceOrganization != "The Institute" || fmt.Sprint(p.Sources) != "[Author (2012): The steel book]" {
		t.Errorf("process: %+v", p)
	}
	if want := "one\ntwo\n\nIncluded activities start: the gate"; p.Description != want {
		t.Errorf("description: %q", p.Description)
	}
	co2 := rows.Flow(rows.Exchanges[6].FlowID)
	if co2.ID.String() != uuid("7") || co2.CAS != "124-38-9" || co2.Compartment != "air/urban air close to ground" {
		t.Errorf("carbon dioxide: %+v", co2)
	}
	if steel := rows.Flow(rows.Exchanges[0].FlowID); steel.Classification != "4121: Steel" {
		t.Errorf("steel: %+v", steel)
	}
}

// A treatment's reference product is a waste with a negative amount; in a linked
// library its producer has it as a negative input.
func TestWasteTreatment(t *testing.T) {
	rows := read(t, file(activity(uuid("a"), "steel production", between(uuid("1"), "steel", "kg", 1, ref)+
		strings.Replace(between(uuid("2"), "slag", "kg", -0.2, in), " amount", ` activityLinkId="`+uuid("b")+`" amount`, 1)+
		between(uuid("3"), "gas", "m3", 0.3, by))),
		file(activity(uuid("b"), "treatment of slag", between(uuid("2"), "slag", "kg", -1, ref))),
		file(activity(uuid("c"), "treatment of gas", between(uuid("3"), "gas", "m3", -1, ref))))
	want := []string{
		"output steel 1 kg intermediate true", "input slag -0.2 kg waste false", "output gas 0.3 m3 waste false",
		"output slag -1 kg waste true", "output gas -1 m3 waste true",
	}
	for i, x := range rows.Exchanges {
		if got := line(x); got != want[i] {
			t.Errorf("exchange %d: %s, want %s", i, got, want[i])
		}
	}
	if got := rows.Exchanges[1].ProviderID.String(); got != uuid("b") {
		t.Errorf("treated by %q", got)
	}
}

// An activity split into a dataset for each product has one id several times.
func TestActivityOfSeveralDatasets(t *testing.T) {
	gold := between(uuid("1"), "gold", "kg", 1, ref) + between(uuid("2"), "silver", "kg", 0, ref)
	silver := between(uuid("1"), "gold", "kg", 0, ref) + between(uuid("2"), "silver", "kg", 1, ref)
	user := between(uuid("3"), "ring", "p", 1, ref) +
		strings.Replace(between(uuid("2"), "silver", "kg", 1, in), " amount", ` activityLinkId="`+uuid("a")+`" amount`, 1)
	rows := read(t, file(activity(uuid("a"), "mine", gold)), file(activity(uuid("a"), "mine", silver)), file(activity(uuid("b"), "smith", user)))
	if len(rows.Processes) != 3 || rows.Processes[0].Name != "mine | gold" || rows.Processes[1].Name != "mine | silver" || rows.Processes[0].ID == rows.Processes[1].ID {
		t.Fatalf("processes: %+v", rows.Processes)
	}
	for i, p := range rows.Processes[:2] {
		of := rows.Of(p.Name)
		if len(of) != 2 || !of[0].Reference || of[0].Value != 1 || of[1].Reference || of[1].Value != 0 {
			t.Errorf("process %d: %+v", i, of)
		}
	}
	if got := rows.Of("smith")[1].ProviderID; got != rows.Processes[1].ID {
		t.Errorf("silver comes from %v", got)
	}
}

func TestLinkOutOfTheLibraryIsKept(t *testing.T) {
	rows := read(t, file(activity(uuid("a"), "smith", between(uuid("3"), "ring", "p", 1, ref)+
		strings.Replace(between(uuid("2"), "silver", "kg", 1, in), " amount", ` activityLinkId="`+uuid("f")+`" amount`, 1))))
	if of := rows.Of("smith"); of[1].ProviderID.String() != uuid("f") {
		t.Errorf("silver comes from %v", of[1].ProviderID)
	}
}

func TestUnitsAreThoseOfTheProducer(t *testing.T) {
	rows := read(t, file(activity(uuid("a"), "user", between(uuid("1"), "thing", "kg", 1, ref)+between(uuid("2"), "electricity", "MJ", 36, in)),
		activity(uuid("b"), "power station", between(uuid("2"), "electricity", "kWh", 1, ref))))
	if got := line(rows.Exchanges[1]); got != "input electricity 10 kWh intermediate false" {
		t.Error(got)
	}
}

func TestProperties(t *testing.T) {
	property := func(name, unit string, amount float64) string {
		return fmt.Sprintf(`<property propertyId="x" amount="%g"><name xml:lang="en">%s</name><unitName xml:lang="en">%s</unitName></property>`, amount, name, unit)
	}
	rows := read(t, file(activity(uuid("a"), "sawmill",
		between(uuid("1"), "board", "m3", 1, property("price", "EUR2005", 200)+property("dry mass", "kg", 450)+property("water content", "dimensionless", 0.1)+ref)+
			between(uuid("2"), "sawdust", "kg", 3, property("price", "EUR2005", 0.02)+by)+
			between(uuid("3"), "log", "m3", 1.6, property("dry mass", "kg", 440)+in))))
	if w := rows.Exchanges[0].Worth; w == nil || *w != 200 {
		t.Errorf("a board is worth %v", w)
	}
	if w := rows.Exchanges[1].Worth; w == nil || *w != 0.02 {
		t.Errorf("sawdust is worth %v", w)
	}
	var got []string
	for _, p := range rows.Properties {
		got = append(got, fmt.Sprint(p.MaterialID.String()[:1], " ", p.Name, " ", p.Value, " ", p.Unit))
	}
	if want := "[1 dry mass 450 kg/m3 1 water content 0.1 dimensionless]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFormulas(t *testing.T) {
	rows := read(t, file(activity(uuid("a"), "steel production",
		strings.Replace(between(uuid("1"), "steel", "kg", 2, ref), " amount", ` variableName="made" amount`, 1)+
			strings.Replace(between(uuid("2"), "coal", "kg", 0, in), ` amount="0"`, ` mathematicalRelation="made * ratio"`, 1)+
			strings.Replace(between(uuid("3"), "ore", "kg", 7, in), " amount", ` mathematicalRelation="nonsense(" amount`, 1)+
			`<parameter variableName="half" amount="0.5"><name>half</name></parameter><parameter variableName="ratio" mathematicalRelation="half / 2"><name>ratio</name></parameter>`)))
	if got := rows.Exchanges[1].Value; got != 0.5 {
		t.Errorf("coal: %v; notes %v", got, rows.Notes)
	}
	if got := rows.Exchanges[2].Value; got != 7 {
		t.Errorf("an amount that is there counts: %v", got)
	}
}

func TestUncertainty(t *testing.T) {
	for _, c := range []struct {
		name, element string
		distribution  lci.Distribution
		mean, sd      float64
	}{
		{"lognormal with pedigree", `<lognormal meanValue="2" mu="0.69" variance="0.01" varianceWithPedigreeUncertainty="0.04"/><pedigreeMatrix reliability="1"/>`, lci.Lognormal, 2 * math.Exp(0.02), 2 * math.Exp(0.02) * math.Sqrt(math.Exp(0.04)-1)},
		{"lognormal without", `<lognormal meanValue="2" mu="0.69" variance="0.01"/>`, lci.Lognormal, 2 * math.Exp(0.005), 2 * math.Exp(0.005) * math.Sqrt(math.Exp(0.01)-1)},
		{"normal", `<normal meanValue="2" variance="0.01" varianceWithPedigreeUncertainty="0.09"/>`, lci.Normal, 2, 0.3},
		{"triangular", `<triangular minValue="1" mostLikelyValue="2" maxValue="6"/>`, lci.Triangular, 3, math.Sqrt(7.0 / 6)},
		{"uniform", `<uniform minValue="1" maxValue="3"/>`, lci.Uniform, 2, 2 / math.Sqrt(12)},
		{"undefined", `<undefined minValue="1" maxValue="3" standardDeviation95="2"/>`, lci.Certain, 0, 0},
		{"beta", `<beta minValue="1" mostLikelyValue="2" maxValue="3"/>`, lci.Certain, 0, 0},
		{"an infinite variance", `<lognormal meanValue="2" mu="0.69" variance="Infinity" varianceWithPedigreeUncertainty="Infinity"/>`, lci.Certain, 0, 0},
		{"no variance", `<lognormal meanValue="2" mu="0.69" variance="0" varianceWithPedigreeUncertainty="0"/>`, lci.Certain, 0, 0},
		{"half a uniform", `<uniform minValue="1"/>`, lci.Certain, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := read(t, file(activity(uuid("a"), "x", between(uuid("1"), "x", "kg", 2, "<uncertainty>"+c.element+"</uncertainty>"+ref))))
			x := rows.Exchanges[0]
			if x.Value != 2 || x.Distribution != c.distribution {
				t.Fatalf("got %+v", x)
			}
			if c.distribution == lci.Certain {
				if rows.Classes()[ingest.Dropped] != 2 { // and the other classification
					t.Errorf("notes: %v", rows.Notes)
				}
				return
			}
			if math.Abs(*x.Mean-c.mean) > 1e-9 || math.Abs(*x.StandardDeviation-c.sd) > 1e-9 {
				t.Errorf("mean %v, deviation %v; want %v, %v", *x.Mean, *x.StandardDeviation, c.mean, c.sd)
			}
		})
	}
}

func TestStatedResults(t *testing.T) {
	result := fmt.Sprintf(`<impactIndicator impactIndicatorId=%q impactMethodId=%q impactCategoryId=%q amount="1.5"><impactMethodName>IPCC 2021</impactMethodName>
		<impactCategoryName>climate change</impactCategoryName><name>GWP100</name><unitName>kg CO2-Eq</unitName></impactIndicator>`, uuid("c"), uuid("d"), uuid("e"))
	dataset := strings.Replace(activity(uuid("a"), "x", between(uuid("1"), "x", "kg", 1, ref)+result), `type="1"`, `type="2"`, 1)
	rows := read(t, file(dataset), file(strings.ReplaceAll(dataset, uuid("a"), uuid("b"))))
	if len(rows.Impacts) != 2 || rows.Impacts[0].Value != 1.5 || rows.Impacts[0].Indicator != "GWP100" || rows.Impacts[0].Category != "climate change" || rows.Impacts[0].MethodID.String() != uuid("d") {
		t.Errorf("impacts: %+v", rows.Impacts)
	}
	if len(rows.Methods) != 1 || len(rows.Indicators) != 1 || rows.Indicators[0].ID.String() != uuid("c") || rows.Processes[0].Boundary != lci.Aggregated {
		t.Errorf("methods %+v, indicators %+v, processes %+v", rows.Methods, rows.Indicators, rows.Processes)
	}
}

func TestMethods(t *testing.T) {
	factor := func(flow, name string) string {
		return fmt.Sprintf(`<factor elementaryExchangeId=%q amount="25"><exchangeName>%s</exchangeName><unitName>kg</unitName><compartment><compartment>air</compartment><subcompartment>unspecified</subcompartment></compartment></factor>`, flow, name)
	}
	rows := read(t, `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02"><impactMethod id="`+uuid("d")+`"><name>IPCC 2021</name><category id="`+uuid("e")+`"><name>climate change</name>
		<indicator id="`+uuid("c")+`"><name>GWP100</name><unitName>kg CO2-Eq</unitName>`+factor(uuid("7"), "Methane")+factor(uuid("8"), "Nitrous oxide")+`<factor elementaryExchangeId="x"/></indicator></category></impactMethod></ecoSpold>`,
		file(activity(uuid("a"), "x", between(uuid("1"), "x", "kg", 1, ref)+nature(uuid("7"), "Methane, fossil", 1, toAir))))
	if len(rows.Methods) != 1 || rows.Methods[0].Name != "IPCC 2021" || len(rows.Factors) != 2 || rows.Factors[0].FlowID != rows.Exchanges[1].FlowID || rows.Factors[0].Value != 25 {
		t.Errorf("methods %+v, factors %+v", rows.Methods, rows.Factors)
	}
	if got, want := rows.Outcome[ingest.Factors], (ingest.Count{Read: 3, Stored: 2, Skipped: 1}); got != want {
		t.Errorf("factors: %+v", got)
	}
}

func TestMasterDataAndChildren(t *testing.T) {
	child := strings.ReplaceAll(activity(uuid("a"), "x", between(uuid("1"), "x", "kg", 1, ref)+nature(uuid("7"), "Methane", 1, "<outputGroup>4</outputGroup>")), "activityDataset", "childActivityDataset")
	rows := read(t, `<validElementaryExchanges xmlns="http://www.EcoInvent.org/EcoSpold02"><elementaryExchange id="`+uuid("7")+`" casNumber="000074-82-8"><name>Methane</name><unitName>kg</unitName>
		<synonym>CH4</synonym><compartment><compartment>air</compartment><subcompartment>unspecified</subcompartment></compartment></elementaryExchange></validElementaryExchanges>`, file(child))
	methane := rows.Flow(rows.Exchanges[1].FlowID)
	if methane.CAS != "74-82-8" || methane.Compartment != "air/unspecified" || fmt.Sprint(methane.Synonyms) != "[CH4]" {
		t.Errorf("methane: %+v", methane)
	}
}

// An activity with an unreadable exchange is left out, and those around it are
// imported.
func TestUnreadableActivities(t *testing.T) {
	product := func(n string) string { return between(uuid(n), "x", "kg", 1, ref) }
	for _, c := range []struct{ name, exchange, want string }{
		{"no group", between(uuid("2"), "y", "kg", 1, ""), "has neither an inputGroup nor an outputGroup"},
		{"no such group", between(uuid("3"), "z", "kg", 1, "<outputGroup>1</outputGroup>"), `the group "1" of the exchange is not a group of EcoSpold 2`},
		{"no amount", `<intermediateExchange intermediateExchangeId="q"><inputGroup>5</inputGroup></intermediateExchange>`, "the exchange has no amount"},
		{"NaN", `<intermediateExchange intermediateExchangeId="q" amount="NaN"><inputGroup>5</inputGroup></intermediateExchange>`, "the exchange has no amount"},
		{"no number", `<intermediateExchange intermediateExchangeId="q" amount="1,5"><inputGroup>5</inputGroup></intermediateExchange>`, `amount of intermediateExchange: "1,5" is not a number`},
		{"an unknown variable", `<intermediateExchange intermediateExchangeId="q" mathematicalRelation="2*nothing"><inputGroup>5</inputGroup></intermediateExchange>`, "cannot be evaluated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := read(t, file(activity(uuid("a"), "before", product("1")), activity(uuid("b"), "x", product("4")+c.exchange), activity(uuid("c"), "behind", product("5"))))
			if got, want := rows.Outcome[ingest.Processes], (ingest.Count{Read: 3, Stored: 2, Skipped: 1}); got != want || len(rows.Of("behind")) != 1 {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got := rows.Unreadable(); !strings.Contains(got, c.want) || !strings.HasPrefix(got, "0.spold:") || strings.Count(got, "\n") != 1 {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Of two datasets of one activity and product the higher version stays, else the
// first.
func TestTheSameActivityTwice(t *testing.T) {
	of := func(release, amount string) string {
		a := activity(uuid("a"), "x", between(uuid("1"), "x", "kg", 1, ref))
		return strings.NewReplacer(`majorRelease="3"`, `majorRelease="`+release+`"`, `amount="1"`, `amount="`+amount+`"`).Replace(a)
	}
	for _, c := range []struct {
		name, first, second string
		want                float64
		class               ingest.Class
	}{
		{"the newer first", of("3", "5"), of("2", "7"), 5, ingest.Outdated},
		{"the newer second", of("2", "7"), of("3", "5"), 5, ingest.Outdated},
		{"the same", of("3", "5"), of("3", "7"), 5, ingest.Unreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := read(t, file(c.first), file(c.second))
			if len(rows.Processes) != 1 || len(rows.Exchanges) != 1 || rows.Exchanges[0].Value != c.want || rows.Classes()[c.class] != 1 {
				t.Errorf("%+v, %v", rows.Exchanges, rows.Notes)
			}
		})
	}
}

func TestRecognised(t *testing.T) {
	for _, c := range []struct {
		name, document string
		want           bool
	}{
		{"activities", file(), true},
		{"no namespace", `<ecoSpold><activityDataset/></ecoSpold>`, true},
		{"no namespace, EcoSpold 1", `<ecoSpold><dataset/></ecoSpold>`, false},
		{"EcoSpold 1", `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold01"/>`, false},
	} {
		if got := Detect(ingesttest.Files(t, map[string]string{"a.xml": c.document})); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestRefuses(t *testing.T) {
	good := activity(uuid("a"), "x", between(uuid("1"), "x", "kg", 1, ref))
	for _, c := range []struct{ name, document, want string }{
		{"a cut file", file(good)[:900], "the document ends"},
		{"a number out of bounds", strings.Replace(file(good), `amount="1"`, `amount="1e999"`, 1), `amount of intermediateExchange: "1e999" is not a finite number`},
		{"entities", strings.Replace(file(good), "?>", `?><!DOCTYPE a [<!ENTITY b "c">]>`, 1), "document types (DOCTYPE) are not allowed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ingesttest.Read(t, Open, ingesttest.Files(t, map[string]string{"in.spold": c.document, "good.spold": file()}))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "in.spold:") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzEcoSpold2(f *testing.F) {
	f.Add(file(activity(uuid("a"), "x", between(uuid("1"), "x", "kg", 1, "<uncertainty><lognormal variance='0.1'/></uncertainty>"+ref)+nature(uuid("7"), "y", 1, toAir)+
		`<parameter variableName="a" mathematicalRelation="1+1"/>`), masterData))
	f.Fuzz(func(t *testing.T, document string) {
		src := ingesttest.Files(t, map[string]string{"in.spold": document})
		if !Detect(src) {
			return
		}
		rows, err := ingesttest.Read(t, Open, src)
		if err != nil {
			return
		}
		for _, kind := range []ingest.Kind{ingest.Exchanges, ingest.Factors, ingest.Impacts} {
			if c := rows.Outcome[kind]; c.Read != c.Stored+c.Skipped {
				t.Errorf("%s: %+v", kind, c)
			}
		}
	})
}
