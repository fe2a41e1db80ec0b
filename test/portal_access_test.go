package test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func testOtherTeams(t *testing.T, s *service) {
	mine, team := s.owner(t, "mine@example.org", 5)
	theirs, _ := s.owner(t, "theirs@example.org", 5)
	key := s.newKey(t, "mine@example.org", "--test")
	hook := s.addEndpoint(t, team, "https://example.org/hooks")
	mine.post("/portal/team/invitations", "email", "guest@example.org", "role", "member").is(200)
	invitation := mine.get("/portal/team").find(`/portal/team/invitations/([0-9a-f-]{36})/withdraw`)
	newClient(t, s.url, s.addKey(t, "mine@example.org"), team).post("/public/materials/"+copper+"/properties/pull", `{"propertyIds":["`+freebie+`"],"userCount":1}`).is(200)
	var delivery, row string
	eventually(t, "the pull is logged and its delivery stored", func() bool {
		found := regexp.MustCompile(`/portal/deliveries/(dlv_[0-9a-f-]{36})`).FindStringSubmatch(mine.get("/portal/webhooks/" + hook.ID).body)
		rows := regexp.MustCompile(`/portal/logs/([0-9]+)`).FindStringSubmatch(mine.get("/portal/logs").body)
		if found == nil || rows == nil {
			return false
		}
		delivery, row = found[1], rows[1]
		return true
	})
	for _, path := range []string{"/portal/webhooks/" + hook.ID, "/portal/webhooks/" + hook.ID + "/remove", "/portal/deliveries/" + delivery, "/portal/logs/" + row, "/portal/keys/" + key.ID + "/revoke"} {
		mine.get(path).is(200)
		theirs.get(path).is(404).silent("example.org/hooks", key.Prefix)
	}
	member := mine.get("/portal/team").find(`x-team-id.*?<code>([0-9a-f-]{36})</code>`)
	for _, path := range []string{
		"/portal/webhooks/" + hook.ID + "/test", "/portal/webhooks/" + hook.ID + "/status", "/portal/webhooks/" + hook.ID + "/rotate",
		"/portal/webhooks/" + hook.ID + "/resend", "/portal/webhooks/" + hook.ID + "/advance", "/portal/webhooks/" + hook.ID + "/remove",
		"/portal/deliveries/" + delivery + "/resend", "/portal/keys/" + key.ID + "/revoke", "/portal/keys/" + key.ID + "/reveal",
		"/portal/team/invitations/" + invitation + "/withdraw", "/portal/team/members/" + member + "/remove",
	} {
		theirs.post(path, "status", "disabled", "grace", "0s", "since", "1h", "role", "owner").is(404).silent("whsec_", "svc_test_")
	}
	theirs.post("/portal/team", "team", team).is(404)
	if e := s.theEndpoint(t, team, hook.ID); e.Status != "enabled" {
		t.Errorf("another team changed the endpoint: %+v", e)
	}
	mine.get("/portal/team").says("guest@example.org")
	// Records restricted to another team do not exist.
	mine.get("/portal/materials/" + alloy).is(404)
	mine.get("/portal/catalogue?q=alloy").is(200).silent("Alloy, secret")
	mine.post("/portal/records/"+alloy+"/star", "on", "on").is(404)
}

func testMembersDoOwnersWork(t *testing.T, s *service) {
	owner, team := s.owner(t, "boss@example.org", 5)
	s.addPerson(t, "worker@example.org")
	s.run(t, "team", "member", team, "worker@example.org", "--role", "member")
	hook := s.addEndpoint(t, team, "https://example.org/hooks")
	worker := s.signedIn(t, "worker@example.org")
	worker.get("/portal/webhooks").is(200).silent("/portal/webhooks/new")
	worker.get("/portal/webhooks/"+hook.ID).is(200).silent("/rotate", "/remove")
	boss := owner.get("/portal/team").find(`/portal/team/members/([0-9a-f-]{36})/role`)
	for path, fields := range map[string][]string{
		"/portal/webhooks":                               {"url", "https://example.org/other", "event", "datapoint.pulled"},
		"/portal/webhooks/" + hook.ID + "/test":          nil,
		"/portal/webhooks/" + hook.ID + "/status":        {"status", "disabled"},
		"/portal/webhooks/" + hook.ID + "/rotate":        {"grace", "0s"},
		"/portal/webhooks/" + hook.ID + "/remove":        nil,
		"/portal/team/name":                              {"label", "Ours now"},
		"/portal/team/invitations":                       {"email", "friend@example.org", "role", "owner"},
		"/portal/team/members/" + boss + "/role":         {"role", "owner"},
		"/portal/team/members/" + boss + "/remove":       nil,
		"/portal/team/invitations/" + boss + "/withdraw": nil,
	} {
		worker.post(path, fields...).is(403).says("Only an owner").silent("whsec_", "/portal/invitation/")
	}
	if e := s.theEndpoint(t, team, hook.ID); e.Status != "enabled" {
		t.Errorf("a member changed the endpoint: %+v", e)
	}
	owner.get("/portal/team").silent("Ours now", "friend@example.org")
	// Members can leave by themselves.
	worker.post("/portal/team/leave").leads("/portal")
	worker.get("/portal").is(200).says("not in a team yet")
}

func testInvitations(t *testing.T, s *service) {
	owner, team := s.owner(t, "host@example.org", 0)
	s.addPerson(t, "known@example.org")
	key := s.addKey(t, "known@example.org")

	// The inviter sees the same whether or not the address has an account.
	shown := func(email string) (string, string) {
		p := owner.post("/portal/team/invitations", "email", email, "role", "member").is(200)
		link := p.find(`(http[^"<]*/portal/invitation/[A-Za-z0-9_-]{43})`)
		same := strings.NewReplacer(link, "LINK", email, "EMAIL").Replace(p.body)
		same = regexp.MustCompile(`(?s)<table>.*?</table>`).ReplaceAllString(same, "")
		return strings.TrimPrefix(link, s.url), same
	}
	known, first := shown("known@example.org")
	fresh, second := shown("fresh@example.org")
	if first != second {
		t.Error("the inviter can tell whether an address has an account")
	}
	guest := s.visitor(t)
	normal := func(path, email string) string {
		token := path[strings.LastIndex(path, "/"):]
		return strings.NewReplacer(token, "/TOKEN", email, "EMAIL").Replace(guest.get(path).is(200).body)
	}
	if normal(known, "known@example.org") != normal(fresh, "fresh@example.org") {
		t.Error("the link tells whether an address has an account")
	}
	owner.post("/portal/team/invitations", "email", "host@example.org", "role", "member").is(409).says("already belongs to a member of the team")
	owner.post("/portal/team/invitations", "email", "a@b.c\r\nBcc: x@y.z", "role", "member").is(400)

	// Until it is accepted the membership is pending.
	newClient(t, s.url, key, team).get("/public/me").refuses(403)

	// A link never sets the password of an account.
	guest.post(known+"/new", "firstname", "E", "lastname", "V", "password", "attacker's own").is(409).says("already has an account")
	s.signedIn(t, "known@example.org")
	// It is accepted only as that account.
	s.addPerson(t, "thief@example.org")
	thief := s.signedIn(t, "thief@example.org")
	thief.post(known + "/accept").is(403).says("sign in as that account")
	thief.post(fresh + "/accept").is(403)
	guest.post(known+"/sign-in", "password", "guessed wrong").is(401)
	account := s.signedIn(t, "known@example.org")
	account.post(known + "/accept").leads("/portal")
	account.get("/portal/team").says("You are a member")
	newClient(t, s.url, key, team).get("/public/me").is(200)
	account.post(known + "/accept").is(404).says("no longer valid")

	// A new user chooses a password, once.
	guest.post(fresh+"/new", "firstname", "", "lastname", "N", "password", goodPassword).is(400).says("Firstname must not be empty")
	guest.post(fresh+"/new", "firstname", "N", "lastname", "N", "password", "short").is(400).says("at least 8 characters")
	guest.post(fresh+"/new", "firstname", "N", "lastname", "N", "password", goodPassword).leads("/portal")
	guest.get("/portal/team").is(200).says("fresh@example.org")
	s.visitor(t).post(fresh+"/new", "firstname", "N", "lastname", "N", "password", goodPassword).is(404)

	// A new invitation replaces the previous one; a withdrawn one is invalid.
	old, _ := shown("late@example.org")
	again, _ := shown("late@example.org")
	s.visitor(t).get(old).is(404)
	id := owner.get("/portal/team").find(`/portal/team/invitations/([0-9a-f-]{36})/withdraw`)
	owner.post("/portal/team/invitations/" + id + "/withdraw").leads("/portal/team")
	s.visitor(t).get(again).is(404)

	// An old link does not bring back a user who was removed after it was made.
	for email, before := range map[string]func(email string){
		"pending@example.org": func(string) {},
		"joined@example.org":  func(email string) { s.run(t, "team", "member", team, email) },
	} {
		s.addPerson(t, email)
		link, _ := shown(email)
		before(email)
		s.run(t, "team", "member", team, email, "--remove")
		s.signedIn(t, email).post(link + "/accept").is(404).says("no longer valid")
	}
}

func testLastOwner(t *testing.T, s *service) {
	owner, team := s.owner(t, "last@example.org", 0)
	owner.post("/portal/team/leave").is(409).says("last owner")
	s.addPerson(t, "second@example.org")
	s.run(t, "team", "member", team, "second@example.org")
	second := owner.get("/portal/team").find(`/portal/team/members/([0-9a-f-]{36})/role`)
	owner.post("/portal/team/members/"+second+"/role", "role", "owner").leads("/portal/team")
	other := s.signedIn(t, "second@example.org")
	me := other.get("/portal/team").find(`/portal/team/members/([0-9a-f-]{36})/role`)
	other.post("/portal/team/members/"+me+"/role", "role", "member").leads("/portal/team")
	owner.post("/portal/team/name", "label", "x").is(403)
	other.post("/portal/team/members/"+second+"/role", "role", "member").is(409).says("last owner")
	other.post("/portal/team/members/"+me+"/role", "role", "king").is(400)
	// A user added by an operator decides for themselves.
	s.addPerson(t, "third@example.org")
	s.run(t, "team", "member", team, "third@example.org", "--pending")
	third := s.signedIn(t, "third@example.org")
	third.get("/portal").is(200).says("You are invited to")
	third.post("/portal/offers/"+team, "answer", "join").leads("/portal")
	third.get("/portal").says("Overview")
}

// An error is shown beside its field, whatever the message begins with.
func testFieldsOfForms(t *testing.T, s *service) {
	v, _ := s.owner(t, "forms@example.org", 0)
	for _, c := range []struct {
		form, field string
		fields      []string
	}{
		{"/portal/account/password", "current", []string{"current", "wrong", "password", "another good one", "again", "another good one"}},
		{"/portal/account/password", "password", []string{"current", goodPassword, "password", "short", "again", "short"}},
		{"/portal/account/password", "again", []string{"current", goodPassword, "password", "another good one", "again", "a different one"}},
		{"/portal/team/name", "label", []string{"label", " "}},
		{"/portal/team/name", "description", []string{"label", "x", "description", "a\x00b"}},
		{"/portal/team/invitations", "email", []string{"email", "no address", "role", "member"}},
		{"/portal/team/invitations", "email", []string{"email", "forms@example.org", "role", "member"}},
		{"/portal/webhooks", "url", []string{"url", "https://localhost/", "events", "all"}},
		{"/portal/webhooks", "description", []string{"url", "https://example.org/", "description", strings.Repeat("x", 501), "events", "all"}},
		{"/portal/keys", "label", []string{"label", "a\x00b", "mode", "live"}},
	} {
		wrong := v.post(c.form, c.fields...).find(`id="` + c.field + `-wrong" class="wrong" role="alert">([^<]+)<`)
		if first := wrong[:1]; first != strings.ToUpper(first) || strings.HasSuffix(wrong, ".") {
			t.Errorf("%s says %q", c.form, wrong)
		}
	}
}

func testPasswords(t *testing.T, s *service) {
	v, _ := s.owner(t, "secret@example.org", 0)
	other := s.signedIn(t, "secret@example.org")
	v.post("/portal/account/password", "current", "wrong", "password", "another good one", "again", "another good one").is(400).says("The current password is wrong")
	v.post("/portal/account/password", "current", goodPassword, "password", "short", "again", "short").is(400).says("8 characters")
	v.post("/portal/account/password", "current", goodPassword, "password", "another good one", "again", "a different one").is(400).says("do not match")
	other.get("/portal").is(200)
	v.post("/portal/account/password", "current", goodPassword, "password", "another good one", "again", "another good one").leads("/portal/account")
	v.get("/portal").is(200)
	other.get("/portal").leads("/portal/sign-in")
	s.visitor(t).post("/portal/sign-in", "email", "secret@example.org", "password", goodPassword).is(401)
	s.visitor(t).post("/portal/sign-in", "email", "secret@example.org", "password", "another good one").leads("/portal")
}

// The team selected in the portal is the recent one of the APIs.
func testChoosingATeam(t *testing.T, s *service) {
	v, first := s.owner(t, "two@example.org", 0)
	second := s.addTeam(t, "two@example.org", 0)
	c := newClient(t, s.url, s.addKey(t, "two@example.org"), first)
	recent := func() any { return c.get("/public/me").is(200).object()["recentTeam"] }
	if recent() != first {
		t.Errorf("before any selection %v is recent", recent())
	}
	v.post("/portal/team", "team", second).leads("/portal")
	if recent() != second {
		t.Errorf("after the selection %v is recent, want %s", recent(), second)
	}
}

// Names in a library are not markup on the pages.
func testMarkupInNames(t *testing.T, s *service) {
	evil, row := uid("a1a1a1a1", 1), uid("b1b1b1b1", 1)
	name := `<script>alert(1)</script>"><img src=x onerror=alert(2)>`
	s.load(t, library{
		materials:  []material{{ID: evil, Name: name, Source: "javascript:alert(3)", Organization: name, Regions: name}},
		properties: []property{{ID: row, Material: evil, Name: name, Value: "1", Unit: name, Description: name}},
	})
	v, _ := s.owner(t, "markup@example.org", 10)
	v.post("/portal/team/name", "label", name, "description", name).leads("/portal/team")
	world := v.world()
	for _, path := range []string{"/portal/materials/" + evil, "/portal/catalogue?q=alert", "/portal/catalogue/results?q=%3Cscript%3E", "/portal", "/portal/team", "/portal/logs?path=" + "%3Cscript%3Ealert(1)"} {
		v.get(path).is(200).silent("<script>alert", "<img src=x", `href="javascript:`)
	}
	v.post("/portal/materials/"+evil+"/quote", "world", world, "what", "properties", "users", "1", "item", row).is(200).silent("<script>alert", "<img src=x")
	v.post("/portal/materials/"+evil+"/pull", "world", world, "what", "properties", "users", "1", "item", row, "credits", "1").is(303)
	v.get("/portal/credits").is(200).silent("<script>alert", "<img src=x")
	v.post("/portal/sign-in", "email", name, "password", "x").is(400).silent("<script>alert", "<img src=x")
}

func testLeadingElsewhere(t *testing.T, s *service) {
	s.addPerson(t, "next@example.org")
	s.addTeam(t, "next@example.org", 0)
	for _, next := range []string{"https://evil.example/", "//evil.example/portal", "/portal\r\nSet-Cookie: x=y", `/\evil.example`, "/portalx", "javascript:alert(1)", "/public/me"} {
		p := s.visitor(t).post("/portal/sign-in", "email", "next@example.org", "password", goodPassword, "next", next).is(303)
		if at := p.header.Get("Location"); at != "/portal" {
			t.Errorf("next=%q leads to %q", next, at)
		}
		for _, cookie := range p.header.Values("Set-Cookie") {
			if strings.HasPrefix(cookie, "x=") {
				t.Errorf("next=%q sets a cookie", next)
			}
		}
	}
	s.visitor(t).post("/portal/sign-in", "email", "next@example.org", "password", goodPassword, "next", "/portal/logs?status=4").leads("/portal/logs")
}

func testDownloads(t *testing.T, s *service) {
	v, team := s.owner(t, "files@example.org", 10)
	c := newClient(t, s.url, s.addKey(t, "files@example.org"), team)
	c.post("/public/materials/"+steel+"/properties/pull", `{"propertyIds":["`+density+`"],"userCount":1}`).is(200)
	csv := v.get("/portal/owned/cradle.csv").is(200)
	if !strings.Contains(csv.body, "Density") || !strings.Contains(csv.body, "7850") || strings.Contains(csv.body, "Carbon content") {
		t.Errorf("the CSV: %s", csv.body)
	}
	if got := csv.header.Get("Content-Disposition"); got != `attachment; filename="cradle.csv"` {
		t.Errorf("the CSV comes as %q", got)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(v.get("/portal/materials/"+steel+"/rows.json").is(200).body), &rows); err != nil || len(rows) != 3 {
		t.Errorf("the JSON has %d rows: %v", len(rows), err)
	}
	for _, format := range []string{"bundle", "jsonld", "ecospold2", "csv", "xlsx"} {
		file := v.get("/portal/export/" + format).is(200)
		through := c.get("/public/export?format=" + format).is(200)
		if !strings.HasPrefix(file.body, "PK") || file.body != string(through.body) {
			t.Errorf("%s is no zip, or not what the API gives: %.20q", format, file.body)
		}
	}
	v.get("/portal/export/nonsense").is(400).says("format must be one of")
	p := v.get("/portal/materials/" + steel + "/a%0d%0aX-Evil:%20b.csv").is(200)
	if p.header.Get("X-Evil") != "" || strings.ContainsAny(p.header.Get("Content-Disposition"), "\r\n") {
		t.Errorf("a file's name became a header: %v", p.header)
	}
	v.get("/portal/credits/ledger.csv").is(200).says("grant", "debit")
	v.post("/portal/mode", "mode", "sandbox").is(303)
	if file := v.get("/portal/export/csv").is(200); file.body != string(c.withKey(s.addKey(t, "files@example.org", "--test")).get("/public/export?format=csv").is(200).body) {
		t.Error("the sandbox's export is not what the API gives a test key")
	}
	if got := v.get("/portal/owned/cradle.json").is(200).body; strings.TrimSpace(got) != "[]" {
		t.Errorf("the sandbox owns %s", got)
	}
}

func testPortalKeys(t *testing.T, s *service) {
	v, team := s.owner(t, "portal-keys@example.org", 0)
	secret := v.post("/portal/keys", "label", "mine").is(200).find(`(svc_live_[A-Za-z0-9]{32})`)
	c := newClient(t, s.url, secret, team)
	c.get("/public/me").is(200)
	id := v.get("/portal/keys").silent(secret).find(`/portal/keys/([0-9a-f-]{36})/revoke`)
	v.post("/portal/keys/" + id + "/reveal").is(403).says("shown only when it is created")
	v.post("/portal/keys/" + id + "/revoke").leads("/portal/keys")
	c.get("/public/me").refuses(401)
	v.post("/portal/mode", "mode", "sandbox").is(303)
	test := v.post("/portal/keys", "label", "for trying").is(200).find(`(svc_test_[A-Za-z0-9]{32})`)
	id = v.get("/portal/keys").silent(test).find(`/portal/keys/([0-9a-f-]{36})/revoke`)
	v.post("/portal/keys/" + id + "/reveal").is(200).says(test)
	v.post("/portal/keys", "label", strings.Repeat("x", 300)).is(400).says("at most 200 characters")
	if strings.Contains(s.log.String(), secret) || strings.Contains(s.log.String(), test) {
		t.Error("a key is in the server's log")
	}
}

func testExplorer(t *testing.T, s *service) {
	v, _ := s.owner(t, "explorer@example.org", 0)
	v.get("/portal/graphql").is(200).says("PublicMaterial", "pullProperties")
	v.post("/portal/graphql", "query", `{ materials(input: {search: "copper"}) { total items { name } } }`, "variables", "{}").is(200).says("\"total\": 1", "200")
	v.post("/portal/graphql", "query", `{ nonsense }`, "variables", "").is(200).says("400", "nonsense")
	v.post("/portal/graphql", "query", `{ me { id } }`, "variables", "{").is(http.StatusBadRequest).says("JSON object")
	v.do(http.MethodPost, "/portal/graphql", nil, map[string]string{"Sec-Fetch-Site": "cross-site"}).is(403)
}

// Wrong passwords cause a pause: for an account, and for an address that tries
// many. A restart does not help.
func TestGuessingPasswords(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newService(t, e, publicLibrary())
		s.addPerson(t, "victim@example.org")
		s.addPerson(t, "bystander@example.org")
		v := s.visitor(t)
		guess := func(email, password string) portalPage {
			return v.post("/portal/sign-in", "email", email, "password", password)
		}
		for range 5 {
			guess("victim@example.org", "guess").is(401)
		}
		// The pause doubles each time: on a slow machine it may be over before
		// the next guess, but not many times in a row.
		untilOneWaits := func(most int, account func(i int) string) portalPage {
			for i := range most {
				if p := guess(account(i), "guess"); p.status == 429 {
					return p
				}
			}
			t.Fatalf("nobody has to wait after %d guesses", most)
			return portalPage{}
		}
		victim := func(int) string { return "victim@example.org" }
		untilOneWaits(8, victim).says("Wait")
		s.stop(t)
		again := s.installation.serve(t)
		v.url = again.url
		untilOneWaits(4, victim)
		guess("bystander@example.org", goodPassword).is(303)
		untilOneWaits(40, func(i int) string { return "nobody" + itoa(i) + "@example.org" })
		for range 4 {
			if guess("bystander@example.org", goodPassword).status == 429 {
				return
			}
			untilOneWaits(4, func(i int) string { return "nobody" + itoa(100+i) + "@example.org" })
		}
		t.Error("one address may try any number of accounts")
	})
}
