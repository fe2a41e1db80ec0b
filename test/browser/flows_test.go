package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Ids of the demonstration library.
const (
	steelCoil = "901471d3-ca61-5416-8068-b70de7a092e3"
	aluminium = "5c0efcd6-88e0-5825-a840-348865b490af"
)

func TestSigningIn(t *testing.T) {
	b := open(t, look{width: desktop})
	b.at("/sign-in").fill("#email", site.Email).fill("#password", "wrong-password").click("button.primary")
	b.says("main", "e-mail address or the password is wrong")
	if kept := ask(b, chromedp.Value(chromedp.CSS("#email"))); kept != site.Email {
		t.Errorf("the form forgot the address: %q", kept)
	}
	b.fill("#password", site.Password).click("button.primary").says("h1", "Overview")
	b.says("main", "Live credits", "The last 30 days")
	b.open(".menu.me summary").click(".menu.me .sheet form button").says("main", "You have signed out")
	b.at("/keys").says("h1", "Sign in")
}

// open opens a menu.
func (b *tab) open(summary string) *tab {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(summary)))
	return b
}

// until waits for a selector's text to have a word.
func (b *tab) until(selector, word string) *tab {
	b.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(30 * time.Millisecond) {
		text := ask(b, chromedp.Evaluate[string](`document.querySelector("`+selector+`")?.textContent ?? ""`))
		if strings.Contains(text, word) {
			return b
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("%s never said %q: %s", selector, word, text)
		}
	}
}

func TestSearchingAsYouType(t *testing.T) {
	b := open(t, look{width: desktop}).signIn().at("/catalogue")
	b.do(chromedp.SendKeys(chromedp.CSS("#q"), "galvanised"))
	b.until("#results", "1–1 of 1").says("#results", "Steel, hot-dip galvanised sheet")
	if at := ask(b, chromedp.Location()); !strings.Contains(at, "q=galvanised") {
		t.Errorf("the address does not have the search: %s", at)
	}
	b.fill("#q", "unobtainium").until("#results", "Nothing found")
}

func TestPulling(t *testing.T) {
	b := open(t, look{width: desktop}).signIn().at("/materials/" + steelCoil)
	b.do(chromedp.Click(chromedp.CSS("tbody tr:nth-child(1) input")), chromedp.Click(chromedp.CSS("tbody tr:nth-child(3) input")))
	b.until("[data-said]", "credits left")
	said := b.text("[data-said]")
	b.picture("choosing-light")
	b.click(".buy button").says("main", "Pull values", "Paid by").picture("quote-light").accessible("quote")
	credits, rest, _ := strings.Cut(said, ", ")
	b.says(".quote", credits, rest)
	b.click("button.primary").says("main", "Pull complete", "7850", "235")
	b.at("/processes/" + aluminium)
	b.do(chromedp.Click(chromedp.CSS(`form[data-quote] input[name=item]`)))
	b.click(".buy button").click("button.primary").says("main", "Pull complete").picture("pulled-light")
	if bands := ask(b, chromedp.Evaluate[int](`document.querySelectorAll(".flow path").length`)); bands < 3 {
		t.Errorf("the diagram has %d flows", bands)
	}
	b.at("/logs").says("main", "portal", "/portal/materials/"+steelCoil[:8])
}

func TestStarring(t *testing.T) {
	b := open(t, look{width: desktop}).signIn().at("/materials/" + steelCoil)
	b.click("button.star").says("button.star", "Starred")
	b.at("/catalogue?starred=on").says("#results", "Steel, unalloyed, hot-rolled coil")
	b.at("/materials/"+steelCoil).click("button.star").says("button.star", "☆")
}

func TestKeys(t *testing.T) {
	b := open(t, look{width: desktop}).signIn()
	b.at("/keys").fill("#label", "nightly import").click(".filters button").says(".secret", "svc_live_", "not be shown again")
	b.picture("newkey-light").accessible("a new key")
	b.at("/keys").says("table", "nightly import")
	b.click("tbody tr:first-child .danger").says("main", "Revoke this key?").accessible("confirmation").click("button.danger").says("main", "Key revoked")
	b.click(".modes button[value=sandbox]").says(".band", "You are in the sandbox")
	b.click("td form button").says(".secret", "svc_test_")
	b.click(".modes button[value=live]")
}

func TestWebhooks(t *testing.T) {
	arrived := make(chan string, 8)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- r.Header.Get("Svc-Event")
		w.Write([]byte("thank you"))
	}))
	defer receiver.Close()
	b := open(t, look{width: desktop}).signIn()
	b.at("/webhooks/new").fill("#url", "https://localhost/hooks").click("button.primary").says("#url-wrong", "localhost")
	b.picture("newwebhook-wrong-light").accessible("a form with an error")
	b.fill("#url", receiver.URL).fill("#description", "the shop").click("button.primary").says(".secret", "whsec_", "not be shown again")
	b.picture("webhook-light").accessible("an endpoint")
	b.click(`form[action$="/test"] button`).says("main", "The test was delivered", "delivered", "200").picture("delivery-light").accessible("a delivery")
	if event := <-arrived; event != "webhook.test" {
		t.Errorf("%q arrived", event)
	}
	b.click(`.crumbs a:last-child`).click(`form[action$="/status"] button`).says("main", "Endpoint disabled")
	b.click(`form[action$="/status"] button`).says("main", "Endpoint enabled")
	b.open(`details:has(form[action$="/rotate"]) > summary`).click(`form[action$="/rotate"] button`).says(".secret", "New secret", "whsec_")
	b.click("a.danger").says("main", "Remove this endpoint?").click("button.danger").says("main", "Endpoint removed")
}

func TestFollowingTheLog(t *testing.T) {
	b := open(t, look{width: desktop}).signIn().at("/logs")
	b.do(chromedp.Click(chromedp.CSS("#tail")))
	b.until("#tail-said", "Live")
	request, _ := http.NewRequest("GET", site.URL+"/public/impact-methods?from=the-browser-test", nil)
	request.Header.Set("x-api-key", site.LiveKey)
	request.Header.Set("x-team-id", site.Teams[0].ID)
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	b.until("#rows tr.fresh", "/public/impact-methods")
	b.click("#rows tr.fresh a").says("main", "Request id", answer.Header.Get("Svc-Request-Id")).picture("request-light").accessible("a request")
	b.at("/logs?status=4&path=materials").says("main", "404")
}

func TestInviting(t *testing.T) {
	owner := open(t, look{width: desktop}).signIn()
	owner.at("/team").fill("#email", "grace@example.org").click(".filters button").says(".secret", "/portal/invitation/")
	owner.picture("invited-light").accessible("an invitation made")
	link := owner.text(".secret code")
	owner.at("/team").says("main", "grace@example.org", "pending")
	guest := open(t, look{width: desktop})
	guest.do(chromedp.Navigate(link))
	guest.says("h1", "Join Packaging").picture("invitation-light").accessible("an invitation")
	guest.fill("#firstname", "Grace").fill("#lastname", "Hopper").fill("#password", "tiny").submit("#password")
	guest.says("#password-wrong", "8 characters")
	guest.fill("#password", "long-enough-now").submit("#password")
	guest.says("main", "Welcome to the team").says("header", "Packaging")
	guest.at("/team").says("main", "You are a member", "Grace Hopper")
	owner.at("/team").says("main", "Grace Hopper")
}

// submit sends the form of a field without the browser's own checks.
func (b *tab) submit(field string) *tab {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	send := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := chromedp.Evaluate[int](`document.querySelector("`+field+`").form.submit(), 0`)(ctx, target)
		return err
	})
	if _, err := chromedp.RunResponse(ctx, send); err != nil {
		b.t.Fatal(err)
	}
	return b
}

func TestWithoutJavaScript(t *testing.T) {
	b := open(t, look{width: desktop, noScript: true}).signIn().says("h1", "Overview")
	b.click(".modes button[value=sandbox]").says(".band", "You are in the sandbox")
	b.at("/catalogue").fill("#q", "brass").click(".filters button").says("#results", "Brass, CuZn37")
	b.click("#results a.name").says("h1", "Brass")
	b.do(chromedp.Click(chromedp.CSS("tbody tr:nth-child(1) input")))
	b.click(".buy button").says(".quote", "credits left").click("button.primary").says("main", "Pull complete")
	b.open(".menu.team summary").click(".menu.team button:not([aria-current])").says("header .team", "Buildings")
	b.open(".menu.team summary").click(".menu.team button:not([aria-current])").says("header .team", "Packaging")
	b.click(".modes button[value=live]")
}
