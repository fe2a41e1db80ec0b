package test

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"cradle/internal/pgtest"
)

// Two databases that differ only in values that a team has not pulled give that
// team the same answers, byte for byte.
func TestHiddenValuesLeaveNoTrace(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newStandardService(t, e)
		c := s.buyer(t, 100)
		pullProperties(c, steel, 1, density).is(200)
		pullProcess(c, refinery, 1, diesel).is(200)
		pullImpacts(c, rolling, 1, ef31).is(200)
		pullImpacts(c, refinery, 1, ef31).is(200)
		pullProperties(c.withKey(s.test), steel, 1, density).is(200)
		const person = "twin@example.org"
		s.addPerson(t, person)
		command[map[string]any](t, s.installation, "team", "member", c.team, person)
		s.stop(t)
		v := outsider().with(density, pair(refinery, diesel), pair(ef31, rolling), pair(ef31, refinery))

		twin := &installation{db: cloneDatabase(t, e, s.installation)}
		report := twin.load(t, v.withOtherSecrets())
		if report.Properties.Changed == 0 || report.Exchanges.Changed == 0 || report.Impacts.Changed == 0 {
			t.Fatalf("the databases do not differ: %+v", report)
		}
		here, there := s.serve(t), twin.serve(t)
		for name, viewer := range map[string]*client{
			"the team": c, "its sandbox": c.withKey(s.test), "the team with restricted records": c.withTeam(s.home),
		} {
			t.Run(name, func(t *testing.T) { checkTwins(t, v, viewer.in(t), here.url, there.url) })
		}
		t.Run("pages of the portal", func(t *testing.T) {
			comparePages(t, v, newVisitor(t, here.url).signIn(person), newVisitor(t, there.url).signIn(person))
		})
		t.Run("exports of the team", func(t *testing.T) {
			c := c.in(t)
			for _, format := range exportFormats {
				for _, c := range []*client{c, c.withKey(s.test), c.withTeam(s.home)} {
					compareTwins(t, c.at(here.url).get("/public/export?format="+format).is(200), c.at(there.url).get("/public/export?format="+format))
				}
			}
			for _, team := range []string{c.team, s.home} {
				if a, b := exported(t, s.installation, "--team", team), exported(t, twin, "--team", team); !maps.Equal(a, b) {
					t.Errorf("they differ: %v\n%v", a, b)
				}
			}
		})
	})
}

// withOtherSecrets is the view's library with every unrevealed value changed.
// Values may also disappear or appear.
func (v view) withOtherSecrets() library {
	l := v.library
	l.properties, l.materialImpacts = slices.Clone(l.properties), slices.Clone(l.materialImpacts)
	l.exchanges, l.impacts = slices.Clone(l.exchanges), slices.Clone(l.impacts)
	values := []string{"123456789.5", "-1", "1e300", "0.0000001", "2"}
	n := 0
	change := func(value, mean, deviation *string) {
		n++
		*value = values[n%len(values)]
		for _, cell := range []*string{mean, deviation} {
			if *cell == "" {
				*cell = "17"
			} else {
				*cell = ""
			}
		}
	}
	var none string
	for i, p := range l.properties {
		if !v.owned[p.ID] {
			change(&l.properties[i].Value, &l.properties[i].Mean, &l.properties[i].Deviation)
		}
	}
	for i, m := range l.materialImpacts {
		if !v.owned[m.Property] {
			change(&l.materialImpacts[i].Value, &none, &none)
		}
	}
	for i, e := range l.exchanges {
		if !v.exchangeRevealed(e) {
			change(&l.exchanges[i].Value, &l.exchanges[i].Mean, &l.exchanges[i].Deviation)
		}
	}
	for i, m := range l.impacts {
		if !v.owned[pair(m.Method, m.Process)] {
			change(&l.impacts[i].Value, &none, &none)
		}
	}
	return l
}

func checkTwins(t *testing.T, v view, viewer *client, here, there string) {
	for _, test := range []struct{ version, encoding string }{{arrakis, "identity"}, {arrakis, "gzip"}, {arrakis, "zstd"}, {obsidian, "identity"}} {
		c := viewer.withVersion(test.version)
		for _, path := range v.everyPath() {
			a := c.at(here).get(path, "Accept-Encoding", test.encoding)
			b := c.at(there).get(path, "Accept-Encoding", test.encoding)
			compareTwins(t, a, b)
		}
	}
	for _, path := range v.everyMirroredPath() {
		m := mirror(path)
		compareTwins(t, viewer.at(here).graphql(m.query, m.variables).answer, viewer.at(there).graphql(m.query, m.variables).answer)
	}
	for _, r := range v.everyQuote() {
		compareTwins(t, viewer.at(here).post(r.path, r.body), viewer.at(there).post(r.path, r.body))
	}
}

// comparePages compares what the portal shows of the library, in both modes.
func comparePages(t *testing.T, v view, here, there *visitor) {
	compare := func(method, path string, form url.Values) {
		t.Helper()
		a, b := here.do(method, path, form, nil), there.do(method, path, form, nil)
		if bodies := [2]string{strings.ReplaceAll(a.body, here.url, ""), strings.ReplaceAll(b.body, there.url, "")}; a.status != b.status || bodies[0] != bodies[1] {
			t.Errorf("%s answered %d here and %d there:\n%s\n%s", a.what, a.status, b.status, bodies[0], bodies[1])
		}
	}
	here.get("/portal/materials/" + steel).is(http.StatusOK).says("7850")
	for _, mode := range []string{"live", "sandbox"} {
		here.post("/portal/mode", "mode", mode).is(http.StatusSeeOther)
		there.post("/portal/mode", "mode", mode).is(http.StatusSeeOther)
		world := here.world()
		for _, path := range v.everyPage() {
			compare(http.MethodGet, path, nil)
		}
		for _, p := range v.properties {
			compare(http.MethodPost, "/portal/materials/"+p.Material+"/quote", url.Values{"world": {world}, "what": {"properties"}, "users": {"2"}, "item": {p.ID}})
		}
		for _, p := range v.processes {
			compare(http.MethodPost, "/portal/processes/"+p.ID+"/quote", url.Values{"world": {world}, "what": {"impacts"}, "users": {"1"}, "item": {ef31}})
		}
	}
}

// everyPage is every page and download of the portal with data of the library.
func (v view) everyPage() []string {
	paths := []string{"/portal/owned/cradle.csv", "/portal/owned/cradle.json", "/portal/export/bundle", "/portal/export/xlsx"}
	for _, query := range []string{"", "?kind=processes", "?search=e", "?search=7850", "?kind=processes&search=123456789.5", "?pulled=true"} {
		paths = append(paths, "/portal/catalogue"+query, "/portal/catalogue/results"+query)
	}
	for _, m := range v.materials {
		paths = append(paths, "/portal/materials/"+m.ID, "/portal/materials/"+m.ID+"/rows.csv", "/portal/materials/"+m.ID+"/rows.json")
	}
	for _, p := range v.processes {
		paths = append(paths, "/portal/processes/"+p.ID, "/portal/processes/"+p.ID+"/exchanges.csv", "/portal/processes/"+p.ID+"/rows.json")
	}
	return paths
}

func compareTwins(t *testing.T, a, b answer) {
	t.Helper()
	for _, h := range []answer{a, b} {
		h.header.Del("Svc-Request-Id")
		h.header.Del("Date")
	}
	if a.status != b.status || !bytes.Equal(a.body, b.body) {
		t.Errorf("%s answered %d here and %d there:\n%s\n%s", a.what, a.status, b.status, a.body, b.body)
	}
	if !maps.EqualFunc(a.header, b.header, slices.Equal) {
		t.Errorf("%s answered with the headers\n%v here and\n%v there", a.what, a.header, b.header)
	}
}

// everyPath is every GET for the library, including hidden and missing records
// and searches for values.
func (v view) everyPath() []string {
	paths := []string{"/public/me", "/public/teams", "/public/impact-methods", "/public/nothing", "/public/materials/" + unknown}
	for _, records := range []string{"/public/materials", "/public/processes"} {
		for _, query := range []string{"", "/pulled", "?pulled=true", "?limit=2", "?limit=2&offset=2", "?search=e", "?search=7850", "?search=123456789.5", "?search=0", "?limit=0"} {
			paths = append(paths, records+query)
		}
	}
	for _, m := range v.materials {
		paths = append(paths, "/public/materials/"+m.ID)
	}
	for _, p := range v.properties {
		paths = append(paths, "/public/materials/"+p.Material+"/properties/"+p.ID)
	}
	for _, p := range v.processes {
		paths = append(paths, "/public/processes/"+p.ID)
	}
	for _, i := range v.impacts {
		paths = append(paths, "/public/processes/"+i.Process+"/impacts/"+i.ID)
	}
	return paths
}

type quoted struct{ path, body string }

// everyQuote is a quote of everything that can be pulled, and pulls that are
// refused.
func (v view) everyQuote() []quoted {
	var all []quoted
	for _, p := range v.properties {
		all = append(all, quoted{"/public/materials/" + p.Material + "/properties/pull?quote=true", request("propertyIds", []string{p.ID}, 2)})
	}
	for _, e := range v.exchanges {
		if e.isReference() {
			all = append(all, quoted{"/public/processes/" + e.Process + "/pull?quote=true", request("referenceProductIds", []string{e.product()}, 2)})
		}
	}
	for _, p := range v.processes {
		for _, m := range v.methods {
			all = append(all, quoted{"/public/processes/" + p.ID + "/impacts/pull?quote=true", request("characterizationFactorIds", []string{m.ID}, 2)})
		}
	}
	for _, m := range v.materials {
		all = append(all, quoted{"/public/datapoints/pull?quote=true", request("materialIds", []string{m.ID}, 0)})
	}
	return append(all,
		quoted{"/public/materials/" + steel + "/properties/pull", request("propertyIds", []string{strength}, 1_000_000)},
		quoted{"/public/processes/" + rolling + "/pull", request("referenceProductIds", []string{coil}, 1_000_000)},
		quoted{"/public/processes/" + rolling + "/impacts/pull", request("characterizationFactorIds", []string{ipcc}, 1_000_000)})
}

// cloneDatabase copies an unused database, with its accounts.
func cloneDatabase(t testing.TB, e engine, in *installation) string {
	t.Helper()
	if e.name == "postgres" {
		return clonePostgres(t, in.db)
	}
	type backup struct {
		Path  string
		Bytes int64
	}
	path := filepath.Join(t.TempDir(), "twin.db")
	got := command[backup](t, in, "backup", path)
	if info, err := os.Stat(path); err != nil || info.Size() != got.Bytes {
		t.Fatalf("backup says %+v: %v", got, err)
	}
	secret, err := os.ReadFile(in.db + ".secret")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".secret", secret, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func clonePostgres(t testing.TB, from string) string {
	t.Helper()
	to := pgtest.Database(t)
	original, clone := databaseName(t, from), databaseName(t, to)
	server, err := url.Parse(from)
	if err != nil {
		t.Fatal(err)
	}
	server.Path = "/postgres"
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, statement := range []string{"DROP DATABASE " + clone, "CREATE DATABASE " + clone + " TEMPLATE " + original} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return to
}

func databaseName(t testing.TB, dsn string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(u.Path, "/")
}
