package brightway

import (
	"slices"
	"testing"

	"cradle/internal/export/exporttest"
	"cradle/internal/formats/ecospold2"
	"cradle/internal/formats/jsonld"
	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/ingest/source"
	"cradle/internal/lci"
)

var format = exporttest.Format{Open: Open, Write: Write}

func samples(t *testing.T) map[string]*ingesttest.Rows {
	return exporttest.Samples(t, map[string]func(*source.Source) (ingest.Package, error){
		"jsonld-v1/US-FPL.zip": jsonld.Open, "jsonld-v1/olca_exchange_sync-all.zip": jsonld.Open, "ecospold2/olca_sample_ecospold2.xml": ecospold2.Open})
}

func TestRoundTrip(t *testing.T) {
	format.RoundTrip(t,
		"Material.Source", "Material.SourceOrganization", "Material.DatePublished", "Material.Classification", "Property", "MaterialImpact", // there are no materials
		"Method", "Indicator", "Factor", "Impact", // sheets that Brightway skips
		"Exchange.Direction", "Exchange.Value", "Exchange.Type", "Flow.Type", "more Material", "Exchange.MaterialID", // a waste is a negative input of a product
		"Exchange.ProviderID",                                 // what nobody makes has the id of who would
		"Exchange.Share", "Exchange.Worth", "Process.Sharing", // shares follow from masses
		"Flow.Synonyms", "Process.SourceOrganization", "Process.DatePublished", "Process.Classification",
	)
}

// Products are identified by their names here, so that writing gives new ids.
func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	for name, from := range samples(t) {
		t.Run(name, func(t *testing.T) { format.Stable(t, from, false) })
	}
}

func TestSpreadsAreReadAgain(t *testing.T) { format.Spreads(t) }

func TestNoLocationIsACommand(t *testing.T) { format.SafeLocations(t) }

// A calculated export gives the same scores when it is read again with the
// methods, although the format has no allocation.
func TestTheScoresComeAgain(t *testing.T) {
	all := samples(t)
	all["hard"] = &exporttest.Hard().Rows
	for name, from := range all {
		if len(from.Factors) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			again := format.Read(t, format.AsCalculated(t, from))
			again.Methods, again.Indicators, again.Factors = from.Methods, from.Indicators, from.Factors
			exporttest.SameScores(t, exporttest.Scores(t, again), exporttest.Scores(t, from))
			for _, p := range from.Processes {
				if !p.Deleted && !slices.ContainsFunc(again.Processes, func(q lci.Process) bool { return q.ID == p.ID }) {
					t.Errorf("%s has lost its id", p.Name)
				}
			}
		})
	}
}
