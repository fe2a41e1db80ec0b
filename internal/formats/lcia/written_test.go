package lcia

import (
	"fmt"
	"strings"
	"testing"

	"cradle/internal/ingest"
	"cradle/internal/ingest/ingesttest"
)

// Reference data without flows, with methods without factors, and another table
// beside it.
func TestWrittenReferenceDataWithoutFlows(t *testing.T) {
	id := func(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
	categories, members := "ID,Name,Description,Category,Reference unit\n"+id(2)+",GWP,,,kg CO2 eq\n", "LCIA method,LCIA category\nM,"+id(2)+"\n"
	for n := 10; n < 17; n++ {
		categories += fmt.Sprintf("%s,Empty %d,,,kg\n", id(n), n)
		members += "N," + id(n) + "\n"
	}
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, map[string]string{
		"lcia_methods.csv":           "ID,Name,Description,Category\n" + id(1) + ",M,,\n" + id(4) + ",N,,\n",
		"lcia_categories.csv":        categories,
		"lcia_method_categories.csv": members,
		"lcia_factors/0.csv":         "LCIA category,Flow,Flow property,Flow unit,Location,Factor\n" + id(2) + "," + id(3) + ",Mass,kg,,25\n",
		"other.csv":                  "Substance,Compartment,Factor (kg N eq)\nNitrate,water,2\n",
	}))
	if len(rows.Methods) != 2 || len(rows.Factors) != 2 || rows.Outcome[ingest.Methods].Skipped != 1 || rows.Outcome[ingest.Indicators].Skipped != 7 {
		t.Errorf("%+v, %+v, %+v", rows.Methods, rows.Factors, rows.Outcome)
	}
	if got := rows.Factors[0].FlowID.String(); got != id(3) {
		t.Errorf("the factor is of %s", got)
	}
	rows.Says(t, "Empty 14 and 2 more", "there are no factors for the method")
}

func TestWrittenTablesThatNameLittle(t *testing.T) {
	rows := readText(t, "acid.csv", "Name,Substance,Compartment,Factor", "Acidity,Ammonia,air,1.88")
	if i := rows.Indicators[0]; i.Name != "Acidity" || rows.Flows[0].Name != "Ammonia" {
		t.Errorf("a name beside a substance is the indicator's: %+v, %+v", i, rows.Flows)
	}
	rows = readText(t, "acid.csv", "CAS,Substance,Compartment,Factor,Category", "7664-41-7,,air,1.88,", "7697-37-2,Nitric acid,air,1,")
	if i := rows.Indicators[0]; len(rows.Indicators) != 1 || i.Name != "acid" {
		t.Errorf("an indicator that nothing names is called as the table: %+v", rows.Indicators)
	}
	if f := rows.Flow(rows.Factors[0].FlowID); !strings.Contains(f.Name, "7664-41-7") || f.CAS != "7664-41-7" || rows.Factors[0].Value != 1.88 {
		t.Errorf("known by its CAS number alone: %+v", f)
	}
}
