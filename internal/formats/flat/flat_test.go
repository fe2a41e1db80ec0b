package flat

import (
	"slices"
	"strings"
	"testing"

	"cradle/internal/export/exporttest"
	"cradle/internal/lci"
)

func TestSpreadsheetsAreGivenNoFormulas(t *testing.T) {
	got := safe([]string{"=1", "+1", "@x", "-x", "-1.5", "plain", ""})
	if want := []string{"'=1", "'+1", "'@x", "'-x", "-1.5", "plain", ""}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	l := exporttest.Every()
	l.Materials = append(l.Materials, lci.Material{ID: exporttest.ID("formula"), Name: "=HYPERLINK(1)"})
	for name, text := range exporttest.Unzipped(t, exporttest.Format{Write: Write}.AsStored(t, &l.Rows)) {
		if strings.Contains(text, ",=") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// Every table has names beside ids.
func TestTablesNeedNoJoin(t *testing.T) {
	files := exporttest.Unzipped(t, exporttest.Format{Write: Write}.AsStored(t, &exporttest.Every().Rows))
	for name, want := range map[string]string{
		"material_properties.csv": ",Density,7850,kg/m3,2,2,",
		"processes.csv":           ",Mill,DE,Disaggregated,100 kg,Metals/Iron,From Mill,https://example.org/mill,Works,2024-02-29",
		"process_exchanges.csv":   ",power,,,5,kWh," + exporttest.ID("Plant").String() + ",Plant,",
		"impacts.csv":             ",Plant," + exporttest.ID("method").String() + ",Method,1,Category,Indicator,12,kg",
		"factors.csv":             ",Method,1,Category,Indicator,kg," + exporttest.ID("co2").String() + ",co2,air/urban air,124-38-9,1,kg",
		"flows.csv":               ",co2,elementary,air/urban air,124-38-9,kg,Carbonic acid gas; Dry ice,",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s lacks %s:\n%s", name, want, files[name])
		}
	}
	if len(files) != 6 {
		t.Errorf("%d files", len(files))
	}
}
