package formats

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cradle/internal/ingest/ingesttest"
)

// Tables and documents are recognised by their headings.
func TestTablesAreToldApart(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"materials/kittycad", "materials"}, {"materials/PeriodicTableCSV.csv", "materials"}, {"materials/mvernacc", "materials"}, {"materials/refractiveindex", "materials"},
		{"lcia/LCIAformatter_NETL_TRACI2.1.csv", "lcia"}, {"lcia/LCIAformatter_IPCC_GWP_values.csv", "lcia"}, {"lcia/premise_gwp_lcia_gwp2021_100a.xlsx", "lcia"},
		{"textbook/iomb_example/lcia_factors.csv", "lcia"}, {"brightway-excel/lcia.xlsx", "lcia"}, {"csv/pizzol_test_db_excel_w_ecoinvent.csv", "brightway"},
	} {
		lib, err := Open(ingesttest.Shared(t, c.file), "")
		if err != nil {
			t.Error(err)
			continue
		}
		defer lib.Close()
		if got := lib.(*opened).format; got != c.want {
			t.Errorf("%s is taken for %s", c.file, got)
		}
	}
}

// So are tables written by this program.
func TestWrittenTablesAreToldApart(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"name,density (kg/m3)\nSteel,7850\n", "materials"},
		{"Flowable,Context,Unit,Characterization Factor,Indicator\nCarbon dioxide,air,kg,1,GWP\n", "lcia"},
		{"Database,db\n\nActivity,mill\nExchanges\nname,amount,type\nmill,1,production\n", "brightway"},
	} {
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		lib, err := Open(path, "")
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		if got := lib.(*opened).format; got != c.want {
			t.Errorf("%q is taken for %s", c.text, got)
		}
	}
}

func TestOpenSaysWhatItLookedFor(t *testing.T) {
	folder := t.TempDir()
	numbers := filepath.Join(t.TempDir(), "numbers.csv")
	if err := os.WriteFile(numbers, []byte("Substance,Harm\nLead,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	zip := filepath.Join(folder, "a.zip")
	if err := os.WriteFile(zip, []byte("PK\x03\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, format, want string }{
		{"nothing known", folder, "", "has an unknown format: it contains a zip inside it, which you can import separately; the known formats are bundle"},
		{"names and numbers", numbers, "", "the meaning of the numbers is unclear. For material properties, give the unit in each heading"},
		{"damaged zip", zip, "", "a.zip is a damaged zip: "},
		{"not what it is said to be", folder, "bundle", "is not a bundle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(c.path, c.format)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := Open(filepath.Join(folder, "missing"), ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}
