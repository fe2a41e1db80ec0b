package jsonld

import (
	"strings"
	"testing"

	"cradle/internal/ingest/ingesttest"
	"cradle/internal/lci"
)

// Other records of openLCA's packs, and uncertainties of every kind.
func TestWrittenPackWithEverythingElse(t *testing.T) {
	files := farm()
	files["product_systems/30.json"] = `{"@type": "ProductSystem", "@id": "` + id(30) + `", "name": "Farm"}`
	files["dq_systems/31.json"] = `{"@type": "DQSystem", "@id": "` + id(31) + `", "name": "Pedigree"}`
	files["categories/32.json"] = `{"@type": "Category", "@id": "` + id(32) + `", "name": "Food", "modelType": "FLOW"}`
	files["flows/8.json"] = strings.Replace(flowFile(8, "Feed", "PRODUCT_FLOW", massID, ""), `"flowType"`,
		`"category": {"@type": "Category", "@id": "`+id(32)+`", "name": "Food", "categoryPath": ["Products"]}, "synonyms": ["Fodder", "Hay"], "description": "dry", "formula": "C6", "flowType"`, 1)
	causal := func(product int, exchange, value string) string {
		return `{"allocationType": "CAUSAL_ALLOCATION", "product": {"@id": "` + id(product) + `"}, "exchange": ` + exchange + `, "value": ` + value + `}`
	}
	files["processes/12.json"] = processFile(12, "Stable", `"defaultAllocationMethod": "CAUSAL_ALLOCATION", "allocationFactors": [{"allocationType": "BY_MOOD", "product": {"@id": "`+id(1)+`"}, "value": 1},`+
		causal(1, `{"@id": "`+id(60)+`"}`, "0.25")+","+causal(2, `{"@id": "`+id(60)+`"}`, "0.75")+","+
		causal(1, `{"internalId": 7}`, "1")+","+causal(2, `{"internalId": 7}`, "0")+","+
		causal(1, `{"flow": {"@id": "`+id(5)+`"}}`, "0.5")+","+causal(2, `{"flow": {"@id": "`+id(5)+`"}}`, "0.5")+"],",
		exchangeText(1, "kg", `"amount": 1, "isInput": false, "isQuantitativeReference": true`),
		exchangeText(2, "kg", `"amount": 1, "isInput": false`),
		exchangeText(8, "kg", `"@id": "`+id(60)+`", "amount": 4, "isInput": true, "description": "a guess", "uncertainty": {"distributionType": "LOG_NORMAL_DISTRIBUTION", "geomMean": 4, "geomSd": 1.5}`),
		exchangeText(6, "kg", `"internalId": 7, "amount": 5, "isInput": true, "uncertainty": {"distributionType": "TRIANGLE_DISTRIBUTION", "minimum": 4, "mode": 5, "maximum": 9}`),
		exchangeText(5, "kg", `"amount": 6, "isInput": false, "uncertainty": {"distributionType": "UNIFORM_DISTRIBUTION", "minimum": 3, "maximum": 9}`))
	rows := ingesttest.MustRead(t, Open, ingesttest.Files(t, files))

	of := rows.Of("Stable")
	if x := find(t, of, "Feed", lci.Input); x.Distribution != lci.Lognormal {
		t.Errorf("%+v", x)
	}
	if x := find(t, of, "Fertiliser", lci.Input); x.Distribution != lci.Triangular || *x.Minimum != 4 || *x.Maximum != 9 || *x.Mean != 6 {
		t.Errorf("%+v", x)
	}
	if x := find(t, of, "Methane", lci.Output); x.Distribution != lci.Uniform || *x.Minimum != 3 || *x.Maximum != 9 {
		t.Errorf("%+v", x)
	}
	shares := map[lci.ID]int{}
	for _, a := range rows.Allocations {
		shares[a.ExchangeID]++
	}
	if a, b := shares[find(t, of, "Feed", lci.Input).ID], shares[find(t, of, "Methane", lci.Output).ID]; a != 2 || b != 2 {
		t.Errorf("%d shares of the exchange named by its id, %d of the one named by its flow: %+v", a, b, rows.Allocations)
	}
	feed := rows.Flow(find(t, of, "Feed", lci.Input).FlowID)
	if feed.Classification != "Products/Food" || strings.Join(feed.Synonyms, " ") != "Fodder Hay" {
		t.Errorf("%+v", feed)
	}
	if rows.Outcome["product systems"].Skipped != 1 || rows.Outcome["data quality systems"].Skipped != 1 {
		t.Errorf("%+v", rows.Outcome)
	}
	rows.Says(t, "descriptions of flows", "chemical formulas of flows", "comments on exchanges", "allocation factors without a known method", "the catalogue does not store them")
}
