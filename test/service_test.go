package test

import (
	"strconv"
	"testing"
)

const (
	ada = "ada@example.org"
	bob = "bob@example.org"
)

// A service is an installation with accounts and a library, and the server on it.
type service struct {
	*installation
	*server
	home     string // a team of ada's
	live     string // ada's keys
	test     string
	contents view // what a new team sees
}

// newService sets up a service with a library from the command line and starts
// it. The database is checked when the test ends.
func newService(t testing.TB, e engine, l library, env ...string) *service {
	t.Helper()
	s := &service{installation: install(t, e, env...), contents: view{library: l, owned: map[string]bool{}}}
	s.addUser(t, ada)
	s.home = s.addTeam(t, ada, 0)
	s.live, s.test = s.addKey(t, ada), s.addKey(t, ada, "--test")
	s.load(t, l)
	t.Cleanup(func() { s.check(t) })
	s.server = s.serve(t)
	return s
}

// newStandardService has the library of the fixture, part of it restricted to
// the team home.
func newStandardService(t testing.TB, e engine) *service {
	t.Helper()
	s := newService(t, e, publicLibrary())
	s.load(t, restrictedLibrary(), "--visible-to", s.home)
	s.load(t, laterLibrary())
	s.contents = outsider()
	return s
}

func (in *installation) addUser(t testing.TB, email string) (id string) {
	t.Helper()
	type user struct{ ID, Email string }
	return command[user](t, in, "user", "add", "--email", email, "--firstname", "First of "+email, "--lastname", "Last of "+email).ID
}

func (in *installation) addTeam(t testing.TB, owner string, credits int) (id string) {
	t.Helper()
	type team struct{ ID, Label string }
	id = command[team](t, in, "team", "add", "--label", "Team of "+t.Name(), "--owner", owner).ID
	if credits > 0 {
		in.grant(t, id, credits)
	}
	return id
}

func (in *installation) grant(t testing.TB, team string, credits int, flags ...string) (balance int) {
	t.Helper()
	type wallet struct {
		TeamID, Mode string
		Balance      int
	}
	return command[wallet](t, in, append([]string{"credits", "grant", team, strconv.Itoa(credits)}, flags...)...).Balance
}

type apiKey struct{ ID, Key, Prefix, Mode string }

func (in *installation) addKey(t testing.TB, owner string, flags ...string) (secret string) {
	t.Helper()
	return in.newKey(t, owner, flags...).Key
}

func (in *installation) newKey(t testing.TB, owner string, flags ...string) apiKey {
	t.Helper()
	return command[apiKey](t, in, append([]string{"key", "create", "--user", owner}, flags...)...)
}

// A tally counts what happened to one kind of rows in an import.
type tally struct{ Added, Changed, Unchanged, Deleted int }

type warning struct {
	File, Message, Class, Record string
	Line                         int
}

type importReport struct {
	Materials, Properties, Processes, Exchanges, Methods, Impacts tally
	Warnings                                                      []warning

	Account map[string]struct{ Read, Stored, Skipped int }
}

func (in *installation) load(t testing.TB, l library, flags ...string) importReport {
	t.Helper()
	return command[importReport](t, in, append([]string{"import", l.write(t)}, flags...)...)
}

// A wallet is what cradle credits show prints of a team in one mode.
type wallet struct {
	Balance int
	Entries []ledgerEntry
}

type ledgerEntry struct {
	ID, Time, Kind, Reason, UserID, RequestID string
	Amount, Balance                           int
}

type wallets struct{ Live, Sandbox wallet }

func (in *installation) credits(t testing.TB, team string) wallets {
	t.Helper()
	return command[wallets](t, in, "credits", "show", team)
}

// as is a client for ada's live key and a team.
func (s *service) as(t testing.TB, team string) *client {
	t.Helper()
	return newClient(t, s.url, s.live, team)
}

// buyer makes a team with credits and a client for it.
func (s *service) buyer(t testing.TB, credits int) *client {
	t.Helper()
	return s.as(t, s.addTeam(t, ada, credits))
}

// loner is a client for a separate user, whose teams no other test adds to.
func (s *service) loner(t testing.TB, email string) *client {
	t.Helper()
	s.addUser(t, email)
	return newClient(t, s.url, s.addKey(t, email), s.addTeam(t, email, 0))
}

// balance returns the credits that a client would pay with.
func (s *service) balance(t testing.TB, c *client) int {
	t.Helper()
	w := s.credits(t, c.team)
	if c.key == s.test {
		return w.Sandbox.Balance
	}
	return w.Live.Balance
}
