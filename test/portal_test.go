package test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

const goodPassword = "correct horse battery"

// A visitor is a browser on the portal: it keeps cookies, does not follow
// redirects, and sends its origin.
type visitor struct {
	t    testing.TB
	url  string
	http *http.Client
}

func (s *service) visitor(t testing.TB) *visitor { return newVisitor(t, s.url) }

func newVisitor(t testing.TB, url string) *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t, url, &http.Client{Jar: jar, Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// A portalPage is what the portal answered.
type portalPage struct {
	t      testing.TB
	what   string
	status int
	header http.Header
	body   string
}

func (v *visitor) get(path string) portalPage { return v.do(http.MethodGet, path, nil, nil) }

// post sends a form, names and values in turn.
func (v *visitor) post(path string, fields ...string) portalPage {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return v.do(http.MethodPost, path, form, nil)
}

func (v *visitor) do(method, path string, form url.Values, headers map[string]string) portalPage {
	v.t.Helper()
	r, err := http.NewRequest(method, v.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	res, err := v.http.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return portalPage{v.t, method + " " + path, res.StatusCode, res.Header, string(body)}
}

func (p portalPage) is(status int) portalPage {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("%s answered %d, want %d: %s", p.what, p.status, status, beginning(tagless(p.body)))
	}
	return p
}

// leads fails the test unless the page redirects to a path.
func (p portalPage) leads(to string) portalPage {
	p.t.Helper()
	p.is(http.StatusSeeOther)
	if at := p.header.Get("Location"); at != to && !strings.HasPrefix(at, to+"?") {
		p.t.Errorf("%s leads to %q, want %q", p.what, at, to)
	}
	return p
}

func (p portalPage) says(words ...string) portalPage {
	p.t.Helper()
	for _, word := range words {
		if !strings.Contains(tagless(p.body), word) {
			p.t.Errorf("%s does not say %q: %s", p.what, word, beginning(tagless(p.body)))
		}
	}
	return p
}

func (p portalPage) silent(words ...string) portalPage {
	p.t.Helper()
	for _, word := range words {
		if strings.Contains(p.body, word) {
			p.t.Errorf("%s says %q", p.what, word)
		}
	}
	return p
}

// find returns what a pattern's group matches.
func (p portalPage) find(pattern string) string {
	p.t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(p.body)
	if found == nil {
		p.t.Fatalf("%s has no %s: %s", p.what, pattern, beginning(tagless(p.body)))
	}
	return found[1]
}

var (
	tags   = regexp.MustCompile(`(?s)<(style|script).*?</(style|script)>|<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

func tagless(body string) string {
	return html.UnescapeString(strings.TrimSpace(spaces.ReplaceAllString(tags.ReplaceAllString(body, " "), " ")))
}

// beginning is the start of a long text.
func beginning(text string) string { return text[:min(len(text), 1500)] }

// addPerson makes a user who can sign in.
func (in *installation) addPerson(t testing.TB, email string) {
	t.Helper()
	cmd := exec.Command(binary(t), "user", "add", "--email", email, "--firstname", "F", "--lastname", "L", "--password-stdin")
	cmd.Env, cmd.Stdin = in.environment(nil), strings.NewReader(goodPassword)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// signedIn is a visitor who has signed in.
func (s *service) signedIn(t testing.TB, email string) *visitor {
	t.Helper()
	return s.visitor(t).signIn(email)
}

func (v *visitor) signIn(email string) *visitor {
	v.t.Helper()
	v.post("/portal/sign-in", "email", email, "password", goodPassword).leads("/portal")
	return v
}

// owner makes a person with a team of their own, signed in.
func (s *service) owner(t testing.TB, email string, credits int) (*visitor, string) {
	t.Helper()
	s.addPerson(t, email)
	team := s.addTeam(t, email, credits)
	return s.signedIn(t, email), team
}

func TestPortal(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e engine) {
		s := newStandardService(t, e)
		for name, test := range map[string]func(*testing.T, *service){
			"signing in":                    testSigningIn,
			"pages carry a strict policy":   testPagePolicy,
			"forms of other sites":          testCrossOrigin,
			"pulls":                         testPortalPulls,
			"objects of other teams":        testOtherTeams,
			"members doing owners' work":    testMembersDoOwnersWork,
			"invitations":                   testInvitations,
			"the last owner":                testLastOwner,
			"passwords":                     testPasswords,
			"fields of forms":               testFieldsOfForms,
			"choosing a team":               testChoosingATeam,
			"names that are markup":         testMarkupInNames,
			"addresses that lead elsewhere": testLeadingElsewhere,
			"downloads":                     testDownloads,
			"keys":                          testPortalKeys,
			"the explorer":                  testExplorer,
		} {
			t.Run(name, func(t *testing.T) { test(t, s) })
		}
		s.check(t)
	})
}

func testSigningIn(t *testing.T, s *service) {
	s.addPerson(t, "anna@example.org")
	s.addTeam(t, "anna@example.org", 0)
	v := s.visitor(t)
	v.get("/portal/keys").leads("/portal/sign-in")
	v.post("/portal/sign-in", "email", "anna@example.org", "password", "mistaken").is(401).says("password is wrong").silent("mistaken")
	v.post("/portal/sign-in", "email", "nobody@example.org", "password", goodPassword).is(401).says("password is wrong")
	v.post("/portal/sign-in", "email", "no address", "password", "x").is(400).says("not an e-mail address")

	// An existing token does not become the session's.
	at, _ := url.Parse(s.url)
	v.http.Jar.SetCookies(at, []*http.Cookie{{Name: "cradle_session", Value: strings.Repeat("A", 43), Path: "/"}})
	in := v.post("/portal/sign-in", "email", "ANNA@example.org", "password", goodPassword).leads("/portal")
	cookie := in.header.Get("Set-Cookie")
	for _, flag := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(cookie, flag) {
			t.Errorf("the cookie %q is not %s", cookie, flag)
		}
	}
	if strings.Contains(cookie, strings.Repeat("A", 43)) {
		t.Error("the session has a token that somebody else chose")
	}
	v.get("/portal").is(200).says("Overview")

	// Signing in again opens a new session and ends the previous one.
	before := v.http.Jar.Cookies(at)
	v.post("/portal/sign-in", "email", "anna@example.org", "password", goodPassword).leads("/portal")
	old := s.visitor(t)
	old.http.Jar.SetCookies(at, before)
	old.get("/portal").leads("/portal/sign-in")

	// Signing out everywhere ends all sessions; old cookies are then worthless.
	other := s.signedIn(t, "anna@example.org")
	kept := v.http.Jar.Cookies(at)
	v.post("/portal/sign-out", "everywhere", "yes").leads("/portal/sign-in")
	other.get("/portal").leads("/portal/sign-in")
	v.http.Jar.SetCookies(at, kept)
	v.get("/portal").leads("/portal/sign-in")

	// A disabled user is signed out at once, and stays out.
	v.post("/portal/sign-in", "email", "anna@example.org", "password", goodPassword).leads("/portal")
	s.run(t, "user", "disable", "anna@example.org")
	v.get("/portal").leads("/portal/sign-in")
	v.post("/portal/sign-in", "email", "anna@example.org", "password", goodPassword).is(401)
}

func testPagePolicy(t *testing.T, s *service) {
	v, _ := s.owner(t, "policy@example.org", 0)
	for _, path := range []string{"/portal", "/portal/sign-in?next=x", "/portal/catalogue", "/portal/nowhere", "/portal/keys"} {
		p := v.get(path)
		policy := p.header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s has the policy %q", path, policy)
		}
		if p.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept: %q", path, p.header.Get("Cache-Control"))
		}
		p.silent(" style=", " onclick=", "<style", "javascript:")
	}
	css := v.get(v.get("/portal").find(`href="(/portal/static/[^"]*\.css)"`)).is(200)
	if !strings.Contains(css.header.Get("Cache-Control"), "immutable") {
		t.Errorf("the style sheet is not kept: %q", css.header.Get("Cache-Control"))
	}
}

func testCrossOrigin(t *testing.T, s *service) {
	v, team := s.owner(t, "origin@example.org", 10)
	form := url.Values{"label": {"stolen"}}
	for name, headers := range map[string]map[string]string{
		"another site":                 {"Sec-Fetch-Site": "cross-site"},
		"another site of the domain":   {"Sec-Fetch-Site": "same-site"},
		"a browser that says only who": {"Sec-Fetch-Site": "", "Origin": "https://evil.example"},
	} {
		p := v.do(http.MethodPost, "/portal/keys", form, headers).is(403)
		if strings.Contains(p.body, "svc_live_") {
			t.Errorf("%s got a key", name)
		}
	}
	v.do(http.MethodPost, "/portal/sign-out", nil, map[string]string{"Sec-Fetch-Site": "cross-site"}).is(403)
	v.get("/portal/keys").is(200).silent("stolen")
	_ = team
}

// world is the team and mode that the forms of a page are for.
func (v *visitor) world() string {
	return v.get("/portal/keys").is(200).find(`name="world" value="([^"]*)"`)
}

func testPortalPulls(t *testing.T, s *service) {
	v, team := s.owner(t, "pulls@example.org", 10)
	material := "/portal/materials/" + steel
	v.get(material).is(200).says("Density", "hidden until pulled").silent("7850", "7840.5", "12.25")
	world := v.world()
	v.post(material+"/quote", "world", world, "what", "properties", "users", "2", "item", density).is(200).says("4 credits", "6 credits left")
	v.post(material+"/quote", "world", world, "what", "properties", "users", "2").is(400).says("Select at least one row")
	v.post(material+"/quote", "world", world, "what", "properties", "users", "0", "item", density).is(400).says("number of users")
	v.post(material+"/quote", "world", world, "what", "impacts", "users", "1", "item", density).is(400)
	v.post(material+"/quote", "world", world, "what", "properties", "users", "9", "item", density, "item", carbon).is(200).says("Select fewer rows")
	if got := s.credits(t, team).Live.Balance; got != 10 {
		t.Errorf("quotes cost %d credits", 10-got)
	}
	// Not for more than the price shown, and not for another team or mode.
	v.post(material+"/pull", "world", world, "what", "properties", "users", "1", "item", density, "credits", "1").is(403).says("nothing was debited")
	v.post(material+"/pull", "world", team+"/sandbox", "what", "properties", "users", "1", "item", density, "credits", "2").is(409)
	if got := s.credits(t, team).Live.Balance; got != 10 {
		t.Errorf("refused pulls cost %d credits", 10-got)
	}
	v.post(material+"/pull", "world", world, "what", "properties", "users", "1", "item", density, "credits", "2").leads(material)
	v.get(material).says("7850")
	v.post(material+"/pull", "world", world, "what", "properties", "users", "1", "item", density, "credits", "2").leads(material)
	if got := s.credits(t, team).Live.Balance; got != 8 {
		t.Errorf("the balance is %d after pulling for 2 twice, want 8", got)
	}
	process := "/portal/processes/" + rolling
	v.post(process+"/pull", "world", world, "what", "products", "users", "1", "item", coil, "credits", "3").leads(process)
	v.post(process+"/pull", "world", world, "what", "impacts", "users", "1", "item", ipcc, "credits", "1").leads(process)
	v.get(process).says("1.05", "2.5", "-0.75").silent("mol H+-eq</td><td class=\"n\">0")
	eventually(t, "the pull is logged", func() bool {
		return strings.Contains(v.get("/portal/logs").body, material+"/pull")
	})
	v.get("/portal/credits").says("Steel, hot rolled coil", "properties 1, users 1")
	// Other teams see nothing of it.
	other, _ := s.owner(t, "pulls-other@example.org", 0)
	other.get(material).silent("7850")
	// The sandbox is separate.
	v.post("/portal/mode", "mode", "sandbox", "back", material).leads(material)
	v.get(material).says("Sandbox").silent("7850")
}
