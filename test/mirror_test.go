package test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// The fields that REST answers with, as selections.
const (
	propertyFields = "id name value unit revealed deleted revealType"
	exchangeFields = "id referenceId name value mean standardDeviation unit exchangeTypeDetails"
	impactFields   = "id method methodId methodVersion indicator value unit revealed"

	materialFields = "id name source sourceOrganization functionalUnit compartment datePublished revealed deleted properties {" + propertyFields + "}"
	processFields  = "id name source { link } sourceOrganization regionRegionalScope datePublished revealed deleted" +
		" inputs {" + exchangeFields + "} outputs {" + exchangeFields + "}"
)

// A mirrored is a GraphQL read that answers like a path of REST.
type mirrored struct {
	field     string
	query     string
	variables obj
	shape     func(obj) obj // from GraphQL's form to REST's
}

func same(o obj) obj { return o }

// mirror finds the read that mirrors a path.
func mirror(path string) mirrored {
	address, err := url.Parse(path)
	if err != nil {
		panic(err)
	}
	parts := strings.Split(strings.TrimPrefix(address.Path, "/public/"), "/")
	at := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	list := len(parts) == 1 || parts[1] == "pulled"
	switch {
	case parts[0] == "me":
		return mirrored{"me", "{ me { id email firstname lastname recentTeam } }", nil, same}
	case parts[0] == "teams":
		return mirrored{"teams", "{ teams { items { id label description role isRecent } total } }", nil, same}
	case parts[0] == "impact-methods":
		return mirrored{"impactMethods", "{ impactMethods { items { id name version } total } }", nil, same}
	case parts[0] == "materials" && list:
		return mirroredList("materials", materialFields+" regionalScopes isFavorite inputTo outputOf", listInput(address.Query(), at(1) == "pulled"))
	case parts[0] == "processes" && list:
		return mirroredList("processes", processFields+" description processBoundary favorite referenceProductId impacts {"+impactFields+"}",
			listInput(address.Query(), at(1) == "pulled"))
	case parts[0] == "materials" && len(parts) == 2:
		return mirrored{"material", "query($id: ID!) { material(id: $id) {" + materialFields +
			" impacts { id propertyId method methodId methodVersion impactCategory indicator value unit revealed deleted } } }", obj{"id": at(1)}, same}
	case parts[0] == "processes" && len(parts) == 2:
		return mirrored{"process", "query($id: ID!) { process(id: $id) {" + processFields + " functionalUnit impacts {" + impactFields + " impactCategory deleted } } }",
			obj{"id": at(1)}, joinedSource}
	case parts[0] == "materials":
		return mirrored{"materialProperty", "query($a: ID!, $b: ID!) { materialProperty(materialId: $a, propertyId: $b) {" + propertyFields +
			" description source sourceOrganization datePublished mean standardDeviation } }", obj{"a": at(1), "b": at(3)}, same}
	}
	return mirrored{"processImpact", "query($a: ID!, $b: ID!) { processImpact(processId: $a, impactId: $b) {" + impactFields +
		" impactCategory deleted mean standardDeviation } }", obj{"a": at(1), "b": at(3)}, same}
}

func mirroredList(field, fields string, input obj) mirrored {
	return mirrored{field, "query($input: PublicListInput) { " + field + "(input: $input) { items {" + fields + "} total hasMore } }", obj{"input": input}, same}
}

func listInput(values url.Values, pulled bool) obj {
	input := obj{}
	for name := range values {
		switch name {
		case "search":
			input[name] = values.Get(name)
		case "pulled":
			input[name] = values.Get(name) == "true"
		default:
			input[name], _ = strconv.Atoi(values.Get(name))
		}
	}
	if pulled {
		input["pulled"] = true
	}
	return input
}

// joinedSource turns a process's sources into the single read's string.
func joinedSource(o obj) obj {
	var links []string
	for _, source := range o["source"].(list) {
		links = append(links, source.(obj)["link"].(string))
	}
	o["source"] = strings.Join(links, "; ")
	return o
}

// checkMirror compares a read of GraphQL with the same of REST.
func checkMirror(c *client, path string) {
	c.t.Helper()
	rest, m := c.get(path), mirror(path)
	got := c.graphql(m.query, m.variables)
	if rest.status != 200 {
		got.fails(m.field, rest.status, rest.message())
		return
	}
	answered, ok := got.data()[m.field].(obj)
	if !ok {
		c.t.Fatalf("%s: %s", m.query, got.body)
	}
	if want := rest.object(); !reflect.DeepEqual(m.shape(answered), want) {
		c.t.Errorf("%s and GraphQL answer differently at\n%s", path, strings.Join(difference("", answered, want), "\n"))
	}
}

// everyMirroredPath is everyPath without what has no mirror.
func (v view) everyMirroredPath() []string {
	return keep(v.everyPath(), func(path string) bool { return path != "/public/nothing" })
}

func testGraphQLMirrorsREST(t *testing.T, s *service) {
	c := s.buyer(t, 100)
	t.Run("teams", func(t *testing.T) { checkMirror(s.loner(t, "mirror@example.org").in(t), "/public/teams") })
	check := func(t *testing.T) {
		for name, viewer := range map[string]*client{"the team": c, "its sandbox": c.withKey(s.test), "the team with restricted records": c.withTeam(s.home)} {
			t.Run(name, func(t *testing.T) {
				viewer := viewer.in(t)
				for _, path := range s.contents.everyMirroredPath() {
					if path != "/public/teams" {
						checkMirror(viewer, path)
					}
				}
				for range 40 {
					checkMirror(viewer, randomList())
				}
			})
		}
	}
	t.Run("before pulls", check)
	pullProperties(c, steel, 1, density).is(200)
	pullProcess(c, refinery, 1, diesel).is(200)
	pullImpacts(c, rolling, 1, ef31).is(200)
	pullImpacts(c, refinery, 1, ipcc).is(200)
	pullDatapoints(c.withKey(s.test), copper).is(200)
	t.Run("after pulls", check)
}

// randomList is a list of REST with random parameters.
func randomList() string {
	values := url.Values{}
	if rand.IntN(2) == 0 {
		values.Set("limit", strconv.Itoa(rand.IntN(104)-2))
	}
	if rand.IntN(2) == 0 {
		values.Set("offset", strconv.Itoa(rand.IntN(8)-1))
	}
	if rand.IntN(3) == 0 {
		values.Set("pulled", strconv.FormatBool(rand.IntN(2) == 0))
	}
	if rand.IntN(2) == 0 {
		values.Set("search", []string{"e", "ST", " roll ", "%", "\x00", "ä", "nothing", "in", ","}[rand.IntN(9)])
	}
	return []string{"/public/materials", "/public/processes"}[rand.IntN(2)] + "?" + values.Encode()
}

// A pulling is one step of the same purchases over REST and over GraphQL.
type pulling struct {
	pull
	record string // of the path
	ids    []string
	users  int // 0: not given
	most   int // -1: not given
	quote  bool
}

// The fields of GraphQL that mirror the pulls, and what REST answers with.
var (
	pullFields = map[string]struct{ name, record, result string }{
		"properties": {"Properties", "materialId", "materialId pulledPropertyIds creditsDebited"},
		"process":    {"Process", "processId", "processId pulledReferenceProductIds revealedCount"},
		"impacts":    {"Impacts", "processId", "processId pulledCharacterizationFactorIds revealedImpactCount"},
		"datapoints": {"Datapoints", "", "pulledMaterialIds creditsDebited"},
	}
	pullPaths = map[string]string{
		"properties": "/public/materials/%s/properties/pull", "process": "/public/processes/%s/pull",
		"impacts": "/public/processes/%s/impacts/pull", "datapoints": "/public/datapoints/pull",
	}
)

func (p pulling) rest(c *client) answer {
	c.t.Helper()
	body := obj{p.field: p.ids}
	if p.users != 0 {
		body["userCount"] = p.users
	} else if p.userCount {
		body["userCount"] = 1 // what GraphQL's default is
	}
	if p.most >= 0 {
		body["maxCredits"] = p.most
	}
	path := pullPaths[p.name]
	if strings.Contains(path, "%s") {
		path = fmt.Sprintf(path, p.record)
	}
	if p.quote {
		path += "?quote=true"
	}
	return c.post(path, text(body))
}

// operation is the pull, or its quote, for GraphQL.
func (p pulling) operation() (field, query string, variables obj) {
	f := pullFields[p.name]
	input := obj{p.field: p.ids}
	if f.record != "" {
		input[f.record] = p.record
	}
	if p.users != 0 {
		input["userCount"] = p.users
	}
	if p.most >= 0 {
		input["maxCredits"] = p.most
	}
	kind, field, result := "mutation", "pull"+f.name, f.result
	if p.quote {
		kind, field, result = "query", "quote"+f.name, "credits newItems ownedItems balance balanceAfter"
	}
	return field, fmt.Sprintf("%s($input: Pull%sInput!) { %s(input: $input) { %s } }", kind, f.name, field, result), obj{"input": input}
}

func (p pulling) graphql(c *client, headers ...string) graphqlAnswer {
	c.t.Helper()
	_, query, variables := p.operation()
	return c.graphql(query, variables, headers...)
}

func randomPulling() pulling {
	p := pulling{pull: pulls[rand.IntN(len(pulls))], most: -1}
	known := map[string][]string{
		"properties": {density, carbon, strength, freebie, ghost, hardness}, "process": {coil, diesel, petrol, naphtha, ingot},
		"impacts": {ipcc, ef31, ef30, recipe, pair(ipcc, rolling), pair(ef31, refinery)}, "datapoints": {steel, water, copper, scrap, alloy},
	}[p.name]
	records := map[string][]string{"properties": {steel, steel, copper, scrap}, "process": {rolling, refinery, refinery, newMill}, "impacts": {rolling, refinery, blending}}[p.name]
	if records != nil {
		p.record = records[rand.IntN(len(records))]
		if rand.IntN(20) == 0 {
			p.record = unknown
		}
	}
	p.ids = []string{}
	for range 1 + rand.IntN(3) - rand.IntN(12)/11 {
		p.ids = append(p.ids, known[rand.IntN(len(known))])
	}
	if rand.IntN(15) == 0 {
		p.ids = append(p.ids, []string{unknown, "no uuid"}[rand.IntN(2)])
	}
	if p.userCount && rand.IntN(2) == 0 {
		p.users = []int{1, 2, 3, 1000, -1}[rand.IntN(5)]
	}
	if rand.IntN(5) == 0 {
		p.most = rand.IntN(6)
	}
	p.quote = rand.IntN(3) == 0
	return p
}

// Two teams with equal credits make the same purchases, one over REST, the other
// over GraphQL.
func testGraphQLPullsAsREST(t *testing.T, s *service) {
	for round := range 3 {
		a, b := s.buyer(t, 25), s.buyer(t, 25)
		for range 40 {
			p := randomPulling()
			rest, graph := p.rest(a), p.graphql(b)
			field, query, variables := p.operation()
			if rest.status != 200 {
				inPath := strings.Contains(rest.message(), "in the path")
				if graph.fails(field, rest.status); !inPath && len(graph.Errors) == 1 && graph.Errors[0].Message != rest.message() {
					t.Errorf("%s %v: REST says %q, GraphQL %q", query, variables, rest.message(), graph.Errors[0].Message)
				}
				if len(graph.Errors) == 1 && graph.Errors[0].Extensions.Code != rest.header.Get("Svc-Error-Code") {
					t.Errorf("%s: code %q, REST has %q", query, graph.Errors[0].Extensions.Code, rest.header.Get("Svc-Error-Code"))
				}
				continue
			}
			if got := graph.data()[field]; !reflect.DeepEqual(got, rest.json()) {
				t.Errorf("%s %v answered %s, REST %s", query, variables, text(got), rest.body)
			}
		}
		if x, y := s.balance(t, a), s.balance(t, b); x != y {
			t.Errorf("round %d: %d credits are left over REST, %d over GraphQL", round, x, y)
		}
		for _, path := range []string{"/public/materials/pulled", "/public/processes/pulled"} {
			if x, y := a.get(path), b.get(path); string(x.body) != string(y.body) {
				t.Errorf("round %d: the teams own different things:\n%s\n%s", round, x.body, y.body)
			}
		}
	}
}
