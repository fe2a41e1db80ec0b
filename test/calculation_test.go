package test

import (
	"fmt"
	"maps"
	"os/exec"
	"testing"
	"time"
)

// Heijungs & Suh 2002: a power plant and its fuel. 10 kWh take 2 l of fuel and
// emit 1 kg CO2 and 0.1 kg SO2; 100 l of fuel emit 10 kg and 2 kg, from 50 l of
// crude oil. The fuel is linked by its name, which is all that its flow has.
var (
	plant    = uid("c1c1c1c1", 1)
	fuelling = uid("c1c1c1c1", 2)
	power    = uid("f1f1f1f1", 1)
	fuel     = uid("f1f1f1f1", 2)
	so2      = uid("f1f1f1f1", 3)
	oil      = uid("f1f1f1f1", 4)
	heijungs = uid("d1d1d1d1", 1)
	warming  = uid("1e1e1e1e", 1)
	acid     = uid("1e1e1e1e", 2)
	scarcity = uid("1e1e1e1e", 3)
	ozone    = uid("1e1e1e1e", 4)
)

func heijungsLibrary() library {
	return library{
		methods: []method{{ID: heijungs, Name: "Heijungs and Suh", Version: "2002"}},
		indicators: []indicator{
			{ID: warming, Method: heijungs, Category: "Climate change", Name: "CO2", Unit: "kg"},
			{ID: acid, Method: heijungs, Category: "Acidification", Name: "SO2", Unit: "kg"},
			{ID: scarcity, Method: heijungs, Category: "Resources", Name: "Crude oil", Unit: "l"},
			{ID: ozone, Method: heijungs, Category: "Ozone", Name: "None", Unit: "kg"},
		},
		factors: []factor{{Indicator: warming, Flow: co2, Value: "1"}, {Indicator: acid, Flow: so2, Value: "1"}, {Indicator: scarcity, Flow: oil, Value: "1"}},
		processes: []process{
			{ID: plant, Name: "Power plant", Boundary: "Aggregated"},
			{ID: fuelling, Name: "Fuel production", Boundary: "Disaggregated"},
		},
		exchanges: []exchange{
			{Process: plant, Direction: "output", Flow: power, Name: "Electricity", Value: "10", Unit: "kWh", Reference: "true"},
			{Process: plant, Direction: "input", Flow: fuel, Name: "Fuel", Value: "2", Unit: "l"},
			{Process: plant, Direction: "output", Flow: co2, Name: "Carbon dioxide", Value: "1", Unit: "kg", Type: "elementary"},
			{Process: plant, Direction: "output", Flow: so2, Name: "Sulphur dioxide", Value: "0.1", Unit: "kg", Type: "elementary"},
			{Process: fuelling, Direction: "output", Flow: fuel, Name: "Fuel", Value: "100", Unit: "l", Reference: "true"},
			{Process: fuelling, Direction: "output", Flow: co2, Name: "Carbon dioxide", Value: "10", Unit: "kg", Type: "elementary"},
			{Process: fuelling, Direction: "output", Flow: so2, Name: "Sulphur dioxide", Value: "2", Unit: "kg", Type: "elementary"},
			{Process: fuelling, Direction: "input", Flow: oil, Name: "Crude oil", Value: "50", Unit: "l", Type: "elementary"},
		},
	}
}

// scores are the impact rows of a process in a list, by indicator.
func scores(c *client, id string) map[string]obj {
	c.t.Helper()
	for _, item := range c.get("/public/processes?limit=100").is(200).object()["items"].(list) {
		if p := item.(obj); p["id"] == id {
			rows := map[string]obj{}
			for _, row := range p["impacts"].(list) {
				rows[row.(obj)["indicator"].(string)] = row.(obj)
			}
			return rows
		}
	}
	c.t.Fatalf("process %s is not in the list", id)
	return nil
}

func checkScores(c *client, id string, want map[string]any) {
	c.t.Helper()
	got := map[string]any{}
	for name, row := range scores(c, id) {
		got[name] = row["value"]
	}
	if !maps.Equal(got, want) {
		c.t.Errorf("the scores of %s are %v, want %v", id, got, want)
	}
}

func TestCalculatedImpacts(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, heijungsLibrary())
		c := s.buyer(t, 10)
		hidden := map[string]any{"CO2": nil, "SO2": nil, "Crude oil": nil, "None": nil}
		for _, id := range []string{plant, fuelling} {
			checkScores(c, id, hidden)
		}
		pullImpacts(c, plant, 1, heijungs).is(200)
		pullImpacts(c, fuelling, 1, heijungs).is(200)
		if got := s.balance(t, c); got != 8 {
			t.Errorf("the balance is %d", got)
		}
		asStated := map[string]any{"CO2": 1.2, "SO2": 0.14, "Crude oil": 1.0, "None": 0.0}
		checkScores(c, plant, asStated)
		checkScores(c, fuelling, map[string]any{"CO2": 10.0, "SO2": 2.0, "Crude oil": 50.0, "None": 0.0})
		before := scores(c, plant)
		one := c.get("/public/processes/" + plant + "/impacts/" + before["CO2"]["id"].(string)).is(200).object()
		if one["value"] != 1.2 || one["unit"] != "kg" || one["impactCategory"] != "Climate change" || one["method"] != "Heijungs and Suh" {
			t.Errorf("the row is %v", one)
		}

		t.Run("hold their reveals when they are calculated again", func(t *testing.T) {
			c := c.in(t)
			l := heijungsLibrary()
			l.exchanges[1].Value = "4" // twice the fuel
			s.load(t, l)
			checkScores(c, plant, map[string]any{"CO2": 1.4, "SO2": 0.18, "Crude oil": 2.0, "None": 0.0})
			for name, row := range scores(c, plant) {
				if row["id"] != before[name]["id"] {
					t.Errorf("%s has the id %v, had %v", name, row["id"], before[name]["id"])
				}
			}
			pullImpacts(c, plant, 1, heijungs).refuses(409)
		})
		t.Run("go with their process and come back with it", func(t *testing.T) {
			c := c.in(t)
			less := heijungsLibrary()
			less.processes, less.exchanges = less.processes[1:], less.exchanges[4:]
			s.load(t, less, "--prune")
			c.get("/public/processes/" + plant).refuses(404)
			s.load(t, heijungsLibrary(), "--prune")
			checkScores(c, plant, asStated)
			if got := s.balance(t, c); got != 8 {
				t.Errorf("the balance is %d", got)
			}
		})
		t.Run("give way to what the provider states", func(t *testing.T) {
			c := c.in(t)
			l := heijungsLibrary()
			l.impacts = []impact{{Process: plant, Method: heijungs, Category: "Climate change", Indicator: "CO2", Value: "77", Unit: "kg"}}
			s.load(t, l)
			checkScores(c, plant, map[string]any{"CO2": 77.0, "SO2": 0.14, "Crude oil": 1.0, "None": 0.0})
			command[obj](t, s.installation, "calculate")
			checkScores(c, plant, map[string]any{"CO2": 77.0, "SO2": 0.14, "Crude oil": 1.0, "None": 0.0})
			s.load(t, heijungsLibrary(), "--prune")
			checkScores(c, plant, asStated)
			l.impacts[0].ID, l.impacts[0].Category = uid("e1e1e1e1", 1), ""
			s.load(t, l)
			if row := scores(c, plant)["CO2"]; row["id"] != l.impacts[0].ID || row["revealed"] != false || row["value"] != nil {
				t.Errorf("a row that is stated under an id of its own is %v", row)
			}
			s.load(t, heijungsLibrary(), "--prune")
			checkScores(c, plant, asStated)
		})
		t.Run("come of new factors alone", func(t *testing.T) {
			c := c.in(t)
			s.load(t, library{factors: []factor{{Indicator: ozone, Flow: so2, Value: "10"}}})
			checkScores(c, plant, map[string]any{"CO2": 1.2, "SO2": 0.14, "Crude oil": 1.0, "None": 1.4})
		})
	})
}

// Waste is 2 kg, and its treatment emits 2 kg for each of them.
func TestCalculatedWasteAndAllocation(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		burning, factory, twin := uid("c1c1c1c1", 3), uid("c1c1c1c1", 4), uid("c1c1c1c1", 5)
		l := heijungsLibrary()
		l.indicators = l.indicators[:1]
		l.factors = l.factors[:1]
		l.processes = []process{{ID: burning, Name: "Burning"}, {ID: factory, Name: "Factory"}, {ID: twin, Name: "Twin"}}
		l.exchanges = []exchange{
			{Process: burning, Direction: "output", Flow: slag, Name: "Waste", Value: "-1", Unit: "kg", Type: "waste", Reference: "true"},
			{Process: burning, Direction: "output", Flow: co2, Name: "Carbon dioxide", Value: "2", Unit: "kg", Type: "elementary"},
			{Process: factory, Direction: "output", Flow: coil, Name: "Coil", Value: "1", Unit: "kg", Reference: "true"},
			{Process: factory, Direction: "output", Flow: slag, Name: "Waste", Value: "2000", Unit: "g", Type: "waste"},
			{Process: twin, Direction: "output", Flow: petrol, Name: "Petrol", Value: "1", Unit: "kg", Reference: "true"},
			{Process: twin, Direction: "output", Flow: diesel, Name: "Diesel", Value: "3", Unit: "kg", Reference: "true"},
			{Process: twin, Direction: "output", Flow: co2, Name: "Carbon dioxide", Value: "2", Unit: "kg", Type: "elementary"},
		}
		s := newService(t, e, l)
		c := s.buyer(t, 10)
		for id, want := range map[string]float64{burning: 2, factory: 4, twin: 0.5} {
			pullImpacts(c, id, 1, heijungs).is(200)
			checkScores(c, id, map[string]any{"CO2": want})
		}
	})
}

// A public process is not linked automatically to a restricted one.
func TestCalculatedWithRestrictedSuppliers(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		l := heijungsLibrary()
		open, secret := l, library{processes: l.processes[1:], exchanges: l.exchanges[4:]}
		open.processes, open.exchanges = l.processes[:1], l.exchanges[:4]
		s := newService(t, e, open)
		s.load(t, secret, "--visible-to", s.home)
		outside, inside := s.buyer(t, 10), s.as(t, s.home)
		s.grant(t, s.home, 10)
		for _, c := range []*client{outside, inside} {
			pullImpacts(c, plant, 1, heijungs).is(200)
			checkScores(c, plant, map[string]any{"CO2": 1.0, "SO2": 0.1, "Crude oil": 0.0, "None": 0.0})
		}
		s.load(t, secret, "--public")
		checkScores(outside, plant, map[string]any{"CO2": 1.2, "SO2": 0.14, "Crude oil": 1.0, "None": 0.0})
		s.load(t, library{processes: l.processes[:1]}, "--visible-to", s.home)
		s.load(t, secret, "--visible-to", s.home)
		checkScores(inside, plant, map[string]any{"CO2": 1.2, "SO2": 0.14, "Crude oil": 1.0, "None": 0.0})
	})
}

// Two libraries that differ only in amounts have the same rows.
func TestCalculatedImpactsLeaveNoTrace(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, heijungsLibrary())
		c := s.buyer(t, 10)
		s.stop(t)
		twin := &installation{db: cloneDatabase(t, e, s.installation)}
		other := heijungsLibrary()
		for i := range other.exchanges {
			other.exchanges[i].Value = []string{"1e300", "-1", "0", "123456789.5", "1e-300"}[i%5]
		}
		if report := twin.load(t, other); report.Exchanges.Changed == 0 {
			t.Fatal("the databases do not differ")
		}
		here, there := s.serve(t), twin.serve(t)
		for _, path := range []string{"/public/processes", "/public/processes/" + plant, "/public/processes/" + fuelling, "/public/impact-methods"} {
			compareTwins(t, c.at(here.url).get(path), c.at(there.url).get(path))
		}
		for _, id := range []string{plant, fuelling} {
			path, body := "/public/processes/"+id+"/impacts/pull?quote=true", request("characterizationFactorIds", []string{heijungs}, 2)
			compareTwins(t, c.at(here.url).post(path, body), c.at(there.url).post(path, body))
		}
	})
}

// An import that is killed while it calculates leaves all of it or nothing.
func TestKilledWhileCalculating(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		l := heijungsLibrary()
		const n = 400
		for i := range n {
			id := uid("c2c2c2c2", i)
			l.processes = append(l.processes, process{ID: id, Name: "Process " + itoa(i)})
			l.exchanges = append(l.exchanges,
				exchange{Process: id, Direction: "output", Name: "Product " + itoa(i), Value: "1", Unit: "kg", Reference: "true"},
				exchange{Process: id, Direction: "input", Flow: fuel, Name: "Fuel", Value: itoa(i + 1), Unit: "l"})
		}
		folder := l.write(t)
		in := install(t, e)
		command[obj](t, in, "calculate") // makes the schema
		rows := func() (processes, impacts int) {
			t.Helper()
			type counts struct{ Processes, Impacts int }
			got := command[counts](t, in, "export", t.TempDir()+"/out")
			return got.Processes, got.Impacts
		}
		for delay := 20 * time.Millisecond; ; delay += delay / 2 {
			cmd := exec.Command(binary(t), "import", folder)
			cmd.Env = in.environment(nil)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
			whole := cmd.Wait() == nil
			timer.Stop()
			processes, impacts := rows()
			if all := processes == n+2 && impacts == 4*(n+2); !all && processes+impacts > 0 || whole && !all {
				t.Fatalf("after %v there are %d processes and %d impacts", delay, processes, impacts)
			}
			if processes > 0 {
				break
			}
		}
		in.check(t)
		type report struct{ Calculated tally }
		if got := command[report](t, in, "import", folder); got.Calculated != (tally{Unchanged: 4 * (n + 2)}) {
			t.Errorf("imported again: %+v", got)
		}
		if got := command[tally](t, in, "calculate"); got != (tally{Unchanged: 4 * (n + 2)}) {
			t.Errorf("calculated again: %+v", got)
		}
		explained := command[obj](t, in, "explain", uid("c2c2c2c2", 9))
		if got := fmt.Sprint(explained["scores"].(list)[1].(obj)["value"]); got != "1" {
			t.Errorf("explained %v", explained)
		}
	})
}
