package jsonld

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"cradle/internal/export/exporttest"
	"cradle/internal/formats/ecospold2"
	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/ingest/source"
)

var format = exporttest.Format{Open: Open, Write: Write}

func samples(t *testing.T) map[string]*ingesttest.Rows {
	return exporttest.Samples(t, map[string]func(*source.Source) (ingest.Package, error){
		"jsonld-v1/US-FPL.zip": Open, "jsonld-v1/olca_exchange_sync-all.zip": Open, "ecospold2/olca_sample_ecospold2.xml": ecospold2.Open})
}

func TestRoundTrip(t *testing.T) {
	format.RoundTrip(t,
		"Material.Source", "Material.SourceOrganization", "Material.DatePublished", "Material.Classification", // a flow has none
		"Property", "Property.ID", // all but quantities of a flow
		"MaterialImpact", "Impact", // results are of no method there
		"Process.Sharing",    // it is stated then
		"Indicator.Category", // the reader takes the name
	)
}

func TestWhatIsReadIsWrittenTheSame(t *testing.T) {
	for name, from := range samples(t) {
		t.Run(name, func(t *testing.T) { format.Stable(t, from, true) })
	}
}

func TestSpreadsAreReadAgain(t *testing.T) { format.Spreads(t) }

func TestOpenLCAFindsTheScores(t *testing.T) {
	for name, l := range shapes() {
		t.Run(name, func(t *testing.T) {
			exporttest.SameScores(t, openLCA(t, format.AsCalculated(t, &l.Rows)), exporttest.Scores(t, &l.Rows))
		})
	}
}

// Reading the pack again gives the same scores, and no others.
func TestTheScoresComeAgain(t *testing.T) {
	all := samples(t)
	for name, l := range shapes() {
		all[name] = &l.Rows
	}
	delete(all, "a supplier without an inventory") // its stated impacts are read as an inventory
	for name, from := range all {
		if len(from.Factors) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want, again := exporttest.Scores(t, from), exporttest.Scores(t, format.Read(t, format.AsCalculated(t, from)))
			exporttest.SameScores(t, again, want)
			if len(again) != len(want) {
				t.Errorf("%d scores became %d", len(want), len(again))
			}
		})
	}
}

// records reads the JSON files of a folder in a pack.
func records[T any](t testing.TB, pack []byte, folder string) []T {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for _, f := range r.File {
		if !strings.HasPrefix(f.Name, folder+"/") {
			continue
		}
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var one T
		if err := json.NewDecoder(content).Decode(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}
