package test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A pull is one of the four ways to purchase, with something to buy.
type pull struct {
	name      string
	path      string
	field     string
	id        string   // one item, not owned by a new team
	items     []string // what the view calls it
	cost      int
	entries   int  // the most the list takes
	userCount bool // whether the body has it
	poor      int  // the status for too few credits
}

var pulls = []pull{
	{"properties", "/public/materials/" + steel + "/properties/pull", "propertyIds", density, []string{density}, 2, 500, true, 403},
	{"process", "/public/processes/" + rolling + "/pull", "referenceProductIds", coil, []string{pair(rolling, coil)}, 3, 500, true, 403},
	{"impacts", "/public/processes/" + rolling + "/impacts/pull", "characterizationFactorIds", ipcc, []string{pair(ipcc, rolling)}, 1, 500, true, 403},
	{"datapoints", "/public/datapoints/pull", "materialIds", steel, []string{density, carbon, strength}, 8, 100, false, 409},
}

// body makes the body of a pull of some ids; more is further JSON members.
func (p pull) body(ids []string, more ...string) string {
	encoded, err := json.Marshal(ids)
	if err != nil {
		panic(err)
	}
	members := []string{fmt.Sprintf("%q: %s", p.field, encoded)}
	if p.userCount {
		members = append(members, `"userCount": 1`)
	}
	return "{" + strings.Join(append(members, more...), ", ") + "}"
}

func forEachPull(t *testing.T, f func(t *testing.T, p pull)) {
	t.Helper()
	for _, p := range pulls {
		t.Run(p.name, func(t *testing.T) { f(t, p) })
	}
}

// strings for lists in expected answers.
func ids(all ...string) list {
	l := list{}
	for _, id := range all {
		l = append(l, id)
	}
	return l
}

func pullProperties(c *client, material string, userCount int, properties ...string) answer {
	c.t.Helper()
	return c.post("/public/materials/"+material+"/properties/pull", request("propertyIds", properties, userCount))
}

func pullProcess(c *client, process string, userCount int, products ...string) answer {
	c.t.Helper()
	return c.post("/public/processes/"+process+"/pull", request("referenceProductIds", products, userCount))
}

func pullImpacts(c *client, process string, userCount int, methods ...string) answer {
	c.t.Helper()
	return c.post("/public/processes/"+process+"/impacts/pull", request("characterizationFactorIds", methods, userCount))
}

func pullDatapoints(c *client, materials ...string) answer {
	c.t.Helper()
	return c.post("/public/datapoints/pull", request("materialIds", materials, 0))
}

// request is the body of a pull; without a userCount when that is 0.
func request(field string, ids []string, userCount int) string {
	body := obj{field: ids}
	if userCount > 0 {
		body["userCount"] = userCount
	}
	return text(body)
}

func testPropertyPull(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	v := s.contents
	t.Run("two properties for three users, ids in request order without repeats", func(t *testing.T) {
		c := c.in(t)
		pullProperties(c, steel, 3, strings.ToUpper(carbon), density, carbon, density).says(
			obj{"materialId": steel, "pulledPropertyIds": ids(carbon, density), "creditsDebited": 9.0})
		v = v.with(density, carbon)
	})
	t.Run("what the team has is not charged again", func(t *testing.T) {
		c := c.in(t)
		pullProperties(c, steel, 2, strength, density).says(
			obj{"materialId": steel, "pulledPropertyIds": ids(strength, density), "creditsDebited": 10.0})
		v = v.with(strength)
	})
	t.Run("everything already revealed costs nothing", func(t *testing.T) {
		c := c.in(t)
		pullProperties(c, steel, 7, density).says(obj{"materialId": steel, "pulledPropertyIds": ids(density), "creditsDebited": 0.0})
	})
	t.Run("a free property", func(t *testing.T) {
		c := c.in(t)
		pullProperties(c, copper, 4, freebie).says(obj{"materialId": copper, "pulledPropertyIds": ids(freebie), "creditsDebited": 0.0})
		v = v.with(freebie)
	})
	t.Run("the material's id is answered in lower case", func(t *testing.T) {
		c := c.in(t)
		pullProperties(c, strings.ToUpper(steel), 1, density).says(
			obj{"materialId": steel, "pulledPropertyIds": ids(density), "creditsDebited": 0.0})
	})
	for name, id := range map[string]string{"unknown": unknown, "of another material": conductivity, "deleted": ghost, "of a restricted material": hardness} {
		t.Run("a property that is "+name+" refuses the whole pull", func(t *testing.T) {
			c := c.in(t)
			pullProperties(c, steel, 1, density, id).refuses(404, id)
			pullProperties(c, copper, 1, conductivity, unknown).refuses(404, unknown)
		})
	}
	for name, id := range map[string]string{"unknown": unknown, "deleted": scrap, "restricted": alloy} {
		t.Run("a material that is "+name, func(t *testing.T) {
			c := c.in(t)
			pullProperties(c, id, 1, scrapShare).refuses(404)
			pullProperties(c, id, 1, hardness).refuses(404)
		})
	}
	v.checkReads(t, c)
	if got := s.balance(t, c); got != 100-9-10 {
		t.Errorf("balance %d, want 81", got)
	}
}

func testProcessPull(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	v := s.contents
	t.Run("one product for two users", func(t *testing.T) {
		c := c.in(t)
		pullProcess(c, rolling, 2, coil, coil).says(obj{"processId": rolling, "pulledReferenceProductIds": ids(coil), "revealedCount": 1.0})
		v = v.with(pair(rolling, coil))
	})
	t.Run("all of it again", func(t *testing.T) {
		c := c.in(t)
		pullProcess(c, rolling, 1, coil).refuses(409).code("already_revealed")
	})
	t.Run("ids that are no products are ignored beside one that is", func(t *testing.T) {
		c := c.in(t)
		pullProcess(c, refinery, 1, unknown, strings.ToUpper(naphtha), coil, petrol).says(
			obj{"processId": refinery, "pulledReferenceProductIds": ids(naphtha, petrol), "revealedCount": 2.0})
		v = v.with(pair(refinery, naphtha), pair(refinery, petrol))
	})
	t.Run("only what is new is counted and charged", func(t *testing.T) {
		c := c.in(t)
		pullProcess(c, refinery, 5, petrol, diesel).says(
			obj{"processId": refinery, "pulledReferenceProductIds": ids(petrol, diesel), "revealedCount": 1.0})
		v = v.with(pair(refinery, diesel))
	})
	t.Run("owned and unknown together", func(t *testing.T) {
		c := c.in(t)
		pullProcess(c, refinery, 1, petrol, unknown).refuses(409).code("already_revealed")
	})
	t.Run("the product of another process is another purchase", func(t *testing.T) {
		c := c.in(t)
		pullProcess(c, blending, 1, diesel).says(obj{"processId": blending, "pulledReferenceProductIds": ids(diesel), "revealedCount": 1.0})
		v = v.with(pair(blending, diesel))
	})
	t.Run("a product whose id is its material's", func(t *testing.T) {
		c := c.in(t)
		pullProcess(c, forging, 1, copper).says(obj{"processId": forging, "pulledReferenceProductIds": ids(copper), "revealedCount": 1.0})
		v = v.with(pair(forging, copper))
	})
	for name, id := range map[string]string{
		"unknown": unknown, "an output that is no reference": sulphur, "an input": crude, "of another process": coil, "the process itself": refinery,
	} {
		t.Run("no pair matches: "+name, func(t *testing.T) { pullProcess(c.in(t), refinery, 1, id).refuses(404) })
	}
	for name, id := range map[string]string{"unknown": unknown, "deleted": oldMill, "restricted": newMill} {
		t.Run("a process that is "+name, func(t *testing.T) { pullProcess(c.in(t), id, 1, coke, ingot).refuses(404) })
	}
	v.checkReads(t, c)
	if got, want := s.balance(t, c), 100-3*2-2-5-1-1; got != want {
		t.Errorf("balance %d, want %d", got, want)
	}
}

func testImpactsPull(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	v := s.contents
	t.Run("a method reveals all its rows for one credit a user", func(t *testing.T) {
		c := c.in(t)
		pullImpacts(c, rolling, 3, ipcc).says(obj{"processId": rolling, "pulledCharacterizationFactorIds": ids(pair(ipcc, rolling)), "revealedImpactCount": 2.0})
		v = v.with(pair(ipcc, rolling))
	})
	t.Run("all of it again", func(t *testing.T) {
		c := c.in(t)
		pullImpacts(c, rolling, 1, ipcc, pair(ipcc, rolling)).refuses(409).code("already_revealed")
	})
	t.Run("composites, repeats, an owned method and one without rows", func(t *testing.T) {
		c := c.in(t)
		pullImpacts(c, rolling, 1, recipe, strings.ToUpper(pair(ef31, rolling)), ef30, ipcc, ef31).says(obj{"processId": rolling,
			"pulledCharacterizationFactorIds": ids(pair(ef31, rolling), pair(ipcc, rolling)), "revealedImpactCount": 1.0})
		v = v.with(pair(ef31, rolling))
	})
	t.Run("owned and without rows together", func(t *testing.T) {
		c := c.in(t)
		pullImpacts(c, rolling, 1, recipe, ipcc).refuses(409).code("already_revealed")
	})
	t.Run("on a flow-based process too", func(t *testing.T) {
		c := c.in(t)
		pullImpacts(c, refinery, 1, ef31, ipcc).says(obj{"processId": refinery,
			"pulledCharacterizationFactorIds": ids(pair(ef31, refinery), pair(ipcc, refinery)), "revealedImpactCount": 3.0})
		v = v.with(pair(ef31, refinery), pair(ipcc, refinery))
	})
	t.Run("an unknown method refuses the whole pull", func(t *testing.T) {
		c := c.in(t)
		pullImpacts(c, rolling, 1, ipcc, unknown).refuses(404, unknown)
		pullImpacts(c, rolling, 1, pair(unknown, rolling)).refuses(404, unknown)
	})
	t.Run("no method with rows", func(t *testing.T) {
		c := c.in(t)
		pullImpacts(c, rolling, 1, recipe, ef30).refuses(404)
		pullImpacts(c, blending, 1, ipcc).refuses(404)
	})
	t.Run("a composite of another process", func(t *testing.T) {
		c := c.in(t)
		pullImpacts(c, rolling, 1, pair(ipcc, refinery)).refuses(400)
		pullImpacts(c, rolling, 1, ipcc, pair(ef31, unknown)).refuses(400)
	})
	for _, id := range []string{"", ",", pair(ipcc, ""), pair("", rolling), pair(ipcc, pair(rolling, rolling)), ipcc + ", " + rolling, ipcc + ";" + rolling, pair("x", rolling)} {
		t.Run("malformed: "+id, func(t *testing.T) { pullImpacts(c.in(t), rolling, 1, id).refuses(400) })
	}
	for name, id := range map[string]string{"unknown": unknown, "deleted": oldMill, "restricted": newMill} {
		t.Run("a process that is "+name, func(t *testing.T) { pullImpacts(c.in(t), id, 1, ipcc).refuses(404) })
	}
	v.checkReads(t, c)
	if got, want := s.balance(t, c), 100-3-1-2; got != want {
		t.Errorf("balance %d, want %d", got, want)
	}
}

func testDatapointPull(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	v := s.contents
	pullProperties(c, steel, 1, carbon).is(200)
	t.Run("every property of each material, but what the team has", func(t *testing.T) {
		c := c.in(t)
		pullDatapoints(c, strings.ToUpper(copper), steel, copper).says(obj{"pulledMaterialIds": ids(copper, steel), "creditsDebited": 8.0})
		v = v.with(density, carbon, strength, conductivity, freebie)
	})
	t.Run("all of it again", func(t *testing.T) {
		c := c.in(t)
		pullDatapoints(c.withVersion(obsidian), steel).says(obj{"pulledMaterialIds": ids(steel), "creditsDebited": 0.0})
	})
	t.Run("a material without properties", func(t *testing.T) {
		c := c.in(t)
		pullDatapoints(c, water).says(obj{"pulledMaterialIds": ids(water), "creditsDebited": 0.0})
	})
	for name, id := range map[string]string{"unknown": unknown, "deleted": scrap, "restricted": alloy} {
		t.Run("a material that is "+name+" refuses the whole pull", func(t *testing.T) {
			c := c.in(t)
			pullDatapoints(c, water, id).refuses(404, id)
		})
	}
	v.checkReads(t, c)
	if got, want := s.balance(t, c), 100-1-8; got != want {
		t.Errorf("balance %d, want %d", got, want)
	}
}

// A pull that costs one credit more than there are changes nothing.
func testTooFewCredits(t *testing.T, s *service) {
	forEachPull(t, func(t *testing.T, p pull) {
		c := s.buyer(t, p.cost-1)
		c.post(p.path, p.body([]string{p.id})).refuses(p.poor).code("insufficient_credits")
		s.contents.checkReads(t, c)
		if got := s.balance(t, c); got != p.cost-1 {
			t.Errorf("the balance changed to %d", got)
		}
		s.grant(t, c.team, 1)
		c.post(p.path, p.body([]string{p.id})).is(200)
		s.contents.with(p.items...).checkReads(t, c)
		if got := s.balance(t, c); got != 0 {
			t.Errorf("balance %d, want 0", got)
		}
	})
}

// However large a cost is, it is just too much.
func testLargeCosts(t *testing.T, s *service) {
	c := s.buyer(t, 2_147_483_647)
	for _, count := range []string{"2147483648", "4294967297", "4611686018427387905", "9223372036854775807", "9223372036854775808", "18446744073709551617", "1" + strings.Repeat("0", 100)} {
		t.Run(count+" users", func(t *testing.T) {
			c := c.in(t)
			for _, p := range pulls {
				if p.userCount {
					body := fmt.Sprintf(`{%q: [%q], "userCount": %s}`, p.field, p.id, count)
					c.post(p.path, body).refuses(403).code("insufficient_credits")
					c.post(p.path+"?quote=true", body).refuses(403).code("insufficient_credits")
				}
			}
			body := fmt.Sprintf(`{"propertyIds": [%q], "userCount": %s}`, freebie, count)
			c.post("/public/materials/"+copper+"/properties/pull?quote=true", body).is(200)
		})
	}
	if got := s.balance(t, c); got != 2_147_483_647 {
		t.Errorf("the balance changed to %d", got)
	}
	t.Run("the whole balance can be spent", func(t *testing.T) {
		c := c.in(t)
		pullProperties(c, steel, 2_147_483_647, carbon).says(
			obj{"materialId": steel, "pulledPropertyIds": ids(carbon), "creditsDebited": 2147483647.0})
	})
}

func testMaxCredits(t *testing.T, s *service) {
	forEachPull(t, func(t *testing.T, p pull) {
		c := s.buyer(t, p.cost)
		for _, most := range []int{0, p.cost - 1} {
			c.post(p.path, p.body([]string{p.id}, fmt.Sprintf(`"maxCredits": %d`, most))).refuses(403)
		}
		s.contents.checkReads(t, c)
		c.post(p.path, p.body([]string{p.id}, fmt.Sprintf(`"maxCredits": %d`, p.cost))).is(200)
		if got := s.balance(t, c); got != 0 {
			t.Errorf("balance %d, want 0", got)
		}
		if p.name == "properties" || p.name == "datapoints" {
			c.post(p.path, p.body([]string{p.id}, `"maxCredits": 0`)).is(200)
		}
	})
}

func testQuotes(t *testing.T, s *service) {
	quote := func(credits, fresh, owned, balance int) obj {
		return obj{"credits": float64(credits), "newItems": float64(fresh), "ownedItems": float64(owned),
			"balance": float64(balance), "balanceAfter": float64(balance - credits)}
	}
	c := s.buyer(t, 10)
	const q = "?quote=true"
	properties := "/public/materials/" + steel + "/properties/pull" + q
	process := "/public/processes/" + refinery + "/pull" + q
	impacts := "/public/processes/" + refinery + "/impacts/pull" + q
	datapoints := "/public/datapoints/pull" + q

	t.Run("nothing owned", func(t *testing.T) {
		c := c.in(t)
		c.post(properties, request("propertyIds", []string{density, carbon, density}, 2)).says(quote(6, 2, 0, 10))
		c.post(process, request("referenceProductIds", []string{diesel, petrol, unknown}, 3)).says(quote(6, 2, 0, 10))
		c.post(impacts, request("characterizationFactorIds", []string{ipcc}, 4)).says(quote(4, 1, 0, 10))
		if got := c.post(datapoints, request("materialIds", []string{steel}, 0)).is(200).object(); got["credits"] != 8.0 || got["balanceAfter"] != 2.0 {
			t.Errorf("datapoints: %v", got)
		}
	})
	t.Run("too few credits is no error", func(t *testing.T) {
		c := c.in(t)
		c.post(properties, request("propertyIds", []string{strength}, 3)).says(quote(15, 1, 0, 10))
		c.post(process, request("referenceProductIds", []string{diesel}, 11)).says(quote(11, 1, 0, 10))
		c.post(impacts, request("characterizationFactorIds", []string{ipcc}, 2_147_483_647)).says(quote(2_147_483_647, 1, 0, 10))
	})
	t.Run("beyond what a balance can be it is", func(t *testing.T) {
		c := c.in(t)
		c.post(properties, request("propertyIds", []string{density}, 1_073_741_824)).refuses(403).code("insufficient_credits")
	})
	t.Run("nothing was changed", func(t *testing.T) {
		c := c.in(t)
		s.contents.checkReads(t, c)
		if entries := s.credits(t, c.team).Live.Entries; len(entries) != 1 {
			t.Errorf("ledger: %+v", entries)
		}
	})
	t.Run("errors are those of the pull", func(t *testing.T) {
		c := c.in(t)
		c.post(properties, request("propertyIds", []string{unknown}, 1)).refuses(404, unknown)
		c.post(properties, request("propertyIds", nil, 1)).refuses(400)
		c.post(process, request("referenceProductIds", []string{unknown}, 1)).refuses(404)
		c.post(process, request("referenceProductIds", []string{diesel}, 0)).refuses(400, "userCount")
		c.post(impacts, request("characterizationFactorIds", []string{recipe}, 1)).refuses(404)
		c.post(datapoints, request("materialIds", []string{alloy}, 0)).refuses(404)
	})
	t.Run("partly and wholly owned", func(t *testing.T) {
		c := c.in(t)
		pullProperties(c, steel, 1, density).is(200)
		pullProcess(c, refinery, 1, diesel).is(200)
		pullImpacts(c, refinery, 1, ipcc).is(200)
		c.post(properties, request("propertyIds", []string{carbon, density}, 2)).says(quote(2, 1, 1, 6))
		c.post(properties, request("propertyIds", []string{density}, 9)).says(quote(0, 0, 1, 6))
		c.post(process, request("referenceProductIds", []string{diesel, naphtha}, 1)).says(quote(1, 1, 1, 6))
		c.post(process, request("referenceProductIds", []string{diesel}, 1)).says(quote(0, 0, 1, 6))
		c.post(impacts, request("characterizationFactorIds", []string{ipcc}, 1)).says(quote(0, 0, 1, 6))
	})
	t.Run("under the older version", func(t *testing.T) {
		c := c.in(t)
		c.withVersion(obsidian).post(process, request("referenceProductIds", []string{petrol}, 0)).says(quote(1, 1, 0, 6))
	})
	t.Run("a quote that is not asked for properly is not a purchase", func(t *testing.T) {
		c := c.in(t)
		for _, bad := range []string{"?quote=TRUE", "?quote=1", "?quote=", "?quote", "?quote=yes", "?quote=true&quote=false"} {
			c.post("/public/processes/"+refinery+"/pull"+bad, request("referenceProductIds", []string{petrol}, 1)).refuses(400, "quote")
		}
		s.contents.with(density, pair(refinery, diesel), pair(ipcc, refinery)).checkReads(t, c)
	})
	t.Run("quote=false is a purchase", func(t *testing.T) {
		c := c.in(t)
		c.post("/public/processes/"+refinery+"/pull?quote=false", request("referenceProductIds", []string{petrol}, 1)).says(
			obj{"processId": refinery, "pulledReferenceProductIds": ids(petrol), "revealedCount": 1.0})
	})
}

// Body, then record and child ids, then whether anything is left, then
// maxCredits, then credits.
func testOrderOfPullChecks(t *testing.T, s *service) {
	c := s.buyer(t, 4)
	pullProcess(c, rolling, 1, coil).is(200)
	pullImpacts(c, rolling, 1, ipcc).is(200) // no credits are left
	body := func(field, id, more string) string {
		return fmt.Sprintf(`{%q: [%q], "userCount": 1%s}`, field, id, more)
	}
	properties := "/public/materials/" + steel + "/properties/pull"
	process := "/public/processes/" + rolling + "/pull"
	impacts := "/public/processes/" + rolling + "/impacts/pull"

	t.Run("body before unknown ids", func(t *testing.T) {
		c := c.in(t)
		c.post("/public/materials/"+unknown+"/properties/pull", body("propertyIds", unknown, `, "x": 1`)).refuses(400, "x")
		c.post("/public/processes/"+unknown+"/pull", body("referenceProductIds", "y", "")).refuses(400)
		c.post("/public/processes/"+unknown+"/impacts/pull", body("characterizationFactorIds", pair(unknown, rolling), "")).refuses(400)
		c.post("/public/datapoints/pull", `{"materialIds": ["`+unknown+`", "y"]}`).refuses(400)
	})
	t.Run("unknown ids before credits and maxCredits", func(t *testing.T) {
		c := c.in(t)
		c.post(properties, body("propertyIds", unknown, `, "maxCredits": 0`)).refuses(404, unknown)
		c.post(process, body("referenceProductIds", unknown, `, "maxCredits": 0`)).refuses(404)
		c.post(impacts, body("characterizationFactorIds", unknown, `, "maxCredits": 0`)).refuses(404, unknown)
		c.post("/public/datapoints/pull", `{"materialIds": ["`+steel+`", "`+unknown+`"], "maxCredits": 0}`).refuses(404, unknown)
	})
	t.Run("an unknown method before an owned one", func(t *testing.T) {
		c := c.in(t)
		c.post(impacts, `{"characterizationFactorIds": ["`+ipcc+`", "`+unknown+`"], "userCount": 1}`).refuses(404)
	})
	t.Run("nothing left before credits and maxCredits", func(t *testing.T) {
		c := c.in(t)
		c.post(process, body("referenceProductIds", coil, `, "maxCredits": 0`)).refuses(409).code("already_revealed")
		c.post(impacts, body("characterizationFactorIds", ipcc, `, "maxCredits": 0`)).refuses(409).code("already_revealed")
	})
	t.Run("maxCredits before credits", func(t *testing.T) {
		c := c.in(t)
		got := c.post("/public/datapoints/pull", `{"materialIds": ["`+steel+`"], "maxCredits": 7}`).refuses(403)
		if got.header.Get("Svc-Error-Code") == "insufficient_credits" {
			t.Error("maxCredits is answered as too few credits")
		}
		c.post("/public/datapoints/pull", `{"materialIds": ["`+steel+`"], "maxCredits": 8}`).refuses(409).code("insufficient_credits")
	})
}

func testOlderUserCount(t *testing.T, s *service) {
	forEachPull(t, func(t *testing.T, p pull) {
		if !p.userCount {
			return // has none under any version
		}
		c := s.buyer(t, p.cost)
		old, body := c.withVersion(obsidian), request(p.field, []string{p.id}, 0)
		c.post(p.path, body).refuses(400, "userCount")
		for _, bad := range []string{"0", "-1", "null", `"1"`, "1.0"} {
			old.post(p.path, fmt.Sprintf(`{%q: [%q], "userCount": %s}`, p.field, p.id, bad)).refuses(400, "userCount")
		}
		old.post(p.path, body).is(200)
		if got := s.balance(t, c); got != 0 {
			t.Errorf("balance %d: a userCount left out does not count as 1", got)
		}
	})
}
