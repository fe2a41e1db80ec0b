package flowmatch_test

import (
	"encoding/csv"
	"os"
	"testing"

	"cradle/internal/flowmatch"
	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// Experts of the Federal LCA Commons mapped each flow of US LCI to one of theirs
// by hand. Without their mapping most are found by name, and those found agree.
func TestNamesFindWhatPeopleMapped(t *testing.T) {
	f, err := os.Open(ingesttest.Shared(t, "lcia/fedefl/flowmapping_USLCIv2019Q4.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := flowmatch.ReadMappings(f)
	if err != nil {
		t.Fatal(err)
	}
	commons := map[lci.ID]lci.Flow{}
	for _, m := range all {
		commons[m.Target.ID] = m.Target
	}
	var flows []lci.Flow
	for _, f := range commons {
		flows = append(flows, f)
	}
	matcher := flowmatch.NewMatching(nil).Method(flows)
	asked, found, right := 0, 0, 0
	for _, m := range all {
		if !m.Exact || m.Factor != 1 {
			continue
		}
		asked++
		matches := matcher.Match(m.Source)
		if len(matches) == 0 {
			continue
		}
		found++
		if got := commons[matches[0].Parts[0].Flow]; got.Name == m.Target.Name {
			right++
		} else {
			t.Logf("%s | %s → %s | %s, people say %s | %s", m.Source.Name, m.Source.Compartment, got.Name, got.Compartment, m.Target.Name, m.Target.Compartment)
		}
	}
	t.Logf("of %d flows %d are found, %d of them as people did", asked, found, right)
	if found*100 < asked*60 || right*1000 < found*990 {
		t.Errorf("of %d flows %d are found, %d of them as people did", asked, found, right)
	}
	t.Run("with the mapping", func(t *testing.T) {
		mapped := flowmatch.NewMatching(all).Method(flows)
		for _, m := range all {
			if got := mapped.Match(m.Source); len(got) == 0 || got[0].Route != flowmatch.ByMapping && got[0].Route != flowmatch.ByID {
				t.Fatalf("%s is not found: %v", m.Source.Name, got)
			}
		}
	})
}

// Names of US LCI and what they are in the tables of the IPCC, looked up by hand.
func TestUSLCINamesAmongThoseOfTheIPCC(t *testing.T) {
	f, err := os.Open(ingesttest.Shared(t, "lcia/LCIAformatter_IPCC_GWP_values.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var method []lci.Flow
	names := map[lci.ID]string{}
	for _, r := range rows[1:] {
		if r[0] == "AR6" && r[5] == "GWP100" {
			flow := lci.Flow{ID: lci.DerivedID("ipcc", r[1]), Name: r[1], CAS: r[2], Synonyms: []string{r[3]}, Compartment: "air", Unit: "kg"}
			method = append(method, flow)
			names[flow.ID] = flow.Name
		}
	}
	matcher := flowmatch.NewMatching(nil).Method(method)
	for _, c := range []struct{ name, compartment, want string }{
		{"Carbon dioxide, fossil ", "air/unspecified", "Carbon dioxide"},
		{"Carbon dioxide, land transformation", "air/low population density", "Carbon dioxide"},
		{"Carbon dioxide, biogenic", "air/unspecified", ""},
		{"Carbon dioxide, in air", "resource/in air", ""},
		{"Carbon monoxide, fossil ", "air/unspecified", ""},
		{"Methane, biogenic", "air/high population density", "Methane"},
		{"Methane, fossil", "Elementary Flows/NETL Coal Elementary Flows/air/unspecified", "Methane"},
		{"Methane", "water/unspecified", ""},
		{"Dinitrogen monoxide", "air/low population density, long-term", "Nitrous oxide"},
		{"Sulfur hexafluoride", "air/unspecified", "Sulfur hexafluoride"},
		{"Methane, tetrafluoro-, FC-14", "air/unspecified", "Tetrafluoromethane"},
		{"Methane, dichloro-, HCC-30", "air/high population density", "Dichloromethane"},
		{"Ethane, 1,1,1,2-tetrafluoro-, HFC-134a", "air/low population density", "1,1,1,2-tetrafluoroethane"},
		{"Ethane, hexafluoro-, HFC-116", "air/unspecified", "Hexafluoroethane"},
		{"Methane, bromochlorodifluoro-, Halon 1211", "air/unspecified", "Bromochlorodifluoromethane"},
		{"1,1,1,3,3-Pentafluoropropane, HFC-245fa", "air/unspecified", "1,1,1,3,3-pentafluoropropane"},
		{"Chloroform", "air/unspecified", "Trichloromethane"},
		{"Hydrocarbons (other than methane)", "air/unspecified", ""},
		{"Methanol", "air/unspecified", ""},
	} {
		got := matcher.Match(lci.Flow{ID: lci.NewID(), Name: c.name, Compartment: c.compartment, Unit: "kg"})
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s is taken for %s", c.name, names[got[0].Parts[0].Flow])
		case c.want != "" && (len(got) == 0 || names[got[0].Parts[0].Flow] != c.want):
			t.Errorf("%s: got %v, want %s", c.name, got, c.want)
		}
	}
}
