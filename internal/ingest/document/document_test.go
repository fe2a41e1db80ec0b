package document_test

import (
	"fmt"
	"strings"
	"testing"

	"cradle/internal/formats/ecospold1"
	"cradle/internal/formats/ecospold2"
	"cradle/internal/formats/ilcd"
	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/ingest/source"
)

// Other files beside datasets are counted, and listed if they are few.
func TestOtherFiles(t *testing.T) {
	for _, c := range []struct {
		name, dataset string
		open          func(*source.Source) (ingest.Package, error)
	}{
		{"EcoSpold 1", `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold01"/>`, ecospold1.Open},
		{"EcoSpold 2", `<ecoSpold xmlns="http://www.EcoInvent.org/EcoSpold02"/>`, ecospold2.Open},
		{"ILCD", `<sourceDataSet xmlns="http://lca.jrc.it/ILCD/Source"/>`, ilcd.Open},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"a.xml": c.dataset, "b.zip": "PK\x03\x04"}
			for i := range 2 {
				files[fmt.Sprintf("c%02d.pdf", i)] = "%PDF"
			}
			rows := ingesttest.MustRead(t, c.open, ingesttest.Files(t, files))
			if rows.Outcome["files"] != (ingest.Count{Read: 3, Skipped: 3}) || len(rows.Notes) != 3 || rows.Notes[0].Suggestion != "import it separately" {
				t.Errorf("few: %+v, %v", rows.Outcome, rows.Notes)
			}
			for i := range 500 {
				files[fmt.Sprintf("d%03d.jpg", i)] = "\xff\xd8\x00"
			}
			rows = ingesttest.MustRead(t, c.open, ingesttest.Files(t, files))
			if rows.Outcome["files"] != (ingest.Count{Read: 503, Skipped: 503}) || len(rows.Notes) != 21 || !strings.Contains(rows.Notes[20].Message, "483 files") {
				t.Errorf("many: %+v, %v", rows.Outcome, rows.Notes)
			}
		})
	}
}
