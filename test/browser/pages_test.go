package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// looks are the themes and sizes in which every page is checked.
var looks = map[string]look{
	"light": {width: desktop},
	"dark":  {width: desktop, dark: true},
	"phone": {width: phone},
}

// pages are those that can be opened by URL.
var pages = map[string]string{
	"overview":   "",
	"catalogue":  "/catalogue",
	"processes":  "/catalogue?kind=processes&pulled=on",
	"nothing":    "/catalogue?q=unobtainium",
	"material":   "/materials/f16be64a-d7c1-503c-b2c5-e4e9e069cec3",
	"hidden":     "/materials/901471d3-ca61-5416-8068-b70de7a092e3",
	"process":    "/processes/e55bc13e-6f49-59c5-8fea-1ee454c5f974",
	"keys":       "/keys",
	"webhooks":   "/webhooks",
	"newwebhook": "/webhooks/new",
	"logs":       "/logs",
	"credits":    "/credits",
	"team":       "/team",
	"leave":      "/team/leave",
	"account":    "/account",
	"docs":       "/docs",
	"verify":     "/docs/webhooks",
	"graphql":    "/graphql",
	"missing":    "/nowhere",
}

// Every page is right in both themes and on a phone: axe finds nothing, and
// nothing is wider than the window.
func TestEveryPage(t *testing.T) {
	for name, l := range looks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, l)
			b.at("/sign-in").picture("signin-" + name).accessible("sign-in")
			b.signIn()
			for page, path := range pages {
				b.at(path).fits(page)
				b.picture(page + "-" + name)
				switch name { // it is the same page in all of them
				case "light":
					b.accessible(page)
				case "dark":
					b.accessible(page, "color-contrast")
				}
			}
		})
	}
}

// fits fails the test if a page has to be scrolled sideways.
func (b *tab) fits(page string) {
	b.t.Helper()
	wide := ask(b, chromedp.Evaluate[int](`document.documentElement.scrollWidth`))
	window := ask(b, chromedp.Evaluate[int](`window.innerWidth`))
	if wide > window {
		b.t.Errorf("%s is %d wide in a window of %d", page, wide, window)
	}
}
