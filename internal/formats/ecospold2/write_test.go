package ecospold2

import (
	"strings"
	"testing"

	"cradle/internal/export/exporttest"
	"cradle/internal/formats/jsonld"
	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/ingest/source"
	"cradle/internal/lci"
)

var format = exporttest.Format{Open: Open, Write: Write}

func samples(t *testing.T) map[string]*ingesttest.Rows {
	return exporttest.Samples(t, map[string]func(*source.Source) (ingest.Package, error){
		"jsonld-v1/US-FPL.zip": jsonld.Open, "jsonld-v1/olca_exchange_sync-all.zip": jsonld.Open, "ecospold2/olca_sample_ecospold2.xml": Open})
}

func TestRoundTrip(t *testing.T) {
	format.RoundTrip(t,
		"Material.Source", "Material.SourceOrganization", "Material.DatePublished", "Material.Classification", "Property", "MaterialImpact", // there are no materials
		"Flow.CAS", "Flow.Synonyms", // a method's factors come first and have none
		"Exchange.Avoided", "Exchange.Value", "Exchange.Mean", "Exchange.StandardDeviation", // an avoided product is a negative input
		"Exchange.Share", "Process.Sharing", // it has no word for shares; there, they follow from masses
		"Process.Sources", "Process.Edition", // it has a version then
		"Impact.ID",
	)
}

func TestWhatIsReadIsWrittenTheSame(t *testing.T) {
	for name, from := range samples(t) {
		t.Run(name, func(t *testing.T) { format.Stable(t, from, true) })
	}
}

func TestSpreadsAreReadAgain(t *testing.T) { format.Spreads(t) }

func TestNoLocationIsACommand(t *testing.T) { format.SafeLocations(t) }

// A calculated export gives the same scores when it is read again, although the
// format has no allocation.
func TestTheScoresComeAgain(t *testing.T) {
	all := samples(t)
	all["hard"] = &exporttest.Hard().Rows
	for name, from := range all {
		if len(from.Factors) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			again := format.Read(t, format.AsCalculated(t, from))
			exporttest.SameScores(t, exporttest.Scores(t, again), exporttest.Scores(t, from))
			versions := map[lci.ID]string{}
			for _, m := range from.Methods {
				versions[m.ID] = m.Version
			}
			if len(again.Methods) != len(from.Methods) || again.Methods[0].Version != versions[again.Methods[0].ID] {
				t.Errorf("the methods are %+v", again.Methods)
			}
		})
	}
}

// Every activity of a calculated export makes one product and every input names
// its supplier, as Brightway requires.
func TestWrittenAsEcoinventWritesIt(t *testing.T) {
	files := exporttest.Unzipped(t, format.AsCalculated(t, &exporttest.Hard().Rows))
	id := func(name string) string { return exporttest.ID(name).String() }
	if n := len(files); n != 1+2+9+1 {
		t.Errorf("%d files", n)
	}
	for name, content := range files {
		if !strings.HasPrefix(name, "datasets/") {
			continue
		}
		first, _, _ := strings.Cut(content, "</activityDataset>")
		if strings.Count(first, "<outputGroup>0<") != 1 || strings.Contains(first, "<outputGroup>2<") || strings.Contains(first, "impactIndicator") {
			t.Errorf("%s:\n%s", name, first)
		}
		if strings.Count(first, "<inputGroup>5<") != strings.Count(first, "activityLinkId=") {
			t.Errorf("%s has inputs that nobody supplies", name)
		}
	}
	for name, want := range map[string][]string{
		"datasets/" + id("Landfill") + "_" + id("ash") + ".spold":  {`amount="-1" intermediateExchangeId="` + id("ash")},
		"datasets/" + id("Drying") + "_" + id("sludge") + ".spold": {`amount="-4" intermediateExchangeId="` + id("sludge")},
		"datasets/" + id("Mill") + "_" + id("steel") + ".spold": {`amount="-2.4000000000000004" intermediateExchangeId="` + id("ash") + `" activityLinkId="` + id("Landfill"),
			"The amounts are the share of this product: 0.8 of the process", `amount="120" elementaryExchangeId="` + id("ore")},
		"uncalculated/" + id("Ouroboros") + ".spold": {"<inputGroup>5<"},
	} {
		for _, w := range want {
			if !strings.Contains(files[name], w) {
				t.Errorf("%s lacks %s:\n%s", name, w, files[name])
			}
		}
	}
}
