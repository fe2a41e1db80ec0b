package test

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
)

// The demonstration is a service to try at once.
func TestDemo(t *testing.T) {
	t.Parallel()
	s := start(t, (&installation{}).environment(nil), "demo", "--addr", "127.0.0.1:0", "--json")
	var said struct {
		URL, PortalURL, Email, Password, LiveKey, TestKey string
		Teams                                             []struct{ ID, Label string }
	}
	if err := json.Unmarshal([]byte(s.stdout.String()), &said); err != nil {
		t.Fatal(err)
	}
	if said.PortalURL == "" || said.Email == "" || said.Password == "" || len(said.Teams) != 2 {
		t.Fatalf("it said %+v", said)
	}
	if left, err := os.ReadDir(s.cmd.Dir); err != nil || len(left) > 0 {
		t.Errorf("it left %v where it was started: %v", left, err)
	}
	live := newClient(t, s.url, said.LiveKey, said.Teams[0].ID)
	sandbox := newClient(t, s.url, said.TestKey, said.Teams[1].ID)
	for _, c := range []*client{live, sandbox, live.withTeam(said.Teams[1].ID)} {
		if got := c.get("/public/me").is(200).object()["email"]; got != said.Email {
			t.Errorf("the key is of %v", got)
		}
	}
	for path, least := range map[string]float64{"/public/materials": 60, "/public/processes": 40, "/public/impact-methods": 4} {
		if total, _ := live.get(path).is(200).object()["total"].(float64); total < least {
			t.Errorf("%s has %v records, want at least %v", path, total, least)
		}
	}
	boundaries, products := map[any]int{}, 0
	for _, p := range live.get("/public/processes?limit=100").items() {
		boundaries[p["processBoundary"]]++
		if outputs := p["outputs"].(list); len(outputs) > 1 {
			products++
		}
	}
	if boundaries["Aggregated"] == 0 || boundaries["Disaggregated"] == 0 || products == 0 {
		t.Errorf("boundaries %v, %d with several outputs", boundaries, products)
	}
	buySomething(sandbox)
}

func TestDemoKeepsOffADatabaseInUse(t *testing.T) {
	t.Parallel()
	in := install(t, engines[0])
	in.addUser(t, ada)
	in.load(t, smallLibrary())
	before := exported(t, in)
	in.refused(t, "demo", "--addr", "127.0.0.1:0")
	if !maps.Equal(exported(t, in), before) {
		t.Error("it changed the catalogue")
	}
}

// buySomething pulls the first property there is.
func buySomething(c *client) {
	c.t.Helper()
	for _, m := range c.get("/public/materials").items() {
		for _, p := range m["properties"].(list) {
			if p := p.(obj); p["revealed"] == false {
				pullProperties(c, m["id"].(string), 1, p["id"].(string)).is(200)
				return
			}
		}
	}
	c.t.Error("there is nothing left to pull")
}

// An impossible command is refused with a reason, before anything is written.
func TestCommandsRefuse(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		in := install(t, e)
		in.addUser(t, ada)
		team := in.addTeam(t, ada, 5)
		for _, args := range [][]string{
			{"user", "add", "--email", ada, "--firstname", "A", "--lastname", "B"},
			{"user", "add", "--email", strings.ToUpper(ada), "--firstname", "A", "--lastname", "B"},
			{"user", "add", "--email", "nobody", "--firstname", "A", "--lastname", "B"},
			{"user", "disable", bob},
			{"team", "add", "--label", "L", "--owner", bob},
			{"team", "member", team, bob},
			{"team", "member", unknown, ada},
			{"team", "member", "no-team", ada},
			{"team", "member", team, ada, "--role", "king"},
			{"credits", "show", unknown},
			{"credits", "grant", team, "0.5"},
			{"credits", "grant", team, "-6"},
			{"key", "create", "--user", bob},
			{"key", "revoke", unknown},
			{"logs", "--since", "yesterday"},
			{"logs", "--team", "no-team"},
			{"export", "/proc/nothing/here"},
		} {
			t.Run(strings.Join(args, " "), func(t *testing.T) { in.refused(t, args...) })
		}
		if got := in.credits(t, team); got.Live.Balance != 5 || len(got.Live.Entries) != 1 {
			t.Errorf("after it all: %+v", got.Live)
		}
		for _, args := range [][]string{{"user"}, {"user", "add"}, {"user", "add", "--email", ada}, {"team", "add"}, {"key", "create"}, {"serve", "--nonsense"}, {"backup"}, {"export"}} {
			if got := in.run(t, args...); got.status != 2 || got.stdout != "" || got.stderr == "" {
				t.Errorf("cradle %s: %+v, want exit status 2 and a reason", strings.Join(args, " "), got)
			}
		}
		in.check(t)
	})
}

// Flags may come before or after arguments.
func TestFlagsStandAnywhere(t *testing.T) {
	t.Parallel()
	in := install(t, engines[0])
	in.addUser(t, ada)
	team := in.addTeam(t, ada, 5)
	for _, args := range [][]string{
		{"credits", "grant", "--sandbox", "--reason", "r", team, "1"}, {"credits", "grant", team, "--reason", "r", "--sandbox", "1"},
		{"credits", "grant", team, "-1", "--sandbox"}, {"credits", "grant", "--sandbox", team, "-1"},
	} {
		command[obj](t, in, args...)
	}
	if got := in.credits(t, team).Sandbox; got.Balance != 1000 || len(got.Entries) != 5 {
		t.Errorf("got %+v", got)
	}
	type version struct{ Version, Commit, Go string }
	if got := command[version](t, in, "version"); got.Version == "" || got.Go == "" {
		t.Errorf("got %+v", got)
	}
	if got := in.run(t, "credits", "grant", "--help"); got.status != 0 || !strings.Contains(got.stdout+got.stderr, "cradle credits grant ") {
		t.Errorf("--help shows no example: %+v", got)
	}
}
